"""The published puzzles for whoever puts them to people: found by the entry point `hansa_env.puzzles`."""

from __future__ import annotations

from hansa_agents.puzzles.puzzle_file import PROVEN, PuzzleLine, read_puzzles
from hansa_env.play.known_positions import KnownPosition


def published() -> list[KnownPosition]:
    """All of them. Raises PuzzleError, OSError."""
    return [
        KnownPosition(
            one.kind, puzzle.ruleset, one.position, tuple(one.answers), why(one), tuple(tuple(texts) for texts in one.then)
        )
        for puzzle in read_puzzles()[1]
        for one in [puzzle.line]
    ]


def why(line: PuzzleLine) -> str:
    """How the answers of a puzzle are known, for people."""
    if line.known == PROVEN:
        return (
            f"Proven: every way to go on with this turn was tried, {line.tried:,} decisions. With this one the game ends in "
            "this turn and you win alone, whatever the others answer. Nothing else is certain to do that."
        )
    told = ", ".join(f"{search.spec} with {100 * search.share:.0f} % of its visits" for search in line.searches)
    return f"Agreed, not proven: deep searches chose it clearly, each on its own: {told}."
