"""What an exported network says of itself, in the metadata of its ONNX file."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import ValidationError

from hansa_env import AgentError, Ruleset
from hansa_env.engine.action_space import fingerprint
from hansa_env.engine.view.observation import observation_fingerprint
from hansa_env.formats.fields import Strictly
from hansa_env.formats.json_text import JsonError, parse_json
from hansa_env.play.errors import said

FORMAT: Literal["hansa-onnx/1"] = "hansa-onnx/1"
#: The entry of the metadata.
KEY = "hansa"
OBSERVATIONS, MASKS = "observations", "masks"
LOGITS, POLICY, VALUE = "logits", "policy", "value"


class Description(Strictly):
    """The game that a network plays, and the hash of its weights."""

    format: Literal["hansa-onnx/1"]
    ruleset: dict[str, Any]
    fingerprint: str
    observation_fingerprint: str
    weights: str


def describe(ruleset: Ruleset, weights: str) -> Description:
    """The description of a network that plays a ruleset, by the hash of its weights."""
    return Description(
        format=FORMAT,
        ruleset=ruleset.config,
        fingerprint=fingerprint(ruleset),
        observation_fingerprint=observation_fingerprint(ruleset),
        weights=weights,
    )


def checked(name: str, text: str | None, ruleset: Ruleset) -> Description:
    """What a file of that name says, where it fits a ruleset. Raises AgentError."""
    if text is None:
        raise AgentError(f"{name}: has no description; expected a file of `hansa export`")
    try:
        found = Description.model_validate(parse_json(text, "description"))
    except (JsonError, ValidationError) as error:
        raise AgentError(f"{name}: its description cannot be read ({said(error):.300})") from error
    if found.fingerprint != fingerprint(ruleset):
        raise AgentError(f"{name}: was made for {found.ruleset!s:.200}, not {ruleset.config}: actions have other meanings")
    if found.observation_fingerprint != observation_fingerprint(ruleset):
        raise AgentError(f"{name}: was made for another version of the observation vector; export it anew with this version")
    return found
