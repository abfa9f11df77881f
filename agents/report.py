"""A match as a table."""

from __future__ import annotations

import csv
from io import StringIO

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from hansa_agents.ratings import ANCHOR, head_to_head, seat_shares
from hansa_agents.results import Match
from hansa_env.commands.output import print_table
from hansa_env.engine.rules.scoring import SCORE_COLUMNS

MOST_FORFEITS = 5  # shown one by one


def print_match(match: Match, console: Console | None = None, details: bool = False) -> None:
    """Print a match as a table, lines on its course, and in detail what else is known of its agents."""
    console = console or Console()
    if not match.games:
        console.print("no game has ended")
        return
    rated = len(match.rows) > 1
    columns = ("seats\nheld", "win\nshare", "95 %\ninterval", *(("rating", "95 %\ninterval") if rated else ()),
               "mean\nrank", "mean\nscore")  # fmt: skip
    table = _table("agent", *columns)
    for row in match.rows:
        rating = match.ratings[row.agent]
        points = (f"{rating.points:+.0f}", f"{rating.low:+.0f}..{rating.high:+.0f}") if rated else ()
        table.add_row(escape(row.agent), str(row.seats), f"{row.share:.1%}", f"{row.low:.1%}–{row.high:.1%}", *points,
                      f"{row.mean_rank:.2f}", f"{row.mean_score:.1f}")  # fmt: skip
    print_table(table, console)
    if details:
        for part in (_head_to_head(match), _seats(match), _scores(match), _times(match)):
            print_table(part, console)
    for line in notes(match):
        console.print(line, highlight=False, soft_wrap=True, markup=False)


def _table(first: str, *columns: str) -> Table:
    table = Table(box=SIMPLE_HEAD)
    table.add_column(first, overflow="fold", min_width=8)
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def _head_to_head(match: Match) -> Table:
    names = [row.agent for row in match.rows]
    table = _table("ahead of", *(str(number) for number in range(1, len(names) + 1)))
    for number, (name, shares) in enumerate(zip(names, head_to_head(names, match.results)), 1):
        table.add_row(escape(f"{number} {name}"), *("–" if share != share else f"{share:.1%}" for share in shares))
    return table


def _seats(match: Match) -> Table:
    table = _table("win share", *(f"seat {seat}" for seat in range(match.ruleset.players)))
    for name in (None, *(row.agent for row in match.rows)):
        shares = seat_shares(match.results, name)
        cells = ["–" if share != share else f"{share:.1%} ±{(high - low) / 2:.1%}" for share, low, high in shares]
        table.add_row("all" if name is None else escape(name), *cells)
    return table


def _scores(match: Match) -> Table:
    table = _table("mean points", *(column.replace("_", "\n") for column in SCORE_COLUMNS), "ahead of\ntheir table")
    for row in match.rows:
        table.add_row(escape(row.agent), *(f"{row.scores[column]:.1f}" for column in SCORE_COLUMNS), f"{row.margin:+.1f}")
    return table


def _times(match: Match) -> Table:
    table = _table("decisions", "number", "ms each", "forfeits")
    for row in match.rows:
        table.add_row(escape(row.agent), f"{row.decisions:,}", f"{row.milliseconds:,.3f}", str(row.forfeits))
    return table


def csv_of(match: Match) -> str:
    """The table as CSV, a line per agent."""
    rows = match.as_dict()["agents"]
    for row in rows:
        rating = row.pop("rating")
        row |= {"rating": rating["points"], "rating_low": rating["low"], "rating_high": rating["high"]}
        row |= {f"mean_{name}": value for name, value in row.pop("scores").items()}
    out = StringIO()
    writer = csv.DictWriter(out, rows[0] if rows else ["agent"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def _about_ratings(match: Match) -> str:
    if len(match.rows) < 2:
        return ""
    zero = ANCHOR if any(row.agent == ANCHOR for row in match.rows) else "their mean"
    names = [row.agent for row in match.rows]
    matrix = head_to_head(names, match.results)
    sure = any(np.nanmin(row) == 1 or np.nanmax(row) == 0 for row in matrix if not np.isnan(row).all())
    bound = " Who always finished ahead, or always behind, may be rated further out than the interval says." if sure else ""
    return f" Ratings: 400 points are odds of ten to one to finish ahead; 0 is {zero}.{bound}"


def notes(match: Match) -> list[str]:
    """What is said under the table."""
    speed = f", {match.decisions / match.seconds:,.0f} decisions/s" if match.seconds else ""
    ends = ", ".join(f"{reason} {count}" for reason, count in match.ends.items())
    lines = [f"{match.games} games, {match.decisions / match.games:.0f} decisions a game{speed}; ended by {ends}"]
    lines.append(f"Equals would win {match.chance:.1%} a seat." + _about_ratings(match))
    if any(len(set(line_up)) < len(line_up) for line_up in match.line_ups) and len(match.agents) > 1:
        lines.append("An agent that holds several seats of a table shares its wins among them.")
    if match.forfeited:
        lines.append("A forfeited game is lost by every seat of the agent at fault, and shared by all others:")
    for result in match.forfeited[:MOST_FORFEITS]:
        if result.forfeit is not None:
            lines.append(f"  game {result.number}, seat {result.forfeit.seat}: {result.forfeit.agent} {result.forfeit.reason}")
    if len(match.forfeited) > MOST_FORFEITS:
        lines.append(f"  and {len(match.forfeited) - MOST_FORFEITS} more")
    return lines
