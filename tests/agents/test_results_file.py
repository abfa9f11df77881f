"""Every game is a line of the results file; runs go on with it, and old files are rated again."""

from __future__ import annotations

import json
import subprocess
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from hansa_agents.arena import Compute, Faults, Keep, MatchInterrupted, play_match
from hansa_agents.line_ups import MatchError
from hansa_agents.records import Records
from hansa_agents.results import Match
from hansa_agents.results_file import ResultsError, read_lines, read_results
from hansa_env import Game, Ruleset, make_agent
from hansa_env.commands.cli import app
from hansa_env.version import __version__
from tests.agents.matches import RULESET, play


def play_with_forfeits(file: Path | None, **options) -> Match:
    """A match in which some games are forfeited: agents that may forfeit play in a process of their own, started for each."""
    return play(file, specs=["tests.agents.faulty:Raises", "random"], faults=Faults("forfeit"), **options)


@pytest.fixture(scope="module")
def forfeited(tmp_path_factory: pytest.TempPathFactory) -> tuple[Match, Path]:
    """A match in which some games were forfeited, and its file; neither is to be changed."""
    file = tmp_path_factory.mktemp("forfeited") / "new folder" / "games.jsonl"
    return play_with_forfeits(file, games=60, max_turns=6), file


def timeless(file: Path) -> list[dict]:
    """The lines of a file by number, without what depends on the machine."""
    lines = sorted((json.loads(line) for line in file.read_text().splitlines()), key=lambda line: line["game"])
    return [{name: value for name, value in line.items() if name != "seconds"} for line in lines]


def test_a_line_says_everything_about_its_game(forfeited):
    match, file = forfeited
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert sorted(line["game"] for line in lines) == list(range(60))
    by_number = {result.number: result for result in match.results}
    assert set(match.ends) == {"forfeit", "truncated"}
    for line in lines:
        result = by_number[line["game"]]
        assert line["agents"] == list(result.agents) and line["specs"] == list(result.specs)
        assert (line["players"], line["board"], line["run_seed"], line["max_turns"]) == (3, "base-2-3", 5, 6)
        assert [row["total"] for row in line["scores"]] == result.scores[:, -1].tolist()
        assert line["ranks"] == result.ranks.tolist()
        assert line["seconds"] == [round(seconds, 6) for seconds in result.seconds]
        assert line["decisions"] == list(result.decisions) and line["seed"] == result.seed
        assert line["truncated"] == (line["reason"] == "truncated")
        assert (line["forfeit"] is None) == (line["reason"] != "forfeit")


def test_names_and_specs_are_no_longer_than_is_read(tmp_path):
    file = tmp_path / "games.jsonl"
    long = [make_agent("random", RULESET, seed) for seed in range(3)]
    for agent in long:
        agent.name = "n" * 200
    play(file, 6, long)
    assert {name[-4:] for line in read_lines(file) for name in line.agents} == {"nnnn", " (2)", " (3)"}
    seer = make_agent("random", RULESET)
    seer.sees_hidden, seer.name = True, "s" * 192
    with pytest.raises(MatchError, match=r"has 201 characters with ' \(oracle\)'; expected at most 200: NAME=SPEC"):
        play(tmp_path / "other.jsonl", 6, [seer, "random"])
    mixture = "mixture:" + "+".join(["scripted:network"] * 60)
    with pytest.raises(ResultsError, match=r"the spec of many has 1027 characters; expected at most 1000 in a results file"):
        play(tmp_path / "other.jsonl", 6, [f"many={mixture}", "random"])
    assert not (tmp_path / "other.jsonl").exists()


def test_a_line_names_version_and_models_and_old_ones_without_are_read(tmp_path):
    file = tmp_path / "games.jsonl"
    play_match(["tests.agents.models:Modelled:one", "random"], Ruleset(2), 2, max_turns=4, keep=Keep(results=file))
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    for line in lines:
        assert line["version"] == __version__
        assert dict(zip(line["agents"], line["models"])) == {"tests.agents.models:Modelled:one": "one", "random": None}
    for line in lines:
        del line["version"], line["models"]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert [(line.version, line.models) for line in read_lines(file)] == [(None, None)] * 2
    again = play_match(["tests.agents.models:Modelled:one", "random"], Ruleset(2), 4, max_turns=4, keep=Keep(results=file))
    assert again.games == 4, "they are resumed"


def test_games_of_another_model_or_version_are_not_gone_on_with(tmp_path):
    file, model = tmp_path / "games.jsonl", tmp_path / "model"
    spec = f"tests.agents.models:FromFile:{model}"
    model.write_text("one")
    play_match([spec, "random"], Ruleset(2), 2, max_turns=4, keep=Keep(results=file))
    model.write_text("two")
    with pytest.raises(ResultsError, match=r"line 1: models is .*'one'.*, but this match has .*'two'"):
        play_match([spec, "random"], Ruleset(2), 4, max_turns=4, keep=Keep(results=file))
    other = tmp_path / "other.jsonl"
    play_match([spec, "random"], Ruleset(2), 2, seed=9, max_turns=4, keep=Keep(results=other))
    with pytest.raises(ResultsError, match=r"the model of .* is not the one of .*games\.jsonl: line 1; rate them apart"):
        read_results([file, other])
    model.write_text("one")
    file.write_text(file.read_text().replace(f'"version": "{__version__}"', '"version": "0.1.9"'))
    with pytest.raises(ResultsError, match=rf"line 1: version is '0\.1\.9', but this match has '{__version__}'"):
        play_match([spec, "random"], Ruleset(2), 4, max_turns=4, keep=Keep(results=file))


