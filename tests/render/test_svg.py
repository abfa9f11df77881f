"""The scene says what is so; the drawing keeps to its frame, and people of every eyesight tell its seats apart."""

from __future__ import annotations

import itertools
import re
import sys
from dataclasses import asdict
from xml.etree import ElementTree

import numpy as np
import pytest

from hansa_env import Game, HansaBatch, Ruleset
from hansa_env.boards import board_names, load_board
from hansa_env.extras import EXTRAS
from hansa_env.render.scene import scene_of
from hansa_env.render.scene_parts import Piece
from hansa_env.render.svg import THEMES, changes, draw, panel_svg, panels
from hansa_env.render.svg.places import HEIGHT, PLATE, WIDTH, Box, places_of, plate_width
from hansa_env.render.svg.shapes import PLAQUE
from hansa_env.render.svg.themes import PRIVILEGE_COLOURS, SEATS, colour
from tests.helpers import RULESETS, choose_eagerly, ruleset_id
from tests.rules.scenario import THREE, board

#: What colours become for those who lack one kind of cone, in linear RGB (Machado, Oliveira and Fernandes 2009, severity 1).
EYES = {
    "all cones": np.eye(3),
    "no long": np.array([[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]),
    "no middle": np.array([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]]),
    "no short": np.array([[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]]),
}


