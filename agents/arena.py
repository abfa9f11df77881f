"""The arena: agents meet in batches of games, every line-up on the same deals."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from hansa_agents.line_ups import MatchError, line_ups
from hansa_agents.results import GameResult, Match
from hansa_env import Agent, Game, HansaBatch, Ruleset, make_agent
from hansa_env.engine import kernels, state
from hansa_env.engine.kernels import NO_ACTION
from hansa_env.play.agents import ask_agents, checked_agent, name_of
from hansa_env.play.arguments import MAX_TURNS, checked_seed
from hansa_env.play.errors import AgentError

ROWS = 4096  # games played side by side; memory only, results do not depend on it

__all__ = ["Match", "MatchError", "line_ups", "play_game", "play_match"]


def game_seeds(seed: int, first: int, count: int) -> np.ndarray:
    """The seeds (count,) uint64 of the games first .. first + count − 1 of a match, each by its own number."""
    seeds = np.empty(count, np.uint64)
    kernels.batch_seeds(np.uint64(checked_seed(seed)), first, seeds)
    return seeds


def play_match(
    specs: Sequence[str | Agent],
    ruleset: Ruleset,
    games: int = 200,
    seed: int = 0,
    *,
    max_turns: int | None = MAX_TURNS,
    keep_actions: bool = False,
    on_game_end: Callable[[GameResult], Any] | None = None,
) -> Match:
    """Let agents meet in at least `games` games, the same number (and the same deals) for each line-up.

    Args:
        specs: 1 to P agents, as specs or made; which line-ups follow is said at `line_ups`. The same spec, or the same
            object, twice is one agent; two objects are two.
        ruleset: the game that is played.
        games: rounded up to a multiple of the number of line-ups.
        seed: of the games and of the agents.
        max_turns: turns per seat after which a game is truncated and scored as the board stands; None = never.
        keep_actions: keep every action, so that results turn into records.
        on_game_end: called with each game as it ends; what it raises ends the match.

    Raises:
        MatchError: the number of agents or games cannot be played. AgentError: an agent does not exist. AgentFault: an
            agent raised, or its answer is none.
    """
    if games < 1:
        raise MatchError(f"games is {games}; expected at least 1")
    named = _named(specs)
    names = [next(name for name, one in named.items() if one is spec or one == spec) for spec in specs]
    table = line_ups(names, ruleset.players)
    agents = [_made(spec, ruleset, seed + index, name) for index, (name, spec) in enumerate(named.items())]
    labels = [name + " (oracle)" if getattr(agent, "oracle", False) else name for name, agent in zip(named, agents)]
    _warm_up(agents, ruleset)
    each = -(-games // len(table))
    who = np.array([[list(named).index(name) for name in line_up] for line_up in table])
    results: list[GameResult] = []
    seconds, began = np.zeros(len(agents)), time.perf_counter()
    step = max(1, ROWS // len(table))
    for first in range(0, each, step):
        seeds = game_seeds(seed, first, min(step, each - first))
        numbers = first + np.arange(len(seeds)) + each * np.arange(len(table))[:, None]
        tables = _Tables(ruleset, seeds, who, agents, labels, max_turns, keep_actions, numbers)
        for result in tables.play(seconds):
            results.append(result)
            if on_game_end is not None:
                on_game_end(result)
    return Match(
        ruleset,
        max_turns,
        tuple(labels),
        tuple(tuple(labels[agent] for agent in row) for row in who),
        tuple(sorted(results, key=lambda result: result.number)),
        time.perf_counter() - began,
        dict(zip(labels, seconds.tolist())),
    )


def play_game(specs: Sequence[str | Agent], ruleset: Ruleset, seed: int = 0, max_turns: int | None = MAX_TURNS) -> Game:
    """Play one game; its record names the agents.

    Args:
        specs: one agent per seat, or a single one for every seat.
        max_turns: turns per seat after which the game is cut off; None = never.

    Raises:
        AgentError: an agent does not exist, or there are not as many as seats. AgentFault: an agent failed.
    """
    if len(specs) not in (1, ruleset.players):
        raise AgentError(f"{len(specs)} agents for {ruleset.players} seats; expected one per seat, or one for all")
    named = _named(specs)
    agents = [_made(spec, ruleset, seed, name) for name, spec in named.items()]
    by_seat = [next(i for i, one in enumerate(named.values()) if one is spec or one == spec) for spec in specs]
    by_seat *= ruleset.players if len(specs) == 1 else 1
    game = Game(ruleset, seed, max_turns=max_turns)
    game.agents = [list(named)[i] for i in by_seat]
    while game.seat is not None:
        who = np.array([by_seat[game.seat]])
        game.play_action(int(ask_agents(agents, who, ruleset, np.array([game.state], state.GAME))[0]))
    return game


class _Tables:
    """Some games of a match, side by side: every line-up on every seed."""

    def __init__(
        self, ruleset: Ruleset, seeds: np.ndarray, who: np.ndarray, agents: list[Agent], labels: list[str],
        max_turns: int | None, keep_actions: bool, numbers: np.ndarray,
    ) -> None:  # fmt: skip
        self.ruleset, self.agents, self.labels = ruleset, agents, labels
        self.seeds = np.tile(seeds, len(who)).tolist()
        self.who = np.repeat(who, len(seeds), axis=0)
        self.batch = HansaBatch(len(self.seeds), ruleset, seeds=self.seeds, max_turns=max_turns)
        self.decisions = np.zeros(len(self.seeds), np.int64)
        self.kept: list[tuple[np.ndarray, np.ndarray]] | None = [] if keep_actions else None
        self.numbers = numbers.ravel().tolist()

    def play(self, seconds: np.ndarray) -> Iterator[GameResult]:
        """Play all games to their end; yields a GameResult for each as it ends."""
        batch = self.batch
        rows = np.arange(batch.num_games)
        actions = np.empty(batch.num_games, np.int64)
        while rows.size:
            deciding = self.who[rows, batch.seat[rows]]
            actions[:] = NO_ACTION
            actions[rows] = ask_agents(self.agents, deciding, self.ruleset, batch.games.take(rows), seconds)
            if self.kept is not None:
                self.kept.append((rows, actions[rows].astype(np.int16)))
            batch.step(actions)
            self.decisions[rows] += 1
            running = batch.games["asked"][rows] != state.OVER
            if not running.all():
                ended = rows[~running]
                rows = rows[running]
                yield from self._results(ended)

    def _results(self, rows: np.ndarray) -> Iterator[GameResult]:
        batch = self.batch
        ranks = batch.ranks()[rows] if len(rows) else ()
        for row, places in zip(rows.tolist(), ranks):
            game = batch.games[row]
            reason = state.REASONS[game["reason"]] or "truncated"
            yield GameResult(
                number=self.numbers[row],
                seed=self.seeds[row],
                agents=tuple(self.labels[agent] for agent in self.who[row]),
                reason=reason,
                turns=int(game["turns"]),
                decisions=int(self.decisions[row]),
                scores=batch.final_scores[row].copy(),
                ranks=places.copy(),
                actions=self._actions_of(row),
            )

    def _actions_of(self, row: int) -> np.ndarray | None:
        if self.kept is None:
            return None
        return np.array([actions[np.searchsorted(rows, row)] for rows, actions in self.kept[: self.decisions[row]]], np.int16)


def _named(specs: Sequence[str | Agent]) -> dict[str, str | Agent]:
    """Distinct agents by distinct names."""
    named: dict[str, str | Agent] = {}
    for spec in specs:
        if any(one is spec or (isinstance(spec, str) and one == spec) for one in named.values()):
            continue
        name = spec if isinstance(spec, str) else name_of(spec)
        number, unique = 1, name
        while unique in named:
            number += 1
            unique = f"{name} ({number})"
        named[unique] = spec
    return named


def _made(spec: str | Agent, ruleset: Ruleset, seed: int, name: str) -> Agent:
    return make_agent(spec, ruleset, seed) if isinstance(spec, str) else checked_agent(spec)


def _warm_up(agents: list[Agent], ruleset: Ruleset) -> None:
    """One decision each, so that loading compiled code does not count as playing."""
    games = HansaBatch(1, ruleset).games
    for index in range(len(agents)):
        ask_agents(agents, np.array([index]), ruleset, games)
