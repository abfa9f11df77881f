"""Whom the first page offers to play against: agents that play the game that is wanted, whatever may be chosen there."""

from __future__ import annotations

import subprocess
import sys
from itertools import product

import numpy as np
import pytest

from hansa_agents import make_agent
from hansa_env import HansaBatch, Ruleset
from hansa_env.boards import board_names
from hansa_env.play.agents import ask_agents
from hansa_env.play.errors import AgentError
from hansa_env.ruleset import ANY_BOARD, EDITIONS, PROMOS, VARIANTS, RulesetError
from hansa_env.table import rivals
from hansa_env.table.rivals import TRAINED, UNTRAINED, WITH_TORCH, rivals_for
from tests.table.serving import Server


def every_ruleset() -> dict[str, Ruleset]:
    """All that can be chosen on the first page, by what they are called."""
    chosen = product(range(2, 6), EDITIONS, (None, *VARIANTS), (None, *board_names()), (False, True), (False, ANY_BOARD),
                     (None, PROMOS))  # fmt: skip
    found = {}
    for choice in chosen:
        try:
            ruleset = Ruleset(*choice)
        except RulesetError:
            continue
        found[str(ruleset)] = ruleset
    return found


def plays(spec: str, ruleset: Ruleset) -> bool:
    """Whether an agent can be made for a ruleset, which reads and checks its network."""
    try:
        make_agent(spec, ruleset)
    except (AgentError, ValueError):
        return False
    return True


def first_decision(spec: str, ruleset: Ruleset) -> None:
    """Let an agent take the first decision of a game; it is checked."""
    ask_agents([make_agent(spec, ruleset)], np.zeros(1, np.int64), ruleset, HansaBatch(1, ruleset, seed=5).games)


def test_trained_agents_are_offered_in_the_games_that_they_were_trained_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rivals, "find_spec", lambda name: None)
    rulesets = every_ruleset().values()
    offered = [rivals_for(ruleset) for ruleset in rulesets]
    assert {*offered} == {TRAINED, UNTRAINED}
    for spec in TRAINED:
        assert all(plays(spec, ruleset) for ruleset, names in zip(rulesets, offered) if names == TRAINED)


def test_without_torch_those_who_are_offered_answer_all_the_same() -> None:
    code = (
        "import sys; sys.modules['torch'] = None; from tests.table.test_rivals import Ruleset, first_decision, rivals\n"
        "for players in range(2, 6):\n for spec in rivals.TRAINED: first_decision(spec, Ruleset(players))\n"
        "try: first_decision('ppo', Ruleset(3))\nexcept Exception as error: print(error)"
    )
    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert "torch" in told, "who needs it says so"


def test_with_torch_too_all_who_are_offered_play() -> None:
    pytest.importorskip("sb3_contrib", reason="needs the extra 'train'")
    rulesets = every_ruleset().values()
    trained = [ruleset for ruleset in rulesets if rivals_for(ruleset) == WITH_TORCH]
    assert len(trained) >= 8 and {ruleset.players for ruleset in trained} == {2, 3, 4, 5}
    for ruleset in trained:
        assert all(plays(spec, ruleset) for spec in WITH_TORCH), ruleset


def test_where_nobody_is_trained_those_who_are_offered_answer() -> None:
    untrained = [ruleset for ruleset in every_ruleset().values() if rivals_for(ruleset) == UNTRAINED]
    assert len(untrained) > 100
    expanded = [Ruleset(3, board="east"), Ruleset(4, board="britannia-4-5"), Ruleset(3, missions=True, favours=True),
                Ruleset(3, "bigbox", pile="promos")]  # fmt: skip
    assert {rivals_for(ruleset) for ruleset in expanded} == {UNTRAINED}
    for ruleset in [*expanded, *untrained[:: len(untrained) // 12]]:
        for spec in ("rollout:screen_sims=1,top_k=1,final_sims=2", "greedy"):
            first_decision(spec, ruleset)


@pytest.mark.parametrize(("wanted", "expected"), [
    ({"players": 3}, WITH_TORCH), ({"players": 2, "two_players": "pawn"}, UNTRAINED),
    ({"players": 2, "edition": "first"}, UNTRAINED), ({"players": 3, "board": "base-4-5"}, UNTRAINED),
    ({"players": 5, "favours": True}, UNTRAINED), ({"players": 4, "board": "east"}, UNTRAINED),
])  # fmt: skip
def test_the_server_says_whom_to_play_against(server: Server, wanted: dict, expected: tuple[str, ...]) -> None:
    pytest.importorskip("sb3_contrib", reason="needs the extra 'train'")
    assert server.ask("/api/rivals", wanted).json() == {"rivals": list(expected)}


def test_a_game_that_cannot_be_has_no_rivals(server: Server) -> None:
    wrong = [{"players": 6}, {"players": 3, "two_players": "pawn"}, {"players": 3, "board": "moon"}, {"players": "3"}, {}]
    answers = [server.ask("/api/rivals", wanted) for wanted in wrong]
    assert [answer.status_code for answer in answers] == [400] * 5
    assert all(answer.json()["error"] for answer in answers)
    assert server.ask("/api/rivals", {"players": 3}, host=False).status_code == 403


def test_who_goes_on_with_a_game_is_asked_of_its_own_ruleset(server: Server) -> None:
    seats = [{"kind": "here"}, {"kind": "here"}]
    game = server.ask("/api/games", {"players": 2, "two_players": "pawn", "seats": seats}).json()["id"]
    assert server.ask(f"/api/games/{game}/links").json()["rivals"] == list(UNTRAINED)
