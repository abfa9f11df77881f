"""The luck of the markers: what the pile gave each seat of the win, or took, apart from what anybody decided.

A marker is seen when it is laid from a plate onto a route (R6.7). There the luck of a seat is its share of the win after what
came less the mean of its shares after everything that could have come: every kind that was still hidden, as likely as it was
often there. What was drawn earlier and lies face down changes nobody's view, so it counts when it is seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import NamedTuple

import numpy as np

from hansa_env.engine import state
from hansa_env.engine.state import OVER
from hansa_env.play.game import Game
from hansa_env.ruleset import MARKER_KINDS, Ruleset


class Draw(NamedTuple):
    """Markers that were seen for the first time.

    Attributes:
        after: the number of decisions behind which they are seen.
        markers: their kinds; more than one where the later ones could be laid only in one way.
        came: which of `positions` shows these.
        chances: (K,) float64, how likely each of the positions was; together 1.
        positions: (K,) game records: the game after the decision, by what could have come.
    """

    after: int
    markers: tuple[str, ...]
    came: int
    chances: np.ndarray
    positions: np.ndarray

    @property
    def is_forced(self) -> bool:
        """Whether nothing else could have come; then nobody was lucky."""
        return len(self.positions) == 1

    def in_record(self, gained: np.ndarray) -> dict:
        """The draw as a record keeps it, with what it gave each seat (P,)."""
        return {"after": self.after, "markers": list(self.markers), "seats": [round(float(one), 4) + 0.0 for one in gained]}


def draw_at(ruleset: Ruleset, number: int, before: np.void, text: str, after: np.void) -> Draw | None:
    """What was drawn by decision `number` (from 0); None where no marker was seen, or the game ended with it.

    Args:
        ruleset: of the game.
        number: of the decision.
        before, after: the game records around it.
        text: the decision.
    """
    seen = np.flatnonzero(_hidden(before) & ~_hidden(after))
    if after["asked"] == OVER or not len(seen):
        return None
    kinds = [int(kind) for kind in before["pile"][_hidden(before)]]
    orders = Counter(permutations(kinds, len(seen)))
    positions, drawn = state.new_games(len(orders)), tuple(int(kind) for kind in before["pile"][seen])
    for row, order in enumerate(orders):
        positions[row] = _with_drawn(ruleset, before, seen, order, text)
    chances = np.array(list(orders.values())) / sum(orders.values())
    return Draw(number + 1, tuple(MARKER_KINDS[kind] for kind in drawn), list(orders).index(drawn), chances, positions)


def draws_of(ruleset: Ruleset, records: Sequence[np.void] | np.ndarray, texts: Sequence[str]) -> list[Draw]:
    """All draws of a game, in order.

    Args:
        ruleset: of the game.
        records: the game before each decision and behind the last, one more than there are decisions.
        texts: the decisions.
    """
    found = (draw_at(ruleset, n, records[n], text, records[n + 1]) for n, text in enumerate(texts))
    return [draw for draw in found if draw is not None]


def _hidden(game: np.void) -> np.ndarray:
    """Of every place of the pile, whether its marker has not been seen: what has been seen is no longer there."""
    return game["pile"] >= 0


def _with_drawn(ruleset: Ruleset, before: np.void, seen: np.ndarray, kinds: Sequence[int], text: str) -> np.void:
    """The position after a decision, had these kinds been drawn."""
    game = Game.from_state(ruleset, before)
    pile, left = game.state["pile"], Counter(before["pile"][_hidden(before)].tolist()) - Counter(kinds)
    pile[_hidden(before)] = -1
    pile[seen] = kinds
    pile[_hidden(before) & (pile < 0)] = sorted(left.elements())
    game.play(text)
    return game.state


def luck_of(draw: Draw, shares: np.ndarray) -> np.ndarray:
    """What a draw gave each seat, (P,), together 0; shares (K, P) are what the seats may expect at its positions."""
    return shares[draw.came] - draw.chances @ shares


def luck_together(players: int, draws: Sequence[Mapping]) -> list[float]:
    """What all draws of a game together gave each seat; a draw has it as `seats`."""
    return np.sum([np.zeros(players), *(draw["seats"] for draw in draws)], axis=0).tolist()
