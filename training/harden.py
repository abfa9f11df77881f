"""Rounds of finding a best response to an agent and learning against it, so that the agent's holes are found and closed.

Each round looks for a best response to the agent as it is (`hansa_training.exploit`, by learning alone); then the agent learns
further, with the responses of this and earlier rounds among its rivals. These are the main agent and its exploiters of Vinyals
et al. (2019), one after the other instead of side by side.

Where the response is simply the better player, which wins alone among copies of the agent and as the majority around it, the
agent learns on from the response, and its former network joins the rivals, of which the newest are kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from string import whitespace
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from hansa_agents.model_hash import model_hash_of
from hansa_agents.networks.run_models import MODEL
from hansa_env.commands.output import table_of
from hansa_env.commands.progress import Progress
from hansa_env.formats.claim import claim_folder
from hansa_env.formats.file_reading import read_at_most
from hansa_env.formats.file_writing import write_json
from hansa_env.formats.json_text import parse_json
from hansa_env.play.registry import make_agent
from hansa_env.play.result import interval_text
from hansa_env.play.specs import AND, mixture_of, runs_code, specs_in
from hansa_training.begin import check_plan, new_plan, result_of
from hansa_training.errors import PlanError, RunError
from hansa_training.exploit import Budget, exploit
from hansa_training.exploit_search import weights_of_spec
from hansa_training.exploit_target import FRESH_SEED, Target
from hansa_training.plan import CHANGEABLE, Plan
from hansa_training.plan_file import read_toml
from hansa_training.plan_texts import text_of
from hansa_training.run_folder import why_in_no_spec

FORMAT = "hansa-harden/1"
#: In the folder: what was asked for, and what came of the rounds. In that of each round: the best response, and the run that
#: learned against it.
ASKED, SUMMARY, RESPONSE, LEARNED = "asked.json", "harden.json", "response", "learned"
LARGEST = 2**24  # bytes of either
#: Of a round: how one agent does among copies of the response.
AROUND = "among the response"
#: What is kept of a line of games.
FIGURES = ("share", "low", "high", "games")
#: Options of the agent's own runs that learners have as well, unless they are told otherwise: they say what a
#: machine can do.
ALIKE = ("device", "precision", "envs", "rollout")
#: Options of the agent's own runs where nobody says otherwise: without them it would seldom or never meet its rivals.
DEFAULTS = {"from_frozen": 0.6, "mixed": 0.35, "at_once": 4}


class Rounds(NamedTuple):
    """What is spent.

    Attributes:
        rounds: how many; after the last one a best response is looked for once more.
        decisions: of the learner that looks for a response. games: on fresh deals, of each response.
        kept: how many responses stay among the rivals, the newest, and as many of the agent's former networks.
        mixture: networks that play as the agent, the newest, each seat of each game by one of them (`hansa_agents.mixture`).
    """

    rounds: int = 4
    decisions: int = 2_000_000
    games: int = 600
    kept: int = 6
    mixture: int = 1


def harden(
    agent: str, folder: Path, budget: Rounds, file: Path | None, options: Mapping[str, str], learner: Mapping[str, str],
    progress: Progress, console: Console,
) -> dict[str, Any]:  # fmt: skip
    """Make the rounds that are not done yet, and keep what came of them in `harden.json` of the folder.

    Args:
        agent: spec of the network to begin with: ppo, ppo:FILE or ppo:RUN.
        file, options: of the plan of the runs in which the agent learns (`make_plan`), which also says which game is played.
            Each begins with the agent of the round before, or with the response to it where that is the better player, and has
            a seed of its own; its rivals are those of the plan and the responses. DEFAULTS stand where neither says otherwise.
        learner: options of the plans of the learners that look for responses, where they are to differ.

    Returns:
        The summary: "rounds", each with "agent", "response" (its spec, share, interval and games among copies of the agent),
        "among the response" (those of one agent among copies of the response), "start" (the network that learned on: the
        agent's newest, or the response), "learned" (the spec of the agent after it) and "against" (one of the agent after it
        among copies of the response, and with three players and more the other way round). The last has the first three.

    Raises:
        PlanError, RunError: of the runs; there is nothing to begin with; the folder holds rounds that were asked for
            otherwise. AgentError: there is no such agent.
    """
    folder = folder.resolve()  # specs of models in it hold wherever the command is given again
    plan = _planned(agent, folder, file, options)
    spent = {"decisions": budget.decisions, "games": budget.games, "kept": budget.kept, "mixture": budget.mixture}
    model = model_hash_of(make_agent(agent, plan.ruleset), weights=False)
    stays = {name: value for name, value in plan.model_dump().items() if name not in CHANGEABLE}
    claim_folder(folder / ASKED, {"agent": agent, "model": model} | spent | stays, RunError, later=["model", *stays])
    learner = {name: text_of(getattr(plan, name)) for name in ALIKE} | dict(learner)
    rounds = _kept_rounds(folder, agent)
    for number in range(1, budget.rounds + 2):
        place, last = folder / f"round-{number}", number > budget.rounds
        networks = [agent, *(one["learned"] for one in rounds if "learned" in one)]
        if len(rounds) < number:
            progress.tell("looking for a response to the final agent" if last else f"round {number} of {budget.rounds}")
            now = mixture_of(networks[::-1][: budget.mixture])
            search = Budget(budget.decisions, seeds=(0,), generations=0, sims=0, games=budget.games, warm_start_seeds=())
            best = exploit(now, plan.ruleset, place / RESPONSE, search, learner, progress, console, plan.max_turns)["best"]
            response = {name: best[name] for name in ("spec", *FIGURES)}
            turned_round = Target(best["spec"], plan.ruleset, place / RESPONSE, plan.max_turns, progress)
            around = turned_round.share_of(now, budget.games, FRESH_SEED, "around the agent")
            rounds.append({"agent": now, "response": response, AROUND: around})
            _report(folder, plan, rounds)
        if last:
            break
        if "learned" not in rounds[number - 1]:
            rivals = [one["response"]["spec"] for one in rounds[:number]][::-1][: budget.kept]
            start = rivals[0] if _is_better(rounds[number - 1], plan) else networks[-1]
            starts = [*(one["start"] for one in rounds[: number - 1]), start]
            left = [was for was, begun in zip(networks, starts) if begun != was]
            rivals += left[::-1][: budget.kept]
            with progress.away():
                rounds[number - 1] |= _learned(plan, start, number, rivals, place / LEARNED, console)
            _report(folder, plan, rounds)
    return _report(folder, plan, rounds)


def _planned(agent: str, folder: Path, file: Path | None, options: Mapping[str, str]) -> Plan:
    """The plan of the agent's own runs, checked as far as it can be before the first begins. Raises PlanError, RunError."""
    weights = weights_of_spec(agent)
    if not weights or agent not in ("ppo", f"ppo:{weights}"):
        raise RunError(f"{agent} is no network to start from; expected ppo, ppo:FILE or ppo:RUN")
    if problem := why_in_no_spec("--folder", folder, whitespace + AND):
        raise PlanError(f"{problem}; specs of its models stand in plans and mixtures: name another folder")
    named = options.get("start") or (file is not None and read_toml(file).get("start"))
    if named or "start" in options:
        raise PlanError(f"start is {named!r:.200}; expected none: the agent's runs start from {agent}")
    plan = new_plan(file, dict(options) | {"start": weights}, DEFAULTS)
    if plan.rulesets:
        raise PlanError(f"rulesets is {plan.rulesets!r}; expected a plan of one game")
    check_plan(plan.model_copy(update={"rivals": f"{plan.rivals} {agent}"}))  # there will be some
    make_agent(agent, plan.ruleset)  # weights of another game are something to start from, but no agent to respond to
    return plan


