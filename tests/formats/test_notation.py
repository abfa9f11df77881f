"""Indices, texts and the fingerprint of the action space."""

import numpy as np
import pytest

from hansa_env import Game, IllegalAction, NotationError, Ruleset
from hansa_env.engine.action_space import action_things, fingerprint, num_actions
from tests.helpers import RULESETS, ruleset_id

#: A model or a record of indices is good for one action space. Whoever changes one gives the environment a new version.
FINGERPRINTS = {
    "2-first-pawn-base-2-3": "7025256e2eeb1425",
    "2-second-neutral-base-2-3": "7783271831c2f0ed",
    "2-fourth-pawn-base-2-3": "7025256e2eeb1425",
    "3-fourth-None-base-2-3": "6f632a2bc51cee8d",
    "4-first-None-base-4-5": "f0edf3e8f8d79dae",
    "5-second-None-base-4-5": "009e6d5270c05da1",
    "5-fourth-None-base-2-3": "4fcbe5cbb3855bf3",
    "3-fourth-None-east": "908dd6e0b854ee8d",
    "4-fourth-None-britannia-4-5": "7c78c1d6859e0038",
    "3-bigbox-None-east-promos": "e9c479054c89fa08",
    "3-first-None-base-2-3-missions-favours": "0628bffe7ead9259",
}


@pytest.mark.parametrize("ruleset", RULESETS, ids=ruleset_id)
def test_indices_keep_their_meaning(ruleset: Ruleset) -> None:
    assert fingerprint(ruleset)[:16] == FINGERPRINTS[ruleset_id(ruleset)]


def test_sizes_of_action_spaces() -> None:
    """34 routes in three roles, 27 cities, 5 incomes, 5 abilities, 4 spaces, 10 verbs, 10 pieces, 3 pairs."""
    assert num_actions(Ruleset(5)) == 3 * 34 + 27 + 5 + 5 + 4 + 10 + 10 + 3 == 166
    assert num_actions(Ruleset(2, "first")) == 3 * 32 + 27 + 5 + 5 + 4 + 11 + 4 + 3 + 16
    assert num_actions(Ruleset(4, board="britannia-4-5")) == 3 * 40 + 2 * 5 + 30 + 5 + 5 + 4 + 10 + 8 + 7
    assert num_actions(Ruleset(2, "second")) == 3 * 32 + 27 + 5 + 5 + 4 + 10 + 5 + 3


@pytest.mark.parametrize("ruleset", RULESETS, ids=ruleset_id)
def test_every_thing_is_named_once(ruleset: Ruleset) -> None:
    things = action_things(ruleset)
    assert len(things) == len(set(things)) == num_actions(ruleset)


@pytest.mark.parametrize("ruleset", RULESETS, ids=ruleset_id)
def test_describe_and_parse_are_inverse(ruleset: Ruleset) -> None:
    game = Game(ruleset, seed=2, max_turns=40)
    rng = np.random.default_rng(2)
    questions = set()
    while not game.over:
        questions.add(game.asked)
        actions = game.legal_actions()
        texts = [game.describe(action) for action in actions]
        assert [game.parse(text) for text in texts] == actions
        assert sorted(texts) == game.legal() and len(set(texts)) == len(texts)
        assert np.flatnonzero(game.action_mask()).tolist() == actions
        claims = [a for a, text in zip(actions, texts) if text.split()[0] in ("claim", "office", "displace")]
        game.play_action(int(rng.choice(claims or actions)))
    assert {"act", "put", "reward", "relocate"} <= questions


NO_DECISIONS = ("", "fly", "place trader nowhere/else", "9m", "2", "route stade/hamburg", "put trader stade/hamburg")


@pytest.mark.parametrize("text", NO_DECISIONS)
def test_a_text_that_is_no_decision_is_refused(text: str) -> None:
    game = Game(Ruleset(3), seed=1)
    with pytest.raises(NotationError, match="is no decision at the question 'act'"):
        game.parse(text)
    before = game.state.tobytes()
    with pytest.raises(IllegalAction, match=r"seat 0 was asked 'act' and gave .*legal: \w.* and \d\d more in game\.legal"):
        game.play(text)
    assert game.state.tobytes() == before and game.decisions == []
