"""What the page does for those who learn, and by keys alone, in a real browser."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from hansa_agents.arena import play_game
from hansa_env import Game, Ruleset
from hansa_env.table.asking import begun_at
from hansa_env.table.game_history import Line
from hansa_env.table.start import Start
from tests import promos
from tests.rules import scenario
from tests.table.opinion import JUDGE
from tests.table.serving import GREEDY, HERE, OPINION, Server
from tests.table.test_browser import A_SCREEN, number, play_to_the_end, wait_until_past
from tests.table.test_browser_at_a_table import LOADED_WITHIN
from tests.table.test_take_back import SEED, up_to_a_marker

if TYPE_CHECKING:
    from playwright import sync_api as api

PHONE = {"width": 390, "height": 844}
SIZES = (PHONE, {"width": 768, "height": 1024}, A_SCREEN, {"width": 1700, "height": 1000})
#: The least that a finger hits, in pixels.
TARGET = 44
BEA = {"kind": "here", "name": "Bea"}
CY = {"kind": "here", "name": "Cy"}


def deal(server: Server, *texts: str, seats: tuple[dict, ...] = (HERE, BEA, CY)) -> str:
    """A game in which this was decided."""
    game = server.deal(*seats, seed=5)
    with server.sit(game) as host:
        host.hear("welcome")
        for seq, text in enumerate(texts):
            host.say(type="decide", seq=seq, texts=[text])
            host.hear("event")
    return game


def open_game(page: api.Page, server: Server, game: str) -> None:
    page.goto(f"http://{server.address}/game/{game}")
    page.wait_for_selector("body[data-number]")


def ended(players: int, **options: object) -> dict:
    """A record of a game that was cut off and scored, played anyhow."""
    game, random = Game(Ruleset(players, **options), seed=3, max_turns=30), Random(3)
    while not game.over:
        legal = game.legal()
        game.play(random.choice([text for text in legal if text.startswith(("claim", "office"))] or legal))
    return game.record()


def test_the_strip_shows_how_far_the_game_is(page: api.Page, server: Server) -> None:
    open_game(page, server, deal(server))
    facts = page.locator(".facts").inner_text().split()
    assert facts == ["Round", "1", "Pile", "13", "Cities", "0", "of", "10", "Prestige", "0", "of", "20"]
    assert page.locator(".marker-worth li b").all_inner_texts() == ["1", "3", "6", "10", "15", "21"]


def test_the_question_tells_the_story_and_is_called_off(page: api.Page, server: Server) -> None:
    open_game(page, server, deal(server, "place trader stade/hamburg", "place merchant stade/hamburg", "displace", "0m"))
    page.wait_for_selector(".question.mine")
    assert "You displace the merchant of Ann from Stade–Hamburg" in page.locator(".story").inner_text()
    labels = page.locator(".question .answer").all_inner_texts()
    assert labels[0].startswith("With a trader") and "from your supply" in labels[0], "a trader first, with what it costs"
    page.click("#cancel")
    page.wait_for_selector("body[data-number='2']")
    assert "choose an action" in page.locator(".question h2").inner_text().lower()
    assert not page.locator("#cancel").count(), "nothing is under way"


@pytest.mark.slow
def test_what_can_be_clicked_is_marked_before_one_asks(page: api.Page, server: Server) -> None:
    open_game(page, server, deal(server))
    page.wait_for_selector(".question.mine")
    post = page.locator('[data-thing="post stade/hamburg 1"]')
    stroke = "part => getComputedStyle(part.querySelector('.post')).stroke"
    marked, mark = post.evaluate(stroke), page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--mark')")
    assert mark.strip() and page.locator(".map .can").count() > 90
    page.keyboard.press("ArrowRight")
    post.locator(".post").click()
    assert page.locator(".menu button").first.inner_text().startswith("Place a trader on Stade–Hamburg\n1 action")
    page.locator(".menu button").first.click()
    wait_until_past(page, 0)
    taken = page.locator('[data-thing="city stade"] .space').first.evaluate("part => getComputedStyle(part).stroke")
    assert marked != taken, "what cannot be clicked looks otherwise"


def test_routes_that_can_be_clicked_are_marked(page: api.Page, server: Server) -> None:
    open_game(page, server, deal(server, "place trader stade/hamburg", "place trader bremen/minden", "displace"))
    page.wait_for_selector(".question.mine")
    mark = page.evaluate("getComputedStyle(document.querySelector('.question')).borderLeftColor")
    strokes = "parts => [...new Set(parts.map(part => getComputedStyle(part).stroke))]"
    for theirs in ("stade/hamburg", "bremen/minden"):
        post = page.locator(f'[data-thing="post {theirs} 1"]')
        assert post.locator(".piece, .hit").evaluate_all(strokes) == [mark]
    other = page.locator('[data-thing="route gottingen/quedlinburg"] .post, [data-thing="route gottingen/quedlinburg"] .hit')
    assert mark not in other.evaluate_all(strokes)


@pytest.mark.slow
def test_a_post_that_a_grown_city_lies_over_is_still_clicked(page: api.Page, server: Server) -> None:
    position = scenario.position(Ruleset(3), turn=0, actions=2, extras={"arnheim": "0t 0t 1t"}, offices={"arnheim": "0t"})
    open_game(page, server, server.ask("/api/records", position).json()["id"])
    page.wait_for_selector(".question.mine")
    post = page.locator('[data-thing="post arnheim/munster 1"] .hit').bounding_box()
    where = [post["x"] + post["width"] / 2, post["y"] + post["height"] / 2]
    top = page.evaluate("([x, y]) => document.elementFromPoint(x, y).closest('[data-thing]').dataset.thing", where)
    assert top.split(" ")[1] == "arnheim", "the city lies over the post"
    page.mouse.click(*where)
    page.wait_for_selector(".menu button:has-text('Place a trader on Arnheim–Münster')")


@pytest.mark.slow
def test_who_has_nothing_to_place_is_told_what_to_do(page: api.Page, server: Server) -> None:
    position = scenario.position(Ruleset(3), turn=0, actions=2, supply={0: (0, 0)})
    open_game(page, server, server.ask("/api/records", position).json()["id"])
    page.wait_for_selector(".question.mine .ways:has-text('Your supply is empty. Take income')")


@pytest.mark.slow
def test_since_your_turn_is_told_by_action_and_seen_again(page: api.Page, server: Server) -> None:
    game = deal(server, "place trader stade/hamburg", "done", seats=(HERE, GREEDY, GREEDY))
    open_game(page, server, game)
    page.wait_for_selector(".question.mine")
    page.wait_for_selector(".since li")
    told, last = page.locator(".since li").count(), number(page)
    moves = page.locator(".log a").count()
    assert 2 <= told <= moves - 2 and page.locator(".since li").first.inner_text().startswith("1")
    page.select_option("#motion", "fast")
    page.click("#replay")
    page.wait_for_selector("body[data-number='2']")
    page.wait_for_selector(".flying", state="attached")
    page.wait_for_function("last => Number(document.body.dataset.number) === last", arg=last)
    page.wait_for_selector("#replay:has-text('Show it again')")
    page.select_option("#motion", "off")
    page.locator(".since li button").first.click()
    page.wait_for_selector("body[data-number='3']")
    assert not page.locator(".flying").count()
    page.wait_for_function("last => Number(document.body.dataset.number) === last", arg=last)


def test_whoever_goes_elsewhere_ends_what_is_shown_again(page: api.Page, server: Server) -> None:
    open_game(page, server, deal(server, "place trader stade/hamburg", "done", seats=(HERE, GREEDY, GREEDY)))
    page.wait_for_selector(".question.mine")
    page.wait_for_selector(".since li")
    page.click("#replay")
    page.wait_for_selector("body[data-number='2']")
    page.keyboard.press("Home")
    page.wait_for_selector("#replay:has-text('Show it again')")
    page.wait_for_timeout(1000)  # in which it would have gone on
    assert number(page) == 0
    page.keyboard.press("End")
    page.wait_for_selector(".question.mine")


def test_the_log_and_what_others_did_tell_what_nobody_was_asked(page: api.Page, server: Server) -> None:
    """The only piece to displace is told, with its owner's name; a marker with who took it, and who scored by the claim."""
    open_game(page, server, deal(server, "income 0", "done", seats=(HERE, GREEDY, GREEDY)))
    page.wait_for_selector(".question.mine")
    said = "displaces on Göttingen–Quedlinburg the trader of greedy (1) with a trader"
    assert said in " ".join(page.locator(".since li").all_inner_texts())
    assert said in page.locator(".log").inner_text().replace("\n", " ")
    record = play_game(["greedy"], Ruleset(3), seed=4).record()
    open_game(page, server, server.ask("/api/records", record).json()["id"])
    claim = page.locator(".log a:has-text('claims Hildesheim–Goslar; takes the marker remove-three')").inner_text()
    assert claim.endswith(" scores 1") and "seat" not in claim, "seats are told by name"
    turn = page.locator(".turn:has-text('claims Hildesheim–Goslar; takes the marker remove-three')").inner_text()
    turn = turn.replace("\n", " ")
    assert "; greedy (1) scores 1; greedy (2) takes an office in Hildesheim; takes income with 3 traders; ends the turn" in turn


