"""Makes the files with which `lookahead` judges positions: `python -m hansa_training.evaluation`.

They hold what the trained networks that come with the project need for their value, in half precision, without torch. The
same networks give the same files.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import typer

from hansa_agents.search.evaluation import FOLDER, Evaluation, fingerprints
from hansa_env import Ruleset
from hansa_training.agent import load_player
from hansa_training.errors import ModelError
from hansa_training.networks.board import BoardFeatures, ValueHead


def evaluation_from(ruleset: Ruleset) -> Evaluation:
    """What `evaluate` needs of the network that comes with the project for a ruleset. Raises `ModelError`."""
    policy = load_player(None, ruleset)
    board, value = policy.features_extractor, policy.value_net
    if type(board) is not BoardFeatures or not isinstance(value, ValueHead):
        raise ModelError(f"the network for {ruleset.players} players is no `board`; an evaluation is made of one")
    named = [*board.state_dict(keep_vars=True).items(), *value.state_dict(keep_vars=True).items()]
    weights = {name: tensor.detach().numpy().astype(np.float64) for name, tensor in named}
    scale = board.scale.numpy().astype(np.float64)
    of_routes, of_cities = scale[board.first_route : board.first_city], scale[board.first_city :]
    of_route = of_routes.reshape(board.route_columns, board.routes)[:, :1]  # one for all routes, since they share weights
    of_city = of_cities.reshape(board.city_columns, board.cities)[:, :1]
    summaries = board.routes * len(weights["route_summary.weight"])
    of_board = weights["context_board.weight"].T
    biases = [np.tile(weights["route_summary.bias"], board.routes), np.tile(weights["city_summary.bias"], board.cities)]
    route_in = weights["route_in.weight"].T
    return Evaluation(
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
        second=weights["context_out.weight"].T,
        second_own=weights["context_out.bias"],
        third=weights["first.weight"].T,
        third_own=weights["first.bias"],
        last=weights["last.weight"][0],
        last_own=weights["last.bias"],
    )


def write_evaluation(ruleset: Ruleset, folder: Path) -> Path:
    """Write the file for a ruleset into a folder, and say which it is. Raises `ModelError`, OSError."""
    network = {name: layer.astype(np.float16) for name, layer in evaluation_from(ruleset)._asdict().items()}
    path = folder / f"{ruleset.players}-players.npz"
    np.savez_compressed(path, fingerprints=np.array(fingerprints(ruleset)), **network)
    return path


def main() -> None:
    """Make the files of `hansa_agents.search.evaluations` from the trained networks of `hansa_training.shipped`."""
    for players in range(2, 6):
        path = write_evaluation(Ruleset(players), Path(str(FOLDER)))
        typer.echo(f"{path}: {path.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    typer.run(main)
