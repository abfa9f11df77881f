"""Who takes part in a match, under which name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from hansa_agents.line_ups import MatchError
from hansa_agents.model_hash import model_hash_of
from hansa_env import Agent, Ruleset, make_agent
from hansa_env.formats.errors import LONGEST_NAME, printable, short_name
from hansa_env.play.agents import attribute_of, checked_agent, name_of
from hansa_env.play.errors import OUR_PACKAGES, AgentError
from hansa_env.play.registry import agent_names, seed_in_match
from hansa_env.play.specs import check_spec, installed_module, specs_in

#: "first=greedy": an agent that is called otherwise than its spec. Neither a path nor module:Class begins like this.
_NAMED = re.compile(r"(?P<name>[^=:/\\]+)=(?P<spec>.+)", re.DOTALL)
#: How the module of the agent begins by which somebody else's runtime plays.
BY_OTHERS = "hansa_agents.exported."
#: An archive by Stable-Baselines3, whose code runs where it is trusted (SECURITY.md): here it is taken for trusted.
_ARCHIVE = re.compile(r"\.zip\b")
#: Behind the name of an agent that sees what is hidden.
ORACLE = " (oracle)"


@dataclass(frozen=True)
class Entrant:
    """One agent of a match.

    Attributes:
        name: by which it is told from the others.
        spec: what it is made of, or the class of an agent that was made.
        seed: of its randomness.
        agent: as it was given, None where the spec makes it.
        model: the hash of its model, None where it has none; known once it has been made.
    """

    name: str
    spec: str
    seed: int
    agent: Agent | None = None
    model: str | None = None

    @property
    def given(self) -> str:
        """NAME=SPEC, as it takes part by that name, or its spec where it is called by that: a spec may have signs that no NAME
        has."""
        name = self.name.removesuffix(ORACLE)
        return self.spec if name == self.spec else f"{name}={self.spec}"

    def make(self, ruleset: Ruleset) -> Agent:
        """The agent. Raises AgentError where it is none, or one made for another ruleset."""
        return make_agent(self.spec, ruleset, self.seed) if self.agent is None else checked_agent(self.agent, ruleset)

    @property
    def is_of_this_project(self) -> bool:
        """Whether it comes with this project and runs nobody else's code or runtime."""
        return self.agent is None and all(map(_is_of_this_project, specs_in(self.spec)))

    def known(self, agent: Agent) -> Entrant:
        """The same with what the agent that was made tells: its model, and in its name whether it sees what is hidden.

        Raises MatchError: with that, its name is too long.
        """
        name = self.name + ORACLE if attribute_of(agent, "sees_hidden", False) else self.name
        if len(name) > LONGEST_NAME:
            raise MatchError(
                f"the name {name:.40}... has {len(name)} characters with {ORACLE!r}; expected at most {LONGEST_NAME}: NAME=SPEC"
            )
        return replace(self, name=name, model=self.model_of(agent))

    def model_of(self, agent: Agent) -> str | None:
        """The hash of the model of the agent that was made. Raises AgentError.

        One that was given as an object stays the same one, and may load its weights at its first question: they do not count.
        """
        return model_hash_of(agent, weights=self.agent is None)


def _is_of_this_project(spec: str) -> bool:
    module = installed_module(spec) or ""
    return module.partition(".")[0] in OUR_PACKAGES and not module.startswith(BY_OTHERS) and not _ARCHIVE.search(spec)


def entrants(given: Sequence[str | Agent], seed: int) -> tuple[list[Entrant], list[int]]:
    """Who takes part, and which of them each of the given is.

    The same text, or the same object, twice is one agent that holds several seats; "name=spec" keeps agents of one spec
    apart. Objects that are called the same get numbers.

    Raises:
        ValueError: the seed is none. MatchError: two agents have one name, or a name is too long.
    """
    found: list[Entrant] = []
    texts: list[str | Agent] = []
    places = []
    for one in given:
        place = next((i for i, text in enumerate(texts) if text is one or (isinstance(one, str) and text == one)), None)
        if place is None:
            place = len(found)
            found.append(_entrant(one, seed_in_match(seed, place), [other.name for other in found]))
            texts.append(one)
        places.append(place)
    return found, places


def check_one_each(given: Sequence[object], players: int) -> None:
    """Raises AgentError unless there is one agent for each seat, or one for all."""
    if len(given) not in (1, players):
        raise AgentError(f"{len(given)} agents for {players} seats; expected one per seat, or one for all")


def check_known(given: Sequence[str]) -> None:
    """See that no spec, or NAME=SPEC, is a name that no agent has. Loads nothing, unlike `check_named`. Raises MatchError,
    AgentError."""
    for entrant in entrants(given, 0)[0]:
        if ":" not in entrant.spec and entrant.spec not in agent_names():
            check_spec(entrant.spec)


def check_named(given: Sequence[str]) -> None:
    """See that the agents of some specs, or NAME=SPEC, are there, before anything is read or played for them. Raises
    MatchError, AgentError."""
    for entrant in entrants(given, 0)[0]:
        check_spec(entrant.spec)


def _entrant(given: str | Agent, seed: int, taken: list[str]) -> Entrant:
    if isinstance(given, str):
        named = None if given in agent_names() else _NAMED.fullmatch(given)
        name, spec = (named["name"].strip(), named["spec"]) if named else (short_name(given), given)
        if printable(given) != given:
            raise MatchError(f"agent {given!r:.100} has control characters; expected text that can be shown: NAME=SPEC")
        if name in taken:
            raise MatchError(f"two agents are called {name!r}; write NAME=SPEC to call one of them otherwise")
        if not 0 < len(name) <= LONGEST_NAME:
            raise MatchError(f"the name {name:.40}... has {len(name)} characters; expected 1 to {LONGEST_NAME}: NAME=SPEC")
        return Entrant(name, spec, seed)
    wanted = name = name_of(given)[:LONGEST_NAME]
    number = 1
    while name in taken:
        number += 1
        suffix = f" ({number})"
        name = wanted[: LONGEST_NAME - len(suffix)] + suffix
    return Entrant(name, type(given).__name__, seed, given)
