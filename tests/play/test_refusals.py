"""What a batch and a game refuse, unchanged; and errors of the engine, which are never silent."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import partial

import numpy as np
import pytest

from hansa_env import (
    ActionTypeError,
    EngineError,
    Game,
    HansaBatch,
    IllegalAction,
    Ruleset,
    RulesetError,
    graph_tables,
    hansa_teutonica_v0,
    observation_blocks,
    observation_fields,
    observation_high,
)
from hansa_env.api.gymnasium import HansaTeutonicaEnv
from hansa_env.api.vector import HansaTeutonicaVectorEnv
from hansa_env.engine import kernels, state
from hansa_env.engine.tables import tables_of
from hansa_env.play.learner_batch import LearnerBatch
from hansa_env.sb3 import HansaVecEnv
from tests.helpers import RULESETS, choose_eagerly, ruleset_id
from tests.play.bots import First

THREE = Ruleset(3)


@pytest.mark.parametrize("seats", [9, 3, -1, -2, 127, 300, 2**40, np.int8(3), [0, 3], np.array([0, -1])])
def test_there_is_no_view_of_a_seat_that_does_not_exist(seats) -> None:
    batch = HansaBatch(2, THREE)
    with pytest.raises(ValueError, match=r"seat -?\d+ does not exist; expected 0 to 2"):
        batch.observe(seats=seats)
    if np.ndim(seats) == 0:
        with pytest.raises(ValueError, match=r"seat -?\d+ does not exist; expected 0 to 2"):
            Game(THREE).observation(seats)


@pytest.mark.parametrize("seats", [0.0, "0", [0, 1, 2], np.zeros((2, 1), int), np.array([True, False])])
def test_seats_are_whole_numbers_one_or_one_per_game(seats) -> None:
    with pytest.raises(ValueError, match=r"seats have shape .*; expected whole numbers, one or \(2,\)"):
        HansaBatch(2, THREE).observe(seats=seats)


@pytest.mark.parametrize("action", [-1, -2, 10_000, 2**70, np.int64(-1)])
def test_an_index_that_is_no_action_changes_no_game_and_no_record(action) -> None:
    game = Game(THREE, seed=1)
    game.play("place trader stade/hamburg")
    before = game.state.tobytes(), game.record()
    with pytest.raises(IllegalAction, match=r"seat 0 was asked 'act' and gave -?\d+, outside 0\.\.\d+; legal: done"):
        game.play_action(action)
    assert (game.state.tobytes(), game.record()) == before
    assert Game.from_record(game.record()).position() == game.position()


def test_of_what_was_legal_the_nearest_is_named_and_the_rest_counted() -> None:
    game = Game(THREE, seed=1)
    count = len(game.legal())
    assert count > 20
    said = {"place trader hamburg": "place trader stade/hamburg, ", "claim stade/hamburg": "place merchant stade/hamburg, ",
            "fly": "done, ", "x" * 10**6: "done, "}  # fmt: skip
    for text, first in said.items():
        with pytest.raises(IllegalAction, match=rf"legal: {first}.* and \d+ more in game\.legal\(\)$") as refused:
            game.play(text)
        assert len(str(refused.value)) < 400
    with pytest.raises(IllegalAction, match=rf"legal: done, .* and {count - 5} more$"):
        game.play_action(int((~game.action_mask()).argmax()))
    rng = np.random.default_rng(0)
    while len(game.legal()) > 5:
        game.play(rng.choice(game.legal()).item())
    with pytest.raises(IllegalAction, match=f"legal: {', '.join(game.legal())}$"):
        game.play("fly")


def test_a_game_that_is_over_expects_nothing() -> None:
    game = Game(THREE, seed=1, max_turns=1)
    while not game.over:
        game.play("done")
    for play, given, said in (
        (game.play, "done", "'done'"),
        (game.play_action, 3, "action 3"),
        (game.play_action, -1, "action -1"),
    ):
        with pytest.raises(
            IllegalAction,
            match=f"^the game is over, cut off after 3 turns of all seats together; {said} was given, expected nothing$",
        ):
            play(given)


@pytest.mark.parametrize(
    "argument",
    [{"threads": 0}, {"threads": -4}, {"threads": "2"}, {"threads": 1.5}, {"autoreset": "no"}, {"autoreset": 1}, {"seeds": 5}],
    ids=str,
)
def test_a_batch_names_the_argument_that_is_wrong(argument: dict) -> None:
    (name,) = argument
    with pytest.raises(ValueError, match=f"^{name} is .*; expected"):
        HansaBatch(3, THREE, **argument)


@pytest.mark.parametrize("index", [0, np.int64(0), None])
def test_who_plays_an_index_as_a_text_is_told_where_it_belongs(index) -> None:
    game = Game(THREE, seed=1)
    with pytest.raises(IllegalAction, match=r"legal: done, .*play\(\) takes one of these texts, and play_action\(\) an index"):
        game.play(index)
    assert not game.moves()


def test_of_a_single_game_no_number_is_told() -> None:
    game, aec, env = Game(THREE), hansa_teutonica_v0.raw_env(players=3), HansaTeutonicaEnv(players=3)
    aec.reset(seed=1)
    env.reset(seed=1)
    illegal = {
        game.play_action: int((~game.action_mask()).argmax()), env.step: int((~env.action_masks()).argmax()), aec.step: 99999,
    }  # fmt: skip
    for step, action in illegal.items():
        for given in (action, -1):
            with pytest.raises(IllegalAction, match=rf"^seat \d was asked 'act' and gave {given}[ ,].*legal: "):
                step(given)


NO_ACTIONS = [0.0, 2.7, np.float32(3), "3", None, [3], True, np.bool_(True)]


@pytest.mark.parametrize("action", NO_ACTIONS, ids=repr)
def test_what_is_no_whole_number_is_no_action(action) -> None:
    """Never rounded, and never taken for the number 1."""
    many = [HansaBatch(2, THREE), LearnerBatch(2, THREE, First()), HansaTeutonicaVectorEnv(2, THREE), HansaVecEnv(2, THREE)]
    game, env = Game(THREE), HansaTeutonicaEnv(players=3)
    turns = [make(players=3) for make in (hansa_teutonica_v0.raw_env, hansa_teutonica_v0.env)]
    view = hansa_teutonica_v0.parallel_env(players=3)
    for one in (*many[2:3], env, *turns, view):
        one.reset(seed=1)
    records = [game.games, env.core.batch.games, *(one.unwrapped._batch.games for one in (*turns, view))]
    before = [one.tobytes() for one in records]
    for one in many:
        with pytest.raises(ActionTypeError, match="expected whole numbers"):
            one.step(np.array([action, action]))
    for step in (game.play_action, env.step, *(one.step for one in turns), lambda given: view.step({"player_0": given})):
        with pytest.raises(ActionTypeError, match=r"action is .*; expected a whole number from 0 to \d+"):
            step(action)
    assert before == [one.tobytes() for one in records]
    assert issubclass(ActionTypeError, TypeError) and issubclass(ActionTypeError, ValueError)


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.int32, np.uint32, np.uint64])
def test_every_kind_of_whole_number_is_an_action(kind) -> None:
    batch, other = HansaBatch(2, THREE), HansaBatch(2, THREE)
    actions = batch.action_mask.argmax(1)
    batch.step(actions)
    other.step(actions.astype(kind))
    assert (batch.games == other.games).all()


@pytest.mark.parametrize("number", [2**64 - 1, 2**63, 2**64 - 2])
def test_numbers_beyond_the_range_do_not_wrap_around(number: int) -> None:
    """2**64 − 1 in int64 is −1, which would leave the game as it is."""
    batch = HansaBatch(2, THREE)
    legal = int(batch.action_mask[0].argmax())
    before = batch.games.tobytes()
    with pytest.raises(IllegalAction, match=rf"game 1: .* gave {number}, outside"):
        batch.step(np.array([legal, number], np.uint64))
    assert batch.games.tobytes() == before


@pytest.mark.parametrize("i", [-1, 2, 100])
def test_there_is_no_game_of_another_number(i: int) -> None:
    with pytest.raises(IndexError, match=f"there is no game {i}; expected 0 to 1"):
        Game.from_batch(HansaBatch(2, THREE), i)


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [
        (HansaBatch, "game", "Game.from_batch(batch, i)"), (LearnerBatch, "agents", "opponents"),
        (LearnerBatch, "set_agents", "set_opponents"), (LearnerBatch, "scores", "final_scores"),
        (LearnerBatch, "ranks", "final_ranks"),
    ],
)  # fmt: skip
def test_who_asks_for_an_old_name_is_told_the_new_one(kind: type, old: str, new: str) -> None:
    batch = kind(2, THREE)
    with pytest.raises(AttributeError, match=re.escape(f"{kind.__name__}'s attribute {old!r} is called {new!r} now")):
        getattr(batch, old)
    assert not hasattr(batch, old) and old not in dir(batch)
    with pytest.raises(AttributeError, match=f"^'{kind.__name__}' object has no attribute 'fly'"):
        batch.fly  # noqa: B018


def test_a_game_of_a_batch_goes_on_by_itself() -> None:
    batch = HansaBatch(2, THREE, seeds=[3, 4])
    game = Game.from_batch(batch, 1)
    assert game.position() == Game(THREE, seed=4).position()
    before = batch.games.tobytes()
    game.play("place trader stade/hamburg")
    assert batch.games.tobytes() == before


# Errors of the engine.


def without_an_answer() -> tuple[HansaBatch, int]:
    """A game whose fields were set by hand, and an action after which a penalty is asked that nobody can pay."""
    batch = HansaBatch(1, THREE, seed=3, autoreset=True)
    rng = np.random.default_rng(3)
    while batch.games["asked"][0] != state.ASK_WITH:
        batch.step(choose_eagerly(batch, rng))
    game = batch.games[0]
    game["supply"][game["seat"]] = 1, 0
    return batch, Game.from_batch(batch, 0).parse("trader")


def test_a_question_without_an_answer_is_an_error_and_no_game_goes_on() -> None:
    batch, action = without_an_answer()
    with pytest.raises(EngineError, match=r"game 0, seed \d+: seat \d has no legal decision at 'pay'"):
        batch.step(np.array([action]))
    stopped = batch.games.tobytes()
    assert not batch.action_mask.any() and not batch.terminated[0] and not batch.truncated[0]
    for number in range(batch.num_actions):
        with pytest.raises(IllegalAction, match="was asked 'pay'"):
            batch.step(np.array([number]))
    assert batch.games.tobytes() == stopped
    batch.reset(seed=1)
    batch.step(batch.action_mask.argmax(1))


def test_of_many_games_the_one_without_an_answer_is_named() -> None:
    single, action = without_an_answer()
    for threads in (1, 2):
        batch = HansaBatch(3, THREE, seed=1, threads=threads)
        actions = batch.action_mask.argmax(1)
        batch.games[2] = single.games[0]
        actions[2] = action
        with pytest.raises(EngineError, match="game 2, seed"):
            batch.step(actions)


# Memory, threads and processes.


@pytest.mark.parametrize("ruleset", RULESETS, ids=ruleset_id)
def test_what_was_in_memory_before_leaves_no_trace(ruleset: Ruleset) -> None:
    """Equal positions are equal bytes, whatever the record held: zeros, ones, or another game played to its end."""
    fresh = HansaBatch(4, ruleset, seed=5).games
    tables, seeds = tables_of(ruleset), fresh["seed"].copy()
    for filling in (0x00, 0x55, 0xFF):
        games = state.new_games(4)
        games.view(np.uint8)[:] = filling
        kernels.deal_games(games, tables, seeds, 100 * ruleset.players, 0, 4)
        kernels.begin_games(games, tables, 0, 4)
        assert games.tobytes() == fresh.tobytes(), f"{filling:#x} shows in {differing(games, fresh)}"
    batch = HansaBatch(4, ruleset, seed=8, max_turns=20)
    rng = np.random.default_rng(8)
    while not (batch.terminated | batch.truncated).all():
        batch.step(choose_eagerly(batch, rng))
    games = batch.games.copy()
    kernels.deal_games(games, tables, seeds, 100 * ruleset.players, 0, 4)
    kernels.begin_games(games, tables, 0, 4)
    assert games.tobytes() == fresh.tobytes(), f"the game before shows in {differing(games, fresh)}"


def differing(games: np.ndarray, others: np.ndarray) -> list[str]:
    return [name for name in state.GAME.names if (games[name] != others[name]).any()]


FORK = """
import os, signal, sys, warnings
warnings.simplefilter("ignore", DeprecationWarning)  # of Python 3.12: a fork with threads is what is tried
import numpy as np
from hansa_env import HansaBatch, Ruleset

