"""R4.4 and R4.5: where the further tradesmen come from, and when no post is left."""

from tests.rules.scenario import CROWDED, FULL, THREE, after, board, crowd, play, rule, see, verbs

#: Fillers of a crowded board: seats 2, 3, 4 with everything developed.
POOL = [f"{seat}t" for seat in (2, 3, 4) for _ in range(26)] + [f"{seat}m" for seat in (2, 3, 4) for _ in range(4)]
RICH = {seat: FULL for seat in range(5)}


@rule("R4.4")
def test_stock_before_supply():
    """With only traders in the stock, the merchants of the supply are not to be had."""
    game = board(THREE, posts={"stade/hamburg": "1t"}, supply={0: (4, 0), 1: (3, 1)})
    assert see(game, "stock", 1) == [7, 0]
    play(game, "displace", "put trader hamburg/lubeck")
    assert after(game, "put merchant") == []
    assert after(game, "put trader") == ["hamburg/bremen", "hamburg/lubeck", "hamburg/luneburg"]
    play(game, "put trader hamburg/lubeck")
    assert (see(game, "supply", 1), see(game, "stock", 1)) == ([3, 1], [6, 0])


@rule("R4.4")
def test_either_kind_from_the_stock():
    """A stock with both offers both."""
    game = board(THREE, posts={"stade/hamburg": "1t"}, supply={0: (4, 0), 1: (3, 0)})
    assert see(game, "stock", 1) == [7, 1]
    play(game, "displace", "put trader hamburg/lubeck")
    assert len(after(game, "put merchant")) == len(after(game, "put trader")) == 3
    play(game, "put merchant hamburg/lubeck")
    assert (see(game, "supply", 1), see(game, "stock", 1)) == ([3, 0], [7, 0])
    assert see(game, "posts", "hamburg/lubeck") == ["1m", "1t", None]


@rule("R4.4")
def test_supply_only_with_an_empty_stock():
    """Then the supply offers its kinds; the stock gains nothing and gives nothing."""
    game = board(THREE, posts={"stade/hamburg": "1t"}, supply={0: (4, 0), 1: (10, 1)})
    assert see(game, "stock", 1) == [0, 0]
    play(game, "displace", "put trader hamburg/lubeck")
    assert len(after(game, "put merchant")) == len(after(game, "put trader")) == 3
    assert "lift" not in verbs(game)
    play(game, "put merchant hamburg/lubeck")
    assert (see(game, "supply", 1), see(game, "stock", 1)) == ([10, 0], [0, 0])


@rule("R4.4")
def test_the_last_of_the_stock_then_the_supply():
    """A merchant brings two: the first empties the stock, the second may come from the supply."""
    game = board(THREE, posts={"stade/hamburg": "1m"}, supply={0: (4, 0), 1: (10, 0)})
    assert see(game, "stock", 1) == [1, 0]
    play(game, "displace", "put merchant hamburg/lubeck", "put trader hamburg/lubeck")
    assert (see(game, "supply", 1), see(game, "stock", 1)) == ([10, 0], [0, 0])
    play(game, "put trader hamburg/lubeck")
    assert (see(game, "supply", 1), see(game, "stock", 1)) == ([9, 0], [0, 0])
    assert (game.seat, game.asked) == (0, "act")


def bare(posts: dict[str, str]):
    """Seat 1 with neither stock nor supply, eight of its traders in offices; seat 0 may displace."""
    offices = {"hamburg": "1t 1t", "hannover": "1t 1t", "minden": "1t 1t 1t", "duisburg": "1t"}
    return board(THREE, posts=posts, offices=offices, supply={0: (4, 0), 1: (0, 0)})


