"""A network of one's own for the searches: read from its file without torch, played as it is, refused where it is broken."""

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load

from hansa_agents.networks import FOLDER
from hansa_agents.networks.carry import carried
from hansa_agents.networks.from_file import network_in, shapes_of
from hansa_agents.search.compiled_network import network_from, network_of
from hansa_agents.search.tree import TreeAgent
from hansa_env import Ruleset, make_agent
from hansa_env.play.errors import AgentError
from hansa_training.model_file import model_bytes, shared_bytes
from hansa_training.networks import new_policy, weights_of
from hansa_training.networks.trained import SharedNetwork
from hansa_training.sizes import ATTENTION, BOARD, NETWORKS
from tests.agents.searches import overflowing, positions
from tests.shares import one_in

RULESETS = [
    Ruleset(2), Ruleset(3), Ruleset(3, board="east"), Ruleset(4, board="britannia-4-5", favours="any-board"),
    Ruleset(5, "bigbox", missions=True, favours=True, pile="promos"),
]  # fmt: skip


def written(folder: Path, ruleset: Ruleset, network: dict[str, object] = BOARD) -> Path:
    path = folder / "model.safetensors"
    path.write_bytes(model_bytes(new_policy(ruleset, network), ruleset, network))
    return path


@pytest.mark.parametrize("ruleset", RULESETS, ids=str)
def test_the_shapes_are_those_of_the_network_that_learns(ruleset: Ruleset) -> None:
    network = BOARD | {"global": 9, "route": 7, "city": 5, "route_summary": 3, "city_summary": 2}
    assert shapes_of(ruleset, network) == {name: one.shape for name, one in weights_of(new_policy(ruleset, network)).items()}


@pytest.mark.parametrize("agent", one_in(2, ["lookahead:most=20,", "tree:sims=20,"]))
def test_a_search_thinks_with_the_network_of_a_file_or_of_a_run(agent: str, tmp_path: Path) -> None:
    ruleset = Ruleset(3)
    path, batch = written(tmp_path, ruleset, NETWORKS["board-large"]), positions(ruleset, 30, 90)
    asked = batch.games, batch.action_mask, batch.seat
    of_file, of_run, today = (make_agent(f"{agent}{given}", ruleset, 3) for given in (f"model={path}", f"model={tmp_path}", ""))
    expected = make_agent(agent.rstrip(","), ruleset, 3)
    expected._mind = expected._mind._replace(network=network_from(load(path.read_bytes()), ruleset))
    assert (of_file.act(*asked) == expected.act(*asked)).all()
    assert (of_run.act(*asked) == expected.act(*asked)).all()
    assert (of_file.act(*asked) != today.act(*asked)).any()
    assert of_file.model_hash == of_run.model_hash == expected.model_hash != today.model_hash


def test_the_network_plays_on_from_the_leaves_unless_it_is_of_an_earlier_version(tmp_path: Path) -> None:
    ruleset = Ruleset(2)
    assert TreeAgent(ruleset, model=str(written(tmp_path, ruleset))).settings.by_policy
    assert not TreeAgent(ruleset, network="0.2").settings.by_policy


def test_a_network_of_another_game_is_carried_over_by_names() -> None:
    three, east = Ruleset(3), Ruleset(4, board="east")
    path = Path(str(FOLDER)) / "3-players.safetensors"
    found, expected = network_in(path, east), carried(load(path.read_bytes()), three, east)
    assert found.ruleset == east and found.weights.keys() == expected.keys()
    assert all((found.weights[name] == expected[name]).all() for name in expected)


@pytest.mark.parametrize("logits", [-3e38, 3e38])
def test_a_network_whose_numbers_overflow_plays_legal_decisions(logits: float) -> None:
    """All decisions are then infinitely unlikely, or infinitely likely; and something is tried all the same."""
    ruleset = Ruleset(3)
    batch, agent = positions(ruleset, 20, 90), TreeAgent(ruleset, sims=3)
    agent.think_with(overflowing(network_of(ruleset), logits))
    several = batch.action_mask.sum(axis=1) > 1
    visits = agent.search(batch.games, batch.action_mask)[0]
    assert visits[several].any(axis=1).all() and not visits[~batch.action_mask].any()
    actions = agent.act(batch.games, batch.action_mask, batch.seat)
    assert batch.action_mask[np.arange(20), actions].all()


@pytest.mark.slow
def test_what_is_no_network_for_a_search_is_refused(tmp_path: Path) -> None:
    ruleset = Ruleset(3)
    shared = SharedNetwork((Ruleset(2), ruleset), {})
    (tmp_path / "shared.safetensors").write_bytes(shared_bytes(shared, shared.kept()))
    (tmp_path / "attention.safetensors").write_bytes(model_bytes(new_policy(ruleset, ATTENTION), ruleset, ATTENTION))
    (tmp_path / "run").mkdir()
    (tmp_path / "text").write_text("none")
    wrong = {
        "shared.safetensors": "expected 'hansa-model/1' with one of the kind board",
        "attention.safetensors": "expected 'hansa-model/1' with one of the kind board",
        "run": "a run has model.safetensors when it is done",
        "text": "cannot be read as a model",
        "none": r"cannot be read as a model \(No such file",
        "text,network=0.2": "network is '0.2' and model .*; expected one of them",
    }
    for name, said in wrong.items():
        with pytest.raises(AgentError, match=f"tree: .*{said}"):
            make_agent(f"tree:model={tmp_path / name}", ruleset)
