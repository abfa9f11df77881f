"""A match as one HTML page that needs nothing else: no script, no network."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from hansa_agents.report import POINTS, RESULTS, Part, notes, parts, warnings
from hansa_agents.results import Match
from hansa_env.render.scores import columns_shown
from hansa_env.render.svg.themes import CATEGORIES

STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.05rem; margin-top: 2rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .7rem; text-align: right; } th:first-child, td:first-child { text-align: left; }
thead th { border-bottom: 1px solid; font-weight: 600; }
tbody tr:hover { background: color-mix(in srgb, currentColor 8%, transparent); }
figure { margin: 0; overflow-x: auto; } svg text { fill: currentColor; font: 12px system-ui, sans-serif; }
"""
ROW, LABEL, WIDTH = 26, 190, 560


def page(title: str, parts: Iterable[str], more_style: str = "") -> str:
    """A page of HTML with a heading, and parts below it."""
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}{more_style}</style></head>\n<body>\n'
        + "\n".join([f"<h1>{escape(title)}</h1>", *parts]) + "\n</body></html>\n"
    )  # fmt: skip


def html_of(match: Match) -> str:
    """The page. Raises ValueError for a match without games."""
    if not match.games:
        raise ValueError("no game has ended; a report needs one")
    body = [f"<p>{escape(match.ruleset.by_option)}</p>"]
    body += [f"<p>{escape(line.strip())}</p>" for line in (*warnings(match), *notes(match))]
    for part in parts(match):
        body.append(f"<h2>{escape(part.title)}</h2>")
        if part.title == RESULTS:
            body.append(_intervals(match))
        if part.title == POINTS:
            body.append(_points(match))
        body.append(_table(part))
    return page("A match of Hansa Teutonica", body)


def _table(part: Part) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in (part.first, *part.columns))
    rows = (
        f"<tr><td>{escape(name)}</td>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>" for name, cells in part.rows
    )
    return f"<figure><table><thead><tr>{head}</tr></thead>\n<tbody>{''.join(rows)}</tbody></table></figure>"


def _svg(height: int, inside: list[str], label: str) -> str:
    return (
        f'<figure><svg role="img" aria-label="{escape(label)}" viewBox="0 0 {LABEL + WIDTH + 60} {height}" '
        f'width="{LABEL + WIDTH + 60}" height="{height}">{"".join(inside)}</svg></figure>'
    )


def _intervals(match: Match) -> str:
    """Win shares with their intervals, and chance as a line."""
    inside = []
    for number, row in enumerate(match.rows):
        y = ROW * number + ROW // 2
        low, share, high = (LABEL + WIDTH * value for value in (row.low, row.share, row.high))
        inside.append(
            f'<text x="0" y="{y + 4}">{escape(row.agent[:26])}</text>'
            f'<line x1="{low:.1f}" x2="{high:.1f}" y1="{y}" y2="{y}" stroke="{CATEGORIES[0]}" stroke-width="4"/>'
            f'<circle cx="{share:.1f}" cy="{y}" r="6" fill="{CATEGORIES[0]}"/>'
            f'<text x="{LABEL + WIDTH + 8}" y="{y + 4}">{row.share:.0%}</text>'
        )
    height, chance = ROW * len(match.rows), LABEL + WIDTH * match.chance
    inside.append(
        f'<line x1="{chance:.1f}" x2="{chance:.1f}" y1="0" y2="{height}" stroke="currentColor" stroke-dasharray="3 4"/>'
        f'<text x="{chance:.1f}" y="{height + 14}" text-anchor="middle">equals: {match.chance:.0%}</text>'
    )
    return _svg(height + 20, inside, "win shares with 95 % intervals")


def _points(match: Match) -> str:
    """Mean points by category, a bar for each agent."""
    categories = [*columns_shown(match.ruleset)][:-1]
    most = max(max(row.scores["total"] for row in match.rows), 1.0)
    inside = []
    for number, row in enumerate(match.rows):
        x, y = float(LABEL), ROW * number
        inside.append(f'<text x="0" y="{y + 17}">{escape(row.agent[:26])}</text>')
        for category, colour in zip(categories, CATEGORIES):
            width = WIDTH * row.scores[category] / most
            inside.append(
                f'<rect x="{x:.1f}" y="{y + 4}" width="{width:.1f}" height="{ROW - 8}" fill="{colour}">'
                f"<title>{category.replace('_', ' ')}: {row.scores[category]:.1f}</title></rect>"
            )
            x += width
        inside.append(f'<text x="{x + 6:.1f}" y="{y + 17}">{row.scores["total"]:.0f}</text>')
    y, x = ROW * len(match.rows) + 6, 0.0
    for category, colour in zip(categories, CATEGORIES):
        name = category.replace("_", " ")
        inside.append(f'<rect x="{x:.0f}" y="{y}" width="12" height="12" fill="{colour}"/>')
        inside.append(f'<text x="{x + 17:.0f}" y="{y + 11}">{name}</text>')
        x += 35 + 8 * len(name)
    return _svg(y + 20, inside, "mean points by category")
