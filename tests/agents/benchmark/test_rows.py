"""A row's file: played with the arena, resumed, read strictly, replayed, and found out where it was changed."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from hansa_agents.arena import Match, play_match
from hansa_agents.benchmark import command
from hansa_agents.benchmark import play as play_module
from hansa_agents.benchmark import verify as verify_module
from hansa_agents.benchmark.cells import CellGames
from hansa_agents.benchmark.fit import fits_of
from hansa_agents.benchmark.play import ReferencesFailed, faults_of, file_of, play_suite
from hansa_agents.benchmark.row_file import Row, RowError, published_numbers, read_row, write_row
from hansa_agents.benchmark.show import notes_of
from hansa_agents.benchmark.suite import HERO, read_suite
from hansa_agents.benchmark.verify import verify
from hansa_agents.game_line import LONGEST_GAME
from hansa_agents.line_ups import MatchError
from hansa_env.commands.cli import app
from hansa_env.commands.progress import Progress
from hansa_env.commands.progress.lines import Lines
from hansa_env.play.agents import ask_agents
from tests.agents.benchmark.played import KEYS, SUITE, cells, play, row_of
from tests.docs.tables import LEADERBOARD, PAGES

AGENT = "scripted:link"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("games")


@pytest.fixture(scope="module")
def played(folder: Path) -> list[CellGames]:
    return play(AGENT, folder)


@pytest.fixture
def row(played: list[CellGames], tmp_path: Path) -> Path:
    write_row(tmp_path / "row.jsonl.gz", row_of(AGENT, played))
    return tmp_path / "row.jsonl.gz"


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]


def rewritten(path: Path, change: Callable[[list[dict]], object]) -> Path:
    found = lines(path)
    change(found)
    path.write_bytes(gzip.compress("".join(json.dumps(line) + "\n" for line in found).encode()))
    return path


def checked(row: Row, agent: str | None = AGENT, share: float = 1.0):
    return verify(row, share, 0, agent, Progress())


def test_a_row_comes_back_as_it_was_and_is_right(row: Path, played: list[CellGames]) -> None:
    again = read_row(row)
    assert [one.cell.key for one in again.played] == list(KEYS)
    for one, other in zip(again.played, played):
        assert (one.ranks == other.ranks).all() and (one.totals == other.totals).all() and one.share == other.share
        assert one.actions == other.actions and sorted(one.actions) == published_numbers(one.cell, SUITE.published, 60)
    assert len(again.played[0].actions) == 3, "every rotation of the 20th deal"
    verdict = checked(again)
    assert verdict.right and verdict.replayed == 6 and verdict.games == 120 and not verdict.notes
    assert set(verdict.asked) == {"agent", "greedy"}
    assert all(asked.same == asked.decisions > 100 for asked in verdict.asked.values())
    before = row.read_bytes()
    write_row(row, again)
    assert row.read_bytes() == before


def test_the_same_command_goes_on_and_a_preview_is_a_beginning(folder: Path, played: list[CellGames]) -> None:
    file = folder / "base-3_among_greedy.jsonl"
    text = file.read_bytes()
    (again,) = play(AGENT, folder, 60, KEYS[:1])
    assert file.read_bytes() == text, "nothing was played again"
    (more,) = play(AGENT, folder, 66, KEYS[:1])
    assert file.read_bytes().startswith(text) and more.games == 66
    assert (more.ranks[:60] == again.ranks).all() and again.actions == played[0].actions


def test_games_of_another_agent_are_found_out(played: list[CellGames]) -> None:
    verdict = checked(row_of("scripted:network", played), "scripted:network")
    assert not verdict.right
    (problem,) = verdict.problems
    assert problem.startswith("agent: ") and problem.endswith("expected all")
    assert checked(row_of("scripted:network", played), None).right, "unless it is not asked"


@pytest.mark.parametrize(("model", "right"), [(None, False), ("weights", True)])
def test_only_a_network_may_decide_a_little_otherwise(
    played: list[CellGames], monkeypatch: pytest.MonkeyPatch, model: str | None, right: bool
) -> None:
    """One decision of the agent's hundreds comes out otherwise; the reference is not asked."""
    left = [1]

    def with_one_changed(*question: object) -> np.ndarray:
        found = ask_agents(*question)
        found[0] += left.pop() if left else 0
        return found

    def refuse(*_: object) -> None:
        raise ValueError("is not there")

    monkeypatch.setattr(verify_module, "ask_agents", with_one_changed)
    monkeypatch.setattr(verify_module, "model_hash_of", lambda _: model)
    monkeypatch.setattr(verify_module, "check_frozen", refuse)
    verdict = checked(row_of(AGENT, played, models={"base-3": model}))
    (asked,) = verdict.asked.values()
    assert asked.decisions - asked.same == 1 and asked.decisions > 100
    assert verdict.right == right and verdict.unasked == list(KEYS), "the reference's decisions are not known"


