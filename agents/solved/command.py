"""The command `hansa solve`."""

from __future__ import annotations

import time
from typing import Annotated

import numpy as np
import typer
from rich.console import Console

from hansa_env.boards import miniatures
from hansa_env.commands import options
from hansa_env.commands.ending import Stoppable, end_stopped
from hansa_env.commands.output import end_with, one_line_errors, print_line, print_table, table_of
from hansa_env.commands.progress import progress_on
from hansa_env.play.arguments import MAX_TURNS, checked_limit
from hansa_env.play.errors import TOLD, AgentFault
from hansa_env.ruleset import Ruleset

COLUMNS = ("agent", "among itself", "best response", "exploitability", "regret", "mistakes", "decisions", "seconds")


def solve(
    agents: Annotated[
        list[str] | None, typer.Argument(help="specs of agents to measure; it names those that do not play miniatures")
    ] = None,
    players: options.Players = 2,
    board: options.BoardName = None,
    edition: options.Edition = options.DEFAULT.edition,
    max_turns: Annotated[int, typer.Option(help="cut a game off after so many turns per seat, and score it")] = MAX_TURNS,
    deterministic: Annotated[bool, typer.Option(help="let agents play their likeliest decision instead of drawing")] = False,
    seed: options.Seed = 0,
) -> None:
    """Solve a game on a miniature: what it is worth, and how far agents are from the best play, exactly.

    hansa solve random greedy rollout --players 2. Ctrl-C shows the agents that have been measured. The exit code is 2 where an
    agent was not.
    """
    with one_line_errors():
        from hansa_agents.solved.graph import MOST, build
        from hansa_agents.solved.measures import measure
        from hansa_agents.solved.values import Solution
        from hansa_env.formats.notation import decision_text
        from hansa_env.play.registry import make_agent
        from hansa_env.play.specs import as_typed

        max_turns = checked_limit(max_turns)
        ruleset = Ruleset(players, edition, board=board or _miniature(players))
        made, refused = [], []
        failed: list[Exception] = []
        for spec in agents or []:
            try:
                made.append((spec, make_agent(spec, ruleset, seed)))
            except TOLD as error:
                refused.append(f"{spec}: {error}")
        if refused and not made:
            raise ValueError("; ".join(refused))
        console, began = Console(), time.perf_counter()
        with progress_on() as progress:
            progress.begin("positions, at most", MOST)
            graph = build(ruleset, lambda found, waiting: progress.at(found, f"{waiting:,} to look at"))
            progress.end()
            progress.begin("turns", max_turns * players)
            solution = Solution(graph, max_turns * players, progress.at)
            progress.end()
            decisions = len(graph.positions)
            console.print(f"{ruleset}: {decisions:,} positions, {len(graph.target):,} edges, "
                          f"{time.perf_counter() - began:.0f} seconds", highlight=False, soft_wrap=True)  # fmt: skip
            settled = f"the same from {solution.settled} turns left on" if solution.settled else "not settled before"
            console.print(f"worth {_shares(solution.worths()[0])} by seat, cut off after {max_turns} turns each ({settled})",
                          highlight=False, soft_wrap=True)  # fmt: skip
            worths, opening = solution.edges(), table_of(("first decision", "worth"))
            first = int(graph.target[graph.first[0]])
            game = graph.positions.take(graph.rows[[first]])[0]
            for edge in sorted(range(graph.first[first], graph.first[first + 1]), key=lambda edge: -worths[edge]):
                opening.add_row(decision_text(ruleset, game, int(graph.action[edge])), f"{worths[edge]:.4f}")
            print_table(opening, console)
            table = table_of(COLUMNS)
            with Stoppable():
                while made:
                    spec, agent = made[0]
                    called = spec.replace(":", " ")  # ":link:" would be a picture
                    try:
                        found = measure(solution, agent, deterministic, progress, called)
                    except AgentFault as fault:
                        failed.append(fault)
                    else:
                        table.add_row(
                            spec, _shares(found.among_itself), _shares(found.best_response), f"{found.exploitability:.4f}",
                            f"{found.regret:.5f}", f"{found.mistakes:.1%}", f"{found.decisions:.1f}", f"{found.seconds:.0f}",
                        )  # fmt: skip
                    del made[0]
        if table.row_count:
            print_table(table, console)
        for line in refused:
            print_line(f"not measured, {line}", console)
        if made:
            missing = as_typed(*(spec for spec, _ in made))
            end_stopped(f"stopped; not measured: {missing}; to measure these, repeat the command with them alone", failed)
        end_with(failed)
        if refused:
            raise typer.Exit(2)


def _miniature(players: int) -> str:
    """The miniature for a number of players. Raises ValueError: there is none."""
    there, name = miniatures(), f"miniature-{players}"
    if name not in there:
        raise ValueError(f"--players is {players}, but the miniatures there are, by players, are {', '.join(there)}")
    return name


def _shares(shares: np.ndarray) -> str:
    return " ".join(f"{share:.3f}" for share in shares)
