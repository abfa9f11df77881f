"""The command `hansa export`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hansa_agents.command_options import how_to_let_play
from hansa_env.commands import options
from hansa_env.commands.output import one_line_errors
from hansa_env.commands.progress import late
from hansa_env.formats.outputs import ONNX, check_outputs
from hansa_env.play.specs import TRUST
from hansa_env.ruleset import Ruleset


@options.with_ruleset
def export(
    model: Annotated[
        str,
        typer.Argument(
            help="a model file, a run's folder or a version, as after `ppo:`; `ppo`: the first network of the project"
        ),
    ],
    onnx: Annotated[Path, typer.Option(help="file to write")],
    ruleset: Ruleset | None = None,
) -> None:
    """Write a trained network as ONNX: hansa export runs/ppo --onnx mine.onnx; then onnx:mine.onnx is an agent.

    It is exported for the game that it was trained for, unless you name another. Batches of any size, masks as an input; out
    come masked logits, the policy and the value.
    """
    with one_line_errors():
        from hansa_agents.networks.run_models import MODEL
        from hansa_agents.networks.spec import weights_named
        from hansa_training.export import export as write
        from hansa_training.export import game_of

        name = weights_named(model).removesuffix(f":{TRUST}")
        check_outputs({"--onnx": (ONNX, onnx)}, [Path(name), Path(name) / MODEL])
        model_path = None if name == "ppo" else Path(name)
        game = ruleset or game_of(model_path)
        with late("networks written as ONNX", 1):
            size = write(model_path, game, onnx)
    typer.echo(f"{onnx}: {size / 1e6:.2f} MB; {how_to_let_play(f'onnx:{onnx}', game)}")
