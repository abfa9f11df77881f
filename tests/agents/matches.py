"""A match of random agents for the tests of results files."""

from __future__ import annotations

from pathlib import Path

from hansa_agents.arena import play_match
from hansa_agents.results import Match
from hansa_env import Ruleset

RULESET = Ruleset(3)
SPECS = ["first=random", "random"]


def play(file: Path | None, games: int = 30, specs: list[str] = SPECS, **options) -> Match:
    """A match of random agents, which play in this process."""
    return play_match(specs, RULESET, games, results=file, **{"max_turns": 8, "seed": 5} | options)
