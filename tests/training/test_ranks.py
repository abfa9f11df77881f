"""A run that several processes share: the same to the bit however many there are, and it outlives those that are killed."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from rich.console import Console
from torch import distributed as dist

from hansa_training.begin import train
from hansa_training.descent import Gradients, descend, part_by_part, split_alike
from hansa_training.errors import RunError
from hansa_training.job import Job
from hansa_training.learner import Learner
from hansa_training.plan_file import make_plan
from hansa_training.plan_texts import toml_of
from hansa_training.ranks import ALONE, JoinedRanks, Ranks, agreed
from hansa_training.run_folder import RunFolder
from hansa_training.state import pack, unpack
from hansa_training.workers import Workers
from tests.training.tiny import SHARED, TINY, arguments, figures, has_checkpoint

ROOT = Path(__file__).parent.parent.parent


def torchrun(
    ranks: int, folder: Path, restarts: int = 0, place: Sequence[str] = ("--standalone",), **options: str
) -> subprocess.Popen:
    """The launcher of a run; `place`: how several find each other."""
    words = [*place, "--nproc-per-node", str(ranks), "--max-restarts", str(restarts), "--log-dir", str(folder.parent / "logs")]
    path = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
    return subprocess.Popen(
        [sys.executable, "-m", "torch.distributed.run", *words, "-m", "hansa_training", "--folder", str(folder),
         *arguments(SHARED | options)],
        cwd=folder.parent, env={**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1"}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip


def saves(folder: Path, run: subprocess.Popen) -> None:
    """Wait until a run has a checkpoint."""
    while not has_checkpoint(folder):
        assert run.poll() is None, run.communicate()[0]
        time.sleep(0.05)


def children_of(run: subprocess.Popen) -> list[int]:
    """The processes that a launcher started."""
    return [int(child) for child in Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()]


def process_of(rank: int, run: subprocess.Popen) -> int:
    """The process of a rank."""
    return next(one for one in children_of(run) if f"\0RANK={rank}\0" in Path(f"/proc/{one}/environ").read_text())


def lose(run: subprocess.Popen) -> None:
    """Kill a launcher, so that it starts nothing again, and its ranks."""
    with suppress(OSError):  # it has ended
        ranks = children_of(run)
        for process in (run.pid, *ranks):
            os.kill(process, signal.SIGKILL)


def test_figures_do_not_depend_on_the_ranks(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.training.forked_ranks", str(tmp_path), "2"]
    path = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert figures(tmp_path / "shared") == figures(tmp_path / "alone")
    assert done.stdout.count("PPO by self-play") == 2, "alone, and of the ranks the first"


@pytest.mark.slow
@pytest.mark.parametrize("ranks", [2, 4])
def test_nor_do_they_under_torchrun(ranks: int, alone: dict[str, bytes], tmp_path: Path) -> None:
    run = torchrun(ranks, tmp_path / "run")
    said, _ = run.communicate()
    assert run.returncode == 0, said
    assert figures(tmp_path / "run") == alone
    assert said.count("PPO by self-play") == 1, "the first rank alone reports"


@pytest.mark.parametrize("rank", [0, 1])
@pytest.mark.slow
def test_a_rank_that_is_killed_costs_no_more_than_since_the_checkpoint(
    rank: int, alone: dict[str, bytes], tmp_path: Path
) -> None:  # fmt: skip
    """Rank 0, too, which writes and holds the folder."""
    folder = tmp_path / "run"
    run = torchrun(2, folder, restarts=3)
    saves(folder, run)
    os.kill(process_of(rank, run), signal.SIGKILL)
    said, _ = run.communicate()
    assert run.returncode == 0, said
    assert "going on from" in said and figures(folder) == alone


@pytest.mark.slow
def test_a_run_goes_on_with_the_ranks_that_are_left(alone: dict[str, bytes], tmp_path: Path) -> None:
    """Two launchers, of which the second is lost with its rank: the first waits for others a while, then has all shards."""
    folder, free = tmp_path / "run", socket.create_server(("localhost", 0))
    place = ["--nnodes", "1:2", "--rdzv-backend", "c10d", "--rdzv-endpoint", f"localhost:{free.getsockname()[1]}",
             "--rdzv-conf"]  # fmt: skip
    free.close()
    settings = "last_call_timeout=10,keep_alive_interval=1"
    left, lost = (torchrun(1, folder, 3, [*place, f"{settings},is_host={host}"]) for host in (1, 0))
    try:
        saves(folder, left)
        lose(lost)
        said, _ = left.communicate()
    finally:
        lose(left)
    assert left.returncode == 0, said
    assert lost.wait() == -signal.SIGKILL
    assert "going on from" in said and figures(folder) == alone


@pytest.mark.slow
@pytest.mark.parametrize("resume", [False, True])
def test_more_ranks_than_shards_are_refused(resume: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before a folder is made, and before anything in one is changed."""

    class Many(Ranks):
        size = 3

    if resume:
        RunFolder.begin(tmp_path / "run", toml_of(make_plan(options=TINY))).close()
    monkeypatch.setattr("hansa_training.begin.join", Many)
    with pytest.raises(RunError, match="3 processes are to share 2 shards; expected at least one for each"):
        train(tmp_path / "run", resume, options={} if resume else TINY)
    assert (tmp_path / "run").exists() is resume


