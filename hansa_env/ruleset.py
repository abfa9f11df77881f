"""Which game is played: number of players, edition, two-player variant and board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hansa_env.boards import Board, board_names, load_board

EDITIONS = ("first", "second", "fourth")
VARIANTS = ("pawn", "neutral")
MARKER_KINDS = ("extra-office", "exchange", "remove-three", "upgrade", "+3", "+4")
#: R1.6, start markers included, in the order of MARKER_KINDS.
MARKER_COUNTS = {"first": (5, 2, 2, 3, 2, 2), "second": (4, 2, 2, 3, 2, 2), "fourth": (4, 3, 2, 3, 2, 2)}
#: The boards of the Hanseatic League, on which any number may play (R1.4).
BASE_BOARDS = ("base-2-3", "base-4-5")
DEFAULT_VARIANT = {"first": "pawn", "second": "neutral", "fourth": "neutral"}


class RulesetError(ValueError):
    """A ruleset was asked for that does not exist."""


@dataclass(frozen=True)
class Ruleset:
    """One way to play Hansa Teutonica; validated, hashable, every default filled in.

    Args:
        players: 2 to 5.
        edition: "first", "second" or "fourth": marker counts (R1.6), ties (R7.9), default two-player variant (R8).
        two_players: "pawn" or "neutral"; only with 2 players, by default the edition's.
        board: "base-2-3" or "base-4-5", by default the one printed for that number of players (R1.4); "east" for 3 to 5 (R9).

    Raises:
        RulesetError: naming the argument, what was given and what was expected.
    """

    players: int = 4
    edition: str = "fourth"
    two_players: str | None = None
    board: str | None = None

    def __post_init__(self) -> None:
        if isinstance(self.players, bool) or not isinstance(self.players, int) or not 2 <= self.players <= 5:
            raise RulesetError(f"players is {self.players!r}; expected a whole number from 2 to 5")
        if self.edition not in EDITIONS:
            raise RulesetError(f"unknown edition {self.edition!r}; expected one of {', '.join(EDITIONS)}")
        self._settle_board()
        self._settle_variant()

    @classmethod
    def of(cls, ruleset: Ruleset | None, options: Mapping[str, Any]) -> Ruleset:
        """A ruleset given as such, or by its arguments as keywords: what every interface takes.

        Raises:
            RulesetError: both are given, or a keyword is no argument of a ruleset.
        """
        unknown = [name for name in options if name not in cls.__dataclass_fields__]
        if unknown:
            known = ", ".join(cls.__dataclass_fields__)
            raise RulesetError(f"unknown argument {unknown[0]!r}; a ruleset has {known}")
        if ruleset is not None and options:
            raise RulesetError(f"ruleset and {next(iter(options))} were given; expected one or the other")
        return cls(**options) if ruleset is None else ruleset

    def __str__(self) -> str:
        variant = f", {self.two_players}" if self.two_players else ""
        return f"{self.players} players, {self.edition} edition, board {self.board}{variant}"

    def _settle_board(self) -> None:
        if self.board is None:
            object.__setattr__(self, "board", "base-2-3" if self.players <= 3 else "base-4-5")
        if self.board not in board_names():
            raise RulesetError(f"unknown board {self.board!r}; expected one of {', '.join(board_names())}")
        fewest, most = (2, 5) if self.board in BASE_BOARDS else self.board_data.players
        if not fewest <= self.players <= most:
            raise RulesetError(f"players is {self.players}; the board {self.board} is for {fewest} to {most}")

    def _settle_variant(self) -> None:
        if self.players != 2:
            if self.two_players is not None:
                raise RulesetError(f"two_players is {self.two_players!r} with {self.players} players; expected None")
            return
        if self.two_players is None:
            object.__setattr__(self, "two_players", DEFAULT_VARIANT[self.edition])
        if self.two_players not in VARIANTS:
            raise RulesetError(f"unknown two-player variant {self.two_players!r}; expected one of {', '.join(VARIANTS)}")
        if self.two_players == "pawn" and not self.board_data.provinces:
            raise RulesetError(f"the pawn variant needs a board with provinces; {self.board} has none")

    @property
    def base_game(self) -> bool:
        """Whether it is the base game, on one of its boards and without modules."""
        return self.board in BASE_BOARDS

    @property
    def board_data(self) -> Board:
        """The board's cities, routes and provinces."""
        return load_board(self.board)

    @property
    def marker_counts(self) -> tuple[int, ...]:
        """Bonus markers of each kind in the order of MARKER_KINDS, start markers included (R1.6)."""
        return MARKER_COUNTS[self.edition]
