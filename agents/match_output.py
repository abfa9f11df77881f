"""What commands print of a match: its table, JSON, CSV and page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from hansa_agents.game_result import SHORT_ONES
from hansa_env.commands.output import write_and_tell
from hansa_env.render.words import number_of

if TYPE_CHECKING:
    from hansa_agents.results import Match


def check_form(json_out: bool, csv_out: bool) -> None:
    if json_out and csv_out:
        raise ValueError("--json and --csv both print the result; expected one of the two")


def stopped_after(games: int, left_out: int, whose: str = "") -> str:
    """What is said of a match that was stopped: how many games had ended, whose they are, and how far they count."""
    ended = number_of(games + left_out, "game") + whose
    count = f", of which {games:,} count: those up to the first gap" if left_out else ""
    return f"stopped after {ended}{count}" + (f"; {SHORT_ONES}" if games else "")


def show_match(match: Match, json_out: bool, csv_out: bool, details: bool, html: Path | None, ranked: bool = False) -> None:
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
            write_and_tell(html, page)
