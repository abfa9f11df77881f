"""How strong a learner is: one among several of each opponent, and one of each among several of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from hansa_agents import Agent
from hansa_agents.arena import Match, play_match
from hansa_env.commands.output import print_table
from hansa_env.commands.progress import Progress
from hansa_training.agent import PPOAgent
from hansa_training.plan import Plan

if TYPE_CHECKING:
    from hansa_training.learner import Learner

#: Of the deals of the curve, and of the final games.
CURVE_SEED, FINAL_SEED = 1_000_003, 2_000_003


def one_among(agent: PPOAgent, opponent: str, plan: Plan, games: int, seed: int, step: Callable[[], None]) -> dict[str, Any]:
    """What the learner comes to as the only one among several of an opponent; `step` is called after each game."""
    match = _match([agent, *[opponent] * (plan.players - 1)], plan, games, seed, step)
    line = match.rows[0]
    actions = "likeliest" if agent.greedily else "sampled"
    return {"opponent": opponent, "actions": actions, "games": match.games,
            "share": line.share, "low": line.low, "high": line.high,
            "mean_score": line.mean_score, "mean_rank": line.mean_rank, "scores": line.scores,
            "ends": {reason: count / match.games for reason, count in match.ends.items()},
            "turns": sum(result.turns for result in match.results) / match.games / plan.players}  # fmt: skip


def among_it(agent: PPOAgent, opponent: str, plan: Plan, games: int, seed: int, step: Callable[[], None]) -> dict[str, Any]:
    """What an opponent comes to as the only one among copies of the learner."""
    match = _match([opponent, *[agent] * (plan.players - 1)], plan, games, seed, step)
    line = match.rows[0]
    return {"opponent": opponent, "games": match.games, "share": line.share, "low": line.low, "high": line.high}


def _match(field: list[str | Agent], plan: Plan, games: int, seed: int, step: Callable[[], None]) -> Match:
    return play_match(field, plan.ruleset, games, seed, max_turns=plan.max_turns, on_game_end=lambda _: step())


def curve_point(agent: PPOAgent, plan: Plan, progress: Progress) -> dict[str, Any]:
    """What a point of the curve says of each opponent, by name: NAME, the learner's share of the win; NAME score, its mean
    points; with three players and more NAME among it, its share; and NAME scores, ends, turns of the first."""
    point: dict[str, Any] = {}
    ways = 2 if plan.players > 2 else 1
    with progress.aside("measuring", ways * len(plan.measured) * plan.curve_games) as step:
        for name in plan.measured:
            measured = one_among(agent, name, plan, plan.curve_games, CURVE_SEED, step)
            point[name], point[f"{name} score"] = measured["share"], measured["mean_score"]
            for what in ("scores", "ends", "turns"):
                point[f"{name} {what}"] = measured[what]
            if plan.players > 2:
                point[f"{name} among it"] = among_it(agent, name, plan, plan.curve_games, CURVE_SEED, step)["share"]
    return point


def note_of(points: list[dict[str, Any]], plan: Plan) -> str:
    """The newest point of the curve in words; of no point none."""
    words = []
    for name in plan.measured if points else []:
        if name in points[-1]:  # else the opponent is new
            around = points[-1].get(f"{name} among it")
            words.append(f"{points[-1][name]:.0%} against {name}" + ("" if around is None else f" ({around:.0%} among it)"))
    return ", ".join(words)


def final_games(learner: Learner, plan: Plan, progress: Progress) -> dict[str, Any]:
    """The final table: "final", one among several of each opponent, and "among it", one of each among several of it."""
    likeliest, sampled = learner.agent(), learner.agent(greedily=False)
    meetings = [(opponent, likeliest) for opponent in plan.measured] + [(plan.yardstick, sampled)]
    around = plan.measured if plan.players > 2 else []
    played = 0
    progress.begin("final games", (len(meetings) + len(around)) * plan.final_games)

    def step() -> None:
        nonlocal played
        played += 1
        progress.at(played)

    final, among = [], []
    for opponent, agent in meetings:
        progress.at(played, f"against {opponent}")
        final.append(one_among(agent, opponent, plan, plan.final_games, FINAL_SEED, step))
    for opponent in around:
        progress.at(played, f"{opponent} among {plan.players - 1} of it")
        among.append(among_it(likeliest, opponent, plan, plan.final_games, FINAL_SEED, step))
    progress.end()
    return {"final": final, "among it": among}


def print_result(result: dict[str, Any], plan: Plan, seconds: float, console: Console) -> None:
    """The final tables."""
    others, chance = plan.players - 1, f"{1 / plan.players:.1%}"
    table = Table(title=f"PPO by self-play, {plan.players} players, {seconds / 60:.1f} minutes")
    for column in (f"against {others}", "actions"):
        table.add_column(column)
    for column in ("games", "win share", "95 % interval", "chance", "mean score", "mean rank"):
        table.add_column(column, justify="right")
    for line in result["final"]:
        table.add_row(line["opponent"], line["actions"], str(line["games"]), f"{line['share']:.1%}", _interval(line), chance,
                      f"{line['mean_score']:.1f}", f"{line['mean_rank']:.2f}")  # fmt: skip
    print_table(table, console)
    if not result["among it"]:
        return
    table = Table(title=f"Each as the only one among {others} of the trained agent")
    table.add_column("agent")
    for column in ("games", "its win share", "95 % interval", "chance"):
        table.add_column(column, justify="right")
    for line in result["among it"]:
        table.add_row(line["opponent"], str(line["games"]), f"{line['share']:.1%}", _interval(line), chance)
    print_table(table, console)


def _interval(line: dict[str, Any]) -> str:
    return f"{line['low']:.1%} – {line['high']:.1%}"
