"""The command `hansa collect`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from hansa_env.commands import options
from hansa_env.commands.ending import GOES_ON, going_on
from hansa_env.commands.output import one_line_errors
from hansa_env.commands.progress import progress_of_agents
from hansa_env.formats.errors import nearest
from hansa_env.formats.file_writing import write_whole
from hansa_env.formats.outputs import check_folder
from hansa_env.play.arguments import MAX_TURNS
from hansa_env.play.registry import agent_names
from hansa_env.render.words import number_of
from hansa_env.ruleset import Ruleset
from hansa_env.ruleset_options import words_of
from hansa_env.start import loading


@options.with_ruleset
def collect(
    what: Annotated[
        list[str], typer.Argument(help="mixed, expert or self-play; or specs of agents, one for all seats or several")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="folder for the parts and the card")] = Path("runs/dataset"),
    decisions: Annotated[int, typer.Option(min=1, help="collect at least so many decisions")] = 1_000_000,
    games: Annotated[int, typer.Option(min=1, help="games per part, rounded up so that every deal has as many")] = 200,
    ruleset: Ruleset = Ruleset(3),  # noqa: B008
    seed: options.Seed = 0,
    max_turns: options.MaxTurns = MAX_TURNS,
    estimates: Annotated[bool, typer.Option(help="keep the policies and values of agents; a search then thinks twice")] = True,
    processes: Annotated[int, typer.Option(min=1, help="processes that play")] = 1,
    minari_id: Annotated[
        str | None, typer.Option("--minari", metavar="ID", help="write a Minari dataset too, such as hansa/expert-v0")
    ] = None,
) -> None:
    """Let agents play and write what they saw, did and thought as a dataset. The same command continues with what is there."""
    with one_line_errors():
        with loading("hansa collect"):
            from hansa_agents.arena import Compute
            from hansa_agents.datasets.collect import CARD, COLLECTIONS, Part, card, shares_by_agent
            from hansa_agents.datasets.collect import collect as play
            from hansa_env.play.dataset import Dataset

        if minari_id is not None:
            from hansa_env.api.minari import check_dataset_id, parts_to_minari

            check_dataset_id(minari_id)
        check_folder("--out", out)
        turns = options.max_turns(max_turns)
        known = COLLECTIONS.get(what[0]) if len(what) == 1 else None
        near = nearest(what[0], (*COLLECTIONS, *agent_names()))
        if len(what) == 1 and known is None and near in COLLECTIONS:
            raise ValueError(f"unknown collection {what[0]!r:.100}; did you mean {near}?")
        specs = what if known is None else list(known.specs)
        with going_on(GOES_ON), progress_of_agents() as progress:
            progress.begin("decisions", decisions)
            done = 0

            def on_part(part: Part, data: Dataset) -> None:
                nonlocal done
                done += part.decisions
                if part.was_there:
                    progress.tell(f"{part.path.name} is there already: {number_of(part.decisions, 'decision')}")
                    progress.at(done)
                else:
                    progress.at(done, f"{part.path.name}: {part.decisions:,} in {part.seconds:.0f} s")

            parts = play(
                specs, ruleset, decisions, out, seed, games=games, estimates=estimates, max_turns=turns,
                compute=Compute(processes), on_part=on_part,
            )  # fmt: skip
            progress.end()
            wanted = done if decisions <= done - parts[-1].decisions else decisions  # an earlier call may have asked for more
            command = f"hansa collect {shlex.join(what)} --decisions {wanted} --games {games} --seed {seed} {words_of(ruleset)}"
            command += f" --max-turns {max_turns}" * (turns != MAX_TURNS) + " --no-estimates" * (not estimates)
            command += " --out FOLDER"
            shares = shares_by_agent(Dataset.load(part.path) for part in parts)
            about = f"Games of {', '.join(f'`{one}`' for one in dict.fromkeys(specs))}." if known is None else known.about
            title = what[0] if len(what) == 1 else "agents of your choice"
            write_whole(
                out / CARD,
                card(title, about, command, ruleset, parts, shares, estimates, of_project=known is not None).encode(),
            )
            if minari_id is not None:
                parts_to_minari(
                    [part.path for part in parts], minari_id, algorithm_name=", ".join(dict.fromkeys(specs)), description=about
                )
    typer.echo((out / CARD).read_text("utf-8").partition("\n# ")[2].partition("\n## ")[0])
