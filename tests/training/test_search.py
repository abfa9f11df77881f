"""A trained network with a search over its decisions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch

from hansa_env import Game, HansaBatch, Ruleset, make_agent
from hansa_env.engine import state
from hansa_env.play.agents import ask_agents
from hansa_env.play.errors import AgentError, NoAnswer
from hansa_env.play.estimates import estimate_games
from hansa_env.play.weighing import with_only
from hansa_training.end_worth import Worth
from hansa_training.networks.drawing import NEVER, draw
from hansa_training.search import SearchAgent

PAIR = Ruleset(2)


def some_games(count: int = 6, decisions: int = 60) -> HansaBatch:
    """Games of two in the middle, played at random so that decisions are not all plain."""
    batch = HansaBatch(count, PAIR, seed=3)
    agent, who = make_agent("random", PAIR, 1), np.zeros(count, np.int64)
    for _ in range(decisions):
        batch.step(ask_agents([agent], who, PAIR, batch.games))
    return batch


def act(agent: SearchAgent, batch: HansaBatch, rows: slice = slice(None)) -> list[int]:
    return agent.act(batch.games[rows].copy(), batch.action_mask[rows], batch.seat[rows]).tolist()


def test_it_answers_alike_for_a_seed_and_decides_legally() -> None:
    batch = some_games()
    agent = SearchAgent(PAIR, 5, sims=12, top_k=4)
    first = act(agent, batch)
    assert first == act(SearchAgent(PAIR, 5, sims=12, top_k=4), batch)
    assert batch.action_mask[np.arange(6), first].all()


def test_its_choice_does_not_depend_on_the_batch() -> None:
    """Beside games with more to try, too."""
    batch, agent, parts = some_games(24), SearchAgent(PAIR, 5, sims=40), (slice(3, 4), slice(20, 24))
    assert len(set(batch.action_mask.sum(1).tolist())) > 5
    with torch.no_grad():
        whole = agent._search(batch.games, batch.action_mask)
        for rows in parts:
            part = agent._search(batch.games[rows], batch.action_mask[rows])
            assert (part.visits == whole.visits[rows]).all() and (part.choice == whole.choice[rows]).all()


def test_one_decision_or_a_sure_one_is_the_networks() -> None:
    batch = some_games()
    likeliest = make_agent("ppo", PAIR).act(batch.observe(), batch.action_mask, batch.seat).tolist()
    assert act(SearchAgent(PAIR, 1, top_k=1), batch) == likeliest
    assert act(SearchAgent(PAIR, 1, sure=0.0001), batch) == likeliest


def test_its_choice_does_not_depend_on_the_hidden_pile() -> None:
    batch = some_games()
    agent, who = SearchAgent(PAIR, 5, sims=12, top_k=4), np.zeros(6, np.int64)
    before = ask_agents([agent], who, PAIR, batch.games).tolist()
    games = batch.games.copy()
    for game in games:  # turn what nobody has seen round
        hidden = [i for i in range(state.PILE) if game["pile"][i] >= 0 and i >= game["drawn"]]
        game["pile"][hidden] = game["pile"][hidden[::-1]]
    assert (games["pile"] != batch.games["pile"]).any()
    assert ask_agents([agent], who, PAIR, games).tolist() == before


def test_it_finds_the_decision_with_the_better_outcomes() -> None:
    """With a network that thinks everything equally likely and whose value is what is counted here, the search takes what
    leads to it: the points of the own track at the next question."""
    batch = some_games(4)
    agent = SearchAgent(PAIR, 5, sims=64, top_k=64, sure=1.0, c_scale=1000.0)
    better = np.array([3, 1, 2, 0])  # among the legal ones, by place
    wanted = np.array([np.flatnonzero(batch.action_mask[row])[better[row] % 2] for row in range(4)])

    def outcomes(games: np.ndarray, actions: np.ndarray, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        row = np.array([int(np.flatnonzero(batch.games["noise"] == noise)[0]) for noise in games["noise"]])
        return (actions == wanted[row]).astype(float), np.full(len(actions), np.nan)

    agent._play = outcomes
    assert act(agent, batch) == wanted.tolist()


def test_actions_are_drawn_as_likely_as_the_policy_says() -> None:
    logits = torch.log(torch.tensor([[0.5, 0.0, 0.3, 0.2]])).expand(40_000, 4)
    words = np.random.default_rng(0).integers(2**64, size=40_000, dtype=np.uint64)
    actions, log_probs = draw(logits, words)
    assert np.bincount(actions, minlength=4) / 40_000 == pytest.approx([0.5, 0.0, 0.3, 0.2], abs=0.01)
    assert np.exp(log_probs) == pytest.approx(np.array([0.5, 0.0, 0.3, 0.2])[actions], abs=1e-6)


def test_what_is_masked_is_never_drawn_and_every_word_draws_something() -> None:
    logits = torch.full((4, 5), NEVER)
    logits[:, 3] = 30.0
    logits[2:, 1] = 30.0
    words = np.array([0, 2**64 - 1, 0, 2**64 - 1], np.uint64)
    actions, log_probs = draw(logits, words)
    assert actions.tolist() == [3, 3, 1, 3]
    assert log_probs == pytest.approx([0, 0, np.log(0.5), np.log(0.5)], abs=1e-6)


@pytest.mark.parametrize("row", [
    [np.nan, NEVER, np.nan], [0.0, NEVER, np.nan], [np.inf, NEVER, 0.0], [-np.inf, NEVER, -np.inf], [-1e30, NEVER, NEVER],
])  # fmt: skip
def test_out_of_what_is_no_number_nothing_is_drawn(row: list[float]) -> None:
    logits = torch.tensor([[0.0, NEVER, 0.0], row])
    with pytest.raises(NoAnswer, match="has a network whose output is no number"):
        draw(logits, np.zeros(2, np.uint64))


def test_a_row_without_a_legal_action_draws_one_all_the_same() -> None:
    assert draw(torch.full((2, 3), NEVER), np.array([0, 2**64 - 1], np.uint64))[0].tolist() == [0, 2]


def test_what_a_game_is_worth() -> None:
    rewards, totals = np.array([[1.0, -0.5, -0.5]]), np.array([[40, 30, 10]])
    assert Worth(0.5, 0.5, 20.0).of(rewards, totals).tolist() == [[0.75, -0.5, -1.0]]
    assert Worth(0.0, 0.5, 20.0, own_points=0.5).of(rewards, totals).tolist() == [[1.25, 0.5, -0.5]]
    assert Worth(0.0, 1.0, 1.0).of(rewards, totals).tolist() == [[6.0, -6.0, -6.0]], "a lead counts up to a limit"


def test_it_values_what_is_sure_and_what_is_all_that_is_legal() -> None:
    """So that what somebody played can be judged, however sure the network is of something else."""
    batch = some_games(24)
    agent, rows = SearchAgent(PAIR, 1, sims=12, sure=0.0001), np.flatnonzero(batch.action_mask.sum(1) > 1)
    sure = agent.estimate(batch.games.take(rows), batch.action_mask[rows], batch.seat[rows])
    choice = sure.shares.argmax(1)
    assert (np.isfinite(sure.decision_values).sum(1) == 1).all()
    assert sure.decision_values[np.arange(len(rows)), choice] == pytest.approx(sure.values)
    last = [int(np.flatnonzero(mask)[-1]) for mask in batch.action_mask[rows]]
    games = batch.games.take(rows)
    for row, action in enumerate(last):
        games[row] = with_only(PAIR, games[row], Game.from_state(PAIR, games[row]).describe(action))
    alone = estimate_games(agent, PAIR, games)
    after = alone.decision_values[np.arange(len(rows)), last]
    assert len(rows) > 10 and ((after >= 0) & (after <= 1)).all()
    other = np.array(last) != choice
    assert (after < sure.values)[other].mean() > 0.5, "mostly the network's own choice is the better one"


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(AgentError, match="search: sims is 0; expected a whole number from 1 to 200,000"):
        make_agent("search:sims=0", PAIR)


@pytest.mark.parametrize("value", [math.nan, math.inf, -1, 10**9 + 1, True, "2"])
@pytest.mark.parametrize(("name", "kind"), [
    ("sims", "whole number from 1 to 200,000"), ("top_k", "whole number from 1 to 200,000"), ("sure", "number from 0 to 1"),
    ("c_scale", "number from 0 to 1,000,000,000"),
])  # fmt: skip
def test_numbers_that_options_cannot_be_are_refused(name: str, kind: str, value: Any) -> None:
    with pytest.raises(AgentError, match=f"search: {name} is .*; expected a {kind}"):
        SearchAgent(PAIR, **{name: value})


def test_what_is_counted_is_whole() -> None:
    for name in ("sims", "top_k"):
        with pytest.raises(AgentError, match=f"search: {name} is 2.5; expected a whole number"):
            SearchAgent(PAIR, **{name: 2.5})
