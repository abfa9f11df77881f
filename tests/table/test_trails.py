"""What moves by a decision: from where to where, as things that are drawn."""

from __future__ import annotations

import re
from random import Random

import pytest

from hansa_env import Ruleset
from hansa_env.render.scene import scene_of
from hansa_env.render.things import posts_of, things_of
from hansa_env.table.game_history import Line
from hansa_env.table.start import Start
from hansa_env.table.trails import Ahead, Trail, trail_of
from hansa_env.table.view import view_of
from tests.rules import scenario
from tests.scenarios.positions import position
from tests.scenarios.test_britannia import sent_with_nothing_left

THREE = Ruleset(players=3)


def last_trail(line: Line) -> Trail | None:
    before = line.records[-2] if len(line) else None
    return trail_of(line.ruleset, line.moves, before, scene_of(line.ruleset, line.records[-1]))


def test_pieces_come_from_where_they_lay() -> None:
    line = Line(Start.dealt(THREE, 5))
    assert last_trail(line) is None
    expected = [
        ("place trader stade/hamburg", Trail("supply 0 trader", "post stade/hamburg 1", "0t")),
        ("place merchant stade/hamburg", Trail("supply 0 merchant", "post stade/hamburg 2", "0m")),
        ("displace", None),
        ("0t", None),
        ("trader", Trail("supply 1 trader", "post stade/hamburg 2", "1t")),
    ]
    for text, trail in expected:
        line.play(text)
        found = last_trail(line)
        if trail is None:
            assert found is None, text
        else:
            assert found is not None and (found.source, found.piece) == (trail.source, trail.piece), text
            assert found.target.startswith("post stade/hamburg"), "on posts of a route pieces have no order"
    while line.game.asked != "relocate":
        line.play(line.game.legal()[-1])
    puts = [text for text in line.game.legal() if text.startswith("put trader")]
    line.play(puts[0])
    found = last_trail(line)
    assert found is not None and found.source == "route stade/hamburg" and found.target.startswith("post ")
    line.play(next(text for text in line.game.legal() if text.startswith("put trader")))
    found = last_trail(line)
    assert found is not None and found.source == "stock 0 trader", "what is added comes from the stock"


@pytest.mark.parametrize(("left", "reserve"), [(1, "stock"), (0, "supply")])
def test_what_is_added_to_a_relocated_piece_comes_from_the_supply_where_the_stock_is_empty(left: int, reserve: str) -> None:
    """R4.4: all pieces of seat 1 are in its supply, but for one trader or none."""
    posts, supply = {"stade/hamburg": "1t"}, {0: (4, 0), 1: (0, 0)}
    traders, merchants = scenario.position(THREE, posts=posts, supply=supply)["stock"][1]
    supply[1] = traders - left, merchants
    line = Line(Start.of_position(scenario.position(THREE, posts=posts, supply=supply)))
    trails = []
    for text in ("displace", "put trader hamburg/lubeck", "put trader hamburg/lubeck"):
        line.play(text)
        trails.append(last_trail(line))
    assert [one and (one.source, one.piece) for one in trails[1:]] == [
        ("route stade/hamburg", "1t"),
        (f"{reserve} 1 trader", "1t"),
    ]


def test_a_piece_taken_up_as_the_last_resort_comes_from_its_route() -> None:
    """R4.4: seat 1 has neither stock nor supply."""
    offices = {"hamburg": "1t 1t", "hannover": "1t 1t", "minden": "1t 1t 1t", "duisburg": "1t"}
    posts, supply = {"stade/hamburg": "1t", "duisburg/dortmund": "1m 1t", "kampen/arnheim": "1t"}, {0: (4, 0), 1: (0, 0)}
    line = Line(Start.of_position(scenario.position(THREE, posts=posts, offices=offices, supply=supply)))
    for text in ("displace", "route stade/hamburg", "put trader hamburg/lubeck", "lift merchant duisburg/dortmund",
                 "put merchant hamburg/luneburg"):  # fmt: skip
        line.play(text)
    assert last_trail(line) == Trail("route duisburg/dortmund", "post hamburg/luneburg 1", "1m")


