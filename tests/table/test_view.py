"""What a page is given of a position: everything that can be decided, where to click for it, and nothing that is hidden."""

from __future__ import annotations

import json
import re
from random import Random

import pytest

from hansa_env import Game, Ruleset
from hansa_env.boards.missions import MISSIONS
from hansa_env.ruleset import MARKER_KINDS
from hansa_env.table.game_history import Line
from hansa_env.table.messages import moves_data
from hansa_env.table.start import Start
from hansa_env.table.view import view_of
from tests.east import EAST, TO_FETCH
from tests.helpers import RULESETS, ruleset_id
from tests.table.serving import GREEDY, HERE, Server

NAMES = [f"player {seat}" for seat in range(5)]


def played(ruleset, decisions: int, seed: int = 1) -> Line:
    random, line = Random(seed), Line(Start.dealt(ruleset, seed))
    while len(line) < decisions and not line.game.over:
        line.play(random.choice(line.game.legal()))
    return line


@pytest.mark.parametrize("ruleset", RULESETS, ids=ruleset_id)
def test_every_decision_is_offered_and_what_is_offered_can_be_decided(ruleset) -> None:
    line = played(ruleset, 150)
    staged = 0
    for number in range(0, len(line), 3):
        view, game = view_of(line, number, NAMES), line.game_at(number)
        single = [choice["texts"][0] for choice in view["choices"] if len(choice["texts"]) == 1]
        assert single == game.legal()
        drawn = set(re.findall(r'data-thing="([^"]+)"', "".join(view["panels"].values()))) | {"buttons"}
        for choice in view["choices"]:
            assert choice["words"] and set(choice["things"]) <= drawn, choice
            if len(choice["texts"]) > 1:
                ahead = game.copy()
                for text in choice["texts"]:
                    assert ahead.seat == game.seat
                    ahead.play(text)
                staged += 1
        keys = [tuple(choice["texts"]) for choice in view["choices"]]
        assert len(set(keys)) == len(keys)
    assert staged > 20


@pytest.mark.parametrize("ruleset", RULESETS[:4], ids=ruleset_id)
def test_a_view_does_not_depend_on_what_is_hidden(ruleset) -> None:
    """The same positions with the unseen markers in another order look the same to the last letter."""
    line = played(ruleset, 120)
    start, decisions = line.start.reshuffled(line.decisions)
    other = Line(start, decisions)
    assert other.game.setup["pile"] != line.game.setup["pile"]
    for number in (0, 60, len(line)):
        if other.game_at(number).position() == line.game_at(number).position():
            assert view_of(other, number, NAMES) == view_of(line, number, NAMES)
    assert view_of(other, len(line), NAMES) == view_of(line, len(line), NAMES)


def test_income_is_told_piece_by_piece() -> None:
    view = view_of(played(RULESETS[3], 0), 0, NAMES)
    words = {choice["texts"][0]: choice["words"] for choice in view["choices"]}
    assert words["income 0"] == "take income with 3 traders"


def test_a_click_on_a_piece_takes_it_up_and_one_on_a_ship_displaces_there() -> None:
    line = Line(Start.dealt(EAST, 1))
    for text in TO_FETCH:
        line.play(text)
    clicked = {tuple(choice["texts"]): choice for choice in view_of(line, len(line), NAMES)["choices"]}
    taken = clicked["route lubeck/wismar", "1m"]
    assert taken["words"] == "take up from Lübeck–Wismar the merchant of seat 1"
    assert taken["things"] == ["post lubeck/wismar 1"] and clicked["route lubeck/wismar",]["things"] == []
    assert clicked["route malmo/danzig",]["things"] == ["post malmo/danzig 2"], "there is one kind of piece alone"
    line = Line(Start.dealt(EAST, 1))
    for text in ("place merchant malmo/danzig:ship", "place trader malmo/danzig"):
        line.play(text)
    clicked = {tuple(choice["texts"]): choice for choice in view_of(line, len(line), NAMES)["choices"]}
    assert clicked["displace", "route malmo/danzig:ship"]["things"] == ["post malmo/danzig 1"]
    assert clicked["displace", "route malmo/danzig:ship"]["words"] == "displace on the ship of Malmö–Danzig"
    assert clicked["displace", "route malmo/danzig"]["things"] == ["post malmo/danzig 2"]


@pytest.mark.parametrize(
    ("texts", "verb", "words"),
    [
        (["place trader stade/hamburg"], "move", "move: lift a trader from Stade–Hamburg"),
        (["place trader stade/hamburg", "done"], "displace", "displace on Stade–Hamburg the trader of seat 0"),
    ],
)
def test_the_only_piece_that_can_be_meant_is_clicked_and_nothing_else_is_decided_with_it(
    texts: list[str], verb: str, words: str
) -> None:
    """The engine takes it without asking; a click must not go on to the piece after it."""
    line = Line(Start.dealt(RULESETS[3], 1))
    for text in texts:
        line.play(text)
    (offered,) = [choice for choice in view_of(line, len(line), NAMES)["choices"] if choice["texts"][0] == verb]
    assert offered["texts"] == [verb] and offered["things"] == ["post stade/hamburg 1"] and offered["words"] == words


