"""The commands `hansa record` and `hansa estimate`: one game, and what agents think of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from hansa_agents.entrants import check_known, check_one_each
from hansa_env.commands import options
from hansa_env.commands.ending import Stoppable, end_stopped
from hansa_env.commands.output import one_line_errors, print_game
from hansa_env.commands.progress import Progress, progress_of_agents
from hansa_env.commands.records import as_another_exists, read_record, write_record
from hansa_env.formats.outputs import RECORD, check_outputs
from hansa_env.play.arguments import MAX_TURNS, checked_seed
from hansa_env.play.errors import AgentError
from hansa_env.play.estimates import note_estimates
from hansa_env.play.game import Game
from hansa_env.play.registry import make_agent
from hansa_env.play.specs import as_typed
from hansa_env.render.words import number_of
from hansa_env.ruleset import Ruleset
from hansa_env.start import loading


@options.with_ruleset
def record(
    agents: Annotated[list[str], typer.Argument(help="specs, one per seat or one for all")],
    out: Annotated[Path, typer.Option("--out", "-o", help="file to write")] = Path("game.json"),
    ruleset: Ruleset = options.DEFAULT,
    seed: options.Seed = 0,
    max_turns: options.MaxTurns = MAX_TURNS,
    estimates: Annotated[bool, typer.Option("--estimates", help="add what agents thought of every decision")] = False,
) -> None:
    """Let agents play one game and write its record.

    A file that is there stays, and the game is written beside it. Ctrl-C while agents are asked for their estimates writes
    the game without them.
    """
    with one_line_errors():
        try:
            turns, dealt = options.max_turns(max_turns), checked_seed(seed)
            check_one_each(agents, ruleset.players)
        except AgentError as error:
            raise AgentError(f"{error}{options.for_so_many(len(agents))}") from error
        with loading("hansa record"):
            check_outputs({"--out": (RECORD, out)})
            check_known(agents)

            from hansa_agents.arena import play_game

        played: list[Game] = []
        with Stoppable() as work, progress_of_agents() as progress:
            progress.begin("games", 1, note="agents are being loaded")
            play_game(
                agents, ruleset, dealt, turns, estimates,
                on_decision=lambda decisions: progress.at(0, f"{decisions} decisions"),
                on_played=played.append, on_estimates=_told(progress),
            )  # fmt: skip
            progress.end()
        if not played:
            end_stopped("stopped before the game was over; nothing is written")
        game = played[0]
        if work.stopped:
            game.estimates, game.estimated_by = {}, None
        place = write_record(out, game)
    print_game(game, f"written to {place}{as_another_exists(place, out)}")
    if work.stopped:
        added = as_typed("hansa", "estimate", str(place), *agents)
        end_stopped(f"stopped; {place} has the game without estimates, and this writes a copy with them: {added}")


def estimate(
    game: Annotated[Path, typer.Argument(help="the record of a game, whoever played it")],
    agents: Annotated[list[str], typer.Argument(help="spec of the agent that judges, or one per seat")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="record to write; by default NAME-estimated.json beside it")
    ] = None,
) -> None:
    """Let an agent judge every decision of a game that others played: hansa estimate game.json ppo; hansa view shows it.

    Ctrl-C writes what has been judged by then. A file that is there stays, and what is written stands beside it.
    """
    with one_line_errors():
        found = read_record(game)
        path = out or game.with_name(f"{game.stem}-estimated.json")
        check_outputs({"--out": (RECORD, path)})
        if not found.decisions:
            raise ValueError(f"{game}: has no decisions to judge; expected a game that has begun")
        players = found.ruleset.players
        if len(agents) not in (1, players):
            raise ValueError(f"{len(agents)} agents were named for {players} seats; expected one for all, or one per seat")
        judged, of = 0, number_of(len(found.decisions), "decision")

        def note(done: int, _: int) -> None:
            nonlocal judged
            judged = done
            progress.at(done)

        with Stoppable() as work, progress_of_agents() as progress:
            progress.begin("decisions", len(found.decisions))
            made = {spec: make_agent(spec, found.ruleset) for spec in agents}
            specs = agents * (players // len(agents))
            note_estimates(found, [made[spec] for spec in specs], names=specs, on_part=note)
            progress.end()
        if work.stopped and not judged:
            end_stopped("stopped before a decision was judged; nothing is written")
        if not found.estimates:
            raise ValueError(f"{', '.join(agents)}: has no estimates; expected an agent that has some, such as ppo")
        asked, path = path, write_record(path, found)
    beside = as_another_exists(path, asked)
    typer.echo(f"{path}{beside}: {len(found.estimates)} of {of} judged by {', '.join(agents)}")
    if work.stopped:
        end_stopped(f"stopped; {path} has what was judged; the same command begins anew")


def _told(progress: Progress) -> Callable[[int, int], None]:
    """Tells how many decisions of a game have been thought about."""

    def tell(done: int, of: int) -> None:
        progress.at(0, f"{done} of {of} decisions estimated")

    return tell
