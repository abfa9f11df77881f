"""Whoever hears what happens at a game."""

from __future__ import annotations

import json
from collections.abc import Callable

#: Called with the text of a message, None = the game is closed; must not block.
Listener = Callable[[str | None], None]


class Listeners:
    """Those who listen to one game. Each is told the same, in the same order."""

    def __init__(self) -> None:
        self._all: set[Listener] = set()

    def __bool__(self) -> bool:
        """Whether anybody listens."""
        return bool(self._all)

    def add(self, listener: Listener) -> None:
        """From now on it is told everything."""
        self._all.add(listener)

    def remove(self, listener: Listener) -> None:
        """It is told nothing more; one that has gone already is no error."""
        self._all.discard(listener)

    def tell(self, message: dict) -> None:
        """Send a message to all of them, as JSON."""
        text = json.dumps(message, separators=(",", ":"), ensure_ascii=False)
        for listener in list(self._all):  # one that is told may leave
            listener(text)

    def close(self) -> None:
        """Tell them that nothing comes any more."""
        for listener in list(self._all):
            listener(None)
        self._all.clear()
