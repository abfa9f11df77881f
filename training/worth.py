"""What the end of a game is worth to a seat, which is what the value of a network foresees."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

LEAD_LIMIT = 6.0  # a lead counts for no more than so many times `lead_scale`


@dataclass(frozen=True)
class Worth:
    """win · (the zero-sum share of the win) + lead · (points ahead of the best other seat) / lead_scale."""

    win: float = 0.5
    lead: float = 0.5
    lead_scale: float = 20.0

    def of(self, rewards: np.ndarray, totals: np.ndarray) -> np.ndarray:
        """(N, P) float64 of games with their rewards by win and their points, both (N, P)."""
        points = totals.astype(np.float64)
        ahead = np.empty_like(points)
        for seat in range(points.shape[1]):
            ahead[:, seat] = points[:, seat] - np.delete(points, seat, 1).max(1)
        return self.win * rewards + self.lead * np.clip(ahead / self.lead_scale, -LEAD_LIMIT, LEAD_LIMIT)
