"""What a scripted player of any weights decides, for tests of what it has a use for."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from hansa_agents import make_agent
from hansa_agents.scripted.agent import ScriptedAgent
from hansa_env import HansaBatch, Ruleset
from hansa_env.formats.notation import decision_text
from hansa_env.play.agents import Agent


def scripted_decisions(ruleset: Ruleset, weights: Mapping[str, float], games: int) -> list[tuple[int, str, np.void]]:
    """What a scripted player with other weights decides in games of three with two `greedy`: the question, the decision, the
    game before it."""
    found = []
    batch, seat = HansaBatch(games, ruleset, seed=1, max_turns=25), np.arange(games) % 3
    agents: list[Agent] = [ScriptedAgent(ruleset, weights), make_agent("greedy", ruleset)]
    while not batch.ended.all():
        before, own = batch.games.copy(), (batch.seat == seat) & batch.action_mask.any(1)
        mine, theirs = (agent.act(batch.games, batch.action_mask, batch.seat) for agent in agents)
        batch.step(np.where(batch.seat == seat, mine, theirs))
        for i in np.flatnonzero(own):
            found.append((int(before["asked"][i]), decision_text(ruleset, before[i], int(mine[i])), before[i]))
    return found