@rule("R4.4")
def test_lifting_is_the_last_resort():
    """Stock and supply empty: the displaced piece first, then one own piece may be lifted and is put down by R4.3."""
    game = bare({"stade/hamburg": "1t", "duisburg/dortmund": "1m 1t", "kampen/arnheim": "1t 2t"})
    assert (see(game, "supply", 1), see(game, "stock", 1)) == ([0, 0], [0, 0])
    play(game, "displace", "route stade/hamburg")
    assert verbs(game) == {"put"}
    play(game, "put trader hamburg/lubeck")
    assert game.legal() == [
        "done",
        "lift merchant duisburg/dortmund",
        "lift trader duisburg/dortmund",
        "lift trader hamburg/lubeck",
        "lift trader kampen/arnheim",
    ]
    play(game, "lift merchant duisburg/dortmund")
    assert (game.seat, see(game, "hand")) == (1, ["m"])
    assert see(game, "posts", "duisburg/dortmund") == ["1t", None]
    assert game.legal() == ["put merchant hamburg/bremen", "put merchant hamburg/lubeck", "put merchant hamburg/luneburg"]
    play(game, "put merchant hamburg/luneburg")
    assert (game.seat, game.asked) == (0, "act")
    assert (see(game, "supply", 1), see(game, "stock", 1)) == ([0, 0], [0, 0])


@rule("R4.4")
def test_lifting_two_for_a_merchant_one_at_a_time():
    """The first lifted piece lies before the second is lifted; both may be declined."""
    game = bare({"stade/hamburg": "1m", "duisburg/dortmund": "1t 1t", "kampen/arnheim": "1t"})
    play(game, "displace", "route stade/hamburg", "put merchant hamburg/lubeck")
    assert {"lift", "done"} == verbs(game)
    play(game, "lift trader duisburg/dortmund")
    assert verbs(game) == {"put"}
    play(game, "put trader hamburg/lubeck")
    assert {"lift", "done"} == verbs(game)
    twin = game.copy()
    play(twin, "done")
    assert (twin.seat, twin.asked) == (0, "act")
    play(game, "lift trader kampen/arnheim", "put trader hamburg/bremen")
    assert (game.seat, game.asked) == (0, "act")
    assert see(game, "posts", "kampen/arnheim") == [None] * 3


@rule("R4.4")
def test_the_last_of_the_supply_then_lifting():
    """A merchant brings two: the only piece of the supply, then one lifted."""
    offices = {"hamburg": "1t 1t", "hannover": "1t 1t", "minden": "1t 1t 1t", "duisburg": "1t"}
    posts = {"stade/hamburg": "1m", "duisburg/dortmund": "1t 1t"}
    game = board(THREE, posts=posts, offices=offices, supply={0: (4, 0), 1: (1, 0)})
    play(game, "displace", "route stade/hamburg", "put merchant hamburg/lubeck")
    assert "lift" not in verbs(game)
    play(game, "put trader hamburg/lubeck")
    assert see(game, "supply", 1) == [0, 0]
    assert "lift trader duisburg/dortmund" in game.legal()
    assert after(game, "put trader") == []


@rule("R4.5", "D5")
def test_no_other_route_with_a_free_post():
    """The displaced trader returns to its owner's stock, though its own route has a free post; nothing is asked."""
    pool = [*POOL, *["1t"] * 8]
    posts = crowd({"groningen/emden": "1t"}, pool)
    game = board(CROWDED, abilities=RICH, posts=posts, supply={0: (4, 0), 1: (10, 2)})
    stock = see(game, "stock", 1)
    play(game, "displace", "route groningen/emden")
    assert (game.seat, game.asked, see(game, "actions_left")) == (0, "act", 4)
    assert see(game, "posts", "groningen/emden") == ["0t", None, None]
    assert (see(game, "supply", 1), see(game, "stock", 1)) == ([10, 2], [stock[0] + 1, stock[1]])
    assert (see(game, "supply", 0), see(game, "hand")) == ([2, 0], [])


@rule("R4.5")
def test_a_merchant_without_a_post_goes_to_the_stock_too():
    """As a merchant; the penalty of two is paid all the same."""
    pool = [*POOL, *["1t"] * 8]
    game = board(CROWDED, abilities=RICH, posts=crowd({"groningen/emden": "1m"}, pool), supply={0: (4, 0), 1: (10, 2)})
    stock = see(game, "stock", 1)
    play(game, "displace", "route groningen/emden")
    assert (game.seat, game.asked) == (0, "act")
    assert see(game, "stock", 1) == [stock[0], stock[1] + 1]
    assert see(game, "supply", 0) == [1, 0]


