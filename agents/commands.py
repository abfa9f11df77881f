"""The commands `hansa arena`, `hansa results`, `hansa ladder` and `hansa compile`."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hansa_env.commands import options
from hansa_env.commands.ending import end_stopped, going_on
from hansa_env.commands.output import one_line_errors, tell_written
from hansa_env.commands.progress import Progress, progress_on
from hansa_env.engine.compile import ENGINE, cache_folder
from hansa_env.formats.files import write_whole
from hansa_env.formats.outputs import check_folder, check_outputs
from hansa_env.play.arguments import MAX_TURNS
from hansa_env.render.words import number_of
from hansa_env.ruleset import Ruleset
from hansa_env.ruleset_options import words_of

if TYPE_CHECKING:
    from hansa_agents.results import Match

AsJson = Annotated[bool, typer.Option("--json", help="print the result as JSON")]
AsCsv = Annotated[bool, typer.Option("--csv", help="print the table as CSV")]
AsHtml = Annotated[Path | None, typer.Option("--html", help="write everything as one HTML page too")]
Details = Annotated[
    bool, typer.Option("--details", help="add results head to head and by seat, scores by category, time per decision")
]
Processes = Annotated[
    int | None, typer.Option(help="processes that play; by default one for each core, or one for a short match")
]
Ray = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="let a Ray cluster play; auto: the one on this machine, local: a new one")
]


#: Parameters of `hansa ladder` that go with agents that play.
PLACING = (
    "ci_width", "max_games", "more", "restart", "exclude", "agent", "any_version", "seed", "processes", "ray", "keep",
)  # fmt: skip


def how_to_let_play(agent: str, ruleset: Ruleset) -> str:
    """The command that lets an agent play, with `greedy` in all other seats."""
    return f"let it play: hansa arena {shlex.quote(agent)} {' '.join(['greedy'] * (ruleset.players - 1))} {words_of(ruleset)}"


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
    with one_line_errors():
        from hansa_agents.arena import Compute, Faults, Keep, MatchInterrupted, play_match
        from hansa_agents.game_result import SHORT_ONES
        from hansa_agents.match_progress import counted
        from hansa_agents.records import Records

        specs = _line_up(agents or [], hero or [], field or [], ruleset.players)
        turns = options.max_turns(max_turns)
        if estimates and records is None:
            raise ValueError("--estimates goes into records; name a folder for them with --records")
        if records_share != 1 and records is None:
            raise ValueError("--records-share is a share of the records; name a folder for them with --records")
        _check_form(json_out, csv_out)
        made = [folder for folder in (records, results and results.parent) if folder]
        check_outputs({"--html": html}, [results] if results else [], made)
        check_folder("--records", records)
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
        _show(match, json_out, csv_out, details, html)
        if interrupted:
            how = "the same command continues" if results is not None else "with --results FILE the same command would continue"
            games_ended = number_of(match.games + left_out, "game")
            end_stopped(f"stopped after {games_ended}{_counted(match.games, left_out)}; {SHORT_ONES}; {how}")


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
        from hansa_agents.results_file import read_results

        _check_form(json_out, csv_out)
        check_outputs({"--html": html}, files)
        with reading(files) as at:
            found = read_results(files, at)
        match = Match.of(found.ruleset, found.max_turns, found.results)
        _show(match, json_out, csv_out, details, html)
        if found.missing:
            typer.echo(
                f"note: {number_of(found.missing, 'game')} missing, by the numbers. If the match was stopped, these are its "
                "longer games, and short ones count too much: let it end first. If you removed games, as of one agent, nothing "
                "is wrong.",
                err=True,
            )


def _counted(games: int, left_out: int) -> str:
    """Of a match that was stopped: which of the games that had ended are counted."""
    return f", of which {games:,} count: those up to the first gap" if left_out else ""


def _check_form(json_out: bool, csv_out: bool) -> None:
    if json_out and csv_out:
        raise ValueError("--json and --csv both print the result; expected one of the two")


def _show(match: Match, json_out: bool, csv_out: bool, details: bool, html: Path | None, ranked: bool = False) -> None:
    """Print a match and write its page; `ranked`: its agents from the highest rating to the lowest."""
    from hansa_agents.match_progress import rating
    from hansa_agents.report import csv_of, print_match

    page = None
    if match.games:
        with rating(match):
            match = match.ranked() if ranked else match
            if html is not None:
                from hansa_agents.html_report import html_of

                page = html_of(match).encode()
    try:
        if json_out:
            print(json.dumps(match.as_dict(), indent=1))
        elif csv_out:
            print(csv_of(match), end="")
        else:
            print_match(match, details=details)
    finally:  # also where nobody reads on
        if html is not None and page is not None:
            write_whole(html, page)
            tell_written(html)


def ladder(
    context: typer.Context,
    agents: Annotated[
        list[str] | None, typer.Argument(help="specs, or NAME=SPEC, of agents to place on the ladder; none: show it")
    ] = None,
    players: options.Players = options.DEFAULT.players,
    board: options.BoardName = None,
    ci_width: Annotated[
        float,
        typer.Option(min=1, help="play at least five deals, and until the 95 % interval is this narrow, in rating points"),
    ] = 60.0,
    max_games: Annotated[int, typer.Option(min=1, help="play about so many games per agent at most")] = 2000,
    more: Annotated[bool, typer.Option("--more", help="let agents that are on the ladder play further games")] = False,
    restart: Annotated[
        bool, typer.Option("--restart", help="drop the games that these agents have on the ladder, and begin again")
    ] = False,
    exclude: Annotated[list[str] | None, typer.Option(help="do not meet this agent of the ladder; may be repeated")] = None,
    agent: Annotated[
        list[str] | None,
        typer.Option(help="allow this agent of the ladder's file to run its own code, such as mybot:MyBot; may be repeated"),
    ] = None,
    any_version: Annotated[
        bool, typer.Option("--any-version", help="play on although another version of hansa-env played the earlier games")
    ] = False,
    seed: options.Seed = 0,
    processes: Processes = None,
    ray: Ray = None,
    file: Annotated[Path | None, typer.Option(help="the ladder, a results file; by default the published one")] = None,
    keep: Annotated[bool, typer.Option("--keep", help="add the games to the ladder's file")] = False,
    json_out: AsJson = False,
    csv_out: AsCsv = False,
    details: Details = False,
    html: AsHtml = None,
) -> None:
    """Show the ladder for a number of players, or where other agents stand on it: hansa ladder mybot:MyBot --players 3.

    Ctrl-C shows what is known by then; the same command continues.
    """
    with one_line_errors():
        from hansa_agents.arena import Compute
        from hansa_agents.entrants import check_named
        from hansa_agents.game_result import SHORT_ONES
        from hansa_agents.ladder import Ladder, kept_file
        from hansa_agents.ladder.slow import said_of_slow, slow_agents
        from hansa_agents.ladder.unfinished import Unfinished
        from hansa_agents.match_progress import counted, reading

        if more and restart:
            raise ValueError("--more plays on from the games there are, --restart without them; expected one of the two")
        _check_form(json_out, csv_out)
        for parameter in options.parameters_given(context):
            if not agents and parameter.name in PLACING:
                raise ValueError(f"{parameter.opts[0]} is for agents that play; expected one or more by spec")
        path = file or kept_file(players, board)
        check_outputs({"--html": html}, [path])
        check_outputs({"--keep, into the ladder's file,": path if keep else None})
        if not (more or restart):  # which take names of the ladder
            check_named(agents or [])
        with reading([path]) as at:
            found = Ladder.read(path, [*(agents or ()), *(agent or ())], at)
        for name, value in (("players", players), ("board", board)):
            if options.is_given(context, name) and value != getattr(found.ruleset, name):
                raise ValueError(f"--{name} is {value}, but {path} has games with {getattr(found.ruleset, name)}")
        found.check_known(exclude or ())
        played, stopped = {}, None
        specs = [found.whole(spec) if more or restart else spec for spec in agents or []]
        found.check_known([found.called(spec) for spec in specs if more or restart])
        under_way = {spec: Unfinished.of(path, found.called(spec)) for spec in specs}
        if restart:
            for spec in under_way:
                found.forget(found.called(spec))
        slow = slow_agents(found, {*(exclude or ()), *map(found.called, specs)}) if specs else {}
        if slow:
            typer.echo(said_of_slow(slow, context), err=True)
        for spec, unfinished in under_way.items():
            before = len(found.results)
            try:
                with counted(progress_on()) as counter:
                    counter.begin(max_games, 0)
                    still = [name for name in exclude or () if name in found.agents]  # of those that play anew some are not
                    played[spec] = found.place(
                        spec, ci_width, max_games, seed, more=more, exclude=still, any_version=any_version,
                        compute=Compute(processes, ray), unfinished=unfinished, on_begin=counter.skip, on_game_end=counter.add,
                    )  # fmt: skip
            except KeyboardInterrupt as interrupt:
                games, left_out = len(found.results) - before, getattr(interrupt, "left_out", 0)
                stopped = (
                    f"stopped after {number_of(games + left_out, 'game')} of {spec}, kept in {unfinished.folder}"
                    f"{_counted(games, left_out)}; {SHORT_ONES}; the same command continues"
                )
                break
        _show(found.match(), json_out, csv_out, details, html, ranked=True)
        if stopped is None:
            if keep:
                found.keep(path)
            for unfinished in under_way.values():
                unfinished.forget()
    for spec, games in played.items():
        typer.echo(
            f"{spec} played {number_of(games, 'game')}" + (f", which {path} has now" if keep and not stopped else ""), err=True
        )
    if stopped is not None:
        end_stopped(stopped)


ladder.renamed = {  # type: ignore[attr-defined]
    "--width": "--ci-width", "--most": "--max-games", "--anew": "--restart", "--without": "--exclude",
}  # fmt: skip


def compile_ahead() -> None:
    """Compile the rules and the agents now, in two processes, instead of at their first use.

    What is there already is only loaded. All virtual environments of this user share it.
    """
    with one_line_errors():
        from hansa_agents.compiling import SECONDS, CompileError, compile_all

        done: list[int] = []
        with going_on("stopped; what is compiled is kept, and the same command continues"), progress_on() as progress:
            progress.begin("compiled, in seconds of a core", sum(SECONDS.values()))

            def note(name: str) -> None:
                done.append(SECONDS[name])
                progress.at(sum(done), name.partition(":")[0])

            try:
                compile_all(note)
            except CompileError as error:
                raise ValueError(str(error)) from error
            progress.end()
    typer.echo(f"compiled, kept in {cache_folder(ENGINE)}")


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
