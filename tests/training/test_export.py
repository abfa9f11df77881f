"""Networks as ONNX: the same answers as torch in batches of any size, and nothing but a network is loaded."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import resources
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("onnxscript", reason="needs the extra 'onnx'")
pytest.importorskip("onnxruntime", reason="needs the extra 'onnx'")
pytest.importorskip("sb3_contrib", reason="needs the extra 'train'")

import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper
from typer.testing import CliRunner

from hansa_agents.arena import play_match
from hansa_agents.command_options import how_to_let_play
from hansa_agents.exported import agent as agent_module
from hansa_agents.exported import trial
from hansa_agents.exported.agent import MOST_AT_ONCE, OnnxAgent
from hansa_agents.exported.description import KEY, describe
from hansa_agents.exported.graph import check_graph
from hansa_agents.exported.trial import Trials
from hansa_env import AgentError, HansaBatch, Ruleset, make_agent
from hansa_env.commands.cli import app
from hansa_env.play.agents import ask_agents
from hansa_env.play.errors import AgentFault
from hansa_env.play.estimates import estimate_games
from hansa_training.agent import PPOAgent, load_player
from hansa_training.export import onnx_bytes
from hansa_training.networks import NEVER, evaluate, new_policy
from hansa_training.sizes import NETWORKS

THREE = Ruleset(3)


def positions(ruleset: Ruleset, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Observations, masks and seats of games under way."""
    batch = under_way(ruleset, count)
    return batch.observe(), batch.action_mask, batch.seat


