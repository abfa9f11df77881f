"""Two commits on one machine, in turns."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

REPOSITORY = Path(__file__).resolve().parents[1]
#: Import name: folder in the repository. The yardstick, hansa_benchmarks, is this one for both commits.
PACKAGES = {"hansa_env": "hansa_env", "hansa_agents": "agents", "hansa_training": "training"}
Samples = Mapping[str, Sequence[float]]


class CompareError(RuntimeError):
    """The commits cannot be compared; says why."""


@dataclass(frozen=True)
class Verdict:
    """What became of one row; medians are rates, None where a commit lacks the row."""

    key: str
    old: float | None
    new: float | None
    ratio: float | None
    failed: bool


def judge(old: Samples, new: Samples, loss: float = 0.15) -> list[Verdict]:
    """Row by row: failed if the new median is more than `loss` below the old one, or the row is gone."""
    verdicts = []
    for key in dict.fromkeys([*old, *new]):
        before, after = (float(np.median(side[key])) if side.get(key) else None for side in (old, new))
        ratio = after / before if before and after is not None else None
        failed = (before is not None and after is None) or (ratio is not None and ratio < 1 - loss)
        verdicts.append(Verdict(key, before, after, ratio, failed))
    return verdicts


def compare_commits(
    old: str, new: str, rounds: int, loss: float, quick: bool, console: Console
) -> list[Verdict]:
    """Check both out, measure them in turns, judge.

    Raises:
        CompareError: a commit does not exist, or does not run.
    """
    if rounds < 1:
        raise CompareError(f"rounds is {rounds}; expected at least 1")
    commits = [_commit(old), _commit(new)]
    with tempfile.TemporaryDirectory(prefix="hansa-compare-") as folder:
        sides = [Path(folder) / name for name in ("old", "new")]
        trees = []
        try:
            for side, commit in zip(sides, commits):
                trees.append(side / "tree")
                _git("worktree", "add", "--detach", "--quiet", str(side / "tree"), commit)
                _link(side)
            samples = _measure(sides, rounds, quick, console)
        finally:
            for tree in trees:
                _git("worktree", "remove", "--force", str(tree), check=False)
            _git("worktree", "prune", check=False)
    return judge(*samples, loss)


def _measure(sides: list[Path], rounds: int, quick: bool, console: Console) -> list[dict[str, list[float]]]:
    found: list[dict[str, list[float]]] = [{} for _ in sides]
    columns = TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=2 * (rounds + 1))
        for turn in range(-1, rounds):
            # The first turn compiles; then A B, B A, A B ...: neither is always the later one.
            order = (0, 1) if turn % 2 == 0 else (1, 0)
            for k in order:
                bar.update(task, description=f"{sides[k].name}: {'compiling' if turn < 0 else f'round {turn + 1}'}")
                samples = _run_worker(sides[k], quick or turn < 0)
                if turn >= 0:
                    for key, values in samples.items():
                        found[k].setdefault(key, []).extend(values)
                bar.advance(task)
    return found


def _run_worker(side: Path, quick: bool) -> dict[str, list[float]]:
    env = os.environ | {"PYTHONPATH": str(side / "path"), "NUMBA_CACHE_DIR": str(side / "cache")}
    command = [sys.executable, "-P", "-m", "hansa_benchmarks.worker", str(side / "tree"), "quick" if quick else "full"]
    done = subprocess.run(command, env=env, cwd=side, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        raise CompareError(f"the {side.name} commit cannot be measured: {said}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def _link(side: Path) -> None:
    """A folder for PYTHONPATH that has a commit's packages under the names they are imported by."""
    path = side / "path"
    path.mkdir()
    for name, folder in PACKAGES.items():
        if (side / "tree" / folder).is_dir():
            (path / name).symlink_to(side / "tree" / folder)
    (path / "hansa_benchmarks").symlink_to(Path(__file__).resolve().parent)


def _commit(name: str) -> str:
    return _git("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}", said=f"there is no commit {name!r}").strip()


def _git(*words: str, check: bool = True, said: str | None = None) -> str:
    try:
        done = subprocess.run(["git", *words], cwd=REPOSITORY, capture_output=True, text=True, check=False)
    except OSError as error:
        raise CompareError(f"git cannot be run: {error}") from error
    if check and done.returncode:
        raise CompareError(said or f"git {words[0]}: {done.stderr.strip()}")
    return done.stdout


def print_verdicts(verdicts: list[Verdict], old: str, new: str, console: Console) -> None:
    """Print the comparison."""
    table = Table(title=f"{old} and {new}, medians per second", title_justify="left", box=SIMPLE_HEAD)
    for column in ("row", "old", "new", "new / old", ""):
        table.add_column(column, justify="left" if column in ("row", "") else "right")
    for verdict in verdicts:
        numbers = ("–" if value is None else f"{value:,.0f}" for value in (verdict.old, verdict.new))
        ratio = "–" if verdict.ratio is None else f"{verdict.ratio:.2f}"
        word = "[red]slower[/red]" if verdict.failed else ""
        if verdict.new is None:
            word = "[red]gone[/red]"
        table.add_row(verdict.key, *numbers, ratio, word)
    console.print(table)
    failed = sum(verdict.failed for verdict in verdicts)
    console.print(f"{len(verdicts)} rows, {failed} failed", highlight=False)
