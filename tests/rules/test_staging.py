"""What notation.md says about the steps of an action: what is asked, what the position shows, what is forced."""

import random

import pytest

from hansa_env import Game, IllegalAction
from tests.rules.scenario import THREE, TWO_NEUTRAL, TWO_PAWN, board, play, rule, see


def displacing() -> Game:
    """Seat 0, with two of each kind of everything, displaces the merchant of seat 1 among others."""
    posts = {"stade/hamburg": "1m 2t", "hamburg/lubeck": "2t"}
    return board(THREE, abilities={0: {"book": 2}}, posts=posts, supply={0: (4, 3)})


@rule("R4.1", "R4.2")
def test_the_steps_of_a_displacement():
    """Route, victim, with, pay, pay, relocate; the fields at each."""
    game = displacing()
    play(game, "displace")
    assert (game.asked, game.seat, see(game, "actions_left"), see(game, "hand")) == ("displace", 0, 1, [])
    assert game.legal() == ["route hamburg/lubeck", "route stade/hamburg"]
    play(game, "route stade/hamburg")
    assert (game.asked, game.legal(), see(game, "hand")) == ("victim", ["1m", "2t"], [])
    assert see(game, "posts", "stade/hamburg") == ["1m", "2t", None]
    play(game, "1m")
    assert (game.asked, game.seat, game.legal()) == ("with", 0, ["merchant", "trader"])
    assert (see(game, "posts", "stade/hamburg"), see(game, "hand")) == (["2t", None, None], ["m"])
    play(game, "merchant")
    assert (game.asked, game.seat, game.legal()) == ("pay", 0, ["merchant", "trader"])
    assert (see(game, "posts", "stade/hamburg"), see(game, "hand")) == (["0m", "2t", None], ["m"])
    assert (see(game, "supply", 0), see(game, "actions_left")) == ([4, 2], 1)
    play(game, "trader")
    assert (game.asked, see(game, "supply", 0)) == ("pay", [3, 2])
    play(game, "merchant")
    assert (game.asked, game.seat, see(game, "turn"), see(game, "hand")) == ("relocate", 1, 0, ["m"])
    assert (see(game, "supply", 0), see(game, "actions_left")) == ([3, 1], 1)
    play(game, "put merchant hamburg/lubeck")
    assert (game.asked, see(game, "hand")) == ("relocate", [])


@rule("R4.1")
def test_forced_steps_are_not_asked():
    """One route, one victim, one kind in supply: from `displace` straight to the owner."""
    game = board(THREE, posts={"stade/hamburg": "2m"}, supply={0: (3, 0)})
    play(game, "displace")
    assert (game.asked, game.seat) == ("relocate", 2)
    assert see(game, "posts", "stade/hamburg") == ["0t", None, None]
    assert see(game, "supply", 0) == [0, 0]


@rule("R4.1")
def test_the_last_penalty_pieces_of_one_kind_are_paid():
    """With the merchant in place only traders are left to pay with."""
    game = board(THREE, posts={"stade/hamburg": "2m"}, supply={0: (3, 1)})
    play(game, "displace", "merchant")
    assert (game.asked, game.seat, see(game, "supply", 0)) == ("relocate", 2, [1, 0])


@rule("R4.2")
def test_the_displaced_kind_settles_the_displaced_piece_first():
    """The first merchant put is the displaced one: the stock keeps its own, and stopping becomes possible."""
    game = board(THREE, abilities={1: {"book": 1}}, posts={"stade/hamburg": "1m"}, supply={0: (4, 0), 1: (6, 0)})
    assert see(game, "stock", 1) == [5, 1]
    play(game, "displace", "put merchant hamburg/lubeck")
    assert (see(game, "stock", 1), "done" in game.legal()) == ([5, 1], True)
    play(game, "put merchant hamburg/lubeck")
    assert see(game, "stock", 1) == [5, 0]


@rule("R5.4")
def test_the_reward_question():
    """The action is deducted, the pieces still lie on the route, the marker is already taken."""
    game = board(THREE, posts={"bremen/osnabruck": "0t 0t 0m"})
    play(game, "claim bremen/osnabruck")
    assert (game.asked, game.seat, see(game, "actions_left")) == ("reward", 0, 1)
    assert see(game, "posts", "bremen/osnabruck") == ["0m", "0t", "0t"]
    assert see(game, "markers", 0) == ["exchange"]


