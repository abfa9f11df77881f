"""The page of `hansa view`, opened from disk in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hansa_env import Game, Ruleset
from hansa_env.pages.story import story_of
from hansa_env.pages.view import view_page
from hansa_env.render.svg.themes import colour
from tests.pages.games import a_game, with_estimates

DECISIONS = 120


@pytest.fixture(scope="module")
def game() -> Game:
    return with_estimates(a_game(Ruleset(3), DECISIONS, 1, ["Ada", "Bo", "Cy"]))


@pytest.fixture(scope="module")
def address(game: Game, tmp_path_factory: pytest.TempPathFactory) -> str:
    path: Path = tmp_path_factory.mktemp("view") / "page.html"
    path.write_text(view_page([story_of(game, "one"), story_of(a_game(Ruleset(2, "first"), 20, 2), "two")]), "utf-8")
    return path.as_uri()


@pytest.fixture
def page(browser: Any, address: str) -> Iterator[Any]:
    """The page without a network; whatever goes wrong on it fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, offline=True)
    page, wrong = context.new_page(), []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.goto(address)
    yield page
    assert not wrong, wrong
    context.close()


def where(page: Any) -> int:
    return int(page.inner_text("#where").split()[1])


def test_every_way_through_a_game(page: Any, game: Game) -> None:
    moves = game.moves()
    assert where(page) == 0
    page.keyboard.press("ArrowRight")
    assert where(page) == 1
    page.click('[data-go="forward"]')
    page.keyboard.press("ArrowLeft")
    assert where(page) == 1
    page.keyboard.press("PageDown")
    turn = next(i for i, move in enumerate(moves) if move.turn != moves[0].turn)
    assert where(page) == turn
    page.click('[data-go="turn-on"]')
    page.click('[data-go="turn-back"]')
    assert where(page) == turn
    page.keyboard.press("End")
    assert where(page) == DECISIONS
    page.click('[data-go="first"]')
    assert where(page) == 0
    page.click('#list [data-step="50"]')
    assert where(page) == 50 and page.locator("#list [aria-current]").get_attribute("data-step") == "50"
    assert page.locator("#charts svg").first.locator("title").all_text_contents()[0] == "track"
    box = page.locator("#charts svg").first.bounding_box()
    page.locator("#charts svg").first.click(position={"x": box["width"] - 6, "y": 40})
    assert where(page) >= DECISIONS - 3
    page.select_option("#speed", "300")
    page.click('[data-go="first"]')
    page.click("#play")
    page.wait_for_function("() => Number(document.getElementById('slider').value) >= 3")
    page.click("#play")
    assert page.inner_text("#play") == "Play"


def test_the_board_is_that_of_the_step(page: Any, game: Game) -> None:
    """Forward, backward and by jumps, what is drawn is the position."""
    for step in (0, 60, 61, 7, DECISIONS):
        page.evaluate(f"show({step})")
        position = game.rewound(step).position()
        for route, posts in position["posts"].items():
            drawn = page.locator(f'[data-thing="route {route}"] .piece').count()
            assert drawn == sum(piece is not None for piece in posts), (step, route)
        assert f"pile {position['pile']}" in page.locator('[data-panel="heading"]').text_content()


@pytest.mark.slow
def test_estimates_mark_the_board_while_the_pointer_is_on_them(page: Any) -> None:
    assert "Ada was to decide; ppo expected 40 % of the win" in page.inner_text("#thought")
    assert "(played)" in page.inner_text(".choice.played")
    page.hover(".choice.played")
    assert page.locator(".hint").count() >= 1
    page.hover("h1")
    assert page.locator(".hint").count() == 0
    page.keyboard.press("ArrowRight")
    assert "no estimate was kept" in page.inner_text("#thought")


@pytest.mark.slow
def test_another_game_and_the_address(page: Any, address: str) -> None:
    page.select_option("#game", "1")
    assert "2 players" in page.inner_text("#about") and page.locator("#thoughts").is_hidden()
    page.goto("about:blank")
    page.goto(f"{address}#2/5")
    assert where(page) == 5 and "2 players" in page.inner_text("#about")
    page.goto("about:blank")
    page.goto(f"{address}#9/999")
    assert where(page) == 20


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 800, 1280])
def test_it_fits_any_width_in_both_themes(page: Any, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    drawn = page.locator("#map svg").bounding_box()
    assert drawn["x"] >= 0 and drawn["x"] + drawn["width"] <= width, "the whole map is seen"
    assert "edition, board base-" in page.inner_text("#about")
    before = page.evaluate("document.documentElement.dataset.theme")
    page.click("#theme")
    after = page.evaluate("document.documentElement.dataset.theme")
    assert {before, after} == {"light", "dark"}
    assert page.locator(f"svg.hansa-{after}").count() == page.locator("svg.hansa").count()
    red, green, blue = (int(colour(after, "page")[i : i + 2], 16) for i in (1, 3, 5))
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == f"rgb({red}, {green}, {blue})"


def test_it_has_the_fonts_and_the_chart_of_the_tables_page(page: Any) -> None:
    assert page.evaluate("document.fonts.ready.then(fonts => [...fonts].map(font => font.status))") == ["loaded"] * 2
    key = page.locator(".key")
    assert [words.split()[:2] for words in key.locator("span:not(.chip)").all_inner_texts()] == [
        ["0", "Ada"],
        ["1", "Bo"],
        ["2", "Cy"],
    ]
    shares = [int(text.rstrip(" %")) for text in key.locator("b").all_inner_texts()]
    assert sum(shares) == 100 and page.locator("#win-chart polyline.line").count() == 3
