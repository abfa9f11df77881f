"""How far an agent is from the best play of a solved game: its regret, and what the best response to it gains. No sampling."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hansa_agents.solved.graph import Graph
from hansa_agents.solved.kernels.expand import CHANCE
from hansa_agents.solved.kernels.sweep import spread
from hansa_agents.solved.values import Induction, Solution, even_policy
from hansa_env.commands.progress import Progress
from hansa_env.play.agents import Agent, ask_agents
from hansa_env.play.estimates import all_on, estimate_games

#: Positions that an agent is asked about in one call.
BATCH = 1024
#: A decision that gives away more of the win than this is a mistake; games in which less is left to come do not count.
MISTAKE, LITTLE = 1e-6, 1e-12


@dataclass(frozen=True)
class Measure:
    """How an agent does, everything in shares of the win.

    Attributes:
        among_itself: (P,) what each seat wins when the agent has all of them.
        best_response: (P,) what each seat can win at most when the agent has all others.
        exploitability: the mean over the seats of what the best response wins more than the agent in its place; 0 only for
            one that is in equilibrium with itself. With two players half of what is called NashConv.
        decisions: of a game among itself, on the average.
        regret: what a decision of such a game gives away, on the average.
        mistakes: the share of them that give something away.
        seconds: that the agent took to think.
    """

    among_itself: np.ndarray
    best_response: np.ndarray
    exploitability: float
    decisions: float
    regret: float
    mistakes: float
    seconds: float


def policy_of(
    agent: Agent, graph: Graph, turns: int, deterministic: bool = False, note: Callable[[int], None] = lambda asked: None
) -> np.ndarray:
    """(E,) float64: how likely an agent takes each decision of a graph; behind chance all are equally likely.

    It is asked once about every position, as early in the game as it may come up: its shares, where it has an estimate, else
    its decision. So an agent that plays by the number of turns, or that draws what an estimate does not show, is held to what
    it answered there.

    Args:
        agent: as `checked_agent` returns it, made for the graph's ruleset.
        graph: of the game.
        turns: after which it is cut off, all seats together.
        deterministic: all on the likeliest decision, which is what some agents play whose estimate spreads.
        note: is told again and again how many positions it has been asked about.

    Raises:
        AgentFault: as `estimate_games` and `ask_agents` do.
    """
    policy, ruleset = even_policy(graph), graph.ruleset
    nodes = np.flatnonzero(graph.kinds != CHANCE)
    counts = np.diff(graph.first)
    for start in range(0, len(nodes), BATCH):
        part = nodes[start : start + BATCH]
        games = graph.positions.take(graph.rows[part])
        games["turn_limit"] = turns
        estimate = estimate_games(agent, ruleset, games)
        if estimate is not None:
            shares = estimate.shares
        else:
            actions = ask_agents([agent], np.zeros(len(part), np.int64), ruleset, games)
            shares = np.zeros((len(part), int(graph.action.max()) + 1), np.float32)
            shares[np.arange(len(part)), actions] = 1
        if deterministic:
            shares = all_on(shares.argmax(axis=1), shares > 0)
        edges = np.concatenate([np.arange(graph.first[node], graph.first[node + 1]) for node in part])
        own = np.repeat(np.arange(len(part)), counts[part])
        given = shares[own, graph.action[edges]].astype(np.float64)
        policy[edges] = given / np.bincount(own, given)[own]
        note(start + len(part))
    return policy


def measure(
    solution: Solution,
    agent: Agent,
    deterministic: bool = False,
    progress: Progress | None = None,
    called: str = "agent",
) -> Measure:
    """How far an agent is from the best play.

    Args:
        solution, agent, deterministic: as of `policy_of`.
        progress: is told how far it is, in two pieces of work: the positions that the agent is asked about, and the turns
            that its policy is played for.
        called: what these call it.

    Raises AgentFault, as `policy_of` does.
    """
    progress, graph = progress or Progress(), solution.graph
    progress.begin(f"{called} is asked", len(graph.positions))
    began = time.perf_counter()
    policy = policy_of(agent, graph, solution.turns, deterministic, progress.at)
    seconds = time.perf_counter() - began
    progress.end()
    progress.begin(f"{called} is measured", passes(graph.ruleset.players) * solution.turns)
    found = measure_policy(solution, policy, seconds, progress.at)
    progress.end()
    return found


def passes(players: int) -> int:
    """How often `measure_policy` goes through all turns: among itself, for the best response of each seat, and on the way."""
    return players + 2


def measure_policy(
    solution: Solution, policy: np.ndarray, seconds: float = 0.0, note: Callable[[int], None] = lambda turns: None
) -> Measure:
    """The same of a policy (E,). `note` is told again and again for how many turns it has been played, in all `passes`."""
    graph, turns, players = solution.graph, solution.turns, solution.graph.ruleset.players

    def played(best: list[int], number: int) -> np.ndarray:
        worths = Induction(graph, best, policy).run(turns, lambda left: note(number * turns + left))[0].copy()
        note((number + 1) * turns)
        return worths

    among_itself = played([], 0)
    best = np.array([played([seat], seat + 1)[seat] for seat in range(players)])
    decisions, regret, mistakes = _on_the_way(solution, policy, lambda done: note((players + 1) * turns + done))
    gain = float((best - among_itself).mean())
    return Measure(among_itself, best, gain, decisions, regret / decisions, mistakes / decisions, seconds)


def _on_the_way(solution: Solution, policy: np.ndarray, note: Callable[[int], None]) -> tuple[float, float, float]:
    """Decisions of a game among itself, what they give away together, and how many of them give something away.

    Agents that get stuck come to the same positions again and again: once they are as likely as rounds ago, and the turns left
    make no difference, what comes until they do is as what came in between.
    """
    graph, players = solution.graph, solution.graph.ruleset.players
    settled = solution.turns if solution.settled is None else solution.settled
    now, after = np.zeros((2, len(graph.kinds)))
    now[0] = 1.0
    decided = graph.kinds != CHANCE
    lost: dict[int, tuple[np.ndarray, np.ndarray]] = {}  # by turns left: of each node, what is given away, and how often
    totals = np.zeros(3)
    left = solution.turns
    seen, seen_at, totals_then, wait = now.copy(), left, totals.copy(), players
    while left > 0 and now.sum() >= LITTLE:
        spread(graph.first, graph.target, graph.cut, graph.order, policy, now, after)
        key = solution.representative(left)
        if key not in lost:
            regrets = solution.regrets(left)
            lost = {key: _per_node(graph, policy, regrets)} | dict(list(lost.items())[: 2 * players])
        given, often = lost[key]
        totals += now[decided].sum(), (now * given)[decided].sum(), (now * often)[decided].sum()
        now, after = after, now
        after[:] = 0.0
        left -= 1
        gone = seen_at - left
        if left > settled and gone % players == 0 and (now == seen).all():
            laps = (left - settled) // gone
            totals += laps * (totals - totals_then)
            left -= laps * gone
            settled = left
        elif gone == wait:  # twice as long each time, so that it finds laps of any length
            seen, seen_at, totals_then, wait = now.copy(), left, totals.copy(), 2 * wait
        note(solution.turns - left)
    note(solution.turns)
    return float(totals[0]), float(totals[1]), float(totals[2])


def _per_node(graph: Graph, policy: np.ndarray, regrets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    starts = graph.first[:-1]
    return np.add.reduceat(policy * regrets, starts), np.add.reduceat(policy * (regrets > MISTAKE), starts)
