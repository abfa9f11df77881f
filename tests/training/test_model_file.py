"""Loading models: data without a word, code only with one, and the true reason when something does not fit."""

from pathlib import Path

import gymnasium
import numpy as np
import pytest
import torch
from safetensors.numpy import load, save
from sb3_contrib import MaskablePPO
from stable_baselines3 import A2C, DQN, PPO

from hansa_agents import make_agent
from hansa_agents.arena import play_match
from hansa_agents.networks import FOLDER
from hansa_agents.networks.run_models import MODEL
from hansa_env import HansaBatch, Ruleset
from hansa_env.play.agents import ask_agents
from hansa_env.play.errors import AgentError, AgentFault
from hansa_env.play.estimates import estimate_games
from hansa_env.sb3 import HansaVecEnv
from hansa_training import checkpoints
from hansa_training.checkpoints import Checkpoints
from hansa_training.errors import ModelError
from hansa_training.model_file import describe, load_policy, model_bytes, read_policy
from hansa_training.networks import new_policy, policy_logits
from hansa_training.networks.board import BoardPolicy
from hansa_training.search import SearchAgent
from hansa_training.sizes import NETWORKS
from tests.training.archives import archive_with_code

RULESET = Ruleset(3)


@pytest.fixture(scope="module")
def archive(tmp_path_factory) -> Path:
    """A model as the README's reader saves one: no word of this project in it."""
    path = tmp_path_factory.mktemp("archive") / "mine.zip"
    env = HansaVecEnv(4, RULESET, "random", max_turns=2)
    MaskablePPO("MlpPolicy", env, n_steps=8, n_epochs=1, batch_size=32, device="cpu").learn(32).save(path)
    return path


@pytest.fixture
def untrusting(monkeypatch) -> None:
    monkeypatch.delenv("HANSA_TRUST", raising=False)


def file_of(tmp_path: Path, ruleset: Ruleset = RULESET) -> Path:
    path = tmp_path / "model.safetensors"
    path.write_bytes(model_bytes(new_policy(ruleset, NETWORKS["board"]), ruleset, NETWORKS["board"]))
    return path


def test_a_model_file_gives_back_the_same_policy(tmp_path) -> None:
    policy = new_policy(RULESET, NETWORKS["board"])
    path = tmp_path / "model.safetensors"
    path.write_bytes(model_bytes(policy, RULESET, NETWORKS["board"]))
    batch = HansaBatch(16, RULESET, seed=2)
    inputs, masks = torch.from_numpy(batch.observe()), torch.from_numpy(batch.action_mask)
    again = load_policy(path, RULESET)
    assert torch.equal(policy_logits(policy, inputs, masks), policy_logits(again, inputs, masks))
    assert model_bytes(again, RULESET, NETWORKS["board"]) == path.read_bytes()


def test_making_a_policy_draws_nothing_from_the_process(tmp_path) -> None:
    before = torch.get_rng_state()
    load_policy(file_of(tmp_path), RULESET)
    assert torch.equal(torch.get_rng_state(), before)


def test_an_archive_is_not_opened_without_trust(untrusting, tmp_path) -> None:
    mark, path = tmp_path / "ran", tmp_path / "model.zip"
    archive_with_code(path, mark)
    for spec in (f"ppo:{path}", f"ppo:{path}:sample"):
        with pytest.raises(ModelError, match=r"runs code that is in it.*allow it by ppo:.*model\.zip:trust or HANSA_TRUST=1"):
            make_agent(spec, RULESET)
        renamed = path.with_suffix(".safetensors")
        renamed.write_bytes(path.read_bytes())
        with pytest.raises(ModelError, match="runs code that is in it"):
            load_policy(renamed, RULESET)
    assert not mark.exists()
    with pytest.raises(ModelError, match=r"model\.zip: cannot be read as a model of A2C"):
        make_agent(f"ppo:{path}:trust", RULESET)
    assert mark.exists(), "the bomb is one, so that the test above says something"


