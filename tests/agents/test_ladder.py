"""The standing ladder, and where another agent stands on it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from filelock import FileLock
from typer.testing import CliRunner

from hansa_agents.arena import MatchInterrupted, play_match
from hansa_agents.ladder import Ladder, kept_file
from hansa_agents.ladder.unfinished import Unfinished
from hansa_agents.line_ups import MatchError
from hansa_agents.results_file import ResultsError, read_lines
from hansa_agents.scripted.styles import style_names
from hansa_env import Ruleset
from hansa_env.commands.cli import app

PAIR = Ruleset(2)


@pytest.fixture(scope="module")
def small() -> Ladder:
    """Three agents of which one clearly loses."""
    ladder = Ladder(PAIR)
    ladder.play(["random", "greedy", "scripted:actions"], 60, seed=1)
    return ladder


def copy(ladder: Ladder) -> Ladder:
    return Ladder(ladder.ruleset, list(ladder.lines), list(ladder.results))


def test_it_is_read_as_it_was_kept(small, tmp_path: Path) -> None:
    small.write(tmp_path / "kept.jsonl.gz")
    again = Ladder.read(tmp_path / "kept.jsonl.gz")
    assert again.ruleset == PAIR and again.lines == json.loads(json.dumps(small.lines))
    assert again.match().ratings == small.match().ratings
    assert again.agents == {name: name for name in ("random", "greedy", "scripted:actions")}
    again.write(tmp_path / "again.jsonl.gz")
    assert (tmp_path / "again.jsonl.gz").read_bytes() == (tmp_path / "kept.jsonl.gz").read_bytes()


def test_an_agent_is_placed_by_games_against_all_others_until_its_interval_is_narrow(small) -> None:
    wide, narrow = copy(small), copy(small)
    few = wide.place("new=random", ci_width=2000, max_games=1000)
    many = narrow.place("new=random", ci_width=150, max_games=1000)
    assert few == 6 < many, "two seats at a table with each of three"
    for ladder, games in ((wide, few), (narrow, many)):
        assert len(ladder.results) == len(ladder.lines) == len(small.results) + games
        assert all("new" in result.agents for result in ladder.results[len(small.results) :])
    rating = narrow.match().ratings["new"]
    assert rating.high - rating.low <= 150
    assert rating.low < 0 < rating.high, "it is the same as random, which is at 0"


def test_so_many_games_are_enough_whatever_the_interval(small) -> None:
    assert copy(small).place("new=random", ci_width=1, max_games=13) == 18


def timeless(ladder: Ladder) -> list[dict]:
    return [{name: value for name, value in line.items() if name != "seconds"} for line in ladder.lines]


def stops_after(games: int):
    """Ctrl-C at a game's end, and the numbers of games that ended."""
    ended: list[int] = []

    def add(result) -> None:
        ended.append(result.number)
        if len(ended) == games:
            raise KeyboardInterrupt

    return add, ended


@pytest.mark.parametrize("games", [1, 8])
def test_a_placement_that_is_stopped_goes_on_with_its_games(small, tmp_path: Path, games: int) -> None:
    whole, ladder, again = copy(small), copy(small), copy(small)
    unfinished = Unfinished(tmp_path / "games")
    count = whole.place("new=random", ci_width=180, max_games=1000, seed=7)
    assert count > 20
    stop, _ = stops_after(games)
    with pytest.raises(MatchInterrupted):
        ladder.place("new=random", ci_width=180, max_games=1000, seed=7, unfinished=unfinished, on_game_end=stop)
    assert len(ladder.results) == len(ladder.lines) == len(small.results) + games, "what was played counts"
    never, ended = stops_after(-1)
    skipped: list[int] = []
    assert count == again.place(
        "new=random", ci_width=180, max_games=1000, seed=7, unfinished=unfinished, on_game_end=never,
        on_begin=lambda _, played: skipped.append(played),
    )  # fmt: skip
    assert sum(skipped) == games and len(ended) == count - games, "none is played again"
    assert timeless(again) == timeless(whole)
    assert again.match().ratings == whole.match().ratings


