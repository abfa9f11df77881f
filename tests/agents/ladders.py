"""A ladder of two players for tests: copies of it, and placements that stop."""

from __future__ import annotations

from hansa_agents.ladder import Ladder
from hansa_env import Ruleset

PAIR = Ruleset(2)


def copy(ladder: Ladder) -> Ladder:
    return Ladder(ladder.ruleset, list(ladder.lines), list(ladder.results))


def stops_after(games: int):
    """Ctrl-C at a game's end, and the numbers of games that ended."""
    ended: list[int] = []

    def add(result) -> None:
        ended.append(result.number)
        if len(ended) == games:
            raise KeyboardInterrupt

    return add, ended
