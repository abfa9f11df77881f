"""Plans from files and command lines, checked: what is wrong is told in one line that names where it stands."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from hansa_env.formats.errors import instead_of, nearest
from hansa_env.formats.file_reading import read_at_most
from hansa_env.play.errors import AgentError, said
from hansa_env.play.specs import as_typed, check_specs_of_file, runs_code
from hansa_env.renamed import called_now
from hansa_training.configs import config_file, config_names
from hansa_training.errors import PlanError
from hansa_training.plan import CHANGEABLE, Plan
from hansa_training.plan_texts import expected, option, value_of

LARGEST = 2**20  # bytes of a plan's file
THE_SAME = f"expected the same, since only {', '.join(map(option, CHANGEABLE))} may change in a run"
#: Options that had other names, and those that they have now.
RENAMED = {
    "divergence": "target_kl", "trace": "gae_lambda", "value_weight": "vf_coef", "entropy": "ent_coef", "rows": "batch_size",
    "epochs": "n_epochs", "clip": "clip_range", "discount": "gamma", "rungs": "eval_opponents",
    "cut_off": "turn_limit_cost",
}  # fmt: skip
#: Old names that files may still have: kept runs go on.
STILL_READ = ("cut_off",)


def read_toml(path: Path) -> dict[str, Any]:
    """The options in a file, or in the plan of that name (`hansa_training.configs`), not yet checked. Raises `PlanError`."""
    try:
        return by_todays_names(tomllib.loads(read_at_most(config_file(path), LARGEST).decode()))
    except OSError as error:
        known = instead_of(str(path), config_names())
        raise PlanError(f"{path}: cannot be read ({error.strerror}), nor is a plan called so; {known}") from error
    except (ValueError, RecursionError) as error:  # not TOML, not UTF-8, too large
        raise PlanError(f"{path}: is not TOML ({error})") from error


def by_todays_names(kept: Mapping[str, Any]) -> dict[str, Any]:
    """Options of a kept plan, those of STILL_READ by the names that they have now. If a plan has both names, both stay, and the
    check refuses the old one."""
    return {RENAMED[old] if old in STILL_READ and RENAMED[old] not in kept else old: value for old, value in kept.items()}


WORTH = "worth"
#: Fields with agents by spec, and the one with a function.
SPECS = ("opponents", "rivals", "eval_opponents", "teacher", WORTH)


def named_in(options: Mapping[str, str] | None) -> frozenset[str]:
    """The specs that command-line options name: these may run code."""
    return frozenset(spec for name in SPECS for spec in specs_in(name, (options or {}).get(name, "")))


def make_plan(
    values: Mapping[str, Any] | None = None, file: Path | None = None, options: Mapping[str, str] | None = None,
    named: Collection[str] = (),
) -> Plan:  # fmt: skip
    """A checked plan.

    Args:
        values: what is known already, by name.
        file: a TOML file, whose options go before these.
        options: texts of command-line options by name of the field, which go before both.
        named: specs that may run code although the file has them, since somebody else named them; those of `options` too.

    Raises:
        PlanError: in one line: where it stands, the name, the value, and what was expected.
    """
    layers: list[_Layer] = [_Layer(values or {}, lambda _: "plan")]
    if file is not None:
        kept = read_toml(file)
        told = {name: value for name, value in kept.items() if name not in (options or {})}
        check_specs(told, file, {*named, *named_in(options)})
        layers.append(_Layer(kept, lambda _: str(file)))
    return _plan([*layers, _of_options(options or {})], file)


def kept_plan(kept_in: Path, file: Path | None = None, options: Mapping[str, str] | None = None) -> Plan:
    """The plan of a run, in which what may change is as a file and options say now. What they replace is not looked at:
    it may be an agent that is gone.

    Args:
        kept_in: the file of the run. Specs in it may run code where `options` name them.
        file, options: as of `make_plan`; of these only what is in CHANGEABLE counts.

    Raises `PlanError`.
    """
    changed = {name: text for name, text in (options or {}).items() if name in CHANGEABLE}
    told = {} if file is None else read_toml(file)
    told = {name: value for name, value in told.items() if name in CHANGEABLE and name not in changed}
    kept = {name: value for name, value in read_toml(kept_in).items() if name not in {*told, *changed}}
    layers = [_Layer(kept, lambda _: str(kept_in)), _Layer(told, lambda _: str(file)), _of_options(changed)]
    for layer, place in zip(layers, (kept_in, file)):
        if place is not None:
            check_specs(layer.values, place, named_in(options))
    return _plan(layers, kept_in)


def kept_values(kept_in: Path) -> dict[str, Any]:
    """What the file of a run says, not checked, with the usual values of the options that were not there when it was written.
    Raises `PlanError` where it cannot be read."""
    return with_usual(read_toml(kept_in))


def with_usual(kept: Mapping[str, Any]) -> dict[str, Any]:
    """Options of a kept plan by today's names, with the usual values of those that are lacking."""
    return {name: field.default for name, field in Plan.model_fields.items()} | by_todays_names(kept)


