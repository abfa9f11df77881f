"""Colours and the stylesheet of the drawing, light and dark.

Rules hold below the class of their theme (`hansa-light`, `hansa-dark`), so that drawings of both may stand on one page.
Pages around drawings take `page_stylesheet()`, and so have the same colours.
"""

from __future__ import annotations

from functools import cache

THEMES = ("light", "dark")
FONTS = "'Source Sans Pro','Source Sans 3','Segoe UI','Helvetica Neue',Arial,sans-serif"
#: Of the pieces by owner, with the colour of what is written on them. They differ in lightness or in blue against yellow, so
#: that colour-blind people tell them apart too; the seat's number stands on every piece besides.
SEATS = {
    "0": ("#2d64d8", "#ffffff"),
    "1": ("#f5bd28", "#2b2410"),
    "2": ("#a8281d", "#ffffff"),
    "3": ("#5fd3a3", "#06281a"),
    "4": ("#63357a", "#ffffff"),
    "n": ("#a7a39a", "#26231e"),
}
#: Of what office and prestige spaces ask for.
PRIVILEGE_COLOURS = {"white": "#fdfcf8", "orange": "#f0913c", "pink": "#e88fb6", "black": "#34312e"}
#: Points by category, in the order of a score's columns (Okabe and Ito 2008, for all eyes).
CATEGORIES = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#f0e442", "#999999")

_COLOURS = {
    "light": {
        "page": "#f4efe4", "card": "#fffdf8", "ink": "#26221c", "soft": "#6a6154", "line": "#d9cfbd", "land": "#e7dfcc",
        "edge": "#b5a88f", "road": "#fbf7ee", "casing": "#b3a58a", "post": "#fffdf8", "post-line": "#857965",
        "plate": "#fffdf8", "plate-line": "#5a5144",
        "mark": "#14110c", "off": "#fffdf8", "glow": "#f08c00", "token": "#efd9a0", "token-line": "#8a6d1f",
        "token-ink": "#3c2f0c", "piece-line": "#1f1b16", "space-line": "#5a5144", "green": "#8fc47b", "sea": "#b9d9ec",
        "shore": "#6f9ab5", "hull": "#9a6a3a", "hull-line": "#4a3014", "plaque": "#d3e6f2", "plaque-line": "#39708f",
        "abroad1": "#b9824c", "abroad1-line": "#5e3712", "abroad2": "#6c8fe0", "abroad2-line": "#1f3a86",
    },
    "dark": {
        "page": "#17191d", "card": "#23262c", "ink": "#f0ebe0", "soft": "#aaa497", "line": "#3c4048", "land": "#2a2e35",
        "edge": "#454a54", "road": "#565d69", "casing": "#15171b", "post": "#1d2025", "post-line": "#9aa1ad",
        "plate": "#1d2025", "plate-line": "#a9afba",
        "mark": "#ffffff", "off": "#101114", "glow": "#ffb02e", "token": "#d9bd72", "token-line": "#f3e2ae",
        "token-ink": "#2c2208", "piece-line": "#e9e4d8", "space-line": "#8b919c", "green": "#3f7a35", "sea": "#2f5d7c",
        "shore": "#0f1d27", "hull": "#b9854c", "hull-line": "#f0dcc0", "plaque": "#21445c", "plaque-line": "#8fc0de",
        "abroad1": "#8a5a2b", "abroad1-line": "#e0b483", "abroad2": "#3d5cb8", "abroad2-line": "#a9bdf5",
    },
}  # fmt: skip
#: Those that the rest of a page shares with the drawing.
_OF_PAGES = ("page", "card", "ink", "soft", "line")
_RULES = """
text{{font-family:{fonts};fill:{ink}}}
.page{{fill:{page}}}
.card{{fill:{card};stroke:{line};stroke-width:1}}
.deciding{{stroke:{mark};stroke-width:3}}
.soft{{fill:{soft}}}
.b{{font-weight:700}}
.mid{{text-anchor:middle}}
.end{{text-anchor:end}}
.rule{{stroke:{line};stroke-width:1}}
.land{{fill:{land};stroke:{edge};stroke-width:1}}
.casing{{fill:none;stroke:{casing};stroke-width:13;stroke-linejoin:round;stroke-linecap:round}}
.road{{fill:none;stroke:{road};stroke-width:10;stroke-linejoin:round;stroke-linecap:round}}
.casing.sea{{stroke:{shore}}}
.road.sea{{stroke:{sea}}}
.casing.abroad1{{stroke:{abroad1-line}}}
.casing.abroad2{{stroke:{abroad2-line}}}
.road.abroad1{{stroke:{abroad1}}}
.road.abroad2{{stroke:{abroad2}}}
.casing.sea.abroad1,.casing.sea.abroad2{{stroke-width:17}}
.road.sea.abroad1,.road.sea.abroad2{{stroke:{sea}}}
.casing.sea.abroad1{{stroke:{abroad1}}}
.casing.sea.abroad2{{stroke:{abroad2}}}
.banner{{stroke:{plate-line};stroke-width:.8}}
.banner.abroad1{{fill:{abroad1}}}
.banner.abroad2{{fill:{abroad2}}}
.held{{fill:none;stroke-width:7;stroke-linejoin:round;stroke-linecap:round}}
.active{{fill:none;stroke:{glow};stroke-width:3;stroke-dasharray:2 6;stroke-linecap:round}}
.post{{fill:{post};stroke:{post-line};stroke-width:1.6}}
.hull{{fill:{hull};stroke:{hull-line};stroke-width:1.2;stroke-linejoin:round}}
.pennant{{fill:{hull-line};stroke:{hull-line};stroke-width:1.2;stroke-linejoin:round}}
.control{{fill:none;stroke-width:3.5}}
.control-line{{fill:none;stroke:{plate-line};stroke-width:5.5}}
.plate{{fill:{plate};stroke:{plate-line};stroke-width:1.4}}
.green{{fill:{green};stroke:{plate-line};stroke-width:1.4}}
.place{{fill:none;stroke:{plate-line};stroke-width:1.2;stroke-dasharray:2.5 2.5}}
.space{{stroke:{space-line};stroke-width:1.3}}
.name{{font-size:15px;font-weight:700;stroke:{land};stroke-width:3.5px;stroke-linejoin:round;paint-order:stroke}}
.icon{{fill:{ink}}}
.iconline{{fill:none;stroke:{ink};stroke-width:1.7;stroke-linecap:round;stroke-linejoin:round}}
.badge{{fill:{card};stroke:{ink};stroke-width:1.2}}
.piece{{stroke:{piece-line};stroke-width:1.2}}
.coin{{fill:#ecb92f;stroke:#6b4d05;stroke-width:1}}
.coin-ink{{fill:#3c2a00;font-size:9px;font-weight:700;text-anchor:middle}}
.token{{fill:{token};stroke:{token-line};stroke-width:1.2}}
.token-ink{{fill:{token-ink};font-weight:700;text-anchor:middle}}
.token-line{{fill:none;stroke:{token-ink};stroke-width:2;stroke-linecap:round;stroke-linejoin:round}}
.plaque{{fill:{plaque};stroke:{plaque-line};stroke-width:1.6}}
.plaque.used{{stroke:{glow};stroke-width:4}}
.plaque-ink{{font-weight:700;text-anchor:middle}}
.plaque-line{{fill:none;stroke:{ink};stroke-width:2;stroke-linecap:round;stroke-linejoin:round}}
.spent{{opacity:.42}}
.mark{{fill:none;stroke:{mark};stroke-width:2.6}}
.mark-off{{fill:none;stroke:{off};stroke-width:6}}
.extra{{fill:{line}}}
.stem{{fill:none;stroke:{token-line};stroke-width:2}}
.glow{{fill:none;stroke:{glow};stroke-opacity:.45;stroke-width:22;stroke-linejoin:round;stroke-linecap:round}}
.open{{fill:none;stroke:{soft};stroke-width:1.2}}
.border{{fill:none;stroke:{soft};stroke-width:2.5;stroke-dasharray:1 6;stroke-linecap:round}}
.guard{{fill:{card};stroke:{soft};stroke-width:1.4;stroke-linejoin:round}}
.province{{fill:{card};fill-opacity:.6;stroke:{soft};stroke-width:1;stroke-dasharray:2 2}}
.pawn{{fill:{ink};stroke:{card};stroke-width:1.5}}
.hit{{fill:#000;fill-opacity:0}}
"""


