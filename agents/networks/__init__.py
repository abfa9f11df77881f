"""The trained networks that come with the project, each with a card that says what it is and how it was made.

`N-players.safetensors` plays the base game of N players; `N-players-BOARD.safetensors` and so on, with edition and modules
behind the board, another game; with `0.2-` or `narrow-` in front, a network that others are measured against. A game without a
network of its own is played by the one that knows most of it (`carry`). Some games have further networks, `NAME.2` and so on:
the agent `ppo` draws one of all for each seat of each game, while searches think with the first.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, NamedTuple

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load

from hansa_agents.model_hash import hash_of_arrays
from hansa_agents.networks.carry import FEATURES, carried, likeness
from hansa_agents.networks.metadata import description_in
from hansa_env import Ruleset
from hansa_env.play.errors import AgentError, said
from hansa_env.ruleset_options import words_apart, words_of

FOLDER = files("hansa_agents.networks")
#: Networks against which others are measured: early ones of version 0.2, and for four and five players earlier agents,
#: which are half as wide as today's and did not begin as those did.
YARDSTICKS = ("0.2", "narrow")
SUFFIX = ".safetensors"
_FURTHER = re.compile(rf"[.][0-9]+{re.escape(SUFFIX)}$")
#: What Stable-Baselines3 puts before the name of a weight that policy and value share: it has each under all of these.
_SHARED = ("", "pi_", "vf_")


class Shipped(NamedTuple):
    """A network that comes with the project, as it plays a game.

    Attributes:
        name: of its file.
        ruleset: that it was trained for.
        network: its description, as in `hansa_training.sizes`.
        weights: by the names of `hansa_training.networks.weights_of`, float32.
    """

    name: str
    ruleset: Ruleset
    network: dict[str, Any]
    weights: dict[str, np.ndarray]

    def weights_for(self, ruleset: Ruleset) -> dict[str, np.ndarray]:
        """The weights as they play a ruleset: carried over where they were trained for another."""
        return self.weights if self.ruleset == ruleset else carried(self.weights, self.ruleset, ruleset)

    @property
    def model_hash(self) -> str:
        """That of the agent `ppo` that plays by these weights, without PyTorch."""
        names = {name: _SHARED if name.startswith(FEATURES) else ("",) for name in self.weights}
        return hash_of_arrays({whose + name: self.weights[name] for name, those in names.items() for whose in those})


def stem(ruleset: Ruleset) -> str:
    """What the files of the network for a ruleset are called."""
    return "-".join([f"{ruleset.players}-players", *words_apart(ruleset)])


@cache
def network_for(ruleset: Ruleset, yardstick: str = "") -> Shipped:
    """The network that plays a ruleset: its own, or that of the game most like it, whose weights are carried over.

    Args:
        yardstick: "" for today's, or one of YARDSTICKS.

    Raises:
        AgentError: there is none, or its file is broken.
    """
    some = [one for one in _networks(yardstick, ruleset.players) if not ruleset.board_data.miniature]
    best = max(some, key=lambda one: (one.ruleset == ruleset, likeness(one.ruleset, ruleset), -len(one.name)), default=None)
    if best is None:
        called = f" as {yardstick!r}" if yardstick else ""
        how = f"train one: hansa train {words_of(ruleset)}"
        raise AgentError(f"no trained agent for {ruleset} comes with this version{called}; {how}")
    return best._replace(weights=best.weights_for(ruleset))


@cache
def networks_for(ruleset: Ruleset) -> tuple[Shipped, ...]:
    """The networks of today among which the agent `ppo` draws, that of `network_for` first. Raises AgentError as that does."""
    first = network_for(ruleset)
    found = [first]
    while (file := FOLDER / further(first.name.removesuffix(SUFFIX), len(found) + 1)).is_file():
        one = _read(file)
        found.append(one._replace(weights=one.weights_for(ruleset)))
    return tuple(found)


def further(stem: str, number: int) -> str:
    """The name of the file of a network of a game, by number; the first is 1."""
    return f"{stem}{SUFFIX}" if number == 1 else f"{stem}.{number}{SUFFIX}"


@cache
def _networks(yardstick: str, players: int) -> list[Shipped]:
    """The first ones of that name, or of today, for a number of players. Raises AgentError where a file is broken."""
    first = f"{yardstick}-" * bool(yardstick) + f"{players}-players"
    names = sorted(file.name for file in FOLDER.iterdir() if file.name.startswith(first) and file.name.endswith(SUFFIX))
    return [_read(FOLDER / name) for name in names if not _FURTHER.search(name)]


def _read(file: Traversable) -> Shipped:
    try:
        data = file.read_bytes()
        about = description_in(data)
        return Shipped(file.name, Ruleset.from_config(about["ruleset"]), about["network"], load(data))
    except (OSError, ValueError, KeyError, TypeError, SafetensorError) as error:
        raise AgentError(f"{file} is broken ({said(error):.200}); install the project again") from error
