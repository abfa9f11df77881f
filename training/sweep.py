"""Several runs of one plan that differ in some options, one after another, and one table of what came of them."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.table import Table

from hansa_agents.intervals import off_by_spread
from hansa_env.commands.output import table_of
from hansa_env.commands.progress import Progress
from hansa_env.formats.file_reading import read_at_most
from hansa_env.formats.file_writing import write_json
from hansa_env.formats.json_text import parse_json
from hansa_env.play.errors import AgentError, AgentFault
from hansa_env.play.result import interval_text
from hansa_training.begin import check_name, check_plan, new_plan, result_of
from hansa_training.errors import PlanError, RunError, with_kind
from hansa_training.measure import place_in
from hansa_training.plan import CHANGEABLE, IN_NO_FIGURE, Plan
from hansa_training.plan_file import kept_values, not_the_same
from hansa_training.plan_texts import given_options, text_of
from hansa_training.result_file import read_result
from hansa_training.run_folder import PLAN, RESULT
from hansa_training.standing import is_full, seconds_of

FORMAT = "hansa-sweep/1"
#: Its summary, and how many bytes that has at most.
SWEEP, LARGEST_SUMMARY = "sweep.json", 2**26
#: Runs of one sweep.
MOST = 1000
#: What names the plans that runs begin with, among the options.
CONFIG = "config"
#: What folders cannot have in their names, or specs of the models in them (`ppo:FOLDER`).
_IN_NO_NAME = str.maketrans("/:", "--")
_RANGE = re.compile(r"(\d{1,9})\.\.(\d{1,9})")


class Variation(NamedTuple):
    """One run of a sweep.

    Attributes:
        name: of its folder: the options that vary, "ent_coef=0.01,seed=3", with - for / and :.
        varied: those options, by name, as texts.
        options: all of the plan that were given, as texts.
        file: the plan that it begins with, where one was given as "config"; it is among `varied` as well.
    """

    name: str
    varied: dict[str, str]
    options: dict[str, str]
    file: Path | None = None


def variations(given: Sequence[str]) -> list[Variation]:
    """Every combination of "name=value,value..." with "name=first..last" for whole numbers; the last one named varies fastest.
    A value with commas of its own stands in double quotes: 'opponents="rollout:screen_sims=1,final_sims=1",greedy'. The values
    of "config" are plans, by name or file, which the other options change.

    Raises:
        PlanError: a text is not of that form, a name is given twice, or there are too many combinations.
    """
    values: dict[str, list[str]] = {}
    for name, text in given_options(given).items():
        values[name] = [one for part in _parts(text, f"{name}={text}") for one in _range(part.strip(), f"{name}={text}")]
    several = [name for name, some in values.items() if len(some) > 1]
    count = int(np.prod([len(some) for some in values.values()], dtype=object))
    if count > MOST:
        raise PlanError(f"these are {count:,} runs; expected at most {MOST:,}")
    found = [dict(zip(values, chosen)) for chosen in product(*values.values())]
    names = [",".join(f"{name}={one[name]}" for name in several).translate(_IN_NO_NAME) or "run" for one in found]
    for name, some in values.items():
        if len(set(some)) < len(some):
            raise PlanError(f"a value of {name} is given twice; expected each once")
    alike = [one for one, called in zip(found, names) if names.count(called) > 1]
    if alike:
        raise PlanError(
            f"{alike[0]} and {alike[1]} would share a folder, in whose name / and : are -; expected names that differ"
        )
    varied = [{key: one[key] for key in several} for one in found]
    files = [Path(one.pop(CONFIG)) if CONFIG in one else None for one in found]
    return [Variation(*each) for each in zip(names, varied, found, files)]


def _parts(text: str, given: str) -> list[str]:
    """The texts between commas, as in a line of CSV."""
    try:
        return next(csv.reader([text], skipinitialspace=True, strict=True)) or [""]
    except csv.Error as error:
        wanted = "VALUE,VALUE, with double quotes around a value that has commas"
        raise PlanError(f"{given!r:.200}: cannot be split ({error}); expected {wanted}") from error


def _range(text: str, given: str) -> list[str]:
    match = _RANGE.fullmatch(text)
    if match is None:
        return [text]
    first, last = int(match[1]), int(match[2])
    if not first <= last < first + MOST:
        raise PlanError(f"{given!r:.200}: {text} is no range; expected FIRST..LAST with at most {MOST:,} numbers")
    return [str(number) for number in range(first, last + 1)]


def sweep(
    given: Sequence[str], folder: Path, file: Path | None, progress: Progress, console: Console | None = None
) -> dict[str, Any]:
    """Make every run that is not done yet, and sum them up in `sweep.json` of the folder. One that fails keeps no other from
    being made; those that failed when the sweep was asked for before are tried again after the others.

    Args:
        given: texts of `variations`.
        file: a plan that all runs begin with, see `make_plan`; None where `given` names plans.
        progress: is told which run begins.
        console: of the runs.

    Returns:
        The summary: "runs", each with its options, seconds and final tables; "failed", each with its options and the reason;
        and "lines", see `lines_of`.

    Raises:
        PlanError, RunError: of any of the runs that are to begin, before the first has begun; or the disk is full.
    """
    runs = variations(given)
    if file is not None:
        if any(one.file for one in runs):
            raise PlanError(f"--config is {file} beside {CONFIG}=...; expected one of them")
        runs = [one._replace(file=file) for one in runs]
    places = [_place(folder, one) for one in runs]
    if not all((place / PLAN).exists() or (place / RESULT).exists() for place in places):
        check_name(folder)
    plans = [new_plan(one.file, one.options, begun=place) for one, place in zip(runs, places)]
    for one, plan, place in zip(runs, plans, places):
        _check(one, plan, place)
    failed, done = _failed_before(folder / SWEEP), {}
    numbered = sorted(enumerate(zip(runs, plans, places), 1), key=lambda one: one[1][0].name in failed)
    for number, (one, plan, place) in numbered:
        try:
            if not (place / RESULT).exists():
                progress.tell(f"run {number} of {len(runs)}: {one.name}")
                with progress.away():
                    _run(one, plan, place, console)
            done[one.name] = kept_result(one, plan, place)
            failed.pop(one.name, None)
        except (PlanError, RunError, AgentError, AgentFault) as error:
            if is_full(error.__cause__):  # for the others too
                raise
            failed[one.name] = with_kind(error)
            progress.tell(f"{one.name} failed: {error}")
        kept = [done[each.name] for each in runs if each.name in done]
        told = [
            {"name": each.name, "options": each.varied, "reason": failed[each.name]} for each in runs if each.name in failed
        ]
        summary = {"format": FORMAT, "given": list(given), "runs": kept, "failed": told, "lines": lines_of(kept)}
        write_json(folder / SWEEP, summary)
    return summary


def _failed_before(file: Path) -> dict[str, str]:
    """Why runs failed, by name, as a summary tells it; what cannot be read, or is of an earlier version, tells of none."""
    with suppress(OSError, ValueError, LookupError, TypeError):
        summary = parse_json(read_at_most(file, LARGEST_SUMMARY), file.name)
        return {str(one["name"]): str(one["reason"]) for one in summary["failed"]}
    return {}


def _place(folder: Path, one: Variation) -> Path:
    """The folder of a run. Earlier versions left colons in its name; what they began goes on there."""
    before = ",".join(f"{name}={text}" for name, text in one.varied.items()).replace("/", "-")
    return folder / (before if ":" in before and (folder / before).is_dir() else one.name)


def _check(one: Variation, plan: Plan, place: Path) -> None:
    """Raises PlanError, RunError where a run could not begin, or its folder has another."""
    if (place / RESULT).exists():
        kept_result(one, plan, place)
    elif (place / PLAN).exists():
        for name, was, now in not_the_same(kept_values(place / PLAN), plan):
            raise _of_another_plan(place, f"{name} was {was!r:.200}, now {now!r:.200}")
    else:
        check_plan(plan)


def _of_another_plan(place: Path, what: str) -> RunError:
    return RunError(f"{place} holds a run of another plan ({what}); name another folder (--folder)")


def _run(one: Variation, plan: Plan, place: Path, console: Console | None) -> None:
    """Make a run or go on with it."""
    options = one.options
    if (place / PLAN).exists():  # by the plan in its folder, not by the file
        options = options | {name: text_of(getattr(plan, name)) for name in CHANGEABLE}
    result_of(place, one.file, options, console)


def kept_result(one: Variation, plan: Plan, place: Path) -> dict[str, Any]:
    """What came of a run that is done. Raises RunError where its result is none, or of a plan whose figures may be others."""
    result = read_result(place / RESULT)
    kept, asked = result["plan"], plan.model_dump()
    for name in [*asked, *kept]:
        was, now = kept.get(name), asked.get(name)
        if json.dumps(was) != json.dumps(now) and name not in IN_NO_FIGURE:  # in JSON true is not 1
            raise _of_another_plan(place, f"{name} was {was!r:.200}, now {now!r:.200}")
    tables = {name: [_line(line) for line in result[name]] for name in ("final", "among it")}
    decisions = int(result["curve"][-1]["decisions"])
    return {"name": one.name, "options": one.varied, "seconds": seconds_of(place), "decisions": decisions, **tables}


def _line(line: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: float(line[name]) for name in ("share", "low", "high")} | {"games": int(line["games"])}
    return {"opponent": f"{line['opponent']}{place_in(line)}", "actions": str(line.get("actions", "likeliest"))} | kept


def lines_of(runs: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What the seeds of each combination of the other options came to, opponent by opponent.

    Each line has "options" (without the seed), "way" ("final": one of it among several; "among it": the other way round),
    "opponent", "actions", "seeds", "mean", "worst" (of a seed), "low" and "high": 95 % of the mean over seeds by Student's t
    where there are several, else of that run's games; "decisions", the mean; and "seconds", the mean, where all are known.
    """
    groups: dict[tuple, list[Mapping[str, Any]]] = {}
    for run in runs:
        options = tuple((name, value) for name, value in run["options"].items() if name != "seed")
        groups.setdefault(options, []).append(run)
    found = []
    for options, some in groups.items():
        seconds = [run["seconds"] for run in some]
        known = None if None in seconds else float(np.mean(seconds))
        spent = {"decisions": round(float(np.mean([run["decisions"] for run in some]))), "seconds": known}
        for way in ("final", "among it"):
            meetings = dict.fromkeys((line["opponent"], line["actions"]) for run in some for line in run[way])
            for opponent, actions in meetings:
                lines = [
                    line for run in some for line in run[way] if (line["opponent"], line["actions"]) == (opponent, actions)
                ]
                line = {"options": dict(options), "way": way, "opponent": opponent, "actions": actions}
                found.append(line | _over_seeds(lines, way) | spent)
    return found


