"""Options that several commands of agents share, and the line that says how an agent is let play."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from hansa_env.ruleset import Ruleset
from hansa_env.ruleset_options import words_of

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


def how_to_let_play(agent: str, ruleset: Ruleset) -> str:
    """The command that lets an agent play, with `greedy` in all other seats."""
    return f"let it play: hansa arena {shlex.quote(agent)} {' '.join(['greedy'] * (ruleset.players - 1))} {words_of(ruleset)}"
