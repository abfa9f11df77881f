"""A row of a part of the suite keeps what its file has of the other parts, and quotes responses to its own model alone."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hansa_agents.benchmark import verify as verify_module
from hansa_agents.benchmark.cells import CellGames
from hansa_agents.benchmark.exploit_report import Response
from hansa_agents.benchmark.head import responses_of
from hansa_agents.benchmark.kept_row import with_what_was_kept
from hansa_agents.benchmark.play import faults_of, milliseconds_alone
from hansa_agents.benchmark.row_file import About, write_row
from hansa_agents.benchmark.verify import AGENT, verify
from hansa_env.commands.progress import Progress
from hansa_env.play.errors import AgentFault
from tests.agents.benchmark.played import KEYS, SUITE, play, row_of

SPEC = "scripted:link"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> list[CellGames]:
    return play(SPEC, tmp_path_factory.mktemp("games"), 60)


def first(games: CellGames, count: int) -> CellGames:
    return replace(games, ranks=games.ranks[:count], totals=games.totals[:count], actions={})


def test_cells_responses_and_words_stay_where_no_others_come(played: list[CellGames], tmp_path: Path) -> None:
    file, response = tmp_path / "row.jsonl.gz", Response(by="breeding", share=0.5, low=0.4, high=0.6)
    before = row_of(SPEC, played, responses={"base-3": response}, alone={"base-3": 3.0}, about=About(by="me", link="here"))
    write_row(file, before)
    assert with_what_was_kept(row_of(SPEC, played), tmp_path / "none.gz").head.about.by == ""
    found = with_what_was_kept(row_of(SPEC, [first(played[0], 3)], about=About(link="there")), file)
    assert [one.cell.key for one in found.played] == list(KEYS) and [one.games for one in found.played] == [60, 60]
    assert (found.head.about.by, found.head.about.link) == ("me", "there")
    assert found.head.responses == {"base-3": response} and found.head.alone == {"base-3": 3.0}
    weak, strong = (response.model_copy(update={"share": share, "high": 0.7}) for share in (0.45, 0.6))
    for other, kept in ((weak, response), (strong, strong)):
        assert with_what_was_kept(row_of(SPEC, played, responses={"base-3": other}), file).head.responses == {"base-3": kept}
    write_row(file, replace(before, played=(first(played[0], 3),)))
    assert [one.games for one in with_what_was_kept(row_of(SPEC, [played[0]]), file).played] == [60]


@pytest.mark.parametrize("change", [{"models": {"base-3": "of before"}}, {"spec": "greedy"}, {"name": "other"}])
def test_nothing_stays_of_another_agent(change: dict, played: list[CellGames], tmp_path: Path) -> None:
    other = row_of(SPEC, played)
    write_row(tmp_path / "row.jsonl.gz", replace(other, head=other.head.model_copy(update=change)))
    now = row_of(SPEC, [played[0]])
    assert [one.cell.key for one in with_what_was_kept(now, tmp_path / "row.jsonl.gz").played] == [KEYS[0]]
    elsewhere = row_of(SPEC, [played[0]], models={})  # of which it is found out what it plays by now
    kept = with_what_was_kept(elsewhere, tmp_path / "row.jsonl.gz").played
    assert [one.cell.key for one in kept] == [KEYS[0]]


def test_a_response_to_another_model_or_in_another_setting_is_refused(tmp_path: Path) -> None:
    best = {"by": "learning", "spec": "ppo:model.safetensors", "games": 600, "share": 0.5, "low": 0.45, "high": 0.55}
    report = {
        "format": "hansa-exploit/1", "agent": "ppo", "ruleset": SUITE.setting("base-3").game().config, "chance": 1 / 3,
        "best": best, "found": [best],
    }  # fmt: skip
    path = tmp_path / "exploit.json"
    for more in ({}, {"model": None}, {"model": "a" * 64}):
        path.write_text(json.dumps(report | more))
        assert responses_of([path], "ppo", SUITE, {"base-3": "a" * 64})["base-3"].share == 0.5
    for models, said in (
        ({"base-3": "b" * 64}, "is of the model aaaaaaaaaaaa, but 'ppo' has the model bbbbbbbbbbbb in base-3 now"),
        ({"base-3": None}, "has no model in base-3 now"), ({"base-4": "a" * 64}, "is of base-3, which is not played now"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=said):
            responses_of([path], "ppo", SUITE, models)


def test_what_an_agent_does_not_answer_does_not_come_out_the_same(
    played: list[CellGames], monkeypatch: pytest.MonkeyPatch
) -> None:
    ask, failing = verify_module.ask_agents, 0

    def fails(agents: list, who: np.ndarray, ruleset: object, games: np.ndarray) -> np.ndarray:
        nonlocal failing
        if failing_seats is None or (games["seat"] == failing_seats).any():
            failing += len(games) == 1
            raise AgentFault(0, "somebody", None, "is lost")
        return ask(agents, who, ruleset, games)

    monkeypatch.setattr(verify_module, "ask_agents", fails)
    for failing_seats in (None, 0):
        failing = 0
        verdict = verify(row_of(SPEC, played), 1.0, 0, SPEC, Progress())
        asked = verdict.asked.values()
        assert not verdict.right and any(AGENT in text for text in verdict.problems)
        assert sum(one.decisions - one.same for one in asked) == failing > 50
        assert (sum(one.same for one in asked) > 0) == (failing_seats == 0)


def test_of_an_agent_that_fails_or_takes_too_long_no_time_is_told() -> None:
    setting = SUITE.setting("base-3")
    said: list[str] = []
    assert milliseconds_alone("tests.agents.faulty:Raises", setting, faults_of(), said.append) is None
    assert milliseconds_alone("tests.agents.faulty:Slow", setting, faults_of(0.01), said.append) is None
    assert said[0].startswith("base-3: tests.agents.faulty:Raises raised KeyError: 'lost\\nmy way'") and len(said) == 2
    assert (milliseconds_alone("random", setting, faults_of(), said.append) or 0) > 0 and len(said) == 2
