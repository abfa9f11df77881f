"""What every position of a small game is worth: backward induction over decisions and chance, a turn at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

import numpy as np

from hansa_agents.solved.graph import Graph
from hansa_agents.solved.kernels.expand import CHANCE
from hansa_agents.solved.kernels.sweep import BEST, FOLLOW, shares_of_winners, sweep, weigh_edges

#: Worths that change by less in every turn of a round do not change any more.
SETTLED = 1e-12


def even_policy(graph: Graph) -> np.ndarray:
    """(E,) float64: every edge of a node is equally likely, as chance plays, and as the random agent does."""
    counts = np.diff(graph.first)
    return np.repeat(1 / counts, counts)


class Induction:
    """The worths of all nodes with 1, 2, ... turns left, when some seats play what is best for them and others a policy.

    Args:
        graph: of the game.
        best: the seats that take what is worth most to themselves, at random where several decisions are within `EQUAL`.
        policy: (E,) how likely each edge is; looked at where chance or another seat decides.

    Attributes:
        left: for how many turns, all seats together, `worths` holds, the one under way included; 0 at the beginning.
        worths: (N, P) float64, the shares of the win that come to each seat; before: the same with one turn less.
    """

    def __init__(self, graph: Graph, best: Sequence[int] = (), policy: np.ndarray | None = None) -> None:
        self.graph, players = graph, graph.ruleset.players
        self.policy = even_policy(graph) if policy is None else policy
        self.best = np.array([BEST if seat in best else FOLLOW for seat in range(players)])
        self.left, self.outcomes = 0, shares_of_winners(players)
        self.before, self.worths = np.zeros((2, len(graph.kinds), players))

    def step(self) -> None:
        """One turn more."""
        g, last_turn = self.graph, self.left == 0
        self.before, self.worths = self.worths, self.before
        tree = g.kinds, g.first, g.target, g.cut, g.order, self.outcomes
        sweep(*tree, self.policy, self.best, self.before, self.worths, last_turn)
        self.left += 1

    def run(self, turns: int, note: Callable[[int], None] = lambda left: None) -> np.ndarray:
        """The worths (N, P) with so many turns left; the steps are saved that would change them by less than SETTLED.

        `note` is told again and again for how many turns they are known.
        """
        players, same = len(self.best), 0
        kept: deque[np.ndarray] = deque(maxlen=players)  # of one turn less, two turns less, ...
        while self.left < turns:
            self.step()
            note(self.left)
            if len(kept) == players:
                same = same + 1 if np.abs(self.worths - kept[-1]).max() < SETTLED else 0
            kept.appendleft(self.worths.copy())
            if same >= players and (turns - self.left) % players == 0:
                break
        return self.worths

    def edges(self) -> np.ndarray:
        """(E,) float64: what each edge is worth to who decides on it, with `left` turns left; 0 behind chance."""
        g, worths = self.graph, np.empty(len(self.graph.target))
        weigh_edges(g.kinds, g.first, g.target, g.cut, self.outcomes, self.before, self.worths, self.left == 1, worths)
        return worths


class Solution:
    """What each position of a game is worth under best play, for every number of turns that may be left.

    Where the turns left make no difference any more, or none but by whose turn is the last, all greater numbers have the same
    worths, and one round of them is kept.

    Args:
        graph: of the game.
        turns: after how many turns, all seats together, the game is cut off and scored as the board stands.
        note: is told again and again for how many turns the worths are known.

    Attributes:
        settled: with how many turns left the last of the worths that are kept holds; more turns make no difference to them,
            round by round. None: they still do with `turns`.
    """

    def __init__(self, graph: Graph, turns: int, note: Callable[[int], None] = lambda left: None) -> None:
        self.graph, self.turns, players = graph, turns, graph.ruleset.players
        self.settled: int | None = None
        self._layers: list[np.ndarray] = []
        induction, same = Induction(graph, range(players)), 0
        kept: deque[np.ndarray] = deque(maxlen=players)
        while induction.left < turns and self.settled is None:
            induction.step()
            self._layers.append(induction.worths.astype(np.float32))
            # A turn's worths follow from those of the one before: equal ones in every turn of a round repeat for ever.
            same = same + 1 if len(kept) == players and (induction.worths == kept[-1]).all() else 0
            kept.appendleft(induction.worths.copy())
            if same == players:
                self.settled = induction.left
            note(induction.left)

    def representative(self, left: int) -> int:
        """The number of turns, of those that are kept, with the same worths."""
        if self.settled is None or left <= self.settled:
            return left
        return self.settled - (self.settled - left) % self.graph.ruleset.players

    def _layer(self, left: int) -> np.ndarray:
        return self._layers[self.representative(left) - 1]

    def worths(self, left: int | None = None) -> np.ndarray:
        """(N, P) float32: each seat's share of the win with so many turns left, the one under way included; by default all."""
        return self._layer(self.turns if left is None else left)

    def edges(self, left: int | None = None) -> np.ndarray:
        """(E,) float64: what each decision is worth to who takes it, with so many turns left; 0 behind chance."""
        left = self.turns if left is None else left
        g, worths = self.graph, np.empty(len(self.graph.target))
        now = self._layer(left).astype(np.float64)
        before = self._layer(left - 1).astype(np.float64) if left > 1 else now
        outcomes = shares_of_winners(g.ruleset.players)
        weigh_edges(g.kinds, g.first, g.target, g.cut, outcomes, before, now, left == 1, worths)
        return worths

    def regrets(self, left: int | None = None) -> np.ndarray:
        """(E,) float64: how much less each decision is worth to who takes it than the best one there; 0 behind chance."""
        worths, first = self.edges(left), self.graph.first
        best = np.repeat(np.maximum.reduceat(worths, first[:-1]), np.diff(first))
        best[self.graph.kinds[self.graph.sources] == CHANCE] = 0
        return best - worths
