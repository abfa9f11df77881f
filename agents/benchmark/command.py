"""The command `hansa benchmark`."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from hansa_agents.command_options import Processes, Ray
from hansa_env.commands import options
from hansa_env.commands.ending import GOES_ON, end_stopped
from hansa_env.commands.output import FAILED, one_line_errors, print_table, table_of
from hansa_env.commands.progress import progress_of_agents
from hansa_env.formats.claim import claim_folder
from hansa_env.formats.file_names import file_name_of
from hansa_env.formats.file_writing import write_whole
from hansa_env.formats.outputs import check_folder
from hansa_env.play.specs import as_typed, runs_code
from hansa_env.render.words import number_of

if TYPE_CHECKING:
    from hansa_agents.arena import Compute, Faults
    from hansa_agents.benchmark.row_file import About, Row
    from hansa_agents.benchmark.suite import Cell, Suite

ROW = "row.jsonl.gz"
#: The exit code of --verify where nothing is found wrong, and yet there is something that cannot be relied on.
UNSURE = 3
#: Cells that --verify names of those in which nobody was asked.
MOST_NAMED = 5
#: Parameters that go with --verify, and those that go with an agent that plays, with --show or with --verify alike.
VERIFYING = ("share", "seed", "named")
ALWAYS = ("agent", "show", "verify", "details", "json_out")


def benchmark(
    context: typer.Context,
    agent: Annotated[str | None, typer.Argument(help="spec of the agent, such as mybot:MyBot or ppo:runs/ppo")] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="play a preview: few games of each cell, and no row to publish")
    ] = False,
    setting: Annotated[list[str] | None, typer.Option(help="play this setting only; may be repeated")] = None,
    pool: Annotated[
        list[str] | None, typer.Option(help="meet these references only: scripted, trained or searching; may be repeated")
    ] = None,
    folder: Annotated[Path | None, typer.Option(help="folder for games, card and row; by default runs/benchmark/NAME")] = None,
    name: Annotated[str | None, typer.Option(help="name of the agent; by default its spec")] = None,
    by: Annotated[str, typer.Option(help="for the row: who made the agent")] = "",
    link: Annotated[str, typer.Option(help="for the row: where to read more")] = "",
    seeds: Annotated[str, typer.Option(help="for the row: seeds of training, such as 'second best of 3 runs, seed 1'")] = "",
    compute: Annotated[str, typer.Option(help="for the row: what training took, such as '2 cores, 3 hours'")] = "",
    met: Annotated[str, typer.Option(help="for the row: references that it met in training, with spaces between them")] = "",
    response: Annotated[
        list[Path] | None,
        typer.Option(help="add an exploit.json that `hansa exploit` found against the agent; may be repeated"),
    ] = None,
    processes: Processes = None,
    ray: Ray = None,
    timeout: Annotated[
        float | None,
        typer.Option(help="seconds per decision, asked one by one; if the agent takes longer, it forfeits the game"),
    ] = None,
    details: Annotated[bool, typer.Option("--details", help="print every cell")] = False,
    json_out: Annotated[bool, typer.Option("--json", help="print the card as JSON")] = False,
    show: Annotated[list[Path] | None, typer.Option(help="show the card of this row's file instead; may be repeated")] = None,
    verify: Annotated[
        Path | None, typer.Option(help="check this row's file instead: play its games again and ask its agents")
    ] = None,
    share: Annotated[
        float,
        typer.Option(
            min=0, max=1, help="with --verify: ask agents in this share of the games, in one of each cell at least; 0: in none"
        ),
    ] = 0.2,
    seed: Annotated[
        int | None, typer.Option(min=0, help="with --verify: seed for choosing these games; by default another each time")
    ] = None,
    named: Annotated[
        str | None, typer.Option("--agent", help="with --verify: spec of the row's agent here; allows it to run its own code")
    ] = None,
) -> None:
    """Score an agent by a fixed suite of games: hansa benchmark mybot:MyBot --quick.

    Ctrl-C shows what is known by then; the same command continues. `docs/benchmark.md` is the protocol.
    """
    with one_line_errors():
        if sum((agent is not None, bool(show), verify is not None)) != 1:
            raise ValueError("name an agent to play, or --show FILE, or --verify FILE; expected one of the three")
        if verify is not None and json_out:
            raise ValueError("--json prints a card; expected --verify without it")
        for parameter in options.parameters_given(context):
            if parameter.name in VERIFYING:
                if verify is None:
                    raise ValueError(f"{parameter.opts[0]} goes with --verify; expected both or neither")
            elif parameter.name not in ALWAYS and agent is None:
                raise ValueError(f"{parameter.opts[0]} goes with an agent that plays; expected both or neither")
        if show:
            _show(show, details, json_out)
        elif verify is not None:
            _verify(verify, share, seed, named, details)
        elif agent is not None:
            check_folder("--folder", folder)
            from pydantic import ValidationError

            from hansa_agents.arena import Compute
            from hansa_agents.benchmark.play import faults_of
            from hansa_agents.benchmark.row_file import About

            try:
                about = About(by=by, link=link, seeds=seeds, compute=compute, met=met.split())
            except ValidationError as error:
                wrong = error.errors()[0]
                raise ValueError(
                    f"--{wrong['loc'][0]} is {wrong['input']!r:.80}; expected a text without line feeds, and none too long"
                ) from error
            called = name or agent
            place = folder or Path("runs/benchmark") / file_name_of(called)
            how = How(quick, setting or [], pool or [], response or [], Compute(processes, ray), faults_of(timeout))
            _play(agent, called, about, how, place, details, json_out)


class How(NamedTuple):
    """What is played, and by whom, as the options say."""

    quick: bool
    settings: list[str]
    pools: list[str]
    responses: list[Path]
    compute: Compute
    faults: Faults


def _play(agent: str, name: str, about: About, how: How, folder: Path, details: bool, json_out: bool) -> None:
    from hansa_agents.benchmark.frozen import check_references_there
    from hansa_agents.benchmark.head import head_of
    from hansa_agents.benchmark.kept_row import with_what_was_kept
    from hansa_agents.benchmark.play import BenchmarkInterrupted, ReferencesFailed, play_suite
    from hansa_agents.benchmark.row_file import Row, check_met
    from hansa_agents.benchmark.suite import read_suite
    from hansa_agents.game_result import SHORT_ONES

    suite = read_suite()
    cells = _chosen(suite, how.settings, how.pools)
    check_met("--met", about.met, suite)
    check_references_there(cells)
    head = head_of(agent, name, about, suite, cells, how.responses, how.faults)
    claim_folder(folder / "agent.json", {"name": head.name, "spec": head.spec, "suite": head.suite}, ValueError)
    stopped, failed = False, None
    with progress_of_agents() as progress:
        games = suite.preview if how.quick else suite.games
        try:
            played = play_suite(agent, suite, cells, games, folder, progress, compute=how.compute, faults=how.faults)
        except BenchmarkInterrupted as found:
            played, stopped = found.played, True
        except ReferencesFailed as failure:
            played, failed = failure.played, failure
    played = [one for one in played if one.games]
    if played:
        _write(folder, with_what_was_kept(Row(head, tuple(played)), folder / ROW), details, json_out)
    if stopped:
        end_stopped(f"{GOES_ON}; {SHORT_ONES}" if played else GOES_ON)
    if failed is not None:
        raise failed


def _chosen(suite: Suite, settings: list[str], pools: list[str]) -> list[Cell]:
    """The cells that are asked for. Raises MatchError, ValueError."""
    from hansa_agents.benchmark.suite import POOLS

    for one in settings:
        suite.setting(one)
    strange = set(pools) - set(POOLS)
    if strange:
        raise ValueError(f"--pool is {sorted(strange)[0]!r}; expected {', '.join(POOLS)}")
    found = [
        cell for cell in suite.cells()
        if cell.setting.name in (settings or [cell.setting.name]) and cell.reference.pool in (pools or [cell.reference.pool])
    ]  # fmt: skip
    if not found:
        raise ValueError(f"{', '.join(settings)} has no references of {', '.join(pools)}; expected others")
    return found


def _write(folder: Path, row: Row, details: bool, json_out: bool) -> None:
    """Write the card in every form and the row's file; print the card."""
    from hansa_agents.benchmark.row_file import write_row
    from hansa_agents.benchmark.show import as_data, as_latex, as_markdown, print_card

    card = row.card()
    text = json.dumps(as_data(card), indent=1)
    try:
        if json_out:
            print(text)
        else:
            print_card(card, details)
    finally:  # also where nobody reads on
        write_row(folder / ROW, row)
        for file, content in (("card.json", text + "\n"), ("card.md", as_markdown(card)), ("card.tex", as_latex(card))):
            write_whole(folder / file, content.encode())
    asked = ("--agent", row.head.spec) if runs_code(row.head.spec) else ()
    check = as_typed("hansa", "benchmark", "--verify", str(folder / ROW), *asked)
    typer.echo(f"written: {folder / ROW}, card.json, card.md, card.tex; check it: {check}", err=True)


