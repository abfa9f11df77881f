"""A second solver, slow and plain: it plays every decision with the public batch and shares only rules with the first."""

from __future__ import annotations

import numpy as np

from hansa_env import HansaBatch, Ruleset
from hansa_env.engine import kernels, state
from hansa_env.engine.state import POSITION_BYTES


class Plain:
    """What positions are worth by best play: the mover takes the best for himself, at random where several are equal."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset, self.calls = ruleset, 0
        self._known: dict[tuple[bytes, int], np.ndarray] = {}

    def worth(self, game: np.ndarray, left: int) -> np.ndarray:
        """(P,) of a record (1,) with so many turns left, the one under way included."""
        return self._of(self._begun(game), int(game["turns"][0]) + left)

    def decisions(self, game: np.ndarray, left: int) -> dict[int, np.ndarray]:
        """(P,) of each decision of a record (1,), by action index."""
        batch, limit = self._begun(game), int(game["turns"][0]) + left
        return {int(action): self._after(batch, int(action), limit) for action in np.flatnonzero(batch.action_mask[0])}

    def _begun(self, game: np.ndarray) -> HansaBatch:
        batch = HansaBatch(1, self.ruleset, max_turns=None)
        batch.put(np.zeros(1, np.int64), game)
        return batch

    def _of(self, batch: HansaBatch, limit: int) -> np.ndarray:
        """What a position is worth; after so many turns in all the game is over, as it stands."""
        if batch.ended[0] or batch.games["asked"][0] == state.OVER or batch.games["turns"][0] >= limit:
            winners = batch.winners()[0]
            return winners / winners.sum()
        game = batch.games[0]
        key = game.tobytes()[:POSITION_BYTES], limit - int(game["turns"])
        if key not in self._known:
            self.calls += 1
            seat = int(game["seat"])
            found = [self._after(batch, int(action), limit) for action in np.flatnonzero(batch.action_mask[0])]
            most = max(worth[seat] for worth in found)
            self._known[key] = np.mean([worth for worth in found if worth[seat] > most - 1e-9], axis=0)
        return self._known[key]

    def _after(self, batch: HansaBatch, action: int, limit: int) -> np.ndarray:
        """The mean over which of the hidden markers comes next; the pile of these games has one at most, so it is the first."""
        game = batch.games[0]
        hidden = [int(kind) for kind in game["pile"] if kind >= 0]
        found = []
        for kind in hidden or [None]:
            copy = batch.copy()
            if kind is not None:
                rest = list(hidden)
                rest.remove(kind)
                copy.games["pile"][0, : len(hidden)] = [kind, *rest]
            copy.step(np.array([action]))
            found.append(self._of(copy, limit))
        return np.mean(found, axis=0)


def dealt(ruleset: Ruleset, seed: int = 0) -> np.ndarray:
    """The record (1,) of a new game."""
    return HansaBatch(1, ruleset, seed=seed, max_turns=None).games.copy()


def played(ruleset: Ruleset, decisions: int, seed: int) -> np.ndarray:
    """Records (N,) of a game after so many random decisions that are not over."""
    batch = HansaBatch(32, ruleset, seed=seed, max_turns=None)
    states = np.arange(32, dtype=np.uint64) + np.uint64(1000 * seed)
    for _ in range(decisions):
        actions = np.empty(32, np.int64)
        kernels.pick_random(batch.games, batch.tables, states, actions, 0, 32)
        batch.step(actions)
    return batch.games[~batch.ended].copy()