def test_who_may_round_in_one_cell_may_in_all(played: list[CellGames], monkeypatch: pytest.MonkeyPatch) -> None:
    """Decisions are counted by name over all cells, so that they are judged together."""
    left = [1]

    def with_one_changed(*question: object) -> np.ndarray:
        found = ask_agents(*question)
        found[0] += left.pop() if left else 0
        return found

    monkeypatch.setattr(verify_module, "ask_agents", with_one_changed)
    monkeypatch.setattr(verify_module, "check_frozen", lambda *_: None)
    exact, cell = played[0], played[1].cell
    rounding = replace(played[1], cell=replace(cell, reference=cell.reference.model_copy(update={"pool": "trained"})))
    for cells_of_row, right in (([exact], False), ([exact, rounding], True), ([rounding, exact], True)):
        left[:] = [1]
        verdict = checked(row_of(AGENT, cells_of_row), None)
        asked = verdict.asked["greedy"]
        assert asked.decisions - asked.same == 1 and asked.decisions > 100
        assert verdict.right == right


def test_somebody_is_asked_in_every_cell_however_few_games_are_published(played: list[CellGames]) -> None:
    """A tenth of three games would often be none of them."""
    for seed in range(5):
        verdict = verify(row_of(AGENT, played), 0.001, seed, AGENT, Progress())
        assert verdict.right and verdict.looked_at == 2 and set(verdict.asked) == {"agent", "greedy"} and not verdict.unasked
    assert verify(row_of(AGENT, played), 0.0, 0, AGENT, Progress()).unasked == list(KEYS)


def test_a_row_about_which_nobody_was_asked_is_not_called_right(row: Path) -> None:
    code, said, _ = hansa("--verify", row, "--share", 0)
    assert code == 3 and f"was asked nothing in {', '.join(KEYS)}" in said.replace("\n", " ")
    assert hansa("--verify", row)[0] == 0


def test_other_references_are_found_out(played: list[CellGames]) -> None:
    """Games among `greedy` are given out as games among `scripted:network`."""
    other = cells("base-3/among/scripted:network")[0]
    verdict = checked(row_of(AGENT, [replace(played[0], cell=other)]), None)
    assert any(text.startswith("scripted:network: ") and text.endswith("expected all") for text in verdict.problems)


def test_points_that_no_game_comes_to_are_found_out(played: list[CellGames]) -> None:
    number = min(played[0].actions)
    totals = played[0].totals.copy()
    totals[number] += 1
    verdict = checked(row_of(AGENT, [replace(played[0], totals=totals)]), None)
    assert [text for text in verdict.problems if f"game {number} comes to the points" in text] == verdict.problems != []


def test_decisions_that_are_not_legal_or_not_all_are_found_out(played: list[CellGames]) -> None:
    number = min(played[0].actions)
    first, *rest = played[0].actions[number]
    for actions, said in (([first, first + 500, *rest], "is not legal"), ([first, *rest][:-1], "is not over")):
        changed = replace(played[0], actions=played[0].actions | {number: actions})
        assert any(said in text for text in checked(row_of(AGENT, [changed]), None).problems), said


