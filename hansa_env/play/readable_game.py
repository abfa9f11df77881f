"""`ReadableGame`: what a game record tells of a game, as people and plain Python read it."""

from __future__ import annotations

import numpy as np

from hansa_env.engine import state
from hansa_env.engine.action_space import num_actions
from hansa_env.engine.questions import question_name
from hansa_env.engine.results import masks_of, ranks_of, rule_that_ended, scores_of
from hansa_env.formats.errors import NotationError
from hansa_env.formats.notation import decision_text, legal_actions, legal_texts, parse_decision
from hansa_env.formats.position import position_of
from hansa_env.play.arguments import checked_action
from hansa_env.play.batch import HansaBatch
from hansa_env.ruleset import Ruleset


class ReadableGame:
    """A game as it stands: who is asked what, what is legal, what is seen and who is ahead. How it came there is `Game`'s.

    Attributes:
        ruleset: the game that is played.
    """

    def _hold(self, ruleset: Ruleset, games: np.ndarray) -> None:
        """Begin with a record (1,), which is the game's own from here on."""
        self.ruleset, self._games = ruleset, games
        self._made: HansaBatch | None = None

    @property
    def _batch(self) -> HansaBatch:
        """What plays the record; made when it is needed, since most games that agents are shown are only read."""
        if self._made is None:
            self._made = HansaBatch.holding(self.ruleset, self._games, None)
        return self._made

    @property
    def max_turns(self) -> int | None:
        """Turns per seat after which the game is cut off; None = never."""
        return int(self._games["turn_limit"][0]) // self.ruleset.players or None

    @property
    def state(self) -> np.void:
        """The game record, a view."""
        return self._games[0]

    @property
    def games(self) -> np.ndarray:
        """The game record as an array (1,), as a batch has them; a view."""
        return self._games

    @property
    def seat(self) -> int | None:
        """Who decides; None once the game is over."""
        return None if self.over else int(self.state["seat"])

    @property
    def turn(self) -> int | None:
        """Whose turn it is, which is not always who decides; None once the game is over."""
        return None if self.over else int(self.state["turn"])

    @property
    def current_player(self) -> int | None:
        """The same as `seat`, under the name that other environments give it."""
        return self.seat

    @property
    def asked(self) -> str:
        """The name of the question (`rulebook/notation.md`), "over" at the end."""
        return question_name(int(self.state["asked"]))

    @property
    def over(self) -> bool:
        """Whether the game has ended; nobody is asked then."""
        return bool(self.state["asked"] == state.OVER)

    @property
    def cut_off(self) -> bool:
        """Whether the turn limit ended the game; it was scored as the board stood."""
        return bool(self.state["reason"] == state.TRUNCATED)

    @property
    def reason(self) -> str | None:
        """Why the game is over: "prestige", "markers", "cities", "stalled"; None while it runs, and where it was `cut_off`."""
        return rule_that_ended(self.state)

    def legal(self) -> list[str]:
        """Every legal decision as text, sorted; empty once the game is over."""
        return legal_texts(self.ruleset, self.state)

    def legal_actions(self) -> list[int]:
        """The same as action indices, in order."""
        return legal_actions(self.state)

    def describe(self, action: int) -> str:
        """The decision an action index stands for at this question.

        Raises NotationError: it stands for none, or the game is over. ActionTypeError: it is no whole number.
        """
        action = checked_action(action, num_actions(self.ruleset))
        if self.over:
            raise NotationError(f"the game is over, and nothing is asked; action {action} stands for no decision")
        return decision_text(self.ruleset, self.state, action)

    def parse(self, text: str) -> int:
        """The action index of a decision text at this question. Raises `NotationError`."""
        return parse_decision(self.ruleset, self.state, text)

    def position(self) -> dict:
        """The position as JSON data (`hansa-position/2`)."""
        return position_of(self.ruleset, self.state)

    def observation(self, seat: int | None = None) -> np.ndarray:
        """The observation vector (D,) int8 of a seat, by default of who decides. Raises ValueError for no such seat."""
        return self._batch.observe(seats=seat)[0]

    def action_mask(self) -> np.ndarray:
        """The legal actions (A,) bool of who decides; all False once the game is over."""
        return masks_of(self.ruleset, self._games)[0]

    def scores(self) -> list[list[int]]:
        """Points as the board stands, by seat and by the columns that `hansa_env.engine.rules.scoring.score_columns` names."""
        return scores_of(self.ruleset, self._games)[0].tolist()

    def winners(self) -> list[int]:
        """Seats that win as the board stands (R7.9)."""
        ranks = ranks_of(self.ruleset, self._games, scores_of(self.ruleset, self._games))
        return np.flatnonzero(ranks[0] == 0).tolist()
