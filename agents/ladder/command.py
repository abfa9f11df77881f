"""The command `hansa ladder`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hansa_agents.command_options import AsCsv, AsHtml, AsJson, Details, Processes, Ray
from hansa_agents.match_output import check_form, show_match, stopped_after
from hansa_env.commands import options
from hansa_env.commands.ending import end_stopped
from hansa_env.commands.output import one_line_errors
from hansa_env.commands.progress import progress_on
from hansa_env.formats.outputs import GROWING, PAGE, check_outputs
from hansa_env.render.words import number_of

#: Parameters of `hansa ladder` that go with agents that play.
PLACING = (
    "ci_width", "max_games", "more", "restart", "exclude", "agent", "any_version", "seed", "processes", "ray", "keep",
)  # fmt: skip


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
        from hansa_agents.ladder import Ladder, kept_file
        from hansa_agents.ladder.slow import said_of_slow, slow_agents
        from hansa_agents.ladder.unfinished import Unfinished
        from hansa_agents.match_progress import counted, reading

        if more and restart:
            raise ValueError("--more plays on from the games there are, --restart without them; expected one of the two")
        check_form(json_out, csv_out)
        for parameter in options.parameters_given(context):
            if not agents and parameter.name in PLACING:
                raise ValueError(f"{parameter.opts[0]} is for agents that play; expected one or more by spec")
        path = file or kept_file(players, board)
        check_outputs({"--html": (PAGE, html)}, [path])
        check_outputs({"--keep, into the ladder's file,": (GROWING, path if keep else None)})
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
        for spec in specs:
            if found.called(spec) in (exclude or ()):
                raise ValueError(f"--exclude names {found.called(spec)}, which is to play; expected others of the ladder")
            if not restart:
                found.check_place(spec, more, any_version)
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
                kept = f", kept in {unfinished.folder}" if games + left_out else ""
                stopped = f"{stopped_after(games, left_out, f' of {spec}{kept}')}; the same command continues"
                break
        show_match(found.match(), json_out, csv_out, details, html, ranked=True)
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