def _over_seeds(lines: Sequence[Mapping[str, Any]], way: str) -> dict[str, Any]:
    shares = np.array([line["share"] for line in lines])
    worst = shares.max() if way == "among it" else shares.min()
    low, high = lines[0]["low"], lines[0]["high"]
    if len(lines) > 1:
        off = off_by_spread(shares)
        low, high = max(0.0, shares.mean() - off), min(1.0, shares.mean() + off)
    return {"seeds": len(lines), "mean": float(shares.mean()), "worst": float(worst), "low": float(low), "high": float(high)}


def summary_table(summary: Mapping[str, Any]) -> Table:
    """A line for each combination of options and opponent, the likeliest actions alone."""
    failed = f", and {len(summary['failed'])} that failed" if summary["failed"] else ""
    title = f"{len(summary['runs'])} runs{failed}; of several seeds the mean with its 95 % interval, and the worst"
    names = list(dict.fromkeys(name for line in summary["lines"] for name in line["options"]))
    columns = "who", "seeds", "win share", "95 % interval", "worst seed", "decisions", "minutes a run"
    table = table_of((*names, *columns), title=title, left=len(names) + 1)
    for line in summary["lines"]:
        if line["actions"] != "likeliest":
            continue
        who = f"one among {line['opponent']}" if line["way"] == "final" else f"one {line['opponent']} among it"
        minutes = "" if line["seconds"] is None else f"{line['seconds'] / 60:.1f}"
        table.add_row(*(line["options"][name] for name in names), who, str(line["seeds"]), f"{line['mean']:.1%}",
                      interval_text(line["low"], line["high"]), f"{line['worst']:.1%}",
                      f"{line['decisions']:,}", minutes)  # fmt: skip
    return table