def test_a_turn_without_an_action_is_told_too(page: api.Page, server: Server) -> None:
    game = server.deal(HERE, {"kind": "guest", "name": "Bob"}, CY)
    token = server.ask(f"/api/games/{game}/links").json()["guests"]["1"]
    with server.sit(game) as host, server.sit(game, token) as guest:
        host.hear("welcome")
        guest.hear("welcome")
        for seq, (sitting, text) in enumerate([(host, "income 0"), (host, "done"), (guest, "done")]):
            sitting.say(type="decide", seq=seq, texts=[text])
            host.hear("event")
            guest.hear("event")
    open_game(page, server, game)
    page.wait_for_selector(".since li:has-text('Bob ends the turn')")


@pytest.mark.slow
def test_seats_have_one_name_everywhere_and_others_are_told_of(page: api.Page, server: Server) -> None:
    game = server.deal({"kind": "here"}, GREEDY, GREEDY, seed=5)
    open_game(page, server, game)
    for _ in range(2):
        page.wait_for_selector(".question.mine")
        before = number(page)
        page.locator(".question .answer:has-text('Take income')").first.click()
        wait_until_past(page, before)
    page.wait_for_selector(".since li:has-text('greedy (2)')")
    assert "You" in page.locator(".desks .desk").first.text_content(), "not Seat 0"
    told = page.locator(".since li").all_inner_texts()
    assert all("greedy (" in text for text in told) and not any(": " in text for text in told)
    assert any(word in " ".join(told) for word in (") places ", ") claims ", ") takes ", ") displaces "))
    assert "take income" in page.locator(".log a").first.inner_text(), "what you did"


