"""Illegal actions: why one is refused, in words, and what else may become of one that a learner gave."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

import numpy as np

from hansa_env.engine import kernels, state
from hansa_env.engine.action_space import num_actions
from hansa_env.engine.kernels import NO_ACTION
from hansa_env.engine.questions import question_name
from hansa_env.formats.notation import decision_text, legal_texts
from hansa_env.ruleset import Ruleset

#: What may become of an illegal action of a learner, and what it costs whoever gave it, where it does not raise.
ON_ILLEGAL, ILLEGAL_REWARD = ("raise", "terminate", "substitute"), -1.0
#: So many legal decisions are named, and so many characters of a text compared with them.
NAMED, COMPARED = 5, 100
#: What whoever writes or runs a learner may do about it.
USE_MASKS = (
    "the action mask says what is legal, and MaskablePPO asks for it; algorithms that do not, such as PPO, A2C and DQN, need "
    "the Gymnasium environment with illegal_action='substitute'"
)


def why_illegal(ruleset: Ruleset, game: np.void, given: int | str, like: object = None, whole: str = "") -> str:
    """Of an action index, or of words, that are not legal in a game record: who was asked what, what was given, some of what
    was legal, by `some_legal`."""
    if game["asked"] == state.OVER:
        over = "the game is over"
        if game["reason"] == state.TRUNCATED:
            over += f", cut off after {game['turns']} turns of all seats together"
        if isinstance(given, str):
            return f"{over}; {given} was given, expected nothing"
        return f"{over}; action {given} was given, expected {NO_ACTION} or a reset"
    if not isinstance(given, str):
        given = action_in_words(ruleset, game, given)
    question = question_name(int(game["asked"]))
    return f"seat {game['seat']} was asked {question!r} and gave {given}; legal: {some_legal(ruleset, game, like, whole)}"


def some_legal(ruleset: Ruleset, game: np.void, like: object = None, whole: str = "") -> str:
    """A few legal decisions of a game record, those that are nearest to a text, if any is; how many more there are, and where
    whoever reads this finds the whole list."""
    legal = legal_texts(ruleset, game)
    near = get_close_matches(like[:COMPARED], legal, NAMED) if isinstance(like, str) else []
    named = near or legal[:NAMED]
    more = f" and {len(legal) - len(named)} more" if len(legal) > len(named) else ""
    return ", ".join(named) + more + (f" in {whole}" if more and whole else "")


def action_in_words(ruleset: Ruleset, game: np.void, action: int) -> str:
    """An action index that was given at the question of a game record, with what it would mean."""
    actions = num_actions(ruleset)
    if not 0 <= action < actions:
        return f"{action}, outside 0..{actions - 1}"
    return f"{action} ({decision_text(ruleset, game, action)})"


def checked_illegal_action(given: Any) -> str:
    """What becomes of an illegal action. Raises ValueError naming what was given."""
    if not isinstance(given, str) or given not in ON_ILLEGAL:
        raise ValueError(f"illegal_action is {given!r:.60}; expected one of {', '.join(ON_ILLEGAL)}")
    return given


def drawn_legal(games: np.ndarray, tables: np.ndarray, hashes: np.ndarray) -> np.ndarray:
    """A legal action (N,) int64 of each game (N,), to be played instead of an illegal one: drawn from its own numbers, and from
    the hash of its position (N,)."""
    actions = np.empty(len(games), np.int64)
    kernels.pick_random(games, tables, hashes ^ games["noise"], actions, 0, len(games))
    return actions