@pytest.mark.parametrize("algorithm", [PPO, A2C, DQN])
def test_other_algorithms_play_as_well(algorithm, tmp_path, untrusting, monkeypatch) -> None:
    settings = {PPO: {"n_steps": 8, "batch_size": 8}, A2C: {"n_steps": 8}, DQN: {"buffer_size": 64, "learning_starts": 8}}
    env = gymnasium.make("hansa/HansaTeutonica-v0", players=3, opponents="random", max_turns=2, illegal_action="substitute")
    algorithm("MlpPolicy", env, device="cpu", **settings[algorithm]).learn(32).save(tmp_path / "other.zip")
    batch = HansaBatch(4, RULESET)
    agent = make_agent(f"ppo:{tmp_path / 'other.zip'}:trust", RULESET)
    actions = agent.act(batch.observe(), batch.action_mask, batch.seat)
    assert batch.action_mask[np.arange(4), actions].all()
    estimate = estimate_games(agent, RULESET, batch.games)
    assert estimate is not None and estimate.values is None, "what it was trained for is not known"
    assert (estimate.shares.argmax(1) == actions).all() and (estimate.shares.max() == 1) == (algorithm is DQN)
    if algorithm is DQN:
        with pytest.raises(ModelError, match="is by DQN, which has no policy to draw from"):
            make_agent(f"ppo:{tmp_path / 'other.zip'}:trust:sample", RULESET)
    monkeypatch.setenv("HANSA_TRUST", "1")
    with pytest.raises(AgentError, match="is no network of this project"):
        SearchAgent(RULESET, model=str(tmp_path / "other.zip"))


@pytest.mark.parametrize("words", ["trust", "trust:sample", "sample:trust"])
def test_a_model_saved_by_a_user_plays_when_trusted(words: str, untrusting, archive: Path) -> None:
    match = play_match([f"ppo:{archive}:{words}", "random", "random"], RULESET, 3, max_turns=2)
    assert match.games == 3 and 0 <= match.rows[0].share <= 1


def test_the_environment_can_trust_everything(archive: Path, monkeypatch) -> None:
    monkeypatch.setenv("HANSA_TRUST", "1")
    batch = HansaBatch(4, RULESET)
    actions = make_agent(f"ppo:{archive}", RULESET).act(batch.observe(), batch.action_mask, batch.seat)
    assert batch.action_mask[np.arange(4), actions].all()
    for word in ("0", "", "yes"):
        monkeypatch.setenv("HANSA_TRUST", word)
        with pytest.raises(ModelError, match="runs code"):
            load_policy(archive, RULESET)


def test_a_loaded_archive_does_not_seed_the_process(archive: Path) -> None:
    torch_before, numpy_before = torch.get_rng_state(), np.random.get_state()[1].copy()
    load_policy(archive, RULESET, trust=True)
    assert torch.equal(torch.get_rng_state(), torch_before) and (np.random.get_state()[1] == numpy_before).all()


def test_an_archive_for_another_game_is_refused_with_its_sizes(archive: Path) -> None:
    env = HansaVecEnv(1, RULESET)
    sizes = rf"observations of {env.observation_space.shape[0]} entries and chooses among {env.action_space.n} actions;"
    with pytest.raises(ModelError, match=rf"{sizes} the game for 4 players, .* has \d+ and \d+"):
        load_policy(archive, Ruleset(4), trust=True)


def test_a_model_file_for_another_game_is_refused(tmp_path) -> None:
    with pytest.raises(ModelError, match=r"\(trained for .*'players': 3.*\); the game for 4 players, .* has"):
        load_policy(file_of(tmp_path), Ruleset(4))


@pytest.mark.parametrize("given", ["\n", "0" * 63, "0" * 64 + "\n", "x" * 64])
def test_what_is_no_fingerprint_is_refused_in_one_line(tmp_path, given) -> None:
    path = tmp_path / "model.safetensors"
    description = describe(RULESET, NETWORKS["board"]).model_copy(update={"fingerprint": given})
    path.write_bytes(save({"w": np.zeros(1, np.float32)}, {"hansa": description.model_dump_json()}))
    with pytest.raises(ModelError, match=r"cannot be read as a model .*fingerprint") as refused:
        load_policy(path, RULESET)
    assert "\n" not in str(refused.value)


