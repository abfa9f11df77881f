"""Makes the files by which `lookahead` and `tree` play: `python -m hansa_training.without_torch`.

They hold the trained networks that come with the project, in half precision, as compiled code reads them without torch. The
same networks give the same files.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
import typer

from hansa_agents.search.network import FOLDER, SHARED, Network, fingerprints, network_from
from hansa_env import Ruleset
from hansa_env.engine.view.observation import OBSERVATION_VERSION
from hansa_training.agent import load_player
from hansa_training.errors import ModelError
from hansa_training.model_file import read_shared
from hansa_training.networks.board import ActionHead, BoardFeatures, ValueHead
from hansa_training.shipped import SHARED_PLAYERS, shared_file

#: Whose networks they are. The ladder's games of `tree` and `lookahead` were played with these; they change together.
VERSION = "0.2"


def network_of_version(ruleset: Ruleset) -> Network:
    """The network of that version for a ruleset. Raises `ModelError`."""
    policy = load_player(Path(VERSION), ruleset)
    board, value, head = policy.features_extractor, policy.value_net, policy.action_net
    if type(board) is not BoardFeatures or not isinstance(value, ValueHead) or not isinstance(head, ActionHead):
        raise ModelError(f"the network for {ruleset.players} players is no `board`; only one of these is compiled")
    parts: dict[str, torch.nn.Module] = {"": board, "value.": value, "head.": head}
    weights = {
        part + name: tensor.detach().numpy()
        for part, module in parts.items() for name, tensor in module.state_dict(keep_vars=True).items()
    }  # fmt: skip
    return network_from(weights, ruleset)


def write_network(ruleset: Ruleset, folder: Path) -> Path:
    """Write the file for a ruleset into a folder, and say which it is. Raises `ModelError`, OSError."""
    network: dict[str, Any] = {name: layer.astype(np.float16) for name, layer in network_of_version(ruleset)._asdict().items()}
    del network["route_actions"]  # follows from the ruleset
    path = folder / f"{ruleset.players}-players.npz"
    np.savez_compressed(path, fingerprints=np.array(fingerprints(ruleset)), **network)
    return path


def write_shared(folder: Path) -> Path:
    """Write the file of the weights that rulesets share into a folder, and say which it is. Raises `ModelError`, OSError."""
    file = shared_file()
    shared = read_shared(file.read_bytes(), str(file))
    if shared is None:
        raise ModelError(f"{file}: is a network of one ruleset; expected weights that rulesets share")
    weights = {name: one.numpy().astype(np.float16) for name, one in shared.weights.items()}
    path = folder / SHARED
    names = np.array(json.dumps(shared.description.names))
    version, players = np.array(OBSERVATION_VERSION), np.array(SHARED_PLAYERS)
    kept: dict[str, Any] = {"names": names, "observation_version": version, "players": players, **weights}
    np.savez_compressed(path, **kept)
    return path


def main() -> None:
    """Make the files of `hansa_agents.search.networks` from the trained networks of `hansa_training.shipped`."""
    for players in range(2, 6):
        path = write_network(Ruleset(players), Path(str(FOLDER)))
        typer.echo(f"{path}: {path.stat().st_size / 1e3:.0f} kB")
    if not shared_file().is_file():
        return
    path = write_shared(Path(str(FOLDER)))
    typer.echo(f"{path}: {path.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    typer.run(main)