@pytest.mark.slow
def test_desks_stand_beside_the_map(page: api.Page, server: Server) -> None:
    open_game(page, server, deal(server))
    page.wait_for_selector(".desks .desk")
    board = page.locator(".map").bounding_box()
    for desk in page.locator(".desks .desk").all():
        box = desk.bounding_box()
        assert box["x"] >= board["x"] + board["width"] and box["y"] < 800
    assert page.evaluate("document.fonts.check('15px \"Source Sans 3\"')")


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES[2:], ids=str)
def test_five_desks_are_seen_whole_and_the_maps_buttons_stay_in_their_row(page: api.Page, server: Server, size: dict) -> None:
    page.set_viewport_size(size)
    open_game(page, server, server.deal(HERE, BEA, CY, GREEDY, GREEDY, seed=5, board="east"))
    page.wait_for_selector(".question.mine")
    for desk in page.locator(".desks .desk").all():
        box = desk.bounding_box()
        assert box["y"] + box["height"] <= size["height"]
    facts, zoom, board = (page.locator(name).bounding_box() for name in (".facts", ".zoom", ".map"))
    assert zoom["y"] < facts["y"] + facts["height"], "beside the facts"
    assert zoom["x"] + zoom["width"] == pytest.approx(board["x"] + board["width"], abs=2), "at the map's edge"


