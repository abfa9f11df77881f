"""The games that puzzles are of: every number of players, every board, the modules."""

from __future__ import annotations

from hansa_env import Ruleset

#: By name, in the order of the file.
SETTINGS = {
    "two": Ruleset(2),
    "two-pawn": Ruleset(2, "first"),
    "two-base-4-5": Ruleset(2, board="base-4-5"),
    "three": Ruleset(3),
    "three-base-4-5": Ruleset(3, board="base-4-5"),
    "three-bigbox": Ruleset(3, "bigbox", favours=True, pile="promos"),
    "three-east": Ruleset(3, board="east"),
    "three-britannia": Ruleset(3, board="britannia-2-3"),
    "four": Ruleset(4),
    "four-base-2-3": Ruleset(4, board="base-2-3"),
    "four-missions": Ruleset(4, missions=True),
    "four-east": Ruleset(4, board="east"),
    "four-britannia": Ruleset(4, board="britannia-4-5"),
    "five": Ruleset(5),
    "five-east": Ruleset(5, board="east"),
    "five-britannia": Ruleset(5, board="britannia-4-5"),
}
