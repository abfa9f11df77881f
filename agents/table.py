"""One game among agents, at a table of its own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hansa_agents.protocol import Agent, AgentError
from hansa_agents.registry import make_agent
from hansa_env.game import Game
from hansa_env.ruleset import Ruleset


def choose(agent: Agent, game: Game) -> int:
    """The agent's action index for the seat that is asked in a game that is not over."""
    inputs = game.observation()[None] if agent.sees == "observations" else np.asarray(game.state).reshape(1)
    return int(agent.act(inputs, game.action_mask()[None], np.array([game.seat], np.int8))[0])


def play_game(specs: Sequence[str], ruleset: Ruleset, seed: int = 0, max_turns: int | None = 100) -> Game:
    """Play one game; its record names the agents.

    Args:
        specs: one agent per seat, or a single one for every seat.
        max_turns: turns per seat after which the game is cut off; None = never.

    Raises:
        AgentError: an agent does not exist, or there are not as many as seats.
    """
    if len(specs) not in (1, ruleset.players):
        raise AgentError(f"{len(specs)} agents for {ruleset.players} seats; expected one per seat, or one for all")
    seats = list(specs) * (ruleset.players if len(specs) == 1 else 1)
    agents = {spec: make_agent(spec, ruleset, seed) for spec in seats}
    game = Game(ruleset, seed, max_turns=max_turns)
    game.agents = seats
    while not game.over:
        game.play_action(choose(agents[seats[game.seat]], game))
    return game
