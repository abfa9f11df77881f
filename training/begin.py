"""A run is begun or goes on: what was asked for is checked before a folder is made, and every rank gets the same plan."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import torch
from rich.console import Console

from hansa_agents.networks.run_models import MODEL
from hansa_env.commands.output import print_line
from hansa_training.checkpoints import Checkpoint, Checkpoints
from hansa_training.curve import curve_lines
from hansa_training.end_worth import check_worth
from hansa_training.errors import ModelError, PlanError, RunError
from hansa_training.job import Job, show
from hansa_training.learner_parts import trained_by
from hansa_training.networks.computing import AS_IT_IS
from hansa_training.plan import Plan
from hansa_training.plan_file import THE_SAME, kept_plan, kept_values, make_plan, not_the_same, read_toml
from hansa_training.plan_texts import option, toml_of
from hansa_training.ranks import Ranks, by_torchrun, join, replaces_a_lost_one
from hansa_training.result_file import read_result
from hansa_training.run_folder import CHECKPOINTS, CURVE, PICTURE, PLAN, RESULT, RunFolder, why_in_no_spec
from hansa_training.standing import disk_error, seconds_in
from hansa_training.starting_weights import network_named, started_from
from hansa_training.unmet import check_met, check_rivals
from hansa_training.watch import check_watch


class NotBegun(RunError):
    """Of ranks that follow: the first one could not begin, and says why."""


def train(
    folder: Path,
    resume: bool = False,
    file: Path | None = None,
    options: Mapping[str, str] | None = None,
    console: Console | None = None,
) -> dict[str, Any]:
    """Begin a run or go on with one; returns its result. Every rank of a run (`hansa_training.ranks`) calls it alike.

    Args:
        folder: of the run, on the first rank's machine.
        resume: go on with the run in the folder; its plan holds, and options may only change what is in CHANGEABLE. Where ranks
            were lost and replaced, and under `torchrun` wherever the folder's plan is the same, a run that was begun goes on in
            any case.
        file, options: of the plan, see `make_plan`.

    Raises:
        PlanError: an option is wrong; then nothing has been done, and no folder was made.
        RunError: the run cannot be begun or resumed.
    """
    ranks = join()
    try:
        if not ranks.first:
            return _follow(ranks)
        try:
            resume = resume or _was_begun(folder, file, options)
            run, plan = (_taken_up if resume else _begun)(folder, file, options, ranks.size)
        except BaseException:
            ranks.from_first(None)  # the others wait for a plan
            raise
        with run:
            ranks.from_first(plan.model_dump())
            return Job(run, plan, console, ranks).run()
    finally:
        ranks.leave()


def result_of(
    folder: Path, file: Path | None = None, options: Mapping[str, str] | None = None, console: Console | None = None
) -> dict[str, Any]:
    """The result of a run that is done, or is now begun or taken up and brought to its end; one that is done goes on where the
    options ask for another length. Raises as `train` does."""
    resume = (folder / PLAN).exists()
    if (folder / RESULT).exists():
        result = read_result(folder / RESULT)
        if not resume or _as_long(result["plan"], _asked(folder / PLAN, None, options)):
            return result
    train(folder, resume, None if resume else file, options, console)  # agents that run code are named again
    return read_result(folder / RESULT)


def show_finished(folder: Path, file: Path | None = None, options: Mapping[str, str] | None = None) -> bool:
    """Print the result of a run that came to its end, where nothing else is asked for and all that it left is there; returns
    whether it is so. One that `torchrun` started has ranks that wait for each other, and is left to `train`.

    Raises PlanError: of the plan differs what may not change.
    """
    if by_torchrun() or not (folder / PLAN).exists() or not (folder / RESULT).exists():
        return False
    plan = _asked(folder / PLAN, file, options)
    with suppress(RunError, OSError):
        result, newest = read_result(folder / RESULT), Checkpoints(folder / CHECKPOINTS).newest()
        if newest is not None and result["plan"] == plan.model_dump() and _is_of_the_end(folder, result, newest):
            console = Console()
            print_line(
                f"{folder}: the run is finished; this is its result, and a larger --self-play goes on with it; another run "
                "begins in another folder (--folder)", console,
            )  # fmt: skip
            show(folder, result, plan, seconds_in(newest.note), console)
            return True
    return False


def _is_of_the_end(folder: Path, result: Mapping[str, Any], newest: Checkpoint) -> bool:
    """Whether model, curve and picture are there, as the newest checkpoint and the result have them. Raises OSError."""
    model, curve = (folder / MODEL).read_bytes(), (folder / CURVE).read_bytes()
    same = model == newest.files.get(MODEL) and curve == curve_lines(result["curve"]).encode()
    return same and (folder / PICTURE).exists()


def _as_long(plan: Mapping[str, Any], asked: Plan) -> bool:
    """Whether a run of a plan, kept as data, was as long as is asked for."""
    return (plan["self_play"], plan["minutes"]) == (asked.self_play, asked.minutes)


def planned(folder: Path, resume: bool, file: Path | None, options: Mapping[str, str] | None) -> Plan:
    """What `train` would do, while nothing has been done. Raises `PlanError`."""
    if resume and (folder / PLAN).exists():
        return _kept_and_asked(folder / PLAN, file, options)[1]
    check_name(folder)
    return new_plan(file, options)


def new_plan(
    file: Path | None = None, options: Mapping[str, str] | None = None, values: Mapping[str, Any] | None = None,
    begun: Path | None = None,
) -> Plan:  # fmt: skip
    """The plan of a new run, as `make_plan` makes it. One that begins with weights, and names no network, has the network of
    these; if its folder is there already, that of the plan there, since the weights may be gone. Raises `PlanError`."""
    plan = make_plan(values, file, options)
    if not plan.start or "network" in plan.model_fields_set:
        return plan
    try:
        if begun is not None and (begun / PLAN).exists():
            name: str | None = str(read_toml(begun / PLAN).get("network", plan.network))
        else:
            name = network_named(plan.start, plan.rulesets_played[0])
    except ModelError as error:
        raise PlanError(f"{option('start')}: {error}") from error
    return make_plan(values, file, {**(options or {}), "network": name}) if name else plan


def _kept_and_asked(kept_in: Path, file: Path | None, options: Mapping[str, str] | None) -> tuple[Plan, Plan]:
    kept = kept_plan(kept_in, file, options)
    return kept, make_plan(kept.model_dump(), file, options)


def _asked(kept_in: Path, file: Path | None, options: Mapping[str, str] | None) -> Plan:
    """The plan that is asked for of a run. Raises `PlanError` where it differs from the kept one in what may not change."""
    had, (kept, plan) = kept_values(kept_in), _kept_and_asked(kept_in, file, options)
    for name, was, now in not_the_same(kept.model_dump(), plan):
        called = option(name) if name in (options or {}) else name
        raise PlanError(f"{kept_in}: {called} = {was!r}, but {now!r} was asked for; {THE_SAME}")
    if (plan.opponents, plan.rivals) != (had["opponents"], had["rivals"]):  # a run that began without goes on so
        check_rivals(plan)
    return plan


def _follow(ranks: Ranks) -> dict[str, Any]:
    """Take part in the run of the first rank, which alone reads and writes."""
    plan = ranks.from_first(None)
    if plan is None:
        raise NotBegun("the first rank could not begin; it says why")
    return Job(None, Plan(**plan), Console(quiet=True), ranks).run()


def _was_begun(folder: Path, file: Path | None, options: Mapping[str, str] | None) -> bool:
    """Whether the run in a folder is the one that this process was started for, maybe to replace a lost one."""
    kept_in = folder / PLAN
    if not kept_in.exists():
        return False
    if not by_torchrun():
        return replaces_a_lost_one()  # what Ray counts is of this folder's run
    asked = new_plan(file, options, begun=folder)
    return kept_values(kept_in) == asked.model_dump()


def _begun(
    folder: Path, file: Path | None, options: Mapping[str, str] | None, processes: int
) -> tuple[RunFolder, Plan]:  # fmt: skip
    plan = planned(folder, False, file, options)
    check_processes(plan, processes)
    check_plan(plan)
    return _folder(RunFolder.begin, folder, toml_of(plan)), plan


def check_plan(plan: Plan) -> None:
    """Raises PlanError, RunError where a run of this plan could not begin on this machine, or would not do what it says; before
    anything is made."""
    check_met(plan)
    _check_device(plan)
    _check_start(plan)
    check_watch(plan)
    check_worth(plan)


def check_processes(plan: Plan, count: int) -> None:
    """Raises RunError where some of the processes that are to share a run would have no shard of it."""
    if count > plan.shards:
        raise RunError(f"{count} processes are to share {plan.shards} shards; expected at least one for each: ask for fewer "
                       "(--workers, torchrun --nproc-per-node), or begin a run with more --shards")  # fmt: skip


def _taken_up(
    folder: Path, file: Path | None, options: Mapping[str, str] | None, processes: int
) -> tuple[RunFolder, Plan]:  # fmt: skip
    run = _folder(RunFolder.resume, folder)
    try:
        plan = _asked(run.plan_file, file, options)
        check_processes(plan, processes)
        _check_device(plan)
        check_watch(plan)
    except BaseException:
        run.close()
        raise
    return run, plan


def check_name(folder: Path) -> None:
    """Raises PlanError where no spec could name what a new run leaves in a folder."""
    if problem := why_in_no_spec("--folder", folder):
        raise PlanError(f"{problem}; name another folder")


def _check_device(plan: Plan) -> None:
    if plan.device == "cuda" and not torch.cuda.is_available():
        raise PlanError(f"{option('device')} is 'cuda', but PyTorch finds no GPU here; expected cpu, or auto")


def _check_start(plan: Plan) -> None:
    if plan.start:
        try:
            started_from(plan.start, trained_by(plan, AS_IT_IS))
        except ModelError as error:
            raise PlanError(f"{option('start')}: {error}") from error


def _folder(make: Callable[..., RunFolder], path: Path, *arguments: str) -> RunFolder:
    """A run's folder, begun or resumed. Raises `RunError`, also for what the disk says."""
    try:
        return make(path, *arguments)
    except OSError as error:
        raise disk_error(error, path) from error
