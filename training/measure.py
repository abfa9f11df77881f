"""How strong a learner is: one among several of each opponent, and one of each among several of it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, NamedTuple, Protocol

from rich.console import Console

from hansa_agents import Agent
from hansa_agents.arena import play_match
from hansa_agents.line_ups import line_ups
from hansa_agents.match_progress import Counter
from hansa_agents.schedule import Schedule
from hansa_env import Ruleset
from hansa_env.commands.output import print_table, table_of
from hansa_env.commands.progress import Progress
from hansa_env.play.result import interval_text
from hansa_training.plan import Plan
from hansa_training.ranks import ALONE, Ranks
from hansa_training.rulesets import name_of, those_who_play

#: Of the deals of the curve, and of the final games. No shard of a run with a seed below 1,000,000 plays these;
#: that of a larger one may, such as 1,000,000 or 2,999,000,000.
CURVE_SEED, FINAL_SEED = 4_000_000_003, 2_000_003


class Measured(Protocol):
    """What is measured: a learner, or whatever else has an agent for a ruleset."""

    def agent(self, ruleset: Ruleset | None = None, temperature: float = 0.0) -> Agent: ...


class Meeting(NamedTuple):
    """An opponent that a learner is measured against, and where; `name` is what points of the curve call it."""

    name: str
    ruleset: Ruleset
    opponent: str

    @property
    def others(self) -> int:
        return self.ruleset.players - 1

    def games(self, asked: int) -> int:
        """How many are played where so many are asked for: one against the others has each seat equally often."""
        return Schedule.of(line_ups([0, *[1] * self.others], self.ruleset.players), asked, 0).games


@cache
def meetings_of(plan: Plan) -> list[Meeting]:
    """Whom a plan's learner is measured against: of each ruleset, the agents of `eval_opponents` that play it."""
    several = len(plan.rulesets_played) > 1
    return [
        Meeting(f"{spec} on {name_of(ruleset)}" if several else spec, ruleset, spec)
        for ruleset in plan.rulesets_played for spec in those_who_play(plan.measured, ruleset)
    ]  # fmt: skip


def yardstick_of(plan: Plan) -> Meeting:
    """The meeting of which more is measured than the win share: with `greedy`, or the last; on the first ruleset."""
    first = [one for one in meetings_of(plan) if one.ruleset == plan.rulesets_played[0]]
    return next((one for one in first if one.opponent == "greedy"), first[-1])


def games_of(
    agent: Agent, meeting: Meeting, plan: Plan, games: int, seed: int, step: Callable[[], None], among_it: bool = False
) -> dict[str, Any]:  # fmt: skip
    """What the learner comes to as the only one among several of an opponent; with `among_it`, the opponent as the only one
    among copies of the learner. `step` is called after each game."""
    _, ruleset, opponent = meeting
    one, rest = (opponent, agent) if among_it else (agent, opponent)
    field = [one, *[rest] * meeting.others]
    match = play_match(field, ruleset, games, seed, max_turns=plan.max_turns, on_game_end=lambda _: step())
    line = match.rows[0]
    told = {"opponent": opponent, "games": match.games, "share": line.share, "low": line.low, "high": line.high}
    if among_it:
        return told
    return told | {"mean_score": line.mean_score, "mean_rank": line.mean_rank, "scores": line.scores,
                   "ends": {reason: count / match.games for reason, count in match.ends.items()},
                   "turns": sum(result.turns for result in match.results) / match.games / ruleset.players}  # fmt: skip


