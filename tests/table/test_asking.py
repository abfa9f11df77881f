"""What a page says of a question: how far the game is, what led to it, what each decision costs, and what can be called off."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from string import Formatter

import pytest

from hansa_env import Game, Ruleset
from hansa_env.formats.descriptions import DESCRIPTIONS
from hansa_env.render.scene import scene_of
from hansa_env.table.asking import Told
from hansa_env.table.costs import Price
from hansa_env.table.game_history import Line
from hansa_env.table.standing import standing_of, warnings
from hansa_env.table.start import Start
from hansa_env.table.trails import Moved
from hansa_env.table.view import view_of
from tests import promos
from tests.formats.samples import sample
from tests.rules import scenario
from tests.scenarios.positions import position as of_scenario
from tests.scenarios.test_britannia import sent_with_nothing_left

THREE = Ruleset(players=3)
NAMES = ["", "", ""]
#: Seat 0 places two pieces on Stade–Hamburg, and seat 1 displaces one of them.
TO_DISPLACED = ("place trader stade/hamburg", "place merchant stade/hamburg", "displace")


def played(*texts: str, ruleset: Ruleset = THREE) -> Line:
    line = Line(Start.dealt(ruleset, 5))
    for text in texts:
        line.play(text)
    return line


def told(line: Line) -> dict:
    return view_of(line, len(line), NAMES)


def costs(view: dict) -> dict[str, str]:
    return {" > ".join(choice["texts"]): choice["cost"] for choice in view["choices"]}


def test_all_that_stories_costs_and_trails_name_is_there() -> None:
    line = played("place trader stade/hamburg")
    game = line.game_at(1)
    scene = scene_of(THREE, game.state)
    for about, patterns in (
        (Told(line, 1, game, scene), [text for row in DESCRIPTIONS for text in (*row.story, *row.story_settled)]),
        (Price(THREE, scene, ["done"]), [text for row in DESCRIPTIONS for text in row.costs.values()]),
        (
            Moved(THREE, line.moves, line.records[0], scene),
            [text for row in DESCRIPTIONS for way in row.trails.values() for text in way],
        ),
    ):
        named = {name for pattern in patterns for _, name, _, _ in Formatter().parse(pattern) if name}
        assert named and {name for name in named if name.isidentifier()} <= set(dir(about))
        assert {name for name in named if not name.isidentifier()} <= {"0", "1"}


def test_the_strip_counts_what_ends_the_game() -> None:
    standing = told(played())["standing"]
    assert (standing["round"], standing["pile"], standing["completed"], standing["completed_to_end"]) == (1, 13, 0, 10)
    assert standing["marker_points"] == [0, 1, 3, 3, 6, 6, 10, 10, 15, 15, 21], "R7.4"
    assert standing["markers"] == [0, 0, 0] and standing["warnings"] == []


def at_the_edge(**changes: int) -> list[str]:
    line = played()
    record = line.records[0].copy()
    for name, value in changes.items():
        record[name] = value
    return warnings(scene_of(THREE, record), THREE)


def test_what_may_end_the_game_is_said_before_it_does() -> None:
    assert at_the_edge(completed=8) == []
    assert at_the_edge(completed=9) == ["The next completed city ends the game."]
    line = played()
    record = line.records[0].copy()
    record["prestige"][1] = 15
    assert warnings(scene_of(THREE, record), THREE) == []
    record["prestige"][1] = 16
    assert warnings(scene_of(THREE, record), THREE) == ["seat 1 has 16 prestige; 20 end the game."]


def test_a_miniature_ends_by_its_own_prestige() -> None:
    small = Ruleset(players=2, board="miniature-2")
    assert small.board_data.scale.prestige_to_end == 2
    game = Game(small)
    assert standing_of(game.scene(0), small)["prestige_to_end"] == 2
    before, record = warnings(game.scene(0), small), game.state.copy()
    record["prestige"][1] = 1
    assert warnings(scene_of(small, record), small) == [*before, "seat 1 has 1 prestige; 2 end the game."]


def test_an_empty_pile_is_warned_of() -> None:
    scene = Game(THREE).scene(0)
    assert warnings(replace(scene, pile=2), THREE) == []
    assert warnings(replace(scene, pile=1), THREE) == [
        "One marker is left in the pile: the second one taken from now on ends the game."
    ]
    assert warnings(replace(scene, pile=0), THREE) == ["The pile is empty: whoever takes the next marker ends the game."]
    assert standing_of(replace(scene, pile=0, seat=None), THREE)["warnings"] == [], "nothing is warned of once it has ended"


def test_every_choice_has_its_cost() -> None:
    found = costs(told(played("place trader stade/hamburg", "place merchant stade/hamburg")))
    assert found["place trader groningen/emden"] == "1 action"
    assert found["displace > 0t"] == "1 action, 1 piece to your stock"
    assert found["displace > 0m"] == "1 action, 2 pieces to your stock"
    assert found["done"] == "2 actions unused" and found["income 0"] == "1 action"


def test_a_claim_says_whom_it_brings_prestige() -> None:
    line = Line(Start.dealt(THREE, 5))
    random = Random(3)
    while not line.game.over:
        legal = line.game.legal()
        claims = [text for text in legal if text.startswith("claim")]
        for text in claims:
            route = next(route for route in line.game.scene(0).routes if route.id == text.split(" ")[1])
            owners = [city.controller for city in line.game.scene(0).cities if city.id in route.cities and city.controller]
            words = costs(told(line))[text]
            assert words.startswith("1 action") and all(f"prestige to seat {owner}" in words for owner in owners)
            assert (route.marker or "no marker") in words or route.marker is None
            if owners:
                return
        line.play(random.choice(claims or [text for text in legal if text.startswith("office")] or legal))
    raise AssertionError("nobody claimed beside an office")


def test_who_is_displaced_hears_by_whom_from_where_and_what_is_extra() -> None:
    line = played(*TO_DISPLACED)
    paid = "You also pay 1 piece for a trader, 2 for a merchant, from your supply to your stock."
    assert told(line)["asked"] == "victim" and told(line)["story"][1] == paid
    assert costs(told(line))["0m"] == "2 pieces to your stock" and costs(told(line))["0t"] == "1 piece to your stock"
    line.play("0m")
    view = told(line)
    assert view["asked"] == "with" and view["seat"] == 1
    assert view["story"] == ["You displace the merchant of seat 0 from Stade–Hamburg.",
                             "You also pay 2 pieces, from your supply to your stock."]  # fmt: skip
    while line.game.asked != "relocate":
        line.play(line.game.legal()[-1])
    view = told(line)
    assert view["seat"] == 0 and view["turn"] == 1 and view["begun"] is None, "what another began is not called off"
    assert view["story"][0] == "seat 1 displaced your merchant from Stade–Hamburg."
    assert view["story"][2] == "You may also put down 2 extra pieces from your stock, if you like."
    assert view["question"] == "put the displaced piece down"
    line.play(next(text for text in line.game.legal() if text.startswith("put merchant")))
    view = told(line)
    assert view["story"][1:] == ["your merchant is on the board again.",
                                 "You may put down 2 extra pieces from your stock, if you like."]  # fmt: skip
    assert view["question"] == "put down an extra piece, or stop", "what is asked is no longer the displaced piece"
    assert line.game.scene().question == view["question"], "the terminal and pictures ask the same"
    assert set(costs(view).values()) == {"costs nothing", ""}


def at_last_resort(*texts: str) -> dict:
    """R4.4: seat 1 has neither stock nor supply; its merchant is displaced."""
    posts = {"stade/hamburg": "1m", "duisburg/dortmund": "1t 1t", "kampen/arnheim": "1t"}
    offices = {"hamburg": "1t 1t", "hannover": "1t 1t", "minden": "1t 1t 1t", "duisburg": "1t"}
    position = scenario.position(THREE, posts=posts, offices=offices, supply={0: (4, 0), 1: (0, 0)})
    line = Line(Start.of_position(position))
    for text in ("displace", "route stade/hamburg", *texts):
        line.play(text)
    return told(line)


def test_who_has_neither_stock_nor_supply_hears_that_extra_pieces_come_from_posts() -> None:
    """R4.4, also before the displaced piece is down, when nothing is lifted yet."""
    first = at_last_resort()
    extra = "put down 2 extra pieces from your posts, as stock and supply are empty, if you like."
    assert first["story"][-1] == f"You may also {extra}" and first["question"] == "put the displaced piece down"
    settled = at_last_resort("put merchant hamburg/lubeck")
    assert settled["story"][-1] == f"You may {extra}"
    assert settled["question"] == "take up one of your pieces to put it down as an extra one, or stop"


def test_a_piece_that_was_taken_up_must_be_put_down() -> None:
    """R4.4: nobody may stop while it is in hand."""
    view = at_last_resort("put merchant hamburg/lubeck", "lift trader duisburg/dortmund")
    assert view["question"] == "put down the trader that you took up"
    assert view["story"][-1] == "You took up a trader to add it. Put it on a free post of the nearest routes."
    assert not any(word in " ".join(view["story"]) for word in ("if you like", "stop", "extra"))


@pytest.mark.parametrize(("supply", "sources"), [
    (6, "your stock"), (10, "your stock, then from your supply"), (11, "your supply"),
])  # fmt: skip
def test_extra_pieces_come_from_the_stock_before_the_supply(supply: int, sources: str) -> None:
    """R4.4: seat 1 has eleven traders beside the board; two are added to its displaced merchant."""
    supplies = {0: (4, 0), 1: (supply, 0)}
    line = Line(Start.of_position(scenario.position(THREE, posts={"stade/hamburg": "1m"}, supply=supplies)))
    line.play("displace")
    assert told(line)["story"][2] == f"You may also put down 2 extra pieces from {sources}, if you like."


@pytest.mark.parametrize(("route", "countries"), [("conway/montgomery", "Wales or England"), ("chester/hereford", "England")])
@pytest.mark.parametrize("tile", [None, "anywhere"])
def test_on_britannia_a_displaced_piece_stays_in_its_country_or_england(route: str, countries: str, tile: str | None) -> None:
    """R10.11, which binds the favour too (X16)."""
    tiles = ["action", "tithe", "escort", "anywhere"]
    module = {"favours": {"display": tiles[: 3 if tile else 4], "owned": [[], tiles[3:] if tile else [], [], []]}}
    data = of_scenario(
        "britannia-4-5", players=4, posts={route: "1t"}, offices={"london": "0t"}, supply={0: "4t"}, module=module
    )
    line = Line(Start.of_position(data[0]))
    line.play("displace")
    reach = "any route" if tile else "the nearest routes"
    assert f"Put it on a free post of {reach} of {countries}." in view_of(line, len(line), [""] * 4)["story"][1]


def test_who_relocates_a_neutral_trader_hears_that_another_must_follow() -> None:
    """R8.2.2, D9: nobody may stop before it."""
    line = Line(Start.of_position(scenario.position(scenario.TWO_NEUTRAL, posts={"emden/osnabruck": "nt"}, supply={0: (4, 0)})))
    line.play("displace")
    views = [view_of(line, len(line), NAMES[:2])]
    assert views[0]["question"] == "put the displaced piece down"
    assert views[0]["story"][0] == "seat 0 displaced the neutral trader from Emden–Osnabrück."
    line.play("put trader kampen/osnabruck")
    assert "done" not in line.game.legal()
    views.append(view_of(line, len(line), NAMES[:2]))
    assert views[1]["question"] == "put down one more neutral trader"
    assert views[1]["story"][1] == "the neutral trader is on the board again."
    for view in views:
        assert view["story"][-1] == "You must also put down one more neutral trader."
        assert not any(word in sentence for sentence in (view["question"], *view["story"]) for word in ("if you like", "stop"))


def test_an_action_is_called_off_until_somebody_else_decides() -> None:
    line = played(*TO_DISPLACED)
    assert [view_of(line, number, NAMES)["begun"] for number in (1, 2, 3)] == [None, None, 2]
    line.play("0m")
    while line.game.asked != "relocate":
        assert told(line)["begun"] == 2
        line.play(line.game.legal()[-1])
    assert told(line)["begun"] is None


def test_to_decline_a_claim_is_to_take_nothing() -> None:
    line = played("place trader stade/hamburg", "place trader stade/hamburg", "done", "done", "place trader stade/hamburg")
    line.play("claim stade/hamburg")
    view = told(line)
    assert view["asked"] == "reward" and "one thing that it brings, or nothing" in view["story"][1]
    assert next(choice["words"] for choice in view["choices"] if choice["texts"] == ["done"]) == "take nothing"


def test_what_is_held_is_one_or_several() -> None:
    line = played("place trader stade/hamburg", "place trader bremen/minden", "done", "done", "move")
    assert told(line)["story"] == ["Take up to 2 of your pieces. Then put each on a free post."]
    line.play("lift trader stade/hamburg")
    assert told(line)["story"] == ["You have taken up 1 trader. Take another, or stop and put down what you hold."]
    line.play("done")
    assert told(line)["story"] == ["You hold 1 trader. Put it on any free post."]


def test_markers_say_what_they_do_and_abilities_what_they_become() -> None:
    held = ["exchange", "remove-three", "+3", "upgrade"]
    position = scenario.position(THREE, turn=0, actions=1, markers={0: held}, abilities={0: {"actions": 1}},
                                 posts={"stade/hamburg": "0t 0t 0t", "hamburg/lubeck": "1t"},
                                 offices={"hamburg": "0t 1t"})  # fmt: skip
    line = Line(Start.of_position(position))
    found = costs(told(line))
    assert found["+3"] == "no action; 3 more actions" and found["exchange"].endswith("swaps two offices side by side")
    assert found["remove"] == "no action; takes up to 3 pieces off the roads"
    assert found["develop actions"] == "no action; 3 → 3 actions in a turn"
    assert found["develop privilege"] == "no action; white → orange offices"
    line.play("claim stade/hamburg")
    assert costs(told(line))["develop privilege"] == "white → orange offices; every piece of the route to your stock"
    assert costs(told(line))["done"] == "every piece of the route to your stock"


def test_removing_says_how_many_pieces_are_left_to_take() -> None:
    position = scenario.position(THREE, turn=0, actions=1, markers={0: ["remove-three"]},
                                 posts={"stade/hamburg": "1t 1t 2t", "hamburg/lubeck": "1t"})  # fmt: skip
    line = Line(Start.of_position(position))
    line.play("remove")
    (story,) = told(line)["story"]
    assert story == "You may take up to 3 pieces off the roads, whoever they belong to. They go to their owners' supply."


def test_an_extra_office_says_where_it_stands() -> None:
    position = scenario.position(THREE, turn=0, actions=1, markers={0: ["extra-office"]},
                                 posts={"stade/hamburg": "0t 0m 0t"}, offices={"hamburg": "1t"})  # fmt: skip
    line = Line(Start.of_position(position))
    for text in ("claim stade/hamburg", "extra"):  # the city is not asked for, as only one can be meant
        line.play(text)
    view = told(line)
    assert view["asked"] == "with" and set(costs(view).values()) == {"of the route"}
    (story,) = view["story"]
    assert story == "You use your marker extra-office in Hamburg. The office stands left of all others and needs no free space."


def test_tokens_count_and_are_told_of_before_they_are_laid() -> None:
    """R13.6 to R13.8: seats 0 and 1 have laid a token or two, and hold more markers."""
    line = Line(Start.of_position(promos.beginning()))
    view = told(line)
    assert view["standing"]["markers"] == [3, 5, 1]
    assert costs(view)["block"] == "no action; a trader of your supply stays on it"
    line.play("block")
    assert told(line)["story"][-1] == "Whoever places a piece on the route pays one more piece."
    line = Line(Start.of_position(promos.beginning()))
    line.play("trade-in")
    assert "You can use what you take at once." in told(line)["story"][0]


def test_a_move_of_the_pawn_after_an_action_says_that_it_ends_the_turn() -> None:
    """R8.1.3; nothing comes after its set-up, and after a new marker is laid."""
    line = Line(Start.dealt(scenario.TWO_PAWN, 5))
    assert told(line)["asked"] == "pawn" and told(line)["actions_left"] is None
    line.play("pawn P01")
    moves = [cost for text, cost in costs(told(line)).items() if text.startswith("pawn ")]
    assert set(moves) == {"no action"}
    line.play(next(text for text in line.game.legal() if text.startswith("place ")))
    moves = [cost for text, cost in costs(told(line)).items() if text.startswith("pawn ")]
    assert set(moves) == {"no action; ends your turn, 1 action unused"}


def test_an_action_abroad_says_that_it_takes_the_permission() -> None:
    """R10.5: seat 0 has the rightmost office of Cardiff."""
    ruleset = Ruleset(4, board="britannia-4-5")
    position = Game(ruleset, 1).position()
    position["offices"]["cardiff"][0] = "0t"
    position["stock"][0][0] -= 1
    del position["legal"]
    found = costs(view_of(Line(Start.of_position(position)), 0, [""] * 4))
    abroad = {cost for text, cost in found.items() if "cardiff" in text or "conway" in text}
    assert "1 action, and your permission for Wales" in abroad
    assert found["place trader cambridge/london"] == "1 action"


def test_a_piece_goes_anywhere_for_the_owner_of_that_favour() -> None:
    """R12.4."""
    ruleset = Ruleset(3, favours=True)
    position = Game(ruleset, 5).position()
    position["favours"] = {"display": ["action", "tithe"], "owned": [["anywhere"], [], []]}
    del position["legal"]
    stories = []
    for favours in (position["favours"], position["favours"] | {"owned": [[], ["anywhere"], []]}):
        line = Line(Start.of_position(position | {"favours": favours}))
        for text in TO_DISPLACED:
            line.play(text)
        while line.game.asked != "relocate":
            line.play(line.game.legal()[0])
        stories.append(told(line)["story"][1].split(".")[0])
    assert stories == ["Put it on a free post of any route", "Put it on a free post of the nearest routes"]


def after(data: dict, *texts: str, taking: bool = True) -> dict:
    """What is told after some decisions of a position; `taking`: where a claim asks what it brings, this is not answered."""
    line = Line(Start.of_position(data))
    for text in texts:
        line.play(text)
        if line.game.asked == "reward" and not taking:
            line.play("done")
    return view_of(line, len(line), [""] * line.ruleset.players)


DANZIG = {"malmo/danzig": "0t 0t 0t", "malmo/danzig:ship": "0m"}


def test_two_pieces_of_malmo_danzig_need_not_go_to_the_stock() -> None:
    """R9.14d."""
    data = of_scenario("east", posts=DANZIG)[0]
    claimed = after(data, "claim malmo/danzig")
    assert claimed["story"][1].endswith("go to your stock, but up to 2 of them may go to free posts anywhere.")
    assert costs(claimed)["done"] == "2 pieces of the route where you like, the rest to your stock"
    usual = after(of_scenario("east", posts={"lubeck/wismar": "0t 0t 0t"})[0], "claim lubeck/wismar")
    assert usual["story"][1].endswith("does not use go to your stock.")
    hold = "You hold 3 traders and 1 merchant of Malmö–Danzig."
    assert after(data, "claim malmo/danzig", taking=False)["story"] == [
        hold, "You may put up to 2 of them on free posts of any route; the rest goes to your stock.",
    ]  # fmt: skip
    landed = after(data, "claim malmo/danzig", "put trader belgard/danzig", taking=False)
    assert landed["story"][1].startswith("You may put one of them on free posts")


@pytest.mark.parametrize(("route", "ships", "texts", "story"), [
    ("wismar/stralsund", "0m 0m", [], "Take up to 2 of anybody's pieces. Then put each on a free post."),
    ("stralsund/malmo", "0m 0m", [], "The piece that you take off the track goes to your supply."),
    ("malmo/visby", "0m", [], "A piece of your supply becomes an office in a green city, to the right of all others there."),
    ("malmo/visby", "0m", ["city waren"], "The office stands in Waren, to the right of all others. "
     "It may be a trader or a merchant."),
    ("wismar/stralsund", "0m 0m", ["route lubeck/wismar"],
     "You take it off Lübeck–Wismar, and put it on a free post afterwards."),
    ("wismar/stralsund", "0m 0m", ["route lubeck/wismar", "1t", "done"],
     "It goes to any free post. Nobody was displaced, so nothing is paid or added."),
])  # fmt: skip
def test_who_claimed_a_maritime_route_hears_what_its_marker_allows(
    route: str, ships: str, texts: list[str], story: str
) -> None:
    """R9.14: what it does, and that one need not."""
    posts = {route: "0t 0t" if route == "malmo/visby" else "0t", f"{route}:ship": ships, "lubeck/wismar": "1t 1m"}
    view = after(of_scenario("east", posts=posts, abilities={0: {"book": 1}})[0], f"claim {route}", *texts, taking=False)
    assert view["story"][-1] == story
    if not texts:
        name = {"wismar/stralsund": "Wismar–Stralsund", "stralsund/malmo": "Stralsund–Malmö", "malmo/visby": "Malmö–Visby"}
        assert view["story"][0] == f"You claimed {name[route]}, so you may now use its permanent marker, or not."
    if view["asked"] == "permanent":
        assert costs(view)["develop privilege"] == "white → orange offices"


def test_pieces_are_sent_abroad_from_what_there_is() -> None:
    """R10.14, R10.15."""
    posts = {"southampton/calais": "0t", "southampton/calais:ship": "0m 0m"}
    data = of_scenario("britannia-4-5", players=4, posts=posts, abilities={0: {"book": 1}})[0]
    view = after(data, "claim southampton/calais", taking=False)
    assert view["story"] == [
        "You claimed Southampton–Calais. You may put up to 2 pieces on free posts of Wales or Scotland, from your stock, "
        "without a permission."
    ]
    data = sent_with_nothing_left().position()
    assert after(data)["question"] == "take up a piece of yours to send it abroad, or stop"
    view = after(data, "lift merchant oxford/london")
    assert view["question"] == "send abroad the merchant that you took up"
    assert view["story"] == ["You took up a merchant. Put it on a free post of Wales."]


def test_pieces_moved_by_a_marker_stay_in_their_country() -> None:
    """R10.12."""
    posts = {"canterbury/calais": "0t 0t", "canterbury/calais:ship": "0m", "conway/chester": "1t"}
    data = of_scenario("britannia-4-5", players=4, posts=posts)[0]
    claim = "claim canterbury/calais"
    assert after(data, claim, taking=False)["story"][-1].endswith("Then put each on a free post of its own country.")
    view = after(data, claim, "route conway/chester", taking=False)
    assert view["asked"] == "drop" and view["story"][0].startswith("It goes to any free post of Wales.")


def test_a_neutral_claim_is_told_with_its_route() -> None:
    """R8.2.3."""
    posts = {"kampen/osnabruck": " ".join(["nt"] * (scenario.POSTS["kampen/osnabruck"] - 1)), "emden/osnabruck": "nt"}
    data = scenario.position(scenario.TWO_NEUTRAL, posts=posts, supply={0: (4, 0)})
    view = after(data, "displace", "route emden/osnabruck", "put trader kampen/osnabruck")
    assert view["asked"] == "neutral" and view["seat"] == 0
    assert view["story"] == [
        "The neutral traders hold Kampen–Osnabrück: it is claimed for them.", "You choose the city of their office.",
    ]  # fmt: skip


def test_the_only_piece_that_can_be_displaced_has_its_own_cost() -> None:
    """R4.1, R10.5: the words name the piece, so the cost is not that of any piece."""
    data = of_scenario("britannia-4-5", players=4, posts={"conway/chester": "1m"}, offices={"london": "0t"})[0]
    assert costs(after(data))["displace"] == "1 action, 2 pieces to your stock, and your permission for Wales"
    data = of_scenario("britannia-4-5", players=4, posts={"conway/chester": "1m", "oxford/london": "1t 2t"},
                       offices={"london": "0t"})[0]  # fmt: skip
    found = costs(after(data))
    assert found["displace"] == "1 action, 1 piece for a trader, 2 for a merchant"
    assert found["displace > route conway/chester"] == "1 action, 2 pieces to your stock, and your permission for Wales"


def test_the_pawn_is_told_what_it_allows() -> None:
    """R8.1.2 to R8.1.4."""
    near = "Place, displace and claim are allowed only on routes beside the pawn's province."
    line = Line(Start.dealt(scenario.TWO_PAWN, 5))
    assert told(line)["story"] == ["You choose where the pawn begins.", near]
    for text in ("pawn P01", "ride"):
        line.play(text)
    assert told(line)["story"] == ["This action takes the pawn to any province, however far.", near]


def test_promo_markers_say_what_is_paid_and_taken() -> None:
    """R13.3, R13.5, R13.7."""
    line = Line(Start.of_position(promos.beginning()))
    line.play("trade-in")
    line.play(next(text for text in line.game.legal() if text.startswith("seat ")))
    assert told(line)["asked"] == "spend" and told(line)["story"][0].startswith("You gave your marker trade-in to seat ")
    story = after(promos.beginning(), "place trader belgard/danzig")["story"]
    assert story == ["You placed a piece beneath a block, so you pay a piece more."]
    assert after(sample("promos", "tribute"))["story"][0].endswith(", beside a tribute of yours.")
    posts = promos.beginning()["posts"] | {"lubeck/wismar": ["1t", None, None], "wismar/waren": ["2t", None, None]}
    stock = [list(pieces) for pieces in promos.beginning()["stock"]]
    for seat in (1, 2):
        stock[seat][0] -= 1
    data = promos.beginning(markers=[["move-three"], ["trade-in", "block"], []], posts=posts, stock=stock)
    assert after(data, "remove")["story"] == ["Take up to 3 of the other seats' pieces. Then put each on a free post."]
