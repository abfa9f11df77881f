"""Whom a table offers to play against where nobody says otherwise."""

import subprocess
import sys

import numpy as np
import pytest

from hansa_env import Game, Ruleset, make_agent
from hansa_env.engine.state import GAME
from hansa_env.play.agents import ask_agents
from hansa_env.table.pages import ON_EXPANDED, WITHOUT_TORCH


def ask(spec: str, ruleset: Ruleset) -> None:
    """Let an agent take the first decision of a game; it is checked."""
    ask_agents([make_agent(spec, ruleset)], np.zeros(1, np.int64), ruleset, np.array([Game(ruleset, seed=1).state], GAME))


def test_without_torch_there_are_rivals_for_every_number_of_players() -> None:
    code = (
        "import sys; sys.modules['torch'] = None; from tests.table.test_rivals import Ruleset, ask\n"
        f"for players in range(2, 6):\n for spec in {WITHOUT_TORCH}: ask(spec, Ruleset(players))\n"
        "try: ask('ppo', Ruleset(3))\nexcept Exception as error: print(error)"
    )
    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert "torch" in told, "who needs it says so"


@pytest.mark.parametrize("spec", ON_EXPANDED)
def test_some_play_the_expansions(spec: str) -> None:
    for ruleset in (Ruleset(3, board="east"), Ruleset(4, board="britannia-4-5"), Ruleset(3, missions=True, favours=True),
                    Ruleset(3, "bigbox", pile="promos")):  # fmt: skip
        ask(spec, ruleset)
