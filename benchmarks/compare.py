"""Two commits on one machine, sample by sample in turns; or results that were written before.

`python -m hansa_benchmarks.compare FOLDER SCALE` prints the rows of the packages in FOLDER, as JSON; before each sample it says
YOUR_TURN and waits for a line.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from hansa_benchmarks.report import as_json, machine_facts, number, with_words
from hansa_benchmarks.rows import SCALES

REPOSITORY = Path(__file__).resolve().parents[1]
#: Import name: folder in the repository. The yardstick, hansa_benchmarks, is this one for both commits.
PACKAGES = {"hansa_env": "hansa_env", "hansa_agents": "agents", "hansa_training": "training"}
#: Rows that do not depend on our code: they show how much the machine changed, and fail nothing.
NOT_OURS = ("peers/", "batch/copy/")
YOUR_TURN = "your turn?"
#: If these differ, so do the speeds.
CONDITIONS = ("--quick", "cpu", "cores", "python", "numba", "numpy")


class CompareError(RuntimeError):
    """The sides cannot be compared; says why."""


@dataclass(frozen=True)
class Verdict:
    """What became of one row.

    Attributes:
        old, new: medians, None where a side lacks the row.
        ratio: the new speed over the old one; spread: the same of the worse quartile over the better, and reversed. Of samples
            that were taken in turns, median and quartiles of the ratios of those that stand beside each other.
        failed: too much speed was lost, or the row itself.
    """

    key: str
    old: float | None
    new: float | None
    ratio: float | None = None
    spread: tuple[float, float] | None = None
    failed: bool = False


def judge(old: dict, new: dict, loss: float, gone_fails: bool) -> list[Verdict]:
    """Compare the speeds of two results; one that lost more than `loss` of itself fails, and on demand one that is gone."""
    verdicts = []
    for key, row in (old["rows"] | new["rows"]).items():
        before, after = (side["rows"].get(key, {}).get("samples", []) for side in (old, new))
        if not (before or after) or (row["unit"] != "s" and not row["unit"].endswith("/s")):
            continue  # nothing was measured; bytes, and what follows from other rows
        ours = not key.startswith(NOT_OURS)
        was, now = (float(np.median(samples)) if samples else None for samples in (before, after))
        if before and after:
            power = -1.0 if row["unit"] == "s" else 1.0
            slow, fast = np.array(before) ** power, np.array(after) ** power
            if _in_pairs(old, new) and len(slow) == len(fast):
                low, ratio, high = (float(part) for part in np.percentile(fast / slow, (25, 50, 75)))
            else:
                low, ratio, high = (float(np.percentile(fast, k) / np.percentile(slow, 100 - k)) for k in (25, 50, 75))
            verdicts.append(Verdict(key, was, now, ratio, (low, high), ours and ratio < 1 - loss))
        else:
            verdicts.append(Verdict(key, was, now, failed=ours and gone_fails and not after))
    return verdicts


def _in_pairs(old: dict, new: dict) -> bool:
    """Whether both sides were measured here, a sample of one beside a sample of the other."""
    return bool(old.get("paired") and new.get("paired"))


def measure_sides(names: tuple[str, str], rounds: int, form: str, tell: Callable[[str], None]) -> tuple[list[dict], bool]:
    """Read results, check commits out and measure them in turns: what else the machine does falls on both alike.

    Returns:
        Both sides in the form of bench.json, with "commit" where one was measured; whether it was interrupted.

    Raises:
        CompareError: a result cannot be read; a commit does not exist, or does not run.
    """
    sides = [_read(name) or {"commit": name, "form": form, "machine": machine_facts(), "rows": {}} for name in names]
    with tempfile.TemporaryDirectory(prefix="hansa-compare-") as folder:
        homes = {place: Path(folder) / str(place) for place, side in enumerate(sides) if "commit" in side}
        commits = {place: _commit(names[place]) for place in homes}
        try:
            for place, home in homes.items():
                _git("worktree", "add", "--detach", "--quiet", str(home / "tree"), commits[place])
                _link(home)
            for count in range(rounds + 1 if homes else 0):
                tell(f"{', '.join(names[place] for place in homes)}: {f'round {count} of {rounds}' if count else 'compiling'}")
                for place, rows in _run(names, homes, form if count else "quick").items():
                    sides[place]["paired"] = True
                    for key, row in rows.items() if count else ():
                        sides[place]["rows"].setdefault(key, row | {"samples": []})["samples"] += row["samples"]
        except KeyboardInterrupt:
            return sides, True
        finally:
            for home in homes.values():
                _git("worktree", "remove", "--force", str(home / "tree"), check=False)
    return sides, False


def _read(name: str) -> dict | None:
    """A result; None if the name is not one of a file, nor of a folder that has bench.json."""
    path = Path(name) / "bench.json" if (Path(name) / "bench.json").is_file() else Path(name)
    if not path.is_file():
        return None
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if any(row["samples"] and row["unit"] for row in data["rows"].values()) and data["form"] and data["machine"]:
            return data
        raise ValueError("nothing was measured")
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise CompareError(f"{path}: not a result that `hansa speed` wrote ({type(error).__name__}: {error})") from error


def _run(names: tuple[str, str], homes: dict[int, Path], form: str) -> dict[int, dict[str, dict]]:
    """The rows of commits by place. When both are up, one takes a sample, then the other, then the other way round."""
    with ExitStack() as ends:
        jobs = {place: ends.enter_context(_Job(names[place], home, form)) for place, home in homes.items()}
        rows: dict[int, dict[str, dict]] = {}
        left = list(jobs)
        while left:
            for place in left:
                found = jobs[place].go_on()
                if found is not None:
                    rows[place] = found
            left = [place for place in reversed(left) if place not in rows]
    return rows


class _Job:
    """This module in a process of its own, with the packages of a commit."""

    def __init__(self, name: str, home: Path, form: str) -> None:
        env = os.environ | {"PYTHONPATH": str(home / "path"), "NUMBA_CACHE_DIR": str(home / "cache")}
        command = [sys.executable, "-P", "-m", "hansa_benchmarks.compare", str(home / "tree"), form]
        self._name, self._asked = name, False
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115 - closed by __exit__
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, env=env, cwd=home, text=True, stdin=pipe, stdout=pipe, stderr=self._errors)

    def __enter__(self) -> _Job:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()
        self._errors.close()

    def go_on(self) -> dict[str, dict] | None:
        """Let it take the sample that it asked for; None when it asks for the next, its rows when it has them all."""
        assert self._process.stdin and self._process.stdout
        if self._asked:
            with suppress(BrokenPipeError):  # it has ended, and says below why
                self._process.stdin.write("\n")
                self._process.stdin.flush()
        last = ""
        for line in self._process.stdout:
            self._asked = line.rstrip().endswith(YOUR_TURN)  # behind what a commit may have said without ending the line
            if self._asked:
                return None
            last = line
        if code := self._process.wait():
            self._errors.seek(0)
            said = (self._errors.read().strip().splitlines() or [f"exit code {code}"])[-1]
            raise CompareError(f"commit {self._name} cannot be measured: {said}")
        return json.loads(last)


def _link(home: Path) -> None:
    """A folder for PYTHONPATH that has a commit's packages under the names they are imported by."""
    path = home / "path"
    path.mkdir()
    for name, folder in PACKAGES.items():
        if (home / "tree" / folder).is_dir():
            (path / name).symlink_to(home / "tree" / folder)
    (path / "hansa_benchmarks").symlink_to(Path(__file__).resolve().parent)


