"""What pydantic found wrong, in this project's words: `supply of seat 1: -5 traders; expected 0 to 27`.

`checked(model, data)` validates, and raises one text per problem; what was expected is read from the JSON Schema of the model.
"""

from __future__ import annotations

from functools import cache
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from hansa_env.formats.errors import FormatError, shown, shown_key
from hansa_env.formats.fields import PRINTABLE

#: Fields with one entry per seat.
SEATED = ("abilities", "supply", "stock", "prestige", "markers", "used", "plate")
PIECE_WORDS = (" traders", " merchants")
MOST_PROBLEMS = 100
#: Values listed one by one in a message.
MOST_NAMES = 8

_TYPES = {
    "integer": "a whole number",
    "string": "a text",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
_WRONG_SIZE = ("too_short", "too_long", "string_too_short", "string_too_long")
_OUT_OF_RANGE = ("greater_than_equal", "less_than_equal")
_Model = TypeVar("_Model", bound=BaseModel)


def checked(model: type[_Model], data: object) -> _Model:
    """Data as a model has it. Raises FormatError, whose problems are one text each."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise FormatError(*problems(error, _schema(model))) from None


@cache
def _schema(model: type[BaseModel]) -> dict:
    return model.model_json_schema()


def problems(error: ValidationError, schema: dict) -> list[str]:
    """One text per problem of a validation, in the order of the data; at most `MOST_PROBLEMS`."""
    found = error.errors(include_url=False, include_context=False)[:MOST_PROBLEMS]
    return list(dict.fromkeys(problem(item["type"], item["loc"], item["input"], schema) for item in found))


def in_one_line(error: ValidationError) -> str:
    """The first thing that is wrong, in pydantic's words, and how many more there are: for what people do not write by hand."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    more = f"; and {error.error_count() - 1} more" if error.error_count() > 1 else ""
    return f"{where[:80] + ': ' if where else ''}{first['msg'][:200]}{more}"


def problem(kind: str, path: tuple, value: object, schema: dict) -> str:
    """One problem: where, what is there, and what was expected."""
    if kind == "missing" and isinstance(path[-1], int):
        return f"{place(path[:-1])}: too short; expected {expected(rule_at(schema, path[:-1]), kind)}"
    if kind == "missing":
        return f"{place(path[:-1], 'field')} {shown_key(path[-1])} is missing"
    if kind == "extra_forbidden":
        return f"{place(path[:-1], 'field')} {shown_key(path[-1])} is unknown; remove it"
    key = bool(path) and path[-1] == "[key]"
    rule = rule_at(schema, path)
    name = f"{place(path[:-2])} key" if key else place(path)
    numeric = kind in _OUT_OF_RANGE
    return f"{name}: {shown(value)}{unit(path) if numeric else ''}; expected {expected(rule, kind)}"


def place(path: tuple, last: str = "") -> str:
    """A path into the data in words; list positions of what is no seat are left out."""
    parts = [part for part in path if part != "[key]"]
    words: list[str] = []
    if parts and parts[0] in SEATED:
        words = [parts.pop(0)]
        if parts and isinstance(parts[0], int):
            words = [f"{words[0]} of seat {parts.pop(0)}"]
    elif parts and parts[0] == "decisions" and len(parts) > 1:
        words = [f"decision {parts[1]}"]
        parts = []
    elif parts and parts[0] == "estimates" and len(parts) > 1:
        words = [f"estimate of decision {parts[1]}"]
        parts = parts[2:]
    words += [shown_key(part) for part in parts if not isinstance(part, int)]
    return " ".join([*words, last] if last else words) or "data"


def unit(path: tuple) -> str:
    """Traders or merchants, where a number of them was given."""
    return PIECE_WORDS[path[2]] if len(path) == 3 and path[0] in ("supply", "stock") and path[2] in (0, 1) else ""


def rule_at(schema: dict, path: tuple) -> dict:
    """The part of a JSON Schema that a path into the data leads to; {} where it leads nowhere."""
    rule = resolved(schema, schema)
    for part in path:
        if part == "[key]":
            return {"type": "string", "minLength": 1, "maxLength": 40}
        options = [rule, *(resolved(option, schema) for option in rule.get("anyOf", ()))]
        rule = next((found for option in options if (found := child(option, part))), {})
        rule = resolved(rule, schema)
    return rule


def child(rule: dict, part: object) -> dict | None:
    """The rule of a field or an item of a list."""
    if isinstance(part, int):
        items = rule.get("prefixItems", ())
        return items[part] if part < len(items) else rule.get("items")
    if part in rule.get("properties", ()):
        return rule["properties"][part]
    found = [rule.get("additionalProperties"), *rule.get("patternProperties", {}).values()]
    return next((each for each in found if isinstance(each, dict)), None)


def resolved(rule: dict, schema: dict) -> dict:
    """A rule itself, where it only names one of the schema's definitions."""
    if "$ref" in rule:
        return schema["$defs"][rule["$ref"].rsplit("/", 1)[1]]
    return rule


def expected(rule: dict, kind: str) -> str:
    """What a rule asks for."""
    if "anyOf" in rule:
        return " or ".join(expected(option, kind) for option in rule["anyOf"])
    if "const" in rule:
        return shown(rule["const"])
    if "enum" in rule:
        names = [shown_key(name) for name in rule["enum"]]
        return "one of " + ", ".join(names if len(names) <= MOST_NAMES else [*names[:4], "...", names[-1]])
    word = _TYPES.get(rule.get("type", "object"), "something else")
    if rule.get("type") == "integer" and "minimum" in rule:
        bounds = f"{rule['minimum']} to {rule['maximum']}"
        return bounds if kind in _OUT_OF_RANGE else f"a whole number from {bounds}"
    if rule.get("type") == "number" and "minimum" in rule:
        bounds = f"{rule['minimum']:g} to {rule['maximum']:g}"
        return bounds if kind in _OUT_OF_RANGE else f"a number from {bounds}"
    if kind == "string_pattern_mismatch" and rule.get("pattern") == PRINTABLE:
        return f"{word} without control characters"
    if rule.get("type") == "string" and kind in _WRONG_SIZE:
        return f"{word} of {rule.get('minLength', 0)} to {rule['maxLength']} characters"
    if rule.get("type") == "array" and "maxItems" in rule:
        low, high = rule.get("minItems", 0), rule["maxItems"]
        return f"{word} of {low if low == high else f'{low} to {high}'}"
    if "maxProperties" in rule:
        return f"{word} of {rule['maxProperties']} fields"
    return word
