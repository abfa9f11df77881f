"""The plans that come with the project, by name: `hansa train --config three`."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

FOLDER = Path(str(files("hansa_training"))) / "configs"


def config_names() -> list[str]:
    """What plans there are, sorted."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def config_file(given: Path) -> Path:
    """The file that is meant: the one given, or where there is none and a plan is called so, that plan's."""
    return FOLDER / f"{given}.toml" if str(given) in config_names() and not given.is_file() else given
