"""What is told of a question: the columns of a row of `hansa_env.formats.descriptions`, and who may be asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from string import Formatter
from typing import Any, NamedTuple, Protocol

from hansa_env.boards import PERMANENT_MARKERS
from hansa_env.engine.questions import QUESTIONS, Question
from hansa_env.ruleset import Ruleset

#: Whose pieces may be in hand: those of the active player, the same in a move, the displaced piece, or anyone's, which then say
#: whose they are.
OWN, MOVED, DISPLACED, ANYONES = "own", "moved", "displaced", "anyone's"
#: The marker that the ruleset uses by `remove` (R6.4, R13.2).
REMOVING = "removing"


class Part(NamedTuple):
    """A part of the game that asks questions: what a game is said to be without it, and whether a ruleset's has it, where
    `asked_in` of the engine's row does not say so."""

    without: str
    belongs_to: Callable[[Ruleset], bool] = lambda ruleset: True


PAWN = Part("without a pawn", lambda ruleset: ruleset.two_players == "pawn")
NEUTRAL = Part("without neutral traders", lambda ruleset: ruleset.two_players == "neutral")
REMOVES = Part("where pieces are moved instead (R13.3)", lambda ruleset: not ruleset.moves_three)
MOVES = Part("where pieces are removed instead (R6.4)")
FAVOURS, PROMOS = Part("without favours"), Part("without promo markers")


class Situation(Protocol):
    """What tells who may be asked, as `hansa_env.formats.position_on_board.Table` has it, which is made of these rows."""

    position: Any
    action: Any
    seats: range

    def owner_of_tile(self, tile: str) -> int | None:
        """The seat that owns a tile (R12)."""

    def tributes(self, city: str | None) -> list[int]:
        """R13.6: the owners of the tributes for an office in a city, or anywhere, in the order in which they are due."""


def whose_turn(table: Situation) -> list[int | None]:
    """Who is asked, by default: the active player (R2.1)."""
    return [table.position.turn]


def the_second_seat(table: Situation) -> list[int | None]:
    """R8.1.2."""
    return [1]


def owner_of_the_displaced(table: Situation) -> list[int | None]:
    """R4.2; of a neutral trader any other seat."""
    if table.action is None or table.action.victim in (None, "nt"):
        return [seat for seat in table.seats if seat != table.position.turn]
    return [int(table.action.victim[0])]


def owner_of_the_tithe(table: Situation) -> list[int | None]:
    """R12.4."""
    owner = table.owner_of_tile("tithe")
    return [] if owner in (None, table.position.turn) else [owner]


def owner_of_the_tribute(table: Situation) -> list[int | None]:
    """R13.6: whose tribute is due: of the last ones, as many as remain, the first."""
    action = table.action
    if action is None:
        return [*table.tributes(None)]
    due = table.tributes(action.city)
    return [due[-action.remaining]] if 1 <= action.remaining <= len(due) else [*due]


class Way(NamedTuple):
    """The piece that an answer moves: from which element of the picture to which, "" = where the answer leads to; whose and
    what it is."""

    source: str
    target: str = ""
    piece: str = "{seat} {0}"


def filled(pattern: str, words: Sequence[str], about: object) -> str | None:
    """A text of a row with its places filled: {0}, {1} by words, others by attributes; None where one of these is None."""
    named = {name: getattr(about, name) for _, name, _, _ in Formatter().parse(pattern) if name and name.isidentifier()}
    return None if None in named.values() else pattern.format(*words, **named)


