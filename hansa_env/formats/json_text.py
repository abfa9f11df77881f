"""JSON from outside, read more strictly than `json.loads` does: nothing is said twice, and every error is a `JsonError`."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, NoReturn

from hansa_env.formats.errors import shown_key


class JsonError(ValueError):
    """A text is no JSON that can be read; says what it should be and where it is wrong, in one line."""


class GivenTwice(JsonError):
    """An object has two fields of one name, of which readers take the one or the other."""


def parse_json(text: str | bytes, thing: str = "text", nan: bool = False) -> Any:
    """What a JSON text says.

    Args:
        thing: what errors call it.
        nan: whether NaN and infinities, which are no JSON and which Python writes, are let through.

    Raises:
        JsonError: it is no JSON, has NaN or an infinity, a number of thousands of digits, or lists thousands deep.
            GivenTwice: it is, and a field is given twice.
    """
    try:
        return json.loads(text, object_pairs_hook=_fields, parse_constant=None if nan else _constant)
    except json.JSONDecodeError as found:
        if not found.doc.strip():
            raise JsonError(f"the {thing} is no JSON: it is empty") from None
        problem = found.msg.removesuffix(" at")
        raise JsonError(f"the {thing} is no JSON: {problem} at line {found.lineno} column {found.colno}") from None
    except RecursionError:
        raise JsonError(f"the {thing} is no JSON of this form: lists within lists too deep") from None
    except JsonError:
        raise
    except UnicodeDecodeError:
        raise JsonError(f"the {thing} is no JSON: it is no UTF-8") from None
    except ValueError:
        raise JsonError(f"the {thing} is no JSON of this form: a number is too long") from None


def parse_line(error: type[ValueError], line: bytes, where: str) -> Any:
    """What a line of JSON says. Raises `error`, with where it stands and what is wrong."""
    try:
        return parse_json(line, "line")
    except JsonError as found:
        raise error(f"{where}: {found}") from None


def _fields(pairs: list[tuple[str, object]]) -> dict:
    result = dict(pairs)
    if len(result) < len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise GivenTwice(f"field {shown_key(twice)} is given twice")
    return result


def _constant(name: str) -> NoReturn:
    raise JsonError(f"the text is no JSON: {name} is none of its numbers")
