"""The text of a position shows what is so, and nothing that is hidden."""

import re

import numpy as np
import pytest

from hansa_env import Game, HansaBatch, Ruleset
from hansa_env.commands.output import print_game
from hansa_env.engine.rules.scoring import score_columns
from hansa_env.render.text import HEIGHT, LEAST_WIDTH, LEGEND, WIDTH, render_text
from tests.helpers import RULESETS, choose_eagerly, ruleset_id
from tests.rules import scenario


def line_with(text: str, start: str) -> str:
    return next(line for line in text.splitlines() if line.startswith(start))


def test_a_known_position() -> None:
    position = scenario.position(
        Ruleset(3), turn=1, actions=2, linked=(2,), prestige={1: 13, 2: 4},
        posts={"stade/hamburg": "1t 1m 1t", "hamburg/lubeck": "0t 2m"},
        offices={"stendal": "0t 2m", "groningen": "1t", "goslar": "0t"}, extras={"stendal": "2t 1m"},
        abilities={1: {"actions": 2, "privilege": 2, "bank": 3, "book": 1}, 2: {"book": 2}}, supply={1: (3, 0)},
        markers={1: ["+3", "+3"]}, used={1: ["exchange"]}, plate={1: 2}, spaces={9: 2},
    )  # fmt: skip
    game = Game.from_position(position)
    text = render_text(game.ruleset, game.state, last=[(0, "place trader stade/hamburg"), (2, "done")])
    assert "3 players, fourth edition, board base-2-3" in text
    assert "Turn of seat 1, 2 actions left: seat 1 is asked 'act'" in text
    assert "Last: 0: place trader stade/hamburg; 2: done" in text
    assert f"Completed cities 1/10; pile {position['pile']}; Coellen table 7w:- 8o:- 9p:2 11b:-" in text
    assert "arnheim-stendal linked by 2" in text
    desk = " ".join(line_with(text, ">1'").split())
    traders = position["stock"][1][0]
    assert desk == f">1' 13 1 (0/4) 3 (2/5) pink (2/3) 3 (1/3) all (3/3) 3t 0m {traders}t 0m"
    assert "markers 2 x +3; used extra-office, exchange; 2 on the plate" in text
    assert line_with(text, "stade/hamburg")[:40].split() == ["stade/hamburg", "1m", "1t", "1t", "=1"]
    assert line_with(text, "hamburg/lubeck")[:40].split() == ["hamburg/lubeck", "0t", "2m", "."]
    assert "bremen/osnabruck" in text and text.count("<") == 3, "three markers lie on their routes"
    for route, marker in position["route_markers"].items():
        assert f"<{marker}>" in next(line for line in text.splitlines() if route in line)
    assert "{1m 2t} [0t] (2m) [o] [p] =2" in text, "a later extra office stands left of an earlier; seat 2 has most"
    assert line_with(text, "Groningen").split("book")[1].split()[:3] == ["[1t]", "(o)", "=1"]


def test_the_other_questions_and_the_pawn() -> None:
    game = Game(Ruleset(2, "first"), seed=1)
    assert "seat 1 is asked 'pawn'" in render_text(game.ruleset, game.state)
    game.play(game.legal()[3])
    assert f"pawn in {game.position()['pawn']}" in render_text(game.ruleset, game.state)
    game = Game(Ruleset(2, "second"), seed=1)
    game.play("displace")
    game.play(next(text for text in game.legal() if text.startswith("route")))
    assert game.asked == "with" or game.asked == "relocate"
    text = render_text(game.ruleset, game.state)
    assert f"seat {game.seat} is asked {game.asked!r}" in text and "in hand" in text and ", route " in text


