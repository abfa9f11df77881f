"""Countries, banners and permissions: in the scene, in the drawing, in the text, and in words."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from hansa_env import Game, Ruleset
from hansa_env.render.scene_parts import Scene
from hansa_env.render.svg import THEMES, draw
from hansa_env.render.svg.shapes import LETTER
from hansa_env.render.text import render_text
from hansa_env.render.things import things_of
from hansa_env.render.words import decision_in_words
from tests.scenarios.positions import position

BRITANNIA = Ruleset(4, board="britannia-4-5")
TO_CALAIS = {"posts": {"southampton/calais": "0t", "southampton/calais:ship": "0m 0m"}, "abilities": {0: {"book": 1}}}


def played(*decisions: str, **given) -> Game:
    game = Game.from_position(position("britannia-4-5", players=4, **given)[0])
    for text in decisions:
        game.play(text)
    return game


def titles(scene: Scene) -> list[str]:
    return [element.text for element in ElementTree.fromstring(draw(scene)).iter("{http://www.w3.org/2000/svg}title")]


@pytest.mark.parametrize("theme", THEMES)
def test_routes_abroad_and_banners_are_drawn_in_their_colours(theme: str) -> None:
    """R10.3, R10.5, R10.17: on the large side 6 routes of Scotland, 7 of Wales, with a casing and a road each."""
    game = Game(BRITANNIA, seed=1)
    root = ElementTree.fromstring(draw(game.scene(), theme=theme))
    classes = [element.attrib.get("class", "") for element in root.iter()]
    for number, region in enumerate(BRITANNIA.board_data.regions, 1):
        own = sum(route.country == region.id for route in BRITANNIA.board_data.routes)
        roads = [name for name in classes if name.startswith(("road", "casing")) and name.endswith(f"abroad{number}")]
        assert len(roads) == 2 * own == {"wales": 14, "scotland": 12}[region.id]
        flags, legend = 2, 1
        assert classes.count(f"banner abroad{number}") == len(region.cities) + flags + legend


def test_what_countries_are_about_is_told() -> None:
    told = titles(Game(BRITANNIA, seed=1).scene())
    assert "Hereford–Montgomery, in Wales" in told and "Carlisle–Chester, in England" in told
    assert sum("whoever owns them, and put each on a free post of its country" in title for title in told) == 1, "R10.12"
    assert "Isle of Man, counts for Wales and Scotland" in told and "Hereford" in told
    assert "London (privilege); its rightmost office permits to place in Wales or Scotland" in told


def test_a_used_permission_is_seen() -> None:
    game = played("place trader conway/chester", offices={"london": "0t"})
    scene = game.scene()
    assert scene.permissions == ("london",) and "used: London" in draw(scene) and draw(scene).count('"flag spent"') == 1
    assert "used: london" in render_text(BRITANNIA, game.state)
    assert "used: London" not in draw(Game(BRITANNIA, seed=1).scene())


def test_pieces_are_sent_abroad() -> None:
    game = played("claim southampton/calais", "done", **TO_CALAIS)
    scene = game.scene()
    assert scene.question == "send a piece abroad, or stop" and scene.action.permanent_marker == "place-two-abroad"
    ships = ("post isle-of-man/conway 2", "post isle-of-man/conway 3")
    assert things_of(scene, "put merchant isle-of-man/conway:ship") == ships
    game.play("put merchant conway/chester")
    assert game.scene().last[-1].things == ("post conway/chester 1",)
    assert decision_in_words(BRITANNIA, "send", "put merchant conway/chester") == "sends a merchant to Conway–Chester"


def test_the_text_says_what_belongs_to_a_country() -> None:
    posts = {"conway/chester": "0t", "oxford/london": "0t"}
    game = played("move", "lift trader conway/chester", "lift trader oxford/london", posts=posts)
    text = render_text(BRITANNIA, game.state)
    lines = {line.split("  ")[0]: line for line in text.splitlines()}
    assert lines["hereford/montgomery"][:50].split() == ["hereford/montgomery", ".", ".", ".", "W"]
    assert lines["Isle of Man"][:50].split()[-2:] == ["W", "S"]
    assert "abroad wales 1t 0m scotland 0t 0m" in text and "W = wales, permitted by cardiff/london" in text


def test_the_heads_of_points_do_not_touch_in_a_narrow_drawing() -> None:
    svg = ElementTree.fromstring(draw(Game(Ruleset(3, board="britannia-2-3")).scene(), 600))
    heads = svg.find(".//*[@data-part='heads']")
    assert heads is not None
    placed = [(float(head.get("x", 0)), len(head.text or "")) for head in heads.iter("{http://www.w3.org/2000/svg}text")]
    assert len(placed) == 8, "more than the base game has"
    for (before, _), (end, letters) in zip(placed, placed[1:]):
        assert before < end - letters * 10.5 * LETTER, "the head of a column begins where the one before ends"