def test_games_of_another_placement_are_not_taken_for_it(small, tmp_path: Path) -> None:
    unfinished = Unfinished(tmp_path / "games")
    copy(small).place("new=random", ci_width=2000, max_games=6, unfinished=unfinished)
    with pytest.raises(ResultsError, match=r"deal-0.jsonl: line 1: .*games is left from placing new; remove it to begin anew"):
        copy(small).place("new=greedy", ci_width=2000, max_games=6, unfinished=unfinished)
    (unfinished.folder / "mine.txt").touch()
    unfinished.forget()
    assert [file.name for file in unfinished.folder.iterdir()] == ["mine.txt"]


def test_the_command_keeps_what_was_played_when_it_is_stopped(small, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    small.write(tmp_path / "some.jsonl.gz")
    before = (tmp_path / "some.jsonl.gz").read_bytes()
    command = ["ladder", "one=random", "two=random", "-p", "2", "--file", "some.jsonl.gz", "--ci-width", "2000", "--keep"]
    stop, _ = stops_after(9)
    with monkeypatch.context() as patched:
        patched.setattr("hansa_agents.commands._Counter.add", lambda self, result: stop(result))
        stopped = CliRunner().invoke(app, command)
    assert stopped.exit_code == 130
    assert "one=random played 6 games\n" in stopped.output and "69 games" in stopped.output
    assert "stopped after 3 games of two=random, kept in ladder-some-two; the same command continues" in stopped.output
    assert (tmp_path / "some.jsonl.gz").read_bytes() == before
    assert sum(len(read_lines(file)) for file in (tmp_path / "ladder-some-two").glob("*.jsonl")) == 3
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    assert "going on with 3 games that were played before" in done.output
    assert len(Ladder.read(tmp_path / "some.jsonl.gz").results) == 60 + 6 + 8
    assert [file.name for file in tmp_path.iterdir()] == ["some.jsonl.gz"], "nothing is left behind"


def test_agents_come_in_the_order_of_their_ratings_with_the_same_figures(small) -> None:
    match = small.match()
    ranked = match.ranked()
    points = [ranked.ratings[agent].points for agent in ranked.agents]
    assert points == sorted(points, reverse=True) and len(points) == 3
    assert [row.agent for row in ranked.rows] == list(ranked.agents)
    assert {row.agent: row for row in ranked.rows} == {row.agent: row for row in match.rows}
    assert ranked.ratings == match.ratings and ranked.results == match.results


def test_who_is_on_it_already_needs_another_name(small) -> None:
    with pytest.raises(MatchError, match=r"'greedy' is on the ladder already; NAME=SPEC"):
        copy(small).place("greedy", 100, 10)


def test_who_is_on_it_plays_further_games_and_none_a_second_time(small) -> None:
    ladder = copy(small)
    ladder.place("new=random", ci_width=2000, max_games=6)
    assert copy(small).place("greedy=greedy", 2000, 1, more=True) == 4, "the spec may be said"
    assert ladder.place("new=random", 2000, 6, more=True) == 6 and ladder.place("greedy", 2000, 6, more=True) == 6
    games = [(result.seed, result.agents) for result in ladder.results]
    assert len(games) == len(set(games)) == 60 + 6 + 6 + 6
    assert ladder.lines[-12]["run_seed"] == 1 and ladder.lines[-1]["run_seed"] == 2, "the first after those it has played"
    wrong = {"new": "'new' is new=random on the ladder, not new", "other=greedy": "'other' is not on the ladder"}
    for spec, said in wrong.items():
        with pytest.raises(MatchError, match=said):
            ladder.place(spec, 2000, 6, more=True)


def test_tables_of_some_agents_can_be_left_out(small) -> None:
    ladder = copy(small)
    assert ladder.place("new=random", 2000, 4, exclude=["greedy"]) == 4
    assert all("greedy" not in result.agents for result in ladder.results[60:])
    for exclude, said in ((["nobody"], "'nobody' is not on the ladder; there are"), ([*ladder.agents], "nobody is left")):
        with pytest.raises(MatchError, match=said):
            ladder.place("last=random", 2000, 4, exclude=exclude)


def test_the_games_of_one_that_has_changed_are_played_anew(small, tmp_path: Path) -> None:
    file = tmp_path / "some.jsonl.gz"
    small.write(file)
    command = ["ladder", "greedy=scripted:link", "--players", "2", "--file", str(file), "--ci-width", "2000", "--keep"]
    assert "is on the ladder already" in CliRunner().invoke(app, command).output
    both = CliRunner().invoke(app, [*command, "--restart", "--more"])
    assert both.exit_code == 2 and "expected one of the two" in both.output
    done = CliRunner().invoke(app, [*command, "--restart", "--exclude", "random"])
    assert done.exit_code == 0, done.output
    kept = Ladder.read(file)
    assert kept.agents["greedy"] == "scripted:link" and len(kept.results) == 20 + 2
    assert [line for line in kept.lines if "greedy" not in line["agents"]] == [
        json.loads(json.dumps(line)) for line in small.lines if "greedy" not in line["agents"]
    ]
    again = CliRunner().invoke(app, [*command, "--more"])
    assert again.exit_code == 0 and len(Ladder.read(file).results) == 22 + 4
    nobody = CliRunner().invoke(app, ["ladder", "new=random", *command[2:], "--restart"])
    assert nobody.exit_code == 2 and "'new' is not on the ladder" in nobody.output


def test_who_is_only_named_plays_as_it_did(small, tmp_path: Path) -> None:
    file = tmp_path / "some.jsonl.gz"
    ladder = copy(small)
    ladder.place("new=scripted:link", 2000, 6)
    ladder.write(file)
    options = ["--players", "2", "--file", str(file), "--ci-width", "2000", "--keep"]
    for how, games in (("--more", 12), ("--restart", 6)):
        done = CliRunner().invoke(app, ["ladder", "new", *options, how])
        assert done.exit_code == 0, done.output
        specs = [result.specs[result.agents.index("new")] for result in Ladder.read(file).results if "new" in result.agents]
        assert specs == ["scripted:link"] * games


def test_all_of_them_may_play_anew_and_options_of_nobody_are_refused(small, tmp_path: Path) -> None:
    file = tmp_path / "some.jsonl.gz"
    small.write(file)
    options = ["--players", "2", "--file", str(file), "--ci-width", "2000"]
    both = ["greedy", "scripted:actions", "--restart", "--exclude", "scripted:actions"]
    two = CliRunner().invoke(app, ["ladder", *both, *options, "--keep"])
    assert "nobody is left" in two.output, "but random, who met nobody else"
    assert Ladder.read(file).lines == json.loads(json.dumps(small.lines)), "nothing was written"
    for wrong, said in (
        (["--more"], "for agents that play"),
        (["--keep"], "for agents that play"),
        (["a=random", "--exclude", "nobody"], "'nobody' is not on the ladder; there are greedy"),
    ):
        refused = CliRunner().invoke(app, ["ladder", *wrong, *options])
        assert refused.exit_code == 2 and said in refused.output, refused.output


def test_games_that_were_stopped_are_not_dropped_in_silence(small, tmp_path: Path) -> None:
    """Where others have come to the ladder since, the next deals are others: that is said."""
    ladder, unfinished = copy(small), Unfinished(tmp_path / "left")
    add, _ = stops_after(2)
    with pytest.raises(MatchInterrupted):
        ladder.place("greedy", 2000, 6, more=True, unfinished=unfinished, on_game_end=add)
    assert [file.name for file in sorted(unfinished.folder.glob("*.jsonl"))] == ["deal-2.jsonl"]
    changed = copy(small)
    changed.place("scripted:actions", 2000, 6, more=True)
    with pytest.raises(ResultsError, match=r"left is left from other games.*from seed 2 on.*from 3 on; remove it"):
        changed.place("greedy", 2000, 6, more=True, unfinished=unfinished)
    again = copy(small)
    assert again.place("greedy", 2000, 6, more=True, unfinished=unfinished) == 4


def test_the_command_shows_places_and_keeps(small, tmp_path: Path) -> None:
    file = tmp_path / "some.jsonl.gz"
    small.write(file)
    options = ["--players", "2", "--file", str(file), "--ci-width", "2000"]
    shown = CliRunner().invoke(app, ["ladder", *options])
    assert shown.exit_code == 0 and "60 games" in shown.output
    places = [line.split()[0] for line in shown.output.splitlines() if line.split() and line.split()[0] in small.agents]
    assert places[-1] == "random" and set(places) == set(small.agents), "the best comes first"
    placed = CliRunner().invoke(app, ["ladder", "again=greedy", *options, "--keep"])
    assert placed.exit_code == 0, placed.output
    assert "again=greedy played 6 games" in placed.output and "again" in Ladder.read(file).agents
    wrong = CliRunner().invoke(app, ["ladder", "nobody", *options])
    assert wrong.exit_code == 2 and "unknown agent 'nobody'" in wrong.output


def test_a_match_of_ones_own_is_a_ladder_too_and_stays_a_results_file(tmp_path: Path) -> None:
    """Plain text stays plain text, and games go on being cut off where the file's were."""
    file = tmp_path / "mine.jsonl"
    play_match(["random", "greedy"], PAIR, 4, max_turns=6, results=file)
    command = ["ladder", "new=random", "--players", "2", "--file", str(file), "--ci-width", "5000", "--keep"]
    kept = CliRunner().invoke(app, command)
    assert kept.exit_code == 0, kept.output
    assert {line.max_turns for line in read_lines(file)} == {6} and len(read_lines(file)) == 8


def test_who_is_placed_at_the_same_time_is_kept_too(small, tmp_path: Path) -> None:
    file = tmp_path / "some.jsonl.gz"
    small.write(file)
    one, two, same = (Ladder.read(file) for _ in range(3))
    one.place("one=random", 2000, 6)
    two.forget("random")
    two.place("two=greedy", 2000, 6)
    same.place("one=random", 2000, 6)
    for ladder in (one, two):
        ladder.keep(file)
    assert set(Ladder.read(file).agents) == {"greedy", "scripted:actions", "one", "two"}
    assert len(Ladder.read(file).results) == 20 + 4 + 4, "those against random are forgotten"
    before = file.read_bytes()
    with pytest.raises(ResultsError, match=r"has a game of .*one.* already, kept by another placement"):
        same.keep(file)
    other = Ladder.read(file)
    other.forget("one")
    other._forgotten.clear()
    other.place("one=greedy", 2000, 6, seed=50)
    with pytest.raises(ResultsError, match="has other games of one by now: one=random, not one=greedy"):
        other.keep(file)
    assert file.read_bytes() == before and [one.name for one in tmp_path.iterdir()] == [file.name]


def test_what_is_forgotten_is_not_kept(small, tmp_path: Path) -> None:
    file = tmp_path / "some.jsonl.gz"
    small.write(file)
    ladder = Ladder.read(file)
    ladder.place("new=greedy", 2000, 6)
    ladder.forget("new")
    ladder.keep(file)
    assert Ladder.read(file).lines == json.loads(json.dumps(small.lines))


def test_what_another_match_writes_to_is_left_alone(small, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("hansa_agents.ladder.PATIENCE", 0.2)
    file = tmp_path / "some.jsonl.gz"
    small.write(file)
    before, ladder = file.read_bytes(), Ladder.read(file)
    ladder.place("new=greedy", 2000, 6)
    with FileLock(tmp_path / ".some.jsonl.gz.lock"), pytest.raises(ResultsError, match="is in use by another match"):
        ladder.keep(file)
    assert file.read_bytes() == before
    ladder.keep(file)
    assert "new" in Ladder.read(file).agents


def test_an_oracle_has_its_place(small, tmp_path: Path) -> None:
    file = tmp_path / "some.jsonl.gz"
    small.write(file)
    spec = "tests.agents.faulty:Oracle"
    for name, how, games in (
        (f"sees={spec}", [], 6), ("sees", ["--more"], 12), ("sees (oracle)", ["--more"], 18), ("sees", ["--restart"], 6)
    ):  # fmt: skip
        options = ["--players", "2", "--file", str(file), "--ci-width", "2000", "--keep", *how, "--agent", spec]
        done = CliRunner().invoke(app, ["ladder", name, *options])
        assert done.exit_code == 0, done.output
        assert sum("sees (oracle)" in result.agents for result in Ladder.read(file).results) == games


def test_a_placement_under_way_is_not_to_be_removed(small, tmp_path: Path) -> None:
    unfinished = Unfinished(tmp_path / "games")
    stop, _ = stops_after(1)

    def meanwhile(result) -> None:
        with pytest.raises(ResultsError, match=r"in use by another match; wait for it, or name another file$"):
            copy(small).place("new=random", 2000, 6, unfinished=unfinished)
        stop(result)

    with pytest.raises(MatchInterrupted):
        copy(small).place("new=random", 2000, 6, unfinished=unfinished, on_game_end=meanwhile)


def test_a_ladder_of_other_games_is_refused(small, tmp_path: Path) -> None:
    file = tmp_path / "some.jsonl.gz"
    small.write(file)
    for options, said in ((["--players", "5"], "--players is 5, but"), (["--board", "east"], "--board is east, but")):
        refused = CliRunner().invoke(app, ["ladder", "--file", str(file), *options])
        assert refused.exit_code == 2 and said in refused.output.replace("\n", " "), refused.output
    assert CliRunner().invoke(app, ["ladder", "--file", str(file)]).exit_code == 0


def test_a_broken_file_is_refused_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl.gz").write_bytes(b"no")
    with pytest.raises(ResultsError, match=r"x\.jsonl\.gz: cannot be decompressed"):
        Ladder.read(tmp_path / "x.jsonl.gz")


def test_where_no_ladder_is_kept_that_is_said() -> None:
    refused = CliRunner().invoke(app, ["ladder", "--players", "3", "--board", "east"])
    assert refused.exit_code == 2 and "no ladder of 3 players on the board east is kept" in refused.output
    assert kept_file(3, "base-2-3") == kept_file(3)


#: By players, games in which those that take a second a game and more have met anybody at least; others 400. Today's `ppo` has
#: not met them: they think with the networks of version 0.2, and keep the games that they played with these.
FEWER = {
    2: {"search-0.2": 20, "rollout": 10, "tree-0.2": 20, "lookahead-0.2": 28},
    3: {},
    4: {"tree-0.2": 112, "lookahead-0.2": 112},
    5: {"tree-0.2": 280, "lookahead-0.2": 280},
}
SLOW = {"tree-0.2", "search-0.2", "rollout", "lookahead-0.2"}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_kept_ladders_have_met_often_enough(players: int) -> None:
    """At least 400 games in which any two of them sat, and about as often one just before the other as the other way round."""
    ladder = Ladder.read(kept_file(players))
    assert ladder.ruleset == Ruleset(players)
    names = sorted(ladder.agents)
    slow = SLOW - {"search-0.2", "rollout"} if players > 3 else SLOW
    styles = {f"scripted:{style}" for style in style_names()}
    assert set(names) == {"random", "greedy", "ppo-0.2"} | styles | slow | {"ppo"}
    for i, one in enumerate(names):
        for other in names[i + 1 :]:
            if "ppo" in (one, other) and SLOW & {one, other}:
                continue
            tables = [result.agents for result in ladder.results if {one, other} <= set(result.agents)]
            distances = [(table.index(other) - table.index(one)) % players for table in tables]
            behind, before = (distances.count(distance) for distance in (1, players - 1))
            assert abs(behind - before) <= (behind + before) / 3, (one, other)
            assert len(tables) >= min(FEWER[players].get(name, 400) for name in (one, other)), (one, other)


def test_an_agent_with_another_model_is_not_counted_in(small, tmp_path: Path) -> None:
    ladder, model = copy(small), tmp_path / "model"
    spec = f"new=tests.agents.models:FromFile:{model}"
    model.write_text("one")
    ladder.place(spec, ci_width=2000, max_games=1)
    model.write_text("two")
    with pytest.raises(MatchError, match="the model of new is not the one that it had in other games; call it otherwise"):
        ladder.place(spec, ci_width=1, max_games=1, more=True)


def test_games_of_another_version_are_counted_together_only_where_that_is_said(small) -> None:
    ladder = copy(small)
    ladder.results = [replace(result, version="0.1.9") for result in ladder.results]
    with pytest.raises(MatchError, match=r"games that hansa-env 0\.1\.9 played; .*: --any-version"):
        ladder.place("new=random", ci_width=2000, max_games=1)
    assert ladder.place("new=random", ci_width=2000, max_games=1, any_version=True) == 6


@pytest.mark.parametrize(
    ("old", "new"),
    [(["--width=9"], "--ci-width"), (["--most", "9"], "--max-games"), (["--anew"], "--restart"), (["--without"], "--exclude")],
)
def test_an_option_by_its_old_name_is_refused_with_the_new_one(old: list[str], new: str) -> None:
    found = CliRunner().invoke(app, ["ladder", "random", *old])
    assert found.exit_code == 2 and f"'{new}' now" in found.output


def test_what_follows_two_dashes_is_no_option() -> None:
    found = CliRunner().invoke(app, ["ladder", "--", "--width"])
    assert "'--ci-width' now" not in found.output and "unknown agent '--width'" in found.output
