"""The page of `hansa view`: games to look at decision by decision, as one HTML file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from importlib import resources
from typing import Any

from hansa_env.render.svg.themes import CATEGORIES, SEATS, page_stylesheet


def view_page(stories: Sequence[dict[str, Any]], title: str = "Hansa Teutonica") -> str:
    """The page of some games, as `story_of` tells them. Raises ValueError where there are none."""
    if not stories:
        raise ValueError("there is no game to show")
    data = {"games": stories, "seats": {owner: list(colours) for owner, colours in SEATS.items()}, "categories": CATEGORIES}
    return (
        _file("view.html")
        .replace("/*title*/", escape(title))
        .replace("/*style*/", _file("view.css") + page_stylesheet())
        .replace(
            "/*script*/", _file("view.js").replace("/*shares*/", _file("shares.js").replace("export function", "function"))
        )
        .replace("/*data*/", json_in_html(data))
    )


def json_in_html(data: Any) -> str:
    """JSON that may stand in a script element: nothing in it ends the element or begins a comment."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("</", "<\\/").replace("<!", "\\u003c!")


def _file(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text("utf-8")
