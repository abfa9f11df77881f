"""Plans from files and command lines, checked: what is wrong is told in one line that names where it stands."""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Collection, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from hansa_env.formats.files import read_at_most
from hansa_env.play.errors import AgentError
from hansa_env.play.registry import check_specs_of_file
from hansa_env.renamed import called_now
from hansa_training.configs import config_file, config_names
from hansa_training.errors import PlanError
from hansa_training.plan import Plan
from hansa_training.plan_options import expected, option, value_of

LARGEST = 2**20  # bytes of a plan's file
#: Options that had a name of their own up to version 0.2, and the field's names that they have now.
RENAMED = {
    "divergence": "target_kl", "trace": "gae_lambda", "value_weight": "vf_coef", "entropy": "ent_coef", "rows": "batch_size",
    "epochs": "n_epochs", "clip": "clip_range", "discount": "gamma", "rungs": "eval_opponents",
}  # fmt: skip


def read_toml(path: Path) -> dict[str, Any]:
    """The options in a file, or in the plan of that name (`hansa_training.configs`), not yet checked. Raises `PlanError`."""
    try:
        return tomllib.loads(read_at_most(config_file(path), LARGEST).decode())
    except OSError as error:
        known = ", ".join(config_names())
        raise PlanError(f"{path}: cannot be read ({error.strerror}); by name there are {known}") from error
    except (ValueError, RecursionError) as error:  # not TOML, not UTF-8, too large
        raise PlanError(f"{path}: is not TOML ({error})") from error


#: Fields with agents by spec.
SPECS = ("opponents", "rivals", "eval_opponents", "teacher", "worth")


def named_in(options: Mapping[str, str] | None) -> frozenset[str]:
    """The specs that command-line options name: these may run code."""
    return frozenset(spec for name in SPECS for spec in (options or {}).get(name, "").split())


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
    given, places = dict(values or {}), dict.fromkeys(values or {}, "plan")
    if file is not None:
        kept = read_toml(file)
        _check_specs(kept, file, options, {*named, *named_in(options)})
        for name, value in kept.items():
            given[name], places[name] = value, str(file)
    for name, text in (options or {}).items():
        given[name], places[name] = value_of(name, text), option(name)
    try:
        return Plan(**given)
    except ValidationError as error:
        raise PlanError(_line(error, places, file)) from error


def _check_specs(kept: Mapping[str, Any], file: Path, options: Mapping[str, str] | None, named: Collection[str]) -> None:
    """Raises PlanError where a file names agents that run code, and no option does."""
    for name in SPECS:
        if name in (options or {}) or not isinstance(kept.get(name), str):
            continue
        try:
            how = f"{option(name)} {shlex.quote(kept[name])}"
            check_specs_of_file(kept[name].split(), f"{file}: {name}", named, how)
        except AgentError as error:
            raise PlanError(str(error)) from error


def _line(error: ValidationError, places: Mapping[str, str], file: Path | None) -> str:
    first = error.errors()[0]
    if not first["loc"]:  # options that do not go together
        place = str(file) if file else "plan"
        return f"{place}: {' '.join(str(first['ctx']['error']).split()):.600}"
    name, place = str(first["loc"][0]), places[str(first["loc"][0])]
    if name in RENAMED:
        return f"{place}: {called_now('option', name, RENAMED[name])}"
    if first["type"] == "extra_forbidden":
        close = get_close_matches(name[:100], Plan.model_fields, 1)
        hint = f"did you mean {close[0]}?" if close else f"expected one of {', '.join(Plan.model_fields)}"
        return f"{place}: unknown option {name:.100} = {first['input']!r:.200}; {hint}"
    where = place if place.startswith("--") else f"{place}: {name}"
    return f"{where} = {first['input']!r:.200}; expected {expected(name)}"
