"""The command `hansa blend`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hansa_agents.command_options import how_to_let_play
from hansa_env.commands.output import one_line_errors
from hansa_env.formats.file_writing import write_whole
from hansa_env.formats.outputs import WEIGHTS, check_outputs


def blend(
    models: Annotated[
        list[str], typer.Argument(help="MODEL=SHARE for each: a model file, a run's folder, or ppo; shares sum to 1")
    ],
    out: Annotated[Path, typer.Option(help="model file to write")],
) -> None:
    """Write the mean of networks that began as the same one: hansa blend runs/a=0.7 runs/b=0.3 --out mine.safetensors.

    A specialist and the network that it was made from often make a network that is as good as either at what each does best.
    """
    with one_line_errors():
        from hansa_agents.networks.run_models import MODEL
        from hansa_training.blend import blended, parse_share

        shares = [parse_share(one) for one in models]
        check_outputs({"--out": (WEIGHTS, out)}, [file for model, _ in shares for file in (model, model / MODEL)])
        data, ruleset = blended(shares)
        write_whole(out, data)
    typer.echo(f"{out}: {len(data) / 1e6:.2f} MB; {how_to_let_play(f'ppo:{out}', ruleset)}")