@pytest.mark.parametrize(("reserve", "texts", "source"), [
    ("stock", [], "stock 0 trader"), ("supply", [], "supply 0 trader"),
    (None, ["lift trader conway/chester"], "route conway/chester"),
])  # fmt: skip
def test_what_is_sent_abroad_comes_from_the_stock_then_the_supply_then_posts(
    reserve: str | None, texts: list[str], source: str
) -> None:
    """R10.15: seat 0 has nothing beside the board, or the trader of Conway–Chester in one of the two."""
    data = sent_with_nothing_left().position()
    if reserve is not None:
        data["posts"]["conway/chester"][0] = None
        data[reserve][0] = [1, 0]
    line = Line(Start.of_position(data))
    for text in (*texts, "put trader conway/montgomery"):
        line.play(text)
    assert last_trail(line) == Trail(source, "post conway/montgomery 1", "0t")


def test_what_a_permanent_marker_puts_down_comes_from_the_claimed_route() -> None:
    """R9.14d: the route is not part of the question any more."""
    line = Line(Start.of_position(position("east", posts={"malmo/danzig": "0t 0t 0t", "malmo/danzig:ship": "0m"})[0]))
    for text in ("claim malmo/danzig", "done", "put trader belgard/danzig"):
        line.play(text)
    found = last_trail(line)
    assert found is not None and (found.source, found.piece) == ("route malmo/danzig", "0t")


@pytest.mark.parametrize(("merchants", "kind"), [(0, "trader"), (1, "merchant")])
def test_an_income_is_shown_by_the_best_piece_that_it_brings(merchants: int, kind: str) -> None:
    line = Line(Start.of_position(scenario.position(THREE, supply={0: (2, 0)})))
    things = things_of(scene_of(THREE, line.records[0]), f"income {merchants}")
    line.play(f"income {merchants}")
    assert last_trail(line) == Trail(f"stock 0 {kind}", f"supply 0 {kind}", f"0{kind[0]}")
    assert things == (f"stock 0 {kind}",), "what is highlighted is what moves"


@pytest.mark.parametrize("drawn", ["before", "after"])
def test_a_neutral_trader_goes_from_its_route_and_the_one_that_is_added_from_nowhere(drawn: str) -> None:
    """R8.2.2: seat 1 puts them down beside its own trader, and none of its pieces moves."""
    two = scenario.TWO_NEUTRAL
    posts = {"emden/osnabruck": "nt", "kampen/osnabruck": "1t"}
    line = Line(Start.of_position(scenario.position(two, posts=posts, supply={0: (4, 0)})))
    ahead = Ahead(two, scene_of(two, line.records[0]))
    trails = []
    for text in ("displace", "route emden/osnabruck", "put trader kampen/osnabruck", "put trader bremen/osnabruck"):
        line.play(text)
        after = scene_of(two, line.records[-1])
        trails.append(last_trail(line) if drawn == "after" else ahead.trail_of(line.moves, line.records[-2], after))
    *_, relocated, added = trails
    scene = scene_of(two, line.records[-1])
    where = {piece.owner: name for name, piece in posts_of(scene, "kampen/osnabruck") if piece is not None}
    source = {"before": "post emden/osnabruck 1", "after": "route emden/osnabruck"}[drawn]
    assert relocated is not None and (relocated.source, relocated.piece) == (source, "nt")
    assert relocated.target == (where["n"] if drawn == "after" else "post kampen/osnabruck 2")
    assert added is None


@pytest.mark.parametrize(
    "ruleset", [THREE, Ruleset(players=4, board="east"), Ruleset(players=5, board="britannia-4-5")], ids=str
)
def test_both_ends_are_drawn(ruleset: Ruleset) -> None:
    random, line, kinds = Random(2), Line(Start.dealt(ruleset, 2)), set()
    while not line.game.over and len(line) < 160:
        legal = line.game.legal()
        line.play(random.choice([text for text in legal if text.startswith(("claim", "office", "develop"))] or legal))
        view = view_of(line, len(line), [""] * ruleset.players)
        if view["trail"] is None:
            continue
        kinds.add(line.moves[-1].asked)
        drawn = set(re.findall(r'data-thing="([^"]+)"', "".join(view["panels"].values())))
        assert {view["trail"]["source"], view["trail"]["target"]} <= drawn, line.moves[-1]
    assert len(kinds) > 2