def under_way(ruleset: Ruleset, count: int) -> HansaBatch:
    """Games, each somewhere else."""
    batch, rng = HansaBatch(count, ruleset, seed=5), np.random.default_rng(5)
    for _ in range(60):
        batch.step((rng.random(batch.action_mask.shape) * batch.action_mask).argmax(1))
    return batch


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The trained agent for three players, by the command."""
    path = tmp_path_factory.mktemp("onnx") / "three.onnx"
    run = CliRunner().invoke(app, ["export", "ppo", "--players", "3", "--onnx", str(path)])
    assert run.exit_code == 0 and f"hansa arena onnx:{path}" in run.stdout, run.output
    return path


@pytest.mark.parametrize(
    "model, named, played",
    [("FILE", [], Ruleset(5)), ("FILE", ["--players", "4"], Ruleset(4)), ("FILE", ["--missions"], Ruleset(missions=True)),
     ("ppo", [], Ruleset())],
)  # fmt: skip
def test_a_model_is_exported_for_its_own_game_unless_another_is_named(
    model: str, named: list[str], played: Ruleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Ruleset] = []
    monkeypatch.setattr("hansa_training.export.export", lambda model, ruleset, file: asked.append(ruleset) or 1)
    five = str(resources.files("hansa_agents.networks") / "5-players.safetensors")
    run = CliRunner().invoke(app, ["export", model.replace("FILE", five), *named, "--onnx", str(tmp_path / "it.onnx")])
    assert run.exit_code == 0, run.output
    assert asked == [played] and how_to_let_play("onnx:", played).partition("--")[2] in run.stdout


@pytest.mark.parametrize("count", [1, 7, 64])
def test_logits_policy_and_value_are_those_of_torch_in_batches_of_any_size(file: Path, count: int) -> None:
    observations, masks, _ = positions(THREE, count)
    session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
    logits, policy, value = session.run(None, {"observations": observations, "masks": masks})
    with torch.no_grad():
        wanted, foreseen = evaluate(load_player(None, THREE), torch.from_numpy(observations), torch.from_numpy(masks))
    assert logits.shape == masks.shape and value.shape == (count,)
    np.testing.assert_allclose(logits, wanted.numpy(), atol=1e-4, rtol=1e-4)
    np.testing.assert_allclose(policy, wanted.softmax(1).numpy(), atol=1e-4)
    np.testing.assert_allclose(value, foreseen.numpy(), atol=1e-4)
    assert (logits[~masks] == np.float32(NEVER)).all() and not policy[~masks].any()


@pytest.mark.parametrize(("network", "ruleset"), [
    pytest.param("attention", THREE, marks=pytest.mark.slow), ("mlp", Ruleset(2)),
    pytest.param("board", Ruleset(4, board="britannia-4-5"), marks=pytest.mark.slow),
], ids=["attention", "mlp", "britannia"])  # fmt: skip
def test_every_kind_of_network_is_exported(network: str, ruleset: Ruleset) -> None:
    torch.manual_seed(1)
    policy = new_policy(ruleset, NETWORKS[network])
    policy.set_training_mode(False)
    agent = OnnxAgent(ruleset, onnx_bytes(policy, ruleset), "it")
    games = under_way(ruleset, 9).games
    ours, theirs = (estimate_games(one, ruleset, games) for one in (agent, PPOAgent(ruleset, policy, temperature=0)))
    assert ours is not None and theirs is not None
    np.testing.assert_allclose(ours.shares, theirs.shares, atol=1e-4)
    np.testing.assert_allclose(ours.seat_values, theirs.seat_values, atol=1e-3)


def test_it_plays_the_games_of_the_network(file: Path) -> None:
    ours, theirs = (play_match([f"it={spec}", "greedy", "greedy"], THREE, 12, seed=4) for spec in (f"onnx:{file}", "ppo:1"))
    assert [result.scores.tolist() for result in ours.results] == [result.scores.tolist() for result in theirs.results]
    assert ours.results[0].models[ours.results[0].agents.index("it")] == make_agent(f"onnx:{file}", THREE).model_hash


def test_what_it_draws_follows_from_its_seed_and_the_game(file: Path) -> None:
    batch, choose = HansaBatch(64, THREE, seed=8), np.random.default_rng(3)
    for _ in range(30):  # to positions that its policy does not know, and so is not sure of
        batch.step((choose.random(batch.action_mask.shape) * batch.action_mask).argmax(1))
    games, masks, seats = batch.games.copy(), batch.action_mask.copy(), batch.seat.copy()
    one, *others = (make_agent(f"onnx:{file}:sample", THREE, seed) for seed in range(1, 4))
    drawn = one.act(games, masks, seats)
    assert (drawn == one.act(games, masks, seats)).all()
    assert any((drawn != other.act(games, masks, seats)).any() for other in others)
    assert (one.act(games[10:20], masks[10:20], seats[10:20]) == drawn[10:20]).all()
    assert (drawn == make_agent("ppo:1:sample", THREE, 1).act(games, masks, seats)).mean() > 0.98
    cool, theirs = (make_agent(f"{it}:temperature=0.3", THREE, 1) for it in (f"onnx:{file}", "ppo:1"))
    masks[5] = False
    cooler = cool.act(games, masks, seats)
    assert (cooler == theirs.act(games, masks, seats)).mean() > 0.98 and cooler[5] == -1
    likeliest = make_agent(f"onnx:{file}", THREE).act(batch.observe(), batch.action_mask, seats)
    assert (cooler == likeliest)[masks.any(1)].mean() > (drawn == likeliest)[masks.any(1)].mean()


def test_an_estimate_tells_the_policy_at_the_temperature_at_which_the_agent_draws(file: Path) -> None:
    games = under_way(THREE, 9).games
    for spec in (f"onnx:{file}", "ppo:1"):
        plain, likeliest, cooler, hottest = (
            estimate_games(make_agent(f"{spec}{words}", THREE), THREE, games)
            for words in (":sample", "", ":temperature=0.5", ":temperature=100")
        )
        assert plain is not None and likeliest is not None and cooler is not None and hottest is not None
        np.testing.assert_array_equal(plain.shares, likeliest.shares)
        squares = plain.shares.astype(np.float64) ** 2
        np.testing.assert_allclose(cooler.shares, squares / squares.sum(1, keepdims=True), atol=1e-4)
        assert ((hottest.shares > 0).sum(1) > 1).all() and hottest.shares.max() < 0.7


def test_it_needs_no_torch(file: Path, tmp_path: Path) -> None:
    """Nothing of torch can be imported in the process that plays."""
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\n\n\nclass Without:\n    def find_spec(self, name, path=None, target=None):\n"
        "        if name.partition('.')[0] in ('torch', 'sb3_contrib', 'stable_baselines3'):\n"
        "            raise ModuleNotFoundError(name)\n\n\nsys.meta_path.insert(0, Without())\n"
    )
    code = (
        "from hansa_agents.arena import play_match\nfrom hansa_env import Ruleset\n"
        f"print(play_match(['onnx:{file}', 'greedy'], Ruleset(3), 3).games)"
    )
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert done.stdout.strip() == "6", done.stderr


def test_a_file_of_another_game_or_without_a_description_is_refused(file: Path, tmp_path: Path) -> None:
    with pytest.raises(AgentError, match=r"three\.onnx: was made for .*actions have other meanings"):
        make_agent(f"onnx:{file}", Ruleset(5))
    model = onnx.load(str(file))
    del model.metadata_props[:]
    (tmp_path / "plain.onnx").write_bytes(model.SerializeToString())
    with pytest.raises(AgentError, match=r"plain\.onnx: has no description; expected a file of `hansa export`"):
        make_agent(f"onnx:{tmp_path / 'plain.onnx'}", THREE)
    for argument in ("", ":sample", f"{file}:trust"):
        with pytest.raises(AgentError, match="expected onnx:FILE, onnx:FILE:sample or onnx:FILE:temperature=NUMBER"):
            make_agent(f"onnx:{argument}", THREE)
    with pytest.raises(AgentError, match=r"onnx:.*: expected 'sample', 'temperature=NUMBER' or 'trust' after the path, not 'l"):
        make_agent(f"onnx:{file}:loudly", THREE)
    with pytest.raises(AgentError, match="cannot be read"):
        make_agent("onnx:nothing.onnx", THREE)


def model_of(nodes: list, *initializers: onnx.TensorProto) -> onnx.ModelProto:
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 4]) for name in ("x", "y")]
    return helper.make_model(helper.make_graph(nodes, "g", ends[:1], ends[1:], list(initializers)))


def doubling(times: int) -> onnx.ModelProto:
    """A graph that makes 4 numbers 4 · 2^times, and then one slice of them."""
    nodes = [helper.make_node("Identity", ["x"], ["t0"])]
    nodes += [helper.make_node("Concat", [f"t{k}", f"t{k}"], [f"t{k + 1}"], axis=1) for k in range(times)]
    return model_of([*nodes, helper.make_node("ReduceSum", [f"t{times}"], ["s"]), helper.make_node("Add", ["s", "x"], ["y"])])


def looping() -> onnx.ModelProto:
    value = helper.make_tensor_value_info
    true = helper.make_tensor("true", TensorProto.BOOL, [], [True])
    body = helper.make_graph(
        [helper.make_node("Identity", ["c"], ["d"]), helper.make_node("Identity", ["z"], ["w"])], "body",
        [value("i", TensorProto.INT64, []), value("c", TensorProto.BOOL, []), value("z", TensorProto.FLOAT, [1, 4])],
        [value("d", TensorProto.BOOL, []), value("w", TensorProto.FLOAT, [1, 4])],
    )  # fmt: skip
    return model_of([helper.make_node("Loop", ["", "true", "x"], ["y"], body=body)], true)


def reading_elsewhere() -> onnx.ModelProto:
    weights = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[1, 4], data_location=TensorProto.EXTERNAL)
    weights.external_data.add(key="location", value="/etc/passwd")
    return model_of([helper.make_node("Add", ["x", "w"], ["y"])], weights)


@pytest.mark.parametrize(("model", "said"), [
    (doubling(40), "makes an array of size"), (looping(), "has the operator 'Loop'"),
    (reading_elsewhere(), "takes weights from other files"),
    (model_of([helper.make_node("Own", ["x"], ["y"], domain="mine")]), "has the operator 'Own'"),
    (model_of([helper.make_node("Add", ["x", "x"], ["y"])] * 2001), "or 2001 nodes"),
], ids=["doubling", "looping", "reading elsewhere", "own operator", "many"])  # fmt: skip
def test_what_is_no_plain_network_is_refused_before_it_is_run(model: onnx.ModelProto, said: str) -> None:
    with pytest.raises(AgentError, match=said):
        check_graph(model.SerializeToString())


def test_what_is_no_onnx_at_all_is_refused() -> None:
    for data in (b"", b"\x00" * 100, b"PK\x03\x04", os.urandom(1000)):
        with pytest.raises(AgentError):
            OnnxAgent(THREE, data, "it")


def test_a_file_over_which_the_libraries_end_the_process_is_refused(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As onnx did over an initializer of a shape that it had not foreseen."""
    trials = Trials()
    with monkeypatch.context() as patch:
        patch.setattr(trial, "ANSWERS", "os:abort")
        said = r"^it: ends the process that reads it \(killed by signal \d+\); expected a file of `hansa export`$"
        with pytest.raises(AgentError, match=said):
            trials.check(b"a file", "it")
    trials.check(file.read_bytes(), "it")  # by a new one