@pytest.mark.slow
def test_games_of_a_bot_that_was_changed_are_not_gone_on_with(tmp_path):
    """Its file tells it from the one before, also where agents play in a process of their own."""
    bot = (
        "import hansa_agents\n"
        "class MyBot(hansa_agents.Bot):\n"
        "    def choose(self, game, random):\n"
        "        return game.legal()[{}]\n"
    )  # fmt: skip
    match = (
        "import sys; from hansa_env import Ruleset; from hansa_agents.arena import Faults, Keep, play_match\n"
        "play_match(['mybot:MyBot', 'random'], Ruleset(2), 2, max_turns=2, faults=Faults(sys.argv[1]), keep=Keep(sys.argv[1]))"
    )

    def played(on_fault: str) -> str:
        command = [sys.executable, "-c", match, on_fault]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300).stderr

    (tmp_path / "mybot.py").write_text(bot.format(0))
    assert played("raise") == played("forfeit") == ""
    assert played("raise") == "", "the same file goes on"
    (tmp_path / "mybot.py").write_text(bot.format(-1))
    for on_fault in ("raise", "forfeit"):
        assert "line 1: models is" in played(on_fault), on_fault


def test_files_are_read_back_and_rated_again(forfeited, tmp_path):
    match, file = forfeited
    again = Match.of(RULESET, 6, read_results([file]).results)
    assert [row.share for row in again.rows] == [row.share for row in match.rows]
    assert again.ends == match.ends
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    match, other = play(first), play(second, seed=6)
    both = read_results([first, second])
    assert len(both.results) == match.games + other.games
    assert Match.of(RULESET, 8, both.results).rows[1].seats == 90


def test_games_that_are_read_take_little_more_memory_than_their_file(tmp_path):
    """Of the lines, which take ten times as much, none is kept."""
    file = tmp_path / "games.jsonl"
    play(file)
    lines = [json.loads(line) | {"run_seed": seed} for line in file.read_text().splitlines() for seed in range(5, 15)]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    read_results([file])  # what is made once is there
    tracemalloc.start()
    try:
        found = read_results([file])
        _, taken = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(found.results) == 300 and taken < 3 * file.stat().st_size


@pytest.mark.parametrize("processes", [1, 2])
def test_an_interrupted_run_goes_on(tmp_path, processes):
    whole, file = tmp_path / "whole.jsonl", tmp_path / "games.jsonl"
    expected = play(whole)
    told = []

    def stop(result):
        told.append(result)
        if len(told) == 7:
            raise KeyboardInterrupt

    with pytest.raises(MatchInterrupted) as caught:
        play(file, on_game_end=stop, compute=Compute(processes))
    before = [result.number for result in told]
    counted = [result.number for result in caught.value.match.results]
    assert len(list(read_lines(file))) == 7 == len(counted) + caught.value.left_out
    assert counted == list(range(len(counted))) and len(counted) not in before, (
        "of those side by side, the short ones end first"
    )
    assert read_results([file]).missing == max(before) - 6
    told.clear()
    begun = []
    match = play(file, on_begin=lambda *given: begun.append(given), on_game_end=told.append)
    assert begun == [(30, 7)]
    assert sorted([*before, *(result.number for result in told)]) == list(range(30)), "none is played again"
    assert timeless(file) == timeless(whole)
    assert [row.share for row in match.rows] == [row.share for row in expected.rows]


def test_results_do_not_depend_on_the_number_of_processes(tmp_path):
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    play(one, games=60)
    play(two, games=60, compute=Compute(processes=2))
    assert timeless(one) == timeless(two)


def test_games_in_the_file_are_not_played_again(tmp_path):
    file = tmp_path / "games.jsonl"
    play(file, games=12)
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    lines[0]["turns"] += 1000
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    before = file.read_text()
    assert max(result.turns for result in play(file, games=12).results) >= 1000
    assert file.read_text() == before
    assert play(file, games=30).games == 30
    assert file.read_text().startswith(before)


def test_a_torn_last_line_is_played_again(tmp_path, caplog):
    file, whole = tmp_path / "games.jsonl", tmp_path / "whole.jsonl"
    play(whole)
    data = whole.read_bytes()
    for cut in (1, 2, 300, len(data) - 5):
        file.write_bytes(data[:-cut])
        caplog.clear()
        rest = list(read_lines(file))
        assert len(rest) in ((30,) if cut == 1 else (29, 0)), "without its end a line that reads well still counts"
        said = [f"{file}: line {len(rest) + 1} is left out: the rest of the game was never written"] * (cut > 1)
        assert caplog.messages == said
        assert play(file).games == 30
        assert caplog.messages == said * 2
        assert timeless(file) == timeless(whole)
    file.write_bytes(data + bytes(300))  # as a machine that stops may leave it
    assert play(file).games == 30 and file.read_bytes() == data


