"""Rounds of best responses and learning from the command line: `hansa harden`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from hansa_env.commands.ending import GOES_ON, going_on
from hansa_env.commands.output import one_line_errors, print_table
from hansa_env.commands.progress import progress_on
from hansa_env.formats.outputs import check_folder


def harden(
    agent: Annotated[str, typer.Argument(help="spec of the network to begin with: ppo, ppo:FILE or ppo:RUN")],
    plan: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME=VALUE...]", help="options of hansa train, for the agent's own runs: players=3"),
    ] = None,
    folder: Annotated[Path, typer.Option(help="folder for all rounds; the same command continues")] = Path("runs/harden"),
    config: Annotated[Path | None, typer.Option(help="plan of the agent's own runs, as for hansa train")] = None,
    rounds: Annotated[int, typer.Option(min=1, max=1000, help="best responses to find and learn against")] = 4,
    decisions: Annotated[int, typer.Option(min=1, help="decisions of each learner that looks for a response")] = 2_000_000,
    games: Annotated[int, typer.Option(min=20, help="games of each response, on fresh deals")] = 600,
    kept: Annotated[int, typer.Option(min=1, max=100, help="responses that stay among the rivals, the newest")] = 6,
    mixture: Annotated[
        int,
        typer.Option(min=1, max=64, help="networks that play as the agent, the newest, each seat of each game by one of them"),
    ] = 1,
    threads: Annotated[int, typer.Option(min=1, help="threads of a learner that looks for a response")] = 2,
) -> None:
    """Find a best response to an agent, let the agent learn against it, and so on: hansa harden ppo players=3.

    After the last round it looks for one more response, so the last line says how well the agent stands now. The result is in
    harden.json of the folder; if you interrupt it, run the same command again to continue.
    """
    with one_line_errors():
        check_folder("--folder", folder)
        from hansa_training.harden import SUMMARY, Rounds, summary_table
        from hansa_training.harden import harden as run
        from hansa_training.plan_texts import given_options

        given, learner = given_options(plan or []), {"threads": str(threads), "shards": str(threads)}
        with going_on(GOES_ON), progress_on() as progress:
            what = Rounds(rounds, decisions, games, kept, mixture)
            summary = run(agent, folder, what, config, given, learner, progress, Console())
        print_table(summary_table(summary))
        typer.echo(f"{folder / SUMMARY}")
