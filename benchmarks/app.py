"""The commands: measure everything, compare two commits or results."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer
from typer.core import TyperGroup

from hansa_benchmarks.rows import SCALES, TIMEOUT
from hansa_env.commands.options import refusing
from hansa_env.commands.output import FAILED, one_line_errors
from hansa_env.formats.file_writing import write_whole
from hansa_env.formats.outputs import check_folder
from hansa_env.start import INTERRUPTED

Quick = Annotated[bool, typer.Option("--quick", help="Tiny sizes, to see that it works.")]
Out = Annotated[Path | None, typer.Option(help="Folder of the result; by default runs/bench/<time>.")]
PeersPython = Annotated[str | None, typer.Option(help="The interpreter that has the peers; by default this one.")]

app = typer.Typer(
    help="Measure decisions a second, of the engine, the interfaces and learning. (`hansa benchmark` scores an agent.)",
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback(cls=refusing({}, TyperGroup), invoke_without_command=True)
def speed(
    context: typer.Context,
    quick: Quick = False,
    out: Out = None,
    peers: Annotated[bool, typer.Option(help="Measure other projects' environments too.")] = True,
    peers_python: PeersPython = None,
) -> None:
    """Measure everything, print each row at once, write bench.json and bench.png. Ctrl-C keeps what was measured."""
    if context.invoked_subcommand is None:
        run(groups(peers, peers_python), "quick" if quick else "full", out)


@app.command(cls=refusing({}))
def compare(
    old: Annotated[str, typer.Argument(help="A commit, or a result: bench.json or its folder.")],
    new: Annotated[str, typer.Argument(help="The commit or result to compare with it.")] = "HEAD",
    rounds: Annotated[int, typer.Option(min=1, help="Measure both so many times, from the start.")] = 4,
    loss: Annotated[float, typer.Option(min=0, max=1, help="Fail if more than this part of the speed is lost.")] = 0.15,
    quick: Quick = False,
) -> None:
    """Set two commits, measured in turns on this machine, or results against each other.

    Exit code 1 if a row of NEW lost more than `--loss` of its speed; 2 if they cannot be compared.
    """
    from hansa_benchmarks.compare import CompareError, judge, lines_of, measure_sides

    try:
        sides, partial = measure_sides((old, new), rounds, "quick" if quick else "compare", say)
    except CompareError as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(2) from error
    # In a file a row may be missing for other reasons than the code.
    verdicts = judge(sides[0], sides[1], loss, gone_fails=not partial and all("commit" in side for side in sides))
    for line in lines_of(verdicts, (old, new), sides, loss):
        say(line)
    if partial:
        say("PARTIAL: interrupted before all rounds were measured")
        raise typer.Exit(INTERRUPTED)
    if any(verdict.failed for verdict in verdicts):
        raise typer.Exit(FAILED)


@app.command(cls=refusing({}))
def peers(
    out: Out = None,
    peers_python: PeersPython = None,
    timeout: Annotated[float, typer.Option(help="Seconds that a peer may take, compiling included.")] = TIMEOUT,
    quick: Quick = False,
) -> None:
    """Random play here and in others' environments, in one run: peers.json, and as a picture peers.png.

    Decisions a second of processor time on one core: what else a shared machine does then matters little.
    """
    from hansa_benchmarks import peers_chart
    from hansa_benchmarks.measures import alike_rows
    from hansa_benchmarks.processes import peer_rows

    with one_line_errors():
        if not 0 < timeout < math.inf:
            raise ValueError(f"--timeout is {timeout:g}; expected a number of seconds above 0")
    measured = {
        "Peers": lambda scale: peer_rows(scale, peers_python, cpu=True, timeout=timeout),
        "Hansa Teutonica, 5 players, base-4-5": alike_rows,
    }
    run(measured, "quick" if quick else "full", out, "peers", peers_chart.draw)


def say(text: str) -> None:
    """Print at once, on a terminal, in a pipe and in a log."""
    print(text, flush=True)


def groups(peers: bool, peers_python: str | None) -> dict[str, Callable[..., Iterator]]:
    """What is measured, by title; peers come first because the others are compared with them."""
    from hansa_benchmarks import measures, processes

    others = {"Peers": lambda scale: processes.peer_rows(scale, peers_python)} if peers else {}
    return others | {
        "Engine alone, random play in compiled code, base-4-5, 5 players": measures.engine_rows,
        "HansaBatch with the caller's buffers, 5 players, base-4-5 if no other; all take turns (a minute)": measures.batch_rows,
        "Front ends, 5 players; a step is a decision of the learner and of four random opponents": measures.front_end_rows,
        "Bots written by hand, one game at a time": measures.agent_rows,
        "Learning on one core": measures.learning_rows,
        "Start of a process": processes.start_rows,
    }


def run(
    measured: dict[str, Callable[..., Iterator]], form: str, out: Path | None, name: str = "bench",
    draw: Callable[..., bool] | None = None,
) -> None:  # fmt: skip
    """Measure, print, write what there is as NAME.json and NAME.png, whatever happens meanwhile."""
    from hansa_benchmarks import report
    from hansa_env.commands.progress import progress_on

    folder = out or Path("runs/bench") / datetime.now().strftime("%Y-%m-%d-%H%M%S")
    with one_line_errors():
        check_folder("--out", out)
        folder.mkdir(parents=True, exist_ok=True)
    machine, rows, complete = report.machine_facts(), {}, False
    say("; ".join(f"{name} {value}" for name, value in machine.items() if value is not None))
    say("spread: interquartile range over median; the first call of all compiles (a minute)\n\n" + report.HEADER)
    try:
        with progress_on() as progress:
            progress.begin("groups measured", len(measured))
            for number, (title, measure) in enumerate(measured.items()):
                say(f"\n{title}")
                progress.at(number, title)
                for row in measure(SCALES[form]):
                    rows[row.key] = row
                    say(report.line_of(row, rows))
            progress.end()
        complete = True
    except KeyboardInterrupt:
        say("\nPARTIAL: interrupted before the rest was measured")
    finally:
        data = report.as_json(rows, form, not complete, machine)
        write_whole(folder / f"{name}.json", (json.dumps(data, indent=1, ensure_ascii=False) + "\n").encode())
        say(f"\nwritten: {folder / f'{name}.json'}")
    try:
        if (draw or report.draw)(rows, folder / f"{name}.png"):
            say(f"written: {folder / f'{name}.png'}")
    except ImportError as error:
        say(f"no {name}.png: {error.name or error} is not installed")
    if not complete:
        raise typer.Exit(INTERRUPTED)