def test_records_of_all_games_or_a_share_of_the_deals(tmp_path):
    match = play_with_forfeits(None, records=Records(tmp_path / "all"), actions=True)
    assert match.forfeited
    files = sorted((tmp_path / "all").glob("*.json"))
    assert [file.name for file in files] == [f"game-{number:05}.json" for number in range(30)]
    for result, file in zip(match.results, files):
        data = json.loads(file.read_text())
        assert data["agents"] == list(result.agents) and data["seed"] == result.seed
        assert data == result.record(RULESET, 8)
        again = Game.from_record(data)
        assert again.decisions == data["decisions"] and again.scores() == result.scores.tolist()
        assert len(data["decisions"]) == sum(result.decisions)
    play(None, records=Records(tmp_path / "some", 0.4))
    kept = sorted(int(file.stem[5:]) for file in (tmp_path / "some").glob("*.json"))
    line_ups, deals = len(match.line_ups), np.unique([number // 6 for number in kept])
    assert len(deals) == 2 and len(kept) == 2 * line_ups, "two deals of five, with every line-up"
    with pytest.raises(ValueError, match="the share of records is 0"):
        Records(tmp_path, 0)


@pytest.mark.parametrize("earlier", [False, True], ids=["claimed", "of an earlier version"])
def test_a_folder_has_the_records_of_one_match(tmp_path, earlier):
    folder, file = tmp_path / "records", tmp_path / "games.jsonl"
    play(file, games=6, records=Records(folder))
    if earlier:
        (folder / ".match").unlink()
        first = folder / "game-00000.json"
        first.with_stem("game-00000-estimated").write_bytes(first.read_bytes())  # by which no folder can be judged

    def there() -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in folder.iterdir()}

    before = there()
    others = [dict(seed=6), dict(specs=["greedy", "random", "random"])]
    if not earlier:
        others += [dict(specs=["greedy", "greedy", "random"]), dict(specs=["random=greedy", "greedy=random"])]
    for other in others:
        with pytest.raises(MatchError, match=r"name another folder \(--records\)"):
            play(None, games=6, records=Records(folder), **other)
        assert there() == before
    play(file, games=12, records=Records(folder))
    after = there()
    assert len(after) == 13 + earlier and all(after[name] == data for name, data in before.items()), "the same match goes on"
    play(None, games=6, records=Records(folder))
    assert there() == after, "and may be played again"


def test_a_match_that_did_not_come_to_a_record_leaves_the_folder_free(tmp_path):
    def stop(*_):
        raise KeyboardInterrupt

    with pytest.raises(MatchInterrupted):
        play(None, games=6, records=Records(tmp_path / "records"), on_begin=stop)
    play(None, games=6, seed=6, records=Records(tmp_path / "records"))
    assert len(list((tmp_path / "records").glob("*.json"))) == 6


def test_games_of_a_results_file_without_records_or_actions_are_told(tmp_path, caplog):
    file, folder = tmp_path / "games.jsonl", tmp_path / "records"
    play(file, games=6, records=Records(folder))
    play(file, games=12, records=Records(folder))
    assert not caplog.messages and len(list(folder.glob("*.json"))) == 12, "who goes on with all its files has all records"
    play(file, games=12, records=Records(tmp_path / "other", 0.5), actions=True)
    assert not (tmp_path / "other").exists()
    assert caplog.messages == [
        f"{count} of the 12 games in {file} have no {what} and are not played again; name another results file to have it"
        for count, what in ((12, "actions"), (6, f"record in {tmp_path / 'other'}"))
    ]


def test_records_may_have_what_agents_thought(tmp_path):
    play_match(["greedy", "random"], RULESET, 2, max_turns=2, keep=Keep(records=Records(tmp_path, estimates=True)))
    thought_by = set()
    for file in tmp_path.glob("*.json"):
        data = json.loads(file.read_text())
        for (seat, text), said in zip(data["decisions"], data["estimates"], strict=True):
            thought_by.add((file.name, agent := data["agents"][seat]))
            assert (said["likeliest"][0][:2] == [text, 1.0]) if agent == "greedy" else said["likeliest"][0][1] <= 0.5
    assert len(thought_by) == 2 * 6, "both agents in every game"


def test_the_command_says_where_games_are_missing(tmp_path):
    file, other = tmp_path / "games.jsonl", tmp_path / "other.jsonl"
    play(file, games=6)
    play(other, games=6, specs=["greedy", "greedy", "random"])

    def told(*missing):
        lines = [line for line in file.read_text().splitlines(keepends=True) if json.loads(line)["game"] not in missing]
        file.write_text("".join(lines))
        return CliRunner().invoke(app, ["results", str(file), str(other)]).stderr

    assert "the numbers" not in told()
    assert "note: 1 game missing, by the numbers. " in told(3), "which no match of the same seed fills"
    assert "note: 2 games missing, by the numbers. " in told(0)