def test_fewer_decisions_than_are_published_are_found_out(played: list[CellGames]) -> None:
    """Else an agent would look slower a decision, or faster, than it is."""
    (problem,) = checked(row_of(AGENT, [replace(played[0], decisions=1)]), None).problems
    assert "is said to have taken 1 decisions in 60 games; it took" in problem


def test_more_decisions_than_the_other_games_can_have_are_found_out(played: list[CellGames]) -> None:
    """57 games are not published; the agent took fewer in the three that are than in all."""
    most = played[0].decisions + 57 * LONGEST_GAME
    (problem,) = checked(row_of(AGENT, [replace(played[0], decisions=most)]), None).problems
    assert f"is said to have taken {most:,} decisions in 60 games; it took" in problem
    assert checked(row_of(AGENT, [replace(played[0], decisions=57 * LONGEST_GAME)]), None).right


def test_an_author_does_not_choose_what_is_published(played: list[CellGames]) -> None:
    few = dict(list(played[0].actions.items())[1:])
    verdict = checked(row_of(AGENT, [replace(played[0], actions=few)]), None)
    assert "has not the decisions of the games that the suite wants published" in verdict.problems[0]


def test_another_model_is_found_out(played: list[CellGames]) -> None:
    verdict = checked(row_of(AGENT, played, models={"base-3": "other"}))
    assert verdict.problems == ["base-3: the agent's model is not that of the row"]


def break_ranks(found: list[dict]) -> None:
    found[1]["ranks"][0] = found[1]["ranks"][0][::-1]


def response(**other: float) -> dict[str, dict]:
    return {"base-3": {"by": "learning", "share": 0.5, "low": 0.4, "high": 0.7} | other}


def test_a_best_response_is_read(row: Path) -> None:
    found = read_row(rewritten(row, lambda found: found[0].update(responses=response())))
    assert found.card().settings[0].best_response == (0.5, 0.4, 0.7)


@pytest.mark.parametrize(("change", "said"), [
    (lambda found: found[0].update(format="hansa-other/1"), r"line 1: no row of a leaderboard"),
    (lambda found: found[0].update(format="hansa-game/1"), "holds the results of a match, which hansa results reads"),
    (lambda found: found[0].update(suite="hansa-bench/0"), r"line 1: there is no suite 'hansa-bench/0'"),
    (lambda found: found[0].update(suite_hash="0"), r"line 1: hansa-bench/1 had other contents there"),
    (lambda found: found[0].update(extra=1), r"line 1: field extra is unknown"),
    (lambda found: found[0].update(name="x`<img src=x>`"), r"line 1: (field )?name"),
    (lambda found: found[0].update(name=""), r"line 1: (field )?name"),
    (lambda found: found[0].update(spec=""), r"line 1: (field )?spec"),
    (lambda found: found[0]["about"].update(met=["nobody"]), r"line 1: met names 'nobody', which is no reference of"),
    (lambda found: found[0].update(models={"base-9": None}), r"line 1: 'base-9' is no setting"),
    (lambda found: found[1].update(cell="base-3/among/nobody"), r"line 2: cell 'base-3/among/nobody' is none of"),
    (lambda found: found[2].update(found[1]), r"line 3: cell 'base-3/among/greedy' is there twice"),
    (lambda found: found[1]["totals"].pop(), r"line 2: 60 games in ranks and 59 in totals"),
    (lambda found: found[1].update(ranks=["01"] * 60), r"line 2: a game has not 3 seats"),
    (lambda found: found[1]["actions"].update({"77": [1]}), r"line 2: game 77 is none of the 60"),
    (lambda found: found[1]["totals"][0].__setitem__(0, -1), r"line 2: totals: -1"),
    (lambda found: found[1].update(forfeits={"0": [9, "x"]}), r"line 2: forfeits"),
    (lambda found: found[1].update(forfeits={"0": [4, "x"]}), r"line 2: game 0: is forfeited at seat 4; expected 0 to 2"),
    (lambda found: found[1].update(decisions=10**12), r"line 2: 1,000,000,000,000 decisions in 60 games; expected"),
    (lambda found: found[0].update(responses=response(low=0.7, high=0.4)), r"line 1: responses base-3: the share 0\.5 is"),
    (lambda found: found[0].update(responses=response(low=0.6)), r"line 1: responses base-3: .* not within its"),
    (break_ranks, r"line 2: game 0: ranks .* are not those of the points"),
    (lambda found: found.__delitem__(slice(1, None)), r"there are no games"),
    (lambda found: found[1].update(ranks=found[1]["ranks"] * 20, totals=found[1]["totals"] * 20), r"line 2: more games than"),
])  # fmt: skip
def test_what_does_not_fit_is_refused_with_its_line(row: Path, change: Callable[[list[dict]], object], said: str) -> None:
    with pytest.raises(RowError, match=said) as refused:
        read_row(rewritten(row, change))
    assert str(refused.value).startswith(f"{row}: ") and len(str(refused.value)) < 1000


