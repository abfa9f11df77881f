"""A game is named by one number, everywhere."""

from __future__ import annotations

from collections.abc import Callable

import gymnasium
import numpy as np
import pytest

from hansa_agents.arena import Keep, play_game, play_match
from hansa_env import Game, HansaBatch, Ruleset, hansa_teutonica_v0
from hansa_env.engine.state import MOST_TURNS
from hansa_env.play.learner_batch import LearnerBatch
from hansa_env.sb3 import HansaVecEnv
from hansa_env.table.start import Start
from tests.helpers import RULESETS, choose, ruleset_id
from tests.play.bots import First

SEEDS = (0, 7, 2**63 - 1, 2**64 - 1)
ID = "hansa/HansaTeutonica-v0"


def markers(game: np.void) -> list:
    """What the seed decides: the markers on the board and in the pile, and the game's noise."""
    return [game["route_marker"].tolist(), game["pile"].tolist(), int(game["noise"])]


def of_game(ruleset: Ruleset, seed: int) -> np.void:
    return Game(ruleset, seed=seed).state


def of_batch(ruleset: Ruleset, seed: int) -> np.void:
    return HansaBatch(3, ruleset, seeds=[1, seed, 2]).games[1]


def of_batch_reset(ruleset: Ruleset, seed: int) -> np.void:
    batch = HansaBatch(2, ruleset)
    batch.reset(seeds=[seed, 5], where=np.array([True, False]))
    return batch.games[0]


def of_pettingzoo(ruleset: Ruleset, seed: int) -> np.void:
    env = hansa_teutonica_v0.raw_env(ruleset)
    env.reset(seed=seed)
    return env._batch.games[0]


def of_gymnasium(ruleset: Ruleset, seed: int) -> np.void:
    env = gymnasium.make(ID, ruleset=ruleset, seat=0, opponents=First()).unwrapped
    env.reset(seed=seed)
    return env.core.batch.games[0]


def of_learners(ruleset: Ruleset, seed: int) -> np.void:
    batch = LearnerBatch(2, ruleset, First(), seat=0)
    batch.reset([3, seed])
    return batch.batch.games[1]


def of_vectors(ruleset: Ruleset, seed: int) -> np.void:
    env = gymnasium.make_vec(ID, num_envs=2, ruleset=ruleset, seat=0, opponents=First())
    env.reset(seed=[3, seed])
    return env.core.batch.games[1]


PLACES = [of_game, of_batch, of_batch_reset, of_pettingzoo, of_gymnasium, of_learners, of_vectors]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.__name__)
def test_a_seed_deals_the_same_game_everywhere(place: Callable, seed: int) -> None:
    for ruleset in RULESETS[1:4]:
        dealt = place(ruleset, seed)
        assert markers(dealt) == markers(Game(ruleset, seed=seed).state)
        assert int(dealt["seed"]) == seed


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.__name__)
def test_numpy_integers_are_seeds(place: Callable) -> None:
    expected = markers(Game(Ruleset(3), seed=200).state)
    for kind in (np.uint8, np.int16, np.int64, np.uint64):
        assert markers(place(Ruleset(3), kind(200))) == expected


def test_numpy_integers_spread_like_other_numbers() -> None:
    plain = HansaBatch(4, Ruleset(3), seed=200)
    for kind in (np.uint8, np.int64, np.uint64):
        assert (HansaBatch(4, Ruleset(3), seed=kind(200)).games == plain.games).all()
        assert (HansaBatch(4, Ruleset(3), seeds=plain.games["seed"].astype(kind)).games["seed"] < 2**64).all()
        assert (plain.copy(reshuffle=kind(3)).games == plain.copy(reshuffle=3).games).all()
        learners = LearnerBatch(4, Ruleset(3), "random", seed=kind(200))
        assert (learners.batch.games == LearnerBatch(4, Ruleset(3), "random", seed=200).batch.games).all()
    assert HansaVecEnv(2, Ruleset(3), seed=np.int64(3)).reset().shape[0] == 2


