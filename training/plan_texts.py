"""The options of a plan as texts: their names on the command line, what they mean, what they take, and a plan as a file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, get_args

from pydantic import TypeAdapter, ValidationError

from hansa_env.ruleset_options import OPTIONS
from hansa_training.errors import PlanError
from hansa_training.plan import Plan

#: Characters of it, so that a narrow terminal has room beside it.
LONGEST_METAVAR = 18


def option(name: str) -> str:
    """The command-line option of a field."""
    return f"--{name.replace('_', '-')}"


def flags(name: str) -> list[str]:
    """How the command line has a field: its option, and the letter that an option of a ruleset has for short."""
    short = OPTIONS[name].letter if name in OPTIONS else ""
    return [option(name), *[f"-{short}"] * bool(short)]


def value_of(name: str, text: str) -> Any:
    """The value of an option's text; the text itself where it is none, for `make_plan` to refuse."""
    field = Plan.model_fields.get(name)
    try:
        return text if field is None else TypeAdapter(field.annotation).validate_strings(text)
    except ValidationError:
        return text


def text_of(value: Any) -> str:
    """A value as the text of an option."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def given_options(texts: Sequence[str]) -> dict[str, str]:
    """Options that are given as "name=value", or "--name=value". Raises PlanError where one is not, or a name comes twice."""
    values: dict[str, str] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        name = name.strip().removeprefix("--").replace("-", "_")
        if not sign or not name or name in values:
            raise PlanError(f"{text!r:.200}: expected NAME=VALUE, each name once")
        values[name] = value
    return values


def choices(name: str) -> tuple[str, ...]:
    """The texts that a field takes, where these are few; else none."""
    annotation = Plan.model_fields[name].annotation
    types = [annotation, *get_args(annotation)]  # bool, Literal, Literal | None, or bool | Literal
    truth = ("true", "false") if bool in types else ()
    return truth + tuple(text for one in types for text in get_args(one) if isinstance(text, str))


def metavar(name: str) -> str:
    """What stands for a field's value in the help of its option; where its choices are many, `expected` lists them."""
    annotation: Any = Plan.model_fields[name].annotation
    if name in OPTIONS and bool in OPTIONS[name].types:
        return "|".join(map(str, OPTIONS[name].words))  # as in every command that has the option
    words = "|".join(choices(name)) or {int: "WHOLE", float: "NUMBER"}.get(annotation, "TEXT")
    return words if len(words) <= LONGEST_METAVAR else "TEXT"


def described(name: str) -> str:
    """What a field means; of a text also what it is to be."""
    field = Plan.model_fields[name]
    return "; ".join([str(field.description), *_words(name)])


def _words(name: str) -> list[str]:
    return [part for part in Plan.model_fields[name].metadata if isinstance(part, str)]


def expected(name: str) -> str:
    """What values a field takes, in words."""
    if choices(name):
        return f"one of {', '.join(choices(name))}"
    field = Plan.model_fields[name]
    if _words(name):
        return _words(name)[0]
    if field.annotation is str:
        return "a text"
    limits: dict[str, Any] = {}
    for part in field.metadata:
        limits |= {key: getattr(part, key) for key in ("ge", "gt", "le", "lt") if hasattr(part, key)}
    words = {"ge": "at least", "gt": "above", "le": "at most", "lt": "below"}
    text = " and ".join(f"{words[key]} {limit:,}" for key, limit in limits.items())
    return f"a {'whole ' if field.annotation is int else ''}number, {text}"


def _in_toml(value: Any) -> str:
    """A plain value: as in JSON, but that TOML has no pairs of surrogates and writes no delete character as it is."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def toml_of(plan: Plan) -> str:
    """A plan as a file for `hansa_training.plan_file.read_toml`."""
    lines = []
    for name in Plan.model_fields:
        value = getattr(plan, name)
        lines.append(f"# {described(name)}")
        lines.append(f"# {name} =" if value is None else f"{name} = {_in_toml(value)}")
    return "\n".join(lines) + "\n"
