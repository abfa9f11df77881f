"""Whom the first page offers to play against: agents that play the game that is wanted, whatever may be chosen there."""

from __future__ import annotations

import subprocess
import sys
from itertools import product

import numpy as np
import pytest

from hansa_agents import make_agent
from hansa_agents.networks import _networks
from hansa_env import HansaBatch, Ruleset
from hansa_env.boards import board_names
from hansa_env.play import rivals
from hansa_env.play.agents import ask_agents
from hansa_env.play.registry import can_be_made
from hansa_env.play.rivals import rivals_for
from hansa_env.ruleset import ANY_BOARD, EDITIONS, PROMOS, VARIANTS, RulesetError
from hansa_env.table.levels import levels_for
from tests.table.serving import Server

#: Who is offered where torch is installed, where it is not, and where there is no network.
WITH_TORCH, TRAINED, UNTRAINED = ("tree", "search"), ("tree", "lookahead"), ("rollout", "greedy")
MINIATURES = Ruleset(2, board="miniature-2"), Ruleset(3, board="miniature-3")


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


def first_decision(spec: str, ruleset: Ruleset) -> None:
    """Let an agent take the first decision of a game; it is checked."""
    ask_agents([make_agent(spec, ruleset)], np.zeros(1, np.int64), ruleset, HansaBatch(1, ruleset, seed=5).games)


def without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rivals, "find_spec", lambda name: None)


def test_trained_agents_are_offered_wherever_a_network_ships(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also in games that the network of another plays."""
    without_torch(monkeypatch)
    own = [shipped.ruleset for players in range(2, 6) for shipped in _networks("", players)]
    assert len(own) >= 15 and {rivals_for(ruleset) for ruleset in own} == {TRAINED}
    carried = [Ruleset(2, "first", "neutral"), Ruleset(4, board="base-2-3"), Ruleset(4, favours=True),
               Ruleset(5, board="east", favours=ANY_BOARD)]  # fmt: skip
    assert {rivals_for(ruleset) for ruleset in carried} == {TRAINED}
    for ruleset in (*own, *carried):
        assert [level["agent"] for level in levels_for(ruleset)] == ["random", "scripted:link", "greedy", "lookahead", "tree"]


def test_trained_agents_are_not_offered_where_they_have_no_network_or_a_weak_one() -> None:
    for ruleset in (*MINIATURES, Ruleset(2, board="base-4-5"), Ruleset(3, "bigbox", board="base-4-5", missions=True)):
        assert rivals_for(ruleset) == UNTRAINED
        assert [level["agent"] for level in levels_for(ruleset)] == ["random", "scripted:link", "greedy"]


@pytest.mark.parametrize("torch", [True, False])
def test_what_is_offered_can_be_made(monkeypatch: pytest.MonkeyPatch, torch: bool) -> None:
    if torch:
        pytest.importorskip("sb3_contrib", reason="needs the extra 'train'")
    else:
        without_torch(monkeypatch)
    rulesets = [*list(every_ruleset().values())[::12], *MINIATURES]
    for ruleset in rulesets:
        offered = [*rivals_for(ruleset), *(level["agent"] for level in levels_for(ruleset))]
        assert all(can_be_made(spec, ruleset) for spec in offered), ruleset
        assert torch or not {"ppo", "search"} & {*offered}


def test_the_server_asks_for_agents_without_loading_torch() -> None:
    code = (
        "import sys; from hansa_env import Ruleset; from hansa_env.table.levels import levels_for; "
        "from hansa_env.play.rivals import rivals_for; from hansa_env.table.seats import AgentMenu\n"
        "menu = AgentMenu(['search:sims=50', 'ppo:0.2', 'tests.play.bots:First'])\n"
        "levels_for(Ruleset(3)), rivals_for(Ruleset(4, board='east'))\n"
        "assert menu.judges() == ['tree', 'search:sims=50', 'search', 'rollout']\n"
        "assert not {'torch', 'tests.play.bots'} & {*sys.modules}"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.slow
def test_without_torch_those_who_are_offered_answer_all_the_same() -> None:
    code = (
        "import sys; sys.modules['torch'] = None; from tests.table.test_rivals import Ruleset, first_decision, TRAINED\n"
        "for players in range(2, 6):\n for spec in TRAINED: first_decision(spec, Ruleset(players))\n"
        "try: first_decision('ppo', Ruleset(3))\nexcept Exception as error: print(error)"
    )
    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert "torch" in told, "who needs it says so"


def test_where_nobody_is_trained_those_who_are_offered_answer() -> None:
    for ruleset in (*MINIATURES, Ruleset(3, board="east"), Ruleset(3, "bigbox", pile="promos")):
        for spec in ("rollout:screen_sims=1,top_k=1,final_sims=2", "greedy"):
            first_decision(spec, ruleset)


@pytest.mark.parametrize(("wanted", "expected"), [
    ({"players": 3}, WITH_TORCH), ({"players": 2, "two_players": "pawn"}, WITH_TORCH),
    ({"players": 4, "board": "east"}, WITH_TORCH), ({"players": 3, "board": "base-4-5"}, UNTRAINED),
    ({"players": 2, "board": "miniature-2"}, UNTRAINED),
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
    game = server.ask("/api/games", {"players": 2, "board": "miniature-2", "seats": seats}).json()["id"]
    assert server.ask(f"/api/games/{game}/links").json()["rivals"] == list(UNTRAINED)
