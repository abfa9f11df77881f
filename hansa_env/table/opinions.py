"""What agents have said of positions since the server began; the next time an agent of the same spec may be another."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

#: Positions, of all agents together, of which it is known; those that nobody asked for longest are asked about again.
MOST_KEPT = 10_000


class Opinions:
    """Estimates by agent and position, as JSON texts: small, and nobody changes what another is given.

    Args:
        most: how many are kept.
    """

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        self._found: OrderedDict[tuple[str, str], str] = OrderedDict()
        self._lock = Lock()  # the server's loop keeps, its threads look up

    def of(self, agent: str, position: str) -> dict | None:
        """What an agent said of a position, by the name of that; None if it has not been asked."""
        with self._lock:
            found = self._found.get((agent, position))
            if found is None:
                return None
            self._found.move_to_end((agent, position))
        return json.loads(found)

    def keep(self, agent: str, found: Sequence[tuple[str, dict]]) -> None:
        """Keep what an agent said of positions."""
        texts = [((agent, position), json.dumps(estimate)) for position, estimate in found]
        with self._lock:
            for key, text in texts:
                self._found[key] = text
                self._found.move_to_end(key)
            while len(self._found) > self._most:
                self._found.popitem(last=False)