def curve_point(learner: Measured, plan: Plan, progress: Progress, ranks: Ranks = ALONE) -> dict[str, Any]:
    """What a point of the curve says of each meeting, by name: NAME, the learner's share of the win; NAME score, its mean
    points; NAME scores, ends, turns; and with three players and more NAME among it, its share. Ranks take turns with the
    meetings."""
    meetings = meetings_of(plan)
    own = meetings[ranks.rank :: ranks.size]
    games = sum(one.games(plan.curve_games) * (1 if one.others == 1 else 2) for one in own)
    with progress.aside("measuring", games) as step:
        every = ranks.gather([_measured(learner, one, plan, step) for one in own])
    point: dict[str, Any] = {}
    for i in range(len(meetings)):
        point |= every[i % ranks.size][i // ranks.size]
    return point


def _measured(learner: Measured, meeting: Meeting, plan: Plan, step: Callable[[], None]) -> dict[str, Any]:
    name, agent = meeting.name, learner.agent(meeting.ruleset)
    found = games_of(agent, meeting, plan, plan.curve_games, CURVE_SEED, step)
    told = {name: found["share"], f"{name} score": found["mean_score"]}
    told |= {f"{name} {what}": found[what] for what in ("scores", "ends", "turns")}
    if meeting.others > 1:
        told[f"{name} among it"] = games_of(agent, meeting, plan, plan.curve_games, CURVE_SEED, step, among_it=True)["share"]
    return told


def note_of(points: list[dict[str, Any]], plan: Plan) -> str:
    """The newest point of the curve in words; of no point none."""
    words = []
    for name, _, _ in meetings_of(plan) if points else []:
        if name in points[-1]:  # else the opponent is new
            around = points[-1].get(f"{name} among it")
            words.append(f"{points[-1][name]:.0%} against {name}" + ("" if around is None else f" ({around:.0%} among it)"))
    return ", ".join(words)


def final_games(learner: Measured, plan: Plan, progress: Progress, ranks: Ranks = ALONE) -> dict[str, Any]:
    """The final table: "final", one among several of each opponent, and "among it", one of each among several of it. Ranks
    take turns with the lines."""
    meetings = meetings_of(plan)
    lines = [("likeliest", one) for one in meetings] + [("sampled", yardstick_of(plan))]
    lines += [("among it", one) for one in meetings if one.others > 1]
    own = lines[ranks.rank :: ranks.size]
    counter, found = Counter(progress, "final games"), []
    counter.begin(sum(one.games(plan.final_games) for _, one in own), 0)
    for how, one in own:
        progress.at(counter.done, f"{one.name} among {one.others} of it" if how == "among it" else f"against {one.name}")
        agent, step = learner.agent(one.ruleset, 1.0 if how == "sampled" else 0.0), partial(counter.add, None)
        line = games_of(agent, one, plan, plan.final_games, FINAL_SEED, step, how == "among it")
        actions = {} if how == "among it" else {"actions": how}
        found.append(line | actions | _where(one, plan))
    progress.end()
    every = ranks.gather(found)
    told = [every[i % ranks.size][i // ranks.size] for i in range(len(lines))]
    final = [line for (how, _), line in zip(lines, told) if how != "among it"]
    return {"final": final, "among it": [line for (how, _), line in zip(lines, told) if how == "among it"]}


def _where(one: Meeting, plan: Plan) -> dict[str, Any]:
    return {"ruleset": name_of(one.ruleset), "players": one.ruleset.players} if plan.rulesets else {}


def most_memory() -> int | None:
    """Bytes of memory that this process has had at most; None where the system does not tell."""
    try:
        import resource
    except ModuleNotFoundError:  # on Windows
        return None
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def print_result(
    result: dict[str, Any], plan: Plan, seconds: float, console: Console, memory: int | None = None
) -> None:  # fmt: skip
    """The final tables; `memory`: bytes that the run had at most, where they are known."""
    title = f"{len(plan.rulesets_played)} rulesets" if plan.rulesets else f"{plan.players} players"
    spent = f"{seconds / 60:.1f} minutes" + (f", {memory / 1e9:.1f} GB of memory at most" if memory else "")
    columns = "among the others", "actions", "games", "win share", "95 % interval", "chance", "mean score", "mean rank"
    table = table_of(columns, title=f"PPO by self-play, {title}, {spent}", left=2)
    for line in result["final"]:
        others = f"{players_in(line, plan) - 1} {line['opponent']}{place_in(line)}"
        table.add_row(others, line["actions"], *cells_of(line, plan), f"{line['mean_score']:.1f}", f"{line['mean_rank']:.2f}")
    print_table(table, console)
    if not result["among it"]:
        return
    names = "agent", "games", "its win share", "95 % interval", "chance"
    table = table_of(names, title="Each as the only one among copies of the trained agent")
    for line in result["among it"]:
        table.add_row(line["opponent"] + place_in(line), *cells_of(line, plan))
    print_table(table, console)


def players_in(line: dict[str, Any], plan: Plan) -> int:
    """How many played where a line of a result was measured."""
    given: int | None = line.get("players")
    return plan.players if given is None else given


def place_in(line: Mapping[str, Any]) -> str:
    """On which ruleset a line of a result was measured, where there are several."""
    return f" on {line['ruleset']}" if "ruleset" in line else ""


def cells_of(line: dict[str, Any], plan: Plan) -> tuple[str, str, str, str]:
    """What tables say of a line of a result: its games, win share and interval, and the chance."""
    chance = 1 / players_in(line, plan)
    return str(line["games"]), f"{line['share']:.1%}", interval_text(line["low"], line["high"]), f"{chance:.1%}"
