"""The page of `hansa view` holds every step of a game, and nothing from elsewhere."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from hansa_agents.arena import play_game
from hansa_env import Game, Ruleset
from hansa_env.commands.cli import app
from hansa_env.engine.rules.scoring import score_columns
from hansa_env.formats.missions import EVERYBODY
from hansa_env.pages.story import REMEMBERED, story_of
from hansa_env.pages.view import json_in_html, view_page
from hansa_env.render.scene import scene_of
from hansa_env.render.svg import panels
from tests.helpers import RULESETS
from tests.pages.games import a_game, with_estimates


def run(*words: object):
    return CliRunner().invoke(app, [str(word) for word in words])


def data_of(page: str) -> dict:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found[1])


def drawn_at(story: dict, step: int) -> dict[str, str]:
    """What the parts hold at a step, as the page finds it."""
    return {name: story["strings"][[s for at, s in told if at <= step][-1]] for name, told in story["parts"].items()}


@settings(max_examples=8)
@given(st.sampled_from(RULESETS), st.integers(0, 1000), st.integers(0, 60))
def test_every_step_is_drawn_as_the_position_is(ruleset: Ruleset, seed: int, decisions: int) -> None:
    game = a_game(ruleset, decisions, seed)
    story = story_of(game, "game")
    moves = game.moves()
    assert len(story["moves"]) == len(moves) and len(story["points"]) == len(moves) + 1
    for step in {0, len(moves) // 2, len(moves)}:
        there = game.rewound(step)
        last = [(move.seat, move.text, move.asked) for move in moves[max(0, step - REMEMBERED) : step]]
        wanted = panels(scene_of(ruleset, there.state, last, viewer=EVERYBODY))  # a record tells all cards
        drawn = drawn_at(story, step)
        for panel in wanted.values():
            assert {part: drawn[f"{panel.name}|{part}"] for part in panel.parts} == panel.parts
        scores = [dict(zip(score_columns(ruleset), row)) for row in there.scores()]
        assert story["points"][step] == [[row[name] for name in story["columns"]] for row in scores]


def test_turns_and_words() -> None:
    game = a_game(Ruleset(3), 60, 4, ["a", "b", "c"])
    story = story_of(game, "game")
    assert [first for _, _, first, _ in story["turns"]] == [0, *[last for _, _, _, last in story["turns"][:-1]]]
    assert story["turns"][-1][3] == len(story["moves"]) == 60
    assert story["agents"] == ["a", "b", "c"] and story["estimates"] is None
    assert all(isinstance(words, str) and words for _, _, _, words, _ in story["moves"])


def test_estimates_are_told_with_what_was_played() -> None:
    game = with_estimates(a_game(Ruleset(3), 20, 1))
    story = story_of(Game.from_record(game.record()), "game")
    first, second = story["estimates"][:2]
    assert second is None and first["value"] == 0.4 and first["seat"] == 0
    assert [played for *_, played in first["likeliest"]] == [True, False, False]
    assert first["likeliest"][0][1:3] == [0.6, None] and first["likeliest"][0][3]


def test_the_win_is_told_of_every_seat_and_ends_with_the_result() -> None:
    game = with_estimates(play_game(["greedy"], Ruleset(3), seed=2))
    game.estimates[2]["seats"] = [0.2, 0.5, 0.3]
    story = story_of(Game.from_record(game.record()), "game")
    assert len(story["chances"]) == len(story["moves"]) + 1 and story["chances"][2] == [0.2, 0.5, 0.3]
    assert all(sum(row) == pytest.approx(1, abs=1e-3) for row in story["chances"])
    assert game.over and story["chances"][-1] == [float(seat in game.winners()) / len(game.winners()) for seat in range(3)]
    assert story_of(a_game(Ruleset(2), 10, 1), "game")["chances"] is None


def test_the_page_needs_nothing_and_names_do_no_harm() -> None:
    evil = ["</script><script>alert(1)</script>", "<!--<script>", "\u2028&amp;\"'"]
    game = a_game(Ruleset(3), 12, 1, evil)
    page = view_page([story_of(game, "</title>")], "</title><b>")
    assert data_of(page)["games"][0]["agents"] == evil
    assert page.count("</script>") == 2 and "<!--" not in page and "<title>&lt;/title&gt;&lt;b&gt;</title>" in page
    assert set(re.findall(r"url\(.{0,28}", page)) == {'url("data:font/woff2;base64,d09G'}, "the fonts are in it"
    for word in ("src=", "href=", "@import", "fetch(", "import "):
        assert word not in page.split("<body>")[0] and word not in page.split("</script>")[1], word
    assert not re.findall(r"https?://(?!www\.w3\.org/2000/svg)", page)
    assert json.loads(json_in_html({"a": "</x><!--"})) == {"a": "</x><!--"}
    with pytest.raises(ValueError, match="no game"):
        view_page([])


def test_a_page_of_300_decisions_is_below_a_megabyte() -> None:
    game = with_estimates(a_game(Ruleset(5), 300, 3))
    assert len(game.decisions) == 300
    assert len(view_page([story_of(game, "game")]).encode()) < 1_000_000


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(a_game(Ruleset(3), 30, 1, ["a", "b", "c"]).record()))
    return path


def test_the_command_writes_a_page_named_after_the_record(record: Path) -> None:
    done = run("view", record)
    assert done.exit_code == 0 and "30 decisions of 1 game" in done.output
    page = record.with_suffix(".html").read_text("utf-8")
    assert "<title>game.json</title>" in page and len(data_of(page)["games"]) == 1


def test_a_line_ends_where_json_says_so(record: Path, tmp_path: Path) -> None:
    """And not where Python takes something for the end of one, such as this name, which is refused."""
    named = json.loads(record.read_text()) | {"agents": ["a\u2028b", "c", "d"]}
    (tmp_path / "games.jsonl").write_text(json.dumps(named, ensure_ascii=False), "utf-8")
    done = run("view", tmp_path / "games.jsonl", "--out", tmp_path / "page.html")
    assert done.exit_code == 2 and 'line 1: agents: "a\\u2028b"; expected a text' in done.output, done.output


@pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.gz"])
def test_lines_and_files_go_onto_one_page(record: Path, tmp_path: Path, name: str) -> None:
    lines = "\n".join([record.read_text(), "", json.dumps(a_game(Ruleset(2, "first"), 20, 2).record()), ""]).encode()
    (tmp_path / name).write_bytes(gzip.compress(lines) if name.endswith(".gz") else lines)
    out = tmp_path / "page.html"
    done = run("view", tmp_path / name, record, "--out", out)
    assert done.exit_code == 0, done.output
    games = data_of(out.read_text("utf-8"))["games"]
    assert [game["name"] for game in games] == [f"{name}, line 1", f"{name}, line 3", "game.json"]


def changed(record: Path, **fields: object) -> str:
    return json.dumps(json.loads(record.read_text()) | fields)


@pytest.mark.parametrize(
    ("name", "make", "reason"),
    [
        ("x.json", lambda r: "{", "no JSON; expected a record"),
        ("x.json", lambda r: "[1]", "a record is an object, not a list of 1"),
        ("x.json", lambda r: changed(r, format="hansa-record/9"), '"hansa-record/9"; expected hansa-record/1'),
        ("x.json", lambda r: json.dumps(Game(Ruleset(3)).position()), 'is a position, which hansa picture draws'),
        ("x.json", lambda r: changed(r, decisions=[[0, "claim stade/hamburg"]]), "decision 0 of 1 is illegal"),
        ("x.jsonl", lambda r: r.read_text() + "\n{}\n", "line 2: format: null"),
        ("x.jsonl", lambda r: '{"format": "hansa-game/1"}', "line 1: holds the results of a match, which hansa results reads"),
        ("x.jsonl", lambda r: "\n", "there are no games in it"),
        ("x.jsonl.gz", lambda r: "no gzip", "cannot be decompressed"),
    ],
)  # fmt: skip
def test_broken_files_end_in_one_line(record: Path, tmp_path: Path, name: str, make, reason: str) -> None:
    path = tmp_path / name
    path.write_text(make(record))
    done = run("view", record, path, "--out", tmp_path / "page.html")
    errors = [line for line in done.output.splitlines() if not line.startswith("games:")]
    assert done.exit_code == 2 and len(errors) == 1, done.output
    assert errors[0].startswith(f"error: {path}: ") and reason in errors[0], errors
    assert not (tmp_path / "page.html").exists()


@pytest.mark.slow
def test_a_folder_of_the_arena_is_one_page(tmp_path: Path) -> None:
    match = ["arena", "greedy", "random", "--players", 2, "--games", 2, "--records", tmp_path / "games", "--processes", 1]
    assert run(*match).exit_code == 0
    done = run("view", tmp_path / "games", "--out", tmp_path / "page.html")
    assert done.exit_code == 0 and "decisions of 2 games" in done.output
    page = (tmp_path / "page.html").read_text("utf-8")
    assert page.index("game-00000.json") < page.index("game-00001.json")


def test_other_mistakes_end_in_one_line(record: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert "empty: there are no records (*.json)" in run("view", tmp_path / "empty").output
    assert "nowhere.json: No such file" in run("view", tmp_path / "nowhere.json").output
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe")
    assert "bytes.json: is no text in UTF-8" in run("view", tmp_path / "bytes.json").output
    (tmp_path / "many.jsonl").write_text((json.dumps(json.loads(record.read_text())) + "\n") * 51)
    assert "more than 50 games, which is what a page holds" in run("view", tmp_path / "many.jsonl").output
    (tmp_path / "empty.jsonl").write_text("\n" * 1001 + record.read_text())
    assert "empty.jsonl: more than 1,000 lines; expected one record a line" in run("view", tmp_path / "empty.jsonl").output


def test_a_page_is_named_after_its_file(record: Path, tmp_path: Path) -> None:
    for name in ("ppo-0.5.json", "games.jsonl"):
        (tmp_path / name).write_text(json.dumps(json.loads(record.read_text())))
        assert run("view", tmp_path / name).exit_code == 0
    assert {path.name for path in tmp_path.glob("*.html")} >= {"ppo-0.5.html", "games.html"}


@pytest.mark.parametrize(("command", "ending"), [("view", ".html"), ("picture", ".svg")])
def test_only_a_file_that_is_named_is_replaced(record: Path, command: str, ending: str) -> None:
    mine = record.with_suffix(ending)
    mine.write_text("mine")
    done = run(command, record)
    beside = record.with_name(f"game-2{ending}")
    assert done.exit_code == 0 and f"written to {beside}, as {mine} exists" in done.output.replace("\n", ""), done.output
    assert mine.read_text() == "mine" and beside.exists()
    named = run(command, record, "--out", mine)
    assert named.exit_code == 0 and f"replaced {mine}" in named.output and mine.read_text() == beside.read_text()


def test_the_page_of_the_folder_in_which_somebody_works_is_written_there(record: Path, monkeypatch) -> None:
    inner = record.parent / "games"
    inner.mkdir()
    record.rename(inner / "game.json")
    monkeypatch.chdir(inner)
    assert run("view", ".").exit_code == 0
    assert (inner / "games.html").exists() and not (record.parent / "games.html").exists()


def test_a_picture_of_a_record_and_of_a_position(record: Path, tmp_path: Path) -> None:
    done = run("picture", record, "--until", -5, "--width", 600, "--theme", "dark")
    assert done.exit_code == 0, done.output
    svg = record.with_suffix(".svg").read_text("utf-8")
    assert svg == Game.from_record(record.read_text()).rewound(25).svg(600, "dark")
    (tmp_path / "position.json").write_text(json.dumps(Game(Ruleset(4)).position()))
    assert run("picture", tmp_path / "position.json", "--out", tmp_path / "p.svg").exit_code == 0
    for words, reason in (
        ((record, "--out", tmp_path / "p.gif"), "expected a name that ends in .svg or .png"),
        ((record, "--until", 31), "--until is 31; the record has 30 decisions"),
        ((record, "--theme", "blue"), "theme is 'blue'"),
        ((tmp_path / "position.json", "--until", 3), "--until is for records"),
    ):
        done = run("picture", *words)
        assert done.exit_code == 2 and reason in done.output and len(done.output.splitlines()) == 1
