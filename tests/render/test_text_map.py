"""The map for terminals shows every city, every piece and every free post, in the colours of their owners."""

from __future__ import annotations

import re
from random import Random

import pytest

from hansa_env import Game, Ruleset
from hansa_env.render.choices import choices_of, kinds_as_text
from hansa_env.render.text_map import LEAST_WIDTH, LEGEND, map_as_text
from tests.helpers import RULESETS, ruleset_id


def played(ruleset: Ruleset, decisions: int = 60) -> Game:
    game, random = Game(ruleset, seed=2), Random(2)
    while len(game.decisions) < decisions and not game.over:
        game.play(random.choice(game.legal()))
    return game


@pytest.mark.parametrize("ruleset", RULESETS, ids=ruleset_id)
@pytest.mark.parametrize("width", [LEAST_WIDTH, 140])
def test_every_city_and_post_is_on_the_map(ruleset: Ruleset, width: int) -> None:
    scene = played(ruleset).scene(0)
    shown_map = map_as_text(scene, width)
    assert max(map(len, shown_map.splitlines())) <= width
    drawn, legend, below = shown_map.partition(LEGEND.partition(",")[0])
    assert legend and all(route.marker in below for route in scene.routes if route.marker)
    shown = sum(drawn.count(city.name[:12]) >= 1 for city in scene.cities)
    assert shown >= len(scene.cities) - 2, "at most a pair of neighbours hides each other's letters"
    posts = sum(len(route.posts) for route in scene.routes)
    assert sum(drawn.count(letter) for letter in "·~01234⓪①②③④nⓝ") >= posts


def test_pieces_have_the_colours_of_their_seats_where_they_are_wanted() -> None:
    game = Game(Ruleset(3), seed=2)
    game.play("place trader stade/hamburg")
    assert "\x1b[48;5;27;38;5;15m0\x1b[0m" in map_as_text(game.scene(0), 120, colours=True)
    assert "\x1b" not in map_as_text(game.scene(0), 120)
    with pytest.raises(ValueError, match="at least 90 columns"):
        map_as_text(game.scene(0), 80)


def test_kinds_of_decisions_name_the_numbers_of_the_list() -> None:
    game = played(Ruleset(3), 0)
    choices = choices_of(game.ruleset, game.state)
    lines = kinds_as_text(choices).splitlines()
    assert len(lines) < 8 < len(choices)
    named: list[int] = []
    for line in lines:
        numbers = re.match(r"\s*(\d+)(?:-(\d+))?  \S", line)
        assert numbers
        named += range(int(numbers[1]), int(numbers[2] or numbers[1]) + 1)
    assert named == [choice.number for choice in choices]
