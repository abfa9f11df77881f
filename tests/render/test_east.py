"""Ships, green cities and permanent markers: where they are in the scene, in the drawing, in the text, and in words."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

import pytest

from hansa_env.render.choices import choices_of
from hansa_env.render.scene_parts import City, Office, Piece, Route, Scene
from hansa_env.render.svg import THEMES, draw
from hansa_env.render.text import render_text
from hansa_env.render.things import things_of
from hansa_env.render.words import asked_to, decision_in_words, name_in_words, permanent_marker_in_words
from tests.east import EAST, TO_FETCH, TO_GREEN, played


def route(scene: Scene, name: str) -> Route:
    return next(route for route in scene.routes if route.id == name)


def city(scene: Scene, name: str) -> City:
    return next(city for city in scene.cities if city.id == name)


def drawn(scene: Scene, thing: str) -> ElementTree.Element:
    root = ElementTree.fromstring(draw(scene))
    return next(element for element in root.iter() if element.attrib.get("data-thing") == thing)


def left_of(element: ElementTree.Element) -> float:
    """Where the first shape of an element begins."""
    return next(float(shape.attrib["x"]) for shape in element.iter() if "x" in shape.attrib)


def test_posts_of_a_maritime_route_stand_as_they_are_printed() -> None:
    scene = played(["place trader malmo/danzig", "place merchant malmo/danzig:ship", "place trader malmo/visby"]).scene()
    danzig, visby = route(scene, "malmo/danzig"), route(scene, "malmo/visby")
    assert danzig.ships == (True, False, False, False) and visby.ships == (False, True, False)
    assert danzig.posts == (Piece("0", "merchant"), Piece("0", "trader"), None, None)
    assert visby.posts == (Piece("1", "trader"), None, None)
    assert things_of(scene, "place merchant malmo/danzig") == ("post malmo/danzig 3", "post malmo/danzig 4")
    assert things_of(scene, "place merchant malmo/visby:ship") == ("post malmo/visby 2",)
    assert scene.last[1].words == "places a merchant on the ship of Malmö–Danzig"
    assert scene.last[1].things == ("post malmo/danzig 1",)


@pytest.mark.parametrize("theme", THEMES)
def test_ships_green_cities_and_permanent_markers_are_drawn_and_told(theme: str) -> None:
    svg = draw(played([]).scene(), theme=theme)
    root = ElementTree.fromstring(svg)
    classes = [element.attrib.get("class") for element in root.iter()]
    assert classes.count("hull") == 6 and classes.count("plaque") == 4 and classes.count("place") == 3
    titles = [element.text for element in root.iter("{http://www.w3.org/2000/svg}title")]
    for kind in {route.permanent_marker for route in EAST.board_data.routes} - {None}:
        assert titles.count(permanent_marker_in_words(kind, several_countries=False)) == 1
    assert titles.count("ship: for a merchant") == 6


def test_pieces_of_anybody_are_taken_up_and_put_down() -> None:
    game = played(TO_FETCH)
    scene = game.scene()
    assert scene.question == "take up anybody's piece, or stop" and scene.action.permanent_marker == "move-two"
    assert things_of(scene, "route lubeck/wismar") == ("route lubeck/wismar",)
    assert things_of(scene, "route malmo/danzig") == ("post malmo/danzig 2",), "its house posts that are held"
    used = [e.attrib.get("class") for e in drawn(scene, "permanent-marker wismar/stralsund").iter()]
    assert "plaque used" in used and draw(scene).count("plaque used") == 1
    game.play("route lubeck/wismar")
    scene = game.scene()
    assert scene.question == "choose the piece to take up"
    assert things_of(scene, "1m") == ("post lubeck/wismar 1",)
    game.play("1m")
    assert game.scene().last[-1].words == "takes up from Lübeck–Wismar the merchant of seat 1"
    game.play("route malmo/danzig")
    scene = game.scene()
    assert scene.question == "put down the merchant of seat 1" and scene.hand == ("merchant", "trader")
    assert things_of(scene, "put merchant malmo/danzig:ship") == ("post malmo/danzig 1",)
    game.play("put merchant malmo/danzig:ship")
    scene = game.scene()
    assert scene.question == "put down the trader of seat 1"
    assert scene.last[-1].words == "puts the merchant on the ship of Malmö–Danzig"
    assert scene.last[-1].things == ("route malmo/danzig",)


def test_the_row_of_a_green_city_grows_at_both_ends() -> None:
    game = played([*TO_GREEN, "done"])
    assert game.scene().question == "choose the green city of an office"
    assert things_of(game.scene(), "city dresden") == ("city dresden",)
    game.play("city dresden")  # the one kind that there is in the supply follows by itself
    scene = game.scene()
    placed = Office("square", "", 0, Piece("1", "trader"))
    dresden = city(scene, "dresden")
    assert dresden.green and dresden.offices == (placed,) and dresden.controller == "1"
    assert scene.last[-1].words == "puts an office into Dresden"
    extra = replace(dresden, extras=(Piece("0", "trader"),), offices=(placed, placed))
    grown = replace(scene, cities=tuple(extra if one.id == "dresden" else one for one in scene.cities))
    places = [left_of(drawn(grown, name)) for name in ("extra dresden 1", "office dresden 1", "office dresden 2")]
    assert places == sorted(places) and len(set(places)) == 3
    line = next(line for line in render_text(EAST, game.state).splitlines() if "Dresden" in line)
    assert line.split("Dresden")[1].split() == ["keys", "green", "1t", "=1"]


def test_the_text_has_ships_and_permanent_markers() -> None:
    game = played(["place trader malmo/danzig", "place merchant malmo/danzig:ship"])
    text = render_text(EAST, game.state)
    lines = {line.split()[0]: line for line in text.splitlines()}
    assert lines["malmo/danzig"].split()[:5] == ["malmo/danzig", "0t", ".", ".", "~0m"]
    assert lines["wismar/stralsund"].split()[:4] == ["wismar/stralsund", ".", "~", "~"]
    assert "Königsberg table 7w:-" in text and "malmo/danzig place-two-from-route" in text and "~ free ship post" in text


def test_words() -> None:
    assert name_in_words(EAST, "malmo/danzig:ship") == "the ship of Malmö–Danzig"
    assert name_in_words(EAST, "wismar/stralsund:ship") == "a ship of Wismar–Stralsund"
    assert decision_in_words(EAST, "with", "trader") == "with a trader"
    rows = (("with", "permanent"), ("victim", "permanent"), ("victim", "remove"), ("victim", "displace"))
    asked = {(name, verb): asked_to({"asked": name, "action": {"verb": verb}, "hand": [], "legal": []}) for name, verb in rows}
    assert asked["with", "permanent"] == "choose the piece that becomes the office"
    assert asked["victim", "permanent"] != asked["victim", "remove"] != asked["victim", "displace"]
    orders = {choice.text: choice.order for choice in choices_of(EAST, played(TO_FETCH).state)}
    assert orders["done"] == "take up no more" and orders["route malmo/danzig"] == "take up from Malmö–Danzig"
    green = played([*TO_GREEN, "done"])
    orders = {choice.text: choice.order for choice in choices_of(EAST, green.state)}
    assert orders["done"] == "leave the permanent marker unused" and orders["city waren"] == "put an office into Waren"
