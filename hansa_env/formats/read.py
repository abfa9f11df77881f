"""The gate for positions and records from outside: schema, ruleset, board and rules, in this order.

What comes through has the types of `schema.py` and holds every invariant of `invariants/`, so an engine may be set from it.
The rest is left to the engine: that the question can be answered, and `legal`, where given, is what it finds
(`read_position.py`), and in a record that the decisions are legal and come to `result`.
"""

from __future__ import annotations

from typing import Any

from hansa_env.formats.crowds import refuse_crowds
from hansa_env.formats.errors import FormatError, PositionError, RecordError, shown
from hansa_env.formats.explain import checked
from hansa_env.formats.invariants import broken
from hansa_env.formats.json_text import JsonError, parse_json
from hansa_env.formats.modules import modules_of
from hansa_env.formats.position_on_board import Table
from hansa_env.formats.schema import POSITIONS, RECORDS, Config, PositionModel, RecordModel, Setup
from hansa_env.formats.shape import position_shape, record_shape, setup_is_dealt
from hansa_env.ruleset import Ruleset, RulesetError

#: The lists of a record that grow with the game.
_BY_DECISION = ("decisions", "estimates")


def checked_position(data: dict | str, composed: bool) -> tuple[Ruleset, PositionModel]:
    """A position that an engine may be set from. Raises PositionError."""
    position = _validated(data, POSITIONS, "position", PositionError)
    ruleset = _ruleset(position, PositionError)
    _refuse(list(position_shape(position, ruleset)), PositionError)
    _refuse(broken(Table(position, ruleset), composed), PositionError)
    return ruleset, position


def read_record_data(data: dict | str) -> tuple[Ruleset, RecordModel]:
    """A record, `hansa-record/1`, as JSON text or the object that it says; its decisions are not replayed.

    Raises:
        RecordError: it is not of the format, or its setup is none of its edition; names fields and what was expected.
    """
    record = _validated(data, RECORDS, "record", RecordError)
    ruleset = _ruleset(record, RecordError)
    _refuse(list(record_shape(record, ruleset)), RecordError)
    return ruleset, record


def checked_setup(ruleset: Ruleset, setup: dict) -> dict:
    """The `setup` of a record for a ruleset. Raises RecordError: it is not of the form, or none of the edition's."""
    if not isinstance(setup, dict):
        raise RecordError(f"a setup is an object, not {shown(setup)}")
    try:
        refuse_crowds(setup)
        model = checked(Setup, setup)
    except FormatError as found:
        raise RecordError(*found.problems) from None
    _refuse(list(setup_is_dealt(model, ruleset)), RecordError)
    return model.model_dump(exclude_unset=True)


def _validated(data: dict | str, models: dict, thing: str, error: type[FormatError]) -> Any:
    if isinstance(data, str):
        data = _parsed(data, thing, error)
    if not isinstance(data, dict):
        raise error(f"a {thing} is an object, not {shown(data)}")
    name = data.get("format")
    if not isinstance(name, str) or name not in models:
        raise error(f"format: {shown(name)}; expected {' or '.join(models)}")
    try:
        refuse_crowds(data, _BY_DECISION)
        return checked(models[name], data)
    except FormatError as found:
        raise error(*found.problems) from None


def _parsed(text: str, thing: str, error: type[FormatError]) -> Any:
    try:
        return parse_json(text, thing)
    except JsonError as found:
        raise error(str(found)) from None


def _ruleset(config: Config, error: type[FormatError]) -> Ruleset:
    try:
        return Ruleset(config.players, config.edition, config.two_players, config.board, **modules_of(config))
    except RulesetError as found:
        raise error(str(found)) from None


def _refuse(found: list[str], error: type[FormatError]) -> None:
    if found:
        raise error(*found)
