"""How games of strong agents begin: `hansa openings` plays them and writes a file, which `hansa table` shows."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path


def published() -> list[Path]:
    """The files that come with the project, for the entry point `hansa_env.openings`."""
    return sorted(Path(str(file)) for file in files(__name__).iterdir() if file.name.endswith(".jsonl.gz"))
