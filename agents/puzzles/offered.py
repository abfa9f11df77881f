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
        answers = "this one" if len(line.answers) == 1 else "any of these"
        return (
            f"Proven, by trying {line.tried:,} decisions of this turn: after {answers} you can end the game in this turn and "
            "win alone, whatever the others answer. After no other decision is that certain."
        )
    told = ", ".join(f"{search.spec} with {100 * search.share:.0f} % of its visits" for search in line.searches)
    return f"Agreed, not proven: deep searches chose it clearly, each on its own: {told}."