def _commit(name: str) -> str:
    said = f"{name!r} is neither a commit nor a result; expected a commit, a bench.json or the folder that has it"
    return _git("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}", said=said).strip()


def _git(*words: str, check: bool = True, said: str | None = None) -> str:
    try:
        done = subprocess.run(["git", *words], cwd=REPOSITORY, capture_output=True, text=True, check=False)
    except OSError as error:
        raise CompareError(f"git cannot be run: {error}") from error
    if check and done.returncode:
        raise CompareError(said or f"git {words[0]}: {done.stderr.strip()}")
    return done.stdout


def lines_of(verdicts: list[Verdict], names: tuple[str, str], sides: list[dict], loss: float) -> Iterator[str]:
    """The comparison in lines, below it what makes it less sure."""
    yield f"{'old':>11}  {'new':>11}  {'speed':>5}  {'spread':>11}  row"
    for verdict in (verdict for verdict in verdicts if verdict.ratio is not None or verdict.failed):
        ratio = "" if verdict.ratio is None else f"{verdict.ratio:.2f}"
        spread = "" if verdict.spread is None else "–".join(f"{value:.2f}" for value in verdict.spread)
        numbers = f"{number(verdict.old):>11}  {number(verdict.new):>11}  {ratio:>5}  {spread:>11}  "
        yield with_words(numbers, verdict.key + (": GONE" if verdict.new is None else ": SLOWER" if verdict.failed else ""))
    of = "the median and quartiles of pairs" if _in_pairs(*sides) else "of the medians, and of the quartiles"
    yield f"old: {names[0]}; new: {names[1]}; speed and spread: new over old, {of}"
    for name, side, lacks in zip(names, sides, ("new", "old")):
        only = [verdict.key for verdict in verdicts if getattr(verdict, lacks) is None and not verdict.failed]
        if only:
            yield with_words(f"only in {name}: ", ", ".join(only))
        if side.get("partial"):
            yield f"{name} is partial"
    old, new = ({"--quick": side["form"] == "quick"} | side["machine"] for side in sides)
    for key in CONDITIONS:
        if old.get(key) != new.get(key):
            yield f"{key} differs, {old.get(key)} and {new.get(key)}: so do the speeds, whatever the code"
    failed = sum(verdict.failed for verdict in verdicts)
    yield f"{sum(verdict.ratio is not None for verdict in verdicts)} rows compared, {failed} lost more than {loss:.0%}"


def _wait_for_turn() -> None:
    print(YOUR_TURN, flush=True)
    if not sys.stdin.readline():
        raise SystemExit("nobody is there any more")


def main(folder: str, form: str) -> None:
    """Print the rows of the engine, the batch, the front ends and bots; what a commit lacks is left out."""
    import hansa_env
    from hansa_benchmarks import measures

    if Path(folder).resolve() not in Path(hansa_env.__file__).resolve().parents:
        raise SystemExit(f"hansa_env was imported from {hansa_env.__file__}, not from {folder}")
    scale = replace(SCALES[form], turn=_wait_for_turn)
    parts = (
        measures.engine_rows(scale), measures.batch_rows(scale, sizes_only=True), measures.front_end_rows(scale),
        measures.agent_rows(scale),
    )  # fmt: skip
    rows = {row.key: row for part in parts for row in part if row.samples}
    print(json.dumps(as_json(rows, form, False, {})["rows"]))


if __name__ == "__main__":
    main(*sys.argv[1:])
