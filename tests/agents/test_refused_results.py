"""Results files that are refused: broken, in use, of another match, or not to be rated together."""

from __future__ import annotations

import gzip
import json

import pytest

from hansa_agents.arena import Keep, play_match
from hansa_agents.results_file import ResultsError, read_lines, read_results
from hansa_env import Ruleset
from tests.agents.matches import RULESET, SPECS, play


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of `play`, made once."""
    file = tmp_path_factory.mktemp("played") / "games.jsonl"
    play(file)
    return file.read_bytes()


def broken(line: dict, field: str, value: object) -> str:
    return json.dumps({**line, field: value}) if value != "no field" else json.dumps({k: line[k] for k in line if k != field})


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("players", 7, "players: 7; expected 2 to 5"),
        ("edition", "third", 'edition: third|edition: "third"; expected one of first, second, fourth'),
        ("board", "moon", "unknown board 'moon'"),
        ("format", "hansa-game/9", "no game of the format hansa-game/1"),
        ("game", -1, "game: -1; expected 0 to"),
        ("game", 1.5, "game: 1.5; expected a whole number"),
        ("agents", ["a", "b"], "agents: 2 seats; expected 3"),
        ("ranks", [1, 1, 1], "ranks: [1, 1, 1]; expected 0 for the first"),
        ("seconds", ["1", 0.0, 0.0], 'seconds: "1"; expected a number'),
        ("truncated", 1, "truncated: 1; expected true or false"),
        ("reason", "boredom", 'reason: "boredom"; expected one of prestige'),
        ("forfeit", {"agent": "random", "seat": 0, "reason": "x"}, "forfeit: one with reason"),
        ("scores", "no field", "field scores is missing"),
        ("extra", 1, "field extra is unknown; remove it"),
    ],
)
def test_a_broken_line_is_refused_by_file_and_line(played, tmp_path, field, value, reason):
    file = tmp_path / "games.jsonl"
    file.write_bytes(played)
    lines = file.read_text().splitlines()
    place = next(i for i, line in enumerate(lines) if json.loads(line)["forfeit"] is None and i < 29)
    lines[place] = broken(json.loads(lines[place]), field, value)
    file.write_text("\n".join(lines) + "\n")
    before = file.read_bytes()
    for use in (lambda: list(read_lines(file)), lambda: play(file), lambda: read_results([file])):
        with pytest.raises(ResultsError) as caught:
            use()
        text = str(caught.value)
        assert text.startswith(f"{file}: line {place + 1}: ") and "\n" not in text
        assert any(part in text for part in reason.split("|"))
    assert file.read_bytes() == before, "nothing is lost"


@pytest.mark.parametrize("ending", ["", "\n"])
@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("remember: the second match was odd", "line 1: no JSON"),
        ('{"format": "hansa-record/1", "players": 3', "is the record of a game, which hansa replay, view and analyse read"),
        ("GAME|GAME|remember this", "line 3: no JSON"),
        ("GAME|GAME|{}", "line 3: no game of the format"),
        ("GAMEGAME", "line 1: there is more in it than a game; expected an end of line after each"),
        ('GAME|GAME{"format": "hansa-ga', "line 2: there is more in it than a game"),
    ],
)
def test_what_is_no_torn_game_is_neither_cut_off_nor_passed_over(played, tmp_path, content, reason, ending):
    """Also at the end of a file without an end of line."""
    file, lines = tmp_path / "games.jsonl", iter(played.decode().splitlines())
    text = content.replace("|", "\n") + ending
    while "GAME" in text:
        text = text.replace("GAME", next(lines), 1)
    file.write_text(text)
    for use in (lambda: list(read_lines(file)), lambda: play(file), lambda: read_results([file])):
        with pytest.raises(ResultsError) as caught:
            use()
        assert str(caught.value).startswith(f"{file}: {reason}")
    assert file.read_text() == text


def test_games_are_kept_in_regular_files_alone(tmp_path):
    with pytest.raises(ResultsError, match="is no regular file"):
        play("/dev/null")
    (tmp_path / "folder").mkdir()
    with pytest.raises(ResultsError, match="folder: is no regular file"):
        play(tmp_path / "folder")


def test_other_broken_files_are_refused(tmp_path):
    file = tmp_path / "games.jsonl"
    play(file, games=6)
    text = file.read_text()
    first = text.splitlines()[0]
    for content, reason in (
        ("{oops\n" + text, "line 1: no JSON"),
        ("[1]\n" + text, "line 1: no game of the format"),
        ("\n" + text, "line 1: no JSON"),
        (text + first + "\n", "is in line 1 already"),
        ("\udcff\n", "line 1: no JSON"),
    ):
        file.write_bytes(content.encode(errors="surrogateescape"))
        with pytest.raises(ResultsError) as caught:
            play(file, games=6)
        assert reason in str(caught.value)


def test_a_file_of_another_match_is_refused(tmp_path):
    file = tmp_path / "games.jsonl"
    play(file, games=6)
    with pytest.raises(ResultsError, match=r"line 1: run_seed is 5, but this match has 6"):
        play(file, games=6, seed=6)
    with pytest.raises(ResultsError, match=r"line 1: max_turns is 8, but this match has 9"):
        play(file, games=6, max_turns=9)
    with pytest.raises(ResultsError, match=r"line 1: agents is .* but this match has"):
        play_match(["random"], RULESET, 6, 5, max_turns=8, keep=Keep(results=file))
    with pytest.raises(ResultsError, match=r"line 1: players is 3, but this match has 4"):
        play_match(SPECS, Ruleset(4), 6, 5, max_turns=8, keep=Keep(results=file))


def test_files_that_do_not_go_together_are_refused(tmp_path):
    first, second, empty = tmp_path / "a.jsonl", tmp_path / "b.jsonl", tmp_path / "c.jsonl"
    play(first, games=6)
    play_match(["random"], Ruleset(4), 4, max_turns=8, keep=Keep(results=second))
    empty.touch()
    with pytest.raises(ResultsError, match=r"b.jsonl: line 1: players is 4, but 3 in .*a.jsonl; rate them apart"):
        read_results([first, second])
    with pytest.raises(ResultsError, match=r"is in .*a.jsonl already"):
        read_results([first, first])
    with pytest.raises(ResultsError, match="there are no games"):
        read_results([empty])


def test_different_agents_of_one_name_are_not_added_up(tmp_path):
    files = [tmp_path / f"{spec}.jsonl" for spec in ("greedy", "random")]
    for file in files:
        play_match([f"me={file.stem}", "scripted:link"], RULESET, 6, max_turns=8, keep=Keep(results=file))
    with pytest.raises(ResultsError, match=r"random.jsonl: line 1: me is 'random', but 'greedy' in .*greedy.jsonl; rate them"):
        read_results(files)


def test_games_are_not_written_one_by_one_into_what_is_to_be_compressed(tmp_path):
    with pytest.raises(ResultsError, match=r"games.jsonl.gz: games are written one by one.*; leave off .gz"):
        play(tmp_path / "games.jsonl.gz", games=6)


def test_a_file_in_use_is_refused(tmp_path):
    file = tmp_path / "games.jsonl"

    def meet(_):
        play(file, games=6)

    with pytest.raises(ResultsError, match="in use by another match"):
        play(file, games=6, on_game_end=meet)


def test_a_field_given_twice_is_refused(tmp_path):
    file = tmp_path / "games.jsonl"
    play(file, games=6)
    lines = file.read_text().splitlines()
    for field, inside in (("turns", '{"turns": 1, '), ("total", None)):
        second = lines[1].replace("{", inside, 1) if inside else lines[1].replace('"total":', '"total": 1, "total":', 1)
        file.write_text("\n".join([lines[0], second, *lines[2:]]) + "\n")
        for use in (lambda: list(read_lines(file)), lambda: play(file, games=6)):
            with pytest.raises(ResultsError, match=rf"games\.jsonl: line 2: field {field} is given twice"):
                use()


def test_what_grows_without_end_is_refused_at_once(tmp_path, monkeypatch):
    """Zeros that are a gigabyte when they are decompressed, behind them what is no gzip: nobody comes so far."""
    (tmp_path / "bomb.jsonl.gz").write_bytes(gzip.compress(bytes(2**24)) * 64 + b"no gzip")
    with pytest.raises(ResultsError, match=r"bomb\.jsonl\.gz: line 1: more than 131,072 bytes"):
        list(read_lines(tmp_path / "bomb.jsonl.gz"))
    (tmp_path / "bomb.jsonl").write_bytes(bytes(2**18))
    for use in (lambda: list(read_lines(tmp_path / "bomb.jsonl")), lambda: play(tmp_path / "bomb.jsonl", games=6)):
        with pytest.raises(ResultsError, match=r"bomb\.jsonl: line 1: more than 131,072 bytes"):
            use()
    file = tmp_path / "games.jsonl"
    play(file, games=6)
    monkeypatch.setattr("hansa_agents.results_file.LARGEST", 3000)
    with pytest.raises(ResultsError, match=r"more than 3,000 bytes, which is the most that is read; rate its games in parts"):
        list(read_lines(file))


def test_ranks_are_those_of_the_totals_and_columns_those_of_the_game(tmp_path):
    file = tmp_path / "games.jsonl"
    play_match(["random", "greedy"], RULESET, 2, 5, max_turns=8, keep=Keep(results=file))
    line = json.loads(file.read_text().splitlines()[0])
    changes = [({"ranks": line["ranks"][::-1]}, "ranks: "), ({"max_turns": None}, "truncated: true with max_turns null"),
               ({"scores": [{**row, "regions": 0, "mission": 0} for row in line["scores"]]}, "9 columns; expected the 7"),
               ({"specs": ["a", *line["specs"][1:]], "agents": ["x"] * 3}, "specs: ")]  # fmt: skip
    for change, said in changes:
        file.write_text(json.dumps(line | change) + "\n")
        with pytest.raises(ResultsError, match=f"line 1: .*{said}"):
            list(read_lines(file))
    own = line | {"reason": "forfeit", "truncated": False, "ranks": [0, 0, 0],
                  "forfeit": {"agent": line["agents"][0], "seat": 0, "reason": "x"}}  # fmt: skip
    file.write_text(json.dumps(own) + "\n")
    with pytest.raises(ResultsError, match=r"line 1: ranks: .* forfeited"):
        list(read_lines(file))
