"""Many game records in little room: of their words, only those in which they differ."""

from __future__ import annotations

import numpy as np

from hansa_env.engine.identity import words_of
from hansa_env.engine.state import new_games


class Packed:
    """Records that are much like the first of them.

    Args:
        base: records (at least 1,); the first says what a word is by default.
    """

    def __init__(self, base: np.ndarray) -> None:
        self._base = words_of(base[:1])[0].copy()
        self._parts: list[tuple[np.ndarray, np.ndarray]] = []  # places of words, and these of each record
        self._starts = [0]

    def __len__(self) -> int:
        return self._starts[-1]

    def add(self, games: np.ndarray) -> None:
        """Keep records (N,) behind those that are there."""
        words = words_of(games)
        places = np.flatnonzero((words != self._base).any(axis=0))
        self._parts.append((places, words[:, places].copy()))
        self._starts.append(len(self) + len(games))

    def take(self, rows: np.ndarray) -> np.ndarray:
        """The records of some rows (M,), in that order."""
        rows = np.asarray(rows)
        games = new_games(len(rows))
        words = words_of(games)
        words[:] = self._base
        parts = np.searchsorted(self._starts, rows, side="right") - 1
        for part in np.unique(parts):
            places, kept = self._parts[part]
            own = np.flatnonzero(parts == part)
            words[own[:, None], places] = kept[rows[own] - self._starts[part]]
        return games
