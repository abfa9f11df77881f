"""A match as a table."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from hansa_agents.game_result import GameResult
from hansa_agents.ratings import IN_WORDS, UNKNOWN, anchor_of, head_to_head, seat_shares
from hansa_agents.results import Match
from hansa_env.commands.output import print_line, print_table
from hansa_env.engine.state import END_BY_LIMIT
from hansa_env.play.result import interval_text, share_text
from hansa_env.render.scores import columns_shown
from hansa_env.render.words import number_of

#: Titles of the parts that have a picture in a page.
RESULTS, POINTS = "Results", "Points"
MOST_FORFEITS = 5  # kinds of them that are shown
UNKNOWN_IN_WORDS = f" {UNKNOWN}: all its games came out alike, which does not say how far it is from the others."
#: Fewer deals than this are told of, where there are many more games.
FEW_DEALS = 10


@dataclass(frozen=True)
class Part:
    """A table of a match, as text: its title, what its first column tells of, the other columns, and the rows with that."""

    title: str
    first: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, tuple[str, ...]]]


def print_match(match: Match, details: bool = False) -> None:
    """Print a match as a table, lines on its course, and in detail what else is known of its agents."""
    console = Console()
    if not match.games:
        console.print("no game can be counted yet")
        return
    for line in warnings(match):
        print_line(line, console)
    for part in parts(match) if details else [results_part(match)]:
        print_table(_table(part), console)
    for line in notes(match):
        print_line(line, console)


def _table(part: Part) -> Table:
    table = Table(box=SIMPLE_HEAD)
    table.add_column(Text(part.first), overflow="fold", min_width=8)
    for column in part.columns:
        table.add_column(Text(column.replace(" ", "\n").replace("\xa0", " ")), justify="right", no_wrap=True)
    for name, cells in part.rows:
        table.add_row(Text(name), *map(Text, cells))
    return table


def parts(match: Match) -> list[Part]:
    """Everything that is known of the agents of a match with games."""
    return [results_part(match), _head_to_head(match), _seats(match), _scores(match), _times(match)]


def results_part(match: Match) -> Part:
    """Who won how much."""
    rated = len(match.rows) > 1
    columns = ("seats held", "win share", "95\xa0% interval", *(("rating", "95\xa0% interval") if rated else ()), "mean rank",
               "mean score")  # fmt: skip
    rows = []
    for row in match.rows:
        rating = match.ratings[row.agent]
        points = (f"{rating.points:+.0f}", rating.interval_text) if rated else ()
        share, interval = f"{row.share:.1%}", interval_text(row.low, row.high)
        rows.append((row.agent, (str(row.seats), share, interval, *points, f"{row.mean_rank:.2f}", f"{row.mean_score:.1f}")))
    return Part(RESULTS, "agent", columns, rows)


def _head_to_head(match: Match) -> Part:
    names = [row.agent for row in match.rows]
    matrix = head_to_head(names, match.results)
    rows = [
        (f"{number} {name}", tuple("–" if share != share else f"{share:.1%}" for share in shares))
        for number, (name, shares) in enumerate(zip(names, matrix), 1)
    ]
    return Part("Who finishes ahead of whom", "ahead of", tuple(str(number) for number in range(1, len(names) + 1)), rows)


def _seats(match: Match) -> Part:
    rows = []
    for name in (None, *(row.agent for row in match.rows)):
        shares = seat_shares(match.results, name)
        cells = ("–" if share != share else share_text(share, low, high) for share, low, high in shares)
        rows.append(("all" if name is None else name, tuple(cells)))
    return Part("Seats", "win share", tuple(f"seat\xa0{seat}" for seat in range(match.ruleset.players)), rows)


def _scores(match: Match) -> Part:
    names = columns_shown(match.ruleset)
    columns = (*(name.replace("_", " ") for name in names), "ahead of\xa0their\xa0table")
    rows = [(row.agent, (*(f"{row.scores[name]:.1f}" for name in names), f"{row.margin:+.1f}")) for row in match.rows]
    return Part(POINTS, "mean points", columns, rows)


def _times(match: Match) -> Part:
    rows = [(row.agent, (f"{row.decisions:,}", f"{row.milliseconds:,.3f}", str(row.forfeits))) for row in match.rows]
    return Part("Time", "decisions", ("number", "ms\xa0each", "forfeits"), rows)


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
    zero = anchor_of(match.results) or "their mean"
    names = [row.agent for row in match.rows]
    matrix = head_to_head(names, match.results)
    sure = any(np.nanmin(row) == 1 or np.nanmax(row) == 0 for row in matrix if not np.isnan(row).all())
    bound = " Who always finished ahead, or always behind, may be rated further out than the interval says." if sure else ""
    unknown = "" if all(match.ratings[name].is_known for name in names) else UNKNOWN_IN_WORDS
    return f" Ratings: {IN_WORDS}; 0 is {zero}.{unknown or bound}"


def warnings(match: Match) -> list[str]:
    """What is said above the table: how many games were not played to their end, by whose fault."""
    lost = len(match.forfeited)
    if not lost:
        return []
    whose = ", ".join(f"{row.agent} {row.forfeits:,}" for row in match.rows if row.forfeits)
    if lost == match.games:
        return [f"Every game was forfeited ({whose}): the table says who failed, not who plays better."]
    return [f"{lost:,} of {number_of(match.games, 'game')} {'was' if lost == 1 else 'were'} forfeited ({whose})."]


def notes(match: Match) -> list[str]:
    """What is said under the table."""
    speed = f", {match.decisions / match.seconds:,.0f} decisions/s" if match.seconds else ""
    by_rule = ", ".join(f"{reason} {count}" for reason, count in match.ends.items() if reason != END_BY_LIMIT)
    ends = [f"ended by {by_rule}"] * bool(by_rule) + [f"cut off {match.truncated}"] * bool(match.truncated)
    lines = [
        f"{number_of(match.games, 'game')}, {match.decisions / match.games:.0f} decisions a game{speed}; {', '.join(ends)}"
    ]
    lines.append(f"Equals would win {match.chance:.1%} a seat." + _about_ratings(match))
    if any(len(set(line_up)) < len(line_up) for line_up in match.line_ups) and len(match.agents) > 1:
        lines.append("An agent that holds several seats of a table shares its wins among them.")
    few = [f"{row.agent} ({row.deals})" for row in match.rows if row.deals < FEW_DEALS <= row.games / 3]
    if few:
        lines.append(f"Few different deals, so that the intervals say little about other deals: {', '.join(few)}.")
    return lines + forfeit_notes([(f"game {result.number}", result) for result in match.forfeited])


def forfeit_notes(forfeited: Sequence[tuple[str, GameResult]]) -> list[str]:
    """What is said of forfeited games, each with what it is called."""
    if not forfeited:
        return []
    lines = ["A forfeited game is lost by every seat of the agent at fault, and shared by all others:"]
    alike: dict[tuple[str, str], list[str]] = {}
    for name, result in forfeited:
        if result.forfeit is not None:
            agent, seat, reason = result.forfeit
            kind = re.sub(r"\d+", "", reason.partition(":")[0])
            alike.setdefault((agent, kind), []).append(f"  {name}, seat {seat}: {agent} {reason}")
    for said in [*alike.values()][:MOST_FORFEITS]:
        lines.append(said[0] + f"; {number_of(len(said) - 1, 'more game')} like it" * (len(said) > 1))
    left = sum(map(len, [*alike.values()][MOST_FORFEITS:]))
    return lines + [f"  and {number_of(left, 'more game')}"] * (left > 0)