def linear(hexadecimal: str) -> np.ndarray:
    value = np.array([int(hexadecimal[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def lab(rgb: np.ndarray) -> np.ndarray:
    """CIE L*a*b* of a linear RGB colour."""
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x, y, z = (to_xyz @ rgb.clip(0, 1)) / (0.9505, 1, 1.089)
    f = [v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z)]
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def contrast(a: str, b: str) -> float:
    """WCAG's contrast of two colours."""
    one, other = sorted((linear(c) @ (0.2126, 0.7152, 0.0722) for c in (a, b)), reverse=True)
    return (one + 0.05) / (other + 0.05)


@pytest.mark.parametrize("eyes", EYES)
def test_seat_colours_differ_for_all_eyes(eyes: str) -> None:
    """By more than 30 of delta E (1976): two that touch are told apart at a glance from about 10."""
    seen = {owner: lab(EYES[eyes] @ linear(fill)) for owner, (fill, _) in SEATS.items()}
    pairs = [(a, b) for a, b in itertools.combinations(seen, 2) if b != "n" or a in "01"]  # neutral: two players
    apart = {(a, b): float(np.linalg.norm(seen[a] - seen[b])) for a, b in pairs}
    assert min(apart.values()) > 30, sorted(apart.items(), key=lambda item: item[1])[:3]


def test_what_is_written_can_be_read() -> None:
    for fill, ink in SEATS.values():
        assert contrast(fill, ink) >= 4.5, (fill, ink)
    for theme in THEMES:
        for ground in ("card", "page"):
            assert contrast(colour(theme, ground), colour(theme, "ink")) >= 7
            assert contrast(colour(theme, ground), colour(theme, "soft")) >= 4.5
        assert contrast(colour(theme, "land"), colour(theme, "ink")) >= 7
        assert contrast(colour(theme, "token"), colour(theme, "token-ink")) >= 4.5
    assert contrast(PRIVILEGE_COLOURS["pink"], PRIVILEGE_COLOURS["black"]) >= 4.5, "dots on spaces"


def test_a_panel_is_drawn_in_the_theme_that_is_asked_for() -> None:
    panel = panels(scene_of(Ruleset(3), Game(Ruleset(3)).state))["map"]
    for theme in THEMES:
        root = ElementTree.fromstring(panel_svg(panel, theme))
        assert root.attrib["class"] == f"hansa hansa-{theme}" and root.attrib["data-panel"] == "map"
    assert panel_svg(panel) == panel_svg(panel, "light")


@pytest.mark.parametrize("name", board_names())
def test_nothing_on_the_map_lies_on_another(name: str) -> None:
    ruleset = Ruleset(2, "first") if name == "base-2-3" else Ruleset(load_board(name).players[1], board=name)
    at = places_of(name, ruleset.two_players == "pawn")
    cities = ruleset.board_data.cities
    boxes = [(city.id, Box(*at.cities[city.id], plate_width(len(city.offices)), PLATE)) for city in cities]
    for route in ruleset.board_data.routes:
        sizes = [26 if kind == "merchant" else 18 for kind in route.post_types]
        boxes += [(f"{route.id} {i}", Box(*xy, z, z)) for i, (xy, z) in enumerate(zip(at.posts[route.id], sizes))]
        if route.permanent_marker:
            boxes.append((f"marker {route.id}", Box(*at.markers[route.id], *PLAQUE)))
    boxes += [("table", at.table), *((name, Box(*xy, 22, 22)) for name, xy in at.provinces.items())]
    boxes += [(f"guard {cities}", Box(*xy, 14, 18)) for cities, xy in at.guards.items()]
    for (a, one), (b, other) in itertools.combinations(boxes, 2):
        assert one.overlap(other) < 12, (a, b)
    for what, box in boxes:
        assert box.width / 2 <= box.x <= WIDTH - box.width / 2 and box.height / 2 <= box.y <= HEIGHT - box.height / 2, what


@pytest.mark.parametrize("name", ["east", "britannia-2-3", "britannia-4-5"])
def test_a_city_with_extra_offices_covers_no_permanent_marker(name: str) -> None:
    at, data = places_of(name, False), load_board(name)
    for route, extras in itertools.product(data.routes, (1, 2)):
        for city in data.cities if route.permanent_marker else ():
            width, (x, y) = plate_width(max(len(city.offices), 1), extras), at.cities[city.id]
            grown = Box(min(max(x, width / 2 + 4), WIDTH - width / 2 - 4), y, width, PLATE)
            assert not grown.overlap(Box(*at.markers[route.id], *PLAQUE)), (route.id, city.id, extras)


@pytest.mark.parametrize("ruleset", RULESETS, ids=ruleset_id)
def test_every_size_and_theme_is_whole_from_beginning_to_end(ruleset: Ruleset) -> None:
    batch, rng = HansaBatch(1, ruleset, seed=2, max_turns=30), np.random.default_rng(2)
    steps = 0
    while True:
        if steps % 60 == 0 or batch.ended[0]:
            last = [(0, f"place trader {ruleset.board_data.routes[0].id}", "act")]
            scene = scene_of(ruleset, batch.games[0], last, ["<&\"'>"] * ruleset.players)
            for width, theme in itertools.product((600, 1200), THEMES):
                root = ElementTree.fromstring(draw(scene, width, theme))
                assert int(root.attrib["width"]) == width and int(root.attrib["height"]) % 2 == 0
                texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
                assert {city.name for city in scene.cities} <= set(texts)
                sizes = [float(e.attrib.get("font-size", 14)) for e in root.iter("{http://www.w3.org/2000/svg}text")]
                assert min(sizes) >= 6.9
        if batch.ended[0]:
            break
        batch.step(choose_eagerly(batch, rng))
        steps += 1


def test_the_frame_of_a_city_lies_below_its_name() -> None:
    game = board(THREE, offices={"hannover": "0t"}, extras={"hannover": "0t"})
    scene = scene_of(game.ruleset, game.state, [(0, "city hannover")])
    assert scene.last[-1].things == ("city hannover",)
    drawn = draw(scene, 1200, "light")
    assert 0 < drawn.index('class="mark"') < drawn.index(">Hannover<")


def test_the_scene_of_a_known_position() -> None:
    game = board(
        THREE, posts={"stade/hamburg": "1t 1t 1t", "hamburg/lubeck": "0t 2t"}, offices={"stendal": "0t 2m", "goslar": "0t"},
        extras={"stendal": "2t 1t"}, markers={1: ["+3", "+3"]}, used={1: ["exchange"]}, plate={1: 2}, spaces={9: 2},
        abilities={1: {"bank": 3}, 2: {"book": 1}},
    )  # fmt: skip
    scene = scene_of(game.ruleset, game.state, names=["a", "b", "c"])
    routes = {route.id: route for route in scene.routes}
    cities = {city.id: city for city in scene.cities}
    assert routes["stade/hamburg"].holder == "1" and routes["hamburg/lubeck"].holder is None
    assert routes["hamburg/lubeck"].posts == (Piece("0", "trader"), Piece("2", "trader"), None)
    assert cities["stendal"].extras == (Piece("1", "trader"), Piece("2", "trader")), "a later extra office stands left"
    assert cities["stendal"].controller == "2" and cities["stade"].controller is None
    desk = scene.desks[1]
    assert (desk.markers, desk.used, desk.plate, desk.name) == ((("+3", 2),), desk.used, 2, "b")
    assert ("exchange", 1) in desk.used and desk.tracks[4].value == "all" and desk.tracks[0].value == "1"
    assert [space.owner for space in scene.spaces] == [None, None, "2", None]
    assert [list(desk.scores) for desk in scene.desks] == game.scores()


def test_provinces_are_told_by_name_and_their_guards_are_drawn() -> None:
    """R8.1.1: a guard separates Lüneburg and Braunschweig, where no route does."""
    drawn = draw(Game(Ruleset(2, "first"), seed=1).scene())
    guards = set(re.findall(r'data-thing="guard (\S+)"', drawn))
    assert guards == {"osnabruck/munster", "munster/dortmund", "luneburg/brunswick", "brunswick/goslar"}
    assert drawn.count('class="border"') == 4 and "<title>province 1, Hamburg–Lüneburg–Hannover–Bremen</title>" in drawn
    assert 'data-thing="guard' not in draw(Game(Ruleset(2, "second"), seed=1).scene())


def test_the_hidden_pile_is_in_no_scene() -> None:
    game = Game(Ruleset(4), seed=1)
    other = game.copy(reshuffle=7)
    assert game.state["pile"].tolist() != other.state["pile"].tolist()
    one, two = (scene_of(g.ruleset, g.state) for g in (game, other))
    assert asdict(one) == asdict(two) and draw(one) == draw(two)


def test_parts_that_did_not_change_are_not_drawn_anew() -> None:
    game = Game(Ruleset(3), seed=1)
    before = panels(game.scene())
    game.play("place trader stade/hamburg")
    after = panels(game.scene())
    changed = changes(before, after)
    assert ("map", "route stade/hamburg") in changed and ("map", "ground") not in changed
    assert {panel for panel, _ in changed} == {"map", "heading", "desk 0"}
    for (panel, part), inside in changed.items():
        before[panel].parts[part] = inside
    assert {name: panel.parts for name, panel in before.items()} == {name: panel.parts for name, panel in after.items()}


def test_a_notebook_shows_a_game() -> None:
    game = Game(Ruleset(3), seed=1)
    game.play("place trader stade/hamburg")
    svg = game._repr_svg_()
    assert svg.startswith("<svg") and "places a trader on Stade–Hamburg" in svg
    assert "Seat 1 (" not in svg
    assert Game.from_position(game.position())._repr_svg_().startswith("<svg")


def test_wrong_arguments() -> None:
    scene = Game(Ruleset(3)).scene()
    with pytest.raises(ValueError, match="theme is 'sepia'; expected one of light, dark"):
        draw(scene, theme="sepia")
    with pytest.raises(ValueError, match="width is 0; expected more than 0"):
        draw(scene, width=0)


def test_pixels() -> None:
    for module in EXTRAS["picture"]:
        pytest.importorskip(module, reason="needs the extra 'picture'")
    from hansa_env.render.picture import rgb_array

    game = Game(Ruleset(3), seed=1)
    pixels = rgb_array(game.scene(), 600, "dark")
    assert pixels.dtype == np.uint8 and pixels.shape[1:] == (600, 3)
    page = [int(colour("dark", "page")[i : i + 2], 16) for i in (1, 3, 5)]
    assert pixels[1, 1].tolist() == page
    game.play("place trader stade/hamburg")
    blue = [int(SEATS["0"][0][i : i + 2], 16) for i in (1, 3, 5)]
    x, y = places_of("base-2-3", False).posts["stade/hamburg"][0]
    after = rgb_array(game.scene(), 600, "dark")
    scale, top = 584 / WIDTH, 8 + 66 + 8
    assert after[round(top + (y - 6) * scale), round(8 + (x - 6.5) * scale)].tolist() == blue
    assert (pixels != after).any()


def test_without_the_extra_it_is_named_when_something_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not before: Stable-Baselines3's `make_vec_env` asks for pixels, and draws nothing."""
    from hansa_env.api.gymnasium import HansaTeutonicaEnv

    monkeypatch.setitem(sys.modules, "resvg_py", None)
    env = HansaTeutonicaEnv(players=3, render_mode="rgb_array")
    env.reset(seed=1)
    with pytest.raises(ModuleNotFoundError, match=re.escape("pip install 'hansa-env[picture]'")):
        env.render()


def test_an_end_by_prestige_names_that_of_the_board() -> None:
    """R7.1: miniatures end at 2, the boards of the box at 20."""
    assert all(load_board(name).scale.prestige_to_end == 20 for name in board_names() if not load_board(name).miniature)
    random = np.random.default_rng(3)
    for seed in range(60):
        game = Game(Ruleset(2, board="miniature-2"), seed)
        while not game.over:
            game.play(random.choice(game.legal()))
        scene = scene_of(game.ruleset, game.state)
        if game.reason == "prestige":
            assert scene.ending == "2 prestige were reached" and scene.ending in "".join(draw(scene))
            return
    pytest.fail("no game of sixty ended so")
