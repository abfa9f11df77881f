"""Styles of the scripted player: what somebody who plays like that thinks things are worth.

Each is a file in `styles/`: `about`, the style in words, and the `weights` in which it differs from `greedy`.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from hansa_env.play.errors import AgentError

_FOLDER = files("hansa_agents.scripted") / "styles"


@dataclass(frozen=True)
class Style:
    """Attributes: name; about, in words; weights, by the names of `entry_names`."""

    name: str
    about: str
    weights: dict[str, float]


def style_names() -> list[str]:
    """The names of the styles, sorted."""
    return sorted(one.name.removesuffix(".toml") for one in _FOLDER.iterdir() if one.name.endswith(".toml"))


@cache
def style(name: str) -> Style:
    """A style by its name. Raises AgentError."""
    if name not in style_names():
        raise AgentError(f"unknown style {name!r}; expected scripted:STYLE, one of {', '.join(style_names())}")
    content = tomllib.loads((_FOLDER / f"{name}.toml").read_text("utf-8"))
    return Style(name, content["about"], content["weights"])