@pytest.mark.parametrize(
    "data",
    [b"", b"{}", gzip.compress(b""), gzip.compress(b"[" * 5000), gzip.compress(b"x" * 2**24)[:-9]],
    ids=["empty", "object", "nothing packed", "brackets packed", "packed and torn"],  # packed bytes have the time in them
)
def test_what_is_no_row_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "row.jsonl.gz").write_bytes(data)
    with pytest.raises(RowError, match=r"row\.jsonl\.gz: "):
        read_row(tmp_path / "row.jsonl.gz")


def test_a_file_that_unpacks_to_more_than_a_row_is_not_read_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hansa_agents.benchmark import row_file

    monkeypatch.setattr(row_file, "LONGEST_LINE", 1000)
    (tmp_path / "row.jsonl.gz").write_bytes(gzip.compress(b"[" + b" " * 10_000 + b"]\n"))
    with pytest.raises(RowError, match="line 1: the file is larger than a row can be"):
        read_row(tmp_path / "row.jsonl.gz")


def test_an_agent_that_fails_forfeits_and_its_row_is_right(tmp_path: Path) -> None:
    spec = "tests.agents.faulty:Raises"
    said: list[str] = []
    (games,) = play(spec, tmp_path, 60, KEYS[:1], Lines(said.append))
    assert games.forfeits and games.share.share < 1 / 3
    count, first = len(games.forfeits), min(games.forfeits)
    assert (
        f" of 60 games, {count} of them forfeited; in game {first} {spec} raised KeyError: 'lost\\nmy way' (faulty.py"
        in said[-1]
    )
    row = row_of(spec, [games], models={})
    assert f"the agent forfeited {count} games: it failed or took too long, and so lost them" in notes_of(row.card(), False)
    write_row(tmp_path / "row.jsonl.gz", row)
    assert checked(read_row(tmp_path / "row.jsonl.gz"), None).right


def test_a_forfeit_is_that_of_the_seat_that_was_asked(tmp_path: Path) -> None:
    spec = "tests.agents.faulty:Raises"
    (games,) = play(spec, tmp_path, 60, KEYS[1:])
    number = next(number for number in games.actions if number in games.forfeits)
    seat, reason = games.forfeits[number]
    other = next(one for one in np.flatnonzero(games.agent_seats[number]).tolist() if one != seat)
    forged = replace(games, forfeits=games.forfeits | {number: (other, reason)})
    assert checked(row_of(spec, [games], models={}), None).right
    more = games.totals.copy()
    more[number, seat] = 10_000
    (problem,) = checked(row_of(spec, [replace(games, totals=more)], models={}), None).problems
    assert f"game {number} comes to the points" in problem
    problems = checked(row_of(spec, [forged], models={}), None).problems
    assert problems == [f"{KEYS[1]}: game {number} is forfeited at seat {other}, though seat {seat} was asked"]


