"""What commands print of a match: its table, JSON, CSV and page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from hansa_env.commands.output import write_and_tell

if TYPE_CHECKING:
    from hansa_agents.results import Match


def check_form(json_out: bool, csv_out: bool) -> None:
    if json_out and csv_out:
        raise ValueError("--json and --csv both print the result; expected one of the two")


def how_many_count(games: int, left_out: int) -> str:
    """Of a match that was stopped: which of the games that had ended are counted."""
    return f", of which {games:,} count: those up to the first gap" if left_out else ""


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
