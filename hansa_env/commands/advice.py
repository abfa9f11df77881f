"""What agents would do in a game, for people who ask for a hint."""

from __future__ import annotations

import numpy as np

from hansa_env.engine import state
from hansa_env.play.agents import Agent
from hansa_env.play.errors import AgentFault
from hansa_env.play.estimates import estimate_games, in_notation
from hansa_env.play.game import Game
from hansa_env.play.registry import make_agent
from hansa_env.render.choices import choices_of
from hansa_env.render.thoughts import estimate_in_words
from hansa_env.ruleset import Ruleset


class Advice:
    """Agents that are asked for hints; each is made once."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self._advisers: dict[str, Agent] = {}

    def lines(self, game: Game, spec: str) -> list[str]:
        """What an agent would decide here, with the numbers of the decisions, and what it expects.

        Raises ValueError where there is no hint: no such agent, a failure, or an agent that does not tell what it thinks.
        """
        try:
            if spec not in self._advisers:
                self._advisers[spec] = make_agent(spec, self.ruleset)
            estimate = estimate_games(self._advisers[spec], self.ruleset, np.array([game.state], state.GAME))
        except (OSError, AgentFault) as error:
            raise ValueError(str(error)) from error
        if estimate is None:
            raise ValueError(f"{spec} does not tell what it thinks.")
        said = in_notation(self.ruleset, game.state, estimate)
        numbers = {choice.text: choice.number for choice in choices_of(self.ruleset, game.state)}
        lines = estimate_in_words(self.ruleset, game.asked, said)
        likeliest = [f"  {line}  ({numbers[text]})" for (text, *_), line in zip(said["likeliest"], lines)]
        return [f"{spec}:", *likeliest, *(f"  {line}" for line in lines[len(likeliest) :])]
