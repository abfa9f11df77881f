"""A score-card as a table for the terminal, as JSON, Markdown and LaTeX; and several as a leaderboard."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console

from hansa_agents.benchmark.card import Card, SettingCard
from hansa_agents.benchmark.cells import Share
from hansa_agents.benchmark.suite import AMONG
from hansa_env.commands.output import print_line, print_table, table_of
from hansa_env.play.result import share_text
from hansa_env.render.words import number_of

OVERALL = "all settings"
COLUMNS = ("setting", "chance", "mean", "worst", "unseen", "held", "best response", "ms", "ms alone", "games")
#: What the columns mean, under every card.
KEY = (
    "mean, worst: the agent's win share alone among each reference, over the references; unseen: the mean over those that "
    "training did not meet",
    "held: an opponent's win share, the most that one reference takes alone among copies of the agent; best response: the same "
    "of what was bred or trained against it",
    "95 % intervals; ms: mean time of a decision of the agent, games side by side, and alone in the first 40 decisions of one "
    "game; an agent from outside has a process of its own, and the way there and back counts",
)
#: The same of the cells.
DETAILS_KEY = (
    "cells: the win share is of who sits alone, the agent among references, or the reference against a majority of copies of "
    "the agent; points are the agent's in both, a seat"
)


def with_interval(share: Share | None) -> str:
    """A share with its interval."""
    return "–" if share is None else share_text(*share)


def cells_of(card: Card) -> list[tuple[str, ...]]:
    """The rows of a card, as text, in the order of COLUMNS; the last one is the headline."""
    rows = [_row(one) for one in card.settings]
    games = sum(line.games for one in card.settings for line in one.lines)
    return [*rows, (OVERALL, "", with_interval(card.mean), with_interval(card.worst), "", "", "", "", "", f"{games:,}")]


def _row(one: SettingCard) -> tuple[str, ...]:
    mean = sum(line.milliseconds * line.decisions for line in one.lines) / max(1, sum(line.decisions for line in one.lines))
    games = sum(line.games for line in one.lines)
    return (
        one.name + ("" if one.whole else " *"), f"{one.chance:.1%}",
        *map(with_interval, (one.mean, one.worst, one.unseen, one.held, one.best_response)),
        milliseconds(mean), milliseconds(one.alone), f"{games:,}",
    )  # fmt: skip


def milliseconds(value: float | None) -> str:
    """A time, three figures of it."""
    return "–" if value is None else f"{value:.3g}"


def lines_of(card: Card) -> list[tuple[str, ...]]:
    """Every cell as text, in the order of DETAILS."""
    return [
        (one.name, line.way, line.reference + (" (met)" if line.met else ""), line.pool,
         "agent" if line.way == AMONG else "reference", with_interval(line.share), f"{one.chance:.1%}", f"{line.points:.1f}",
         f"{line.games:,}", str(line.forfeits))
        for one in card.settings for line in one.lines
    ]  # fmt: skip


DETAILS = (
    "setting", "way", "reference", "pool", "alone sits", "its win share", "chance", "agent's points", "games", "forfeits",
)  # fmt: skip


def notes_of(card: Card, details: bool) -> list[str]:
    """What is said under a card, and in detail under its cells."""
    found = [*KEY, *([DETAILS_KEY] if details else [])]
    forfeits = sum(line.forfeits for one in card.settings for line in one.lines)
    if forfeits:
        found.append(f"the agent forfeited {number_of(forfeits, 'game')}: it failed or took too long, and so lost them")
    if any(not one.whole for one in card.settings):
        found.append("*: not every cell has the games of a whole row")
    if card.label:
        found.append(f"not a whole row of {card.suite}, so without a headline: {card.label}")
    return found


def print_card(card: Card, details: bool = False) -> None:
    """Print a card, and in detail each cell."""
    console = Console()
    label = f", {card.label}" if card.label else ""
    print_table(table_of(COLUMNS, cells_of(card), f"{card.name}: {card.suite}{label}"), console)
    if details:
        print_table(table_of(DETAILS, lines_of(card), "cells"), console)
    for line in notes_of(card, details):
        print_line(line, console)


def as_data(card: Card) -> dict[str, Any]:
    """A card as JSON data; a share is [share, low, high], null is what was not measured."""
    return {"format": "hansa-score-card/1", "label": card.label, "preview": card.preview} | asdict(card)


def markdown(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    every = [columns, ["---", *["--:"] * (len(columns) - 1)], *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in every) + "\n"


def as_markdown(card: Card) -> str:
    """A card as a page in Markdown."""
    parts = [f"# {card.name}: {card.suite}{', ' + card.label if card.label else ''}", markdown(COLUMNS, cells_of(card))]
    notes = "\n".join(f"* {line}" for line in notes_of(card, details=True))
    return "\n\n".join([*parts, notes, markdown(DETAILS, lines_of(card))]) + "\n"


#: Above the columns of the table in LaTeX: whose win shares stand in them.
_WHOSE = (
    r" & & \multicolumn{3}{c}{win share of the agent} & \multicolumn{2}{c}{of an opponent} & & \\",
    r"\cmidrule(lr){3-5} \cmidrule(lr){6-7}",
)


def as_latex(card: Card) -> str:
    """A card as a table in LaTeX, for `booktabs`."""
    columns = [place for place, name in enumerate(COLUMNS) if name != "ms alone"]
    rows = [COLUMNS, *cells_of(card)]
    body = [" & ".join(_latex(row[place]) for place in columns) + r" \\" for row in rows]
    *settings, overall = body[1:]
    title, form = f"% {card.name}: {card.suite}{', ' + card.label if card.label else ''}", "l" + "r" * (len(columns) - 1)
    rule = r"\midrule"
    return "\n".join([
        title, rf"\begin{{tabular}}{{{form}}}", r"\toprule", *_WHOSE, body[0], rule, *settings, rule, overall, r"\bottomrule",
        r"\end{tabular}", "",
    ])  # fmt: skip


#: What LaTeX takes for something else.
_LATEX = {ord(sign): rf"\{sign}" for sign in "%&_#$"} | {
    ord("\\"): r"\textbackslash{}", ord("{"): r"\{", ord("}"): r"\}", ord("~"): r"\textasciitilde{}",
    ord("^"): r"\textasciicircum{}", ord("–"): "--",
}  # fmt: skip


def _latex(text: str) -> str:
    return text.translate(_LATEX)


def leaderboard(cards: Sequence[Card]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Columns and rows of a leaderboard: whole rows by their mean first, then partial ones by name, then previews, labelled."""
    settings = list(dict.fromkeys(one.name for card in cards for one in card.settings))
    ranked = sorted(cards, key=lambda card: (card.preview, -card.mean.share if card.mean else 1.0, card.name))
    rows = []
    for card in ranked:
        found = {one.name: one for one in card.settings}
        cells = [_short(found.get(name)) for name in settings]
        headline = [f"{one.share:.1%} ±{(one.high - one.low) / 2:.1%}" if one else "" for one in (card.mean, card.worst)]
        rows.append((f"`{card.name}`", *headline, *cells, card.label))
    return ("agent", "mean", "worst", *settings, "what is missing"), rows


def _short(one: SettingCard | None) -> str:
    """Mean and worst of a setting, in parentheses where it is not whole."""
    if one is None or one.mean is None or one.worst is None:
        return ""
    text = f"{one.mean.share:.0%} / {one.worst.share:.0%}"
    return text if one.whole else f"({text})"
