"""Positions whose best decisions are known, as puzzles.

Packages make theirs known as entry points of the group `hansa_env.puzzles`: functions without arguments that return a
sequence of `KnownPosition`, everything in them checked.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property

from hansa_env.installed import offered
from hansa_env.ruleset import Ruleset

GROUP = "hansa_env.puzzles"


class NoPuzzles(ValueError):
    """The positions of a package cannot be had; says of which, and why."""


@dataclass(frozen=True)
class KnownPosition:
    """A position and what is right there.

    Attributes:
        kind: what sort of puzzle it is, one word.
        ruleset: of the game.
        position: as JSON data (`hansa-position/2`); nothing in it is hidden from who decides.
        answers: the best decisions, texts that are legal there, sorted.
        why: how that is known, a sentence or two.
        then: for each answer, the decisions with which the seat goes on to the end of the action; () where nobody looked.
    """

    kind: str
    ruleset: Ruleset
    position: dict
    answers: tuple[str, ...]
    why: str
    then: tuple[tuple[str, ...], ...] = ()

    @cached_property
    def name(self) -> str:
        """A name that stays the same wherever the position stands among others."""
        known = json.dumps([str(self.ruleset), self.position], sort_keys=True)
        return hashlib.sha256(known.encode()).hexdigest()[:16]


def known_positions() -> list[KnownPosition]:
    """Those of all packages that are installed; takes seconds. Raises NoPuzzles."""
    return offered(GROUP, "puzzles", NoPuzzles)