def _is_better(one: Mapping[str, Any], plan: Plan) -> bool:
    """Whether the response of a round wins both alone among copies of the agent and as the majority around it."""
    chance = 1 / plan.players
    return one["response"]["low"] > chance > one[AROUND]["high"]


def _learned(plan: Plan, start: str, number: int, rivals: list[str], place: Path, console: Console) -> dict[str, Any]:
    """What came of a network by learning against rivals, the newest response of which comes first."""
    changed = {
        "start": weights_of_spec(start), "seed": plan.seed + number, "rivals": " ".join([plan.rivals, *rivals]).strip(),
        "eval_opponents": f"{plan.eval_opponents} {rivals[0]}",
    }  # fmt: skip
    values = plan.model_dump() | changed
    options = {name: text_of(value) for name, value in values.items() if value is not None}
    result = result_of(place, None, options, console)
    against = {way: _against(result[way], rivals[0]) for way in ("final", "among it")}
    return {"start": start, "learned": f"ppo:{place / MODEL}", "against": {way: line for way, line in against.items() if line}}


def _against(lines: list[dict[str, Any]], opponent: str) -> dict[str, Any] | None:
    """The first line of a result that says how it went with an opponent."""
    found = (line for line in lines if line["opponent"] == opponent)
    return next(({name: line[name] for name in FIGURES} for line in found), None)


