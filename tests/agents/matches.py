"""A match of random agents for the tests of results files."""

from __future__ import annotations

from pathlib import Path

from hansa_agents.arena import Keep, play_match
from hansa_agents.records import Records
from hansa_agents.results import Match
from hansa_env import Ruleset

RULESET = Ruleset(3)
SPECS = ["first=random", "random"]


def play(
    file: Path | None,
    games: int = 30,
    specs: list[str] = SPECS,
    records: Records | None = None,
    actions: bool = False,
    **options,
) -> Match:
    """A match of random agents, which play in this process."""
    return play_match(specs, RULESET, games, keep=Keep(file, records, actions), **{"max_turns": 8, "seed": 5} | options)
