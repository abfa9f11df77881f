"""kill -9 at any moment leaves a run that goes on, and ends with the figures of a run that was never stopped."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.training.tiny import TINY, figures

ROOT = Path(__file__).parent.parent.parent
KILLS = {"aimed": 8, "torn": 4, "timed": 6}


class Forks:
    """The other end of `tests.training.forks`."""

    def __init__(self) -> None:
        path = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.training.forks"], cwd=ROOT, env={**os.environ, "PYTHONPATH": path}, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        assert self.process.stdout.readline() == "ready\n"

    def train(self, folder: Path, options: dict = TINY, **death) -> tuple[int, int]:
        """Begin the run in a folder, or go on with it; exit code, and operations on files."""
        resume = (folder / "plan.toml").exists()
        order = {"folder": str(folder), "resume": resume, "options": options, **death}
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        return answer["code"], answer["operations"]


@pytest.fixture(scope="module")
def forks() -> Iterator[Forks]:
    forks = Forks()
    yield forks
    forks.process.stdin.close()
    forks.process.wait()


@pytest.fixture(scope="module")
def uninterrupted(forks: Forks, tmp_path_factory) -> tuple[dict[str, bytes], int, float]:
    """Its figures, how many operations on files it took, and the seconds."""
    folder = tmp_path_factory.mktemp("uninterrupted") / "run"
    began = time.monotonic()
    code, operations = forks.train(folder)
    assert code == 0
    return figures(folder), operations, time.monotonic() - began


@pytest.mark.slow
def test_every_killed_run_goes_on_and_ends_with_the_same_figures(forks, uninterrupted, tmp_path, record_property) -> None:
    expected, operations, seconds = uninterrupted
    rng = random.Random(5)
    deaths = [{"event": rng.randint(1, operations)} for _ in range(KILLS["aimed"])]
    deaths += [{"event": rng.randint(1, operations), "torn": True} for _ in range(KILLS["torn"])]
    deaths += [{"seconds": rng.uniform(0.05, 1.1 * seconds)} for _ in range(KILLS["timed"])]
    rng.shuffle(deaths)
    killed = runs = 0
    began = time.monotonic()
    while deaths:
        folder = tmp_path / f"run{runs}"
        runs += 1
        code = None
        while code != 0:
            death = deaths.pop() if deaths else {}
            code, _ = forks.train(folder, **death)
            assert code in (0, -signal.SIGKILL, -signal.SIGXFSZ), f"after {killed} kills in {runs} runs: {death}"
            killed += code != 0
            if code == 0 and death:  # it was done before its moment came: another moment
                again = {"event": rng.randint(1, operations // 3)} if "event" in death else {"seconds": seconds / 3}
                deaths.append({**death, **again})
        assert figures(folder) == expected, f"run {runs}"
    record_property("kills", killed)
    print(f"{killed} kills survived in {runs} runs, {time.monotonic() - began:.0f} s")
    assert killed == sum(KILLS.values())


@pytest.mark.parametrize("torn", [False, True], ids=["killed before", "torn write"])
@pytest.mark.slow
def test_a_kill_at_each_operation_in_turn(forks, uninterrupted, tmp_path, torn: bool) -> None:
    """From making the folder, over the plan, the first checkpoints and the curve, to the deletion of the oldest."""
    folder = tmp_path / "run"
    for event in range(1, 26):
        code, _ = forks.train(folder, event=event, torn=torn)
        assert code == (-signal.SIGXFSZ if torn else -signal.SIGKILL), f"operation {event}"
    assert forks.train(folder)[0] == 0
    assert figures(folder) == uninterrupted[0]
