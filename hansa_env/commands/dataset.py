"""The command `hansa dataset`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hansa_env.commands.options import records_at
from hansa_env.commands.output import one_line_errors
from hansa_env.commands.progress import progress_on
from hansa_env.formats.files import LARGEST_RECORD, read_text_at_most
from hansa_env.play.dataset import Dataset, dataset_of


def dataset(
    records: Annotated[list[Path], typer.Argument(help="files of records, or folders of them (*.json)")],
    out: Annotated[Path, typer.Option("--out", "-o", help="file to write, .npz")] = Path("dataset.npz"),
    games: Annotated[
        int, typer.Option(min=1, help="games a file; of more than that there are several files, numbered from 0")
    ] = 2000,
) -> None:
    """Turn records into arrays: what every seat saw at every decision, what it chose, and what the game came to."""
    with one_line_errors():
        files = records_at(records)
        parts = [files[first : first + games] for first in range(0, len(files), games)]
        decisions = 0
        with progress_on() as progress:
            progress.begin("games", len(files))
            for number, part in enumerate(parts):
                found = dataset_of([read_text_at_most(path, LARGEST_RECORD) for path in part], [str(path) for path in part])
                found.save(_name(out, number, len(parts)))
                decisions += len(found.actions)
                progress.at(min((number + 1) * games, len(files)))
            progress.end()
    typer.echo(_about(found, decisions, len(files), out, len(parts)))


def _name(out: Path, number: int, parts: int) -> Path:
    return out if parts == 1 else out.with_name(f"{out.stem}-{number}{out.suffix}")


def _about(found: Dataset, decisions: int, games: int, out: Path, parts: int) -> str:
    where = str(out) if parts == 1 else f"{_name(out, 0, parts)} .. {_name(out, parts - 1, parts).name}"
    return (
        f"{where}: {decisions:,} decisions of {games:,} games ({found.ruleset}): observations of {found.observations.shape[1]} "
        f"int8, masks of {found.action_masks.shape[1]}, actions, seats, scores, ranks"
    )
