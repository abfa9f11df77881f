"""R5.5-R5.8: offices, completed cities, Arnheim-Stendal, developing."""

import pytest

from tests.rules.scenario import FOUR, POSTS, THREE, after, board, play, rule, see

CHAIN = {"arnheim": "0t", "munster": "0m", "minden": "0t", "brunswick": "0t"}


@rule("R5.5", "D3")
@pytest.mark.parametrize(
    ("pieces", "offices", "offered"),
    [
        ("0t 0t 0t", {}, ["arnheim"]),
        ("0t 0t 0m", {}, ["arnheim", "munster"]),
        ("0m 0m 0m", {}, ["munster"]),
        ("0t 0t 0t", {"arnheim": "1t"}, []),
        ("0t 0t 0m", {"arnheim": "1t"}, ["arnheim", "munster"]),
        ("0t 0t 0m", {"arnheim": "1t 1m"}, ["munster"]),
        ("0t 0t 0m", {"arnheim": "1t", "munster": "2m"}, ["arnheim"]),
    ],
)
def test_squares_take_traders_circles_merchants(pieces, offices, offered):
    """Arnheim is square, circle, orange square; Münster circle, orange square; a merchant never fills a square."""
    game = board(
        THREE, abilities={0: {"book": 2}}, posts={"arnheim/munster": pieces, "minden/paderborn": "0t"}, offices=offices
    )
    play(game, "claim arnheim/munster")
    assert after(game, "office") == offered
    assert (game.asked == "reward") == bool(offered)


@rule("R5.5")
def test_the_right_kind_becomes_the_office():
    """Münster's circle takes the merchant of the route, Arnheim's square a trader."""
    game = board(THREE, posts={"arnheim/munster": "0t 0t 0m"})
    play(game, "claim arnheim/munster")
    twin = game.copy()
    play(game, "office munster")
    assert see(game, "offices", "munster") == ["0m", None]
    assert see(game, "stock", 0) == [6, 0]
    play(twin, "office arnheim")
    assert see(twin, "offices", "arnheim") == ["0t", None, None, None]
    assert see(twin, "stock", 0) == [5, 1]


@rule("R5.5")
def test_no_space_is_skipped():
    """Perleberg's free pink space bars the way to the black circle behind it."""
    game = board(
        THREE,
        abilities={0: {"privilege": 1}},
        offices={"perleberg": "1t", "stendal": "1t"},
        posts={"perleberg/stendal": "0t 0t 0t"},
    )
    play(game, "claim perleberg/stendal")
    assert game.asked == "act"
    assert see(game, "offices", "stendal") == ["1t", None, None, None]


@rule("R5.5")
def test_own_offices_in_a_city_are_no_bar():
    """A second office in the same city by the same seat."""
    game = board(THREE, abilities={0: {"privilege": 1}}, offices={"hamburg": "0t"}, posts={"hamburg/bremen": "0t 0t 0t 0t"})
    play(game, "claim hamburg/bremen", "office hamburg")
    assert see(game, "offices", "hamburg") == ["0t", "0t", None]


@rule("R5.5")
def test_coins():
    """Coellen's first space and Stade's pay 1 at once; Coellen's second and Hamburg's pay nothing."""
    game = board(THREE, posts={"coellen/warburg": "0t 0t 0t 0t", "stade/hamburg": "0m 0t 0t"})
    play(game, "claim coellen/warburg", "office coellen")
    assert see(game, "prestige") == [1, 0, 0]
    twin = game.copy()
    play(game, "claim stade/hamburg", "office stade")
    assert see(game, "prestige") == [2, 0, 0]
    play(twin, "claim stade/hamburg", "office hamburg")
    assert see(twin, "prestige") == [1, 0, 0]
    game = board(THREE, abilities={0: {"privilege": 2}}, offices={"coellen": "1t"}, posts={"coellen/warburg": "0t 0t 0t 0t"})
    play(game, "claim coellen/warburg", "office coellen")
    assert see(game, "prestige") == [0, 1, 0]


@rule("R5.6")
def test_the_last_printed_space_completes_a_city():
    """Duisburg has one space, Dortmund two."""
    game = board(THREE, posts={"duisburg/dortmund": "0t 0m"})
    play(game, "claim duisburg/dortmund")
    twin = game.copy()
    play(game, "office duisburg")
    assert see(game, "completed") == 1
    play(twin, "office dortmund")
    assert see(twin, "completed") == 0


@rule("R5.6", "R6.2")
def test_an_extra_office_completes_nothing():
    """Neither a city with one space left, nor a complete one again."""
    game = board(THREE, posts={"duisburg/dortmund": "0t 0t"}, offices={"duisburg": "1t", "dortmund": "1m"},
                 markers={0: ["extra-office"]})  # fmt: skip
    assert see(game, "completed") == 1
    play(game, "claim duisburg/dortmund", "extra", "city dortmund")
    assert see(game, "completed") == 1
    assert see(game, "offices", "dortmund") == ["1m", None]


@rule("R5.7")
@pytest.mark.parametrize(("linked", "points"), [((), 7), ((1,), 4), ((1, 2), 2), ((1, 2, 3), 0), ((0,), 0), ((1, 0), 0)])
def test_arnheim_stendal(linked, points):
    """7, 4, 2 for the first three seats, nothing for a fourth and nothing twice."""
    game = board(FOUR, linked=linked, offices=CHAIN, posts={"brunswick/stendal": "0t 0t 0t 0t"})
    play(game, "claim brunswick/stendal")
    assert see(game, "prestige") == [1, 0, 0, 0]
    play(game, "office stendal")
    assert see(game, "prestige") == [1 + points, 0, 0, 0]
    assert see(game, "linked") == list(linked if 0 in linked else (*linked, 0))


