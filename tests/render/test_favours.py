"""Favours and mission cards: where they are in the scene and the drawing, and the decisions about them in words."""

from __future__ import annotations

from functools import cache
from xml.etree import ElementTree

import pytest

from hansa_env import Game, Ruleset
from hansa_env.formats.missions import NOBODY
from hansa_env.render.scene import scene_of
from hansa_env.render.scene_parts import Scene
from hansa_env.render.svg import draw
from hansa_env.render.things import things_of
from hansa_env.render.words import decision_as_order, decision_in_words, favour_in_words
from hansa_env.ruleset import FAVOURS
from tests.formats.samples import sample

BOTH = Ruleset(3, missions=True, favours=True)


@cache
def names_in(scene: Scene, width: int) -> set[str]:
    """What can be clicked."""
    return {e.attrib["data-thing"] for e in ElementTree.fromstring(draw(scene, width)).iter() if "data-thing" in e.attrib}


@pytest.mark.parametrize("question", ["act", "spend", "tithe"])
@pytest.mark.parametrize("width", [1200, 600])
def test_what_is_decided_about_is_drawn(question: str, width: int) -> None:
    scene = Game.from_position(sample("favours", question)).scene()
    names = names_in(scene, width)
    for text in scene.legal:
        things = things_of(scene, text)
        assert things and set(things) <= names | {"buttons"}, text
    assert {f"favour {tile}" for tile in scene.favours} <= names
    assert {f"favour {desk.seat} {tile}" for desk in scene.desks for tile in desk.favours} <= names
    assert [f"mission {desk.seat}" in names for desk in scene.desks] == [desk.seat == scene.seat for desk in scene.desks]


def test_the_cities_of_the_own_card_are_marked() -> None:
    game = Game(BOTH, seed=2)
    scene = game.scene()
    assert {city.id for city in scene.cities if city.mission} == set(game.setup["missions"][0])
    assert draw(scene).count(", on the mission card</title>") == 3
    hidden = scene_of(BOTH, game.state, viewer=NOBODY)
    assert not any(city.mission for city in hidden.cities)
    assert not any(name.startswith("mission") for name in names_in(hidden, 1200))


def test_decisions_in_words() -> None:
    assert decision_in_words(BOTH, "act", "favour tithe") == "buys the favour tithe"
    assert decision_as_order(BOTH, "spend", "+3") == decision_in_words(BOTH, "spend", "+3") == "for +3"
    assert decision_as_order(BOTH, "tithe", "merchant") == "take a merchant for it"
    assert favour_in_words("anywhere", True).endswith("any routes of that country or England, that of the displacement too"), (
        "R10.11"
    )
    assert {favour_in_words(tile, False).split(":")[0] for tile in FAVOURS} == {f"favour {tile}" for tile in FAVOURS}
