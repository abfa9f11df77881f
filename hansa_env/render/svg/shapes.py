"""The small shapes that a drawing is made of, as SVG text: pieces, office spaces, icons, marker tokens, lines of text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

from hansa_env.boards import PRIVILEGES

#: Width of a letter over the size of the font, about: enough to cut what is too long, and to keep names off other things.
LETTER = 0.52


@dataclass
class Panel:
    """A part of the drawing that stands by itself: its size, and what is in it, in parts by name, lowest first.

    A part is SVG text in the coordinates of the panel. Between two scenes only the parts differ in which something changed.
    """

    name: str
    width: float
    height: float
    parts: dict[str, str] = field(default_factory=dict)

    def body(self) -> str:
        """Everything in it, a group with `data-part` for each part."""
        return "".join(f'<g data-part="{name}">{part}</g>' for name, part in self.parts.items())


def n(value: float) -> str:
    """A coordinate, short."""
    return f"{value:.1f}".rstrip("0").rstrip(".")


def thing(name: str, inside: str, title: str = "") -> str:
    """A group that stands for a thing that can be decided about."""
    told = f"<title>{escape(title)}</title>" if title else ""
    return f'<g data-thing="{escape(name)}">{told}{inside}</g>'


def text(x: float, y: float, words: object, size: float, classes: str = "") -> str:
    """A line of text that stands on y."""
    kind = f' class="{classes}"' if classes else ""
    return f'<text x="{n(x)}" y="{n(y)}" font-size="{n(size)}"{kind}>{escape(str(words))}</text>'


def fitted(words: str, size: float, width: float) -> str:
    """Words, cut where they would be wider."""
    most = int(width / (LETTER * size))
    return words if len(words) <= most else words[: max(most - 1, 0)].rstrip() + "…"


def rect(x: float, y: float, width: float, height: float, classes: str, radius: float = 0) -> str:
    """A rectangle by its upper left corner."""
    rounded = f' rx="{n(radius)}"' if radius else ""
    return f'<rect x="{n(x)}" y="{n(y)}" width="{n(width)}" height="{n(height)}"{rounded} class="{classes}"/>'


def circle(x: float, y: float, radius: float, classes: str) -> str:
    return f'<circle cx="{n(x)}" cy="{n(y)}" r="{n(radius)}" class="{classes}"/>'


def path(data: str, classes: str) -> str:
    return f'<path d="{data}" class="{classes}"/>'


def moved(x: float, y: float, inside: str, scale: float = 1) -> str:
    """What is drawn around (0, 0), around (x, y)."""
    scaled = f" scale({n(scale)})" if scale != 1 else ""
    return f'<g transform="translate({n(x)} {n(y)}){scaled}">{inside}</g>'


def piece(x: float, y: float, owner: str, kind: str, size: float, number: bool = True) -> str:
    """A piece of `size` across: a trader is square, a merchant round, the owner's number on it."""
    if kind == "trader":
        side = size * 0.92
        shape = rect(x - side / 2, y - side / 2, side, side, f"piece p{owner}", size * 0.14)
    else:
        shape = circle(x, y, size / 2, f"piece p{owner}")
    return shape + (text(x, y + size * 0.25, owner, size * 0.68, f"i{owner}") if number else "")


def office(x: float, y: float, shape: str, privilege: str, prestige: int, size: float) -> str:
    """An empty office space around (x, y): shape, colour, a dot for each step of privilege, and its coin."""
    classes = f"space {privilege}"
    drawn = rect(x - size / 2, y - size / 2, size, size, classes, 2) if shape == "square" else circle(x, y, size / 2, classes)
    drawn += dots(x, y, privilege, size)
    if prestige:
        drawn += circle(x, y, size * 0.3, "coin") + text(x, y + 3.2, prestige, 9, "coin-ink")
    return drawn


def dots(x: float, y: float, privilege: str, size: float) -> str:
    """One dot for orange, two for pink, three for black: the colour again, for those who do not see it."""
    count = PRIVILEGES.index(privilege)
    classes = "white" if privilege == "black" else "black"
    return "".join(circle(x + (i - (count - 1) / 2) * size * 0.24, y, size * 0.075, classes) for i in range(count))


_ICONS = {
    "keys": '<circle cx="-3.6" cy="0" r="3.2" class="iconline"/><path d="M-.4 0H7M4 0V3.4M6.8 0V3" class="iconline"/>',
    "actions": '<path d="M-4.6-6.4H4.6M-4.6 6.4H4.6M-3.4-6.2C-3.4-2 3.4 2 3.4 6.2M3.4-6.2C3.4-2-3.4 2-3.4 6.2" '
    'class="iconline"/>',
    "privilege": '<path d="M0-7 6-4.6V0C6 3.8 3.2 6 0 7.2-3.2 6-6 3.8-6 0V-4.6Z" class="icon"/>',
    "book": '<path d="M0-4.4C-2-6-4.6-6.2-7-5.6V4.4C-4.6 3.8-2 4 0 5.6 2 4 4.6 3.8 7 4.4V-5.6C4.6-6.2 2-6 0-4.4ZV5.6" '
    'class="iconline"/>',
    "bank": '<path d="M-6-4A6 2.4 0 1 0 6-4A6 2.4 0 1 0-6-4V4A6 2.4 0 0 0 6 4V-4M-6 0A6 2.4 0 0 0 6 0" class="iconline"/>',
}


def icon(x: float, y: float, ability: str, scale: float = 1) -> str:
    """The sign of an ability, about 14 across."""
    return moved(x, y, _ICONS[ability], scale)


