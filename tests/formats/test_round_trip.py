"""Any position of any game is written and read back: the same position, the same bytes, and it goes on in the same way."""

import json

import numpy as np
import pytest

from hansa_agents.arena import play_game
from hansa_env import Game, Ruleset
from hansa_env.engine.identity import POSITION_WORDS, hash_games, same_position, words_of
from hansa_env.engine.state import GAME, MOST_TURNS
from hansa_env.formats.fields import MOST_TURNS_TOGETHER
from tests.compare import all_rulesets
from tests.formats.samples import played
from tests.helpers import RULESETS, ruleset_id
from tests.shares import one_in

SKIPPED = 10  # from one that is read back to the next, beside the first at every question


def row(game: Game) -> np.ndarray:
    return np.array([game.state], GAME)


@pytest.mark.parametrize("ruleset", one_in(8, all_rulesets()), ids=ruleset_id)
def test_a_position_is_read_back_at_every_question(ruleset: Ruleset) -> None:
    asked = set()
    for seed, player in ((0, "eager"), (1, "greedy")):
        for number, (game, _) in enumerate(played(ruleset, seed, player, 600, max_turns=None)):
            if number % SKIPPED and game.asked in asked and not game.over:
                continue
            asked.add(game.asked)
            position = json.loads(json.dumps(game.position()))
            again = Game.from_position(position, seed=9)
            assert again.position() == position
            assert same_position(row(game), row(again))[0], differing(game, again)
            assert hash_games(row(game)) == hash_games(row(again))
            again.state["missions"] = game.state["missions"]  # of which a position tells one
            assert again.scores() == game.scores()
            if not game.over or "discarded" in position:  # else no one says what lay on plates at the end
                assert all((again.observation(seat) == game.observation(seat)).all() for seat in range(ruleset.players))
    assert {"act", "put", "reward", "relocate", "pay", "victim", "displace"} <= asked


def test_markers_that_the_neutral_player_discarded_stay_away() -> None:
    """With the field; a position without it, as older ones are, is read as before."""
    game = play_game(["greedy"], Ruleset(2), 12)
    assert any(game.rewound(count).position()["discarded"] for count in range(0, 211, 10))
    for moment in (game.rewound(211), game):
        position = moment.position()
        assert position["discarded"]
        for seed in range(5):
            assert (Game.from_position(position, seed).observation(0) == moment.observation(0)).all()
        del position["discarded"]
        again = Game.from_position(position)
        assert same_position(row(moment), row(again))[0] and len(again.position()["discarded"]) > 0


def test_turns_are_counted_on_from_the_last_that_a_position_may_have() -> None:
    """It is that of the longest game that a turn limit cuts off."""
    assert MOST_TURNS * max(one.players for one in RULESETS) == MOST_TURNS_TOGETHER
    game = Game.from_position(Game(Ruleset(2)).position() | {"turns": MOST_TURNS_TOGETHER})
    game.play("done")
    assert game.position()["turns"] == MOST_TURNS_TOGETHER + 1


def differing(game: Game, again: Game) -> list:
    return [(name, game.state[name], again.state[name]) for name in GAME.names if (game.state[name] != again.state[name]).any()]


def test_a_game_read_back_goes_on_in_the_same_way() -> None:
    """The same decisions from there on lead to the same positions, up to the markers that nobody had seen."""
    compared = 0
    for game, _ in played(Ruleset(3), 4, "eager", 400):
        if len(game.decisions) % 50 or game.over:
            continue
        twin = Game.from_position(game.position(), seed=1)
        one, rng = game.copy(), np.random.default_rng(0)
        for _ in range(25):
            if one.over or one.state["drawn"] != twin.state["drawn"] or one.legal() != twin.legal():
                break
            text = str(rng.choice(one.legal()))
            one.play(text)
            twin.play(text)
            compared += 1
    assert compared > 100


def test_transpositions_are_recognised() -> None:
    """The same actions in another order come to one position: equal bytes, equal hashes; another one differs."""
    orders = (("income 0", "place trader stade/hamburg"), ("place trader stade/hamburg", "income 0"))
    games = [Game(Ruleset(3), seed=3) for _ in orders]
    for game, order in zip(games, orders):
        for text in order:
            game.play(text)
    other = Game(Ruleset(3), seed=3)
    other.play("income 0")
    rows = np.concatenate([row(game) for game in (*games, other)])
    assert same_position(rows[:1], rows[1:2])[0] and not same_position(rows[:1], rows[2:])[0]
    hashes = hash_games(rows)
    assert hashes[0] == hashes[1] != hashes[2]


@pytest.mark.parametrize("ruleset", RULESETS, ids=ruleset_id)
def test_hashes_of_different_positions_differ(ruleset: Ruleset) -> None:
    seen: dict[int, bytes] = {}
    for game, _ in played(ruleset, 5, "eager", 500):
        record = words_of(row(game))[0, :POSITION_WORDS].tobytes()
        assert seen.setdefault(int(hash_games(row(game))[0]), record) == record
    assert len(seen) > 300
