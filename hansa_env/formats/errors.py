"""The errors of this package, one line each, and how values of unknown size are shown in them.

`raise PositionError("pile: 99; expected 0 to 13", ...)`: one text per problem; all are kept in `problems`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from difflib import get_close_matches

#: Longest message of an error and longest single value within it, in characters.
LONGEST_MESSAGE = 399
LONGEST_VALUE = 40
#: Characters of what an agent, or a person at a table, is called; of a spec too, where it stands for that.
LONGEST_NAME = 200

#: Characters that are no text: they move a terminal's cursor, or tell it to do something else; they end a line, or let what
#: follows run in the other direction.
CONTROLS = r"\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069"
_CONTROL = re.compile(f"[{CONTROLS}]")
_PLAIN = re.compile(r"[A-Za-z0-9_/+.:-]{1,40}")
_LARGEST = 10**12


def short_name(name: str) -> str:
    """What an agent is called in a record, whatever its spec: it may be that of a mixture of many."""
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


class FormatError(ValueError):
    """Data from outside is not what its format or the rules say; the arguments are the problems, one text each."""

    @property
    def problems(self) -> tuple[str, ...]:
        """Every problem that was found; the message may leave out some."""
        return self.args

    def __str__(self) -> str:
        return one_line(self.args)


class NotationError(FormatError):
    """A text is no decision of the ruleset."""


class PositionError(FormatError):
    """A position cannot be read, or no game can come to it."""


class RecordError(FormatError):
    """A record cannot be read or replayed."""


def one_line(problems: Sequence[str]) -> str:
    """The problems joined by "; ", those that do not fit only counted."""
    text = ""
    for number, problem in enumerate(problems):
        joined = f"{text}; {problem}" if text else str(problem)
        left = len(problems) - number - 1
        if len(joined) + (len(f"; and {left} more") if left else 0) > LONGEST_MESSAGE:
            rest = f"; and {left + 1} more" if text else f"... and {left} more" if left else "..."
            return (text or joined[: LONGEST_MESSAGE - len(rest)]) + rest
        text = joined
    return text


def shown(value: object) -> str:
    """A value as JSON, or what it is where that would be long."""
    if isinstance(value, str):
        cut = value if len(value) <= LONGEST_VALUE else value[: LONGEST_VALUE - 10]
        text = json.dumps(cut)[: 2 * LONGEST_VALUE]
        return text if cut is value else f"{text}... ({len(value):,} characters)"
    if isinstance(value, dict):
        return f"an object of {len(value)} fields"
    if isinstance(value, (list, tuple)):
        return f"a list of {len(value)}"
    if value is None or isinstance(value, (bool, float)):
        return json.dumps(value)
    if isinstance(value, int):
        return str(value) if abs(value) < _LARGEST else "a number beyond 10^12"
    return f"a {type(value).__name__}"[:LONGEST_VALUE]


def printable(text: str) -> str:
    """A text that can be written and shown anywhere: question marks for control characters and for halves of characters."""
    return _CONTROL.sub("?", text.encode("utf-8", "replace").decode())


def nearest(given: str, names: Collection[str]) -> str | None:
    """The name that was meant by one that there is not, if any is near."""
    return next(iter(get_close_matches(given[:LONGEST_NAME], names, 1)), None)


def instead_of(given: str, names: Collection[str]) -> str:
    """What to say of a name that there is not: the nearest that there is, if any is near, and all there are."""
    near, known = nearest(given, names), ", ".join(names)
    return f"there are {known}" if near is None else f"did you mean {near}? There are {known}"


def shown_key(key: object) -> str:
    """A field name or id: plain where it is short and printable, else as `shown`."""
    return key if isinstance(key, str) and _PLAIN.fullmatch(key) else shown(key)


def listed(values: Sequence[object]) -> str:
    """Some values, the first few by name."""
    names = [shown_key(value) for value in values[:3]]
    return ", ".join(names) + (f" and {len(values) - 3} more" if len(values) > 3 else "")
