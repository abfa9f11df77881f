"""A game that is open at the table: it takes decisions, and tells everybody who watches.

Whatever happens becomes an event with the next number: it is written to the store first, then carried out, then told. All
methods are called from the server's loop, but the making of a game that nobody knows yet; agents think elsewhere.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from hansa_env.play.game import Game
from hansa_env.play.take_back import has_to_agree, stands_after
from hansa_env.table.agent_pool import AgentPool
from hansa_env.table.errors import NotAllowed, NotThere, Refused, TooLate
from hansa_env.table.game_history import Line, seats_after, standing_decisions
from hansa_env.table.listeners import Listener, Listeners
from hansa_env.table.messages import Status, event_messages, status_message
from hansa_env.table.seated_agents import SeatedAgents
from hansa_env.table.seats import AGENT, STUDY, only_seat
from hansa_env.table.start import Start, new_seed
from hansa_env.table.store import DECIDED, SEATED, UNDONE, Event, KeptGame, Store, new_event
from hansa_env.table.view import Shown

#: Why nothing is taken back where somebody else has decided.
STANDS = "another person has decided since; what others decided stands"


class TakeBack(NamedTuple):
    """A wish to go back over something that was hidden: the decision before which, who wants it, and who has to agree yet."""

    stands: int
    seat: int
    waits_for: frozenset[int]


class LiveGame:
    """One game.

    Args:
        kept: as the store has it.
        store: where it is kept.
        pool: who asks the agents.

    Attributes:
        seats: who sits where now.
        line: the game and the positions behind it.
        seq: number of the last event.
        pace: seconds that an agent's decision takes at least, so that people can follow.
        take_back: what somebody wants to take back, and others have to agree to; agents wait meanwhile.
        preparing: specs of agents whose first estimate is on its way, which takes longer than those that follow.
        seated_agents: who answer by themselves.
        shown: what was shown last of positions; another object as soon as anything of that is no longer so.
    """

    def __init__(self, kept: KeptGame, store: Store, pool: AgentPool) -> None:
        self.kept, self.id = kept, kept.id
        self._store = store
        self.pace = kept.pace
        self.shown = Shown()
        self.take_back: TakeBack | None = None
        self.preparing: list[str] = []
        self._listeners = Listeners()
        self._closed = False
        events = store.events(self.id)
        self.seq = events[-1].seq if events else 0
        self.seats = seats_after(kept.seats, events)
        self.line = Line(Start(kept.start), standing_decisions(events))
        if len(self.seats) != self.line.ruleset.players:
            raise ValueError(f"{len(self.seats)} seats; expected {self.line.ruleset.players}")
        self._name_agents()
        self.seated_agents = SeatedAgents(self, pool)

    # What everybody may know

    @property
    def game(self) -> Game:
        return self.line.game

    @property
    def is_study(self) -> bool:
        return self.seats[0].kind == STUDY

    @property
    def names(self) -> list[str]:
        return [seat.called(number) for number, seat in enumerate(self.seats)]

    @property
    def is_open(self) -> bool:
        """Nothing is to be hidden, nor left to those who play: the game is over, or nobody plays it."""
        return self.game.over or self.is_study

    @property
    def is_held_up(self) -> bool:
        """Agents wait until people agree to what somebody wants to take back; where no people play, until somebody watches."""
        return self.take_back is not None or not (self.is_played_by_people or self.is_watched)

    @property
    def is_played_by_people(self) -> bool:
        return bool(self._people())

    @property
    def may_be_analysed(self) -> bool:
        """At most one person plays, so that estimates help nobody against another."""
        return self.is_open or len(self._people()) <= 1

    def record(self, held: Collection[int] = ()) -> dict:
        """The game as a record, or as a position if it began from one; while it runs, what is hidden from who holds these seats
        is dealt anew."""
        if self.is_open:
            return self.game.position() if self.line.start.is_position else self.game.record()
        other = self.game.copy(reshuffle=new_seed(), own_card=False, viewer=only_seat(held))
        return other.position() if self.line.start.is_position else other.record()

    # Who listens

    def listen(self, listener: Listener, since: int | None) -> list[Event]:
        """From now on the listener hears of everything; returns what happened since that number."""
        missed = [] if since is None else self._store.events(self.id, since)
        self._listeners.add(listener)
        self.seated_agents.wake()
        return missed

    @property
    def is_watched(self) -> bool:
        """Whether anybody listens."""
        return bool(self._listeners)

    def leave(self, listener: Listener) -> None:
        self._listeners.remove(listener)

    @property
    def status(self) -> Status:
        """What passes, as it is now."""
        agents, wish = self.seated_agents, self.take_back
        return Status(
            paused=agents.paused,
            pace=self.pace,
            thinking=agents.thinking,
            problem=agents.problem,
            take_back=wish and {"seat": wish.seat, "stands": wish.stands, "waits_for": sorted(wish.waits_for)},
            seat=self.game.seat,
            over=self.game.over,
            analysis=self.may_be_analysed,
            preparing=sorted(set(self.preparing)),
        )

    def tell_status(self) -> None:
        self._listeners.tell(status_message(self.status))

    @contextmanager
    def preparing_agent(self, spec: str, is_ready: bool) -> Iterator[None]:
        """While this lasts everybody knows that an agent is being prepared, unless it is ready."""
        if is_ready:
            yield
            return
        self.preparing.append(spec)
        self.tell_status()
        try:
            yield
        finally:
            self.preparing.remove(spec)
            self.tell_status()

    # What people do

    def decide(self, held: Collection[int], seq: int, texts: Sequence[str]) -> None:
        """Decisions of whoever holds these seats, one after the other, if nothing happened since the event `seq`.

        Raises:
            TooLate: something did, or the game is over. NotAllowed, Refused: as `Line.after`. Nothing is changed then.
        """
        self._must_be_at(seq)
        self._go_on(self.line.after(held, texts, self.names))

    def decide_by_agent(self, action: int) -> None:
        """The decision, an action index, of the agent whose seat it is. Raises Refused: it cannot be kept."""
        ahead = self.line.copy()
        ahead.play(self.game.describe(action))
        self._go_on(ahead)

    def _go_on(self, ahead: Line) -> None:
        """Keep what has been decided on a copy of the line, which takes its place."""
        decided = ahead.moves[len(self.line) :]
        events = [new_event(self.seq + n, DECIDED, move.seat, move.text) for n, move in enumerate(decided, 1)]
        self._happen(events, ahead.game.over, ahead)

    def undo(self, held: Collection[int], seq: int, to: int | None = None) -> None:
        """Go back to before the last decision by a person, if that was one of these seats; agents may have answered since.

        Where something hidden has been seen since, this only becomes the wish `take_back`, until the other people agree.

        Args:
            held: the seats of who asks.
            seq: the event after which it is asked.
            to: how many decisions are to stand, where more than the last of these seats is to go.

        Raises:
            TooLate: something happened since. NotAllowed: another person decided since, or these seats have not decided.
        """
        self._must_be_at(seq)
        last = self.undoes_to(held)
        if last is None:
            own = any(move.seat in held for move in self.line.moves)
            raise NotAllowed(STANDS if own else "there is nothing to take back: you have not decided anything yet")
        number = last if to is None else min(to, last)
        if any(self._is_decided_by_hand(move.seat) and move.seat not in held for move in self.line.moves[number:]):
            raise NotAllowed(STANDS)
        seat = self.line.moves[last].seat
        waits_for = has_to_agree(self.line.records[number], self.line.records[-1], self._people(), seat)
        self._wish_back(TakeBack(number, seat, waits_for))

    def agree(self, held: Collection[int], seq: int, agreed: bool, is_host: bool = False) -> None:
        """Agree to what somebody wants to take back, or not; who wants it may drop it as well, and so may the host: agents wait
        for those who have left, too.

        Raises:
            TooLate: something happened since the event `seq`. NotAllowed: nobody asks these seats.
        """
        self._must_be_at(seq)
        wish = self.take_back
        asked = frozenset() if wish is None else wish.waits_for & set(held)
        if wish is None or not (asked or (not agreed and (is_host or wish.seat in held))):
            raise NotAllowed("nobody asks you to take something back")
        if agreed:
            self._wish_back(wish._replace(waits_for=wish.waits_for - asked))
        else:
            self.take_back = None
            self.seated_agents.look_again()

    def _wish_back(self, wish: TakeBack) -> None:
        """Go back as soon as nobody has to agree any more."""
        if wish.waits_for:
            self.take_back = wish
            self.seated_agents.look_again()
        else:
            self._happen([new_event(self.seq + 1, UNDONE, None, str(wish.stands))], over=False)

    def undoes_to(self, held: Collection[int]) -> int | None:
        """How many decisions would stand after one `undo`; None: it is refused."""
        by_hand = [number for number in range(len(self.seats)) if self._is_decided_by_hand(number)]
        return stands_after([move.seat for move in self.line.moves], by_hand, held)

    def _people(self) -> list[int]:
        """The seats of the people who play."""
        return [number for number, seat in enumerate(self.seats) if seat.is_person]

    def _is_decided_by_hand(self, seat: int) -> bool:
        """By a person who plays, or at a study by the host."""
        return self.seats[seat].kind != AGENT

    def replace_agent(self, number: int, spec: str) -> None:
        """Another agent goes on for the one of a seat. Raises Refused; TooLate: the game is over, and says who played it."""
        if not 0 <= number < len(self.seats) or self.seats[number].kind != AGENT:
            raise Refused(f"seat {number} is no agent's; only agents are replaced")
        if self.game.over:
            raise TooLate("the game is over; its record names who played it")
        seat = self.seats[number].model_copy(update={"agent": spec})
        self._happen([new_event(self.seq + 1, SEATED, number, seat.model_dump_json())], self.game.over)

    def set_pace(self, pace: float) -> None:
        """Raises NotKept."""
        self._store.set_pace(self.id, pace)
        self.pace = pace
        self.seated_agents.look_again()

    def _must_be_at(self, seq: int) -> None:
        if seq != self.seq:
            raise TooLate("the game has gone on since; this was about an earlier position and changes nothing")

    # What then happens

    def _happen(self, events: list[Event], over: bool, line: Line | None = None) -> None:
        """Keep events, then carry them out, then tell: decisions, which `line` has come to, or one of another kind."""
        if self._closed:
            raise NotThere("the game has been removed")
        self._store.add_events(self.id, events, over)
        self.take_back = None  # it was one of the position before
        if line is not None:
            self.line = line
        else:
            for event in events:
                self._carry_out(event)
        self.seq = events[-1].seq
        for message in event_messages(events, self.line, self.seats):
            self._listeners.tell(message)
        self.seated_agents.try_again()

    def _carry_out(self, event: Event) -> None:
        if event.kind == UNDONE:
            self.line = Line(self.line.start, self.line.decisions[: int(event.text)])
        else:
            self.seats = seats_after(self.seats, [event])
        self.shown = Shown()
        self._name_agents()

    def _name_agents(self) -> None:
        if not self.is_study or any(seat.name for seat in self.seats):
            self.game.agents = [seat.spec for seat in self.seats]

    async def close(self) -> None:
        """Agents stop, and nothing happens any more; who listens is told."""
        self._closed = True
        self._listeners.close()
        await self.seated_agents.stop()
