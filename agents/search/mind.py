"""What searches with a network know and think with, as compiled code is given it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hansa_agents.scripted.agent import style_weights
from hansa_agents.search.compiled_network import Network
from hansa_env.engine.tables import tables_of
from hansa_env.ruleset import Ruleset


class Mind(NamedTuple):
    """The ruleset, a scripted player, and a network."""

    tables: np.ndarray  # (1,) record
    weights: np.ndarray  # (1,) record
    network: Network


def mind_of(ruleset: Ruleset, style: str, network: Network) -> Mind:
    """With the scripted player of a style. Raises AgentError where there is no such style."""
    return Mind(tables_of(ruleset), style_weights(style), network)