@pytest.mark.parametrize("size", SIZES[2:], ids=str)
def test_the_columns_scroll_and_not_the_page(page: api.Page, server: Server, size: dict) -> None:
    """And on a wide screen the desks stay in sight beside what agents think."""
    page.set_viewport_size(size)
    open_game(page, server, deal(server, seats=(HERE, BEA, CY, GREEDY, GREEDY)))
    page.wait_for_selector(".question.mine .answer")
    assert page.evaluate("document.documentElement.scrollHeight") <= size["height"]
    page.evaluate("document.querySelector('.log').style.setProperty('min-height', '900px')")
    page.evaluate("document.querySelector('.log-card').style.setProperty('min-height', '900px')")
    page.evaluate("document.querySelector('.right').scrollTo(0, 500)")
    assert page.evaluate("document.querySelector('.right').scrollTop") > 100
    desk = page.locator(".desk").first.bounding_box()
    assert (desk["y"] >= 0) == (size["width"] >= 1500)


def test_keys_find_any_place_and_decision(page: api.Page, server: Server) -> None:
    open_game(page, server, deal(server))
    page.wait_for_selector(".question.mine")
    page.keyboard.press("/")
    page.wait_for_selector("dialog.find")
    page.keyboard.type("lub")
    assert any(text.startswith("Lübeck") for text in page.locator(".option").all_inner_texts()), "without its dots"
    page.keyboard.press("Control+a")
    page.keyboard.type("tr stade ham")
    assert page.locator(".option").first.inner_text().startswith("Place a trader on Stade–Hamburg")
    page.keyboard.press("Enter")
    wait_until_past(page, 0)
    page.wait_for_selector(".log a:has-text('places a trader on Stade–Hamburg')")


def test_the_keyboard_goes_on_where_it_was(page: api.Page, server: Server) -> None:
    open_game(page, server, deal(server))
    page.wait_for_selector(".question.mine")
    page.locator(".question .answer").first.focus()
    page.keyboard.press("Enter")
    wait_until_past(page, 0)
    page.wait_for_function("() => document.querySelector('.question').contains(document.activeElement)")


def test_routes_and_cities_have_names_for_those_who_do_not_see_them(page: api.Page, server: Server) -> None:
    open_game(page, server, deal(server, "place trader stade/hamburg"))
    route = page.get_by_role("group", name="Stade–Hamburg, 1 × trader of Ann, 2 × free post")
    assert route.count() == 1
    assert page.get_by_role("group", name="Göttingen (actions)").count() == 1
    assert page.get_by_role("group", name="Desk of Bea").count() == 1


@pytest.mark.slow
def test_a_thing_tells_its_rule(page: api.Page, server: Server) -> None:
    open_game(page, server, deal(server))
    page.hover('[data-thing="ability 0 book"]')
    page.wait_for_selector(".tip:has-text('pick up 1 to')")
    page.click(".tip button")
    page.wait_for_selector(".rules-text .wanted:has-text('R3.3')")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")


def tip_of(page: api.Page, thing: str, part: str = "") -> str:
    page.mouse.move(0, 0)
    page.wait_for_selector(".tip", state="hidden")
    page.hover(f'[data-thing="{thing}"] {part}')
    page.wait_for_selector(".tip:visible")
    return page.locator(".tip").inner_text()


@pytest.mark.slow
def test_a_thing_tells_the_rule_of_its_board(page: api.Page, server: Server) -> None:
    """The prestige table, green cities, tokens above routes, favours on display."""
    page.set_viewport_size({"width": 1200, "height": 1600})  # a tip does not come while the page scrolls
    open_game(page, server, server.ask("/api/records", promos.beginning()).json()["id"])
    assert "Königsberg" in tip_of(page, "space 7")
    assert "They have no printed space" in tip_of(page, "city belgard")
    assert tip_of(page, "token belgard/danzig 1", "text:last-of-type").count("tribute: lay it above a route") == 1
    position = Game(Ruleset(3, favours=True), seed=5).position()
    open_game(page, server, server.ask("/api/records", position).json()["id"])
    told = tip_of(page, f"favour {position['favours']['display'][0]}")
    assert "A tile works from then on: " in told and "from then on:\n" not in told


