"""What a run leaves, made wrong: its result and its learning curve."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path

from rich.console import Console

from hansa_training.begin import result_of
from hansa_training.curve import curve_lines, picture, read_curve
from hansa_training.errors import PlanError, RunError
from hansa_training.job import Job
from hansa_training.plan import Plan
from hansa_training.plan_file import make_plan
from hansa_training.run_folder import CURVE, RESULT
from hansa_training.ship import card, plan_of
from hansa_training.sweep import Variation, kept_result
from tests.formats.mutants import Kind, TakenWrongly, bytes_changed, changed, given_twice, json_mutant, json_of
from tests.training.tiny import TINY

QUICK = TINY | {
    "warm_start": "0", "self_play": "96", "evaluate_every": "1", "keep_every": "0", "n_epochs": "1",
    "curve_games": "1", "final_games": "1",
}  # fmt: skip


@cache
def _plan() -> Plan:
    return make_plan(options=QUICK)


@cache
def _left() -> dict[str, bytes]:
    """What a run of some rollouts leaves, by name; without a folder, which would take longer."""
    result = Job(None, _plan(), Console(quiet=True)).run()
    return {CURVE: curve_lines(result["curve"]).encode(), RESULT: json.dumps(result).encode()}


def _as_written(twice: bool, written: object, found: object) -> None:
    """The texts of both are compared: one figure may be NaN, which equals nothing."""
    if twice:
        raise TakenWrongly("a field stands twice")
    if json.dumps(written) != json.dumps(found):
        raise TakenWrongly("it was read otherwise than it is written")


# Results


def _read_result(path: Path, twice: bool) -> None:
    """All that the project does with one: further best responses, rounds of them, sweeps, cards."""
    run = path.parent / "run of a result"
    run.mkdir(exist_ok=True)
    (run / RESULT).write_bytes(path.read_bytes())
    result = result_of(run)
    _as_written(twice, json.loads(path.read_bytes()), result)
    decisions = result["curve"][-1]["decisions"]
    if type(decisions) is not int or decisions < 0:
        raise TakenWrongly("a run of no number of decisions")
    for line in [*result["final"], *result["among it"]]:
        shares = [line[name] for name in ("low", "share", "high")]
        if not all(type(share) in (int, float) and 0 <= share <= 1 for share in shares) or line["games"] < 1:
            raise TakenWrongly("shares or games that cannot be")
    plan_of(result, run / RESULT)
    card(result, [b""], ["hash"], "a minute")
    kept_result(Variation("run", {}, {}), _plan(), run)


RUN_RESULTS = Kind(
    "results of runs", ".json", (RunError, PlanError), json_mutant(lambda _: json.loads(_left()[RESULT]), b"\n"), _read_result,
    lambda: (_left()[RESULT], False),
)  # fmt: skip


# Curves


def _make_curve(choose: random.Random) -> tuple[str, bytes, bool]:
    lines = _left()[CURVE].splitlines()
    number, way = choose.randrange(len(lines)), choose.random()
    if way < 0.25:
        return *bytes_changed(_left()[CURVE], choose), False
    point = json.loads(lines[number])
    twice = way < 0.35
    what = "a field twice" if twice else changed(point, choose)
    lines[number] = (given_twice(point, choose) if twice else json_of(point)).encode()
    torn = choose.random() < 0.1
    return f"line {number}: {what}{', torn' if torn else ''}", b"\n".join(lines) + b"\n"[torn:], twice


def _read_curve(path: Path, twice: bool) -> None:
    told: list[str] = []
    points = read_curve(path, told.append)
    lines = path.read_bytes().splitlines()
    if told and not path.read_bytes().endswith(b"\n"):  # the last line is torn, in which the field may stand
        lines, twice = lines[:-1], False
    _as_written(twice, list(map(json.loads, lines)), points)
    if len(path.read_bytes()) % 16 == 0:  # else it would take minutes
        picture([*points, json.loads(_left()[CURVE].splitlines()[-1])], _plan())  # as a run that goes on ends


CURVES = Kind("curves", ".jsonl", (RunError,), _make_curve, _read_curve, lambda: (_left()[CURVE], False))
