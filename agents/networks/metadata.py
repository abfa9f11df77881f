"""What a model file says of itself: one entry of its metadata, JSON, in the header of the safetensors format."""

from __future__ import annotations

from typing import Any, Literal

from hansa_env import Ruleset
from hansa_env.engine.action_space import fingerprint, num_actions
from hansa_env.engine.view.observation import observation_fingerprint, observation_size
from hansa_env.formats.json_text import JsonError, parse_json
from hansa_env.formats.other_files import other_kind

#: The entry of the metadata.
KEY = "hansa"
#: What it says that a file is: the network of one ruleset.
FORMAT: Literal["hansa-model/1"] = "hansa-model/1"
#: Bytes of a model file; those of this project's largest network are a hundredth of it.
LARGEST = 2**30
#: The widths in the description of a `board` network, and how wide a layer of any network may be.
WIDTHS, WIDEST = ("global", "route", "city", "route_summary", "city_summary"), 8192


class NoModel(ValueError):
    """It is no model file; says what else it is, where that is known."""


def description_in(data: bytes) -> Any:
    """The description in a model file's bytes, as it stands there.

    Raises ValueError, KeyError, TypeError: there is none. NoModel: not even the header that it stands in.
    """
    length = int.from_bytes(data[:8], "little")
    try:
        header = parse_json(data[8 : 8 + length], "header")
    except JsonError as error:
        raise NoModel(other_kind(data) or f"cannot be read as a model ({error})") from error
    return parse_json(header["__metadata__"][KEY], "description")


def described(ruleset: Ruleset, network: dict[str, Any]) -> dict[str, Any]:
    """What a file says of a network that plays a ruleset."""
    return {
        "format": FORMAT, "ruleset": ruleset.config, "fingerprint": fingerprint(ruleset),
        "observation_fingerprint": observation_fingerprint(ruleset), "actions": num_actions(ruleset),
        "observation": observation_size(ruleset), "network": network,
    }  # fmt: skip
