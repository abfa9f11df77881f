"""Options in the argument of a spec: `rollout:final_sims=32,style=link`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any

from hansa_env.play.errors import AgentError
from hansa_env.renamed import called_now

#: What every agent is made with, and no option of a spec.
GIVEN = ("ruleset", "seed")
#: Numbers are smaller.
TOO_LARGE = 10**9
#: The most simulations, or playouts, of a decision.
MOST_SIMS = 200_000


def options(
    spec: str, argument: str | None, make: Callable[..., Any], renamed: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """The options of a spec: what `make` takes beside ruleset and seed, of its defaults' types; numbers are not
    negative, and less than TOO_LARGE.

    Args:
        spec: the agent's name.
        argument: what stands after its colon, "NAME=VALUE,NAME=VALUE"; None or "" = the defaults.
        make: the agent's class or factory, whose defaults are the options'.
        renamed: today's name of each option that had another one.

    Raises:
        AgentError: an option is not known or has another name now, or its value is of another type or too large.
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
        kind = type(known[name])
        try:
            value = kind(text)
        except ValueError:
            value = None
        if value is None or (kind is not str and not 0 <= value < TOO_LARGE):
            what = {int: "a whole number", float: "a number"}.get(kind, "text")
            raise AgentError(
                f"{spec}:{argument}: {name} is {text!r:.40}; expected {what} of at least 0 and less than {TOO_LARGE:,}"
            )
        found[name] = value
    return found


def check_counts(spec: str, most: int = MOST_SIMS, /, **counts: int) -> None:
    """Raises AgentError where a count among an agent's options, by name, is not 1 to `most`."""
    for name, value in counts.items():
        if not 1 <= value <= most:
            raise AgentError(f"{spec}: {name} is {value}; expected 1 to {most}")
