"""What a model file says of itself: one entry of its metadata, JSON, in the header of the safetensors format."""

from __future__ import annotations

from typing import Any

from hansa_env.formats.json_text import parse_json

#: The entry of the metadata.
KEY = "hansa"


def description_in(data: bytes) -> Any:
    """The description in a model file's bytes, as it stands there. Raises ValueError, KeyError, TypeError: there is none."""
    length = int.from_bytes(data[:8], "little")
    header = parse_json(data[8 : 8 + length], "header")
    return parse_json(header["__metadata__"][KEY], "description")
