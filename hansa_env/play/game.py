"""`Game`: one game, readable, for people and tests."""

from __future__ import annotations

from copy import deepcopy
from typing import Final, Literal

import numpy as np

from hansa_env.engine import kernels, state
from hansa_env.engine.tables import tables_of
from hansa_env.formats.errors import RecordError
from hansa_env.formats.moves import Move
from hansa_env.formats.setup import deal_missions_anew, games_from_setups, missions_of, pile_of, setup_of
from hansa_env.play.arguments import MAX_TURNS, checked_max_turns, checked_records, checked_seed, whole
from hansa_env.play.batch import HansaBatch
from hansa_env.play.recorded_game import RecordedGame
from hansa_env.play.result import check_limit, check_result, cut_off_after
from hansa_env.render.followed import with_what_followed
from hansa_env.render.scene import scene_of
from hansa_env.render.scene_parts import Scene
from hansa_env.render.svg import draw
from hansa_env.render.text import render_text
from hansa_env.ruleset import Ruleset

RECORDED: Final = "recorded"  # the turn limit that a record names


class Game(RecordedGame):
    """One game of Hansa Teutonica, played in the decisions of `rulebook/notation.md`.

    Args:
        ruleset: the game that is played.
        seed: of the tavern markers and the pile, 0 .. 2**64 - 1; by default 0.
        setup: the `setup` object of a record; then the markers lie as it says, and `seed` is what the record says: by default
            unknown. Agents then draw by what everybody sees at the beginning.
        max_turns: turns per seat after which the game is cut off and scored as it stands; None = never.

    Attributes: those of `RecordedGame`.

    Raises:
        ValueError: the seed or the turn limit is invalid. RecordError: the setup does not fit the ruleset.
    """

    def __init__(
        self, ruleset: Ruleset, seed: int | None = None, setup: dict | None = None, max_turns: int | None = MAX_TURNS
    ) -> None:
        ruleset, turns = Ruleset.checked(ruleset), checked_max_turns(max_turns)
        if seed is not None or setup is None:
            seed = checked_seed(0 if seed is None else seed)
        if setup is None:
            games, tables = state.new_games(1), tables_of(ruleset)
            kernels.deal_games(games, tables, np.array([seed], np.uint64), 0, 0, 1)
            kernels.begin_games(games, tables, 0, 1)
        else:
            from hansa_env.formats.read import checked_setup  # takes half a second to import

            games = games_from_setups(ruleset, [checked_setup(ruleset, setup)], [seed])
        games["turn_limit"] = (turns or 0) * ruleset.players
        self._hold(ruleset, games)
        self.seed, self.setup = seed, setup_of(ruleset, games[0])

    def positions(self) -> np.ndarray:
        """The game as it stood before each of its decisions, and as it stands.

        Returns:
            game records (N,), one more than decisions.

        Raises:
            RecordError: the game began from a position.
        """
        records, game = state.new_games(len(self._moves) + 1), self.rewound(0)
        for number, move in enumerate(self._moves):
            records[number] = game.state
            game.play(move.text)
        records[-1] = self.state
        return records

    def told_moves(self) -> list[Move]:
        """Every decision so far as `moves` has it, with what followed it by itself (`hansa_env.render.followed`).

        Raises RecordError: the game began from a position.
        """
        return with_what_followed(self.ruleset, self._moves, self.positions())

    def rewound(self, decisions: int) -> Game:
        """The game as it stood after so many decisions, with the noise that it has now: agents asked again draw what they drew.

        Raises RecordError where `record` would, ValueError where there are not so many.
        """
        if not self.has_beginning:
            raise RecordError("a game that began from a position cannot be rewound")
        count = whole(decisions)
        if count is None or not 0 <= count <= len(self._moves):
            raise ValueError(f"decisions is {decisions!r:.60}; expected a whole number from 0 to {len(self._moves)}")
        game = Game(self.ruleset, self.seed, self.setup, self.max_turns)
        game.state["noise"] = self.state["noise"]
        for move in self._moves[:count]:
            game.play(move.text)
        game.agents, game.estimated_by = _own(self.agents), _own(self.estimated_by)
        game.estimates = {number: one for number, one in self.estimates.items() if number < len(game._moves)}
        if self.luck is not None:
            game.luck = self.luck | {"draws": [draw for draw in self.luck["draws"] if draw["after"] <= len(game._moves)]}
        return game

    def copy(self, reshuffle: int | None = None, own_card: bool = True, viewer: int | None = None) -> Game:
        """An independent copy; with a number, what who decides has not seen is dealt anew by it (for planners): the hidden
        markers and the others' mission cards, with `own_card=False` also his own; then a seat `viewer` keeps its card.

        A reshuffled copy knows neither the seed nor the pile, so its record carries what it was dealt itself. Its noise is the
        number's, which a record does not say: in a game that is read from it, agents draw otherwise. The objects in
        `setup`, `estimates` and `luck` are the same: give a copy new ones rather than change them, or make it by `deepcopy`.

        Raises ValueError for a number that is no seed, or a viewer that is no seat.
        """
        if viewer is not None and whole(viewer) not in range(self.ruleset.players):
            raise ValueError(f"viewer is {viewer!r:.60}; expected a seat, 0 to {self.ruleset.players - 1}, or None")
        other = Game.__new__(Game)
        other.__dict__.update(self.__dict__)
        other._games, other._made = copy_of(self._games[0]), None
        other._moves = self._moves[:]
        other.estimates = dict(self.estimates)
        other.agents, other.estimated_by = _own(self.agents), _own(self.estimated_by)
        if reshuffle is not None:
            other.seed = None
            kernels.reshuffle_games(other._games, tables_of(self.ruleset), np.uint64(checked_seed(reshuffle)), 0, 1)
            if self.ruleset.missions and not own_card and not self.over:
                other.state["missions"] = self.state["missions"]  # as they were before all but his were dealt
                deal_missions_anew(self.ruleset, other.state, np.random.default_rng(reshuffle), viewer)
            if self.has_beginning:
                hidden = pile_of(self.ruleset, other.state)
                other.setup = self.setup | {"pile": [new or old for new, old in zip(hidden, self.setup["pile"])]}
                if self.ruleset.missions:
                    other.setup["missions"] = missions_of(self.ruleset, other.state)
        return other

    def __str__(self) -> str:
        """The position as text, with the last decisions."""
        return render_text(self.ruleset, self.state, [(move.seat, move.text) for move in self._moves[-6:]])

    def scene(self, last: int = 14) -> Scene:
        """Everything that a picture of the position shows, with so many of the last decisions; see `hansa_env.render.scene`.
        Raises ValueError where `last` is no whole number of at least 0."""
        count = whole(last)
        if count is None or count < 0:
            raise ValueError(f"last is {last!r:.60}; expected how many decisions, a whole number of at least 0")
        shown = [(move.seat, move.text, move.asked) for move in self._moves[-count:]] if count else []
        return scene_of(self.ruleset, self.state, shown, self.names)

    def svg(self, width: int = 1200, theme: str = "light") -> str:
        """The position as an SVG document, "light" or "dark"; see `hansa_env.render.svg`."""
        return draw(self.scene(), width, theme)

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return self.svg(width=900)

    def __repr__(self) -> str:
        asked = "over" if self.over else f"seat {self.seat} is asked {self.asked!r}"
        return f"<Game {self.ruleset}: {len(self._moves)} decisions, {asked}>"

    def __copy__(self) -> Game:
        return self.copy()

    def __deepcopy__(self, memo: dict) -> Game:
        other = self.copy()
        other.setup, other.estimates, other.luck = deepcopy((self.setup, self.estimates, self.luck), memo)
        return other

    @classmethod
    def from_position(
        cls, position: dict | str, seed: int = 0, composed: bool = True, max_turns: int | None = None
    ) -> Game:  # fmt: skip
        """A game that goes on from a position.

        Args:
            position: JSON text or the object that it says.
            seed: hidden markers are dealt from it, see `read_position`.
            composed: positions that are consistent but that no game can reach are accepted too.
            max_turns: as of `Game`, but by default None, since a position names no limit. Its `turns` count; where they are as
                many already, the turn under way is the last.

        Raises:
            PositionError: naming the field that is missing or impossible. ValueError: the seed or the turn limit is invalid.
        """
        from hansa_env.formats.read_position import read_position

        turns = checked_max_turns(max_turns)
        ruleset, games = read_position(position, checked_seed(seed), composed)
        games["turn_limit"] = (turns or 0) * ruleset.players
        return cls.from_state(ruleset, games[0])

    @classmethod
    def from_state(cls, ruleset: Ruleset, record: np.void) -> Game:
        """A game that goes on from a copy of a game record of that ruleset, with the turn limit that this has.

        Raises ValueError for what is no record, or several. That it is of the ruleset, whoever gives it answers for.
        """
        game = cls.__new__(cls)
        game._hold(Ruleset.checked(ruleset), copy_of(checked_records(record, 1).reshape(-1)[0]))
        game.has_beginning = False
        return game

    @classmethod
    def from_batch(cls, batch: HansaBatch, i: int) -> Game:
        """Game i of a batch as a game of its own, which goes on from here and has no record.

        Raises IndexError: there is no such game. TypeError: i is no whole number, or the batch is something else.
        """
        batch, number = _checked_batch(batch), whole(i)
        if number is None:
            raise TypeError(f"i is {i!r:.60}; expected a whole number from 0 to {batch.num_games - 1}")
        if not 0 <= number < batch.num_games:
            raise IndexError(f"there is no game {number}; expected 0 to {batch.num_games - 1}")
        return cls.from_state(batch.ruleset, batch.games[number])

    @classmethod
    def from_record(cls, data: dict | str, max_turns: int | Literal["recorded"] | None = RECORDED) -> Game:
        """Replay a record, JSON text or the object it says.

        Args:
            data: the record.
            max_turns: as of `Game`, but by default that of the record. Where it names none, there is none, but a record that
                has scores and winners and no reason was cut off where it ends, and is over. With a higher limit, or None, such
                a game goes on.

        Raises:
            RecordError: the record is incomplete, of another version, or has a decision that is not legal (named with its
                place), or its result or turn limit is not what the game comes to. ValueError: the turn limit is invalid.
        """
        from hansa_env.formats.read import read_record_data

        is_given = max_turns != RECORDED
        given = checked_max_turns(max_turns) if is_given else None
        ruleset, record = read_record_data(data)

        def replayed(turns: int | None) -> Game:
            game = cls(ruleset, record.seed, record.setup.model_dump(exclude_unset=True), turns)
            game._take_up(record)
            return game

        game = replayed(record.max_turns or given)
        limit = cut_off_after(record, ruleset.players, game.state, game.turns_begun)
        if limit and not is_given:
            game = replayed(limit // ruleset.players)
        check_result(record.result, game.reason, game.scores(), game.winners())
        check_limit(record, game.state)
        return replayed(given) if is_given and given != game.max_turns else game


def _own(names: list | None) -> list | None:
    """The same names in a list of its own."""
    return None if names is None else [*names]


def _checked_batch(given: object) -> HansaBatch:
    """The batch. Raises TypeError where it is something else, such as learners, who have one."""
    if not isinstance(given, HansaBatch):
        own = "its attribute batch" if isinstance(getattr(given, "batch", None), HansaBatch) else "a HansaBatch"
        raise TypeError(f"batch is a {type(given).__name__}; expected {own}")
    return given


def copy_of(record: np.void) -> np.ndarray:
    """A game record as an array (1,) of its own."""
    games = np.zeros(1, state.GAME)
    games[0] = record
    return games