@cache
def stylesheet(theme: str) -> str:
    """The rules of a theme. Raises ValueError where there is no such theme."""
    if theme not in THEMES:
        raise ValueError(f"theme is {theme!r}; expected one of {', '.join(THEMES)}")
    text = _RULES.format(fonts=FONTS, **_COLOURS[theme])
    for owner, (fill, ink) in SEATS.items():
        text += f".p{owner}{{fill:{fill}}}\n.s{owner}{{stroke:{fill}}}\n"
        text += f".i{owner}{{fill:{ink};font-weight:700;text-anchor:middle}}\n"
    for privilege, fill in PRIVILEGE_COLOURS.items():
        text += f".{privilege}{{fill:{fill}}}\n"
    for number, fill in enumerate(CATEGORIES):
        text += f".c{number}{{fill:{fill}}}\n"
    return "".join(f".hansa-{theme} {rule}\n" for rule in text.strip().splitlines())


def colour(theme: str, name: str) -> str:
    """A colour of a theme by its name, such as "page" and "ink"."""
    return _COLOURS[theme][name]


def page_stylesheet() -> str:
    """What a page with drawings needs: the rules of all themes, and as custom properties the colours that it shares with them.

    `--page`, `--card`, `--ink`, `--soft` and `--line` are those of the theme that the root's `data-theme` names, light without
    one; `--p0`, `--i0` and so on are the colours of a seat and of what is written on it.
    """
    seats = "".join(f"--p{owner}:{fill};--i{owner}:{ink};" for owner, (fill, ink) in SEATS.items())
    text = f":root{{{seats}}}\n"
    for theme in THEMES:
        root = ":root" if theme == THEMES[0] else f':root[data-theme="{theme}"]'
        colours = "".join(f"--{name}:{colour(theme, name)};" for name in _OF_PAGES)
        text += f"{root}{{{colours}color-scheme:{theme}}}\n"
    return text + "".join(map(stylesheet, THEMES))