def _kept_rounds(folder: Path, agent: str) -> list[dict[str, Any]]:
    """The rounds that were made so far. Raises RunError where the file is broken, or names what is no model in the folder."""
    path = folder / SUMMARY
    if not path.exists():
        return []
    try:
        rounds: list[dict[str, Any]] = list(_read(path)["rounds"])
        specs = [spec for one in rounds for spec in specs_in(one["agent"])]
        specs += [one["learned"] for one in rounds if "learned" in one] + [one["response"]["spec"] for one in rounds]
        specs += [one["start"] for one in rounds if "learned" in one]
        lines = [line for one in rounds for line in (one["response"], one[AROUND], *one.get("against", {}).values())]
        if not all(type(line[name]) in (int, float) for line in lines for name in FIGURES):
            raise ValueError("a figure is no number")
        strange = [spec for spec in specs if spec != agent and (runs_code(spec) or not spec.startswith(f"ppo:{folder}/"))]
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise RunError(f"{path}: is not what `hansa harden` writes ({type(error).__name__}: {error!s:.200})") from error
    if strange:
        raise RunError(f"{path}: names {strange[0]!r:.200}; expected models in that folder")
    return rounds


def _read(path: Path) -> dict[str, Any]:
    try:
        found = parse_json(read_at_most(path, LARGEST).decode(), path.name)
    except (OSError, ValueError) as error:
        raise RunError(f"{path}: cannot be read ({error!s:.200})") from error
    if not isinstance(found, dict):
        raise RunError(f"{path}: is not what `hansa harden` writes")
    return found


def _report(folder: Path, plan: Plan, rounds: list[dict[str, Any]]) -> dict[str, Any]:
    summary = {"format": FORMAT, "ruleset": plan.ruleset.config, "chance": 1 / plan.players, "rounds": rounds}
    write_json(folder / SUMMARY, summary)
    return summary


def summary_table(summary: Mapping[str, Any]) -> Table:
    """A line for each round."""
    columns = ("round", "response among the agent", "95 % interval", "agent among the response", "learned on from",
               "new agent among the response", "response among the new agent")  # fmt: skip
    title = f"Best responses, and what learning against them brought (chance {summary['chance']:.0%})"
    table = table_of(columns, title=title)
    for number, one in enumerate(summary["rounds"], 1):
        found, against = one["response"], one.get("against", {})
        after = [f"{against[way]['share']:.1%}" if way in against else "" for way in ("final", "among it")]
        begun = "" if "start" not in one else "the response" if one["start"] == found["spec"] else "the agent"
        interval, around = interval_text(found["low"], found["high"]), f"{one[AROUND]['share']:.1%}"
        table.add_row(str(number), f"{found['share']:.1%}", interval, around, begun, *after)
    return table
