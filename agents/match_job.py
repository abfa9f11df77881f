"""Games of a match played side by side."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from hansa_agents.agent_processes import AgentDied, OwnProcess, SameProcess, Seating
from hansa_agents.entrants import Entrant
from hansa_agents.game_result import FORFEIT, Forfeit, GameResult, forfeited_ranks
from hansa_agents.match_options import KEEP_NOTHING, RAISE_FAULTS, Faults, Keep
from hansa_agents.schedule import Schedule, is_spread
from hansa_env import Agent, HansaBatch, Ruleset
from hansa_env.engine.kernels import NO_ACTION
from hansa_env.engine.results import end_reason, ranks_of, scores_of
from hansa_env.play.agents import ask_agents, name_of
from hansa_env.play.errors import AgentError, AgentFault, OutOfTime
from hansa_env.play.loop import play_on
from hansa_env.version import __version__


class Played(NamedTuple):
    """A game that has ended, and its record as the bytes of its file, where the match wants that."""

    result: GameResult
    record: bytes | None


@dataclass(frozen=True)
class Job:
    """What is needed to play any game of a match, in any process on any machine.

    Attributes:
        ruleset: the game that is played.
        schedule: who plays which.
        entrants: the agents.
        max_turns: turns per seat after which a game is truncated; None = never.
        faults: what happens when an agent fails; limited: places of those whose time is, None = of all.
        keep: what is kept of games.
        never_began: places of agents that have been waited for in vain, as of `Seating`.
    """

    ruleset: Ruleset
    schedule: Schedule
    entrants: tuple[Entrant, ...]
    max_turns: int | None
    faults: Faults = RAISE_FAULTS
    keep: Keep = KEEP_NOTHING
    limited: frozenset[int] | None = None
    never_began: frozenset[int] = frozenset()

    def seating(self) -> Seating:
        """Where the agents live that play games: in a process of their own where their time is limited, or where one that does
        not come with this project may forfeit. Raises MatchError: one cannot be sent there."""
        ours = all(entrant.is_of_this_project for entrant in self.entrants)
        if self.faults.timeout is None and (ours or not self.faults.forfeits):
            return SameProcess(self.ruleset, self.entrants)
        return OwnProcess(self.ruleset, self.entrants, self.seconds, self.never_began)

    @cached_property
    def seconds(self) -> tuple[float | None, ...]:
        """What each agent may take for a decision, None = as long as it likes."""
        limited = range(len(self.entrants)) if self.limited is None else self.limited
        return tuple(self.faults.timeout if place in limited else None for place in range(len(self.entrants)))

    def keeps_actions(self, number: int) -> bool:
        """Whether the result of a game has its actions."""
        return is_spread(self.schedule.deal(number), float(self.keep.actions))

    def said_of_match(self) -> dict[str, Any]:
        """What makes a match another one, as JSON can say it: anything by which a game of a number would be another game."""
        return {
            "version": __version__, "ruleset": self.ruleset.config, "max_turns": self.max_turns, "seed": self.schedule.seed,
            "agents": [one.name for one in self.entrants], "specs": [one.spec for one in self.entrants],
            "models": [one.model for one in self.entrants],
            "line-ups by their hash": hashlib.sha256(json.dumps(self.schedule.line_ups).encode()).hexdigest()[:12],
            **({"one table a deal": True} if self.schedule.one_table else {}),
        }  # fmt: skip

    def said_of_game(self, number: int) -> dict[str, Any]:
        """What the record of a game of this match says of it, whatever its course."""
        agents = [self.entrants[place].name for place in self.schedule.seats(number)]
        return {**json.loads(json.dumps(self.ruleset.config)), "seed": self.schedule.seed_of(number), "agents": agents}

    def play(self, numbers: Sequence[int], seating: Seating) -> Iterator[Played]:
        """Play games by number, side by side, with agents made anew; yields each as it ends.

        Raises:
            AgentError: an agent cannot be made. AgentFault: one failed, and does not forfeit.
        """
        agents = seating.make()
        for entrant, agent in zip(self.entrants, agents):
            if entrant.model != entrant.model_of(agent):
                why = "its file was changed meanwhile, or its weights are drawn without its seed"
                raise AgentError(f"{entrant.name}, made anew for further games, has another model: {why}; begin anew")
        records = self.keep.records
        for result in _Games(self, agents, numbers).play():
            record = None
            if records is not None and records.wants(self.schedule.deal(result.number)):
                sitting = [agents[place] for place in self.schedule.seats(result.number)]
                record = records.record_bytes(result, self.ruleset, self.max_turns, sitting, self.faults.forfeits)
            yield Played(result if self.keeps_actions(result.number) else replace(result, actions=None), record)


class _Games:
    def __init__(self, job: Job, agents: list[Agent], numbers: Sequence[int]) -> None:
        self.job, self.agents, self.numbers = job, agents, list(numbers)
        self.who = np.array([job.schedule.seats(number) for number in numbers])
        seeds = job.schedule.seeds(numbers).tolist()
        self.batch = HansaBatch(len(seeds), job.ruleset, seeds=seeds, max_turns=job.max_turns)
        self.seeds = seeds
        self.decisions = np.zeros(self.who.shape, np.int64)
        self.seconds = np.zeros(self.who.shape)
        keeps = job.keep.actions > 0 or job.keep.records is not None
        self.kept: list[tuple[np.ndarray, np.ndarray]] | None = [] if keeps else None
        self.forfeits: dict[int, Forfeit] = {}

    def play(self) -> Iterator[GameResult]:
        batch = self.batch
        forfeited = np.zeros(batch.num_games, np.bool_)
        for rows in play_on(batch, self._ask, lambda: np.flatnonzero(~(batch.ended | forfeited))):
            forfeited[list(self.forfeits)] = True
            ended = rows[(batch.ended | forfeited)[rows]]
            if ended.size:
                yield from self._results(ended)

    def _ask(self, rows: np.ndarray) -> np.ndarray:
        """The decisions in rows, NO_ACTION where a game is forfeited instead."""
        deciding = self.who[rows, self.batch.seat[rows]]
        actions = np.full(len(rows), NO_ACTION, np.int64)
        for agent in np.unique(deciding):
            asked = np.flatnonzero(deciding == agent)
            actions[asked] = self._answered(int(agent), rows[asked])
        played = actions != NO_ACTION
        if self.kept is not None:
            self.kept.append((rows[played], actions[played].astype(np.int16)))
        self.decisions[rows[played], self.batch.seat[rows[played]]] += 1
        return actions

    def _answered(self, agent: int, rows: np.ndarray, again: bool = True) -> np.ndarray:
        """The decisions of one agent in rows; a game is forfeited only by what happens when it is asked about alone.

        Who fails is sought by halves, and one by one where a failure costs its process. If that ended while it was asked about
        a single game, it is asked `again`: somebody else may have ended it. If its time is limited, it is never asked about
        several games: then who forfeits would depend on which ones are played side by side.
        """
        if len(rows) > 1 and self.job.seconds[agent] is not None:
            return np.concatenate([self._answered(agent, row) for row in rows[:, None]])
        try:
            return self._ask_one(agent, rows)
        except AgentFault as fault:
            if not self.job.faults.forfeits:
                raise
            died = isinstance(fault.__cause__, AgentDied)
            if len(rows) == 1 and not (died and again):
                self._forfeit(int(rows[0]), fault)
                return np.array([NO_ACTION])
        parts = np.array_split(rows, len(rows) if died else 2)
        return np.concatenate([self._answered(agent, part, again and not died) for part in parts])

    def _ask_one(self, agent: int, rows: np.ndarray) -> np.ndarray:
        spent = np.zeros(1)
        games = self.batch.games.take(rows)
        limit = self.job.faults.timeout
        try:
            actions = ask_agents([self.agents[agent]], np.zeros(len(rows), np.int64), self.job.ruleset, games, spent)
        except OutOfTime as late:
            reason = f"took longer than {limit:g} s a decision"
            raise AgentFault(agent, name_of(self.agents[agent]), None, reason) from late
        self.seconds[rows, self.batch.seat[rows]] += spent[0] / len(rows)
        return actions

    def _forfeit(self, row: int, fault: AgentFault) -> None:
        seat = int(self.batch.seat[row])
        self.forfeits[row] = Forfeit(self.job.entrants[self.who[row, seat]].name, seat, " ".join(fault.reason.split()))

    def _results(self, rows: np.ndarray) -> Iterator[GameResult]:
        games = self.batch.games.take(rows)
        scores = scores_of(self.job.ruleset, games)
        ranks = ranks_of(self.job.ruleset, games, scores)
        for place, row in enumerate(rows.tolist()):
            forfeit = self.forfeits.get(row)
            if forfeit is None:
                reason, places = end_reason(games[place]), ranks[place]
                assert reason is not None, "a game that nobody forfeits is played to an end"
            else:
                reason, places = FORFEIT, forfeited_ranks(self.who[row] == self.who[row, forfeit.seat])
            sitting = [self.job.entrants[agent] for agent in self.who[row]]
            yield GameResult(
                number=self.numbers[row],
                seed=self.seeds[row],
                agents=tuple(entrant.name for entrant in sitting),
                specs=tuple(entrant.spec for entrant in sitting),
                reason=reason,
                turns=int(games["turns"][place]),
                decisions=tuple(self.decisions[row].tolist()),
                seconds=tuple(self.seconds[row].tolist()),
                scores=scores[place].copy(),
                ranks=places.copy(),
                forfeit=forfeit,
                actions=self._actions_of(row),
                models=tuple(entrant.model for entrant in sitting),
                version=__version__,
            )

    def _actions_of(self, row: int) -> np.ndarray | None:
        if self.kept is None:
            return None
        count = int(self.decisions[row].sum())
        return np.array([actions[np.searchsorted(rows, row)] for rows, actions in self.kept[:count]], np.int16)
