"""`hansa dataset`: it writes all its files, or none."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import Result
from typer.testing import CliRunner

from hansa_agents.arena import play_game
from hansa_env import Game, Ruleset
from hansa_env.commands.cli import app
from hansa_env.play.dataset import Dataset

PAIR = Ruleset(2)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Records of three short games of `greedy` and `random`."""
    (tmp_path / "games").mkdir()
    for seed in range(3):
        record = play_game(["greedy", "random"], PAIR, seed, max_turns=2).record()
        (tmp_path / "games" / f"game-{seed}.json").write_text(json.dumps(record))
    return tmp_path


def dataset(folder: Path, *words: str) -> Result:
    texts = ["--texts", str(folder / "d.jsonl")]
    return CliRunner().invoke(app, ["dataset", str(folder / "games"), "--out", str(folder / "d.npz"), *texts, *words])


def spoil(folder: Path) -> None:
    """The second record's last decision is none."""
    path = folder / "games" / "game-1.json"
    record = json.loads(path.read_text())
    record["decisions"][-1][1] = "place trader nowhere"
    path.write_text(json.dumps(record))


def kept(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_parts_and_words_are_written_together(folder: Path) -> None:
    run = dataset(folder, "--games", "2")
    assert run.exit_code == 0, run.output
    parts = [Dataset.load(folder / f"d-{number}.npz") for number in range(2)]
    assert len((folder / "d.jsonl").read_text().splitlines()) == sum(len(part.actions) for part in parts)
    assert sorted(kept(folder)) == ["d-0.npz", "d-1.npz", "d.jsonl"]
    assert " decisions of 3 games (" in run.stdout
    one = CliRunner().invoke(app, ["dataset", str(folder / "games" / "game-0.json"), "--out", str(folder / "one.npz")])
    assert " decisions of 1 game (" in one.stdout


@pytest.mark.parametrize("games", ["1", "9"])
def test_a_broken_record_leaves_every_file_as_it_was(folder: Path, games: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = SimpleNamespace(
        check_dataset_id=lambda _: None, parts_to_minari=lambda *_, **__: pytest.fail("a dataset of Minari is begun")
    )
    monkeypatch.setitem(sys.modules, "hansa_env.api.minari", asked)
    before = kept(folder)
    spoil(folder)
    run = dataset(folder, "--games", games, "--minari", "hansa/test-v0")
    assert run.exit_code == 2 and "game-1.json: decision" in run.output, run.output
    assert kept(folder) == before


def test_a_game_that_is_there_twice_is_refused(folder: Path) -> None:
    """Else it would count twice."""
    game = folder / "games" / "game-0.json"
    run = CliRunner().invoke(app, ["dataset", str(game), str(folder / "games"), "--out", str(folder / "d.npz")])
    assert run.exit_code == 2 and "game-0.json: is named twice; name every game once" in run.output, run.output
    thought = json.loads(game.read_text()) | {"estimates": None, "seed": None}
    (folder / "games" / "more.json").write_text(json.dumps(thought, indent=2))
    run = dataset(folder)
    assert run.exit_code == 2 and "more.json: is the same game as" in run.output and kept(folder) == {}


@pytest.mark.parametrize("games", ["1", "9"])
def test_records_of_two_rulesets_are_refused_in_whatever_parts(folder: Path, games: str) -> None:
    (folder / "games" / "game-9.json").write_text(json.dumps(play_game(["greedy"], Ruleset(3), 1, max_turns=2).record()))
    run = dataset(folder, "--games", games)
    assert run.exit_code == 2 and "game-9.json: of 3 players" in run.output and "make a dataset of each" in run.output
    assert not kept(folder)


def test_a_file_that_cannot_be_put_in_place_is_named(folder: Path) -> None:
    (folder / "d.npz").mkdir()
    run = dataset(folder)
    assert run.exit_code == 2 and f"{folder / 'd.npz'}, which is a folder" in run.output and ".partial" not in run.output, (
        run.output
    )
    run = CliRunner().invoke(app, ["dataset", str(folder / "games"), "--out", str(folder / "none" / "d.npz")])
    assert run.exit_code == 2 and f"there is no folder {folder / 'none'};" in run.output, run.output


def test_an_agent_that_did_not_play_is_not_asked(folder: Path) -> None:
    for asked in ("tree=rollout", "ppo"):
        run = dataset(folder, "--ask", "greedy", "--ask", asked)
        name = asked.partition("=")[0]
        assert run.exit_code == 2 and f"no record names {name!r}; expected 'greedy', 'random'" in run.output, run.output
        assert not kept(folder)
    run = dataset(folder, "--ask", "random=greedy", "--games", "1")
    assert run.exit_code == 0 and Dataset.load(folder / "d-2.npz").policies.any(), run.output


def test_other_files_of_the_project_are_told_what_reads_them(tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    match = ["arena", "random", "--players", "2", "--games", "2", "--max-turns", "1", "--results", str(results)]
    assert CliRunner().invoke(app, match).exit_code == 0
    (tmp_path / "collection.json").write_text('{"format": "hansa-collection/3", "specs": ["random"]}')
    for words, said in (
        (["replay", str(results)], "holds the results of a match, which hansa results reads"),
        (["dataset", str(tmp_path)], "its folder is one already, and Dataset.load reads each part-*.npz in it"),
    ):
        done = CliRunner().invoke(app, words)
        assert done.exit_code == 2 and said in done.stderr.splitlines()[-1], done.output


@pytest.mark.parametrize(
    "words",
    [
        ["results", "FILE"], ["ladder", "--file", "FILE"], ["puzzles", "random", "--file", "FILE"],
        ["table", "--openings", "FILE", "--no-browser"], ["benchmark", "--show", "FILE"], ["benchmark", "--show", "FILE.gz"],
        ["blend", "FILE=0.5", "FILE=0.5", "--out", "FILE.safetensors"], ["export", "FILE", "--onnx", "FILE.onnx"],
    ],
    ids=lambda words: " ".join(words),
)  # fmt: skip
def test_a_record_given_in_place_of_another_file_is_told_what_reads_it(tmp_path: Path, words: list[str]) -> None:
    record = json.dumps(Game(Ruleset(2)).record())
    (tmp_path / "game.json").write_text(record)
    (tmp_path / "game.json.gz").write_bytes(gzip.compress(record.encode()))
    done = CliRunner().invoke(app, [one.replace("FILE", str(tmp_path / "game.json")) for one in words])
    said = done.stderr.splitlines()[-1]
    assert done.exit_code == 2 and "is the record of a game, which hansa replay, view and analyse read" in said, done.output
