"""The commands `hansa arena` and `hansa results`."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from hansa_agents.command_options import AsCsv, AsHtml, AsJson, Details, Processes, Ray
from hansa_agents.entrants import check_known
from hansa_agents.match_output import check_form, show_match, stopped_after
from hansa_env.commands import options
from hansa_env.commands.ending import end_stopped
from hansa_env.commands.output import end_with, one_line_errors
from hansa_env.commands.progress import Progress, progress_on
from hansa_env.formats.outputs import PAGE, check_folder, check_outputs
from hansa_env.play.arguments import MAX_TURNS
from hansa_env.play.errors import AgentError
from hansa_env.render.words import number_of
from hansa_env.ruleset import Ruleset
from hansa_env.start import loading


@options.with_ruleset
def arena(
    agents: Annotated[
        list[str] | None,
        typer.Argument(
            help="specs, or NAME=SPEC; as many as seats: this line-up, in every rotation and in changing orders; fewer: mixed "
            "tables; more: every choice of as many as there are seats"
        ),
    ] = None,
    hero: Annotated[list[str] | None, typer.Option(metavar="SPEC", help="one agent, against a table of --field")] = None,
    field: Annotated[list[str] | None, typer.Option(metavar="SPEC", help="the agent in all other seats")] = None,
    games: Annotated[
        int, typer.Option("--games", "-n", help="games in all, rounded up so that all line-ups play equally many")
    ] = 200,
    ruleset: Ruleset = options.DEFAULT,
    seed: options.Seed = 0,
    max_turns: options.MaxTurns = MAX_TURNS,
    results: Annotated[
        Path | None, typer.Option(help="file to keep every game in, one line of JSON each; the same command continues it")
    ] = None,
    records: Annotated[Path | None, typer.Option(help="folder to write the records of the games to")] = None,
    records_share: Annotated[float, typer.Option(help="write records for this share of the deals only")] = 1.0,
    estimates: Annotated[
        bool, typer.Option("--estimates", help="add what agents thought of every decision to the records")
    ] = False,
    processes: Processes = None,
    ray: Ray = None,
    on_fault: Annotated[str, typer.Option(help="when an agent fails: `forfeit` the game, or `raise` and stop")] = "forfeit",
    timeout: Annotated[
        float | None, typer.Option(help="seconds per decision, asked one by one; an agent that takes longer has failed")
    ] = None,
    json_out: AsJson = False,
    csv_out: AsCsv = False,
    details: Details = False,
    html: AsHtml = None,
    progress: Annotated[bool, typer.Option(help="show progress")] = True,
) -> None:
    """Let agents play each other: hansa arena greedy random, hansa arena --hero greedy --field random.

    Ctrl-C prints what was played; with --results the same command continues it.
    """
    with one_line_errors(), ExitStack() as start:
        start.enter_context(loading("hansa arena"))
        specs = _line_up(agents or [], hero or [], field or [], ruleset.players)
        turns = options.max_turns(max_turns)
        if estimates and records is None:
            raise ValueError("--estimates goes into records; name a folder for them with --records")
        if records_share != 1 and records is None:
            raise ValueError("--records-share is a share of the records; name a folder for them with --records")
        check_form(json_out, csv_out)
        made = [folder for folder in (records, results and results.parent) if folder]
        check_outputs({"--html": (PAGE, html)}, [results] if results else [], made)
        check_folder("--records", records)
        check_known(specs)

        from hansa_agents.arena import Compute, Faults, Keep, MatchInterrupted, play_match
        from hansa_agents.match_progress import counted
        from hansa_agents.records import Records

        start.close()
        kept = None if records is None else Records(records, records_share, estimates)
        interrupted, left_out = False, 0
        try:
            with counted(progress_on() if progress else Progress()) as counter:
                match = play_match(
                    specs, ruleset, games, seed, max_turns=turns, faults=Faults(on_fault, timeout),
                    compute=Compute(processes, ray), keep=Keep(results, kept), on_begin=counter.begin, on_game_end=counter.add,
                )  # fmt: skip
        except MatchInterrupted as found:
            match, interrupted, left_out = found.match, True, found.left_out
        show_match(match, json_out, csv_out, details, html)
        if interrupted:
            how = "the same command continues" if results is not None else "with --results FILE the same command would continue"
            end_stopped(f"{stopped_after(match.games, left_out)}; {how}")
        never = [row for row in match.rows if row.forfeits == row.games]
        end_with([AgentError(f"agent {row.agent!r} forfeited every game that it played ({row.games:,})") for row in never])


def results(
    files: Annotated[list[Path], typer.Argument(help="results files that `hansa arena --results` wrote, all of one ruleset")],
    json_out: AsJson = False,
    csv_out: AsCsv = False,
    details: Details = False,
    html: AsHtml = None,
) -> None:
    """Rate the games of results files again, all together."""
    with one_line_errors():
        from hansa_agents.match_progress import reading
        from hansa_agents.results import Match
        from hansa_agents.results_file import NoGames, read_results

        check_form(json_out, csv_out)
        check_outputs({"--html": (PAGE, html)}, files)
        try:
            with reading(files) as at:
                found = read_results(files, at)
        except NoGames as error:  # as of a match that has just begun
            typer.echo(error, err=True)
            return
        match = Match.of(found.ruleset, found.max_turns, found.results)
        show_match(match, json_out, csv_out, details, html)
        if found.missing:
            typer.echo(
                f"note: {number_of(found.missing, 'game')} missing, by the numbers. If the match was stopped, these are its "
                "longer games, and short ones count too much: let it end first. If you removed games, as of one agent, nothing "
                "is wrong.",
                err=True,
            )


def _line_up(agents: list[str], hero: list[str], field: list[str], players: int) -> list[str]:
    """The specs that the options name. Raises ValueError."""
    for option, specs in (("--hero", hero), ("--field", field)):
        if len(specs) > 1:
            raise ValueError(
                f"{option} names {' and '.join(specs)}; expected one; without --hero and --field agents form a line-up"
            )
    if bool(hero) != bool(field) or bool(agents) == bool(hero):
        raise ValueError("name agents, or else both --hero and --field")
    return [*hero, *field * (players - 1)] if hero else agents
