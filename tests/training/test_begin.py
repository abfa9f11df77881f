"""What a run begins with: weights of another run, and word of opponents that are slow."""

from pathlib import Path

import pytest
from safetensors.numpy import load

from hansa_agents.networks.carry import carried
from hansa_env import Ruleset
from hansa_training.begin import train
from hansa_training.errors import PlanError
from hansa_training.opponent_cost import warnings_of
from hansa_training.plan_file import make_plan
from tests.training.tiny import TINY


def test_a_run_may_begin_with_the_weights_of_another(finished: Path, tmp_path: Path) -> None:
    begun = TINY | {"start": str(finished), "self_play": "0"}
    del begun["warm_start"]
    train(tmp_path / "same", options=begun)
    assert (tmp_path / "same" / "model.safetensors").read_bytes() == (finished / "model.safetensors").read_bytes()
    on = train(tmp_path / "on", options=begun | {"self_play": "96", "start": f"ppo:{finished}/model.safetensors"})
    assert on["plan"]["warm_start"] == 0
    assert on["curve"][0]["greedy"] == train(tmp_path / "two", options=begun)["curve"][0]["greedy"]
    (tmp_path / "moved").mkdir()
    (finished / "model.safetensors").rename(tmp_path / "moved" / "model.safetensors")
    try:  # what a run began with need not be there when it goes on
        train(tmp_path / "on", resume=True, options={"self_play": "192"})
    finally:
        (tmp_path / "moved" / "model.safetensors").rename(finished / "model.safetensors")


def test_what_a_run_cannot_begin_with_is_refused_before_a_folder_is_made(finished: Path, tmp_path: Path) -> None:
    begun = {name: value for name, value in TINY.items() if name != "warm_start"}
    wrong = {
        "none.safetensors": {"start": str(tmp_path / "none.safetensors")},
        "is not a network of the kind": {"start": str(finished), "network": "board-small"},
        "expected one of them": {"start": str(finished), "warm_start": "64"},
    }
    for said, options in wrong.items():
        with pytest.raises(PlanError, match=said):
            train(tmp_path / "run", options=begun | options)
        assert not (tmp_path / "run").exists()


def test_a_run_may_begin_with_the_weights_of_another_game(finished: Path, tmp_path: Path) -> None:
    begun = {name: value for name, value in TINY.items() if name != "warm_start"} | {"self_play": "0"}
    train(tmp_path / "run", options=begun | {"start": str(finished), "players": "4", "board": "east"})
    east = Ruleset(4, board="east")
    given, found = (load((folder / "model.safetensors").read_bytes()) for folder in (finished, tmp_path / "run"))
    expected = carried(given, Ruleset(3), east)
    assert found.keys() == expected.keys() and all((found[name] == expected[name]).all() for name in found)


def test_what_a_slow_opponent_costs_is_said_before_the_run_begins() -> None:
    ticks = iter(range(100))
    plan = make_plan(options=TINY | {"opponents": "greedy random", "rivals": "greedy"})
    lines = list(warnings_of(plan, clock=lambda: next(ticks)))
    assert [line.split(" takes ")[0] for line in lines] == ["greedy", "random"]
    assert "250 ms a decision" in lines[0] and "makes 4 of its decisions a second" in lines[0]
    assert not list(warnings_of(plan, clock=lambda: 0.0))


def test_an_opponent_that_is_slow_with_few_games_only_is_not_called_slow() -> None:
    """Each answer takes 0.05 s, whether it is about 4 games or about 64."""
    plan, now = make_plan(options=TINY | {"opponents": "greedy", "rivals": ""}), [0.0]

    def clock() -> float:
        now[0] += 0.05
        return now[0]

    assert not list(warnings_of(plan, clock))
