"""Work that is split into parts, and threads that share it; what comes out does not depend on how many there are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

import numpy as np
import torch
from torch import Tensor

from hansa_training.networks.board import ROWS
from hansa_training.ranks import Ranks

Part = TypeVar("Part")
Result = TypeVar("Result")


class Workers:
    """Calls a function on several parts at once, in so many threads; with one, in the caller's.

    PyTorch and the compiled engine let go of Python's lock while they compute, so that threads share the cores.
    """

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._pool: ThreadPoolExecutor | None = None

    def map(self, function: Callable[[Part], Result], parts: Iterable[Part]) -> list[Result]:
        """The results in the order of the parts; the first error of a part is raised when all are done."""
        parts = list(parts)
        if self.threads == 1 or len(parts) == 1:
            return [function(part) for part in parts]
        if self._pool is None:
            gpu = torch.cuda.current_device() if torch.cuda.is_initialized() else None
            self._pool = ThreadPoolExecutor(self.threads, "hansa-training", _begin_thread, (gpu,))
        futures = [self._pool.submit(function, part) for part in parts]
        return [future.result() for future in futures]

    def close(self) -> None:
        """Let the threads go."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None


def _begin_thread(gpu: int | None) -> None:
    """OpenMP counts its threads by the thread that asks for them, and which GPU is current is each thread's own too."""
    torch.set_num_threads(1)
    if gpu is not None:
        torch.cuda.set_device(gpu)


@contextmanager
def one_thread() -> Iterator[None]:
    """Let each operation of PyTorch be one thread's: small ones spend more on sharing than they gain, and on a machine whose
    cores are busy a hundred times as much."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def split_evenly(total: int, parts: int) -> list[int]:
    """Sizes of the parts of a whole, which differ by one at most."""
    return [total * (i + 1) // parts - total * i // parts for i in range(parts)]


def split_alike(rows: np.ndarray, parts: int) -> list[np.ndarray]:
    """Rows in parts that are all of one size, a multiple of 64 where they are larger; a few rows at the end are left out then.

    Sizes that stay the same from one rollout to the next are what makes small matrix products quick (`networks.board.ROWS`).
    """
    size = len(rows) // parts
    if parts == 1 or size < 2 * ROWS:
        return np.array_split(rows, parts)
    size -= size % ROWS
    return np.split(rows[: size * parts], parts)


#: Of some rows of each of this rank's parts, and the rows in the whole minibatch: gradients and figures as vectors, one for
#: each part or one for all. They may be changed, and be overwritten by the next call.
Gradients = Callable[[Mapping[int, np.ndarray], int], Sequence[Tensor]]


def part_by_part(workers: Workers, gradients: Callable[[int, np.ndarray, int], Sequence[Tensor]]) -> Gradients:
    """Gradients that are found for each part by itself, from (part, some of its rows, rows in the whole minibatch)."""

    def found(rows: Mapping[int, np.ndarray], size: int) -> Sequence[Tensor]:
        def vector(part: int) -> Tensor:
            return torch.cat([one.flatten() for one in gradients(part, rows[part], size)])

        return workers.map(vector, rows)

    return found


def descend(
    gradients: Gradients,
    parameters: Sequence[torch.nn.Parameter],
    rows: Mapping[int, np.ndarray],
    minibatches: int,
    step: Callable[[], object],
    ranks: Ranks,
    sizes: Sequence[int],
    told: int,
    at_once: int = 0,
    together: bool = False,
) -> list[np.ndarray]:
    """One pass of gradient descent over rows that are kept in parts; each minibatch has its share of every part, or of
    `at_once` of them, which take turns.

    Args:
        gradients: which are summed over the parts, like the figures behind them.
        parameters: whose `grad` is set.
        rows: of each part that is this rank's, in the order in which they are taken.
        step: called when the gradients are set.
        ranks: who has the parts.
        sizes: how many rows each part has, of all ranks.
        told: how many figures there are.
        together: `gradients` finds one vector for all of a rank's parts.

    Returns the figures of the minibatches.
    """
    groups = -(-len(sizes) // at_once) if at_once else 1
    rounds = -(-minibatches // groups)
    shares = {part: split_alike(one, rounds) for part, one in rows.items()}
    counts = [[len(one) for one in split_alike(np.empty(size), rounds)] for size in sizes]
    like = parameters[0].detach().new_empty(sum(one.numel() for one in parameters) + told)
    figures = []
    for k in range(rounds * groups):
        taken = [part for part in range(k % groups, len(sizes), groups) if counts[part][k // groups]]
        size = sum(counts[part][k // groups] for part in taken)
        if size == 0:
            continue
        found = gradients({part: shares[part][k // groups] for part in taken if part in shares}, size)
        total = ranks.sum_in_order(found, ranks.first_of_each(taken, len(sizes)) if together else taken, len(sizes), like)
        for p, gradient in zip(parameters, total.split([*(one.numel() for one in parameters), told])):
            p.grad = gradient.view_as(p)
        figures.append(total[len(total) - told :].clone())
        step()
    return list(torch.stack(figures).cpu().numpy()) if figures else []
