"""R1: components and setup."""

import random
from collections import Counter

import pytest

from hansa_env import Game, Ruleset
from tests.rules.scenario import (
    FOUR,
    FULL,
    TAVERNS,
    THREE,
    TWO_NEUTRAL,
    TWO_PAWN,
    after,
    board,
    board_json,
    play,
    position,
    rule,
    see,
)


def pieces_of(at: dict, seat: int) -> tuple[int, int]:
    """Traders and merchants of a seat that a position shows, the 1 on the prestige track included."""
    board_pieces = Counter()
    for rows in (at["posts"], at["offices"], at["extras"]):
        for row in rows.values():
            board_pieces.update(row)
    desk = at["abilities"][seat]
    covered = 4 + 5 + 3 + 3 - sum(desk.values()) + desk["book"]
    spaces = sum(holder == seat for holder in at["prestige_spaces"].values())
    traders = 1 + covered + board_pieces[f"{seat}t"] + at["supply"][seat][0] + at["stock"][seat][0]
    merchants = 3 - desk["book"] + board_pieces[f"{seat}m"] + at["supply"][seat][1] + at["stock"][seat][1] + spaces
    return traders, merchants


@rule("R1.1")
@pytest.mark.parametrize("ruleset", [TWO_PAWN, TWO_NEUTRAL, THREE, FOUR, Ruleset(5, "second")])
def test_no_piece_is_ever_lost(ruleset):
    """27 traders and 4 merchants for everyone, between any two actions of random play."""
    game, rng, seen = Game(ruleset, seed=5), random.Random(5), 0
    for _ in range(1500):
        if game.over:
            break
        at = game.position()
        if at["asked"] == "act":
            seen += 1
            assert [pieces_of(at, seat) for seat in range(ruleset.players)] == [(27, 4)] * ruleset.players
        likes = {"claim": 40, "office": 9, "develop": 9, "done": 0.5, "move": 0.2, "ride": 0.2}
        texts = at["legal"]
        game.play(rng.choices(texts, [likes.get(text.split()[0], 1) for text in texts])[0])
    assert seen > 200


@rule("R1.1")
def test_pieces_in_hand_are_counted_too():
    """While a displaced merchant is in hand, its owner has 3 elsewhere, and all 4 again when it lies."""
    game = board(THREE, posts={"stade/hamburg": "1m", "hamburg/lubeck": "1t"}, supply={0: (5, 0)})
    play(game, "displace", "route stade/hamburg")
    assert game.asked == "relocate"
    assert see(game, "hand") == ["m"]
    assert pieces_of(game.position(), 1) == (27, 3)
    play(game, "put merchant hamburg/lubeck", "done")
    assert pieces_of(game.position(), 1) == (27, 4)


@rule("R1.2")
@pytest.mark.parametrize(("removed", "value"), list(enumerate([2, 3, 3, 4, 4, 5])))
def test_actions_track(removed, value):
    """Actions are 2, 3, 3, 4, 4, 5."""
    game = board(THREE, turn=2, abilities={0: {"actions": removed}})
    assert see(game, "actions_left") == 2
    play(game, "done")
    assert (game.seat, see(game, "actions_left")) == (0, value)


@rule("R1.2")
@pytest.mark.parametrize(("removed", "moved"), list(enumerate([3, 5, 7, 9])))
def test_bank_track(removed, moved):
    """The bank gives 3, 5, 7, all, here of 9 traders."""
    game = board(THREE, abilities={0: {"bank": removed, "privilege": 3}}, supply={0: (5 + removed, 1)})
    assert see(game, "stock", 0) == [9, 0]
    play(game, "income 0")
    assert see(game, "supply", 0) == [5 + removed + moved, 1]
    assert see(game, "stock", 0) == [9 - moved, 0]


@rule("R1.2")
@pytest.mark.parametrize(("removed", "lifted"), list(enumerate([2, 3, 4, 5])))
def test_book_track(removed, lifted):
    """The book lets one move 2, 3, 4, 5 pieces."""
    game = board(
        THREE,
        abilities={0: {"book": removed}},
        posts={"hamburg/bremen": "0t 0t 0t 0t", "hamburg/luneburg": "0t 0t 0t"},
    )
    play(game, "move")
    for _ in range(lifted):
        assert game.asked == "lift"
        play(game, after_lift(game))
    assert game.asked == "put"
    assert see(game, "hand") == ["t"] * lifted


def after_lift(game: Game) -> str:
    """The first piece that may be lifted."""
    return "lift trader " + after(game, "lift trader")[0]


@rule("R1.2", "R5.5")
@pytest.mark.parametrize("removed", range(4))
@pytest.mark.parametrize("filled", range(4))
def test_privilege_track(removed, filled):
    """Minden's four spaces are white, orange, pink and black: the n-th needs n-1 privileges developed."""
    game = board(
        THREE,
        actions=2,
        abilities={0: {"privilege": removed}},
        offices={"minden": " ".join(["1t"] * filled), "paderborn": "2t 2m"},
        posts={"minden/paderborn": "0t 0t 0t"},
    )
    play(game, "claim minden/paderborn")
    if filled <= removed:
        assert (game.asked, game.legal()) == ("reward", ["done", "office minden"])
    else:
        assert (game.asked, see(game, "actions_left")) == ("act", 1)
        assert see(game, "offices", "minden").count("0t") == 0


