"""A match as a table."""

from __future__ import annotations

from collections import Counter

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from hansa_agents.results import Match


def print_match(match: Match, console: Console | None = None) -> None:
    """Print a match as a table and a line on its course."""
    console = console or Console()
    table = Table(box=SIMPLE_HEAD)
    table.add_column("agent", overflow="fold", min_width=8)
    for column in ("seats\nheld", "win\nshare", "95 %\ninterval", "chance\nlevel", "mean\nscore", "mean\nrank"):
        table.add_column(column, justify="right", no_wrap=True)
    for row in match.rows:
        interval = f"{row.low:.1%} – {row.high:.1%}"
        scores = f"{row.mean_score:.1f}", f"{row.mean_rank:.2f}"
        table.add_row(row.agent, str(row.seats), f"{row.share:.1%}", interval, f"{match.chance:.1%}", *scores)
    console.print(table)
    ends = Counter(result.reason for result in match.results)
    console.print(
        f"{match.games} games, {match.truncated} truncated, {match.decisions / match.games:.0f} decisions a game, "
        f"{match.decisions / max(match.seconds, 1e-9):,.0f} decisions/s; ended by "
        + ", ".join(f"{reason} {count}" for reason, count in ends.most_common()),
        highlight=False,
        soft_wrap=True,
    )
    if any(len(set(line_up)) < len(line_up) for line_up in match.line_ups) and len(match.agents) > 1:
        console.print("An agent that holds several seats of a table shares its wins among them.", highlight=False)
