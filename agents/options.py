"""Options of agents: read from the argument of a spec, `rollout:final_sims=32,style=link`, checked where an agent is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any

import numpy as np

from hansa_env.play.arguments import whole
from hansa_env.play.errors import AgentError
from hansa_env.renamed import called_now

#: What every agent is made with, and no option of a spec.
GIVEN = ("ruleset", "seed")
#: A number is this at most, where nothing else limits it.
LARGEST = 10**9
#: The most simulations, or playouts, of a decision.
MOST_SIMS = 200_000


def options(
    spec: str, argument: str | None, make: Callable[..., Any], renamed: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """The options of a spec: what `make` takes beside ruleset and seed, of its defaults' types. Which numbers it takes, it says
    itself (`checked_whole`, `checked_number`).

    Args:
        spec: the agent's name.
        argument: what stands after its colon, "NAME=VALUE,NAME=VALUE"; None or "" = the defaults.
        make: the agent's class or factory, whose defaults are the options'.
        renamed: today's name of each option that had another one.

    Raises:
        AgentError: an option is not known or has another name now, or its value is of another type.
    """
    known = {name: one.default for name, one in signature(make).parameters.items() if name not in GIVEN}
    found, given = dict(known), set[str]()
    for part in (argument or "").split(","):
        if not part:
            continue
        name, equals, text = part.partition("=")
        if renamed and name in renamed:
            raise AgentError(f"{spec}:{argument}: {called_now('option', name, renamed[name])}")
        if name not in known or not equals:
            raise AgentError(f"{spec}:{argument}: unknown option {part!r}; expected NAME=VALUE with {', '.join(known)}")
        if name in given:
            raise AgentError(f"{spec}:{argument}: {name} is there twice; expected each option once")
        given.add(name)
        try:
            found[name] = type(known[name])(text)
        except ValueError as error:
            what = "a whole number" if isinstance(known[name], int) else "a number"
            raise AgentError(f"{spec}:{argument}: {name} is {text!r:.40}; expected {what}") from error
    return found


def checked_whole(agent: str, name: str, given: object, least: int = 1, most: int = MOST_SIMS) -> int:
    """An agent's option that is a whole number, as Python's. Raises AgentError naming what was given."""
    number = whole(given)
    if number is None or not least <= number <= most:
        raise AgentError(f"{agent}: {name} is {given!r:.60}; expected a whole number from {least} to {most:,}")
    return number


def checked_number(agent: str, name: str, given: Any, most: float = LARGEST) -> float:
    """An agent's option that is a number of at least 0, as a float: of one type, so that kernels are compiled once for it.

    Raises AgentError naming what was given.
    """
    is_number = isinstance(given, (int, float, np.integer, np.floating)) and not isinstance(given, bool)
    if not is_number or not 0 <= given <= most:
        raise AgentError(f"{agent}: {name} is {given!r:.60}; expected a number from 0 to {most:,}")
    return float(given)