@pytest.mark.parametrize("ruleset", RULESETS, ids=ruleset_id)
def test_a_narrow_terminal_loses_nothing(ruleset: Ruleset) -> None:
    game, rng = Game(ruleset, seed=2), np.random.default_rng(2)
    while len(game.decisions) < 100 and not game.over:
        game.play(str(rng.choice(game.legal())))
    wide, narrow = (render_text(ruleset, game.state, width=width) for width in (WIDTH, LEAST_WIDTH))
    assert max(map(len, narrow.splitlines())) <= LEAST_WIDTH == 80
    assert all(entry in narrow and entry in wide for entry in LEGEND), "none goes on in the next line"

    def words(text: str) -> list[str]:
        return sorted(word.rstrip(";,") for word in text.split() if not re.fullmatch(r"-+|\(\d/\d\)", word))

    assert words(narrow) == words(wide)


@pytest.mark.parametrize("ruleset", RULESETS, ids=ruleset_id)
def test_it_fits_a_screen_from_beginning_to_end(ruleset: Ruleset) -> None:
    batch = HansaBatch(1, ruleset, seed=3, max_turns=100)
    rng = np.random.default_rng(3)
    steps = 0
    while not (batch.terminated[0] or batch.truncated[0]):
        if steps % 40 == 0:
            check_size(render_text(ruleset, batch.games[0], [(0, "put merchant gottingen/quedlinburg")] * 6))
        batch.step(choose_eagerly(batch, rng))
        steps += 1
    text = render_text(ruleset, batch.games[0])
    check_size(text)
    reason = {1: "prestige", 2: "markers", 3: "cities", 4: "stalled", 5: "cut off"}[int(batch.games["reason"][0])]
    assert f"GAME OVER: {reason}" in text
    table = text.splitlines()
    table = table[table.index(line_with(text, "seat  place")) + 1 :][: ruleset.players]
    assert [int(line.split()[-1]) for line in table] == batch.final_scores[0, :, -1].tolist()
    assert [line.split()[1] == "1" for line in table] == batch.winners()[0].tolist()


def check_size(text: str) -> None:
    assert len(text.splitlines()) <= HEIGHT == 64
    assert max(map(len, text.splitlines())) <= WIDTH == 100


@pytest.mark.parametrize(("ruleset", "more"), [
    (Ruleset(3), []), (Ruleset(3, missions=True), ["mission"]), (Ruleset(4, board="east"), []),
    (Ruleset(4, board="britannia-4-5"), ["regions"]), (Ruleset(3, board="britannia-2-3", favours="any-board"), ["regions"]),
], ids=str)  # fmt: skip
def test_only_columns_in_which_the_game_gives_points_are_shown(
    ruleset: Ruleset, more: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """The scores themselves have both columns on every board but the base game's."""
    expected = ["track", "abilities", "markers", "prestige_spaces", "control", "network", *more, "total"]
    batch, rng = HansaBatch(1, ruleset, seed=4), np.random.default_rng(4)
    while not batch.terminated[0]:
        batch.step(choose_eagerly(batch, rng))
    game = Game.from_batch(batch, 0)
    scores = [[row[name] for name in expected] for row in (dict(zip(score_columns(ruleset), row)) for row in game.scores())]

    scene = game.scene()
    assert list(scene.columns) == expected and [list(desk.scores) for desk in scene.desks] == scores
    lines = render_text(ruleset, game.state).splitlines()
    head = next(number for number, line in enumerate(lines) if line.startswith("seat  place"))
    assert lines[head].split()[2:] == expected
    assert [line.split()[2:] for line in lines[head + 1 : head + 1 + ruleset.players]] == [
        list(map(str, row)) for row in scores
    ]
    print_game(game, "")
    printed = [line.split() for line in capsys.readouterr().out.splitlines()]
    rows = [line[1 : 1 + len(expected)] for line in printed if len(line) > len(expected) and line[0].isdigit()]
    assert rows == [list(map(str, row)) for row in scores]


def test_hidden_markers_are_not_shown() -> None:
    game = Game(Ruleset(4), seed=1)
    other = game.copy(reshuffle=7)
    assert game.state["pile"].tolist() != other.state["pile"].tolist()
    assert render_text(game.ruleset, game.state) == render_text(other.ruleset, other.state)
