"""Every legal decision leads to elements that the drawing has."""

from __future__ import annotations

import re
from collections import Counter
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansa_env import Game, HansaBatch, Ruleset
from hansa_env.engine.action_space import DISPLACE, EXCHANGE, EXTRA, REMOVE, action_things, segments
from hansa_env.engine.questions import QUESTIONS, question_name
from hansa_env.engine.state import BOOK, MERCHANT
from hansa_env.render.scene import scene_of
from hansa_env.render.scene_parts import Scene
from hansa_env.render.svg import draw
from hansa_env.render.things import BUTTONS, posts_of, selector, things_after, things_of
from tests.helpers import RULESETS, choose, choose_eagerly
from tests.rules import scenario
from tests.rules.scenario import THREE, TWO_NEUTRAL, board

#: What concerns nothing on the board.
ON_BUTTONS = {"done", "displace", "move", "ride"}


def drawn_things(scene: Scene, **options) -> list[str]:
    return [e.attrib["data-thing"] for e in ElementTree.fromstring(draw(scene, **options)).iter() if "data-thing" in e.attrib]


def choose_verbs(batch: HansaBatch, rng: np.random.Generator) -> np.ndarray:
    """As `choose_eagerly`, but one time in four a verb that uses a marker or displaces, where there is one."""
    masks = batch.action_mask.copy()
    first = next(s.start for s in segments(batch.ruleset) if s.name == "verb")
    wanted = np.zeros_like(masks)
    for verb in (DISPLACE, EXCHANGE, REMOVE, EXTRA):
        wanted[:, first + verb] = masks[:, first + verb]
    chosen = choose(wanted, rng)
    others = choose_at_sea(batch, rng) if batch.ruleset.board_data.maritime else choose_eagerly(batch, rng)
    return np.where(wanted.any(1) & (rng.random(len(masks)) < 0.25), chosen, others)


def choose_at_sea(batch: HansaBatch, rng: np.random.Generator) -> np.ndarray:
    """As `choose_eagerly`, but mostly on a maritime route, of each seat another, where there is a decision of one."""
    sea, things = [route.id for route in batch.ruleset.board_data.routes if route.ships], action_things(batch.ruleset)
    of_sea = np.array([[route in thing for thing in things] for route in sea])
    wanted = batch.action_mask & of_sea[(batch.games["seat"] + np.arange(len(batch.games))) % len(sea)]
    return np.where(wanted.any(1) & (rng.random(len(wanted)) < 0.8), choose(wanted, rng), choose_eagerly(batch, rng))


def with_all_merchants(batch: HansaBatch) -> HansaBatch:
    """On a board with ships, every seat has developed book, so that it can claim what is held by ships."""
    if batch.ruleset.board_data.maritime:
        batch.games["abilities"][:, : batch.ruleset.players, BOOK] = 3
        batch.games["supply"][:, : batch.ruleset.players, MERCHANT] += 3
    return batch


def check(scene: Scene) -> None:
    """Each thing is drawn once, each decision has some, and a decision about pieces names posts where they are."""
    drawn = drawn_things(scene)
    assert len(drawn) == len(set(drawn))
    posts = {f"post {route.id} {i}": piece for route in scene.routes for i, piece in enumerate(route.posts, 1)}
    for text in scene.legal:
        things = things_of(scene, text)
        assert things and set(things) <= set(drawn), (scene.asked, text, things)
        assert (things == (BUTTONS,)) == (text in ON_BUTTONS), (scene.asked, text, things)
        held = [posts[name] for name in things if name in posts]
        if text.startswith(("place", "put")):
            assert held == [None] * len(things)
        if text.startswith("lift"):
            assert {(piece.owner, piece.kind) for piece in held} == {(str(scene.seat), text.split()[1])}
        if scene.asked == "victim":
            assert {piece.owner + piece.kind[0] for piece in held} == {text}


@pytest.mark.slow
def test_every_question_of_random_games_has_its_elements() -> None:
    """Of all rulesets; each question is looked at up to eight times in each."""
    ever: set[str] = set()
    for ruleset in RULESETS:
        batch, rng = with_all_merchants(HansaBatch(6, ruleset, seed=5, max_turns=60)), np.random.default_rng(5)
        asked: Counter[str] = Counter()
        while not batch.ended.all():
            for game in batch.games:
                question = question_name(int(game["asked"]))
                asked[question] += 1
                if asked[question] <= 8:
                    check(scene_of(ruleset, game))
            batch.step(choose_verbs(batch, rng))
        ever |= set(asked)
    rare = {"exchange", "pair", "extra", "trade-in", "spend", "token", "tribute", "tithe"}  # below; test_promos, test_favours
    assert ever | rare == {question.name for question in QUESTIONS} | {"over"}