def test_a_row_of_forfeits_by_the_reference_is_refused(row: Path, played: list[CellGames]) -> None:
    """So it could have had any headline, without a decision that anybody could play again."""
    held = played[0].agent_seats
    seats = [next(seat for seat in range(3) if not own[seat]) for own in held]

    def invent(found: list[dict]) -> None:
        found[1]["forfeits"] = {str(number): [seat, "x"] for number, seat in enumerate(seats)}
        found[1]["ranks"] = ["".join("0" if one else "1" for one in own) for own in held]
        found[1]["actions"] = {number: [] for number in found[1]["actions"]}

    with pytest.raises(RowError, match="line 2: game 0: is forfeited by the reference, which says nothing of the agent"):
        read_row(rewritten(row, invent))


def test_a_reference_that_fails_ends_the_cell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_module, "check_frozen", lambda *_: None)
    cell = cells(KEYS[0])[0]
    fails = replace(cell, reference=cell.reference.model_copy(update={"spec": "tests.agents.faulty:Raises"}))
    said = r"the reference failed in game \d+ \(.*\); it shares a process .* from .*\.jsonl"
    for _ in range(2):  # the second time the game is there
        with pytest.raises(ReferencesFailed, match=said) as failed:
            play_suite("greedy", SUITE, [fails, cell], 30, tmp_path, Progress())
        assert [one.cell for one in failed.value.played] == [cell], "the others are played"
    assert len((tmp_path / file_of(fails)).read_text().splitlines()) < 30


def test_what_was_played_is_written_though_a_reference_failed(
    few: None, played: list[CellGames], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ReferencesFailed("the reference failed", played)

    monkeypatch.setattr(play_module, "play_suite", fail)
    code, _, told = hansa(AGENT, "--quick", "--name", "mine")
    assert code == 2 and told.endswith("error: the reference failed\n")
    assert len(read_row(Path("runs/benchmark/mine/row.jsonl.gz")).played) == 2


def test_a_reference_that_cannot_be_had_is_told_before_anything_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `ppo:0.2` without PyTorch."""
    there = cells(KEYS[0])[0]
    missing = there.reference.model_copy(update={"spec": "tests.agents.nowhere:Nobody", "pool": "trained"})
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(command, "_chosen", lambda *_: [there, replace(there, reference=missing)])
    code, said, told = hansa("greedy", "--quick")
    assert code == 2 and said == "" and len(told.splitlines()) == 1
    assert told.startswith("error: the reference 'tests.agents.nowhere:Nobody' cannot play here: ") and "No module" in told
    assert told.endswith("; to play without the pool trained: --pool scripted\n") and list(tmp_path.iterdir()) == []


def test_the_time_of_references_is_not_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a slow machine would win games for the agent."""
    asked = {}

    def spy(*given: object, **how: object) -> Match:
        asked.update(how)
        return play_match(*given, **how)

    monkeypatch.setattr(play_module, "play_match", spy)
    play_suite("random", SUITE, cells(KEYS[0]), 3, tmp_path, Progress(), faults=faults_of(30.0))
    assert (asked["faults"].timeout, asked["faults"].limited) == (30, {HERO})


def test_an_oracle_is_found_out_where_its_row_is_checked(played: list[CellGames]) -> None:
    verdict = checked(row_of(AGENT, played), "tests.agents.benchmark.sees_hidden:SeesHidden")
    assert any("sees what is hidden" in one for one in verdict.problems)


def test_who_sees_what_is_hidden_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MatchError, match="sees what is hidden"):
        play("tests.agents.benchmark.sees_hidden:SeesHidden", tmp_path, 3, KEYS[:1])
    assert not list(tmp_path.iterdir()), "before anything was played"


# The command.


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The command plays two cells."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(command, "_chosen", lambda *_: cells())


def hansa(*words: object) -> tuple[int, str, str]:
    run = CliRunner().invoke(app, ["benchmark", *map(str, words)])
    return run.exit_code, run.stdout, run.stderr


BOT = """
from hansa_env import Agent


class MyBot(Agent):
    def act(self, inputs, masks, seats):
        return masks.argmax(1)
"""


