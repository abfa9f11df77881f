"""What is said over a socket: the messages a browser may send, and those it is sent.

Every event of a game has a number, and everybody hears them in order without a gap; `status` is what passes, without a
number, where only the last one counts.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from hansa_env.formats.descriptions import goes_on
from hansa_env.formats.fields import DecisionText, Strictly
from hansa_env.render.words import Move, decision_as_order
from hansa_env.table.errors import Refused
from hansa_env.table.seats import Spec
from hansa_env.table.store import DECIDED, UNDONE, Event

if TYPE_CHECKING:
    from hansa_env.table.live_game import LiveGame

#: Seconds that an agent's decision may be held back, so that people can follow.
LONGEST_PACE = 10.0

Seq = Annotated[int, Field(ge=0, le=2**53)]


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
    texts: Annotated[list[DecisionText], Field(min_length=1, max_length=4)]


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
    agent: Spec


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


def in_one_line(error: ValidationError) -> str:
    """The first thing that is wrong with a request."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    more = f"; and {error.error_count() - 1} more" if error.error_count() > 1 else ""
    return f"{where[:80] + ': ' if where else ''}{first['msg'][:200]}{more}"


def move_data(game: LiveGame, number: int, move: Move) -> dict:
    """A decision as pages show it; `number` counts from 1."""
    words = decision_as_order(game.line.ruleset, move.asked, move.text)
    return {"number": number, "turn": move.turn, "active": move.active, "seat": move.seat, "asked": move.asked,
            "text": move.text, "words": words, "goes_on": goes_on(move.asked)}  # fmt: skip


def event_message(game: LiveGame, event: Event) -> dict:
    """An event that has just been carried out."""
    message: dict = {"type": "event", "seq": event.seq, "kind": event.kind}
    if event.kind == DECIDED:
        return message | {"move": move_data(game, len(game.line), game.line.moves[-1])}
    if event.kind == UNDONE:
        return message | {"stands": int(event.text)}
    return message | {"seats": [seat.public(number) for number, seat in enumerate(game.seats)]}


def missed_messages(game: LiveGame, events: list[Event]) -> list[dict] | None:
    """Decisions that somebody missed, as they were told then; None if more than decisions happened, and all has to be told."""
    if any(event.kind != DECIDED for event in events):
        return None
    first = len(game.line) - len(events)
    return [
        {"type": "event", "seq": event.seq, "kind": DECIDED, "move": move_data(game, first + n, game.line.moves[first + n - 1])}
        for n, event in enumerate(events, 1)
    ]


def status_message(game: LiveGame) -> dict:
    """What passes: who thinks, whether agents wait, why they stopped, what somebody wants to take back, whether the game may be
    analysed by now, and which agents are being prepared for that."""
    agents, wish = game.seated_agents, game.take_back
    return {
        "type": "status",
        "paused": agents.paused,
        "pace": game.pace,
        "thinking": agents.thinking,
        "problem": agents.problem,
        "take_back": wish and {"seat": wish.seat, "stands": wish.stands, "waits_for": sorted(wish.waits_for)},
        "seat": game.game.seat,
        "over": game.game.over,
        "analysis": game.may_be_analysed,
        "preparing": sorted(set(game.preparing)),
    }


def welcome_message(game: LiveGame, held: Collection[int], is_host: bool) -> dict:
    """All that a page needs to begin with."""
    ruleset = game.line.ruleset
    return {
        "type": "welcome",
        "seq": game.seq,
        "game": game.id,
        "ruleset": str(ruleset),
        "players": ruleset.players,
        "seats": [seat.public(number) for number, seat in enumerate(game.seats)],
        "held": sorted(held),
        "host": is_host,
        "study": game.is_study,
        "began": "position" if game.line.start.is_position else "deal",
        "parent": game.kept.parent,
        "parent_at": game.kept.parent_at,
        "moves": [move_data(game, number, move) for number, move in enumerate(game.line.moves, 1)],
    }
