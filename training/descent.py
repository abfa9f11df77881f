"""Gradient descent over rows that are kept in parts, which ranks and threads share; what comes out does not depend on how many
there are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import torch
from torch import Tensor

from hansa_training.networks.board import ROWS
from hansa_training.ranks import Ranks
from hansa_training.workers import Workers

#: Of who takes turns with whom: the same on all ranks.
TURNS_SEED = 0


def split_alike(rows: np.ndarray, parts: int) -> list[np.ndarray]:
    """Rows in parts of about one size, all but the last a multiple of 64 where they are larger.

    Sizes that come again from one rollout to the next are what makes small matrix products quick (`networks.board.ROWS`).
    """
    blocks = len(rows) // ROWS
    if blocks < 2 * parts:
        return np.array_split(rows, parts)
    some_have_one_more = np.arange(parts) < blocks % parts
    return np.split(rows, (np.cumsum(blocks // parts + some_have_one_more) * ROWS)[:-1])


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
    *,
    ranks: Ranks,
    sizes: Sequence[int],
    told: int,
    at_once: int = 0,
    number: int = 0,
    together: bool = False,
) -> list[np.ndarray]:
    """One pass of gradient descent over rows that are kept in parts; each minibatch has its share of every part, or of
    `at_once` of them, which take turns: who shares a minibatch is drawn anew for each pass, whatever their rulesets and ranks.

    Args:
        gradients: which are summed over the parts, like the figures behind them.
        parameters: whose `grad` is set.
        rows: of each part that is this rank's, in the order in which they are taken.
        minibatches: into how many these fall.
        step: called when the gradients are set.
        ranks: who has the parts.
        sizes: how many rows each part has, of all ranks.
        told: how many figures there are.
        at_once: how many parts a minibatch is taken from; 0 = from all.
        number: of the pass, the same on all ranks, by which turns are drawn.
        together: `gradients` finds one vector for all of a rank's parts.

    Returns the figures of the minibatches.
    """
    groups = -(-len(sizes) // at_once) if at_once else 1
    rounds = -(-minibatches // groups)
    shares = {part: split_alike(one, rounds) for part, one in rows.items()}
    counts = [[len(one) for one in split_alike(np.empty(size), rounds)] for size in sizes]
    turns = np.array_split(np.random.default_rng((TURNS_SEED, number)).permutation(len(sizes)), groups)
    like = parameters[0].detach().new_empty(sum(one.numel() for one in parameters) + told)
    figures = []
    for k in range(rounds * groups):
        taken = sorted(part for part in turns[k % groups].tolist() if counts[part][k // groups])
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