def test_a_stranger_scores_a_bot_publishes_a_row_and_another_checks_it(few: None, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("mybot.py").write_text(BOT)
    monkeypatch.delitem(sys.modules, "mybot", raising=False)
    code, said, told = hansa("mybot:MyBot", "--quick", "--name", "mine", "--by", "me", "--seeds", "none", "--met", "greedy")
    assert code == 0, said + told
    assert (
        "mine: hansa-bench/1, preview" in said
        and "base-3 *" in said
        and "60 of 60" in told
        and "alone wins" in told
        and " left, " in told
    )
    place = Path("runs/benchmark/mine")
    row, card = read_row(place / "row.jsonl.gz"), json.loads((place / "card.json").read_text())
    assert row.head.about.by == "me" and row.head.spec == "mybot:MyBot" and row.head.alone["base-3"] > 0
    assert card["label"] == "preview" and card["settings"][0]["lines"][0]["met"] is True
    assert (place / "card.tex").read_text().count(r"\\") == 4 and "| base-3 * |" in (place / "card.md").read_text()
    monkeypatch.setattr(command, "_chosen", lambda *_: cells(KEYS[0]))
    assert hansa("mybot:MyBot", "--quick", "--name", "mine", "--link", "there")[0] == 0
    about = read_row(place / "row.jsonl.gz").head.about
    assert len(read_row(place / "row.jsonl.gz").played) == 2, "what is not played anew stays"
    assert (about.by, about.link, about.met) == ("me", "there", ["greedy"])
    code, said, _ = hansa("--verify", place / "row.jsonl.gz", "--share", 1)
    assert code == 0 and "note: the agent was not asked: 'mybot:MyBot' runs its own code" in said
    code, said, _ = hansa("--verify", place / "row.jsonl.gz", "--share", 1, "--agent", "mybot:MyBot")
    assert code == 0 and "agent: " in said and "what was checked is right; the row's word stands for the other" in said
    code, said, _ = hansa("--show", place / "row.jsonl.gz", "--show", place / "row.jsonl.gz", "--details")
    assert code == 0 and "leaderboard" in said and "majority" in said
    assert hansa("greedy", "--quick", "--name", "mine")[0] == 2, "the folder has the games of another"


def test_a_wrong_row_ends_with_an_exit_code(row: Path) -> None:
    def cheat(found: list[dict]) -> None:
        number = min(map(int, found[1]["actions"]))
        found[1]["totals"][number] = [points + 3 for points in found[1]["totals"][number]]

    code, said, _ = hansa("--verify", rewritten(row, cheat), "--share", 0)
    assert code == 1 and "WRONG: base-3/among/greedy: game" in said and said.strip().endswith("the row is wrong")


def test_a_row_of_which_no_game_is_published_is_not_called_right(row: Path) -> None:
    def stop_early(found: list[dict]) -> None:
        for line in found[1:]:
            line.update(ranks=line["ranks"][:6], totals=line["totals"][:6], actions={})

    code, said, _ = hansa("--verify", rewritten(row, stop_early))
    assert code == 3 and "what was checked is right" not in said
    assert f"no game could be checked of {', '.join(KEYS)}: so few" in said.replace("\n", " ")
    assert "was asked nothing" not in said, "there was nothing to ask about"


def test_nothing_of_a_row_is_run(row: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("gift.py").write_text("from pathlib import Path\n\nPath('ran').touch()\n")
    for spec in ("gift:Bot", "ppo:gift.zip:trust"):
        rewritten(row, lambda found, spec=spec: found[0].update(spec=spec, name=spec))
        code, said, _ = hansa("--verify", row)
        assert code == 0 and "runs its own code" in said and not Path("ran").exists()


@pytest.mark.slow
def test_a_best_response_comes_from_its_report(few: None) -> None:
    ruleset = SUITE.setting("base-3").game().config
    best = {"by": "learning", "spec": "ppo:model.safetensors", "games": 600, "share": 0.5, "low": 0.45, "high": 0.55}
    report = {
        "format": "hansa-exploit/1", "agent": "greedy", "ruleset": ruleset, "chance": 1 / 3, "best": best, "found": [best]
    }  # fmt: skip
    Path("exploit.json").write_text(json.dumps(report))
    code, said, told = hansa("greedy", "--quick", "--response", "exploit.json")
    assert code == 0 and "50.0% (45.0%–55.0%)" in said, told
    upside_down, of_others = {"best": best | {"low": 0.9}}, {"ruleset": ruleset | {"players": 9}}
    for change in ({"agent": "ppo"}, {"format": "other"}, {"best": None}, upside_down, of_others):
        Path("exploit.json").write_text(json.dumps(report | change))
        code, _, told = hansa("greedy", "--quick", "--response", "exploit.json")
        assert code == 2 and "exploit.json: " in told and len(told.strip().splitlines()) == 1, change


@pytest.mark.parametrize(("words", "said"), [
    ((), "name an agent to play"), (("greedy", "--verify", "x"), "name an agent to play"),
    (("greedy", "--setting", "base-9"), "no setting 'base-9'; there are base-2"),
    (("greedy", "--pool", "human"), "--pool is 'human'; expected scripted, trained, searching"),
    (("greedy", "--setting", "east-4", "--pool", "trained"), "east-4 has no references of trained"),
    (("--verify", "x", "--json"), "--json prints a card"),
    (("greedy", "--quick", "--seed", "3"), "--seed goes with --verify"),
    (("greedy", "--share", "0.2"), "--share goes with --verify"),
    (("--show", "x", "--agent", "a:B"), "--agent goes with --verify"),
    (("--show", "x", "--quick", "--folder", "y"), "--quick goes with an agent that plays"),
    (("--show", "x", "--folder", "y"), "--folder goes with an agent that plays"),
    (("--verify", "x", "--timeout", "1"), "--timeout goes with an agent that plays"),
    (("greedy", "--timeout", "0"), "timeout is 0.0; expected seconds above 0"),
    (("greedy", "--met", "nobody"), "--met names 'nobody', which is no reference of hansa-bench/1; expected some of greedy, "),
    (("--verify", "nothing.gz"), "nothing.gz: No such file"),
    (("greedy", "--name", "x" * 300), "of 300 characters; expected 1 to 200 that can be shown, without ` < or |; "),
    (("greedy", "--name", "<b>"), "the name is '<b>', of 3 characters; expected 1 to 200 that can be shown, without ` < or |"),
    (("x" * 1001, "--name", "x"), "of 1,001 characters; expected 1 to 1,000 that can be shown"),
])  # fmt: skip
def test_what_is_asked_wrongly_is_said_in_a_line(
    words: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, told = hansa(*words)
    assert code == 2 and said in told and len(told.strip().splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


# The leaderboard.


@pytest.mark.parametrize("path", sorted(LEADERBOARD.glob("*.jsonl.gz")), ids=lambda path: path.name)
def test_rows_of_the_leaderboard_replay(path: Path) -> None:
    """Two cells of each in full; `hansa benchmark --verify` checks all of them, and asks the agents."""
    row = read_row(path)
    rng = np.random.default_rng(len(row.played))
    some = [row.played[place] for place in rng.choice(len(row.played), min(2, len(row.played)), replace=False)]
    verdict = verify(Row(row.head, tuple(some)), 0.0, 0, None, Progress())
    assert verdict.right and verdict.replayed, verdict.problems
    fits = fits_of(row.played, read_suite().published, rng)
    assert len(fits) == 3 and not any(fit.doubtful for fit in fits), fits
    assert row.head.suite in {read_suite().name} and row.head.about.compute and row.head.about.seeds


def test_the_page_has_the_rows_that_there_are() -> None:
    page = (PAGES / "benchmark.md").read_text("utf-8")
    files = list(LEADERBOARD.glob("*.jsonl.gz"))
    assert ("There are no rows yet." in page) == (not files)
    for path in files:
        assert f"| `{read_row(path).head.name}` |" in page, path
