"""How many puzzles an agent solves: it is asked once at each, and has to take one of the answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hansa_agents.benchmark.cells import Share
from hansa_agents.entrants import Entrant
from hansa_agents.intervals import interval
from hansa_agents.puzzles.puzzle_file import KINDS, Puzzle
from hansa_agents.puzzles.settings import SETTINGS
from hansa_env.formats.notation import decision_text
from hansa_env.play.agents import ask_agents
from hansa_env.play.errors import AgentError

#: Positions that are asked about in one call, between two looks at the progress.
PART = 16
ALL = "all"


@dataclass(frozen=True)
class Score:
    """What an agent solved.

    Attributes:
        name: of the agent.
        solved: (N,) bool, by puzzle it was asked.
        kinds: of these puzzles; chances: (N,) the share of their legal decisions that are answers.
        left_out: settings that the agent does not play, with what it said.
    """

    name: str
    solved: np.ndarray
    kinds: tuple[str, ...]
    chances: np.ndarray
    left_out: dict[str, str]

    def count(self, kind: str) -> int:
        """How many puzzles of a kind, or of ALL, it was asked."""
        return int(self._of(kind).sum())

    def share(self, kind: str) -> Share | None:
        """The share of a kind, or of ALL, that it solved; None where it was asked none."""
        solved = self.solved[self._of(kind)]
        return Share(float(solved.mean()), *interval(solved.astype(float), np.ones(len(solved)))) if len(solved) else None

    def chance(self, kind: str) -> float:
        """The share that would be solved by taking any legal decision; 0 where it was asked none."""
        chances = self.chances[self._of(kind)]
        return float(chances.mean()) if len(chances) else 0.0

    def as_data(self) -> dict[str, Any]:
        """As JSON data."""
        shares = {kind: self.share(kind) for kind in (*KINDS, ALL)}
        return {
            "agent": self.name, "left_out": self.left_out,
            **{kind: None if one is None else {**one._asdict(), "puzzles": self.count(kind), "chance": self.chance(kind)}
               for kind, one in shares.items()},
        }  # fmt: skip

    def _of(self, kind: str) -> np.ndarray:
        return np.array([kind in (ALL, one) for one in self.kinds], bool)


def score(entrant: Entrant, puzzles: Sequence[Puzzle], on_asked: Callable[[int], object] = lambda asked: None) -> Score:
    """Ask an agent at puzzles.

    Args:
        entrant: the agent; settings that it cannot be made for are left out.
        on_asked: called with how many puzzles are done with.

    Raises:
        AgentError: it cannot be made for any setting. AgentFault: it failed.
    """
    asked: list[Puzzle] = []
    solved: list[bool] = []
    left_out: dict[str, str] = {}
    done = 0
    for setting in SETTINGS:
        some = [one for one in puzzles if one.line.setting == setting]
        if not some:
            continue
        try:
            agent = entrant.make(some[0].ruleset)
        except AgentError as error:
            left_out[setting] = str(error)
            done += len(some)
            continue
        for first in range(0, len(some), PART):
            part = some[first : first + PART]
            games = np.concatenate([one.game for one in part])
            actions = ask_agents([agent], np.zeros(len(part), np.int64), part[0].ruleset, games)
            for one, action in zip(part, actions.tolist()):
                solved.append(decision_text(one.ruleset, one.game[0], action) in one.answers)
            asked += part
            done += len(part)
            on_asked(done)
    if not asked and left_out:
        raise AgentError(next(iter(left_out.values())))
    chances = np.array([len(one.answers) / len(one.legal) for one in asked])
    return Score(entrant.name, np.array(solved, bool), tuple(one.line.kind for one in asked), chances, left_out)
