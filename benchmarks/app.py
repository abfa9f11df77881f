"""The commands: measure everything, compare two commits."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

#: Groups measured in this process; the part of a core they got is noted.
ONE_THREAD = ("engine", "batch", "front ends", "learning")

app = typer.Typer(help="Measure hansa_env.", add_completion=False, pretty_exceptions_enable=False)


@app.callback(invoke_without_command=True)
def bench(
    context: typer.Context,
    quick: Annotated[bool, typer.Option("--quick", help="every row, tiny: does it work?")] = False,
    out: Annotated[Path | None, typer.Option(help="folder of the results; by default runs/bench/<time>")] = None,
    peers: Annotated[bool, typer.Option(help="measure others' environments too")] = True,
    peers_python: Annotated[
        str | None, typer.Option(help="the interpreter that has the peers; by default this one")
    ] = None,
) -> None:
    """Measure everything, print a table, write bench.json and bench.png."""
    if context.invoked_subcommand is not None:
        return
    folder = out or Path("runs/bench") / datetime.now().strftime("%Y-%m-%d-%H%M%S")
    run(quick, folder, peers, peers_python, Console())


@app.command()
def compare(
    old: Annotated[str, typer.Argument(help="a commit")],
    new: Annotated[str, typer.Argument(help="another")] = "HEAD",
    rounds: Annotated[int, typer.Option(help="how often the two take turns")] = 4,
    loss: Annotated[float, typer.Option(help="part of the speed that may be lost")] = 0.15,
    quick: Annotated[bool, typer.Option("--quick", help="tiny sizes, to see that it works")] = False,
) -> None:
    """Measure two commits in turns on this machine; exit code 1 if a row of NEW lost more than 15 %."""
    from hansa_benchmarks.compare import CompareError, compare_commits, print_verdicts

    console = Console()
    try:
        verdicts = compare_commits(old, new, rounds, loss, quick, console)
    except CompareError as error:
        console.print(f"[red]error:[/red] {error}", highlight=False, soft_wrap=True)
        raise typer.Exit(2) from error
    print_verdicts(verdicts, old, new, console)
    if any(verdict.failed for verdict in verdicts):
        raise typer.Exit(1)


def run(quick: bool, folder: Path, peers: bool, peers_python: str | None, console: Console) -> list:
    """Measure, print, write; returns the rows."""
    from hansa_benchmarks import batch_rows, engine_rows, frontend_rows, learning_rows, machine, peer_rows, startup_rows
    from hansa_benchmarks.report import print_rows, write_json
    from hansa_benchmarks.rows import FULL, QUICK, Row

    folder.mkdir(parents=True, exist_ok=True)
    facts, scale = machine.facts() | {"core_share": {}}, QUICK if quick else FULL
    parts: dict[str, Callable[..., Iterator[Row]]] = {
        "engine": engine_rows.rows,
        "batch": batch_rows.rows,
        "front ends": frontend_rows.rows,
        "learning": learning_rows.rows,
        "start": startup_rows.rows,
    }
    if peers:
        parts["peers"] = lambda scale: peer_rows.rows(scale, peers_python)
    rows = []
    columns = TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=len(parts))
        for name, measure in parts.items():
            bar.update(task, description=name)
            began, used = time.perf_counter(), time.thread_time()
            for row in measure(scale):
                rows.append(row)
                bar.update(task, description=f"{name}: {row.what}")
            if name in ONE_THREAD:
                share = (time.thread_time() - used) / (time.perf_counter() - began)
                facts["core_share"][name] = round(share, 2)
            bar.advance(task)
    print_rows(rows, facts, console)
    write_json(rows, facts, "quick" if quick else "full", folder / "bench.json")
    files = [folder / "bench.json", *_chart(rows, folder / "bench.png", console)]
    console.print("written: " + ", ".join(map(str, files)), highlight=False, soft_wrap=True)
    return rows


def _chart(rows: list, path: Path, console: Console) -> list[Path]:
    from hansa_benchmarks.chart import draw

    try:
        draw(rows, path)
    except ImportError as error:
        console.print(f"no curves: {error.name or error} is not installed", highlight=False)
        return []
    return [path]
