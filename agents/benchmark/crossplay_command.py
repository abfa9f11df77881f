"""The command `hansa crossplay`."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hansa_agents.command_options import AsHtml, AsJson, Processes, Ray
from hansa_agents.entrants import check_known, entrants
from hansa_env.commands import options
from hansa_env.commands.ending import end_stopped
from hansa_env.commands.output import one_line_errors, print_line, print_table, table_of, write_and_tell
from hansa_env.commands.progress import progress_on
from hansa_env.formats.outputs import PAGE, PICTURE, check_folder, check_outputs
from hansa_env.render.picture import check_drawable, picture_of
from hansa_env.render.words import number_of
from hansa_env.ruleset import Ruleset
from hansa_env.start import loading

if TYPE_CHECKING:
    from hansa_agents.benchmark.crossplay import CrossPlay
    from hansa_agents.benchmark.meta_game import BestMixture


@options.with_ruleset
def crossplay(
    context: typer.Context,
    agents: Annotated[
        list[str],
        typer.Argument(help="specs, NAME=SPEC, or folders of training runs, for the models that they kept on the way"),
    ],
    games: Annotated[
        int, typer.Option("--games", "-n", help="games of each pair, rounded up so that all rotations play equally many")
    ] = 120,
    most: Annotated[int, typer.Option(min=2, help="take so many models of a run at most, the last among them")] = 6,
    mixture: Annotated[
        int | None,
        typer.Option(min=1, max=64, help="name the mixture of so many members against which the best agent wins least"),
    ] = None,
    member: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="who may be a member; once for each [default: everybody]")
    ] = None,
    ruleset: Ruleset = options.DEFAULT,
    seed: options.Seed = 0,
    folder: Annotated[Path | None, typer.Option(help="folder to keep every game in; the same command continues it")] = None,
    processes: Processes = None,
    ray: Ray = None,
    json_out: AsJson = False,
    html: AsHtml = None,
    picture: Annotated[Path | None, typer.Option(help="write the heat map too: .svg, or .png with the extra `picture`")] = None,
) -> None:
    """Let agents meet in pairs, each alone against copies of the other: hansa crossplay greedy ppo:0.2 ppo --players 3.

    The matrix of win shares, a heat map of it, and ratings from all games. With --mixture also the mixture of them that is
    hardest to beat, by those shares. Ctrl-C prints the pairs that were played whole.
    """
    with one_line_errors(), ExitStack() as start:
        start.enter_context(loading("hansa crossplay"))
        check_outputs({"--html": (PAGE, html), "--picture": (PICTURE, picture)}, made=[folder] if folder else [])
        if picture is not None:
            check_drawable(picture)
        check_folder("--folder", folder)
        if member and mixture is None:
            raise ValueError("--member goes with --mixture; expected both or neither")
        if options.is_given(context, "most") and not any(Path(one).is_dir() for one in agents):
            raise ValueError("--most is for models of a run; expected the folder of one or more among the agents")
        check_known([one for one in agents if not Path(one).is_dir()])

        from hansa_agents.arena import Compute
        from hansa_agents.benchmark.crossplay import CrossPlayInterrupted, cross_play, models_and_specs
        from hansa_agents.benchmark.meta_game import best_mixture, places_of
        from hansa_agents.match_progress import counted

        specs = models_and_specs(agents, most)
        if mixture is not None:
            known = entrants(specs, seed)[0]
            places_of(member or (), [one.name for one in known], [one.spec for one in known])
        start.close()
        try:
            with counted(progress_on()) as counter:
                found = cross_play(
                    specs, ruleset, games, seed, folder, compute=Compute(processes, ray), on_pair=counter.begin_next,
                    on_game_end=counter.add,
                )  # fmt: skip
        except CrossPlayInterrupted as stopped:
            if stopped.found is not None:
                _print(stopped.found, json_out)
            (whole, of), how = stopped.pairs, "continues" if folder else "would continue with --folder"
            given = {"--html": html, "--picture": picture, "--mixture": mixture}
            lacking = ", ".join(name for name, value in given.items() if value is not None)
            left = f"; nothing is made of {lacking} before all are" if lacking else ""
            end_stopped(f"stopped: {whole} of {number_of(of, 'pair')} played whole{left}; the same command {how}")
        try:
            mixed = best_mixture(found, mixture, member or ()) if mixture else None
            _print(found, json_out, mixed)
        finally:  # also where nobody reads on
            _write(found, html, picture)


def _write(found: CrossPlay, html: Path | None, picture: Path | None) -> None:
    from hansa_agents.benchmark.heat_map import heat_map, page_of

    if html is not None:
        write_and_tell(html, page_of(found).encode())
    if picture is not None:
        write_and_tell(picture, picture_of(heat_map(found), picture))


def _print(found: CrossPlay, json_out: bool, mixed: BestMixture | None = None) -> None:
    if json_out:
        print(json.dumps(found.as_data() | ({"mixture": mixed.as_data()} if mixed else {}), indent=1))
        return
    from rich.console import Console

    from hansa_agents.benchmark.show import with_interval
    from hansa_agents.ratings import IN_WORDS
    from hansa_agents.report import UNKNOWN_IN_WORDS, forfeit_notes

    fault = ("forfeits",) if found.forfeited else ()
    columns = ("alone", *(f"among {name}" for name in found.names), "rating", "95 % interval", *fault)
    rows = []
    for row, name in enumerate(found.names):
        cells = [with_interval(found.shares.get((row, column))) for column in range(len(found.names))]
        rating = found.ratings.get(name)
        points = ("–", "–") if rating is None else (f"{rating.points:+.0f}", rating.interval_text)
        forfeits = (f"{found.forfeits[name]:,}",) if found.forfeited else ()
        rows.append((name, *cells, *points, *forfeits))
    players = found.ruleset.players
    print_table(table_of(columns, rows, f"Win share of one among {players - 1}; equals {1 / players:.1%}"), Console())
    unknown = "" if all(rating.is_known for rating in found.ratings.values()) else f".{UNKNOWN_IN_WORDS}"
    print(f"{number_of(found.games, 'game')}; ratings: {IN_WORDS}{unknown}")
    for line in forfeit_notes(found.forfeited):
        print_line(line, Console())
    if mixed:
        typer.echo(mixed.in_words())
