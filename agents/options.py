"""Options in the argument of a spec: `rollout:many=32,style=link`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hansa_env.play.errors import AgentError


def options(spec: str, argument: str | None, known: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a spec, with the defaults in `known`, of whose types they are; numbers must not be negative.

    Raises:
        AgentError: one is not known, or its value is of another type.
    """
    found = dict(known)
    for part in (argument or "").split(","):
        if not part:
            continue
        name, equals, text = part.partition("=")
        if name not in known or not equals:
            raise AgentError(f"{spec}:{argument}: unknown option {part!r}; expected NAME=VALUE with {', '.join(known)}")
        kind = type(known[name])
        try:
            value = kind(text)
        except ValueError:
            value = None
        if value is None or (kind is not str and not 0 <= value < 1e9):
            what = {int: "a whole number", float: "a number"}.get(kind, "text")
            raise AgentError(f"{spec}:{argument}: {name} is {text!r}; expected {what} of at least 0")
        found[name] = value
    return found
