"""Agents by spec: "name", "name:argument", or "module:Class" of any module that can be imported.

Packages make their agents known as entry points of the group `hansa_env.agents`, whose objects are factories or classes
of agents; `register` does the same for the running process.

What specs say, and which of them run code, is in `specs`.
"""

from __future__ import annotations

import inspect
import shlex
import sys
from collections.abc import Callable, Collection
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from importlib import import_module
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

from hansa_env.formats.errors import instead_of
from hansa_env.installed import NotLoaded, entries, load
from hansa_env.play.agents import Agent, checked_agent
from hansa_env.play.arguments import SEEDS, checked_seed
from hansa_env.play.errors import AgentError, raised
from hansa_env.ruleset import Ruleset

GROUP = "hansa_env.agents"
#: Makes an agent; of the parameters `ruleset`, `seed` and `argument` it is given those that it has. Without an argument that
#: keeps its default; if it has none, it is None.
Factory = Callable[..., Agent]

#: What is expected where commas stand between agents.
COMMAS = "spaces between agents, not commas"
#: Characters of a word that an error says to type.
LONGEST_TYPED = 200
_STRIDE = 0x9E3779B9  # between the seeds of agents

_factories: dict[str, Factory | str] = {}


def register(name: str, factory: Factory | str) -> None:
    """Make an agent known under a name; a later one of the same name takes its place.

    Args:
        name: without a colon.
        factory: a class or function, see `Factory`; or, to be imported when first used, "module:attribute".

    Raises:
        AgentError: the name is empty or has a colon.
    """
    if not name or ":" in name:
        raise AgentError(f"agent name {name!r} is empty or has a colon")
    _factories[name] = factory


def registered() -> dict[str, Factory | str]:
    """What this process has registered, by name."""
    return dict(_factories)


@cache
def _installed() -> dict[str, EntryPoint]:
    return {point.name: point for point in entries(GROUP)}


def agent_names() -> tuple[str, ...]:
    """Every known name, sorted."""
    return tuple(sorted({*_factories, *_installed()}))


def module_of(name: str) -> str | None:
    """The module of the installed agent of that name; None where there is none, or this process has registered another."""
    return None if name in _factories or name not in _installed() else _installed()[name].module


def split_spec(spec: str) -> tuple[str, str | None]:
    """The name that a spec begins with, or the module; and what stands after the first colon, None without one."""
    name, colon, argument = spec.partition(":")
    return name, argument if colon else None


def make_agent(spec: str, ruleset: Ruleset, seed: int = 0) -> Agent:
    """The agent of a spec.

    The deals of a match follow from its seed, as do those of the agents in it. So that no bot can look up what lies hidden in
    its games, a class of a module is not given the seed itself, but a number that follows from it and does not tell it.

    Args:
        spec: "greedy", "ppo:runs/ppo": a known name, and after a colon what that agent makes of it; or
            "mybots:MyBot", a class or function in a module, found in the current folder too, "mybots:MyBot:argument".
        ruleset: the game it is to play.
        seed: the only source of its randomness, 0 to 2**64 - 1; the same gives the same agent.

    Raises:
        ValueError: the seed is none. AgentError: no such name, or the agent cannot be made, or it is one for another ruleset.
            OSError: one of its files cannot be read.
    """
    if not isinstance(spec, str):
        raise AgentError(f"agent {spec!r:.60} is no spec; expected a text, such as 'greedy'")
    Ruleset.checked(ruleset)
    number = checked_seed(seed)
    factory, argument = factory_of(spec)
    if split_spec(spec)[0] not in agent_names():
        number = _one_way(number)
    agent = _call(factory, {"ruleset": ruleset, "seed": number, "argument": argument}, spec)
    if inspect.getattr_static(agent, "act", None) is None and not hasattr(type(agent), "__getattr__"):
        raise AgentError(
            f"agent {spec!r} cannot be made: it came to {agent!r:.60}, which has no method act(inputs, masks, seats)"
        )
    if inspect.getattr_static(agent, "name", None) is None:  # looked up without asking: a name may raise
        with suppress(AttributeError):  # what has slots has no room for it
            agent.name = spec
    return checked_agent(agent, ruleset)


def can_be_made(spec: str, ruleset: Ruleset) -> bool:
    """Whether `make_agent` makes an agent of a spec for a ruleset: it is installed whole, and plays that game."""
    try:
        make_agent(spec, ruleset)
    except ValueError:
        return False
    return True


def factory_of(spec: str) -> tuple[Factory, str | None]:
    """What makes the agent of a spec, and the argument for it. Raises AgentError: there is none."""
    name, argument = split_spec(spec)
    if name in _factories or name in _installed():
        return _factory(name), argument
    if argument is None:
        raise AgentError(f"unknown agent {name!r}; {_meant(name)}")
    attribute, argument = split_spec(argument)
    return imported(spec, f"{name}:{attribute}"), argument


def said_of(spec: str, attribute: str) -> Any:
    """What the class or function behind a spec says in an attribute, without an agent being made; None where it says nothing.
    Raises AgentError where there is none."""
    return getattr(factory_of(spec)[0], attribute, None)