@rule("R1.2", "R7.7")
@pytest.mark.parametrize(("removed", "value"), list(enumerate([1, 2, 2, 3, 4])))
def test_keys_track(removed, value):
    """Keys 1, 2, 2, 3, 4 multiply a network of two offices."""
    game = board(THREE, abilities={0: {"keys": removed}}, offices={"hannover": "0t", "minden": "0t"})
    assert game.scores()[0][5] == 2 * value


@rule("R1.2")
def test_desk_pieces_are_the_covers():
    """Fully developed, a seat has its 26 traders and 4 merchants off the track in supply and stock."""
    game = board(THREE, abilities={0: FULL})
    assert [a + b for a, b in zip(see(game, "supply", 0), see(game, "stock", 0))] == [26, 4]


@rule("R1.3")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_first_supplies(players):
    """Seat k has 5+k traders and a merchant in supply, 6-k traders in stock."""
    at = Game(Ruleset(players)).position()
    assert at["supply"] == [[5, 1], [6, 1], [7, 1], [8, 1], [9, 1]][:players]
    assert at["stock"] == [[6, 0], [5, 0], [4, 0], [3, 0], [2, 0]][:players]
    assert at["abilities"] == [{"keys": 0, "actions": 0, "privilege": 0, "book": 0, "bank": 0}] * players


@rule("R1.4")
@pytest.mark.parametrize(
    ("players", "name", "routes", "posts"),
    [(2, "base-2-3", 32, 101), (3, "base-2-3", 32, 101), (4, "base-4-5", 34, 107), (5, "base-4-5", 34, 107)],
)
def test_boards_by_players(players, name, routes, posts):
    """Up to three play on the small board, more on the large one."""
    at = Game(Ruleset(players)).position()
    assert at["board"] == name
    assert len(at["offices"]) == 27
    assert len(at["posts"]) == routes
    assert sum(map(len, at["posts"].values())) == posts
    printed = board_json(name)
    assert {city["id"]: len(city["offices"]) for city in printed["cities"]} == {c: len(o) for c, o in at["offices"].items()}
    assert ("emden/stade" in at["posts"]) == (name == "base-4-5")


@rule("R1.5")
def test_start_markers_lie_shuffled_on_the_taverns():
    """One of each start kind, on the three tavern routes, in every order; the pile is shuffled too."""
    dealt, piles = set(), set()
    for seed in range(40):
        setup = Game(THREE, seed=seed).record()["setup"]
        assert sorted(setup["markers"]) == ["bremen/osnabruck", "hildesheim/goslar", "luneburg/perleberg"]
        assert sorted(setup["markers"].values()) == ["exchange", "extra-office", "remove-three"]
        dealt.add(tuple(setup["markers"][route] for route in sorted(setup["markers"])))
        piles.add(tuple(setup["pile"]))
    assert len(dealt) == 6
    assert len(piles) > 30


@rule("R1.5")
def test_start_markers_are_face_up_and_the_pile_is_not():
    """The position names the three markers, and only counts the pile."""
    game = Game(THREE, setup={"markers": TAVERNS, "pile": Game(THREE).record()["setup"]["pile"]})
    assert see(game, "route_markers") == TAVERNS
    assert see(game, "pile") == 13
    assert see(game, "plate") == [0, 0, 0]


@rule("R1.6")
@pytest.mark.parametrize(
    ("edition", "extra", "exchange", "total"), [("first", 5, 2, 16), ("second", 4, 2, 15), ("fourth", 4, 3, 16)]
)
def test_markers_by_edition(edition, extra, exchange, total):
    """Markers on the board and in the pile together."""
    setup = Game(Ruleset(3, edition), seed=3).record()["setup"]
    kinds = {"extra-office": extra, "exchange": exchange, "remove-three": 2, "upgrade": 3, "+3": 2, "+4": 2}
    assert Counter([*setup["markers"].values(), *setup["pile"]]) == kinds
    assert len(setup["pile"]) == total - 3


@rule("R1.7")
def test_everything_starts_at_zero():
    """Prestige and completed cities at 0, nothing on the board, seat 0 begins with 2 actions."""
    at = Game(FOUR, seed=9).position()
    assert (at["prestige"], at["completed"], at["linked"], at["extras"]) == ([0] * 4, 0, [], {})
    assert at["prestige_spaces"] == {"7": None, "8": None, "9": None, "11": None}
    assert (at["seat"], at["turn"], at["asked"], at["actions_left"]) == (0, 0, "act", 2)
    assert not any(piece for rows in (at["posts"], at["offices"]) for row in rows.values() for piece in row)


def test_a_built_position_is_honest():
    """The scenario helper itself keeps R1.1."""
    at = position(
        THREE,
        posts={"stade/hamburg": "0t 1m"},
        offices={"duisburg": "0t"},
        extras={"duisburg": "0t"},
        abilities={0: {"book": 1, "keys": 2}},
        spaces={7: 0},
    )
    assert [pieces_of(at, seat) for seat in range(3)] == [(27, 4)] * 3
