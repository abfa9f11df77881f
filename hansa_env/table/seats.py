"""Who sits where: people at the host's screen, guests with a link, agents by spec."""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection, Sequence
from typing import Annotated, Literal

from pydantic import Field

from hansa_env.formats.errors import LONGEST_NAME, printable
from hansa_env.formats.fields import AgentName, Strictly
from hansa_env.play.judge import values_decisions
from hansa_env.play.people import PERSON, is_person, person_name, person_spec
from hansa_env.play.registry import agent_names, split_spec
from hansa_env.play.rivals import STRONGEST
from hansa_env.play.specs import runs_code
from hansa_env.table.errors import Refused

HERE, GUEST, AGENT, STUDY = "here", "guest", "agent", "study"
#: What the page calls whoever looks at it, and seats without a name.
_OWN_WORDS = re.compile(r"you|seat \d", re.IGNORECASE)


class Seat(Strictly):
    """One seat of a game.

    Attributes:
        kind: "here": somebody at the host's screen; "guest": whoever has the seat's link; "agent"; "study": nobody, the
            host tries decisions out.
        name: of the person, may be empty; at a study what the record says of who played.
        agent: spec of the agent, "" otherwise.
        token: what the link of a guest carries.
    """

    kind: Literal["here", "guest", "agent", "study"]
    name: AgentName = ""
    agent: Annotated[str, Field(max_length=LONGEST_NAME)] = ""
    token: Annotated[str, Field(max_length=64)] = ""

    @property
    def is_person(self) -> bool:
        return self.kind in (HERE, GUEST)

    def called(self, number: int) -> str:
        """What the seat is called on the page; a name that is one of the page's own words stands in quotation marks."""
        name = self.agent if self.kind == AGENT else person_name(self.name)
        return f"“{name}”" if _OWN_WORDS.fullmatch(name) else name or f"Seat {number}"

    @property
    def spec(self) -> str:
        """What a record says of who sits here; files of older tables have specs that no record may have."""
        return person_spec(self.name)[:LONGEST_NAME] if self.is_person else printable(self.agent or self.name) or PERSON

    def public(self, number: int) -> dict:
        """What everybody may know of it."""
        return {"seat": number, "kind": self.kind, "name": self.called(number), "agent": self.agent or None}


#: Names that say too little without what comes after their colon.
_NOT_ALONE = ("mixture", "onnx")
#: Names that are not offered; `scripted` alone is `greedy`.
_NOT_OFFERED = ("scripted", *_NOT_ALONE)


class AgentMenu:
    """The agents that a page may ask for.

    Known names, with what they take after a colon, can be asked for by anyone who may make games. What runs somebody's
    code, a module of one's own or a trusted archive, has to be named where the server is started.

    Args:
        named: specs that were given at the start.
    """

    def __init__(self, named: Sequence[str] = ()) -> None:
        self.named = tuple(dict.fromkeys(named))

    def offered(self) -> list[str]:
        """What the page offers."""
        return list(dict.fromkeys([*self.named, *(name for name in agent_names() if name not in _NOT_OFFERED)]))

    def judges(self) -> list[str]:
        """Those that come with the project and value single decisions, the strongest first; nobody else's code is loaded."""
        offered = [spec for spec in self.offered() if not runs_code(spec)]
        judges = [name for name in STRONGEST if values_decisions(name)]
        return [spec for name in judges for spec in offered if split_spec(spec)[0] == name]

    def checked(self, spec: str) -> str:
        """A spec that may be asked for. Raises Refused."""
        if spec in self.named:
            return spec
        if printable(spec) != spec:
            raise Refused(f"agent {spec[:40]!r} has a control character; expected a spec without, which a record can name")
        name, _ = split_spec(spec)
        if name not in agent_names():
            known = ", ".join(self.offered())
            raise Refused(f"unknown agent {name[:40]!r}; there are {known}; others by: hansa table --agent MODULE:CLASS")
        if spec in _NOT_ALONE:
            raise Refused(f"agent {spec!r} says too little; expected {spec}: and what it plays by")
        if runs_code(spec):
            raise Refused("an archive that runs code when it is loaded has to be named at the start: hansa table --agent SPEC")
        return spec


def seated(plans: Sequence[Seat], players: int, menu: AgentMenu) -> list[Seat]:
    """Seats as they were asked for, checked and with tokens for guests. Raises Refused."""
    if len(plans) != players:
        raise Refused(f"seats are {len(plans)}; expected {players}, one for each player")
    if any(plan.kind == STUDY for plan in plans) and not all(plan.kind == STUDY for plan in plans):
        raise Refused("seats: nobody sits at a study; expected every seat to be 'study', or none")
    seats = []
    for number, plan in enumerate(plans):
        if plan.token:
            raise Refused(f"seat {number}: a token is not asked for, but given")
        if plan.kind == AGENT and not plan.agent:
            raise Refused(f"seat {number}: name the agent that sits there")
        if plan.kind != AGENT and plan.agent:
            raise Refused(f"seat {number}: 'agent' is the spec of an agent, and of nobody else")
        agent = menu.checked(plan.agent) if plan.agent else ""
        seats.append(plan.model_copy(update={"agent": agent, "token": new_token() if plan.kind == GUEST else ""}))
    return seats


def seats_of_record(agents: Sequence[str] | None, players: int, menu: AgentMenu) -> list[dict]:
    """Who could go on with a record, by what it says of its agents: a proposal for the page."""
    proposals = []
    for name in agents or [PERSON] * players:
        person = {"kind": HERE, "name": person_name(name)[:40]}
        try:
            proposals.append(person if is_person(name) else {"kind": AGENT, "agent": menu.checked(name)})
        except Refused:
            proposals.append(person)
    return proposals


def only_seat(held: Collection[int]) -> int | None:
    """The seat of who holds one alone, and so always sees its mission card."""
    return next(iter(held)) if len(held) == 1 else None


def new_token() -> str:
    """A word that nobody guesses."""
    return secrets.token_urlsafe(18)
