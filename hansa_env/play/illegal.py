"""Why an action is refused, in words."""

from __future__ import annotations

import numpy as np

from hansa_env.engine import state
from hansa_env.engine.action_space import num_actions
from hansa_env.engine.kernels import NO_ACTION
from hansa_env.engine.questions import question_name
from hansa_env.formats.notation import decision_text, legal_texts
from hansa_env.ruleset import Ruleset


def why_illegal(ruleset: Ruleset, game: np.void, given: int | str) -> str:
    """Of an action index, or of words, that are not legal in a game record: who was asked what, what was given, what was
    legal."""
    if game["asked"] == state.OVER:
        if isinstance(given, str):
            return f"the game is over; {given} was given, expected nothing"
        return f"the game is over; action {given} was given, expected {NO_ACTION} or a reset"
    if not isinstance(given, str):
        given = action_in_words(ruleset, game, given)
    legal = ", ".join(legal_texts(ruleset, game))
    return f"seat {game['seat']} was asked {question_name(int(game['asked']))!r} and gave {given}; legal: {legal}"


def action_in_words(ruleset: Ruleset, game: np.void, action: int) -> str:
    """An action index that was given at the question of a game record, with what it would mean."""
    actions = num_actions(ruleset)
    if not 0 <= action < actions:
        return f"{action}, outside 0..{actions - 1}"
    return f"{action} ({decision_text(ruleset, game, action)})"
