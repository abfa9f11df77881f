"""The trained agents that come with the project: `N-players.safetensors`, and beside each a card that says what it is; of
boards beside those of the base game `N-players-BOARD.safetensors`."""

from __future__ import annotations

from importlib.resources import files

from hansa_env import Ruleset
from hansa_training.errors import ModelError

FOLDER = files("hansa_training") / "shipped"


def stem(ruleset: Ruleset) -> str:
    """What the files of the agent for a ruleset are called."""
    return f"{ruleset.players}-players" + ("" if ruleset.base_game else f"-{ruleset.board}")


def shipped_model(ruleset: Ruleset) -> tuple[str, bytes]:
    """Name and content of the model file that comes with the project for so many players. Raises `ModelError`."""
    place = FOLDER / f"{stem(ruleset)}.safetensors"
    if not place.is_file():
        board, words = ("", "") if ruleset.base_game else (f" on the board {ruleset.board}", f" --board {ruleset.board}")
        raise ModelError(
            f"no trained agent for {ruleset.players} players{board} comes with this version; train one: "
            f"hansa train --players {ruleset.players}{words}"
        )
    return str(place), place.read_bytes()
