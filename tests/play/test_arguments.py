"""What callers give that cannot be meant: the error names the argument, what was given and what was expected."""

from __future__ import annotations

import numpy as np
import pytest

from hansa_agents.arena import play_game, play_match
from hansa_env import AgentFault, Game, HansaBatch, IllegalAction, Ruleset, hansa_teutonica_v0
from hansa_env.api.gymnasium import HansaTeutonicaEnv
from hansa_env.api.vector import HansaTeutonicaVectorEnv
from hansa_env.engine import kernels
from hansa_env.formats.errors import NotationError
from hansa_env.play.agents import ask_agents, name_of
from hansa_env.play.learner_batch import LearnerBatch
from tests.play.bots import Failing

THREE = Ruleset(3)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: HansaBatch(1, THREE, seeds=np.array(3)), "seeds is array(3); expected a list of whole numbers"),
        (lambda: HansaBatch(1, THREE, seeds=5), "seeds is 5; expected a list of whole numbers, one for each game, 1 in all"),
        (lambda: HansaBatch(2, THREE, seeds="12"), "seeds is '12'; expected"),
        (lambda: HansaBatch(2, THREE, seeds={1: 2, 3: 4}), "seeds is {1: 2, 3: 4}; expected"),
        (lambda: HansaBatch(2, THREE, reward=np.array(["win", "rank"])), "unknown reward array(['win', 'rank']"),
        (lambda: HansaBatch(2**60, THREE), f"num_games is {2**60}; expected as many as there is memory for"),
        (lambda: HansaBatch(3, THREE).step([[1], [2, 3], [4]]), "actions are [[1], [2, 3], [4]], which is no array; expected"),
        (lambda: HansaBatch(2, THREE).observe(seats=[[1], [2, 3]]), "seats are [[1], [2, 3]], which is no array; expected"),
        (lambda: HansaBatch(2, THREE).put([[1], [2, 3]], HansaBatch(1, THREE).games), "rows are [[1], [2, 3]], which is"),
        (lambda: LearnerBatch(2, THREE, illegal_action=np.array(["raise"] * 2)), "illegal_action is array(['raise', 'raise']"),
        (lambda: LearnerBatch(2, THREE, seat=np.array([0, 1])), "seat is array([0, 1]); expected 'random' or a number"),
        (lambda: LearnerBatch(2, THREE).reset(seed={1: 2, 3: 4}), "seed is {1: 2, 3: 4}; expected a whole number"),
        (lambda: LearnerBatch(2, THREE).reset(seed="ab"), "seed is 'ab'; expected a whole number"),
        (lambda: HansaTeutonicaVectorEnv(2, THREE).reset(seed="ab"), "seed is 'ab'; expected a whole number"),
        (lambda: HansaTeutonicaVectorEnv(2, THREE).reset(options=3), "options is 3; expected a dict"),
        (lambda: LearnerBatch(2, THREE, {"greedy"}), "opponents is {'greedy'}; expected an agent or the spec of one, or a"),
        (lambda: LearnerBatch(2, THREE, {"greedy": 1}), "opponents is {'greedy': 1}; expected an agent or the spec of one"),
        (lambda: LearnerBatch(2, THREE).set_opponents(b"greedy"), "opponents is b'greedy'; expected an agent or the spec of"),
        (lambda: play_match({"greedy"}, THREE, 2), "specs is {'greedy'}; expected an agent or the spec of one, or a list"),
        (lambda: play_game({"greedy": 1}, THREE), "specs is {'greedy': 1}; expected an agent or the spec of one, or a list"),
        (lambda: Game(THREE).svg(width="a"), "width is 'a'; expected more than 0"),
        (lambda: Game(THREE).svg(width=float("nan")), "width is nan; expected more than 0"),
        (lambda: Game(THREE).svg(width=True), "width is True; expected more than 0"),
        (lambda: Game(THREE).scene("a"), "last is 'a'; expected how many decisions"),
        (lambda: Game(THREE).scene(-1), "last is -1; expected how many decisions"),
    ],
)  # fmt: skip
def test_an_argument_that_is_wrong_is_named(call, said: str) -> None:
    with pytest.raises(ValueError) as refused:
        call()
    assert str(refused.value).startswith(said)


@pytest.mark.parametrize("seeds", [range(5, 7), (5, 6), np.array([5, 6], np.uint8)], ids=str)
def test_seeds_come_in_any_sequence(seeds) -> None:
    wanted = HansaBatch(2, THREE, seeds=[5, 6]).games.tobytes()
    learners = LearnerBatch(2, THREE, "random", seat=0)
    learners.reset(seeds)
    assert HansaBatch(2, THREE, seeds=seeds).games.tobytes() == wanted and learners.batch.games["seed"].tolist() == [5, 6]