def test_actions_of_other_meaning_are_refused_even_when_the_sizes_fit(tmp_path) -> None:
    path = tmp_path / "model.safetensors"
    description = describe(RULESET, NETWORKS["board"]).model_copy(update={"fingerprint": "0" * 64})
    path.write_bytes(save({"w": np.zeros(1, np.float32)}, {"hansa": description.model_dump_json()}))
    with pytest.raises(ModelError, match=r"the actions have other meanings \(fingerprint 000000000000…"):
        load_policy(path, RULESET)


@pytest.mark.parametrize(
    ("network", "said"),
    [
        ({"kind": "transformer"}, "expected one like"),
        ({"kind": "mlp", "widths": [10**9]}, "expected whole numbers from 1 to 8192"),
        (NETWORKS["board"] | {"city_summary": []}, r"the network's city_summary is \[\]; expected whole numbers"),
        (NETWORKS["board"] | {"city_summary": [8]}, r"the network's city_summary is \[8\]; expected whole numbers"),
        ({"kind": "mlp", "widths": [8]}, "there is no|size mismatch"),
        (NETWORKS["board-small"], "has shape"),
    ],
)
def test_weights_that_are_not_of_their_network_are_refused(network: dict, said: str, tmp_path) -> None:
    path = file_of(tmp_path)
    weights = load(path.read_bytes())
    path.write_bytes(save(weights, {"hansa": describe(RULESET, network).model_dump_json()}))
    with pytest.raises(ModelError, match=f"its weights do not fit its network .*({said})"):
        load_policy(path, RULESET)


@pytest.mark.parametrize("how", ["empty", "noise", "half", "no description", "another format"])
def test_a_broken_file_is_refused_in_one_line(how: str, tmp_path) -> None:
    path = file_of(tmp_path)
    whole = path.read_bytes()
    broken = {
        "empty": b"",
        "noise": b"\xff" * 100,
        "half": whole[: len(whole) // 2],
        "no description": save(load(whole)),
        "another format": save(load(whole), {"hansa": '{"format": "hansa-model/9"}'}),
    }
    path.write_bytes(broken[how])
    with pytest.raises(ModelError, match=r"model\.safetensors: cannot be read as a model") as caught:
        load_policy(path, RULESET)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        ("ppo:nothing.zip", "nothing.zip: cannot be read as a model (no such file)"),
        (
            "ppo:0.7",
            "0.7: cannot be read as a model (No such file or directory); expected a model file, a run's folder, "
            "or 0.2 or narrow",
        ),
        ("ppo:narrow", "no trained agent for 3 players, fourth edition, board base-2-3 comes with this version as 'narrow'"),
        ("ppo:x:loudly", "expected 'sample', 'temperature=NUMBER' or 'trust' after the path, not 'loudly'"),
        ("ppo::sample:temperature=2", "expected 'sample' or one 'temperature=NUMBER', not 2 of them"),
        ("ppo::temperature=-1", "ppo::temperature=-1: temperature is '-1'; expected a number from 0 to 100, such as 0.5"),
        ("ppo::temperature=nan", "temperature is 'nan'; expected a number from 0 to 100"),
        ("ppo::temperature=101", "temperature is 101.0; expected a number from 0 to 100"),
        ("ppo::temperature=1e+0", "temperature is '1e+0'; expected a number from 0 to 100, such as 0.5"),
        ("ppo:sample", "ppo:sample: 'sample' is no path; it stands behind a path, or behind two colons without one"),
        ("ppo:temperature=0.5", "'temperature=0.5' is no path"),
        ("ppo::temperature=warm", "temperature is 'warm'; expected a number from 0 to 100"),
    ],
)
def test_wrong_specs_are_refused(argument: str, said: str) -> None:
    with pytest.raises(ModelError) as caught:
        make_agent(argument, RULESET)
    assert said in str(caught.value)


