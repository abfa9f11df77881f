"""Weights that go from one game to another: what both games name is thought of as before."""

import dataclasses

import numpy as np
import pytest
import torch

from hansa_agents.networks import network_for
from hansa_agents.networks.carry import carried, names_of
from hansa_agents.networks.names import entries, other_actions
from hansa_env import HansaBatch, Ruleset, make_agent, observation_blocks
from hansa_env.engine.action_space import num_actions
from hansa_training.agent import policy_of, shipped_policy
from hansa_training.networks import evaluate, new_policy, weights_of
from hansa_training.state import tensors
from tests.agents.searches import positions
from tests.compare import all_rulesets

WITH_MODULES = [
    Ruleset(3, missions=True), Ruleset(4, favours=True, missions=True), Ruleset(4, "bigbox", pile="promos"),
    Ruleset(5, "bigbox", missions=True, favours=True, pile="promos"), Ruleset(2, "second", pile="promos"),
]  # fmt: skip


def names_in_order(ruleset: Ruleset) -> list[str]:
    """What each entry of the observation is called; in the blocks of routes and cities with the row's number."""
    found = [entry.shared for entry in entries(ruleset, "table")]
    for block in ("routes", "cities"):
        rows = observation_blocks(ruleset)[block].rows
        found += [f"{entry.shared} of {block} {row}" for entry in entries(ruleset, block) for row in range(rows)]
    return found


PROMOS = Ruleset(3, "bigbox", pile="promos")


@pytest.mark.parametrize(
    ("base", "ruleset"),
    [*((Ruleset(one.players), one) for one in WITH_MODULES), (PROMOS, dataclasses.replace(PROMOS, favours=True))],
    ids=str,
)
def test_with_a_module_more_the_same_is_thought_of_what_was_known(base: Ruleset, ruleset: Ruleset) -> None:
    """What the smaller game has of an observation, seen by the network of that game, is worth the same there."""
    batch = positions(ruleset, 50, 60 * ruleset.players)
    seen = batch.observe()
    where = {name: place for place, name in enumerate(names_in_order(ruleset))}
    places = np.array([where.get(name, -1) for name in names_in_order(base)])
    of_base = np.where(places >= 0, seen[:, places], 0).astype(np.int8)
    given = network_for(base)
    policy = policy_of(ruleset, given.network, tensors(carried(given.weights, base, ruleset)))
    with torch.no_grad():
        logits, values = evaluate(policy, torch.from_numpy(seen))
        expected, of_it = evaluate(shipped_policy(base), torch.from_numpy(of_base))
    assert torch.allclose(values, of_it, atol=1e-4)
    named = num_actions(base) - len(other_actions(base))
    assert torch.allclose(logits[:, :named], expected[:, :named], atol=1e-4)
    there = [entry.shared for entry in other_actions(ruleset)]
    for action, entry in enumerate(other_actions(base)):
        if entry.shared in there:
            place = num_actions(ruleset) - len(there) + there.index(entry.shared)
            assert torch.allclose(logits[:, place], expected[:, named + action], atol=1e-4)


@pytest.mark.parametrize("ruleset", [*WITH_MODULES[:2], Ruleset(3, board="east"), Ruleset(5, board="britannia-4-5")], ids=str)
def test_what_is_carried_there_and_back_is_what_it_was(ruleset: Ruleset) -> None:
    """All of it where the other game knows every name, else what that one knows."""
    base = Ruleset(ruleset.players)
    given = network_for(base).weights
    back = carried(carried(given, base, ruleset), ruleset, base)
    assert given.keys() == back.keys()
    same = [name for name in given if np.allclose(given[name], back[name], rtol=1e-6)]
    if names_of(base) <= names_of(ruleset):
        assert same == list(given)
    else:
        other = {"city_in", "route_in", "route_own", "city_own", "context_in", "context_board", "others"}
        assert {name.split(".")[1] for name in given.keys() - set(same)} <= other


@pytest.mark.parametrize("ruleset", all_rulesets(), ids=str)
def test_weights_are_carried_to_every_game(ruleset: Ruleset) -> None:
    base = Ruleset(3 if ruleset.players > 4 else 5)  # also over numbers of players
    given = network_for(base)
    found, own = carried(given.weights, base, ruleset), weights_of(new_policy(ruleset, given.network))
    assert {name: one.shape for name, one in found.items()} == {name: tuple(one.shape) for name, one in own.items()}
    assert all(np.isfinite(one).all() for one in found.values())


@pytest.mark.parametrize("spec", ["ppo", "tree:sims=4", "lookahead:width=1,most=4", "search:sims=2"])
def test_no_agent_refuses_a_board(spec: str) -> None:
    boards = [Ruleset(3, board="east"), Ruleset(4, board="britannia-4-5"), Ruleset(2, two_players="pawn"), WITH_MODULES[3]]
    for ruleset in boards:
        batch, agent = HansaBatch(4, ruleset, seed=5), make_agent(spec, ruleset)
        seen = batch.games if agent.sees == "games" else batch.observe()
        actions = agent.act(seen, batch.action_mask, batch.seat)
        assert batch.action_mask[np.arange(4), actions].all()


def test_a_game_without_a_network_is_played_by_that_of_the_game_most_like_it() -> None:
    """The choices that won more of 300 games among two `greedy`: what is unknown is worse than what is not needed."""
    promos = "3-players-bigbox-promos.safetensors"
    modules = [Ruleset(3, missions=True), Ruleset(3, favours=True)]
    assert {network_for(ruleset).name for ruleset in modules} == {"3-players.safetensors"}
    others = [Ruleset(3, "bigbox"), Ruleset(3, pile="promos"), Ruleset(3, "bigbox", missions=True, favours=True, pile="promos")]
    assert {network_for(ruleset).name for ruleset in others} == {promos}
    bigbox = {players: Ruleset(players, "bigbox", pile="promos") for players in (4, 5)}
    bases = [Ruleset(3), Ruleset(4, favours=True), bigbox[4], bigbox[5], Ruleset(2)]
    found = [network_for(ruleset).name for ruleset in WITH_MODULES]
    assert found == [network_for(base).name for base in bases] and len(set(found)) == len(bases)
