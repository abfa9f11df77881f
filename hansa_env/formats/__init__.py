"""Positions and records as JSON data, checked at one gate before anything is made of them.

from hansa_env.formats import PositionError, read_position_data
"""

from hansa_env.formats.errors import FormatError, PositionError, RecordError
from hansa_env.formats.read import read_position_data, read_record_data
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