@rule("R4.2", "R4.5")
def test_the_last_post_is_kept_for_the_displaced_piece():
    """With one free post on other routes, far away, no further piece may take it: all is forced, no further piece."""
    pool = [*POOL, *["1t"] * 8]
    posts = crowd({"groningen/emden": "1m"}, pool, leave={"quedlinburg/halle": 1})
    game = board(CROWDED, abilities=RICH, posts=posts, supply={0: (4, 0), 1: (10, 2)})
    stock = see(game, "stock", 1)
    assert stock[0] > 0
    play(game, "displace", "route groningen/emden")
    assert (game.seat, game.asked) == (0, "act")
    assert "1m" in see(game, "posts", "quedlinburg/halle")
    assert see(game, "stock", 1) == stock


@rule("R4.2", "R4.3")
def test_two_posts_left_far_away():
    """One for the displaced merchant, one for a further trader in either order, and then the board is full."""
    pool = [*POOL, *["1t"] * 8]
    posts = crowd({"groningen/emden": "1m"}, pool, leave={"quedlinburg/halle": 2})
    game = board(CROWDED, abilities=RICH, posts=posts, supply={0: (4, 0), 1: (10, 3)})
    play(game, "displace", "route groningen/emden")
    assert (game.seat, game.legal()) == (1, ["put merchant quedlinburg/halle", "put trader quedlinburg/halle"])
    play(game, "put trader quedlinburg/halle")
    assert (game.seat, game.asked) == (0, "act")
    assert {"1m", "1t"} <= set(see(game, "posts", "quedlinburg/halle"))


def spent(free: int, offices: str):
    """A board with so many free posts, far away, and seat 1 with all it has on board: seat 0 displaces at Groningen."""
    posts = crowd({"groningen/emden": "1t 1t"}, [*POOL, *["1t"] * 8], leave={"quedlinburg/halle": free})
    desks = RICH | {1: {}}
    game = board(CROWDED, abilities=desks, posts=posts, offices={"minden": offices}, spaces={7: 1}, supply={0: (4, 0)})
    assert (see(game, "supply", 1), see(game, "stock", 1)) == ([0, 0], [0, 0])
    return play(game, "displace", "route groningen/emden")


@rule("R4.4", "R4.3")
def test_a_piece_is_only_lifted_where_it_can_be_put_down():
    """The last free post taken, the trader left on Groningen-Emden could go nowhere: that route never counts."""
    game = spent(1, "1t 1t")
    assert (game.seat, see(game, "posts", "groningen/emden")) == (1, ["0t", "1t", None])
    assert "lift trader quedlinburg/halle" in game.legal()
    assert "lift trader groningen/emden" not in game.legal()
    play(game, "lift trader quedlinburg/halle")
    assert (game.seat, game.asked) == (0, "act")
    assert see(game, "posts", "groningen/emden") == ["0t", "1t", None]
    assert None not in see(game, "posts", "quedlinburg/halle")


@rule("R4.4", "R4.3")
def test_a_piece_of_the_same_route_may_be_lifted_if_there_is_a_post():
    """With one more free post far away it may, and then must, go there."""
    game = spent(2, "1t 1t 1t")
    assert "lift trader groningen/emden" in game.legal()
    play(game, "lift trader groningen/emden")
    assert (game.seat, game.asked) == (0, "act")
    assert see(game, "posts", "groningen/emden") == ["0t", None, None]
    assert None not in see(game, "posts", "quedlinburg/halle")


@rule("R4.4", "R4.5")
def test_no_lifting_after_a_return_to_the_stock():
    """Lifting needs the displaced piece on the board; it went to the stock."""
    game = spent(0, "1t")
    assert (game.seat, game.asked) == (0, "act")
    assert (see(game, "supply", 1), see(game, "stock", 1)) == ([0, 0], [1, 0])