@rule("R5.7")
def test_a_gap_breaks_the_chain():
    """Without Brunswiek, or with an opponent's office there, there is no link; Perleberg is no way round."""
    for brunswick in ("", "1t"):
        offices = CHAIN | {"brunswick": brunswick, "perleberg": "0t"}
        game = board(THREE, offices=offices, posts={"perleberg/stendal": "0t 0t 0t"})
        play(game, "claim perleberg/stendal", "office stendal")
        assert (see(game, "prestige", 0), see(game, "linked")) == (1, [])


@rule("R5.7")
@pytest.mark.parametrize(("end", "route"), [("arnheim", "brunswick/stendal"), ("stendal", "arnheim/munster")])
def test_both_ends_belong_to_the_chain(end, route):
    """The chain reaches the city beside the end, and the office founded last stands at the other end."""
    founded = "stendal" if end == "arnheim" else "arnheim"
    offices = {city: piece for city, piece in (CHAIN | {"stendal": "0t"}).items() if city not in (end, founded)}
    game = board(THREE, offices=offices, posts={route: " ".join(["0t"] * POSTS[route])})
    play(game, f"claim {route}", f"office {founded}")
    assert (see(game, "linked"), see(game, "prestige", 0)) == ([], 1)


@rule("R5.7")
def test_the_long_way_round_counts():
    """Arnheim, Duisburg, Dortmund, Paderborn, Hildesheim, Goslar, Magdeburg, Stendal: the gap closed in the middle."""
    offices = {city: "0t" for city in ("arnheim", "duisburg", "paderborn", "hildesheim", "goslar", "stendal")}
    offices |= {"magdeburg": "1m 0t"}
    game = board(THREE, offices=offices, posts={"duisburg/dortmund": "0t 0m"})
    play(game, "claim duisburg/dortmund")
    before = see(game, "prestige", 0)
    play(game, "office dortmund")
    assert see(game, "prestige", 0) == before + 7


@rule("R5.7", "R6.2")
def test_an_extra_office_can_make_the_link():
    """In the full city of Brunswiek, opponents' before."""
    offices = CHAIN | {"brunswick": "1t", "stendal": "0t"}
    game = board(THREE, offices=offices, posts={"minden/brunswick": "0t 0t 0t 0t"}, markers={0: ["extra-office"]})
    play(game, "claim minden/brunswick", "extra", "city brunswick")
    assert (see(game, "prestige"), see(game, "linked")) == ([1 + 7, 1, 0], [0])


@rule("R5.8")
@pytest.mark.parametrize(
    ("route", "ability", "piece"),
    [
        ("groningen/emden", "book", (0, 1)),
        ("stade/hamburg", "privilege", (1, 0)),
        ("hamburg/lubeck", "bank", (1, 0)),
        ("gottingen/quedlinburg", "actions", (1, 0)),
        ("quedlinburg/halle", "keys", (1, 0)),
    ],
)
def test_the_five_ability_cities(route, ability, piece):
    """Each develops its own ability only; the piece comes into the supply, the pieces of the route into the stock."""
    size = 4 if route == "quedlinburg/halle" else 3
    game = board(THREE, posts={route: " ".join(["0t"] * size)})
    supply, stock = see(game, "supply", 0), see(game, "stock", 0)
    play(game, f"claim {route}")
    assert after(game, "develop") == [ability]
    play(game, f"develop {ability}")
    assert see(game, "abilities", 0) == {"keys": 0, "actions": 0, "privilege": 0, "book": 0, "bank": 0} | {ability: 1}
    assert see(game, "supply", 0) == [supply[0] + piece[0], supply[1] + piece[1]]
    assert see(game, "stock", 0) == [stock[0] + size, stock[1]]


@rule("R5.8")
def test_a_fully_developed_ability_is_not_offered():
    """Three pieces off the privilege track leave nothing to develop."""
    for removed, offered in ((2, ["privilege"]), (3, [])):
        game = board(THREE, abilities={0: {"privilege": removed}}, posts={"stade/hamburg": "0t 0t 0t"})
        play(game, "claim stade/hamburg")
        assert after(game, "develop") == offered
        assert "office hamburg" in game.legal()


@rule("R5.8")
def test_coellen_develops_nothing():
    """Its ability is the table of prestige."""
    game = board(THREE, posts={"coellen/warburg": "0t 0t 0t 0t"})
    play(game, "claim coellen/warburg")
    assert after(game, "develop") == []


@rule("R5.8")
def test_effective_at_once():
    """The bank developed by the first action pays 5 by the second; the privilege serves the next claim."""
    game = board(THREE, posts={"hamburg/lubeck": "0t 0t 0t"})
    assert see(game, "stock", 0) == [3, 0]
    play(game, "claim hamburg/lubeck", "develop bank", "income 0")
    assert see(game, "stock", 0) == [1, 0]
    posts = {"stade/hamburg": "0t 0t 0t", "minden/brunswick": "0t 0t 0t 0t"}
    game = board(THREE, posts=posts, offices={"minden": "1t"})
    play(game, "claim stade/hamburg", "develop privilege", "claim minden/brunswick")
    assert after(game, "office") == ["brunswick", "minden"]
