"""The rows of questions, found by number, by name, or by name and action under way."""

from __future__ import annotations

from functools import cache

from hansa_env.formats.description import Description
from hansa_env.formats.descriptions import DESCRIPTIONS

OVER = "over"
#: The names of questions, and that of the end.
NAMES = (*dict.fromkeys(one.name for one in DESCRIPTIONS), OVER)
#: The verbs of actions under way.
VERBS = tuple(dict.fromkeys(one.verb for one in DESCRIPTIONS if one.verb is not None))


@cache
def by_number() -> dict[int, Description]:
    """The rows by number."""
    return {one.number: one for one in DESCRIPTIONS}


def is_in_turn(number: int) -> bool:
    """Whether the question of a number is asked within a turn; the end is not, nor what is asked between turns."""
    row = by_number().get(number)
    return row is not None and not row.between_turns


@cache
def rows_named(name: str) -> tuple[Description, ...]:
    """The rows of the questions of one name; none for "over"."""
    return tuple(one for one in DESCRIPTIONS if one.name == name)


@cache
def row_within(name: str, verb: str | None) -> Description | None:
    """The row of a question by its name and the verb of the action under way; None where no such action asks it."""
    return next((one for one in rows_named(name) if one.verb == verb), None)


@cache
def phrases_of(name: str) -> dict[str, str]:
    """The phrases of all questions of one name, which agree."""
    return {word: phrase for one in rows_named(name) for word, phrase in one.phrases.items()}


@cache
def goes_on(name: str) -> bool:
    """Whether answers to the questions of a name go on in the sentence of the decision before."""
    return any(one.goes_on for one in rows_named(name))


@cache
def stage_of(name: str) -> Description | None:
    """The row of questions of a name whose answers are offered together with the decision before; None where they are not."""
    return next((one for one in rows_named(name) if one.staged is not None), None)