class _Layer(NamedTuple):
    """Values by name that go before those of earlier layers; and where each stands, by name."""

    values: Mapping[str, Any]
    place: Callable[[str], str]


def _of_options(options: Mapping[str, str]) -> _Layer:
    return _Layer({name: value_of(name, text) for name, text in options.items()}, option)


def _plan(layers: Sequence[_Layer], file: Path | None) -> Plan:
    given: dict[str, Any] = {}
    places: dict[str, str] = {}
    for values, place in layers:
        given |= values
        places |= {name: place(name) for name in values}
    try:
        return Plan(**given)
    except ValidationError as error:
        raise PlanError(_line(error, places, file)) from error


def specs_in(name: str, text: str) -> list[str]:
    """The specs in what a field of SPECS says: `worth` is one function, the others are agents."""
    return [text] if name == WORTH and text else text.split()


def asks_for_code(name: str, spec: str) -> bool:
    """Whether a spec in a field of SPECS runs code that is not installed; a function of one's own does, whatever its name."""
    return name == WORTH or runs_code(spec)


def check_specs(kept: Mapping[str, Any], file: Path, named: Collection[str] = (), how: str = "") -> None:
    """Raises PlanError where what a file says of a plan asks for code and was not named; `how` is the option that names it,
    by default that of the field."""
    for name in SPECS:
        if not isinstance(kept.get(name), str):
            continue
        try:
            specs, what = specs_in(name, kept[name]), "function" if name == WORTH else "agent"
            words = f"{how or option(name)} {as_typed(kept[name])}"
            check_specs_of_file(specs, f"{file}: {name}", named, words, what, partial(asks_for_code, name))
        except AgentError as error:
            raise PlanError(str(error)) from error


def check_kept(file: Path, plan: Plan, kept: object) -> None:
    """Raises PlanError where a run's plan says something else, of what may not change, than the one by which the run came to
    where it is; `kept` is that as data, or None where it is not known."""
    for name, was, now in not_the_same(kept if isinstance(kept, dict) else {}, plan):
        raise PlanError(f"{file}: {name} = {now!r:.200}, but the run was made with {was!r:.200}; {THE_SAME}")


def not_the_same(kept: Mapping[str, Any], plan: Plan) -> Iterator[tuple[str, Any, Any]]:
    """In what a plan differs from a kept one, of what may not change in a run: each option, what it was and is."""
    for name, was in by_todays_names(kept).items():
        now = getattr(plan, name, was)
        if now != was and name not in CHANGEABLE:
            yield name, was, now


def _line(error: ValidationError, places: Mapping[str, str], file: Path | None) -> str:
    first = error.errors()[0]
    if not first["loc"]:  # options that do not go together
        place = str(file) if file else "plan"
        return f"{place}: {said(first['ctx']['error']):.600}"
    name, place = str(first["loc"][0]), places[str(first["loc"][0])]
    if name in RENAMED:
        return f"{place}: {called_now('option', name, RENAMED[name])}"
    on_line = place.startswith("--")
    if first["type"] == "extra_forbidden":
        called = option if on_line else str
        close = nearest(name, Plan.model_fields)
        hint = f"did you mean {called(close)}?" if close else f"expected one of {', '.join(map(called, Plan.model_fields))}"
        unknown = f"unknown option {called(name):.100} = {first['input']!r:.100}; {hint}"
        return unknown if on_line else f"{place}: {unknown}"
    where = place if on_line else f"{place}: {name}"
    return f"{where} = {first['input']!r:.200}; expected {expected(name)}"
