"""What is said over a socket: the messages a browser may send, and those it is sent.

Every event of a game has a number, and everybody hears them in order without a gap; `status` is what passes, without a
number, where only the last one counts.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field, TypeAdapter, ValidationError

from hansa_env.formats.explain import in_one_line
from hansa_env.formats.fields import AgentSpec, DecisionText, Strictly
from hansa_env.formats.find_question import goes_on
from hansa_env.formats.moves import Followed
from hansa_env.play import whole_action
from hansa_env.render.words import as_order, decision_as_order, decision_in_words, decision_told_alone
from hansa_env.table.errors import Refused
from hansa_env.table.game_history import Line
from hansa_env.table.seats import STUDY, Seat
from hansa_env.table.store import DECIDED, UNDONE, Event, KeptGame

#: Seconds that an agent's decision may be held back, so that people can follow.
LONGEST_PACE = 10.0
#: Decisions that are made at once: those of an action.
MOST_TEXTS = whole_action.MOST

Seq = Annotated[int, Field(ge=0, le=2**53)]
#: How many decisions of a game stand before what is asked; whoever names more than it has is told how many it has.
At = Annotated[int, Field(ge=0, le=1_000_000)]


class Hello(Strictly):
    """The first message: `token` is a guest's or a watcher's, null for the host; `since` the last event that was heard."""

    type: Literal["hello"]
    token: Annotated[str, Field(max_length=64)] | None = None
    since: Seq | None = None


class Numbered(Strictly):
    """Something that a browser wants; the answer carries its `id`."""

    id: Seq = 0


class Decide(Numbered):
    """Decisions, one after the other, at the position after event `seq`."""

    type: Literal["decide"]
    seq: Seq
    texts: Annotated[list[DecisionText], Field(min_length=1, max_length=MOST_TEXTS)]


class Undo(Numbered):
    """Take one's last decision back, or all of one's own from decision number `to` on."""

    type: Literal["undo"]
    seq: Seq
    to: Seq | None = None


class Agree(Numbered):
    """Yes or no to what somebody wants to take back, as `status` has it; who wants it says no to drop it."""

    type: Literal["agree"]
    seq: Seq
    agreed: bool


class Pause(Numbered):
    """Agents wait, or go on."""

    type: Literal["pause"]
    paused: bool


class Step(Numbered):
    """One decision of an agent."""

    type: Literal["step"]


class Pace(Numbered):
    """Seconds that an agent's decision takes at least."""

    type: Literal["pace"]
    seconds: Annotated[float, Field(ge=0, le=LONGEST_PACE, allow_inf_nan=False)]


class TryAgain(Numbered):
    """Ask the agent that failed once more."""

    type: Literal["again"]


class Replace(Numbered):
    """Another agent goes on for the one of a seat."""

    type: Literal["replace"]
    seat: Annotated[int, Field(ge=0, le=4)]
    agent: AgentSpec


Wish = Annotated[Decide | Undo | Agree | Pause | Step | Pace | TryAgain | Replace, Field(discriminator="type")]
_WISH: TypeAdapter[Any] = TypeAdapter(Wish)
_HELLO: TypeAdapter[Hello] = TypeAdapter(Hello)


def read_hello(text: str | bytes) -> Hello:
    """The first message of a socket. Raises Refused."""
    return _read(_HELLO, text)


def read_wish(text: str | bytes) -> Any:
    """A later message: one of those above. Raises Refused."""
    return _read(_WISH, text)


def _read(adapter: TypeAdapter, text: str | bytes) -> Any:
    try:
        return adapter.validate_json(text)
    except ValidationError as error:
        raise Refused(f"message: {in_one_line(error)}") from None
    except UnicodeDecodeError:
        raise Refused("message: is no text") from None


class Status(NamedTuple):
    """What passes: nobody is told what it was before.

    Attributes:
        paused: agents wait; pace: seconds that a decision of theirs takes at least; thinking: the seat whose agent is asked.
        problem: why agents stopped.
        take_back: what somebody wants to take back: its "seat", how many decisions would stand ("stands"), and the seats that
            have to agree ("waits_for").
        seat: who decides; over: whether the game is.
        analysis: the game may be analysed by now; preparing: the agents that are being prepared for that.
    """

    paused: bool
    pace: float
    thinking: int | None
    problem: str | None
    take_back: dict | None
    seat: int | None
    over: bool
    analysis: bool
    preparing: list[str]


def moves_data(line: Line, first: int = 1) -> list[dict]:
    """The decisions from a number on, counted from 1, as pages show them: each as an order ("place a trader on …"), `alone`
    with the beginning of its sentence, and as it is told of somebody ("places a trader on …"); `then` has what followed it."""
    found, moves = [], line.moves
    for number, move in enumerate(moves[first - 1 :], first):
        words = decision_as_order(line.ruleset, move.asked, move.text)
        told = decision_in_words(line.ruleset, move.asked, move.text)
        alone = decision_told_alone(line.ruleset, moves, number - 1)
        found.append({"number": number, "turn": move.turn, "active": move.active, "seat": move.seat, "asked": move.asked,
                      "text": move.text, "words": words, "alone": alone, "told": told,
                      "goes_on": goes_on(move.asked), "then": [_followed_data(one) for one in move.then]})  # fmt: skip
    return found


def _followed_data(one: Followed) -> dict:
    return {"seat": one.seat, "words": as_order(one.words), "told": one.words, "goes_on": one.goes_on}


def seats_data(seats: Sequence[Seat]) -> list[dict]:
    """Who sits where, as everybody may know it."""
    return [seat.public(number) for number, seat in enumerate(seats)]


def event_messages(events: Sequence[Event], line: Line, seats: Sequence[Seat]) -> list[dict]:
    """The last events of a game, in order; more than one are decisions."""
    messages = []
    moves = moves_data(line, len(line) - len(events) + 1) if any(event.kind == DECIDED for event in events) else []
    for number, event in enumerate(events):
        message: dict = {"type": "event", "seq": event.seq, "kind": event.kind}
        if event.kind == DECIDED:
            message["move"] = moves[number]
        elif event.kind == UNDONE:
            message["stands"] = int(event.text)
        else:
            message["seats"] = seats_data(seats)
        messages.append(message)
    return messages


def missed_messages(events: Sequence[Event], line: Line, seats: Sequence[Seat]) -> list[dict] | None:
    """Decisions that somebody missed, as they were told then; None if more than decisions happened, and all has to be told."""
    return event_messages(events, line, seats) if all(event.kind == DECIDED for event in events) else None


def status_message(status: Status) -> dict:
    """What passes."""
    return {"type": "status", **status._asdict()}


def welcome_message(kept: KeptGame, seq: int, line: Line, seats: Sequence[Seat], held: Collection[int], is_host: bool) -> dict:
    """All that a page needs to begin with: a game, its last event, and who sits and asks."""
    return {
        "type": "welcome",
        "seq": seq,
        "game": kept.id,
        "ruleset": str(line.ruleset),
        "players": line.ruleset.players,
        "seats": seats_data(seats),
        "held": sorted(held),
        "host": is_host,
        "study": seats[0].kind == STUDY,
        "began": "position" if line.start.is_position else "deal",
        "parent": kept.parent,
        "parent_at": kept.parent_at,
        "moves": moves_data(line),
    }
