"""The warm start: how much the teacher plays, how fast is learned, and what is said of how well."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest
import torch

from hansa_training.learner import Learner
from hansa_training.networks import evaluate
from hansa_training.plan_file import make_plan
from hansa_training.warm_start import Imitation, Lesson
from tests.training.tiny import TINY


@pytest.fixture
def imitation() -> Iterator[Imitation]:
    """Three rounds of 32 decisions."""
    with closing(Learner(make_plan(options=TINY | {"warm_start": "96", "shards": "1"}))) as learner:
        assert learner.imitation is not None
        yield learner.imitation


def changed_collect(monkeypatch: pytest.MonkeyPatch, then: Callable[[Lesson, Any, float], None]) -> None:
    """What is collected goes through `then`, with the policy and the share of games that the teacher plays."""
    collect = Lesson.collect

    def collected(self: Lesson, policy: Any, teacher_plays: float, *rest: Any) -> None:
        collect(self, policy, teacher_plays, *rest)
        then(self, policy, teacher_plays)

    monkeypatch.setattr(Lesson, "collect", collected)


def test_the_teacher_plays_ever_less_and_learning_slows_down(imitation: Imitation, monkeypatch: pytest.MonkeyPatch) -> None:
    """0.5·(1 − done/decisions) of the games, at 2e-3·max(0.05, 1 − done/decisions)."""
    played, rates, done = [], [], []
    changed_collect(monkeypatch, lambda lesson, policy, teacher_plays: played.append(teacher_plays))
    for _ in range(4):
        done.append(imitation.done)
        imitation.round()
        rates += [group["lr"] for group in imitation.optimizer.param_groups]
    assert done == [0, 32, 64, 96]
    assert played == pytest.approx([1 / 2, 1 / 3, 1 / 6, 0], abs=1e-12)
    assert rates == pytest.approx([2e-3, 2e-3 * 2 / 3, 2e-3 / 3, 1e-4], abs=1e-12)


@pytest.mark.parametrize(("every", "share"), [(1, 1.0), (4, 0.75)])
def test_the_share_is_that_of_the_labels_that_seem_likeliest_to_the_policy(
    imitation: Imitation, every: int, share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a policy that does not move meanwhile; every fourth label is another one's."""

    def label(lesson: Lesson, policy: Any, teacher_plays: float) -> None:
        seen, legal, labels = lesson.columns
        with torch.no_grad():
            logits, _ = evaluate(policy, torch.from_numpy(seen), torch.from_numpy(legal))
        labels[:] = logits.argmax(1).numpy()
        if every > 1:
            labels[::every] = (labels[::every] + 1) % legal.shape[1]

    changed_collect(monkeypatch, label)
    monkeypatch.setattr("hansa_training.warm_start.LEARNING_RATE", 0.0)
    imitation.round()
    assert imitation.share == share
