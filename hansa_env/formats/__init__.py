"""Positions and records as JSON data, checked at one gate before anything is made of them.

from hansa_env.formats import PositionError, read_position_data
"""

from importlib import import_module
from typing import TYPE_CHECKING

from hansa_env.formats.errors import FormatError, PositionError, RecordError

if TYPE_CHECKING:
    from hansa_env.formats.read import read_record_data
    from hansa_env.formats.read_position import read_position_data
    from hansa_env.formats.schema import ActionModel, PositionModel, RecordModel

__all__ = [
    "ActionModel",
    "FormatError",
    "PositionError",
    "PositionModel",
    "RecordError",
    "RecordModel",
    "read_position_data",
    "read_record_data",
]

#: What needs the models of the formats, which take half a second to make: who only plays does without them.
_LATER = {"read_position_data": "read_position", "read_record_data": "read"}
_LATER |= dict.fromkeys(("ActionModel", "PositionModel", "RecordModel"), "schema")

if not TYPE_CHECKING:  # to a type checker any name would be there

    def __getattr__(name: str) -> object:
        """What is imported when it is first asked for."""
        if name not in _LATER:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = globals()[name] = getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
        return found