def test_a_decision_is_told_with_the_beginning_of_its_sentence_where_it_stands_alone() -> None:
    line = Line(Start.dealt(RULESETS[3], 1))
    for text in ("place trader stade/hamburg", "place merchant stade/hamburg", "displace", "0t"):
        line.play(text)
    told = moves_data(line, 4)[0]
    assert told["words"] == "the trader of seat 0" and told["alone"] == "displace on Stade–Hamburg the trader of seat 0"
    first = moves_data(line)[0]
    assert first["alone"] == first["words"] == "place a trader on Stade–Hamburg"


def test_two_alike_pieces_are_taken_up_one_by_one() -> None:
    line = Line(Start.dealt(RULESETS[3], 1))
    for _ in range(2):
        line.play("place trader stade/hamburg")
    for _ in range(2):
        line.play("done")
    (offered,) = [choice for choice in view_of(line, len(line), NAMES)["choices"] if choice["texts"][0] == "move"]
    assert offered["things"] == ["post stade/hamburg 1", "post stade/hamburg 2"]
    line.play("move")
    again = view_of(line, len(line), NAMES)
    assert again["story"] == ["You have taken up 1 trader. Take another, or stop and put down what you hold."]
    assert {tuple(choice["texts"]) for choice in again["choices"]} == {("done",), ("lift trader stade/hamburg",)}


def test_names_are_text_wherever_they_stand() -> None:
    names = ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "&amp;"]
    panels = "".join(view_of(played(RULESETS[3], 10), 5, names)["panels"].values())
    assert "<script" not in panels and "<img" not in panels


def test_what_a_seat_is_sent_holds_nothing_that_is_hidden(server: Server) -> None:
    """Every message and every page of both seats over the first rounds: no seed, and no order of the pile."""
    seed = 7_777_777_777_777
    game = server.deal(HERE, {"kind": "guest"}, GREEDY, seed=seed)
    token = server.ask(f"/api/games/{game}/links").json()["guests"]["1"]
    pages: list[str] = []
    random = Random(3)
    with server.sit(game) as ann, server.sit(game, token) as bob:
        seq = ann.hear("welcome")["seq"]
        bob.hear("welcome")
        seen = ann.hear("status")
        while not seen["over"] and seq < 60:
            if seen["seat"] in (0, 1):
                sitting, query = ((ann, ""), (bob, f"?token={token}"))[seen["seat"]]
                answer = server.ask(f"/api/games/{game}/positions/{seq}{query}", host=sitting is ann)
                pages.append(answer.text)
                choices = [choice for choice in answer.json()["choices"] if len(choice["texts"]) == 1]
                sitting.say(type="decide", seq=seq, texts=random.choice(choices)["texts"])
                sitting.hear("done")
            with server.sit(game) as look:
                seq = look.hear("welcome")["seq"]
                seen = look.hear("status")
        for sitting in (ann, bob):
            sitting.say(type="pace", seconds=-1)
            sitting.hear("refused")  # the last of all that it is sent
        messages = [json.dumps(message) for message in ann.heard + bob.heard]
        pages.append(server.ask(f"/api/games/{game}/record?token={token}", host=False).text)
    assert len(pages) > 10 and len(messages) > 60
    real = Game(Start.dealt(RULESETS[3], seed).ruleset, seed)
    pile = json.dumps(real.setup["pile"])
    for text in pages[:-1] + messages:
        assert str(seed) not in text and '"pile":[' not in text.replace(" ", "") and '"seed"' not in text
    assert str(seed) not in pages[-1] and pile not in pages[-1], "what is saved has its pile dealt anew"
    assert set(MARKER_KINDS) >= set(real.setup["pile"])


def test_nobody_sees_a_card_but_at_the_screen_of_its_seat() -> None:
    """R11.1: what everybody is shown does not depend on the cards; who holds a seat sees that of his own."""
    line = played(Ruleset(3, missions=True, favours=True), 60)
    setup = line.start.data["setup"]
    rest = [list(card) for card in MISSIONS if list(card) not in setup["missions"]]
    other = Line(Start({**line.start.data, "setup": setup | {"missions": rest[:3]}}), line.decisions)
    for number in (0, 30, 60):
        assert view_of(line, number, NAMES) == view_of(other, number, NAMES)
        own, shown = view_of(line, number, NAMES, 1)["panels"], view_of(line, number, NAMES)["panels"]
        assert 'data-thing="mission 1"' in own["desk 1"] and 'data-thing="mission' not in own["desk 0"] + own["desk 2"]
        assert not any('data-thing="mission' in panel for panel in shown.values())