@pytest.mark.slow
def test_levels_name_who_one_plays_against(page: api.Page, server: Server) -> None:
    names = page.locator("#level option").all_inner_texts()
    assert names[0] == "First steps" and "Casual" in names
    page.select_option("#level", label="Casual")
    assert "most at once" in page.locator("#level-words").inner_text()
    page.click("#play-now")
    page.wait_for_selector(".question.mine")
    assert (page.locator(".desks").text_content() or "").count("greedy") == 2


@pytest.mark.slow
def test_all_opponents_are_of_the_chosen_level(page: api.Page, server: Server) -> None:
    """Of the strongest too, which is chosen at first; the game is another, as an agent that searches would take its time."""
    game = deal(server)
    page.goto(f"http://{server.address}/")
    page.route(
        "**/api/games", lambda route: route.fulfill(json={"id": game}) if route.request.method == "POST" else route.continue_()
    )
    level = page.locator("#level").input_value()
    with page.expect_request(lambda request: request.method == "POST" and request.url.endswith("/api/games")) as asked:
        page.click("#play-now")
    assert [seat.get("agent") for seat in asked.value.post_data_json["seats"]] == [None, level, level]


@pytest.mark.slow
def test_mistakes_are_found_shown_and_tried_again(page: api.Page, server: Server) -> None:
    """An agent that values no single decision cannot judge: the page says so at once, and takes one that can."""
    game = Game(Ruleset(3), seed=5)
    for text in ("place trader stade/hamburg", "done", "done", "done"):
        game.play(text)
    study = server.ask("/api/records", game.record()).json()["id"]
    open_game(page, server, study)
    chosen = page.locator(".analysis select").first
    chosen.select_option(OPINION)
    page.click("#mistakes")
    page.wait_for_selector(".note:has-text('gives no values to single decisions; tree judges instead')", timeout=60_000)
    assert chosen.input_value() == "tree"
    page.wait_for_selector(".report table", timeout=300_000)
    assert "as tree judges" in page.locator(".report h3").inner_text()
    assert page.locator(".report tbody tr").count() == 3
    page.wait_for_selector(".lucky:has-text('what 0 drawn markers gave')")
    assert page.locator(".report .luck").all_inner_texts() == ["+0.0"] * 3, "no marker was drawn"
    assert page.locator(".report li").count() >= 1, "to end a turn at once gives something away"
    shares = [int(text.rstrip(" %").strip("<> ")) for text in page.locator(".curve .key b").all_inner_texts()]
    assert 97 <= sum(shares) <= 103
    before = page.url
    page.locator(".report .again").first.click()
    page.wait_for_url(lambda url: url != before)
    page.wait_for_selector(".question.mine")


def test_the_end_of_a_game_offers_its_mistakes(page: api.Page, server: Server) -> None:
    """Also where what agents think is folded away; once, however often one clicks. Better actions are told whole."""
    open_game(page, server, server.ask("/api/records", ended(3)).json()["id"])
    page.wait_for_selector("table.final")
    page.locator(".analysis select").first.select_option(JUDGE)
    page.evaluate("document.querySelector('.analysis').open = false")
    assert not page.locator("#mistakes").is_visible()
    asked: list[str] = []
    held: list[api.Route] = []
    page.on("request", lambda request: asked.append(request.url))
    page.route("**/better?*", lambda route: held.append(route), times=1)
    page.locator(".question").get_by_role("button", name="Find the mistakes").click()
    assert page.evaluate("(again => { again.click(); return again.disabled; })(document.querySelector('#look-back'))")
    page.wait_for_selector(f".report h3:has-text('as {JUDGE} judges them')", timeout=LOADED_WITHIN)
    estimates = [url for url in asked if "/estimates?" in url]
    assert len(estimates) == len(set(estimates)) > 1, "the second click began nothing"
    page.wait_for_selector("#look-back:enabled")
    page.wait_for_selector(".lucky:has-text('what 0 drawn markers gave')")
    better = page.locator(".report li .better")
    told = better.all_inner_texts()
    assert len(told) == 5 and all(one.startswith("Move: lift ") and one.endswith(", then lift no more") for one in told), (
        "luck did not wait for the whole actions"
    )
    held[0].continue_()
    page.locator(".report li:last-child .better:has-text(', then put ')").wait_for()
    assert all(words.startswith("Move: lift ") and "then put " in words for words in better.all_inner_texts())
    page.wait_for_function("() => document.querySelector('.report').getBoundingClientRect().top < innerHeight / 2")