def test_a_wrong_option_ends_every_rank(tmp_path: Path) -> None:
    run = torchrun(2, tmp_path / "run", players="7")
    said, _ = run.communicate()
    assert run.returncode != 0 and "--players = 7; expected a whole number, at least 2 and at most 5" in said
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("quicker", [0, 1, 2])
def test_ranks_that_live_agree_whatever_those_said_that_died(quicker: int) -> None:
    """Three ranks meet, and then again by the same store, one of them long before the others."""
    store, words = dist.HashStore(), []
    for first in (0, quicker):
        with ThreadPoolExecutor(3) as ranks:
            begun = [ranks.submit(agreed, store, first, 3)]
            time.sleep(0.2)
            assert not begun[0].done(), "it has heard of nobody yet"
            begun += [ranks.submit(agreed, store, rank, 3) for rank in range(3) if rank != first]
            (word,) = {one.result(timeout=60) for one in begun}
            words.append(word)
    assert words[0] != words[1]


def test_every_part_belongs_to_one_rank() -> None:
    for size in (1, 2, 3, 7):
        ranks = [Ranks() for _ in range(size)]
        for number, one in enumerate(ranks):
            one.rank, one.size = number, size
        assert [part for one in ranks for part in one.own(5)] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    "rows, parts, sizes",
    [
        (2_100, 2, [1024, 1076]), (2_115, 2, [1088, 1027]), (5_000, 4, [1280, 1280, 1216, 1224]), (1_000, 1, [1000]),
        (300, 3, [100, 100, 100]), (191, 3, [64, 64, 63]),
    ],
)  # fmt: skip
def test_minibatches_have_few_sizes_and_lose_no_row(rows: int, parts: int, sizes: list[int]) -> None:
    """A multiple of 64 where they are large, but for the last, so that a rollout of a few rows more has nearly the same."""
    found = split_alike(np.random.default_rng(0).permutation(rows), parts)
    assert sorted(np.concatenate(found).tolist()) == list(range(rows))
    assert [len(one) for one in found] == sizes


def test_parts_that_take_turns_are_all_taken_once() -> None:
    parameter = torch.nn.Parameter(torch.zeros(2))
    rows = {part: np.arange(part * 100, part * 100 + 10 + part) for part in range(5)}
    taken: list[tuple[int, list[int]]] = []

    def gradients(part: int, some: np.ndarray, size: int) -> list[torch.Tensor]:
        taken.append((part, some.tolist()))
        return [torch.full((2,), len(some) / size), torch.tensor(float(len(some)))]

    sums = []
    sizes = [len(one) for one in rows.values()]
    told = descend(
        part_by_part(Workers(1), gradients), [parameter], rows, 6, lambda: sums.append(parameter.grad.tolist()),
        ranks=ALONE, sizes=sizes, told=1, at_once=2,
    )  # fmt: skip
    assert sorted(row for _, some in taken for row in some) == sorted(np.concatenate(list(rows.values())).tolist())
    assert max(len({part for part, _ in taken[i : i + 2]}) for i in range(len(taken) - 1)) == 2
    assert np.allclose(sums, 1.0) and sum(told) == sum(sizes)


