"""Weights that rulesets share: every name means one thing, and what is read off them is the network that is trained."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import load, save

from hansa_agents.networks import stem
from hansa_agents.networks.names import city_features, entries, other_actions, route_features
from hansa_env import HansaBatch, Ruleset, observation_blocks
from hansa_env.engine.action_space import num_actions
from hansa_training.begin import train
from hansa_training.curve import picture, read_curve
from hansa_training.errors import ModelError
from hansa_training.learner import Learner
from hansa_training.model_file import load_policy, load_shared, read_policy, shared_bytes
from hansa_training.networks import evaluate, new_policy, weights_of
from hansa_training.networks.shared import SharedWeights, carried_over, names_of
from hansa_training.networks.trained import SharedNetwork
from hansa_training.plan_file import make_plan
from hansa_training.result_file import read_result
from hansa_training.rulesets import name_of, ruleset_named
from hansa_training.sizes import BOARD, NETWORKS
from hansa_training.starting_weights import started_from
from tests.compare import all_rulesets
from tests.training.tiny import TINY, figures

SMALL = NETWORKS["board-small"]
SIZES = {name: size for name, size in SMALL.items() if name != "kind"}
SOME = [Ruleset(2, "first"), Ruleset(3), Ruleset(4, board="east"), Ruleset(5, board="britannia-4-5"),
        Ruleset(3, missions=True, favours=True), Ruleset(3, "bigbox", pile="promos")]  # fmt: skip


def test_every_entry_and_action_of_every_ruleset_has_a_name_of_its_own() -> None:
    for ruleset in all_rulesets():
        blocks = observation_blocks(ruleset)
        table, routes, cities = (entries(ruleset, kind) for kind in ("table", "routes", "cities"))
        assert len(table) == blocks["routes"].start
        assert (len(routes), len(cities)) == (blocks["routes"].columns, blocks["cities"].columns)
        lanes = sum(1 if route.ships == 0 else 2 for route in ruleset.board_data.routes)
        named = lanes * 2 + len(ruleset.board_data.routes) + len(ruleset.board_data.cities)
        assert len(other_actions(ruleset)) == num_actions(ruleset) - named
        for several in (table, routes, cities, other_actions(ruleset)):
            assert len({entry.shared for entry in several}) == len(several)
            assert all(entry.own in ("", f"{entry.shared} of {ruleset.players}") for entry in several)


def test_a_name_means_the_same_in_all_rulesets() -> None:
    """The posts of the seat after one's own, the marker +4 in reserve, the city's last office: found by the record."""
    for ruleset in SOME:
        batch = HansaBatch(16, ruleset, seed=3, autoreset=True)
        random = np.random.default_rng(3)
        for _ in range(150):
            batch.step(np.array([random.choice(np.flatnonzero(mask)) for mask in batch.action_mask]))
        seen, names = batch.observe(), [entry.shared for entry in entries(ruleset, "table")]
        seat = (batch.seat + 1) % ruleset.players
        supply = batch.games["supply"][np.arange(16), seat]
        for kind in (0, 1):
            assert (seen[:, names.index(f"supply {kind} +1")] == supply[:, kind]).all()
        decider = names.index("decider +0")
        assert (seen[:, decider] == 1).all()


@pytest.mark.parametrize("ruleset", SOME, ids=str)
def test_what_is_read_off_fits_the_network_and_gradients_go_back(ruleset: Ruleset) -> None:
    torch.manual_seed(1)
    shared = SharedWeights(names_of([Ruleset(3), ruleset]), SIZES)
    weights, own = shared.weights_for(ruleset), weights_of(new_policy(ruleset, SMALL))
    assert {name: one.shape for name, one in weights.items()} == {name: one.shape for name, one in own.items()}
    slopes = {name: torch.randn(one.shape) for name, one in own.items()}
    parameters = list(shared.parameters())
    found = shared.pull_back(ruleset, slopes, parameters)
    step = [torch.randn(p.shape) * 1e-2 for p in parameters]
    with torch.no_grad():
        before = {name: one.clone() for name, one in shared.weights_for(ruleset).items()}
        for p, move in zip(parameters, step):
            p.add_(move)
        after = shared.weights_for(ruleset)
        moved = sum(((after[name] - before[name]) * slopes[name]).sum() for name in slopes)
        expected = sum((gradient * move).sum() for gradient, move in zip(found, step))
    assert float(moved) == pytest.approx(float(expected), rel=1e-3)


def test_what_one_ruleset_learns_another_has_where_they_share_names() -> None:
    rulesets = [Ruleset(3), Ruleset(4, board="east")]
    network = SharedNetwork(rulesets, SMALL)
    before = {ruleset: {n: w.clone() for n, w in weights_of(network.policy(ruleset)).items()} for ruleset in rulesets}
    place = network.shared.place("routes", "vacant")
    with torch.no_grad():
        network.shared.route_in[:, place] += 1
        network.shared.route_own[network.shared.place("route features", f"{rulesets[1].board}: "
                                                      f"{rulesets[1].board_data.routes[2].id}")] += 1  # fmt: skip
    network.refresh()
    for ruleset in rulesets:
        column = [entry.shared for entry in entries(ruleset, "routes")].index("vacant")
        moved = weights_of(network.policy(ruleset))["features_extractor.route_in.weight"]
        changed = (moved != before[ruleset]["features_extractor.route_in.weight"]).any(0).nonzero().flatten().tolist()
        assert changed == [column]
        own = weights_of(network.policy(ruleset))["features_extractor.route_own"].view(len(ruleset.board_data.routes), -1)
        was = before[ruleset]["features_extractor.route_own"].view_as(own)
        assert (own != was).any(1).nonzero().flatten().tolist() == ([2] if ruleset.board == "east" else [])


def test_features_tell_routes_and_cities_of_a_board_apart() -> None:
    for ruleset in SOME:
        for features in (route_features(ruleset), city_features(ruleset)):
            common = [not name.startswith(f"{ruleset.board}: ") for name in features.names]
            assert len(np.unique(features.values, axis=0)) == len(features.values)
            assert len(np.unique(features.values[:, common], axis=0)) > len(features.values) / 3


def test_a_file_plays_rulesets_it_was_never_trained_on_and_begins_other_runs(tmp_path: Path) -> None:
    torch.manual_seed(1)
    network = SharedNetwork([Ruleset(3), Ruleset(4)], SMALL)
    file = tmp_path / "shared.safetensors"
    file.write_bytes(shared_bytes(network, network.kept()))
    for ruleset in (Ruleset(3), Ruleset(5, board="britannia-4-5")):
        policy, batch = load_policy(file, ruleset), HansaBatch(4, ruleset, seed=1)
        seen, legal = torch.from_numpy(batch.observe()), torch.from_numpy(batch.action_mask)
        scores, _ = evaluate(policy, seen, legal)
        assert (scores.argmax(1)[:, None] == legal.nonzero()[:, 1].view(4, -1)).any(1).all()
        if ruleset == Ruleset(3):
            given, kept = weights_of(network.policy(ruleset)), weights_of(policy)
            assert given.keys() == kept.keys() and all(torch.equal(given[name], kept[name]) for name in given)
            # Sums are rounded by where in memory the weights lie.
            assert torch.allclose(scores, evaluate(network.policy(ruleset), seen, legal)[0], rtol=0, atol=1e-7)
    other = SharedNetwork([Ruleset(4, board="east"), Ruleset(3)], SMALL)
    other.set(carried_over(load_shared(file).module(), other.shared))
    same, own = weights_of(network.policy(Ruleset(3))), weights_of(other.policy(Ruleset(3)))
    assert all(torch.allclose(same[name], own[name]) for name in same)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"observation_version": 1}, "another version of the observation"),
        ({"names": {}}, "with names of"),
        ({"network": {"kind": "mlp", "widths": [9]}}, "the network is"),
        ({"network": {**BOARD, "global": 8000}}, "has shape"),
        ({"network": {**BOARD, "global": 10**9}}, "expected whole numbers from 1 to 8192"),
        ({"surprise": 1}, "cannot be read as a model"),
    ],
)
def test_a_file_that_does_not_fit_itself_is_refused(change: dict, said: str) -> None:
    network = SharedNetwork([Ruleset(3)], SMALL)
    data = shared_bytes(network, network.kept())
    length = int.from_bytes(data[:8], "little")
    description = json.loads(json.loads(data[8 : 8 + length])["__metadata__"]["hansa"])
    with pytest.raises(ModelError, match=said):
        read_policy(save(load(data), {"hansa": json.dumps(description | change)}), "x", Ruleset(3))


@pytest.mark.parametrize(
    "name",
    ["3", "4/east", "2/pawn", "2/first", "2/first/neutral", "2/miniature-2", "5/britannia-4-5", "3/missions/favours",
     "4/bigbox/promos"],
)  # fmt: skip
def test_rulesets_have_short_names(name: str) -> None:
    """And the files of their networks the same words."""
    assert name_of(ruleset_named(name)) == name
    assert stem(ruleset_named(name)).split("-players") == [name[0], name[1:].replace("/", "-")]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"rulesets": "3 4/moon"}, "4/moon: 'moon' is not known; expected some of base-2-3"),
        ({"rulesets": "east"}, "east: begins with 'east'; expected the number of players"),
        ({"rulesets": "3 4 3", "shards": "3"}, "rulesets has 3 and 3, which are the same; expected each ruleset once"),
        ({"rulesets": "3 3/base-2-3"}, "rulesets has 3 and 3/base-2-3, which are the same"),
        ({"rulesets": "3 4 5"}, "shards is 2; expected a multiple of 3"),
        ({"rulesets": "3 4", "network": "mlp"}, "network is mlp; rulesets that share their weights need one of the kind board"),
        ({"rulesets": "3 4/east", "opponents": "nobody"}, "opponents: "),
    ],
)
def test_a_plan_for_several_rulesets_is_checked(options: dict[str, str], said: str) -> None:
    with pytest.raises(ValueError, match=said.replace("(", r"\(")):
        make_plan(options=options)


@pytest.mark.parametrize("start", ["ppo", "0.2", "1"])
def test_weights_that_rulesets_share_do_not_begin_as_those_that_come_with_the_project(start: str) -> None:
    with pytest.raises(ModelError, match=f"^{start}: comes with the project, in networks of one ruleset each; with --rulesets"):
        started_from(start, SharedNetwork([Ruleset(2), Ruleset(3)], SMALL))


@pytest.mark.slow
def test_a_run_over_several_rulesets_goes_on_where_it_stopped(tmp_path: Path) -> None:
    plan = TINY | {"rulesets": "3 2/miniature-2 4/east", "shards": "3", "envs": "9", "network": "board-small"}
    train(tmp_path / "whole", options=plan)
    train(tmp_path / "parts", options=plan | {"self_play": "90"})
    train(tmp_path / "parts", resume=True, options={"self_play": plan["self_play"]})
    whole, parts = figures(tmp_path / "whole"), figures(tmp_path / "parts")
    assert whole["curve.jsonl"].splitlines()[:2] == parts["curve.jsonl"].splitlines()[:2]
    point = json.loads(parts["curve.jsonl"].splitlines()[-1])
    assert {"greedy on 3", "greedy on 2/miniature-2", "greedy on 4/east", "greedy on 4/east among it"} <= set(point)
    final = read_result(tmp_path / "parts" / "result.json")["final"]
    assert {line["ruleset"] for line in final} == {"3", "2/miniature-2", "4/east"}
    assert picture(read_curve(tmp_path / "parts" / "curve.jsonl"), make_plan(options=plan)).startswith(b"\x89PNG")
    learner = Learner(make_plan(options=plan))
    learner.trained.set(load_shared(tmp_path / "parts").weights)
    assert {len(learner.trained.policy(ruleset).state_dict()) > 0 for ruleset in learner.plan.rulesets_played} == {True}
