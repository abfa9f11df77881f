"""The page of `hansa view`: games to look at decision by decision, as one HTML file."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Sequence
from html import escape
from importlib import resources
from typing import Any

from hansa_env.render.svg.themes import CATEGORIES, page_stylesheet

#: What the page has in common with the table's, in the order in which they import each other.
COMMON = ("shares", "elements", "storage", "theme", "chart")


def view_page(stories: Sequence[dict[str, Any]], title: str = "Hansa Teutonica") -> str:
    """The page of some games, as `story_of` tells them. Raises ValueError where there are none."""
    if not stories:
        raise ValueError("there is no game to show")
    return (
        _file("view.html")
        .replace("/*title*/", escape(title))
        .replace("/*style*/", page_stylesheet() + _with_fonts(_file("common/common.css")) + _file("view.css"))
        .replace("/*script*/", _script())
        .replace("/*data*/", json_in_html({"games": stories, "categories": CATEGORIES}))
    )


def _script() -> str:
    """The page's script, which imports nothing any more: what it shares with the table's page stands before it."""
    modules = "\n".join(_file(name) for name in (*(f"common/{name}.js" for name in COMMON), "view.js"))
    return '"use strict";\n' + re.sub(r"^import .*\n|^export ", "", modules, flags=re.MULTILINE)


def _with_fonts(style: str) -> str:
    """A stylesheet with the fonts in it that it names."""
    folder = resources.files(__package__).joinpath("common")
    return re.sub(r"/page/([\w-]+\.woff2)", lambda found: _data_url(folder.joinpath(found[1]).read_bytes()), style)


def _data_url(font: bytes) -> str:
    return f"data:font/woff2;base64,{b64encode(font).decode()}"


def json_in_html(data: Any) -> str:
    """JSON that may stand in a script element: nothing in it ends the element or begins a comment."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("</", "<\\/").replace("<!", "\\u003c!")


def _file(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text("utf-8")