@pytest.mark.parametrize("seed", [-1, 2**64, 1.0, 1.5, "7", True, np.bool_(True), np.float64(3), np.int8(-1), [1]])
def test_what_is_no_seed_is_refused(seed) -> None:
    said = r"expected a whole number from 0 to 2\*\*64 - 1"
    for call in (
        lambda: Game(Ruleset(3), seed=seed),
        lambda: HansaBatch(1, Ruleset(3), seed=seed),
        lambda: HansaBatch(1, Ruleset(3), seeds=[seed]),
        lambda: HansaBatch(1, Ruleset(3)).copy(reshuffle=seed),
        lambda: Game(Ruleset(3)).copy(reshuffle=seed),
    ):
        with pytest.raises(ValueError, match=said):
            call()
    with pytest.raises(ValueError, match="2 seeds were given; expected 3"):
        HansaBatch(3, Ruleset(3), seeds=[1, 2])
    batch = HansaBatch(3, Ruleset(3))
    for call in (lambda: HansaBatch(3, Ruleset(3), 7, seeds=[1, 2, 3]), lambda: batch.reset(0, seeds=[1, 2, 3])):
        with pytest.raises(ValueError, match="and seeds were given; expected one of them"):
            call()
    assert (batch.games == HansaBatch(3, Ruleset(3), 0).games).all()


@pytest.mark.parametrize("ruleset", RULESETS, ids=ruleset_id)
def test_the_seed_of_a_batch_spreads_into_numbers_that_name_its_games(ruleset: Ruleset) -> None:
    batch = HansaBatch(20, ruleset, seed=3, autoreset=True, max_turns=2)
    rng = np.random.default_rng(0)
    first = batch.games["seed"].copy()
    assert len(set(first.tolist())) == 20
    assert (HansaBatch(5, ruleset, seed=3).games["seed"] == first[:5]).all(), "whatever the size of the batch"
    for row in range(5):
        assert Game(ruleset, int(first[row]), max_turns=2).state == batch.games[row]
    for _ in range(60):
        batch.step(choose(batch.action_mask, rng))
    assert (batch.games["seed"] != first).sum() > 5, "games that follow have seeds of their own"
    for row in range(20):
        assert (Game(ruleset, int(batch.games["seed"][row])).state["noise"]) == batch.games["noise"][row]


def test_the_arena_deals_any_game_by_its_number() -> None:
    """A longer match begins with the games of a shorter one; each is the game its result names, for each line-up."""
    ruleset = Ruleset(3)
    short = play_match([First()], ruleset, 3, seed=5, max_turns=2, keep=Keep(actions=True))
    long = play_match([First()], ruleset, 40, seed=5, max_turns=2, keep=Keep(actions=True))
    assert [result.seed for result in short.results] == [result.seed for result in long.results][:3]
    assert len({result.seed for result in long.results}) == 40
    pairs = play_match([First("a"), First("b")], ruleset, 12, seed=5, max_turns=2)
    by_seed: dict[int, list] = {}
    for result in pairs.results:
        by_seed.setdefault(result.seed, []).append(result.agents)
    assert set(by_seed) == {result.seed for result in long.results[: len(by_seed)]}
    assert all(sorted(seated) == sorted(pairs.line_ups) for seated in by_seed.values()), "the same deals for each"
    last = long.results[-1]
    game = Game(ruleset, last.seed, max_turns=2)
    for action in last.actions.tolist():
        game.play_action(action)
    assert game.over and game.scores() == last.scores.tolist()


def test_a_single_game_is_that_of_its_seed() -> None:
    game = play_game([First()], Ruleset(3), seed=9, max_turns=2)
    assert game.seed == 9 and game.setup == Game(Ruleset(3), seed=9).setup


# The games that follow.


def test_rows_of_one_game_go_on_to_the_same_and_others_to_different_games() -> None:
    batch = HansaBatch(4, Ruleset(3), seeds=[1, 2, 1, 3])
    batch.reset()
    seeds = batch.games["seed"].tolist()
    assert seeds[0] == seeds[2] and len(set(seeds)) == 3
    assert len({str(markers(game)) for game in batch.games}) == 3


@pytest.mark.parametrize("times", [1, 3])
def test_reshuffled_copies_go_on_to_different_games(times: int) -> None:
    batch = HansaBatch(32, Ruleset(3), seed=1)
    copies = [batch.copy(reshuffle=seed) for seed in (4, 5)]
    for copy in copies:
        assert (copy.games["seed"] == 0).all()
        for _ in range(times):
            copy.reset()
        assert len(set(copy.games["seed"].tolist())) == 32 and (copy.games["seed"] > 0).all()
        assert len({str(markers(game)) for game in copy.games}) == 32
    assert not set(copies[0].games["seed"].tolist()) & set(copies[1].games["seed"].tolist())
    batch.reset()
    assert not set(copies[0].games["seed"].tolist()) & set(batch.games["seed"].tolist()), "and not to those of the original"


