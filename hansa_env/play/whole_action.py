"""A whole action that somebody thinks out: decision by decision, until it is done or shows something that nobody can know."""

from __future__ import annotations

from collections.abc import Sequence

from hansa_env.formats.moves import Move, answers_of
from hansa_env.play.agents import Agent
from hansa_env.play.estimates import estimate_games, in_notation
from hansa_env.play.game import Game
from hansa_env.play.take_back import shows_more
from hansa_env.render.followed import with_what_followed
from hansa_env.render.words import action_as_order
from hansa_env.ruleset import Ruleset

#: Decisions of one action.
MOST = 12


class WholeAction:
    """An action that begins, or goes on, at a position.

    Args:
        game: at that position; it is played on.

    Attributes:
        seat: who decides it; None where the game is over.
        steps: the name of each question and the answer, also where only one was legal and nobody was asked.
        has_shown: whether a marker was seen by the last decision that nobody could know before.
    """

    def __init__(self, game: Game) -> None:
        self.game, self.steps, self.seat, self.has_shown = game, list[tuple[str, str]](), game.seat, False
        self._decided = 0

    @property
    def is_done(self) -> bool:
        """Whether another question begins something else: of another seat or the next action, or behind a marker just seen."""
        game, begun = self.game, bool(self._decided)
        return game.over or game.seat != self.seat or self.has_shown or self._decided == MOST or (begun and game.asked == "act")

    def go_on(self, text: str) -> None:
        """The next decision. Raises IllegalAction."""
        before, move = self.game.state.copy(), self.game.move(text)
        self.game.play(text)
        self.steps += answers_of(with_what_followed(self.game.ruleset, [move], [before, self.game.state]))
        self._decided += 1
        self.has_shown = shows_more(before, self.game.state)


def better_in_words(ruleset: Ruleset, moves: Sequence[Move], first: int, at: int, steps: Sequence[tuple[str, str]]) -> str:
    """An action as an order: as it was played from decision `first` on, and from decision `at` on other steps."""
    return action_as_order(ruleset, [*answers_of(moves[first:at]), *steps])


def thought_out(agent: Agent, game: Game, begun: str) -> list[tuple[str, str]]:
    """The steps of an action that begins with a decision and goes on as an agent likes best. Raises AgentFault."""
    whole = WholeAction(game)
    whole.go_on(begun)
    while not whole.is_done:
        estimate = estimate_games(agent, game.ruleset, game.games)
        if estimate is None:
            break
        whole.go_on(in_notation(game.ruleset, game.state, estimate, most=1)["likeliest"][0][0])
    return whole.steps
