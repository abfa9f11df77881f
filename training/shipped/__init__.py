"""The trained agents that come with the project: `N-players.safetensors`, and beside each a card that says what it is."""

from __future__ import annotations

from importlib.resources import files

from hansa_env import Ruleset
from hansa_training.errors import ModelError

FOLDER = files("hansa_training") / "shipped"


def shipped_model(ruleset: Ruleset) -> tuple[str, bytes]:
    """Name and content of the model file that comes with the project for so many players. Raises `ModelError`."""
    place = FOLDER / f"{ruleset.players}-players.safetensors"
    if not place.is_file():
        raise ModelError(f"no trained agent for {ruleset.players} players comes with this version; train one: hansa train")
    return str(place), place.read_bytes()
