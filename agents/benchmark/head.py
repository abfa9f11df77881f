"""The head of a row: who plays, by what model and how fast, and the best responses that were found."""

from __future__ import annotations

import platform
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from hansa_agents.benchmark.exploit_report import Response, read_report
from hansa_agents.benchmark.play import milliseconds_alone, model_of
from hansa_agents.benchmark.row_file import FORMAT, LONGEST_TEXT, NAME, About, Head
from hansa_agents.benchmark.suite import Cell, Suite, suite_hash
from hansa_agents.match_options import Faults
from hansa_env.commands.progress import late, progress_of_agents
from hansa_env.formats.errors import LONGEST_NAME
from hansa_env.formats.fields import PRINTABLE
from hansa_env.version import __version__


def head_of(
    agent: str, name: str, about: About, suite: Suite, cells: Sequence[Cell], responses: Sequence[Path], faults: Faults
) -> Head:  # fmt: skip
    """What is said of who plays some cells; the agent is made for each of their settings, so that it fails now or not at all.

    Raises:
        ValueError: the name or the spec is none for a row, or a response is none to this agent.
        AgentError: the agent cannot be made for a setting.
    """
    _check_text("the name", name, LONGEST_NAME, NAME, ", without ` < or |; choose another with --name")
    _check_text("the spec", agent, LONGEST_TEXT, PRINTABLE, "")
    wanted = dict.fromkeys(cell.setting.name for cell in cells)
    models = {one: model_of(agent, suite.setting(one)) for one in wanted}
    found = responses_of(responses, agent, suite, models)
    alone = {}
    with progress_of_agents(late("settings in which a decision is timed", len(wanted))) as progress:
        for number, one in enumerate(wanted):
            progress.at(number, one)
            milliseconds = milliseconds_alone(agent, suite.setting(one), faults, progress.tell)
            if milliseconds is not None:
                alone[one] = round(milliseconds, 6)
    machine = f"{platform.machine()}, Python {platform.python_version()}"
    return Head(
        format=FORMAT, suite=suite.name, suite_hash=suite_hash(suite.name), name=name, spec=agent, version=__version__,
        machine=machine, models=models, alone=alone, responses=found, about=about,
    )  # fmt: skip


def _check_text(what: str, text: str, most: int, pattern: str, remedy: str) -> None:
    if not 0 < len(text) <= most or not re.fullmatch(pattern, text):
        raise ValueError(
            f"{what} is {text!r:.60}, of {len(text):,} characters; expected 1 to {most:,} that can be shown{remedy}"
        )


def responses_of(paths: Sequence[Path], agent: str, suite: Suite, models: Mapping[str, str | None]) -> dict[str, Response]:
    """The best responses that were found, by setting.

    Args:
        models: of the agent, by setting that is played.

    Raises ValueError for a file that is no report of this agent, as it is now, in one of these settings.
    """
    found: dict[str, Response] = {}
    for path in paths:
        try:
            report = read_report(path)
        except ValueError as error:
            raise ValueError(f"{path}: no report of `hansa exploit` ({error})") from error
        best = report.best
        if best is None:
            raise ValueError(f"{path}: has no response yet; expected one, so let `hansa exploit` end")
        settings = [one.name for one in suite.settings if one.game().config == report.ruleset]
        if report.agent != agent or not settings:
            of = f"{report.agent!r:.100} and {report.ruleset!r:.200}"
            raise ValueError(f"{path}: is of {of}; expected {agent!r} in a setting of the suite")
        setting = settings[0]
        if setting not in models:
            raise ValueError(f"{path}: is of {setting}, which is not played now; expected {', '.join(models)}")
        model = models[setting]
        if report.model is not None and report.model != model:
            has = f"has the model {model:.12}" if model else "has no model"
            was = f"{path}: is of the model {report.model:.12}, but {agent!r:.100} {has} in {setting} now"
            raise ValueError(f"{was}; expected a report of that: let `hansa exploit` look anew, in another folder")
        said = Response(by=best.by, share=best.share, low=best.low, high=best.high)
        found[setting] = max(found.get(setting, said), said, key=lambda one: one.share)
    return found