@pytest.mark.parametrize(
    ("rulesets", "ranks"), [("345" * 3, 3), ("333444555", 3), ("34" * 6, 3), ("345" * 4, 3), ("345" * 8, 6)]
)
def test_who_takes_turns_is_of_several_rulesets_and_ranks(rulesets: str, ranks: int) -> None:
    """Else a minibatch would be of one number of players, or one rank would learn while the others wait. Turns are drawn for
    each pass, so that in a few of them every part has met every other."""
    rows = {part: np.arange(8) for part in range(len(rulesets))}
    turns: list[tuple[int, ...]] = []

    def gradients(some: Mapping[int, np.ndarray], size: int) -> list[torch.Tensor]:
        turns.append(tuple(some))
        return [torch.zeros(2) for _ in some]

    def one_pass(number: int) -> set[tuple[int, ...]]:
        turns.clear()
        descend(
            gradients, [torch.nn.Parameter(torch.zeros(1))], rows, 4, lambda: None, ranks=ALONE, sizes=[8] * len(rows), told=1,
            at_once=4, number=number,
        )  # fmt: skip
        assert sorted(part for turn in set(turns) for part in turn) == list(rows)
        return set(turns)

    passes = [one_pass(number) for number in range(60)]
    assert one_pass(59) == passes[59], "ranks, and a run that goes on, draw the same"
    every = [turn for one in passes for turn in one]
    assert {pair for turn in every for pair in combinations(turn, 2)} == set(combinations(rows, 2))
    for of in (rulesets, [part * ranks // len(rulesets) for part in rows]):
        assert sum(len({of[part] for part in turn}) > 1 for turn in every) > 0.8 * len(every)


@pytest.mark.parametrize("learned", ["warm start", "rollout"])
def test_turns_differ_from_pass_to_pass_of_a_run(learned: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else one ruleset would never share a minibatch with another that is its neighbour in no turn."""
    numbers: list[int] = []

    def descended(*_: Any, number: int, **__: Any) -> list[np.ndarray]:
        numbers.append(number)
        return [np.ones(8)]

    monkeypatch.setattr("hansa_training.ppo.descend", descended)
    monkeypatch.setattr("hansa_training.warm_start.descend", descended)
    with closing(Learner(make_plan(options=TINY | {"warm_start": "0" if learned == "rollout" else "64"}))) as learner:
        for _ in range(2):
            (learner.play if learned == "rollout" else learner.imitate)()
    assert len(numbers) > 2 and len(set(numbers)) == len(numbers)


def test_the_first_part_of_each_rank_that_has_any() -> None:
    ranks = Ranks()
    for size, found in ((1, [1]), (2, [1, 3]), (3, [1, 3]), (7, [1, 3, 4])):
        ranks.size = size
        assert ranks.first_of_each([1, 3, 4], 5) == found


class Second(Ranks):
    """The second of two ranks, of which the first says what it is told."""

    rank, size = 1, 2

    def __init__(self, first: Any) -> None:
        self.told = first

    def gather(self, value: Any) -> list[Any]:
        return [self.told, value]

    def from_first(self, value: Any) -> Any:
        return unpack(*pack(self.told))


def test_what_the_first_rank_has_is_sent_once_however_many_ranks_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkpoint from each of them would be more than a rank's memory."""
    value = {"games": np.arange(1000), "seed": 7}
    sent: list[torch.Tensor] = []
    places: list[int] = []

    def send(tensor: torch.Tensor, source: int) -> None:
        assert source == 0
        sent.append(tensor.clone())

    def receive(tensor: torch.Tensor, source: int) -> None:
        assert source == 0
        tensor.copy_(sent[len(places)])
        places.append(tensor.nbytes)

    def gathered(*_: Any) -> None:
        raise AssertionError("every rank sent something")

    monkeypatch.setattr(dist, "all_gather", gathered)
    for rank, broadcast in enumerate((send, receive)):
        monkeypatch.setattr(dist, "broadcast", broadcast)
        ranks = JoinedRanks.__new__(JoinedRanks)  # found nobody, so that the test is alone
        ranks.rank, ranks.size = rank, 64
        told = ranks.from_first(None if rank else value)
        assert told["seed"] == 7 and (told["games"] == value["games"]).all()
    assert sum(places) < 2 * value["games"].nbytes


@pytest.mark.parametrize("start", ["", "nowhere on this machine"])
def test_all_ranks_begin_with_the_weights_of_the_first(start: str) -> None:
    """Which alone looks for those that are named; fresh ones, too, may differ from machine to machine."""
    plan, first = make_plan(options=SHARED | {"warm_start": "0"}), {}
    with closing(Learner(plan.model_copy(update={"start": start}), Second(first))) as learner:
        first |= {name: one + 1 for name, one in learner.trained.kept().items()}
        learner.start()
        for weights in (learner.trained.kept(), learner.average.weights):
            assert all(torch.equal(one, first[name]) for name, one in weights.items())
        assert learner.average.count == (1 if start else 0), "as in the first"


def test_ranks_that_compute_otherwise_are_refused() -> None:
    plan = make_plan(options=SHARED | {"precision": "float32"})
    with pytest.raises(RunError, match=r"one rank computes in bfloat16 on cpu, another in float32 on cpu; .* name --precision"):
        Job(None, plan, Console(quiet=True), Second("bfloat16 on cpu")).run()


def test_parts_can_be_learned_from_all_at_once() -> None:
    """As on a GPU: one vector for all of a rank's parts, instead of one for each."""
    rows = {part: np.arange(part * 100, part * 100 + 10 + part) for part in range(3)}
    sizes = [len(one) for one in rows.values()]

    def of_part(part: int, some: np.ndarray, size: int) -> list[torch.Tensor]:
        return [torch.tensor([float(some.sum()) / size, 1.0]), torch.tensor(float(len(some)))]

    def at_once(some: Mapping[int, np.ndarray], size: int) -> list[torch.Tensor]:
        return [sum(torch.cat([one.flatten() for one in of_part(part, each, size)]) for part, each in some.items())]

    def learned(gradients: Gradients, together: bool) -> tuple[torch.Tensor, np.ndarray]:
        parameter, sums = torch.nn.Parameter(torch.zeros(2)), []
        told = descend(
            gradients, [parameter], rows, 4, lambda: sums.append(parameter.grad.clone()), ranks=ALONE, sizes=sizes, told=1,
            together=together,
        )  # fmt: skip
        return torch.stack(sums), np.concatenate(told)

    one_by_one, all_together = learned(part_by_part(Workers(1), of_part), False), learned(at_once, True)
    torch.testing.assert_close(one_by_one[0], all_together[0])
    assert (one_by_one[1] == all_together[1]).all() and one_by_one[1].sum() == sum(sizes)