def seed_at(seed: int, place: int) -> int:
    """The seed of one of several agents that are made together, by its place from 0: another for each, and none the one given,
    so that two of one spec draw different numbers."""
    return (seed + _STRIDE * (place + 1)) % 2**63


def seed_in_match(seed: int, place: int) -> int:
    """The seed of one of the agents of a match, by its place from 0: counted up from that of the match, and after the highest
    on from 0. Raises ValueError: that is none."""
    return (checked_seed(seed) + place) % SEEDS


def _one_way(seed: int) -> int:
    """A number from 0 to 2**63 - 1 that follows from a seed; the seed cannot be worked out from it, only be tried out."""
    return int.from_bytes(blake2b(str(seed).encode(), digest_size=8).digest(), "big") >> 1


def _factory(name: str) -> Factory:
    factory = _factories.get(name)
    if isinstance(factory, str):
        return imported(name, factory)
    if factory is not None:
        return factory
    try:
        return load(_installed()[name])
    except NotLoaded as error:
        raise AgentError(f"agent {name!r} cannot be loaded: {error}") from error


def _call(factory: Any, offered: dict[str, Any], spec: str) -> Any:
    """Call a factory with those of the offered arguments that it has parameters for."""
    factory = getattr(factory, "from_spec", factory)
    try:
        parameters = inspect.signature(factory).parameters.values()
    except (TypeError, ValueError) as error:
        raise AgentError(f"agent {spec!r} cannot be made: {error}; expected a class of agents, or a function") from error
    takes_anything = any(parameter.kind == parameter.VAR_KEYWORD for parameter in parameters)
    wanted = offered if takes_anything else _wanted(parameters, offered, spec)
    try:
        return factory(**wanted)
    except (AgentError, OSError):
        raise
    except ValueError as error:
        raise AgentError(f"agent {spec!r} cannot be made: {error}") from error
    except (Exception, SystemExit) as error:
        raise AgentError(f"agent {spec!r} cannot be made: it {raised(error)}") from error


def _wanted(parameters: Collection[inspect.Parameter], offered: dict[str, Any], spec: str) -> dict[str, Any]:
    """Those of the offered arguments that there are parameters for. Raises AgentError: one is left over, or one is missing."""
    keeps_default = {p.name for p in parameters if offered.get(p.name) is None and p.default is not p.empty}
    wanted = {p.name: offered[p.name] for p in parameters if p.name in offered and p.name not in keeps_default}
    if offered["argument"] is not None and "argument" not in wanted:
        named = spec.removesuffix(f":{offered['argument']}")
        raise AgentError(f"agent {named!r} takes no argument, but was given {offered['argument']!r}")
    needed = [p.name for p in parameters if p.default is p.empty and p.name not in wanted and p.kind != p.VAR_POSITIONAL]
    if needed:
        raise AgentError(f"agent {spec!r} needs {', '.join(needed)}; an agent is made from ruleset, seed and argument alone")
    return wanted


def imported(spec: str, target: str, what: str = "agent", expected: str | None = None) -> Any:
    """What "module:attribute" names, found in the current folder too.

    Raises AgentError, in the name of the spec and of what it is, and says what is expected: by default, what an agent may be.
    """
    module, _, path = target.partition(":")
    if "" not in sys.path:  # commands do not look in the current folder by themselves
        sys.path.append("")
    try:
        found: Any = import_module(module)
    except ImportError as error:
        meant = _named_in_file(module, path) or (COMMAS if "," in module else "")
        expected = expected or f"module:Class, or one of {', '.join(agent_names())}"
        raise AgentError(f"{what} {spec!r} cannot be loaded ({error}); expected {meant or expected}") from error
    except (Exception, SystemExit) as error:
        raise AgentError(f"{what} {spec!r} cannot be loaded: its module {module!r} {raised(error)}") from error
    for attribute in path.split("."):
        if not hasattr(found, attribute):
            raise AgentError(f"{what} {spec!r} cannot be loaded: module {module!r} has no {path!r}")
        found = getattr(found, attribute)
    return found


def _meant(name: str) -> str:
    """What to say of a name that no agent has: what it may have been meant for."""
    if "," in name:
        return f"expected {COMMAS}"
    is_file = name.isidentifier() and len(name) <= LONGEST_TYPED and Path(f"{name}.py").is_file()
    in_file = _named_in_file(f"{name}.py" if is_file else name, "Class")
    return f"expected {in_file}" if in_file else f"{instead_of(name, agent_names())}, or module:Class"


def _named_in_file(module: str, path: str) -> str:
    """How to name what a file has, where somebody named the file instead of its module; else nothing."""
    if "/" not in module and "\\" not in module and not module.endswith(".py"):
        return ""
    file = Path(module)
    folder = f" after: cd {shlex.quote(str(file.parent))}" if file.parent != Path() else ""
    return f"{file.stem}:{path} for what is in {file.name}{folder}"