def test_a_network_of_another_program_is_refused_for_its_inputs() -> None:
    """It is sound, and not asked what it would answer: its inputs are of other types."""
    model = doubling(3)
    entry = model.metadata_props.add()
    entry.key, entry.value = KEY, describe(THREE, "any").model_dump_json()
    with pytest.raises(AgentError, match=r"^it: has the inputs and outputs \{'x': \('tensor\(float\)', \[4\]\)"):
        OnnxAgent(THREE, model.SerializeToString(), "it")


def test_a_file_that_takes_for_ever_is_refused(file: Path) -> None:
    with pytest.raises(AgentError, match="takes longer than 0 s to read"):
        Trials(longest=0).check(file.read_bytes(), "it")


def test_a_small_graph_of_its_operators_passes() -> None:
    check_graph(doubling(3).SerializeToString())


def test_a_network_with_large_arrays_is_asked_in_pieces(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small file can make an array of millions of numbers for each position."""
    whole = OnnxAgent(THREE, file.read_bytes(), "it")
    largest = check_graph(file.read_bytes())
    assert whole._rows == MOST_AT_ONCE // largest >= 100, "of networks of this project many positions at once"
    monkeypatch.setattr(agent_module, "MOST_AT_ONCE", 3 * largest)
    pieces, asked = OnnxAgent(THREE, file.read_bytes(), "it"), []
    run = pieces._session.run
    monkeypatch.setattr(
        pieces, "_session", SimpleNamespace(run=lambda wanted, given: asked.append(len(given["masks"])) or run(wanted, given))
    )
    observations, masks, _ = positions(THREE, 8)
    for one, other in zip(pieces._look(observations, masks), whole._look(observations, masks)):
        np.testing.assert_allclose(one, other, atol=1e-4)
    assert asked == [3, 3, 2]


def test_of_no_games_it_says_nothing_but_what_it_values(file: Path) -> None:
    found = estimate_games(make_agent(f"onnx:{file}", THREE), THREE, under_way(THREE, 4).games[:0])
    assert found is not None and found.values is not None and found.seat_values is not None
    assert found.values.shape == (0,) and found.seat_values.shape == (0, 3) and found.decision_values is None


def test_an_archive_is_refused_without_being_loaded(tmp_path: Path) -> None:
    archive = tmp_path / "mine.zip"
    archive.write_bytes(b"whatever")
    for model in (str(archive), f"ppo:{archive}:trust"):
        for players in ([], ["--players", "3"]):
            done = CliRunner().invoke(app, ["export", model, *players, "--onnx", str(tmp_path / "mine.onnx")])
            assert done.exit_code == 2 and not (tmp_path / "mine.onnx").exists()
            assert "only networks of `hansa train` can be exported" in " ".join(done.stderr.split())


@pytest.mark.parametrize("spec", ["onnx:{}", "onnx:{}:sample"])
def test_an_output_that_is_no_number_is_said_instead_of_an_illegal_answer(
    spec: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent, games = make_agent(spec.format(file), THREE), under_way(THREE, 4).games
    run = agent._run

    def broken(wanted: list[str], observations: np.ndarray, masks: np.ndarray) -> list[np.ndarray]:
        return [np.where(masks, np.nan, one) if one.ndim == 2 else one for one in run(wanted, observations, masks)]

    monkeypatch.setattr(agent, "_run", broken)
    with pytest.raises(AgentFault, match="has a network whose output is no number"):
        ask_agents([agent], np.zeros(4, np.int64), THREE, games)
    with pytest.raises(AgentFault, match="has a network whose output is no number"):
        estimate_games(agent, THREE, games)
