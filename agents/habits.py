"""What agents do in their games: what they develop when, where they found offices, what they claim, how they score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from hansa_agents.game_result import GameResult
from hansa_agents.line_ups import MatchError
from hansa_env import HansaBatch, Ruleset
from hansa_env.engine.action_space import ROUTE, kind_and_thing
from hansa_env.engine.kernels import NO_ACTION
from hansa_env.engine.rules.scoring import score_columns
from hansa_env.engine.state import ABILITIES, ASK_ACT
from hansa_env.play.arguments import MAX_TURNS


@dataclass(frozen=True)
class Habits:
    """Means over the games and seats of one agent.

    Attributes:
        seats: how many seats of how many games these are.
        share: of the win.
        developed: by ability, the share of seats that took each step of the track.
        turn: by ability, the mean own turn (1 = first) in which each step was taken, NaN where none was.
        offices: by city, offices at the end, extra ones and those placed in green cities too.
        claims: by route, claims.
        scores: points by category.
        ends: by reason, share of games.
        turns: own turns in a game.
    """

    seats: int
    share: float
    developed: dict[str, np.ndarray]
    turn: dict[str, np.ndarray]
    offices: dict[str, float]
    claims: dict[str, float]
    scores: dict[str, float]
    ends: dict[str, float]
    turns: float


def habits(results: Sequence[GameResult], ruleset: Ruleset, agent: str, max_turns: int | None = MAX_TURNS) -> Habits:
    """What an agent did, from games that were kept with their actions (`play_match(..., keep=Keep(actions=True))`).

    Args:
        results: of one match.
        agent: its name there.
        max_turns: as in the match.

    Raises:
        MatchError: the agent took no part, or actions were not kept.
    """
    results = [one for one in results if agent in one.agents]
    if not results:
        raise MatchError(f"no games of {agent!r}; expected a match in which it took part")
    held = np.array([[name == agent for name in one.agents] for one in results])
    board, players = ruleset.board_data, ruleset.players
    batch = batch_of(results, ruleset, max_turns)
    steps = batch.tables[0]["ability_steps"]
    turn_of = np.full((len(results), players, len(ABILITIES), steps.max()), np.nan)
    claims = np.zeros((len(results), players, len(board.routes)))
    kinds, things = kind_and_thing(ruleset).T
    rows = np.arange(len(results))
    for actions in actions_by_number(results):
        before, seat, turns = batch.games["abilities"].copy(), batch.seat.copy(), batch.games["turns"].copy()
        claimed = claims_a_route(batch, actions, kinds)
        claims[rows[claimed], seat[claimed], things[actions[claimed]]] += 1
        batch.step(actions)
        game, owner, ability = np.nonzero((batch.games["abilities"] != before)[:, :players])
        turn_of[game, owner, ability, before[game, owner, ability]] = turns[game] // players + 1
    mine = turn_of[held]
    offices = _offices(batch, ruleset)[held].mean(0)
    scores = np.concatenate([one.scores[seats] for one, seats in zip(results, held)]).mean(0)
    shares = np.concatenate([one.shares[seats] for one, seats in zip(results, held)])
    reasons = [one.reason for one in results]
    return Habits(
        seats=int(held.sum()),
        share=float(shares.mean()),
        developed={name: np.isfinite(mine[:, k, : steps[k]]).mean(0) for k, name in enumerate(ABILITIES)},
        turn={name: _mean(mine[:, k, : steps[k]]) for k, name in enumerate(ABILITIES)},
        offices={city.id: float(value) for city, value in zip(board.cities, offices)},
        claims={route.id: float(value) for route, value in zip(board.routes, claims[held].mean(0))},
        scores=dict(zip(score_columns(ruleset), scores.tolist())),
        ends={reason: reasons.count(reason) / len(reasons) for reason in sorted(set(reasons))},
        turns=float(np.mean([one.turns for one in results]) / players),
    )


def batch_of(results: Sequence[GameResult], ruleset: Ruleset, max_turns: int | None) -> HansaBatch:
    """The games of some results, as they began. Raises MatchError where there are none, or their actions were not kept."""
    if not results or any(one.actions is None for one in results):
        raise MatchError("there are no games with their actions; expected a match with keep=Keep(actions=True)")
    batch = HansaBatch(len(results), ruleset, max_turns=max_turns)
    batch.reset(seeds=[one.seed for one in results])
    return batch


def claims_a_route(batch: HansaBatch, actions: np.ndarray, kinds: np.ndarray) -> np.ndarray:
    """In which games (N,) an action takes the posts of a route off it; `kinds` are those of all actions."""
    return (actions != NO_ACTION) & (kinds[actions] == ROUTE) & (batch.games["asked"] == ASK_ACT)


def actions_by_number(results: Sequence[GameResult]) -> Iterator[np.ndarray]:
    """The first action of every game, then the second and so on: (N,) int64, NO_ACTION in games that are over."""
    kept = [one.actions for one in results if one.actions is not None]
    for number in range(max(map(len, kept))):
        yield np.array([actions[number] if number < len(actions) else NO_ACTION for actions in kept])


def _offices(batch: HansaBatch, ruleset: Ruleset) -> np.ndarray:
    """Offices (N, P, cities) as the boards stand."""
    games, cities = batch.games, ruleset.board_data.cities
    city_of = np.repeat(np.arange(len(cities)), np.diff(batch.tables[0]["first_office"][: len(cities) + 1]))
    count = np.zeros((len(games), ruleset.players, len(cities)))
    for piece, city in ((games["offices"][:, : len(city_of)], np.broadcast_to(city_of, (len(games), len(city_of)))),
                        (games["extra_piece"], games["extra_city"])):  # fmt: skip
        row, place = np.nonzero(piece)
        owner = (piece[row, place] - 1) // 2
        seated = owner < ruleset.players
        np.add.at(count, (row[seated], owner[seated], city[row, place][seated]), 1)
    return count


def _mean(turns: np.ndarray) -> np.ndarray:
    known = np.isfinite(turns)
    return np.where(known, turns, 0).sum(0) / np.where(known.any(0), known.sum(0), np.nan)
