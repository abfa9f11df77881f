"""Makes the files by which `lookahead` and `tree` play: `python -m hansa_training.without_torch`.

They hold the trained networks that come with the project, in half precision, as compiled code reads them without torch. The
same networks give the same files.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
import typer

from hansa_agents.search.network import FOLDER, Network, fingerprints
from hansa_env import Ruleset
from hansa_training.agent import load_player
from hansa_training.errors import ModelError
from hansa_training.networks.board import ActionHead, BoardFeatures, ValueHead

#: Whose networks they are. The ladder's games of `tree` and `lookahead` were played with these; they change together.
VERSION = "0.2"


def network_from(ruleset: Ruleset) -> Network:
    """The network of that version for a ruleset. Raises `ModelError`."""
    policy = load_player(Path(VERSION), ruleset)
    board, value, head = policy.features_extractor, policy.value_net, policy.action_net
    if type(board) is not BoardFeatures or not isinstance(value, ValueHead) or not isinstance(head, ActionHead):
        raise ModelError(f"the network for {ruleset.players} players is no `board`; only one of these is compiled")
    if board.places is not None:
        raise ModelError(f"the board of {ruleset} has posts for ships, which the compiled network does not know")
    parts: dict[str, torch.nn.Module] = {"": board, "value.": value, "head.": head}
    weights = {
        part + name: tensor.detach().numpy().astype(np.float64)
        for part, module in parts.items() for name, tensor in module.state_dict(keep_vars=True).items()
    }  # fmt: skip
    scale = board.scale.numpy().astype(np.float64)
    of_routes, of_cities = scale[board.first_route : board.first_city], scale[board.first_city :]
    of_route, of_city = _common(of_routes, board.route_columns), _common(of_cities, board.city_columns)
    summaries = board.routes * len(weights["route_summary.weight"])
    of_board = weights["context_board.weight"].T
    biases = [np.tile(weights["route_summary.bias"], board.routes), np.tile(weights["city_summary.bias"], board.cities)]
    route_in = weights["route_in.weight"].T
    return Network(
        city_in=of_city * weights["city_in.weight"].T,
        city_own=weights["city_own"].reshape(board.cities, -1),
        route_in=of_route * route_in[: board.route_columns],
        route_city=of_city * route_in[board.route_columns :],
        route_own=weights["route_own"].reshape(board.routes, -1),
        city_summary=weights["city_summary.weight"].T,
        route_summary=weights["route_summary.weight"].T,
        context_in=scale[: board.first_route, None] * weights["context_in.weight"].T,
        context_route=of_board[:summaries],
        context_city=of_board[summaries:],
        context_own=weights["context_in.bias"] + np.concatenate(biases) @ of_board,
        context_out=weights["context_out.weight"].T,
        context_out_own=weights["context_out.bias"],
        value_first=weights["value.first.weight"].T,
        value_first_own=weights["value.first.bias"],
        value_last=weights["value.last.weight"][0],
        value_last_own=weights["value.last.bias"],
        route_out=weights["route_out.weight"].T,
        route_context=weights["route_context.weight"].T,
        route_context_own=weights["route_context.bias"],
        route_logits=weights["route_logits.weight"].T,
        route_logits_own=weights["route_logits.bias"],
        city_out=weights["city_out.weight"].T,
        city_context=weights["city_context.weight"].T,
        city_context_own=weights["city_context.bias"],
        city_logit=weights["city_logits.weight"].T,
        city_logit_own=weights["city_logits.bias"],
        other_logits=weights["head.others.weight"].T,
        other_logits_own=weights["head.others.bias"],
    )


def _common(scale: np.ndarray, columns: int) -> np.ndarray:
    """The scale (columns, 1) that all rows of a block share, as they do their weights."""
    scale = scale.reshape(columns, -1)
    assert (scale == scale[:, :1]).all(), "rows of a block have one scale"
    return scale[:, :1]


def write_network(ruleset: Ruleset, folder: Path) -> Path:
    """Write the file for a ruleset into a folder, and say which it is. Raises `ModelError`, OSError."""
    network = {name: layer.astype(np.float16) for name, layer in network_from(ruleset)._asdict().items()}
    path = folder / f"{ruleset.players}-players.npz"
    np.savez_compressed(path, fingerprints=np.array(fingerprints(ruleset)), **network)
    return path


def main() -> None:
    """Make the files of `hansa_agents.search.networks` from the trained networks of `hansa_training.shipped`."""
    for players in range(2, 6):
        path = write_network(Ruleset(players), Path(str(FOLDER)))
        typer.echo(f"{path}: {path.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    typer.run(main)