batch = HansaBatch(8, Ruleset(3), seed=1, threads=2)
batch.step(batch.action_mask.argmax(1))
child = os.fork()
if child == 0:
    signal.alarm(30)  # a batch that hangs ends by a signal
for _ in range(20):
    batch.step(batch.action_mask.argmax(1))
    batch.observe()
twin = batch.copy()
twin.step(twin.action_mask.argmax(1))
alone = HansaBatch(8, Ruleset(3), seed=1)
for _ in range(21):
    alone.step(alone.action_mask.argmax(1))
same = alone.games.tobytes() == batch.games.tobytes()
if child == 0:
    os._exit(0 if same else 3)
ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
sys.exit(f"child {ended}, parent {same}" if ended or not same else 0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system cannot fork")
def test_a_forked_child_plays_on_with_threads() -> None:
    done = subprocess.run([sys.executable, "-c", FORK], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.mark.parametrize("given", ["base", 3, {"players": 3}, Ruleset])
def test_what_is_no_ruleset_is_named(given) -> None:
    """Environments alone take its arguments as a mapping, which is what Gymnasium's specs in JSON have."""
    made = [lambda: Game(given), lambda: HansaBatch(2, given), lambda: LearnerBatch(2, given, First())]
    if not isinstance(given, dict):
        made += [lambda: hansa_teutonica_v0.raw_env(given), lambda: HansaTeutonicaEnv(given)]
        tables = observation_fields, observation_blocks, observation_high, graph_tables
        made += [partial(table, given) for table in tables]
    for make in made:
        with pytest.raises(RulesetError, match=r"ruleset is .*; expected a Ruleset, such as Ruleset\(players=3\)"):
            make()
