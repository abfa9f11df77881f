"""What the compiled network thinks is what the trained one does."""

from typing import NamedTuple

import numpy as np
import pytest
import torch

from hansa_agents.search.compiled_network import begin_with, encode, network_of, new_scratch
from hansa_agents.search.evaluation import evaluate
from hansa_agents.search.lookahead import LookaheadAgent
from hansa_agents.search.policy import likeliest, policy_logits
from hansa_env import HansaBatch, Ruleset, make_agent
from hansa_env.engine.compile import kernel
from hansa_env.engine.rules.scoring import TOTAL
from hansa_env.engine.state import OVER
from hansa_env.play.agents import observations_of
from hansa_training.agent import load_player
from hansa_training.end_worth import Worth
from hansa_training.networks import evaluate as evaluate_with_torch
from tests.agents.searches import positions

RULESETS = [
    *map(Ruleset, range(2, 6)), Ruleset(3, board="east"), Ruleset(4, board="britannia-4-5"),
    Ruleset(3, "bigbox", missions=True, favours=True, pile="promos"),
]  # fmt: skip

#: So many likeliest decisions of a game are asked for.
WIDE = 5


@kernel
def ask_network(games, tables, network, scratch, seats, avoided, values, logits, actions, shares, counts):
    """All that is asked of it, in one: each kernel compiles the network anew."""
    for i in range(games.size):
        values[i] = evaluate(games[i], tables[0], network, scratch, seats[i])
        if games[i]["asked"] != OVER:
            encode(games[i], tables[0], network, scratch, games[i]["seat"])
            policy_logits(games[i], tables[0], network, scratch)
            begin_with(logits[i], scratch.logits)
            counts[i] = likeliest(games[i], tables[0], network, scratch, avoided, actions[i], shares[i])


class Said(NamedTuple):
    """What the compiled network says of N games: their worth to a seat (N,), logits (N, A) of the seat that decides, and of its
    `WIDE` likeliest decisions the indices and shares (N, WIDE) and how many there are (N,)."""

    values: np.ndarray
    logits: np.ndarray
    actions: np.ndarray
    shares: np.ndarray
    counts: np.ndarray


def said(batch: HansaBatch, seats: np.ndarray, avoided: int = -1) -> Said:
    network, n = network_of(batch.ruleset), len(seats)
    found = Said(
        np.zeros(n), np.zeros(batch.action_mask.shape, np.float32),
        np.zeros((n, WIDE), np.int16), np.zeros((n, WIDE), np.float32), np.zeros(n, np.int64),
    )  # fmt: skip
    ask_network(batch.games, batch.tables, network, new_scratch(network), seats, avoided, *found)
    return found


def by_network(ruleset: Ruleset, games: np.ndarray) -> np.ndarray:
    return logits_and_values(ruleset, games)[1]


def logits_and_values(ruleset: Ruleset, games: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What the trained network says of games to the seats that decide, computed by torch."""
    with torch.no_grad():
        policy = load_player(None, ruleset)
        found = evaluate_with_torch(policy, torch.from_numpy(observations_of(ruleset, games)))
    return found[0].numpy(), found[1].numpy()


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", RULESETS, ids=str)
def test_a_position_is_worth_what_the_network_says(ruleset: Ruleset) -> None:
    batch = positions(ruleset, 100, 60 * ruleset.players)
    assert said(batch, batch.seat).values == pytest.approx(by_network(ruleset, batch.games), abs=0.005)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", RULESETS, ids=str)
def test_a_decision_is_as_likely_as_the_network_says(ruleset: Ruleset) -> None:
    batch = positions(ruleset, 100, 60 * ruleset.players)
    logits = said(batch, batch.seat).logits
    expected, mask = logits_and_values(ruleset, batch.games)[0], batch.action_mask
    assert (logits[~mask] == -np.inf).all()
    assert logits[mask] == pytest.approx(expected[mask], abs=0.1)
    assert np.abs(logits[mask] - expected[mask]).mean() < 0.01


def test_the_likeliest_decisions_come_first_with_their_shares_but_for_one_that_is_avoided() -> None:
    ruleset = Ruleset(3)
    batch = positions(ruleset, 100, 90)
    mask, avoided = batch.action_mask.copy(), int(batch.action_mask.sum(0).argmax())
    _, _, actions, shares, counts = said(batch, batch.seat, avoided)
    mask[:, avoided] = False
    expected = torch.from_numpy(np.where(mask, logits_and_values(ruleset, batch.games)[0], -np.inf)).softmax(1).numpy()
    assert (counts == np.minimum(mask.sum(1), WIDE)).all() and len(set(counts)) > 2
    for row in np.flatnonzero(counts):
        found, count = actions[row, : counts[row]], counts[row]
        assert shares[row, :count] == pytest.approx(np.sort(expected[row])[::-1][:count], abs=0.01)
        assert expected[row, found] == pytest.approx(shares[row, :count], abs=0.01)


@pytest.mark.parametrize("players", range(2, 6))
def test_the_end_of_a_game_is_worth_what_the_network_was_trained_for(players: int) -> None:
    batch = HansaBatch(30, Ruleset(players), seed=3)
    greedy = make_agent("greedy", batch.ruleset)
    while batch.action_mask.any():
        batch.step(greedy.act(batch.games, batch.action_mask, batch.seat))
    assert (batch.games["asked"] == OVER).all()
    shares = batch.winners() / batch.winners().sum(1, keepdims=True)
    expected = Worth().of((players * shares - 1) / (players - 1), batch.scores()[:, :, TOTAL])
    for seat in range(players):
        assert said(batch, np.full(30, seat, batch.seat.dtype)).values == pytest.approx(expected[:, seat], abs=1e-6)


def test_it_goes_for_the_position_that_is_worth_most_of_all_that_it_can_come_to() -> None:
    """Where one decision is left in a turn, the own or another's: the best once `greedy` has played on to the next own turn."""
    ruleset = Ruleset(3)
    batch, agent = positions(ruleset, 2000, 150), LookaheadAgent(ruleset, doubt=0)
    batch.games["pile"][batch.games["pile"] >= 0] = 0  # all alike, so that their order makes no difference
    compared = 0
    for row in np.flatnonzero((batch.games["turn"] != batch.seat) | (batch.games["actions_left"] == 0)):
        actions = np.flatnonzero(batch.action_mask[row])
        games = at_the_next_turn(ruleset, batch.games[row], actions)
        if games is not None:
            found = by_network(ruleset, games)
            chosen = agent.look_ahead(batch.games[[row]])[0][0]
            assert found[actions == chosen] > found.max() - 0.01
            compared += len(actions) > 1
    assert compared > 10


def at_the_next_turn(ruleset: Ruleset, root: np.ndarray, actions: np.ndarray) -> np.ndarray | None:
    """What each decision leads to; None where the seat is asked something more in this turn, or the game may end."""
    batch, greedy, seat = HansaBatch(len(actions), ruleset), make_agent("greedy", ruleset), root["seat"]
    batch.games[:] = root
    batch.step(actions)
    while True:
        asked, games = batch.seat == seat, batch.games
        if (asked & (games["turns"] == root["turns"])).any() or (games["asked"] == OVER).any():
            return None
        on = ~asked | (games["turn"] != seat)
        if not on.any():
            return games
        batch.step(np.where(on, greedy.act(games, batch.action_mask, batch.seat), -1))
