"""The command `hansa puzzles`."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hansa_agents.command_options import AsJson
from hansa_agents.entrants import check_named, entrants
from hansa_env.commands import options
from hansa_env.commands.ending import Stoppable, end_stopped
from hansa_env.commands.output import end_with, one_line_errors, print_table, table_of
from hansa_env.commands.progress import progress_of_agents
from hansa_env.play.arguments import checked_seed
from hansa_env.play.errors import TOLD
from hansa_env.play.specs import as_typed
from hansa_env.start import loading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hansa_agents.puzzles.score import Score


def puzzles(
    agents: Annotated[list[str], typer.Argument(help="specs, or NAME=SPEC, such as greedy tree:sims=50 mybot:MyBot")],
    players: Annotated[
        int | None, typer.Option("--players", "-p", min=2, max=5, help="ask puzzles for so many players only")
    ] = None,
    setting: Annotated[list[str] | None, typer.Option(help="ask puzzles of this setting only; may be repeated")] = None,
    file: Annotated[Path | None, typer.Option(help="file of puzzles; by default those that come with the package")] = None,
    seed: options.Seed = 0,
    json_out: AsJson = False,
) -> None:
    """Ask agents for the best decision at positions where it is known: hansa puzzles greedy ppo tree:sims=50.

    Endings are proven; of fights and openings deep searches agree. How the puzzles were chosen is in docs/agents.md. Ctrl-C
    shows the agents that were asked all of them.
    """
    with one_line_errors(), ExitStack() as start:
        start.enter_context(loading("hansa puzzles"))
        checked_seed(seed)
        check_named(agents)

        from hansa_agents.puzzles.puzzle_file import PuzzleError, read_puzzles
        from hansa_agents.puzzles.score import score
        from hansa_agents.puzzles.settings import SETTINGS

        for name in setting or ():
            if name not in SETTINGS:
                raise PuzzleError(f"--setting is {name!r:.100}; expected one of {', '.join(SETTINGS)}")
        found = [
            one for one in read_puzzles(file)[1]
            if (not players or one.ruleset.players == players) and (not setting or one.line.setting in setting)
        ]  # fmt: skip
        if not found:
            raise PuzzleError("there are no such puzzles; expected other --players or --setting")
        start.close()
        scores: list[Score] = []
        failed: list[Exception] = []
        left = entrants(agents, seed)[0]
        with Stoppable(), progress_of_agents() as progress:
            while left:
                progress.begin(left[0].name, len(found))
                try:
                    scores.append(score(left[0], found, progress.at))
                except TOLD as error:
                    failed.append(error)
                else:
                    progress.end()
                del left[0]
        if json_out and scores:
            print(json.dumps({"format": "hansa-puzzle-scores/1", "scores": [one.as_data() for one in scores]}, indent=1))
        elif scores:
            _print(scores)
        if left:
            missing = as_typed(*(one.given for one in left))
            end_stopped(
                f"stopped; not measured: {missing}; to ask these, repeat the command with them alone and --seed {left[0].seed}",
                failed,
            )
        end_with(failed)


def _print(scores: Sequence[Score]) -> None:
    from rich.console import Console

    from hansa_agents.benchmark.show import with_interval
    from hansa_agents.puzzles.puzzle_file import KINDS
    from hansa_agents.puzzles.score import ALL

    columns = ("agent", *(f"{kind}s" for kind in KINDS), ALL, "puzzles")
    rows = [(one.name, *(with_interval(one.share(kind)) for kind in (*KINDS, ALL)), f"{one.count(ALL):,}") for one in scores]
    whole = max(scores, key=lambda one: one.count(ALL))
    rows.append(("any decision", *(f"{whole.chance(kind):.1%}" for kind in (*KINDS, ALL)), ""))
    print_table(table_of(columns, rows, "Share of puzzles solved, with 95 % intervals"), Console())
    for one in scores:
        for name, why in one.left_out.items():
            print(f"{one.name} does not play {name}: {why}")