@dataclass(frozen=True)
class Description:
    """What is told of a question. Answers are found by their first word; "" stands for any other.

    Phrases have the places {0}, {1}: the words behind the first, as names; {next}: one more than {0}; {text}: the whole answer;
    {piece}: the piece that it names; {removing}: the marker of the ruleset. Elements of the picture have {0}, {1}, {next},
    {text} and {removing}; {seat}: who decides; {route}, {city}, {partner}: of the action under way. An element is named as in
    `hansa_env.render.things`, which also lists the words that find posts by what stands there. Stories, costs and trails have
    the attributes of `Told`, `Price` and `Moved` in `hansa_env.table`.

    Attributes:
        number: as in the row of `engine.questions`.
        task: what a seat is asked to do; {piece} is the first piece in hand.
        phrases: what an answer means, as it goes on from the decisions before; in the order of their buttons.
        words: the word of a decision by kind of thing, where it is not the kind's own.
        context: fields of the action under way that mean something here, beside its verb.
        things: the elements of the picture that an answer leads to, where its first word does not say so by itself.
        task_settled: the same once the displaced piece is on the board again; {addition} is what may or must be put down then.
        task_raised: the same while a piece is in hand that was taken up for want of others; {piece} is that piece.
        story: what led to the question and what an answer is about; a sentence is left out where it names nothing.
        story_settled: the same once the displaced piece is on the board again.
        orders: what the page says for an answer where it is not its phrase as an order.
        labels: what the button of an answer says, by what the page says for it.
        clicks: what is clicked on the board for an answer, where the page says so.
        unlisted: answers without a button, since they are many and easy to find on the board.
        costs: what an answer costs or brings at once.
        does: what the marker that asks it does, in short.
        trails: which piece an answer moves.
        asked_of: who may be asked.
        hand: whose pieces may be in hand, "" = there are none.
        marker: the bonus marker or permanent marker in use, or REMOVING.
        goes_on: an answer goes on in the sentence of the decision before.
        staged: answers are offered together with the decision that begins the action, behind this text; None = they are not.
        ends: an answer finishes a piece of the action; one more of the same may follow.
        between_turns: it is asked before the first turn or at the end of one, where no action follows.
        last_resort: it is asked instead of the row before when the seat has no piece left beside those on the board.
        part: the part of the game that asks it, where that is neither what all games have nor the permanent marker in use.
    """

    number: int
    task: str
    phrases: dict[str, str] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)
    context: tuple[str, ...] = ()
    things: dict[str, tuple[str, ...]] = field(default_factory=dict)
    task_settled: str = ""
    task_raised: str = ""
    story: tuple[str, ...] = ()
    story_settled: tuple[str, ...] = ()
    orders: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    clicks: dict[str, str] = field(default_factory=dict)
    unlisted: tuple[str, ...] = ()
    costs: dict[str, str] = field(default_factory=dict)
    does: str = ""
    trails: dict[str, Way] = field(default_factory=dict)
    asked_of: Callable[[Situation], list[int | None]] = whose_turn
    hand: str = ""
    marker: str | None = None
    goes_on: bool = False
    staged: str | None = None
    ends: bool = False
    between_turns: bool = False
    last_resort: bool = False
    part: Part | None = None

    @property
    def question(self) -> Question:
        """The engine's row."""
        return QUESTIONS[self.number]

    @property
    def name(self) -> str:
        """Its name in positions."""
        return self.question.name

    @property
    def verb(self) -> str | None:
        """The verb of the action under way, None between actions."""
        return self.question.action

    def fields_of_countries(self, lifted: bool) -> tuple[str, ...]:
        """R10: the fields that say where pieces were lifted, on boards with regions; `lifted`: one stands for want of others in
        hand once the displaced piece is settled (R10.11)."""
        if self.hand == MOVED:
            return ("foreign",)
        return ("from",) if self.hand == ANYONES or (self.hand == DISPLACED and lifted) else ()

    def asked_in(self, ruleset: Ruleset) -> bool:
        """Whether a ruleset's game may ask it."""
        return self.question.asked_in(ruleset) and (self.part is None or self.part.belongs_to(ruleset))

    @property
    def without(self) -> str:
        """What a game is without that does not ask it; "" = every game asks it."""
        if self.marker in PERMANENT_MARKERS:
            return f"on a board without the permanent marker {self.marker}"
        return "" if self.part is None else self.part.without