def test_questions_that_random_games_seldom_come_to_have_their_elements() -> None:
    two = {"minden": "0t 1t 2t", "stendal": "1t 0m"}
    game = board(THREE, offices=two, markers={0: ["exchange"]}, route_markers={})
    for text in ("exchange", "city minden"):
        check(scene_of(game.ruleset, game.state))
        game.play(text)
    scene = scene_of(game.ruleset, game.state)
    check(scene)
    assert things_of(scene, "pair 2") == ("office minden 2", "office minden 3")
    offices = {"arnheim": "1t", "munster": "1m 2t"}
    game = board(THREE, posts={"arnheim/munster": "0t 0t 0m"}, offices=offices, markers={0: ["extra-office"]}, route_markers={})
    for text in ("claim arnheim/munster", "extra", "city munster"):
        check(scene_of(game.ruleset, game.state))
        game.play(text)
    scene = scene_of(game.ruleset, game.state)
    check(scene)
    assert scene.asked == "with" and things_of(scene, "merchant") == ("post arnheim/munster 1",)


@settings(max_examples=25)
@given(st.sampled_from(RULESETS), st.integers(0, 2**32), st.integers(0, 150))
def test_it_holds_wherever_random_play_leads(ruleset: Ruleset, seed: int, steps: int) -> None:
    batch, rng = HansaBatch(1, ruleset, seed=seed), np.random.default_rng(seed)
    for _ in range(steps):
        if batch.ended[0]:
            break
        batch.step(choose_eagerly(batch, rng))
    check(scene_of(ruleset, batch.games[0]))


def test_what_was_decided_last_is_where_it_stands_now() -> None:
    game = Game(Ruleset(3), seed=1)
    game.play("place trader stade/hamburg")
    scene = scene_of(game.ruleset, game.state, [(0, "place trader stade/hamburg", "act")])
    assert scene.last[0].things == things_after(scene, 0, "place trader stade/hamburg") == ("post stade/hamburg 1",)
    assert scene.last[0].words == "places a trader on Stade–Hamburg"


def test_a_neutral_trader_that_was_put_down_is_not_taken_for_an_own_one() -> None:
    """R8.2.2: seat 1 puts two of them down. Once nothing tells whose the last one is, its route stands for it."""
    posts = {"emden/osnabruck": "nt", "kampen/osnabruck": "1t", "bremen/osnabruck": "1t"}
    game = Game.from_position(scenario.position(TWO_NEUTRAL, posts=posts, supply={0: (4, 0)}))
    game.play("displace")
    game.play("route emden/osnabruck")
    game.play("put trader kampen/osnabruck")
    assert highlighted(game) == {"kampen/osnabruck": "n"}
    game.play("put trader bremen/osnabruck")
    assert game.asked == "act" and highlighted(game) == {"bremen/osnabruck": None}


def test_an_own_trader_that_was_put_down_where_no_neutral_one_stands_is_it() -> None:
    game = Game.from_position(scenario.position(TWO_NEUTRAL, posts={"emden/osnabruck": "1t"}, supply={0: (4, 0)}))
    game.play("displace")
    game.play("put trader kampen/osnabruck")
    assert highlighted(game) == {"kampen/osnabruck": "1"}


def highlighted(game: Game) -> dict[str, str | None]:
    """The route of what was put down last, with the owner of the piece that stands for it, or None where it is the route."""
    scene = game.scene()
    (thing,) = scene.last[-1].things
    kind, route = thing.split(" ")[:2]
    piece = dict(posts_of(scene, route))[thing] if kind == "post" else None
    assert kind == "route" or piece is not None
    return {route: piece and piece.owner}


def test_selectors_are_of_the_attribute_that_is_drawn() -> None:
    assert selector("post stade/hamburg 2") == '[data-thing="post stade/hamburg 2"]'
    assert re.fullmatch(r'\[data-thing="[\w /+-]+"\]', selector("marker 0 +3"))