def test_a_folder_without_checkpoints_is_refused(tmp_path) -> None:
    with pytest.raises(ModelError, match="is a folder without checkpoints; expected a run's folder or the file of a model"):
        make_agent(f"ppo:{tmp_path}", RULESET)


@pytest.mark.parametrize("place", ["", "checkpoints/000001"])
def test_of_a_run_that_plays_the_model_alone_is_read(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its other files may be as large as whoever made them liked, and the model no larger than one in a file."""
    data = file_of(tmp_path).read_bytes()
    (tmp_path / "run").mkdir()
    Checkpoints(tmp_path / "run" / "checkpoints").save({"state.safetensors": b"?", MODEL: data, "more": b"?"}, {})
    read: list[str] = []
    real = checkpoints.read_at_most
    monkeypatch.setattr(checkpoints, "read_at_most", lambda path, most: (read.append(path.name), real(path, most))[1])
    assert isinstance(load_policy(tmp_path / "run" / place, RULESET), BoardPolicy)
    assert read == ["manifest.json", MODEL]
    monkeypatch.setattr("hansa_training.model_file.LARGEST", len(data) - 1)
    with pytest.raises(ModelError, match=rf"{MODEL} cannot be read .* larger than"):
        load_policy(tmp_path / "run" / place, RULESET)


def test_a_model_file_has_every_weight_once_and_those_of_earlier_versions_still_load(tmp_path) -> None:
    policy = new_policy(RULESET, NETWORKS["board"])
    data = model_bytes(policy, RULESET, NETWORKS["board"])
    assert sum(array.size for array in load(data).values()) == sum(p.numel() for p in policy.parameters())
    every_name = {name: tensor.numpy().copy() for name, tensor in policy.state_dict().items()}
    path = tmp_path / "model.safetensors"
    path.write_bytes(save(every_name, {"hansa": describe(RULESET, NETWORKS["board"]).model_dump_json()}))
    for found in (load_policy(path, RULESET), read_policy(data, "it", RULESET)):
        assert all(torch.equal(a, b) for a, b in zip(found.state_dict().values(), policy.state_dict().values()))


@pytest.mark.parametrize("players", [2, 3])
def test_an_agent_comes_with_the_project_and_plays_whole_batches(players: int) -> None:
    ruleset = Ruleset(players)
    match = play_match(["ppo", *["greedy"] * (players - 1)], ruleset, 60, seed=3)
    assert match.rows[0].low > 0.75
    card = (FOLDER / f"{players}-players.md").read_text("utf-8")
    assert f"for {players} players" in card and "`greedy`" in card and "never" not in card


def test_where_no_agent_comes_with_the_project_that_is_said() -> None:
    with pytest.raises(ModelError, match=r"no trained agent for 3 players.*: hansa train --players 3 --board miniature-3"):
        make_agent("ppo", Ruleset(3, board="miniature-3"))
    with pytest.raises(ModelError, match="expected 'sample', 'temperature=NUMBER' or 'trust'"):
        make_agent("ppo::loudly", Ruleset(3))


def test_networks_to_measure_against_stay_and_play_every_game() -> None:
    for players, name in (*((players, "0.2") for players in (2, 3, 4, 5)), (4, "narrow"), (5, "narrow")):
        ruleset = Ruleset(players)
        batch = HansaBatch(32, ruleset, seed=4)
        earlier = make_agent(f"ppo:{name}", ruleset)
        by_path = make_agent(f"ppo:{FOLDER / f'{name}-{players}-players.safetensors'}", ruleset)
        seen, masks = batch.observe(), batch.action_mask
        assert (earlier.act(seen, masks, batch.seat) == by_path.act(seen, masks, batch.seat)).all()
    assert make_agent("search:model=0.2,sims=2", Ruleset(3)).sees == "games"
    with pytest.raises(ModelError, match=r"no trained agent for 3 players.*miniature"):
        make_agent("ppo:0.2", Ruleset(3, board="miniature-3"))
    there = HansaBatch(32, Ruleset(3, board="east"), seed=4)
    chosen = make_agent("ppo:0.2", there.ruleset).act(there.observe(), there.action_mask, there.seat)
    assert there.action_mask[np.arange(32), chosen].all()


@pytest.mark.parametrize(
    "network", [{"kind": "mlp", "widths": [8192] * 8}, NETWORKS["board"] | {"global": 8192, "route": 8192, "city": 8192}],
    ids=["mlp", "board"],
)  # fmt: skip
def test_a_network_is_compared_with_its_weights_before_it_is_made(network: dict, tmp_path, monkeypatch) -> None:
    """Gigabytes of weights and minutes of setting them would be for nothing: no tensor of them is made."""
    made, whole = [], torch.nn.init.orthogonal_

    def counted(tensor: torch.Tensor, gain: float = 1) -> torch.Tensor:
        made.append(0 if tensor.is_meta else tensor.numel())
        return whole(tensor, gain)

    small = NETWORKS["board"] if network["kind"] == "board" else {"kind": "mlp", "widths": [4] * 8}
    weights = load(model_bytes(new_policy(RULESET, small), RULESET, small))
    monkeypatch.setattr(torch.nn.init, "orthogonal_", counted)
    path = tmp_path / "model.safetensors"
    path.write_bytes(save(weights, {"hansa": describe(RULESET, network).model_dump_json()}))
    with pytest.raises(ModelError, match=r"its weights do not fit its network .*has shape"):
        load_policy(path, RULESET)
    assert made and sum(made) == 0


def test_weights_of_another_type_or_that_are_no_numbers_are_refused(tmp_path) -> None:
    path = file_of(tmp_path)
    whole, about = load(path.read_bytes()), {"hansa": describe(RULESET, NETWORKS["board"]).model_dump_json()}
    name = next(iter(whole))
    for array, said in (
        (whole[name].astype(np.float64), "is of type torch.float64, expected torch.float32"),
        (whole[name] * np.nan, "has entries that are no numbers"),
    ):
        path.write_bytes(save(whole | {name: array}, about))
        with pytest.raises(ModelError, match=f"{name} {said}"):
            load_policy(path, RULESET)


def test_a_description_that_says_a_thing_twice_or_another_game_is_refused(tmp_path) -> None:
    path = file_of(tmp_path)
    whole, text = load(path.read_bytes()), describe(RULESET, NETWORKS["board"]).model_dump_json()
    for wrong, said in (
        (text.replace('"actions"', '"actions":1,"actions"', 1), "field actions is given twice"),
        (text.replace('"players":3', '"players":4', 1), "its actions are of another game"),
        (text.replace('"network"', '"more":1,"network"', 1), "Extra inputs are not permitted"),
        (text.replace('"kind"', f'"{"x" * 100_000}":1,"kind"', 1), "the network is {'xxx"),
    ):
        path.write_bytes(save(whole, {"hansa": wrong}))
        with pytest.raises(ModelError, match=said) as refused:
            load_policy(path, RULESET)
        assert len(str(refused.value)) < 1000


@pytest.mark.parametrize("spec", ["ppo:{}", "ppo:{}:sample", "search:model={},sims=8"])
def test_weights_that_are_too_large_are_said_instead_of_an_illegal_answer(spec: str, tmp_path: Path) -> None:
    """They are numbers, but what comes out of them is none; drawn from, that ended the process."""
    policy, path = new_policy(RULESET, NETWORKS["board"]), tmp_path / "large.safetensors"
    with torch.no_grad():
        for weight in policy.parameters():
            weight.fill_(3e38)
    path.write_bytes(model_bytes(policy, RULESET, NETWORKS["board"]))
    agent, games = make_agent(spec.format(path), RULESET), HansaBatch(4, RULESET, seed=2).games
    said = "agent '.*' has a network whose output is no number$"
    with pytest.raises(AgentFault, match=said):
        ask_agents([agent], np.zeros(4, np.int64), RULESET, games)
    with pytest.raises(AgentFault, match=said):
        estimate_games(agent, RULESET, games)