def test_reshuffled_copies_go_on_to_different_games_by_themselves() -> None:
    copy = HansaBatch(16, Ruleset(3), seed=1, autoreset=True, max_turns=1).copy(reshuffle=4)
    rng = np.random.default_rng(0)
    ended = np.zeros(16, bool)
    while not ended.all():
        copy.step(choose(copy.action_mask, rng))
        ended |= copy.cut_off
    assert len(set(copy.games["seed"].tolist())) == 16


def test_learners_go_on_to_different_games() -> None:
    batch = LearnerBatch(16, Ruleset(3), First(), seed=1)
    before = set(batch.batch.games["seed"].tolist())
    batch.reset()
    after = set(batch.batch.games["seed"].tolist())
    assert len(before) == len(after) == 16 and not before & after


# Turn limits.


@pytest.mark.parametrize("limit", [0, -1, MOST_TURNS + 1, 2**31, 2**63, 10**30, 1.5, "9", True, np.float32(3), np.int8(-3)])
def test_what_is_no_turn_limit_is_refused(limit) -> None:
    for make in (
        lambda: HansaBatch(1, Ruleset(3), max_turns=limit),
        lambda: Game(Ruleset(3), max_turns=limit),
        lambda: LearnerBatch(1, Ruleset(3), First(), max_turns=limit),
        lambda: hansa_teutonica_v0.raw_env(players=3, max_turns=limit),
        lambda: gymnasium.make(ID, players=3, max_turns=limit),
        lambda: play_match([First()], Ruleset(3), 1, max_turns=limit),
    ):
        with pytest.raises(ValueError, match=r"max_turns is .*; expected None or a whole number from 1 to 10000000"):
            make()


def test_the_longest_turn_limit_is_kept_as_given() -> None:
    batch = HansaBatch(1, Ruleset(5), max_turns=np.int64(MOST_TURNS))
    assert batch.games["turn_limit"][0] == 5 * MOST_TURNS
    batch.step(choose(batch.action_mask, np.random.default_rng(0)))
    assert not batch.cut_off[0]
    assert HansaBatch(1, Ruleset(5), max_turns=np.uint8(100)).games["turn_limit"][0] == 500, "not modulo 256"


def test_a_game_without_a_seed_has_the_noise_of_what_everybody_sees() -> None:
    """So agents that draw by it draw otherwise in another position, and cannot find what is hidden by it."""
    played = Game(Ruleset(3), seed=5)
    noises = {int(Game.from_position(played.position()).state["noise"])}
    for _ in range(6):
        played.play(played.legal()[-1])
        noises.add(int(Game.from_position(played.position()).state["noise"]))
    assert len(noises) == 7
    assert Game.from_position(played.position(), seed=5).state["noise"] == played.state["noise"], "a seed that is given counts"

    def of_setup(game: Game) -> int:
        return int(Game(Ruleset(3), setup=game.setup).state["noise"])

    laid = [Game(Ruleset(3), seed=seed) for seed in range(12)]
    assert len({of_setup(game) for game in laid}) == len({str(game.setup["markers"]) for game in laid}) > 3
    hidden = [laid[0].copy(reshuffle=number) for number in range(4)]
    assert len({str(game.setup["pile"]) for game in hidden}) == 4 and len({of_setup(game) for game in hidden}) == 1


@pytest.mark.parametrize("seed", [0, 7])
def test_a_record_gives_a_game_the_noise_of_its_seed(seed: int) -> None:
    game = Game(Ruleset(3), seed=seed)
    record = game.record()
    noise = game.state["noise"]
    assert Game.from_record(record).state["noise"] == noise
    assert Game.from_record(record | {"seed": None}).state["noise"] != noise
    assert Start.of_record(Game.from_record(record)).game().state["noise"] == noise
    assert Game(game.ruleset, seed, game.setup).record() == record


def test_a_rewound_game_keeps_its_noise() -> None:
    """So agents that are asked again draw what they drew."""
    game = Game(Ruleset(3), seed=5)
    game.play(game.legal()[0])
    copy = game.copy(reshuffle=3)
    for one in (game, copy, Game.from_record(copy.record())):
        again = [one.rewound(0).state["noise"], one.rewound(1).state["noise"], *one.positions()["noise"]]
        assert again == [one.state["noise"]] * 4
    assert copy.state["noise"] != game.state["noise"] and copy.rewound(0).seed is None
