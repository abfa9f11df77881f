"""What of the hidden mission cards (R11) a viewer sees: the one place that decides it, for positions, scenes and texts."""

from __future__ import annotations

import numpy as np

from hansa_env.boards.missions import MISSIONS
from hansa_env.engine import state
from hansa_env.engine.results import scores_of
from hansa_env.engine.rules.scoring import TOTAL, score_columns
from hansa_env.ruleset import Ruleset

#: Viewers beside the seats: whoever is asked, somebody who may see no card, somebody who may see all.
DECIDER, NOBODY, EVERYBODY = -1, -2, -3


def cards_seen(ruleset: Ruleset, game: np.void, viewer: int = DECIDER) -> list[list[str] | None]:
    """R11.1: by seat the three cities of its card, None where the viewer may not see it; all once the game is over.

    Args:
        ruleset: the game that is played, with missions.
        game: its record.
        viewer: a seat, DECIDER, NOBODY or EVERYBODY.
    """
    seat = int(game["seat"]) if viewer == DECIDER else viewer
    every = viewer == EVERYBODY or game["asked"] == state.OVER
    cards = game["missions"][: ruleset.players].tolist()
    return [list(MISSIONS[card]) if every or owner == seat else None for owner, card in enumerate(cards)]


def scores_seen(ruleset: Ruleset, games: np.ndarray, viewer: int = DECIDER) -> np.ndarray:
    """The scores (1, P, K) int16 of one game (1,) as the board stands, without the points of missions that are not seen."""
    scores = scores_of(ruleset, games)
    if ruleset.missions:
        column = score_columns(ruleset).index("mission")
        for seat, card in enumerate(cards_seen(ruleset, games[0], viewer)):
            if card is None:
                scores[0, seat, TOTAL] -= scores[0, seat, column]
                scores[0, seat, column] = 0
    return scores
