"""Which game is played: number of players, edition, two-player variant and board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hansa_env.boards import Board, board_names, load_board

#: How many may play.
PLAYERS = (2, 3, 4, 5)
BASE_EDITIONS = ("first", "second", "fourth")
EDITIONS = (*BASE_EDITIONS, "bigbox")
VARIANTS = ("pawn", "neutral")
#: Bonus markers: those of the base game, that of the Big Box, and the promo markers, of which there are two each (R13.4).
MARKER_KINDS = (
    "extra-office", "exchange", "remove-three", "upgrade", "+3", "+4", "move-three", "trade-in", "tribute", "block",
)  # fmt: skip
PROMO_KINDS = MARKER_KINDS[7:]
#: R13.8: of these, those that are laid above routes.
TOKEN_KINDS = ("tribute", "block")
PROMOS_OF_A_KIND = 2
#: R1.6, R13.1, start markers included, in the order of MARKER_KINDS.
MARKER_COUNTS = {
    "first": (5, 2, 2, 3, 2, 2),
    "second": (4, 2, 2, 3, 2, 2),
    "fourth": (4, 3, 2, 3, 2, 2),
    "bigbox": (4, 3, 0, 2, 2, 2, 2),
}
#: R1.5: on the taverns at the start; in the edition `bigbox` move-three instead of remove-three.
START_MARKERS = ("extra-office", "exchange", "remove-three")
#: The boards of the Hanseatic League, on which any number may play (R1.4).
BASE_BOARDS = ("base-2-3", "base-4-5")
DEFAULT_VARIANT = {"first": "pawn", "second": "neutral", "fourth": "neutral"}
#: R12.4.
FAVOURS = ("anywhere", "action", "tithe", "escort", "cities", "abilities")
PROMOS = "promos"
ANY_BOARD = "any-board"
#: R11, R12, R13.4.
MODULES = ("missions", "favours", PROMOS)


class RulesetError(ValueError):
    """A ruleset was asked for that does not exist."""


class UnknownArgument(RulesetError, TypeError):
    """A keyword that neither an interface nor a ruleset knows; a TypeError too, as libraries expect that try one of theirs."""


def _option(default: Any, title: str, choices: tuple[Any, ...] = (), *, tip: str, **more: Any) -> Any:
    """A field of `Ruleset` that commands, plans, the table's page and schemas offer, see `hansa_env.ruleset_options`."""
    return field(default=default, metadata={"title": title, "choices": choices, "tip": tip, **more})


def players_on(board: str) -> range:
    """How many may play on a board. Those of the base game are meant for some, and may be played by any number."""
    fewest, most = (PLAYERS[0], PLAYERS[-1]) if board in BASE_BOARDS else load_board(board).players
    return range(fewest, most + 1)


