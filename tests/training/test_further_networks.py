"""Games of which several networks come with the project: `ppo` draws one of them for each seat of each game."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer import Typer
from typer.testing import CliRunner

from hansa_agents import make_agent, networks
from hansa_agents.mixture import MixtureAgent
from hansa_agents.networks import FOLDER, network_for, networks_for
from hansa_env import HansaBatch, Ruleset
from hansa_env.play.agents import ask_agents
from hansa_training import ship
from hansa_training.agent import PPOAgent
from hansa_training.errors import ModelError
from hansa_training.exploit_search import search_by, weights_of_spec

PAIR = Ruleset(2)
KEPT = (networks._networks, networks.network_for, networks.networks_for)


@pytest.fixture
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of networks with two for two players: today's, and that of version 0.2."""
    names = {"2-players.safetensors": "2-players.safetensors", "2-players.2.safetensors": "0.2-2-players.safetensors"}
    for name, source in names.items():
        shutil.copy(str(FOLDER / source), tmp_path / name)
    monkeypatch.setattr(networks, "FOLDER", tmp_path)
    for one in KEPT:
        one.cache_clear()
    yield tmp_path
    for one in KEPT:
        one.cache_clear()


def actions_of(spec: str, ruleset: Ruleset, games: np.ndarray) -> np.ndarray:
    return ask_agents([make_agent(spec, ruleset)], np.zeros(len(games), np.int64), ruleset, games)


def midgame(ruleset: Ruleset, games: int = 200) -> np.ndarray:
    batch, random = HansaBatch(games, ruleset, seed=8), np.random.default_rng(8)
    for _ in range(30):
        batch.step((random.random(batch.action_mask.shape) * batch.action_mask).argmax(1))
    return batch.games.copy()


def test_the_agent_draws_among_them_and_each_is_an_agent_alone(two: Path) -> None:
    agent = make_agent("ppo", PAIR)
    assert isinstance(agent, MixtureAgent) and len(agent.members) == 2
    games = midgame(PAIR)
    mixed, first, second = (actions_of(spec, PAIR, games) for spec in ("ppo", "ppo:1", "ppo:2"))
    assert ((mixed == first) | (mixed == second)).all()
    differ = first != second
    assert differ.sum() > 40 and 0.3 < (mixed == first)[differ].mean() < 0.7
    shutil.copy(two / "2-players.2.safetensors", two / "file.safetensors")
    assert (second == actions_of(f"ppo:{two}/file.safetensors", PAIR, games)).all()
    hashes = {make_agent(spec, PAIR).model_hash for spec in ("ppo", "ppo:1", "ppo:2")}
    assert len(hashes) == 3
    drawing = make_agent("ppo::sample", PAIR)
    assert isinstance(drawing, MixtureAgent)
    assert [isinstance(one, PPOAgent) and one.temperature for one in drawing.members] == [1, 1]
    with pytest.raises(ModelError, match=r"ppo:3: there are 2 networks for .*; expected 1 to 2"):
        make_agent("ppo:3", PAIR)


def test_a_game_without_networks_of_its_own_is_played_by_all_of_that_most_like_it(two: Path) -> None:
    other = Ruleset(2, missions=True)
    assert [one.name for one in networks_for(other)] == ["2-players.safetensors", "2-players.2.safetensors"]
    assert network_for(other).name == "2-players.safetensors", "searches think with the first"
    games = midgame(other, 60)
    mixed, first, second = (actions_of(spec, other, games) for spec in ("ppo", "ppo:1", "ppo:2"))
    assert ((mixed == first) | (mixed == second)).all() and (mixed != first).any() and (mixed != second).any()


def test_a_network_alone_is_no_mixture(two: Path) -> None:
    (two / "2-players.2.safetensors").unlink()
    assert isinstance(make_agent("ppo", PAIR), PPOAgent)
    games = midgame(PAIR, 20)
    assert (actions_of("ppo", PAIR, games) == actions_of("ppo:1", PAIR, games)).all()
    with pytest.raises(ModelError, match=r"ppo:2: there is 1 network for"):
        make_agent("ppo:2", PAIR)


def test_learning_begins_with_the_first_or_with_the_one_that_is_named() -> None:
    assert weights_of_spec("ppo") == "ppo" and weights_of_spec("ppo:2") == "2"


def test_the_search_for_a_best_response_knows_the_network_of_a_number(two: Path) -> None:
    """The tree does, and not the weaker search that serves networks of other kinds."""
    assert search_by("ppo:1", PAIR, 2) == search_by("ppo", PAIR, 2) == "tree:sims=2,others=policy"
    second = f"tree:sims=2,others=policy,model={two / '2-players.2.safetensors'},style=policy"
    assert search_by("ppo:2", PAIR, 2) == second


def test_shipping_measures_the_mixture_and_leaves_no_network_of_before(
    finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "networks"
    place.mkdir()
    monkeypatch.setattr(ship, "FOLDER", place)
    for number in (2, 3, 4):
        (place / f"3-players.{number}.safetensors").write_bytes(b"old")
    seen: list[Any] = []

    def measured(models: Any, *_: Any) -> dict[str, Any]:
        seen.append(type(ship.Models(models).agent(Ruleset(3))))
        return json.loads((finished / "result.json").read_text())

    monkeypatch.setattr(ship, "measured", measured)
    model = finished / "model.safetensors"
    ship.main(finished, beside=[model])
    assert sorted(path.name for path in place.iterdir()) == ["3-players.2.safetensors", "3-players.md", "3-players.safetensors"]
    assert (place / "3-players.2.safetensors").read_bytes() == model.read_bytes() and seen == [MixtureAgent]
    card = (place / "3-players.md").read_text()
    assert "2 networks `" in card and "It draws one of them for each seat of each game; `ppo:1` and `ppo:2` are each" in card


def test_what_cannot_be_shipped_is_told_in_one_line_before_it_is_measured(
    finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def measured(*_: Any) -> dict[str, Any]:
        raise AssertionError("measured")

    monkeypatch.setattr(ship, "measured", measured)
    run, command = tmp_path / "run", Typer()
    command.command()(ship.main)
    missing = CliRunner().invoke(command, [str(run)])
    assert missing.exit_code == 2 and missing.stderr == f"error: {run}/model.safetensors: No such file or directory\n"
    run.mkdir()
    shutil.copy(finished / "model.safetensors", run)
    result = json.loads((finished / "result.json").read_text())
    result["plan"] |= {"rulesets": "2 3", "shards": 2}
    (run / "result.json").write_text(json.dumps(result))
    several = CliRunner().invoke(command, [str(run), "--among", "greedy"])
    assert several.exit_code == 2 and several.stderr == f"error: {run} is of several rulesets (2 3); expected a run of one\n"
