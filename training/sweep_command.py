"""Several runs from the command line: `hansa sweep`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hansa_env.commands.ending import GOES_ON, going_on
from hansa_env.commands.output import end_with, one_line_errors, print_table
from hansa_env.commands.progress import progress_on
from hansa_env.formats.outputs import check_folder


def sweep(
    options: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME=VALUE,VALUE...",
            help="options of hansa train; seed=0..9 is ten seeds; a value with commas stands in double quotes",
        ),
    ],
    folder: Annotated[Path, typer.Option(help="folder for all runs; the same command continues them")] = Path("runs/sweep"),
    config: Annotated[
        Path | None, typer.Option(help="plan for all runs, as for hansa train; config=ONE,OTHER compares plans")
    ] = None,
) -> None:
    """Train with every combination of options, one run after another: hansa sweep seed=0..9 ent_coef=0.01,0.02.

    hansa sweep config=ONE,OTHER minutes=5 compares two plans that play and learn for five minutes each.

    The table at the end, also in sweep.json of the folder, has the mean over seeds and the worst seed. A run that fails is told
    at the end; the same command tries it again after the others.
    """
    with one_line_errors():
        check_folder("--folder", folder)
        from hansa_training.errors import RunError
        from hansa_training.sweep import SWEEP, summary_table
        from hansa_training.sweep import sweep as run

        with going_on(GOES_ON), progress_on() as progress:
            summary = run(options, folder, config, progress)
        print_table(summary_table(summary))
        typer.echo(f"{folder / SWEEP}")
        end_with([RunError(f"{one['name']} failed: {one['reason']}") for one in summary["failed"]])