_TOKEN_SIGNS = {
    "extra-office": '<path d="M-10-5H-1V4.6H-10ZM3.4-.2H10.6M7-3.8V3.4" class="token-line"/>',
    "exchange": '<path d="M-8-3H7M3.6-6.2 7-3 3.6.2M8 3.4H-7M-3.6.2-7 3.4-3.6 6.6" class="token-line"/>',
    "remove-three": '<path d="M-11 0H-4.4" class="token-line"/><text x="4" y="5" font-size="15" class="token-ink">3</text>',
    "move-three": '<path d="M-12-3.4H-2M-5-6.4-2-3.4-5-.4M-2 4H-12M-9 1-12 4-9 7" class="token-line"/>'
    '<text x="8" y="5" font-size="15" class="token-ink">3</text>',
    "trade-in": '<path d="M-11-2.6H1M-2.4-5.8 1-2.6-2.4.6M1 3.4H-11M-7.6.2-11 3.4-7.6 6.6M5-5.6H11.4V5.6H5Z" '
    'class="token-line"/>',
    "tribute": '<path d="M-11-5.6H-4.6V5.6H-11ZM-2 0H9M5.6-3.4 9 0 5.6 3.4" class="token-line"/>',
    "block": '<path d="M-11 6.4V-2.6M0 6.4V-2.6M11 6.4V-2.6M-13-2.6H13M-13 2H13" class="token-line"/>',
    "upgrade": '<path d="M0 6.4V-5.6M-5-1 0-6 5-1" class="token-line"/>',
    "+3": '<text y="5" font-size="15" class="token-ink">+3</text>',
    "+4": '<text y="5" font-size="15" class="token-ink">+4</text>',
}
TOKEN = (34.0, 21.0)
#: Of a permanent marker, which is cut at its corners.
PLAQUE = (42.0, 23.0)
_PLAQUE_SIGNS = {
    "move-two": '<path d="M-16-3.4H-3M-6.2-6.4-3-3.4-6.2-.4M-3 4H-16M-12.8 1-16 4-12.8 7" class="plaque-line"/>'
    '<text x="9" y="5.4" font-size="16" class="plaque-ink">2</text>',
    "develop-privilege": '<path d="M8 6.4V-5.6M3-1 8-6 13-1" class="plaque-line"/>',
    "office-in-green-city": '<rect x="3" y="-6" width="12" height="12" rx="3" class="green"/>'
    '<path d="M-15 0H-4.4M-8-3.6-4.4 0-8 3.6" class="plaque-line"/>',
    "place-two-from-route": '<text x="-11" y="5.4" font-size="16" class="plaque-ink">2</text>'
    '<path d="M-4.4 0H4M.6-3.4 4 0 .6 3.4" class="plaque-line"/><circle cx="11.4" r="4.6" class="post"/>',
    "place-two-abroad": '<text x="-11" y="5.4" font-size="16" class="plaque-ink">2</text>'
    '<path d="M-4.4 0H4M.6-3.4 4 0 .6 3.4" class="plaque-line"/><path d="M9 7V-7L16-3.6 9-.6" class="plaque-line"/>',
}


def plaque(x: float, y: float, kind: str, used: bool) -> str:
    """A permanent marker around (x, y), and whether it is being used."""
    right, down, cut = PLAQUE[0] / 2, PLAQUE[1] / 2, 6.0
    corners = [(right - cut, -down), (right, cut - down), (right, down - cut), (right - cut, down)]
    corners += [(-a, -b) for a, b in corners]
    shape = path("M" + "L".join(f"{n(a)} {n(b)}" for a, b in corners) + "Z", "plaque used" if used else "plaque")
    sign = icon(-9, 0, "privilege") if kind == "develop-privilege" else ""
    return moved(x, y, shape + sign + _PLAQUE_SIGNS[kind])


def flag(x: float, y: float, countries: Sequence[int]) -> str:
    """A flag around (x, y) for those who give permission to place abroad: a stripe for each country, by its place."""
    stripe = 11 / len(countries)
    stripes = "".join(rect(-4, -7 + i * stripe, 12, stripe, f"banner abroad{c}") for i, c in enumerate(countries))
    return moved(x, y, path("M-5 8V-8", "iconline") + stripes)


def ship(x: float, y: float) -> str:
    """A cog around (x, y), below what is on its post."""
    hull = path("M-16-4-11 1.5H11L16-4C15.6 8 10 14 0 14-10 14-15.6 8-16-4Z", "hull")
    return moved(x, y, path("M0-8V-18.5L8-15.8 0-13Z", "pennant") + hull)


def tile(x: float, y: float, words: str, width: float) -> str:
    """An Emperor's Favour tile, or a card, with a word on it, from its left end."""
    return rect(x, y - 8, width, 16, "token", 3) + text(x + width / 2, y + 4, fitted(words, 10.5, width), 10.5, "token-ink")


def token(x: float, y: float, kind: str | None, scale: float = 1) -> str:
    """A marker around (x, y), face up, or face down where no kind is given."""
    width, height = TOKEN
    shape = rect(-width / 2, -height / 2, width, height, "token", 6)
    sign = '<text y="5" font-size="14" class="token-ink">?</text>' if kind is None else _TOKEN_SIGNS.get(kind)
    named = "" if kind is None else text(0, 3, fitted(kind, 9, width), 9, "token-ink")
    return moved(x, y, shape + (sign or named), scale)