def test_games_for_which_there_is_no_memory_are_told_by_their_number_and_size() -> None:
    with pytest.raises(MemoryError, match=rf"^num_games is {2**50}, whose records alone take 1,[\d,]+\.\d GB; expected fewer$"):
        HansaBatch(2**50, THREE)


def test_memory_that_is_short_later_is_told_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(kernels, "deal_games", none)
    with pytest.raises(MemoryError, match=r"^num_games is 1000, whose records alone take 0\.0 GB; expected fewer$"):
        HansaBatch(1000, THREE)


def test_agents_come_in_any_order_that_there_is() -> None:
    batch = LearnerBatch(2, THREE, (spec for spec in ("greedy", "random")))
    assert [name_of(agent) for agent in batch.opponents] == ["greedy", "random"]


@pytest.mark.parametrize("number", [2**70, -(2**70), 2**64 - 1, 10_000])
def test_the_number_that_was_given_is_the_one_that_is_named(number: int) -> None:
    env = HansaTeutonicaEnv(players=3)
    env.reset(seed=1)
    with pytest.raises(IllegalAction, match=rf"gave {number}, outside 0\.\.\d+"):
        env.step(number)
    if number in (10_000, 2**64 - 1):
        batch = LearnerBatch(1, THREE)
        with pytest.raises(IllegalAction, match=rf"gave {number}, outside"):
            batch.step(np.array([number], np.uint64))
        agent = Failing(lambda masks: np.full(len(masks), number, np.uint64))
        with pytest.raises(AgentFault, match=f"answered {number}, outside"):
            ask_agents([agent], np.zeros(1, np.int64), THREE, HansaBatch(1, THREE).games)


@pytest.mark.parametrize("what", ["terminate", "substitute"])
def test_a_number_too_large_for_an_array_is_an_illegal_action_like_others(what: str) -> None:
    env = HansaTeutonicaEnv(players=3, illegal_action=what)
    env.reset(seed=1)
    _, reward, over, _, info = env.step(2**70)
    assert (reward, over) == (-1, True) if what == "terminate" else info["substituted"]


@pytest.mark.parametrize("i", ["a", None, True, 1.0, np.array([0, 1])], ids=repr)
def test_the_number_of_a_game_is_a_whole_one(i) -> None:
    with pytest.raises(TypeError, match=r"i is .*; expected a whole number from 0 to 1$"):
        Game.from_batch(HansaBatch(2, THREE), i)


def test_a_game_comes_from_a_batch_and_nothing_else() -> None:
    learners = LearnerBatch(2, THREE)
    with pytest.raises(TypeError, match="batch is a LearnerBatch; expected its attribute batch"):
        Game.from_batch(learners, 0)
    with pytest.raises(TypeError, match="batch is a Game; expected a HansaBatch"):
        Game.from_batch(Game(THREE), 0)
    assert Game.from_batch(learners.batch, np.int64(1)).state == learners.batch.games[1]


@pytest.mark.parametrize("action", [True, 1.0, None, "a"])
def test_only_whole_numbers_are_described(action) -> None:
    with pytest.raises(TypeError, match=f"action is {action!r}; expected a whole number from 0 to"):
        Game(THREE).describe(action)


def test_nothing_is_described_in_a_game_that_is_over() -> None:
    game = Game(THREE, max_turns=1)
    while not game.over:
        game.play("done")
    with pytest.raises(NotationError, match="the game is over, and nothing is asked; action 0 stands for no decision"):
        game.describe(0)


@pytest.mark.parametrize("flat", [True, False])
@pytest.mark.parametrize("action", [True, False])
def test_true_and_false_are_no_actions_of_the_wrapped_environment(flat: bool, action: bool) -> None:
    env = hansa_teutonica_v0.env(players=3, mask_in_observation=not flat)
    env.reset(seed=1)
    before = env.unwrapped.state().tobytes()
    with pytest.raises(TypeError, match=f"action is {action}; expected a whole number from 0 to"):
        env.step(action)
    assert env.unwrapped.state().tobytes() == before and not any(env.terminations.values())


def test_the_parallel_view_names_who_decides_where_nothing_is_given_for_it() -> None:
    env = hansa_teutonica_v0.parallel_env(players=3)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="actions are of player_1; expected one of player_0, which decides"):
        env.step({"player_1": 0})
    with pytest.raises(ValueError, match="actions are of nobody; expected one of player_0"):
        env.step({})
