"""Cross-play: everybody alone among copies of everybody else."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from typer.testing import CliRunner

from hansa_agents.arena import Match, play_match
from hansa_agents.benchmark import crossplay
from hansa_agents.benchmark.crossplay import CrossPlay, cross_play, models_and_specs
from hansa_agents.benchmark.heat_map import COLOURS, heat_map, page_of
from hansa_agents.game_line import ResultsError
from hansa_agents.line_ups import MatchError
from hansa_env import Ruleset
from hansa_env.commands.cli import app

THREE = Ruleset(3)


@pytest.fixture(scope="module")
def found() -> CrossPlay:
    return cross_play(["greedy", "random", "slow=scripted:link"], THREE, 12, 3, None)


def test_every_pair_meets_in_both_ways(found: CrossPlay) -> None:
    assert found.names == ("greedy", "random", "slow") and found.games == 6 * 12
    assert set(found.shares) == {(row, column) for row in range(3) for column in range(3) if row != column}
    assert found.matrix[0, 1] == 1 and found.matrix[1, 0] == 0 and found.matrix[1, 2] == 0
    assert np.diagonal(found.matrix) == pytest.approx(1 / 3)
    assert found.ratings["random"].points == 0 < found.ratings["slow"].points < found.ratings["greedy"].points


def test_of_two_players_a_pair_is_one_match() -> None:
    found = cross_play(["greedy", "scripted:link"], Ruleset(2), 20, 3, None)
    assert found.games == 20 and found.matrix[0, 1] + found.matrix[1, 0] == pytest.approx(1)


def test_games_that_were_played_are_not_played_again(tmp_path: Path) -> None:
    def play(games: int) -> tuple[CrossPlay, list[int]]:
        there = []
        found = cross_play(["greedy", "scripted:link"], THREE, games, 3, tmp_path, on_pair=lambda _, __, had: there.append(had))
        return found, there

    first, _ = play(6)
    again, there = play(6)
    assert there == [6, 6] and (again.matrix == first.matrix).all()
    assert play(9)[1] == [6, 6]


def test_games_of_others_in_the_folder_are_refused_by_its_option(tmp_path: Path) -> None:
    cross_play(["greedy", "random"], THREE, 3, 3, tmp_path)
    with pytest.raises(ResultsError, match=r"; name another folder \(--folder\), or ask for the same match$"):
        cross_play(["random", "greedy"], THREE, 3, 3, tmp_path)


def test_who_sees_what_is_hidden_is_called_what_it_was_called() -> None:
    """The games mark its name."""
    kinds = {"sly": "SeesHidden", "bad": "SeesHiddenAndRaises"}
    specs = [f"{name}=tests.agents.benchmark.sees_hidden:{kind}" for name, kind in kinds.items()]
    found = cross_play(specs, Ruleset(2), 2, 3, None)
    assert found.names == ("sly", "bad") and set(found.ratings) == {"sly", "bad"}
    assert found.forfeits == {"sly": 0, "bad": 2}


def test_fewer_than_two_are_refused() -> None:
    with pytest.raises(MatchError, match="1 agent; expected two or more"):
        cross_play(["greedy", "greedy"], THREE, 3, 0, None)


def test_how_many_models_of_a_run_are_taken_is_refused_where_there_is_no_run() -> None:
    found = CliRunner().invoke(app, ["crossplay", "greedy", "random", "--most", "3"])
    assert found.exit_code == 2 and "--most is for models of a run; expected the folder of one" in found.output


def test_a_run_stands_for_its_models_evenly_and_the_last(tmp_path: Path) -> None:
    run = tmp_path / "my=run"
    (run / "milestones").mkdir(parents=True)
    for count in range(1, 10):
        (run / "milestones" / f"{count * 500_000:011d}.safetensors").touch()
    (run / "model.safetensors").touch()
    specs = models_and_specs([str(run)], 4)
    assert [spec.partition("=ppo:")[0] for spec in specs] == ["my-run 0.5M", "my-run 2M", "my-run 3.5M", "my-run last"]
    assert specs[-1].endswith(str(run / "model.safetensors"))
    assert models_and_specs(["greedy", str(run)], 4) == ["greedy", *specs]
    assert len(models_and_specs([str(run)], 50)) == 10
    with pytest.raises(MatchError, match="has no models"):
        models_and_specs([str(tmp_path)], 4)


def test_models_of_runs_of_one_name_are_told_apart(tmp_path: Path) -> None:
    """By as much of their paths as it takes; and so are two late models of one run."""
    for seed, count in (("seed=1", 12_345_678_000), ("seed=2", 12_345_679_000)):
        place = tmp_path / seed / "ppo"
        (place / "milestones").mkdir(parents=True)
        (place / "milestones" / f"{count:011d}.safetensors").touch()
        (place / "model.safetensors").touch()
    specs = models_and_specs([str(tmp_path / "seed=1" / "ppo"), str(tmp_path / "seed=2" / "ppo")], 4)
    assert [spec.partition("=ppo:")[0] for spec in specs] == [
        "seed-1-ppo 12345.678M", "seed-1-ppo last", "seed-2-ppo 12345.679M", "seed-2-ppo last",
    ]  # fmt: skip


def test_the_picture_has_every_pair_in_its_colour(found: CrossPlay) -> None:
    root = ElementTree.fromstring(heat_map(found))
    space = "{http://www.w3.org/2000/svg}"
    told = {group.find(f"{space}title").text: group.find(f"{space}rect").get("fill") for group in root.iter(f"{space}g")}
    assert len(told) == 6
    best = next(fill for title, fill in told.items() if title.startswith("greedy among random: 100.0%"))
    worst = next(fill for title, fill in told.items() if title.startswith("random among greedy: 0.0%"))
    assert best == "rgb" + str(COLOURS[2]).replace(" ", "") and worst == "rgb" + str(COLOURS[0]).replace(" ", "")
    strange = cross_play(["<b>=greedy", "random"], THREE, 3, 3, None)
    assert "&lt;b&gt; among random" in heat_map(strange) and "<b>" not in page_of(strange)


def test_the_command_writes_matrix_page_and_picture(tmp_path: Path) -> None:
    words = ["crossplay", "greedy", "random", "--players", "3", "--games", "6", "--html", str(tmp_path / "c.html")]
    run = CliRunner().invoke(app, [*words, "--picture", str(tmp_path / "c.svg")])
    assert run.exit_code == 0 and "among random" in run.stdout and "100.0%" in run.stdout and "12 games" in run.stdout
    assert "greedy among random: 6 of 6" in run.stderr
    assert run.stderr.splitlines()[-2:] == [f"written to {tmp_path / name}" for name in ("c.html", "c.svg")]
    assert "<svg" in (tmp_path / "c.html").read_text() and ElementTree.parse(tmp_path / "c.svg")
    data = json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)
    assert data["format"] == "hansa-crossplay/1" and data["matrix"][0][1] == 1 and data["agents"] == ["greedy", "random"]
    wrong = CliRunner().invoke(app, [*words, "--picture", "c.gif"])
    assert wrong.exit_code == 2 and "expected a name that ends in .svg or .png" in wrong.stderr


def test_ctrl_c_prints_the_pairs_that_were_played_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stops(*given: object, **named: object) -> Match:
        if len(played) == 2:
            raise KeyboardInterrupt
        played.append(given[0])
        return play_match(*given, **named)  # type: ignore[arg-type]

    played: list[object] = []
    monkeypatch.setattr(crossplay, "play_match", stops)
    words = ["crossplay", "greedy", "random", "third=random", "fourth=random", "--players", "3", "--games", "3"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 130 and "6 games" in done.stdout, done.output
    by_name = {row[0]: row[1:] for line in done.stdout.splitlines() if len(row := line.split()) > 4}
    assert by_name["fourth"] == ["–"] * 6 and "100.0%" in by_name["greedy"]
    said = "stopped: 2 of 12 pairs played whole; the same command"
    assert done.stderr.splitlines()[-1] == f"{said} would continue with --folder"
    played.clear()
    done = CliRunner().invoke(app, [*words, "--html", str(tmp_path / "c.html"), "--mixture", "1"])
    left = "stopped: 2 of 12 pairs played whole; nothing is made of --html, --mixture before all are; the same command"
    assert done.stderr.splitlines()[-1].startswith(left) and not (tmp_path / "c.html").exists()
    played.clear()
    done = CliRunner().invoke(app, [*words, "--json", "--folder", str(tmp_path)])
    assert done.stderr.splitlines()[-1] == f"{said} continues"
    assert json.loads(done.stdout)["matrix"][0] == [1 / 3, 1.0, 1.0, None]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 130 and done.stdout == "" and "stopped: 0 of 12 pairs" in done.stderr


@pytest.mark.slow
def test_forfeits_are_told_with_whose_fault_they_were(found: CrossPlay, tmp_path: Path) -> None:
    """Whoever fails loses those games: its shares are not those of its play."""
    words = ["crossplay", "greedy", "bad=tests.agents.faulty:Raises", "--players", "3", "--games", "6"]
    run = CliRunner().invoke(app, [*words, "--html", str(tmp_path / "c.html")], terminal_width=300)
    assert run.exit_code == 0, run.output
    data = json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)
    assert data["forfeits"]["greedy"] == 0 < data["forfeits"]["bad"] == data["forfeited"]
    page = (tmp_path / "c.html").read_text()
    for told in (run.stdout, page):
        assert "A forfeited game is lost by every seat of the agent at fault" in told and "raised KeyError" in told
        assert "greedy among bad, game 0, seat " in told and "forfeits" in told
    assert found.forfeits == {"greedy": 0, "random": 0, "slow": 0} and "forfeit" not in page_of(found)
    two = cross_play(["tests.agents.faulty:Raises", "random"], Ruleset(2), 6, 3, None)
    assert two.forfeits["tests.agents.faulty:Raises"] == len(two.forfeited) > 0


def test_the_picture_as_pixels(found: CrossPlay) -> None:
    pytest.importorskip("resvg_py", reason="needs the extra 'picture'")
    from hansa_env.render.picture import png_of

    assert png_of(heat_map(found)).startswith(b"\x89PNG")


def test_models_that_somebody_named_otherwise_are_among_those_of_a_run(tmp_path: Path) -> None:
    place = tmp_path / "run" / "milestones"
    place.mkdir(parents=True)
    for name in ("00001000000", "best"):
        (place / f"{name}.safetensors").touch()
    assert models_and_specs([str(tmp_path / "run")], 5) == [
        f"run 1M=ppo:{place / '00001000000.safetensors'}", f"run last=ppo:{place / 'best.safetensors'}"
    ]  # fmt: skip
