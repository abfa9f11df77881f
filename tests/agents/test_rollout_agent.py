"""Policy improvement by playouts: what it must see, and what it must not."""

import numpy as np
import pytest

from hansa_agents import AgentError, make_agent
from hansa_agents.search.rollout import paired_gain, take_largest
from hansa_env import HansaBatch, Ruleset
from hansa_env.engine import kernels

SMALL = "rollout:few=1,best=2,many=4"


def positions(ruleset: Ruleset, count: int, decisions: int, seed: int = 1) -> HansaBatch:
    """Games some way in, played by `greedy` in part and at random in part."""
    batch, rng = HansaBatch(count, ruleset, seed=seed, autoreset=True), np.random.default_rng(seed)
    greedy = make_agent("greedy", ruleset)
    for _ in range(decisions):
        mask = batch.action_mask
        chosen = greedy.act(batch.games, mask, batch.seat)
        wild = (rng.random(mask.shape) * mask).argmax(1)
        batch.step(np.where(rng.random(count) < 0.2, wild, chosen))
    return batch


@pytest.mark.parametrize("ruleset", [Ruleset(2), Ruleset(3), Ruleset(5), Ruleset(3, board="east")], ids=str)
def test_its_choice_does_not_depend_on_the_hidden_markers_nor_on_the_batch(ruleset: Ruleset) -> None:
    batch, agent = positions(ruleset, 24, 90), make_agent(SMALL, ruleset, 3)
    chosen = agent.act(batch.games, batch.action_mask, batch.seat)
    assert batch.action_mask[np.arange(24), chosen].all()
    others = batch.games.copy()
    noise = others["noise"].copy()
    kernels.reshuffle_games(others, batch.tables, np.uint64(99), 0, 24)
    others["noise"] = noise
    assert (others["pile"] != batch.games["pile"]).any()
    assert (make_agent(SMALL, ruleset, 3).act(others, batch.action_mask, batch.seat) == chosen).all()
    rows = np.arange(0, 24, 5)
    assert (agent.act(batch.games[rows], batch.action_mask[rows], batch.seat[rows]) == chosen[rows]).all()
    assert (make_agent(SMALL, ruleset, 4).act(batch.games, batch.action_mask, batch.seat) != chosen).any()


def test_its_choices_win_more_of_the_games_that_are_nearly_over() -> None:
    """Where the scripted player, going on, wins by some decisions and loses by others, its own choice is the worse guide."""
    ruleset = Ruleset(3)
    greedy, agent = make_agent("greedy", ruleset), make_agent("rollout:few=4,best=3,many=8", ruleset)
    batch, rng = HansaBatch(256, ruleset, seed=2, autoreset=True), np.random.default_rng(2)
    by_greedy, by_playouts, found = 0, 0, 0
    while found < 40:
        mask, chosen = batch.action_mask, greedy.act(batch.games, batch.action_mask, batch.seat)
        for row in np.flatnonzero(batch.games["drawn"] == batch.tables[0]["pile_size"])[:1]:
            after = {action: wins_after(ruleset, batch, row, action, greedy) for action in np.flatnonzero(mask[row])}
            if len(set(after.values())) > 1:
                found += 1
                by_greedy += after[chosen[row]]
                by_playouts += after[agent.act(batch.games[[row]], mask[[row]], batch.seat[[row]])[0]]
        wild = (rng.random(mask.shape) * mask).argmax(1)
        batch.step(np.where(rng.random(256) < 0.2, wild, chosen))
    assert by_playouts == found > by_greedy


def wins_after(ruleset: Ruleset, batch: HansaBatch, row: int, action: int, agent) -> bool:
    """Whether the seat that decides wins by a decision, the agent playing on for everybody."""
    one, seat = HansaBatch(1, ruleset), batch.seat[row]
    one.games[:] = batch.games[row]
    one.step(np.array([action]))
    while not one.ended[0]:
        one.step(agent.act(one.games, one.action_mask, one.seat))
    return bool(one.winners()[0, seat])


def test_the_largest_are_taken_one_after_another() -> None:
    values = np.array([1.0, -10.0, 3.0, 2.0])
    assert [take_largest.py_func(values) for _ in range(5)] == [2, 3, 0, -1, -1]


def test_the_gain_is_that_of_pairs() -> None:
    worths = np.array([[1.0, 2.0, 3.0, 9.0], [2.0, 2.5, 4.5, 7.0]])
    mean, error = paired_gain.py_func(worths, 3)
    assert mean == pytest.approx(1.0) and error == pytest.approx(np.std([1.0, 0.5, 1.5], ddof=1) / np.sqrt(3))


def test_what_is_wrong_with_its_options_is_said() -> None:
    for spec, said in (("rollout:many=0", "many is 0; expected at least 1"), ("rollout:style=x", "unknown style 'x'")):
        with pytest.raises(AgentError, match=said):
            make_agent(spec, Ruleset(3))
