"""Scenarios 30, 31 and 57: moves in Britannia (R10.10)."""

import pytest

from tests.rules.scenario import rule

from .positions import ALL_DEVELOPED, lanes, play, position
from .test_britannia import countries, large, small


@rule("R10.10")
def test_30_a_move_between_wales_and_england(make_game) -> None:
    def lifted():
        game = make_game(*small(posts={"conway/chester": "0t", "oxford/london": "0t"}))
        play(game, "move", "lift trader conway/chester", "lift trader oxford/london")
        assert game.position()["foreign"] == {"wales": [1, 0]}
        return game

    game = lifted()
    play(game, "put trader pembroke/cardiff")
    assert game.position()["foreign"] == {"wales": [0, 0]}
    assert countries(game, "britannia-2-3", "put") == {"england"}
    game = lifted()
    play(game, "put trader oxford/london")
    assert countries(game, "britannia-2-3", "put") == {"england", "wales"}


@rule("R10.10")
def test_30_what_one_move_left_unused_is_no_permission_for_the_next(make_game) -> None:
    game = make_game(*small(posts={"conway/chester": "0t", "oxford/london": "0t"}))
    play(game, "move", "lift trader conway/chester", "done", "put trader york/nottingham")
    play(game, "move", "lift trader oxford/london", "done")
    assert game.position()["foreign"] == {"wales": [0, 0]}
    assert countries(game, "britannia-2-3", "put") == {"england"}


@rule("R10.10")
def test_31_a_move_in_three_countries(make_game) -> None:
    game = make_game(*large(posts={"glasgow/falkirk": "0t", "conway/chester": "0t"}))
    play(game, "move", "lift trader glasgow/falkirk", "lift trader conway/chester", "put trader pembroke/cardiff")
    assert countries(game, "britannia-4-5", "put") == {"england", "scotland"}


def crowded(own, free, book):
    """The large board with five seats, every post taken but for the free ones; `own`: pieces of seat 0's, by lane."""
    posts = {lane: pieces.split() for lane, pieces in own.items()}
    pools = {kind: [f"{seat}{kind}" for seat in range(1, 5)] * of_a_seat for kind, of_a_seat in (("m", 4), ("t", 26))}
    for lane, size in sorted(lanes("britannia-4-5").items(), key=lambda item: not item[0].endswith(":ship")):
        pieces = posts.setdefault(lane, [])
        while len(pieces) + free.count(lane) < size:
            pieces.append(pools["m" if lane.endswith(":ship") or not pools["t"] else "t"].pop())
    abilities = {seat: ALL_DEVELOPED for seat in range(1, 5)} | {0: {"book": book}}
    texts = {lane: " ".join(pieces) for lane, pieces in posts.items()}
    return position("britannia-4-5", players=5, posts=texts, abilities=abilities, supply={0: "1t"})


@rule("R10.10")
@pytest.mark.parametrize(
    ("own", "free", "offered"),
    [
        # England takes the trader that was lifted there, and no merchant before it.
        (
            {"plymouth/salisbury": "0t", "conway/chester": "0m"},
            [],
            ["put merchant conway/chester", "put trader plymouth/salisbury"],
        ),
        # The same, of a merchant from a ship post.
        (
            {"plymouth/salisbury": "0t", "isle-of-man/conway:ship": "0m"},
            [],
            ["put merchant isle-of-man/conway:ship", "put trader plymouth/salisbury"],
        ),
        # One trader may go to Wales, the other has to find its place in England.
        (
            {"plymouth/salisbury": "0t", "conway/chester": "0m", "pembroke/cardiff": "0t"},
            ["isle-of-man/conway:ship"],
            ["put merchant conway/chester", "put merchant isle-of-man/conway:ship", "put merchant pembroke/cardiff",
             "put trader conway/chester", "put trader pembroke/cardiff", "put trader plymouth/salisbury"],
        ),
        # Room in England for one more: any of them may take it.
        (
            {"plymouth/salisbury": "0t", "conway/chester": "0m", "glasgow/edinburgh": "0t"},
            ["oxford/london"],
            ["put merchant conway/chester", "put merchant oxford/london", "put merchant plymouth/salisbury",
             "put trader glasgow/edinburgh", "put trader oxford/london", "put trader plymouth/salisbury"],
        ),
        # Two traders to two countries, a merchant to one of them: nothing fits in England, which is full.
        (
            {"conway/chester": "0t", "glasgow/edinburgh": "0t", "dunbar/newcastle": "0m"},
            [],
            ["put merchant dunbar/newcastle", "put merchant glasgow/edinburgh", "put trader conway/chester",
             "put trader dunbar/newcastle", "put trader glasgow/edinburgh"],
        ),
        # One merchant may go to Wales, but not into the trader's only house there; England has one post, for the other.
        (
            {"pembroke/cardiff": "0t", "isle-of-man/conway:ship": "0m", "plymouth/salisbury": "0m"},
            [],
            ["put merchant isle-of-man/conway:ship", "put merchant plymouth/salisbury", "put trader pembroke/cardiff"],
        ),
    ],
)  # fmt: skip
def test_57_what_is_put_down_leaves_room_for_the_rest(make_game, own, free, offered) -> None:
    game = make_game(*crowded(own, free, book=len(own) - 2))
    play(game, "move", *(f"lift {'trader' if piece == '0t' else 'merchant'} {lane}" for lane, piece in own.items()))
    assert game.legal() == offered
    while game.position()["hand"]:
        play(game, game.legal()[0])
    assert game.position()["asked"] == "act"


@rule("R10.12", "R9.15")
def test_57_a_merchant_lifted_first_leaves_the_post_that_the_trader_needs(make_game) -> None:
    """Wales is full but for the two posts that they come from; the merchant's alone is one that no trader could take."""
    game = make_game(*crowded({"canterbury/calais": "0t 0t", "canterbury/calais:ship": "0m"}, [], book=0))
    play(game, "claim canterbury/calais", "done")
    for lane, kind in (("isle-of-man/conway:ship", "m"), ("conway/chester", "t")):
        play(game, f"route {lane}")
        if game.position()["asked"] == "victim":
            play(game, next(text for text in game.legal() if text.endswith(kind)))
    assert game.position()["asked"] == "act"  # nobody had a choice
