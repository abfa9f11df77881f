"""The main job from the command line: `hansa train`, `python -m hansa_training`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import typer
from rich.console import Console

from hansa_env.ruleset import RulesetError
from hansa_training.job import Job, JobError, ModelError, Plan

app = typer.Typer(add_completion=False)


@app.command()
def train(
    folder: Path = typer.Option(Path("runs/ppo"), help="Where the run is kept."),
    resume: bool = typer.Option(False, help="Go on with the run in that folder."),
    players: int = typer.Option(Plan.players, help="2 to 5."),
    seed: int = typer.Option(Plan.seed),
    warm_start: int = typer.Option(Plan.warm_start, help="Decisions labelled by the teacher; 0 = from scratch."),
    self_play: int = typer.Option(Plan.self_play, help="Decisions of the learner seats."),
    final_games: int = typer.Option(Plan.final_games, help="Games against each opponent at the end."),
) -> None:
    """Train MaskablePPO by self-play and show how good it got."""
    plan = replace(Plan(), players=players, seed=seed, warm_start=warm_start, self_play=self_play, final_games=final_games)
    console = Console()
    try:
        Job(plan, folder, console).run(resume)
    except (JobError, ModelError, RulesetError) as error:
        console.print(f"[red]error:[/red] {error}", highlight=False, soft_wrap=True)
        raise typer.Exit(2) from error
    except KeyboardInterrupt:
        console.print(f"stopped; go on with --folder {folder} --resume", soft_wrap=True)
        raise typer.Exit(130) from None
