"""The learner, from nothing, on a board whose best play is known exactly."""

from __future__ import annotations

import pytest
import torch

from hansa_agents.solved.graph import build
from hansa_agents.solved.measures import measure
from hansa_agents.solved.values import Solution
from hansa_training import learner
from hansa_training.plan import Plan

#: From scratch, against itself alone: no teacher, no opponent, no other beginnings; a win counts, and nothing else.
PLAN = Plan(
    players=2, board="miniature-2-small", network="mlp", warm_start=0, self_play=40_960, opponents="random", teacher="random",
    all_learners=1.0, two_learners=0.0, envs=128, rollout=32, batch_size=512, n_epochs=4, value_rollouts=1, win=1.0, lead=0.0,
    ent_coef=0.03, max_turns=10, learning_rate=1e-3, eval_opponents="random", shards=1, threads=1, average=5,
    precision="float32", decay=0.5,
)  # fmt: skip


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_self_play_from_nothing_comes_to_best_play(seed: int) -> None:
    """By its likeliest decisions nobody can win anything from it; what it still draws beside gives less away than at first."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    plan = PLAN.model_copy(update={"seed": seed})
    solution = Solution(build(plan.ruleset), plan.max_turns * 2)
    run = learner.Learner(plan)
    try:
        before, drawn_before = measure(solution, run.agent(), deterministic=True), measure(solution, run.agent())
        while not run.finished:
            run.play()
        after, drawn_after = measure(solution, run.agent(), deterministic=True), measure(solution, run.agent())
    finally:
        run.close()
        torch.set_num_threads(threads)
    assert before.exploitability > 0.2 and after.exploitability < 1e-9 and after.regret < 1e-9
    assert drawn_after.regret < drawn_before.regret / 3
