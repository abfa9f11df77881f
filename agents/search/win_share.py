"""From the value of a network to the share of the win that its seat may expect: measured, since a value counts points too.

A network of this project foresees half a win and half a lead, at tables like those it learned at. Over games of the agents
that come with the project, each among copies of itself, the share of the win that followed a value is close to a logistic
curve, one for each number of players. `python -m hansa_training.win_share` plays such games, fits the curves and prints how
far they are off: among itself by 0.02 to 0.03 on the average, in the first round by more, where a network thinks too well of
the seat that begins; at mixed tables by 0.02 to 0.07.
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit

#: By players: where the curve stands at a value of 0, and how steep it is, in units of the logit.
CURVES = {2: (-0.35, 3.49), 3: (-0.77, 4.85), 4: (-0.84, 5.60), 5: (-1.15, 6.34)}


def win_share(values: np.ndarray, players: int) -> np.ndarray:
    """The share of the win, 0 to 1, float32, that seats may expect at values of their networks; NaN stays NaN."""
    at_zero, steepness = CURVES[players]
    return expit(at_zero + steepness * np.asarray(values, np.float64)).astype(np.float32)
