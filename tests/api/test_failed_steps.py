"""A step or reset that fails half-way, as by an opponent's fault: no reward or end of it is lost unnoticed."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode

from hansa_env import AgentFault, LearnerBatch, Ruleset
from hansa_env.api.gymnasium import HansaTeutonicaEnv
from hansa_env.api.vector import HansaTeutonicaVectorEnv
from tests.play.bots import FAULTS, Failing, refuse

THREE = Ruleset(3)
by_fault = pytest.mark.parametrize(("answer", "said"), FAULTS.values(), ids=FAULTS)


def interrupt(masks: np.ndarray) -> np.ndarray:
    raise KeyboardInterrupt


def assert_only_a_whole_reset_goes_on(batch: LearnerBatch, step: Callable[[], object], reset: Callable[..., object]) -> None:
    before = batch.batch.games.tobytes()
    for some in (np.arange(batch.num_envs) == 0, batch.ended, ~batch.ended):
        if some.any() and not some.all():
            with pytest.raises(ResetNeeded, match=r"call reset\(\), of all games"):
                reset(some)
    with pytest.raises(
        ResetNeeded, match=r"^a step or reset raised .*; its rewards and ends are lost, so call reset\(\), of all"
    ):
        step()
    assert batch.batch.games.tobytes() == before


def test_who_forgives_illegal_actions_does_not_forgive_an_opponent_that_crashed() -> None:
    env = HansaTeutonicaEnv(THREE, opponents=Failing(refuse, after=6), seat=0)
    with pytest.raises(AgentFault, match="agent 'culprit' raised ZeroDivisionError"):
        _, info = env.reset(seed=1)
        for _ in range(60):
            with suppress(ValueError):  # as in a loop that skips what was illegal
                *_, info = env.step(int(info["action_mask"].argmax()))
    with pytest.raises(ResetNeeded, match="raised AgentFault: agent 'culprit' raised ZeroDivisionError: division by zero"):
        env.step(0)
    env.core.opponents[0].left = -1
    _, info = env.reset()
    env.step(int(info["action_mask"].argmax()))


@pytest.mark.parametrize("illegal_action", ["raise", "terminate", "substitute"])
@by_fault
def test_after_a_fault_no_action_of_the_learner_is_played_for_the_opponent(answer, said, illegal_action: str) -> None:
    culprit = Failing(answer, after=12)
    batch = LearnerBatch(4, THREE, culprit, seed=1, seat=1, illegal_action=illegal_action)
    with pytest.raises(AgentFault, match="agent 'culprit'"):
        for _ in range(60):
            batch.step(batch.action_mask.argmax(axis=1))
    assert not batch.action_mask.any()
    for action in (*range(0, batch.num_actions, 20), int(np.flatnonzero(batch.batch.action_mask[0])[0])):
        step = partial(batch.step, np.full(4, action))
        assert_only_a_whole_reset_goes_on(batch, step, lambda some: batch.reset(where=some))
    culprit.left = -1  # it is mended
    batch.reset()
    batch.step(batch.action_mask.argmax(axis=1))


def test_after_a_fault_in_a_reset_the_old_mask_is_gone() -> None:
    culprit = Failing(lambda masks: np.full(len(masks), -1), after=-1)
    batch = LearnerBatch(3, THREE, culprit, seed=1, seat=2)
    assert batch.action_mask.any(axis=1).all()
    culprit.left = 0
    with pytest.raises(AgentFault):
        batch.reset(seed=5)
    assert not batch.action_mask.any()
    assert_only_a_whole_reset_goes_on(batch, lambda: batch.step(np.zeros(3, int)), lambda some: batch.reset(where=some))
    culprit.left = -1
    batch.reset(seed=5)
    assert batch.action_mask.any(axis=1).all()


def test_what_was_refused_before_it_began_needs_no_reset() -> None:
    batch = LearnerBatch(2, THREE, "random", seed=1)
    for wrong in (np.full(2, batch.num_actions), np.zeros(2)):
        with pytest.raises(ValueError):
            batch.step(wrong)
    for seed in (-1, [1], [1, -1]):
        with pytest.raises(ValueError):
            batch.reset(seed)
    batch.step(batch.action_mask.argmax(axis=1))


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize(("answer", "raises"), [(refuse, AgentFault), (interrupt, KeyboardInterrupt)])
@pytest.mark.parametrize("place", ["step", "reset"])
def test_a_vector_goes_on_with_no_row_whose_end_it_has_not_told(mode: AutoresetMode, answer, raises, place: str) -> None:
    """The opponent fails in a step in which other rows end, or where ended rows are dealt anew."""
    culprit = Failing(answer, after=-1)
    env = HansaTeutonicaVectorEnv(24, THREE, opponents=culprit, max_turns=2, autoreset_mode=mode)
    core, info = env.core, env.reset(seed=3)[1]
    plain = core.reset

    def reset(*given: object, **named: object) -> None:
        culprit.left = 0
        plain(*given, **named)

    if place == "reset":
        core.reset = reset
    with pytest.raises(raises):
        for _ in range(2000):
            if place == "step" and core.batch.games["turns"].max() >= 4:
                culprit.left = 2  # answers, and some rows come to their ends meanwhile
            *_, terminated, _, info = env.step(info["action_mask"].argmax(axis=1))
            if mode == AutoresetMode.DISABLED and terminated.any():
                info = env.reset(options={"reset_mask": terminated})[1]
    core.reset, culprit.left = plain, -1
    assert core.batch.ended.any() or place == "reset"
    anything = np.zeros(24, np.int64)
    assert_only_a_whole_reset_goes_on(core, lambda: env.step(anything), lambda some: env.reset(options={"reset_mask": some}))
    info = env.reset(options={"reset_mask": np.ones(24, np.bool_)})[1]
    assert info["_action_mask"].all() and info["action_mask"].any(axis=1).all()
    env.step(info["action_mask"].argmax(axis=1))
