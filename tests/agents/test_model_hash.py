"""What tells a user's agent from the one before: its file, and the weights that it plays by."""

from __future__ import annotations

import numpy as np
import pytest

from hansa_agents.arena import Faults, play_match
from hansa_agents.model_hash import model_hash_of
from hansa_env import Agent, Ruleset
from hansa_env.play.errors import AgentError

torch = pytest.importorskip("torch", reason="needs the extra 'train'")
RULESET = Ruleset(2)


class Weighing(Agent):
    """Plays by a network of one layer in the numbers that PyTorch alone has."""

    sees = "observations"

    def __init__(self, weight: float = 0.0) -> None:
        self.network = torch.nn.Linear(1, 2, dtype=torch.bfloat16)
        with torch.no_grad():
            self.network.weight.fill_(weight)
            self.network.bias.zero_()

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        return masks.argmax(axis=1)


class Late(Weighing):
    """Loads its network at its first question."""

    def __init__(self) -> None:
        pass

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        if not hasattr(self, "network"):
            super().__init__(0.5)
        return super().act(inputs, masks, seats)


class Drawing(Weighing):
    """Whose weights do not follow from its seed."""

    drawn = iter(range(1, 1000))

    def __init__(self) -> None:
        super().__init__(next(self.drawn))


def test_other_weights_are_another_model() -> None:
    hashes = [model_hash_of(Weighing(weight)) for weight in (0.5, 0.5, 1.5)]
    assert hashes[0] == hashes[1] != hashes[2] and len(hashes[0]) == 64
    agent = Weighing()
    before = model_hash_of(agent)
    agent.network.train().bias.data[1] = 1
    assert model_hash_of(agent) != before, "what was trained on is another too"


def test_an_agent_that_is_another_whenever_it_is_made_is_told_why() -> None:
    with pytest.raises(AgentError, match="has another model: its file was changed meanwhile, or its weights are drawn without"):
        play_match([f"{__name__}:Drawing", "random"], RULESET, 2, max_turns=1)


@pytest.mark.parametrize("on_fault", ["raise", "forfeit"])
def test_an_agent_that_is_given_may_load_its_weights_while_it_plays(on_fault: str) -> None:
    assert play_match([Late(), "random"], RULESET, 200, max_turns=1, faults=Faults(on_fault)).forfeited == ()
