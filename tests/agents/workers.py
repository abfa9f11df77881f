"""What every kind of workers is held to: the games are those of one process, whatever happens to the workers."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from hansa_agents.arena import Faults, Keep, MatchError, MatchInterrupted, play_match
from hansa_agents.records import Records
from hansa_env import Ruleset
from hansa_env.play.errors import AgentFault

RULESET = Ruleset(3)
FAULTY = "tests.agents.faulty"
KILLED = f"killed={FAULTY}:Killed:"


def play(specs: list[str], file: Path | None = None, records: Records | None = None, **options: Any):
    options = {"games": 48, "seed": 5, "max_turns": 8, "faults": Faults("forfeit")} | options
    return play_match(specs, RULESET, keep=Keep(file, records), **options)


def lines(file: Path) -> list[str]:
    """The lines of a results file by number, without what depends on the machine."""
    found = sorted((json.loads(line) for line in file.read_text().splitlines()), key=lambda line: line["game"])
    return [json.dumps({name: value for name, value in line.items() if name != "seconds"}) for line in found]


def games_are_those_of_one_process(folder: Path, **workers: Any) -> None:
    """With forfeits, decisions that take too long, and records."""
    specs = [f"{FAULTY}:Raises", f"{FAULTY}:Stuck", "random"]
    for name, options in (("one", {}), ("many", workers)):
        records = Records(folder / f"{name} records", 0.5)
        play(specs, folder / name, records, games=12, faults=Faults("forfeit", timeout=0.2), **options)
    assert lines(folder / "one") == lines(folder / "many")
    reasons = [json.loads(line)["forfeit"] for line in lines(folder / "many")]
    assert {"raised", "took"} <= {forfeit["reason"].split()[0] for forfeit in reasons if forfeit}
    one, many = (
        {file.name: file.read_bytes() for file in (folder / f"{name} records").glob("*.json")} for name in ("one", "many")
    )
    assert one == many and len(one) == 6


def a_killed_worker_costs_nothing(folder: Path, **workers: Any) -> None:
    marker = folder / "killed"
    specs = [f"{KILLED}{marker}", "random"]
    told: list[int] = []
    workers["faults"] = Faults()  # else it is the process of the agents that is killed
    many = play(specs, folder / "many", on_game_end=lambda result: told.append(result.number), **workers)
    assert marker.exists(), "one was killed"
    assert sorted(told) == list(range(48)) and not many.forfeited
    one = play(specs, folder / "one")
    assert lines(folder / "one") == lines(folder / "many")
    assert [(row.share, row.mean_score) for row in many.rows] == [(row.share, row.mean_score) for row in one.rows]


def a_game_that_no_worker_survives_is_named(folder: Path, how: str, **workers: Any) -> None:
    file = folder / "games"
    with pytest.raises(MatchError) as caught:
        play([f"bad={FAULTY}:Dies", "random", "random"], file, faults=Faults(), **workers)
    said = re.fullmatch(r"game (\d+) \((?:bad|random|, )+; seed \d+\) ended 3 workers one after the other; the last: (.*)\. "
                        r"An agent crashes them, or memory runs out; games that had ended .*", str(caught.value))  # fmt: skip
    assert said and re.search(how, said[2])
    assert int(said[1]) not in {json.loads(line)["game"] for line in file.read_text().splitlines()}


def what_is_interrupted_goes_on_anywhere(folder: Path, **workers: Any) -> None:
    specs = [f"{FAULTY}:Raises", "random"]
    told: list[int] = []

    def stop(result):
        told.append(result.number)
        if len(told) == 7:
            raise KeyboardInterrupt

    with pytest.raises(MatchInterrupted) as caught:
        play(specs, folder / "many", on_game_end=stop, **workers)
    assert caught.value.match.games + caught.value.left_out == 7 == len(lines(folder / "many"))
    play(specs, folder / "one")
    begun: list[tuple[int, int]] = []
    play(specs, folder / "many", on_begin=lambda *given: begun.append(given))
    assert begun == [(48, 7)] and lines(folder / "many") == lines(folder / "one")


def errors_are_those_of_one_process(**workers: Any) -> None:
    with pytest.raises(AgentFault, match=r"agent 'tests.agents.faulty:Nobody' answered -1"):
        play([f"{FAULTY}:Nobody", "random"], faults=Faults(), **workers)
