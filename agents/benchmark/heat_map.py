"""The matrix of cross-play as a picture: SVG, and a page of HTML around it."""

from __future__ import annotations

from html import escape

from hansa_agents.benchmark.crossplay import CrossPlay
from hansa_agents.html_report import page
from hansa_agents.report import forfeit_notes
from hansa_env.play.result import share_text
from hansa_env.render.svg.themes import FONTS

CELL, TITLE = 58, 46
#: Below chance, at it, above it; for all eyes.
COLOURS = ((213, 94, 0), (247, 244, 236), (0, 114, 178))


def heat_map(found: CrossPlay) -> str:
    """The picture, as an SVG document: rows are who sits alone, columns among whom; beside them the ratings."""
    names, count, chance = found.names, len(found.names), 1 / found.ruleset.players
    left = 26 + max(7 * len(name) for name in names)
    top = TITLE + left // 2
    width, height = left + CELL * count + 120, top + CELL * count + 16
    parts = [f'<rect width="{width}" height="{height}" fill="#fff"/>',
             f'<text x="12" y="24" font-weight="600">Win share of one (row) among {found.ruleset.players - 1} of another '
             f"(column), %; equals {100 * chance:.0f}</text>"]  # fmt: skip
    for place, name in enumerate(names):
        middle = CELL * place + CELL // 2
        x, y = left + middle, top + middle
        parts.append(f'<text x="{left - 10}" y="{y + 4}" text-anchor="end">{escape(name)}</text>')
        parts.append(f'<text x="{x}" y="{top - 10}" transform="rotate(-35 {x} {top - 10})">{escape(name)}</text>')
        parts.append(f'<text x="{left + CELL * count + 12}" y="{y + 4}">{found.ratings[name].points:+.0f}</text>')
        for other in range(count):
            parts.append(_square(found, place, other, left + CELL * other, top + CELL * place, chance))
    parts.append(f'<text x="{left + CELL * count + 12}" y="{top - 10}">rating</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="win shares of pairs" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-size="13" style="font-family:{FONTS}" fill="#26221c">{"".join(parts)}</svg>\n'
    )


def _square(found: CrossPlay, row: int, column: int, x: int, y: int, chance: float) -> str:
    place = f'x="{x}" y="{y}" width="{CELL - 2}" height="{CELL - 2}" rx="4"'
    share = found.shares.get((row, column))
    if share is None:
        return f'<rect {place} fill="#eee9df"/>'
    said = f"{found.names[row]} among {found.names[column]}: {share_text(*share)}"
    red, green, blue = _colour(share.share, chance)
    ink = "#fff" if red + green + blue < 360 else "#26221c"
    return (
        f'<g><title>{escape(said)}</title><rect {place} fill="rgb({red},{green},{blue})"/>'
        f'<text x="{x + CELL // 2 - 1}" y="{y + CELL // 2 + 4}" text-anchor="middle" fill="{ink}">'
        f"{100 * share.share:.0f}</text></g>"
    )


def _colour(share: float, chance: float) -> tuple[int, int, int]:
    """How far a share is from chance, towards 0 or 1."""
    low, middle, high = COLOURS
    end, part = (high, (share - chance) / (1 - chance)) if share >= chance else (low, (chance - share) / chance)
    red, green, blue = (round(a + part * (b - a)) for a, b in zip(middle, end))
    return red, green, blue


def page_of(found: CrossPlay) -> str:
    """The picture and the ratings as one page of HTML that needs nothing else."""
    forfeits = {name: f"<td>{count:,}</td>" if found.forfeited else "" for name, count in found.forfeits.items()}
    rows = "".join(
        f"<tr><td>{escape(name)}</td><td>{one.points:+.0f}</td><td>{one.interval_text}</td>{forfeits[name]}</tr>"
        for name, one in sorted(found.ratings.items(), key=lambda item: -item[1].points)
    )
    parts = (
        f"<p>{escape(found.ruleset.by_option)}; {found.games:,} games</p>",
        f"<figure>{heat_map(found)}</figure>",
        "<table><thead><tr><th>agent</th><th>rating</th><th>95 % interval</th>"
        f"{'<th>forfeits</th>' if found.forfeited else ''}</tr></thead>\n<tbody>{rows}</tbody></table>",
        *(f"<p>{escape(line)}</p>" for line in forfeit_notes(found.forfeited)),
    )
    return page("Cross-play", parts, " svg text { fill: revert-layer; }")