@rule("R6.7")
def test_the_marker_question_shows_the_actions_left_unused():
    """Stopping with one action left."""
    game = board(THREE, plate={0: 1})
    play(game, "income 0", "done")
    assert (game.asked, game.seat, see(game, "actions_left")) == ("marker", 0, 1)


@rule("R3.3")
def test_lifted_pieces_are_in_hand():
    """Off their posts, traders before merchants, until each is put."""
    game = board(THREE, posts={"stade/hamburg": "0m", "hamburg/lubeck": "0t 0t"})
    play(game, "move")
    assert (game.asked, see(game, "actions_left"), see(game, "hand")) == ("lift", 1, [])
    play(game, "lift merchant stade/hamburg")
    assert (see(game, "hand"), see(game, "posts", "stade/hamburg")) == (["m"], [None] * 3)
    play(game, "lift trader hamburg/lubeck")
    assert (game.asked, see(game, "hand")) == ("put", ["t", "m"])
    play(game, "put merchant kampen/arnheim")
    assert (game.asked, see(game, "hand")) == ("put", ["t"])


@rule("R6.4")
def test_a_marker_counts_as_used_as_soon_as_it_is_chosen():
    """While the routes are still being picked."""
    posts = {"stade/hamburg": "1t", "hamburg/lubeck": "2t"}
    game = board(THREE, posts=posts, markers={0: ["remove-three"]}, route_markers={})
    play(game, "remove")
    assert (game.asked, see(game, "markers", 0), see(game, "used", 0)) == ("remove", [], ["remove-three"])


@rule("R2.1")
def test_a_turn_with_nothing_left_ends_by_itself():
    """No action left, nothing usable: an extra office and a fully developed desk keep nobody waiting."""
    game = board(THREE, actions=1, markers={0: ["extra-office", "exchange", "remove-three"]}, route_markers={})
    play(game, "income 0")
    assert (game.seat, see(game, "turn"), game.asked) == (1, 1, "act")


def test_pieces_of_a_route_are_sorted():
    """Pieces first, in order of text, then the free posts."""
    game = board(TWO_NEUTRAL, posts={"hamburg/bremen": "nt 1m 0t"})
    assert see(game, "posts", "hamburg/bremen") == ["0t", "1m", "nt", None]


def test_legal_is_sorted_and_in_the_position():
    """The list of the position is the list of the game."""
    game = board(THREE, posts={"duisburg/dortmund": "0t 0t", "stade/hamburg": "1t"})
    assert game.legal() == sorted(game.legal()) == see(game, "legal")
    assert len(set(game.legal())) == len(game.legal())


@rule("R7.1")
def test_nothing_can_be_played_once_over():
    """Neither `done` nor anything else, and nothing changes by trying."""
    game = board(THREE, prestige={0: 19}, offices={"minden": "0t"}, posts={"hannover/minden": "0t 0t 0t"})
    play(game, "claim hannover/minden", "done")
    at = game.position()
    assert (at["asked"], at["seat"], at["turn"], at["legal"]) == ("over", None, 0, [])
    with pytest.raises(IllegalAction):
        game.play("done")
    assert game.position() == at


@pytest.mark.parametrize("ruleset", [TWO_PAWN, TWO_NEUTRAL, THREE])
def test_no_question_has_a_single_answer(ruleset):
    """In random games, which replay from their records to the same position and result."""
    game, rng = Game(ruleset, seed=11, max_turns=None), random.Random(11)
    for _ in range(2500):
        if game.over:
            break
        texts = game.legal()
        assert len(texts) > 1
        likes = {"claim": 60, "office": 9, "done": 0.4, "move": 0.2, "ride": 0.2, "displace": 0.5}
        game.play(rng.choices(texts, [likes.get(text.split()[0], 1) for text in texts])[0])
    record = game.record()
    assert len(record["decisions"]) > 100
    replayed = Game.from_record(record)
    assert replayed.position() == game.position()
    assert replayed.record() == record