def _show(paths: list[Path], details: bool, json_out: bool) -> None:
    from rich.console import Console

    from hansa_agents.benchmark.row_file import read_row
    from hansa_agents.benchmark.show import as_data, leaderboard, print_card

    cards = [read_row(path).card() for path in paths]
    if json_out:
        print(json.dumps([as_data(card) for card in cards], indent=1))
        return
    for card in cards:
        print_card(card, details)
    if len(cards) > 1:
        print_table(table_of(*leaderboard(cards), "leaderboard: mean / worst of each setting"), Console())


def _verify(path: Path, share: float, seed: int | None, named: str | None, details: bool) -> None:
    from hansa_agents.benchmark.row_file import read_row
    from hansa_agents.benchmark.show import print_card
    from hansa_agents.benchmark.verify import verify

    row = read_row(path)
    if seed is None:
        seed = secrets.randbelow(2**32)  # nobody knows beforehand which games agents are asked about
    agent = named or row.head.spec
    note = None
    if named is None and runs_code(agent):
        note = f"the agent was not asked: {agent!r:.200} runs its own code; if you trust it: --agent {as_typed(agent)}"
        agent = ""
    with progress_of_agents() as progress:
        verdict = verify(row, share, seed, agent or None, progress)
    print_card(row.card(), details)
    cells = number_of(verdict.cells, "cell")
    print(f"{verdict.games:,} games in {cells}; {verdict.replayed:,} are published and were played again")
    print(f"agents were asked again in {verdict.looked_at:,} of these (--seed {seed} chooses the same ones)")
    for spec, asked in verdict.asked.items():
        print(f"{spec}: {asked}")
    for line in (*verdict.notes, *([note] if note else [])):
        print(f"note: {line}")
    for line in verdict.problems:
        print(f"WRONG: {line}")
    if not verdict.right:
        print("the row is wrong")
        raise typer.Exit(FAILED)
    print("best responses, times, decisions taken in all and what training met are the row's word")
    for fit in verdict.fits:
        print(f"{'NOT LIKE THE OTHERS: ' if fit.doubtful else ''}{fit}")
    if verdict.replayed:
        unseen = verdict.games - verdict.replayed
        print(f"what was checked is right; the row's word stands for the other {unseen:,} games")
    if verdict.unpublished:
        print(
            f"no game could be checked of {', '.join(verdict.unpublished)}: so few were played that none of them is published"
        )
    if verdict.unasked:
        print(
            f"the reference, or the agent, was asked nothing in {_some(verdict.unasked)}: whether it decides so is not known; "
            "--share 1 asks in all published games"
        )
    if verdict.unasked or verdict.unpublished or any(fit.doubtful for fit in verdict.fits):
        raise typer.Exit(UNSURE)


def _some(cells: list[str]) -> str:
    """Cells by their keys, the first few of many."""
    more = len(cells) - MOST_NAMED
    return ", ".join(cells[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
