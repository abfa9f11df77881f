"""The border guards of the pawn variant: they divide provinces where no route does (R8.1.1), which one has to see."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import NamedTuple


class Guard(NamedTuple):
    """A guard: the two cities between which its border runs, and where it stands, as the board's file has it."""

    cities: tuple[str, str]
    xy: tuple[float, float]


@cache
def guards_of(board_id: str) -> tuple[Guard, ...]:
    """The guards that a board has printed; the game knows only which provinces they make neighbours."""
    data = json.loads(resources.files("hansa_env.boards").joinpath(f"{board_id}.json").read_text("utf-8"))
    guards = (data.get("provinces") or {}).get("guards", ())
    return tuple(Guard(tuple(guard["cities"]), tuple(guard["xy"])) for guard in guards)