@dataclass(frozen=True)
class Ruleset:
    """One way to play Hansa Teutonica; validated, hashable, every default filled in.

    `dataclasses.replace` keeps what was filled in, such as the board. For another number of players name what you want anew.

    Args:
        players: seats at the table, 2 to 5.
        edition: how many markers there are, what breaks ties, and the usual variant for two players (R1.6, R7.9, R8). The
            edition "bigbox" is for 3 to 5 players (R13.1).
        two_players: the variant for two players, by default the edition's (R8). A miniature has neither.
        board: by default the one of the base game for that number of players, "base-2-3" or "base-4-5" (R1.4). The board "east"
            is for 3 to 5 (R9), "britannia-2-3" for 3, and "britannia-4-5" for 4 or 5 (R10).
        missions: each player has a hidden mission card (R11). Only the boards of the base game have them.
        favours: the Emperor's Favour tiles are played with (R12). They belong to the boards of the base game, and "any-board"
            allows them on any.
        pile: the face-down markers, if not the edition's own (R13.4). With "promos" the seed draws them from those and the six
            promo markers; or name each one, with commas between.

    Raises:
        RulesetError: naming the argument, what was given and what was expected.
    """

    players: int = _option(4, "Players", PLAYERS, tip="how many sit at the table", letter="p")
    edition: str = _option("fourth", "Edition", EDITIONS, tip="whose rulebook: some markers, ties, and the game for two differ")
    two_players: str | None = _option(
        None, "Two-player variant", VARIANTS, tip="a pawn limits where you may act, or neutral traders stand in the way",
        blank="the edition's",
    )  # fmt: skip
    board: str | None = _option(
        None, "Board", tuple(board_names()), tip="of the base game, or of an expansion", blank="the one for that number"
    )
    missions: bool = _option(
        False, "Missions", tip="everybody has a hidden card of three cities; on the boards of the base game", ticked=True
    )
    favours: bool | str = _option(
        False, "Emperor's Favour", (ANY_BOARD,), tip="tiles with lasting advantages, for two markers and the actions of a turn",
        ticked=ANY_BOARD,
    )  # fmt: skip
    pile: str | tuple[str, ...] | None = _option(
        None, "Promo markers", (PROMOS,), tip="the pile may hold markers of three more kinds: trade-in, tribute and block",
        ticked=PROMOS, expected=f"{PROMOS}, or names of markers with commas between them",
    )  # fmt: skip

    def __post_init__(self) -> None:
        players: object = self.players
        if isinstance(players, np.integer):  # the config is to be plain JSON
            object.__setattr__(self, "players", int(players))
        if isinstance(self.players, bool) or not isinstance(self.players, int) or self.players not in PLAYERS:
            raise RulesetError(f"players is {self.players!r}; expected a whole number from {PLAYERS[0]} to {PLAYERS[-1]}")
        if self.edition not in EDITIONS:
            raise RulesetError(f"unknown edition {self.edition!r}; expected one of {', '.join(EDITIONS)}")
        if self.edition == "bigbox" and self.players == 2:
            raise RulesetError("players is 2; the edition bigbox is for 3 to 5 (R13.1)")
        self._settle_board()
        self._settle_variant()
        self._check_modules()
        self._settle_pile()

    @classmethod
    def of(cls, ruleset: object, options: Mapping[str, Any], beside: Iterable[str] = ()) -> Ruleset:
        """A ruleset given as such, or by its arguments as keywords: what every interface takes.

        Args:
            ruleset: None, a ruleset, or its arguments as a mapping, which is what Gymnasium makes of it when it writes a spec.
            options: keywords that an interface does not know itself.
            beside: the keywords that it knows, for the message.

        Raises:
            RulesetError: both are given. UnknownArgument: a keyword is no argument of a ruleset.
        """
        unknown = [name for name in options if name not in cls.__dataclass_fields__]
        if unknown:
            own = f"{', '.join(beside)}, and of the ruleset " if beside else ""
            known = ", ".join(cls.__dataclass_fields__)
            raise UnknownArgument(f"got an unexpected keyword argument {unknown[0]!r}; expected {own}{known}")
        if isinstance(ruleset, Mapping):
            ruleset = cls.of(None, ruleset)
        if ruleset is not None and options:
            raise RulesetError(f"ruleset and {next(iter(options))} were given; expected one or the other")
        return cls(**options) if ruleset is None else cls.checked(ruleset)

    @classmethod
    def checked(cls, given: object) -> Ruleset:
        """The ruleset. Raises RulesetError where it is something else."""
        if not isinstance(given, cls):
            raise RulesetError(f"ruleset is {given!r:.60}; expected a Ruleset, such as Ruleset(players=3)")
        return given

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> Ruleset:
        """The ruleset that `config` describes; other keys are left alone. Raises RulesetError."""
        return cls(**{name: config[name] for name in cls.__dataclass_fields__ if name in config})

    @property
    def config(self) -> dict[str, Any]:
        """The arguments as records, results and models keep them, in plain JSON; a module only where it is on."""
        pile = list(self.pile) if isinstance(self.pile, tuple) else self.pile
        modules = {"missions": self.missions, "favours": self.favours, "pile": pile}
        config = {"players": self.players, "edition": self.edition, "board": self.board, "two_players": self.two_players}
        return config | {name: value for name, value in modules.items() if value}

    @property
    def options(self) -> dict[str, Any]:
        """The config without what is None: what has to be named to have this ruleset."""
        return {name: value for name, value in self.config.items() if value is not None}

    @property
    def by_option(self) -> str:
        """The options in one line, such as "players 3, edition fourth, board east"."""
        return ", ".join(f"{name} {value}" for name, value in self.options.items())

    def __str__(self) -> str:
        variant = f", {self.two_players}" if self.two_players else ""
        modules = "".join(f", {name}" for name in self.modules if name != PROMOS)
        if self.pile is not None:
            modules += ", promo markers" if self.pile == PROMOS else f", pile of {', '.join(self.pile)}"
        return f"{self.players} players, {self.edition} edition, board {self.board}{variant}{modules}"

    def _settle_board(self) -> None:
        if self.board is None:
            object.__setattr__(self, "board", "base-2-3" if self.players <= 3 else "base-4-5")
        if self.board not in board_names():
            raise RulesetError(f"unknown board {self.board!r}; expected one of {', '.join(board_names())}")
        possible = players_on(self.board)
        if self.players not in possible:
            numbers = str(possible[0]) if len(possible) == 1 else f"{possible[0]} to {possible[-1]}"
            raise RulesetError(f"players is {self.players}; the board {self.board} is for {numbers}")

    def _settle_variant(self) -> None:
        if self.players != 2:
            if self.two_players is not None:
                raise RulesetError(f"two_players is {self.two_players!r} with {self.players} players; expected None")
            return
        if self.board_data.miniature and self.two_players is None:
            return
        by_default = self.two_players is None
        if by_default:
            object.__setattr__(self, "two_players", DEFAULT_VARIANT[self.edition])
        if self.two_players not in VARIANTS:
            raise RulesetError(f"unknown two-player variant {self.two_players!r}; expected one of {', '.join(VARIANTS)}")
        if self.two_players == "pawn" and not self.board_data.provinces:
            given = "'pawn'" + f" (the default of the edition {self.edition})" * by_default
            boards = " or ".join(f"board={name!r}" for name in BASE_BOARDS if load_board(name).provinces)
            raise RulesetError(
                f"two_players is {given}, which needs a board with provinces; {self.board} has none: give "
                f"two_players='neutral', or {boards}"
            )

    def _check_modules(self) -> None:
        if self.board_data.miniature and (self.missions or self.favours or self.pile or self.edition == "bigbox"):
            raise RulesetError(f"the miniature {self.board} is played without modules, and not in the edition bigbox")
        if not isinstance(self.missions, bool):
            raise RulesetError(f"missions is {self.missions!r}; expected True or False")
        if self.missions and self.board not in BASE_BOARDS:
            raise RulesetError(f"missions are for the boards {' and '.join(BASE_BOARDS)} (R11.1); the board is {self.board}")
        if not (isinstance(self.favours, bool) or self.favours == ANY_BOARD):
            raise RulesetError(f"favours is {self.favours!r}; expected True, False or {ANY_BOARD!r}")
        if self.favours is True and self.board not in BASE_BOARDS:
            boards = " and ".join(BASE_BOARDS)
            raise RulesetError(f"favours are for the boards {boards} (R12); on {self.board} ask for favours={ANY_BOARD!r}")
        if self.favours == ANY_BOARD and self.board in BASE_BOARDS:
            object.__setattr__(self, "favours", True)

    def _settle_pile(self) -> None:
        if self.pile is None or self.pile == PROMOS:
            return
        names = self.pile.split(",") if isinstance(self.pile, str) else self.pile
        if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
            raise RulesetError(f"pile is {self.pile!r:.60}; expected None, {PROMOS!r} or a list of names of markers")
        object.__setattr__(self, "pile", tuple(sorted(names, key=_place_of_marker)))
        own, wanted = self._own_pile(), sum(self._own_pile().values())
        if len(self.pile) != wanted:
            raise RulesetError(f"pile has {len(self.pile)} markers; expected {wanted} in the edition {self.edition} (R13.4)")
        for name, count in Counter(self.pile).items():
            most = PROMOS_OF_A_KIND if name in PROMO_KINDS else own[name]
            if count > most:
                raise RulesetError(f"pile has {count} of {name}; expected at most {most} in the edition {self.edition}")
        if Counter(self.pile) == own:
            object.__setattr__(self, "pile", None)

    def _own_pile(self) -> Counter[str]:
        """The markers of the edition without its start markers, or those of a miniature."""
        if self.board_data.scale.pile is not None:
            return Counter(self.board_data.scale.pile)
        return Counter(dict(zip(MARKER_KINDS, MARKER_COUNTS[self.edition]))) - Counter(self.start_markers)

    @property
    def base_game(self) -> bool:
        """Whether it is the base game: on one of its boards or a miniature, in an edition of its own, and without modules."""
        modules = self.missions or self.favours or self.pile
        return (self.board in BASE_BOARDS or self.board_data.miniature) and self.edition != "bigbox" and not modules

    @property
    def modules(self) -> tuple[str, ...]:
        """The modules that are played, of MODULES."""
        return tuple(name for name in MODULES if getattr(self, name))

    @property
    def promos(self) -> bool:
        """Whether promo markers may be in the game (R13.4)."""
        return self.pile == PROMOS or any(kind in PROMO_KINDS for kind in self.pile or ())

    @property
    def removing_marker(self) -> str:
        """The marker that is used by the decision `remove`."""
        return "move-three" if self.edition == "bigbox" else START_MARKERS[-1]

    @property
    def moves_three(self) -> bool:
        """R13.2, R13.3: whether that marker moves pieces of other players instead of removing pieces."""
        return self.removing_marker == "move-three" or bool(self.board_data.regions)

    @property
    def marker_kinds(self) -> tuple[str, ...]:
        """The kinds of markers that the game counts with, a beginning of MARKER_KINDS."""
        return MARKER_KINDS if self.promos else MARKER_KINDS[: len(MARKER_COUNTS[self.edition])]

    @property
    def start_markers(self) -> tuple[str, ...]:
        """R1.5, R13.1: the markers on the taverns at the start."""
        if self.board_data.scale.start_markers is not None:
            return self.board_data.scale.start_markers
        return (*START_MARKERS[:2], "move-three") if self.edition == "bigbox" else START_MARKERS

    @property
    def board_data(self) -> Board:
        """The board's cities, routes and provinces."""
        return load_board(self.board)

    @property
    def marker_counts(self) -> tuple[int, ...]:
        """Markers of each of `marker_kinds`, start markers included (R1.6, R13.1); with pile="promos" of which `pile_size` and
        the start markers are in the game (R13.4), else all."""
        if self.pile == PROMOS:
            counts = self._own_pile() + Counter(dict.fromkeys(PROMO_KINDS, PROMOS_OF_A_KIND))
        else:
            counts = self._own_pile() if self.pile is None else Counter(self.pile)
        counts += Counter(self.start_markers)
        return tuple(counts[kind] for kind in self.marker_kinds)

    @property
    def pile_size(self) -> int:
        """Markers in the face-down pile at the start (R1.6, R13.4)."""
        if self.board_data.miniature:
            return self.board_data.scale.pile_size
        return sum(self._own_pile().values())


def _place_of_marker(name: str) -> int:
    if name not in MARKER_KINDS:
        raise RulesetError(f"pile has an unknown marker {name!r}; expected one of {', '.join(MARKER_KINDS)}")
    return MARKER_KINDS.index(name)
