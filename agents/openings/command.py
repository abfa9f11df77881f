"""The command `hansa openings`."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from hansa_env.commands import options
from hansa_env.commands.ending import end_stopped
from hansa_env.commands.output import end_with, one_line_errors
from hansa_env.commands.progress import progress_of_agents
from hansa_env.formats.openings import DEEPEST, FORMAT, MOST_GAMES, Head, check_agents, write_openings
from hansa_env.formats.outputs import COMPRESSED, check_outputs
from hansa_env.render.words import number_of
from hansa_env.ruleset import Ruleset
from hansa_env.version import __version__

#: Draws from the policy of the network that comes with the project: strong, and not the same game again and again.
AGENT = "ppo::sample"


@options.with_ruleset
def openings(
    agents: Annotated[
        list[str] | None, typer.Argument(help="specs; each seat draws one of them; by default ppo::sample")
    ] = None,
    out: Annotated[Path, typer.Option("--out", "-o", help="new file to write")] = Path("openings.jsonl.gz"),
    games: Annotated[int, typer.Option(min=1, max=MOST_GAMES, help="games to play")] = 100_000,
    depth: Annotated[int, typer.Option(min=1, max=DEEPEST, help="count the first so many decisions of each game")] = 24,
    least: Annotated[int, typer.Option(min=1, help="leave out positions that fewer games reached")] = 20,
    ruleset: Ruleset = Ruleset(3),  # noqa: B008
    seed: options.Seed = 0,
) -> None:
    """Let agents play and write how their games begin: what was decided how often, with what share of the wins.

    `hansa table --openings FILE` shows it. The same command gives the same file on the same machine. Ctrl-C, or an agent that
    fails, writes what has been played by then; so that such a file never replaces a fuller one, FILE must not exist. Where no
    position fits --least, or more than a file holds, the nearest number that does is taken, and told.
    """
    with one_line_errors():
        from hansa_agents.entrants import entrants
        from hansa_agents.openings.graph import fitting_least, positions_of
        from hansa_agents.openings.play import play_beginnings

        check_outputs({"--out": (COMPRESSED, out)})
        specs = agents or [AGENT]
        check_agents(specs)
        twice = [spec for place, spec in enumerate(specs) if spec in specs[:place]]
        if twice:
            raise ValueError(f"agent {twice[0]!r:.100} is named twice; expected each once: all are drawn equally often")
        if least > games:
            raise ValueError(
                f"--least is {least:,}, but {number_of(games, 'game')} will be played; expected at most as many as --games"
            )
        with progress_of_agents() as progress:
            players = [entrant.make(ruleset) for entrant in entrants(specs, seed)[0]]
            progress.begin("games", games)
            began = time.monotonic()
            try:
                begun, failed = play_beginnings(ruleset, players, games, seed, depth, progress.at)
            except KeyboardInterrupt:
                end_stopped("stopped before the first games were over; nothing is written")
            seconds, played = time.monotonic() - began, len(begun.seeds)
            if played == games:
                progress.end()
            taken = fitting_least(begun, least)
            beginnings, positions = positions_of(ruleset, begun, taken)
            head = Head(
                format=FORMAT, version=__version__, ruleset=ruleset.config, agents=specs, seed=seed, games=played, depth=depth,
                least=taken, positions=len(positions), beginnings=beginnings,
            )  # fmt: skip
            write_openings(out, head, positions)
    why = "an agent failed" if failed else "stopped"
    stopped = f" of {games:,}, then {why}" if played < games else ""
    found = f"{number_of(len(positions), 'position')} from {number_of(played, 'game')}{stopped}"
    typer.echo(f"{out}: {found}, {played / seconds:,.1f} games a second, {out.stat().st_size / 2**20:.1f} MiB")
    if taken != least:
        why = "no position was reached so often" if taken < least else "more were reached so often than a file holds"
        typer.echo(f"note: written by --least {taken:,} instead of {least:,}: {why}", err=True)
    if failed:
        end_with([failed])
    if played < games:
        end_stopped(f"stopped; to play all games remove {out}, or name another file, and repeat the command")
