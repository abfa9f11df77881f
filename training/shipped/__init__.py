"""The trained agents that come with the project: `N-players.safetensors`, and beside each a card that says what it is; of
other games `N-players-BOARD.safetensors`, with edition and modules behind the board. For all that have none of their own there
may be `shared.safetensors`, weights that rulesets share."""

from __future__ import annotations

from importlib.resources import files

from hansa_env import Ruleset
from hansa_env.ruleset_options import words_of
from hansa_training.errors import ModelError

FOLDER = files("hansa_training") / "shipped"
#: Versions of the project whose agents still come with it, so that later ones can be measured against them.
EARLIER = ("0.2",)
#: The weights for rulesets without an agent of their own.
SHARED = "shared.safetensors"


def stem(ruleset: Ruleset) -> str:
    """What the files of the agent for a ruleset are called."""
    if ruleset.base_game:
        return f"{ruleset.players}-players"
    modules = [name for name in ("missions", "favours", "promos") if getattr(ruleset, name)]
    edition = [ruleset.edition] if ruleset.edition == "bigbox" else []
    return "-".join([f"{ruleset.players}-players", str(ruleset.board), *edition, *modules])


def shipped_model(ruleset: Ruleset, version: str = "") -> tuple[str, bytes]:
    """Name and content of the model file that comes with the project for a ruleset: today's, or that of an earlier version.

    Raises:
        ModelError: there is none.
    """
    place = FOLDER / f"{version}{'-' if version else ''}{stem(ruleset)}.safetensors"
    if not place.is_file() and version:
        raise ModelError(f"version {version} had no trained agent for {ruleset}")
    if not place.is_file() and not version:
        place = FOLDER / SHARED
    if not place.is_file():
        raise ModelError(f"no trained agent for {ruleset} comes with this version; train one: hansa train {words_of(ruleset)}")
    return str(place), place.read_bytes()