def test_a_search_through_the_game_shows_how_far_it_is_and_is_stopped(page: api.Page, server: Server) -> None:
    """The lines of the curve end where the agent has been asked."""
    open_game(page, server, server.ask("/api/records", ended(3)).json()["id"])
    page.wait_for_selector("table.final")
    last = number(page)
    page.locator(".analysis select").first.select_option(JUDGE)
    page.route("**/estimates?*", lambda route: None if "first=0&" not in route.request.url else route.continue_())
    assert not page.locator("#stop-search").is_visible()
    page.click("#mistakes")
    page.wait_for_selector(".curve .line0", state="attached")
    points = page.locator(".curve .line0").get_attribute("points").split(" ")
    cursor = float(page.locator(".curve .cursor").get_attribute("x1"))
    assert len(points) == 2 and float(points[1].split(",")[0]) < cursor / last * 2 + 40
    assert page.locator(".curve .key b").all_inner_texts() == ["–"] * 3
    page.click("#stop-search")
    page.wait_for_selector("#mistakes:enabled")
    assert not page.locator("#stop-search").is_visible() and page.locator("#whole-game").inner_text() == "The whole game"
    assert not page.locator(".report h3").count() and not page.locator(".asking p").count()


@pytest.mark.slow
def test_luck_is_told_by_another_agent_where_the_judge_cannot(page: api.Page, server: Server) -> None:
    """The judge values decisions and says nothing of other seats; `ppo` is the first that is asked instead."""
    texts, lucky = up_to_a_marker()
    game = Game(Ruleset(3), seed=SEED)
    for text in texts:
        game.play(text)
    open_game(page, server, server.ask("/api/records", game.record()).json()["id"])
    chosen = page.locator(".analysis select").first
    chosen.select_option(JUDGE)
    page.click("#mistakes")
    page.wait_for_selector(".lucky:has-text('as ppo judges it')", timeout=LOADED_WITHIN)
    assert chosen.input_value() == JUDGE and f"as {JUDGE} judges" in page.locator(".report h3").inner_text()
    assert "what 1 drawn marker gave or took" in page.locator(".lucky").inner_text()
    luck = [float(text.replace("−", "-")) for text in page.locator(".report .luck").all_inner_texts()]
    assert luck[lucky] and sum(luck) == pytest.approx(0, abs=0.15), "what one gains the others lose"
    assert not page.locator(".note.bad").count()


@pytest.mark.slow
@pytest.mark.parametrize(("players", "board"), [(4, "east"), (5, "britannia-4-5")])
def test_a_whole_game_on_the_boards_of_expansions(page: api.Page, server: Server, players: int, board: str) -> None:
    game = server.deal(HERE, *[GREEDY] * (players - 1), seed=4, board=board)
    open_game(page, server, game)
    clicked, words = play_to_the_end(page)
    assert clicked > 5 and words > 3
    assert page.locator("table.final thead th").count() == players
    columns = page.locator("table.final tbody th").all_inner_texts()
    assert ("regions" in columns) == (board != "east") and "mission" not in columns


def test_what_can_be_called_off_is_what_the_page_offers() -> None:
    """The number that the page sends is one that the server takes back to: of the same seat, with nothing seen since."""
    random, line = Random(7), Line(Start.dealt(Ruleset(3), 7))
    offered = 0
    while not line.game.over and len(line) < 150:
        line.play(random.choice(line.game.legal()))
        begun = begun_at(line, len(line)) if not line.game.over else None
        if begun is not None:
            offered += 1
            assert line.moves[begun].asked == "act" and {move.seat for move in line.moves[begun:]} == {line.game.seat}
    assert offered > 5
