"""Rounds of finding a best response to an agent and learning against it, so that the agent's holes are found and closed.

Each round looks for a best response to the agent as it is (`hansa_training.exploit`, by learning alone); then the agent learns
further, with the responses of this and earlier rounds among its rivals. These are the main agent and the exploiters of the
league of Vinyals et al. (2019), one after the other instead of side by side.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from hansa_env import Ruleset
from hansa_env.commands.output import print_table
from hansa_env.commands.progress import Progress
from hansa_env.formats.files import write_whole
from hansa_training.begin import result_of
from hansa_training.errors import RunError
from hansa_training.exploit import Budget, exploit, options_of, weights_of_spec
from hansa_training.model_file import MODEL
from hansa_training.plan_file import make_plan

FORMAT = "hansa-harden/1"
#: In the folder: what came of the rounds; in that of each round: the best response, and the run that learned against it.
SUMMARY, RESPONSE, LEARNED = "harden.json", "response", "learned"


class Rounds(NamedTuple):
    """What is spent.

    Attributes:
        rounds: how many; after the last one a best response is looked for once more.
        decisions: of the learner that looks for a response. games: on fresh deals, of each response.
        kept: responses that stay among the rivals, the newest.
    """

    rounds: int = 4
    decisions: int = 2_000_000
    games: int = 600
    kept: int = 6


def harden(
    agent: str, ruleset: Ruleset, folder: Path, budget: Rounds, file: Path | None, options: Mapping[str, str],
    learner: Mapping[str, str], progress: Progress, console: Console,
) -> dict[str, Any]:  # fmt: skip
    """Make the rounds that are not done yet, and keep what came of them in `harden.json` of the folder.

    Args:
        agent: spec of the network to begin with.
        file, options: of the plan of the runs in which the agent learns (`make_plan`). Each begins with the agent of the round
            before and has a seed of its own; its rivals are those of the plan and the responses.
        learner: options of the plans of the learners that look for responses, where they are to differ.

    Returns:
        The summary: "rounds", each with "response" (its spec, share, interval and games against the agent as it was),
        "learned" (the spec of the agent after it, none after the last) and "against" (one of the agent after it among copies
        of the response, and the other way round).

    Raises:
        PlanError, RunError: of the runs; the agent has no weights to begin with. AgentError: there is no such agent.
    """
    if not weights_of_spec(agent):
        raise RunError(f"{agent} has no weights to learn on with; expected ppo, ppo:FILE or ppo:RUN")
    own = dict(options) | options_of(ruleset) | {"start": weights_of_spec(agent)}
    plan = make_plan(file=file, options=own)
    search = Budget(budget.decisions, (0,), 0, 0, budget.games)
    responses: list[str] = []
    told: list[dict[str, Any]] = []
    for number in range(1, budget.rounds + 2):
        place = folder / f"round-{number}"
        last = number > budget.rounds
        progress.tell("a response to what came of the rounds" if last else f"round {number} of {budget.rounds}")
        best = exploit(agent, ruleset, place / RESPONSE, search, dict(learner), progress, console)["best"]
        told.append({"agent": agent, "response": {name: best[name] for name in ("spec", "share", "low", "high", "games")}})
        _report(folder, ruleset, told)
        if last:
            break
        responses = [best["spec"], *responses][: budget.kept]
        given = own | {
            "start": weights_of_spec(agent), "seed": str(plan.seed + number),
            "rivals": " ".join([plan.rivals, *responses]).strip(),
            "eval_opponents": f"{plan.eval_opponents} {best['spec']}",
        }  # fmt: skip
        result = result_of(place / LEARNED, file, given, console)
        agent = f"ppo:{place / LEARNED / MODEL}"
        told[-1] |= {"learned": agent, "against": {way: _against(result[way], best["spec"]) for way in ("final", "among it")}}
        _report(folder, ruleset, told)
    return _report(folder, ruleset, told)


def _against(lines: list[dict[str, Any]], opponent: str) -> dict[str, Any] | None:
    """The first line of a result that says how it went with an opponent; with two players one way is left out."""
    found = (line for line in lines if line["opponent"] == opponent)
    return next(({name: line[name] for name in ("share", "low", "high", "games")} for line in found), None)


def _report(folder: Path, ruleset: Ruleset, rounds: list[dict[str, Any]]) -> dict[str, Any]:
    summary = {"format": FORMAT, "ruleset": ruleset.config, "chance": 1 / ruleset.players, "rounds": rounds}
    write_whole(folder / SUMMARY, (json.dumps(summary, indent=1) + "\n").encode())
    return summary


def print_summary(summary: Mapping[str, Any], tell: Callable[[Table], None] = print_table) -> None:
    """A line for each round."""
    chance = f"chance {summary['chance']:.0%}"
    table = Table(title=f"Best responses, and what learning against them brought ({chance})")
    table.add_column("round")
    for column in ("the response among copies", "95 % interval", "then the agent among it", "and it among the agent"):
        table.add_column(column, justify="right")
    for number, one in enumerate(summary["rounds"], 1):
        found, against = one["response"], one.get("against", {})
        after = [_share(against.get(way)) for way in ("final", "among it")]
        table.add_row(str(number), f"{found['share']:.1%}", f"{found['low']:.1%} – {found['high']:.1%}", *after)
    tell(table)


def _share(line: Mapping[str, Any] | None) -> str:
    return "" if line is None else f"{line['share']:.1%}"
