"""Games of mixed players, for the positions in them: who sits where changes, and everybody slips now and then."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hansa_agents.scripted.styles import style_names
from hansa_env import Agent, HansaBatch, Ruleset, make_agent
from hansa_env.engine.state import ASK_ACT, new_games
from hansa_env.formats.position import position_of
from hansa_env.formats.read_position import read_position
from hansa_env.play.agents import ask_agents
from hansa_env.play.loop import play_on

#: The share of decisions that are any legal one, and turns of a seat after which a game is left.
SLIPS, LONGEST = 0.1, 60
#: The trained network's likeliest decision, by the one simulation that follows it.
NETWORK = "tree:sims=2"


def players_of(ruleset: Ruleset) -> list[Agent]:
    """Who plays: the first decides at random, the last as the network likes best, the others are scripted, `greedy` first."""
    specs = ["random", "greedy", *(f"scripted:{name}" for name in style_names()), NETWORK]
    return [make_agent(spec, ruleset, 1000 + place) for place, spec in enumerate(specs)]


def mixed_games(ruleset: Ruleset, players: list[Agent], count: int, seed: np.random.Generator) -> list[np.ndarray]:
    """The positions (M,) of each of some games, in order, the last of them the end."""
    batch = HansaBatch(count, ruleset, seeds=seed.integers(2**63, size=count).tolist(), max_turns=LONGEST)
    who = seed.integers(1, len(players), (count, ruleset.players))
    met = [[game.copy()] for game in batch.games]

    def ask(rows: np.ndarray) -> np.ndarray:
        place = np.where(seed.random(len(rows)) < SLIPS, 0, who[rows, batch.seat[rows]])
        return ask_agents(players, place, ruleset, batch.games.take(rows))

    for rows in play_on(batch, ask):
        for row in rows:
            met[row].append(batch.games[row].copy())
    found = []
    for positions in met:
        games = new_games(len(positions))
        for number, position in enumerate(positions):
            games[number] = position
        found.append(games)
    return found


def as_read(ruleset: Ruleset, game: np.void) -> tuple[dict, np.ndarray]:
    """A game as a position, and the record (1,) that readers make of it, in which other markers lie hidden."""
    position = position_of(ruleset, game)
    return position, read_position(position)[1]


def last_rounds(ruleset: Ruleset, games: np.ndarray, rounds: int) -> Iterator[int]:
    """The numbers of a game's positions in its last rounds at which an action is chosen."""
    last = int(games["turns"][-1]) - rounds * ruleset.players
    for number in range(len(games) - 1):
        if games["turns"][number] >= last and games["asked"][number] == ASK_ACT:
            yield number
