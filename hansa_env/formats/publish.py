"""Writes the JSON Schema files of `schemas/` from the models: `python -m hansa_env.formats.publish`."""

from __future__ import annotations

from pathlib import Path

from hansa_env.formats.file_writing import write_json
from hansa_env.formats.schema import json_schemas


def write_schemas(folder: Path) -> None:
    """Write every JSON Schema into a folder."""
    for name, schema in json_schemas().items():
        write_json(folder / name, schema)


if __name__ == "__main__":
    write_schemas(Path(__file__).parent / "schemas")
