"""A match as a table."""

from __future__ import annotations

import csv
from io import StringIO

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from hansa_agents.results import Match
from hansa_env.commands.output import print_table

MOST_FORFEITS = 5  # shown one by one


def print_match(match: Match, console: Console | None = None) -> None:
    """Print a match as a table and a line on its course."""
    console = console or Console()
    if not match.games:
        console.print("no game has ended")
        return
    table = Table(box=SIMPLE_HEAD)
    table.add_column("agent", overflow="fold", min_width=8)
    for column in ("seats\nheld", "win\nshare", "95 %\ninterval", "chance\nlevel", "mean\nscore", "mean\nrank"):
        table.add_column(column, justify="right", no_wrap=True)
    for row in match.rows:
        interval = f"{row.low:.1%} – {row.high:.1%}"
        scores = f"{row.mean_score:.1f}", f"{row.mean_rank:.2f}"
        table.add_row(escape(row.agent), str(row.seats), f"{row.share:.1%}", interval, f"{match.chance:.1%}", *scores)
    print_table(table, console)
    for line in notes(match):
        console.print(line, highlight=False, soft_wrap=True, markup=False)


def csv_of(match: Match) -> str:
    """The table as CSV, a line per agent."""
    rows = match.as_dict()["agents"]
    for row in rows:
        row |= {f"mean_{name}": value for name, value in row.pop("scores").items()}
    out = StringIO()
    writer = csv.DictWriter(out, rows[0] if rows else ["agent"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def notes(match: Match) -> list[str]:
    """What is said under the table."""
    speed = f", {match.decisions / match.seconds:,.0f} decisions/s" if match.seconds else ""
    ends = ", ".join(f"{reason} {count}" for reason, count in match.ends.items())
    lines = [f"{match.games} games, {match.decisions / match.games:.0f} decisions a game{speed}; ended by {ends}"]
    if any(len(set(line_up)) < len(line_up) for line_up in match.line_ups) and len(match.agents) > 1:
        lines.append("An agent that holds several seats of a table shares its wins among them.")
    if match.forfeited:
        lines.append("A forfeited game is lost by every seat of the agent at fault, and shared by all others:")
    for result in match.forfeited[:MOST_FORFEITS]:
        lines.append(f"  game {result.number}, seat {result.forfeit.seat}: {result.forfeit.agent} {result.forfeit.reason}")
    if len(match.forfeited) > MOST_FORFEITS:
        lines.append(f"  and {len(match.forfeited) - MOST_FORFEITS} more")
    return lines
