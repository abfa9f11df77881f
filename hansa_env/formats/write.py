"""Records as JSON text that people can read and compare: a field a line, of decisions and estimates an entry a line."""

from __future__ import annotations

import json

_BY_LINE = ("decisions", "estimates")


def record_text(record: dict) -> str:
    """The text of a record (`Game.record()`), with a line break at its end."""
    fields = []
    for name, value in record.items():
        text = json.dumps(value, ensure_ascii=False)
        if name in _BY_LINE and value:
            lines = ",\n".join(f"  {json.dumps(entry, ensure_ascii=False)}" for entry in value)
            text = f"[\n{lines}\n ]"
        fields.append(f" {json.dumps(name)}: {text}")
    return "{\n" + ",\n".join(fields) + "\n}\n"
