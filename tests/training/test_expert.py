"""A search that labels what the learner meets: which positions, what it says of them, and that the network learns it."""

from contextlib import closing
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch
from stable_baselines3.common.utils import set_random_seed

from hansa_agents.networks import FOLDER, network_for
from hansa_agents.search.tree import TreeAgent
from hansa_env import HansaBatch, Ruleset, make_agent
from hansa_env.engine.results import masks_of, observations_of
from hansa_env.play.agents import ask_agents
from hansa_training.begin import train
from hansa_training.checkpoints import Checkpoints
from hansa_training.end_worth import Worth
from hansa_training.errors import PlanError, RunError
from hansa_training.expert import ARRAYS_OF_LABELS, SHARPNESS, SURE, Expert, Lesson, loss_of, up_to_date
from hansa_training.league import Company, League
from hansa_training.learner import Learner
from hansa_training.networks import evaluate, policy_of
from hansa_training.networks.trained import OwnNetwork
from hansa_training.plan import Plan
from hansa_training.plan_file import make_plan
from hansa_training.ppo import SelfPlayPPO, Settings
from hansa_training.resume import ARRAYS, STATE
from hansa_training.rollout import SeatBuffer
from hansa_training.run_folder import CHECKPOINTS
from hansa_training.shard import Shard
from hansa_training.sizes import NETWORKS
from hansa_training.state import pack, same_state, tensors, unpack
from hansa_training.workers import Workers
from tests.training.tiny import TINY, figures

RULESET = Ruleset(3)
SIMS = "sims=16"


def positions(count: int, decisions: int = 40) -> np.ndarray:
    """Games under way."""
    batch, agent = HansaBatch(count, RULESET, seed=3), make_agent("greedy", RULESET)
    for _ in range(decisions):
        batch.step(ask_agents([agent], np.zeros(count, np.int64), RULESET, batch.games))
    return batch.games.copy()


def even_logits(games: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(np.where(masks_of(RULESET, games), 0.0, -1e8).astype(np.float32))


def labelled(games: np.ndarray, capacity: int = 512) -> Expert:
    expert = Expert(RULESET, SIMS, 5, 1.0, capacity)
    expert.consider(games, even_logits(games))
    expert.label(network_for(RULESET).weights)
    return expert


def test_labels_are_what_the_tree_says_with_the_weights_that_are_given() -> None:
    games = positions(24)
    masks = masks_of(RULESET, games)
    several = np.flatnonzero(masks.sum(1) > 1)
    expert = labelled(games)
    tree = TreeAgent(RULESET, 5, sims=16)
    visits, worths = tree.search(games[several], masks[several])
    shares = (visits**SHARPNESS) / (visits**SHARPNESS).sum(1, keepdims=True)
    sure = shares.max(1) >= SURE
    assert len(several) == 24 and 0 < sure.sum() == expert.size
    # The agent's own network is rounded to half precision, so a visit may fall elsewhere now and then.
    same = np.abs(expert.shares[: expert.size] - shares[sure]).max(1) < 0.15
    assert same.mean() > 0.8
    mean = np.nansum(worths[np.arange(len(several)), :, games["seat"][several]] * visits, 1) / visits.sum(1)
    assert np.median(np.abs(expert.values[: expert.size] - mean[sure])) < 0.01
    assert (expert.observations[: expert.size] == observations_of(RULESET, games[several[sure]])).all()
    assert (expert.shares[~expert.masks] == 0).all() and expert.shares[: expert.size].sum(1) == pytest.approx(1)


def test_shares_of_visits_are_sharpened(monkeypatch: pytest.MonkeyPatch) -> None:
    """Squared: of six visits and two, nine tenths and one; the value is the mean of the visits as they were."""
    games = positions(1)
    first, second = np.flatnonzero(masks_of(RULESET, games)[0])[:2]
    seat = games["seat"][0]

    def search(games: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        visits, worths = np.zeros(masks.shape), np.zeros((*masks.shape, 3))
        visits[0, [first, second]], worths[0, [first, second], seat] = [6, 2], [0.8, 0.4]
        return visits, worths

    expert = Expert(RULESET, SIMS, 5, 1.0, 8)
    monkeypatch.setattr(expert.tree, "search", search)
    expert.consider(games, even_logits(games))
    expert.label(network_for(RULESET).weights)
    assert expert.size == 1 and expert.shares[0, [first, second]] == pytest.approx([0.9, 0.1])
    assert expert.values[0] == pytest.approx(0.7)


def test_where_the_policy_is_sure_nothing_is_labelled() -> None:
    games = positions(24)
    sure = even_logits(games)
    sure[torch.arange(len(games)), sure.argmax(1)] = 20.0
    expert = Expert(RULESET, SIMS, 5, 1.0, 64)
    expert.consider(games, sure)
    expert.label(network_for(RULESET).weights)
    assert expert.size == 0


def test_about_the_share_that_is_asked_for_is_labelled() -> None:
    games = positions(40)
    expert = Expert(RULESET, "sims=2", 5, 0.1, 4096)
    for _ in range(50):
        expert.consider(games, even_logits(games))
    assert sum(len(one) for one in expert._chosen) == pytest.approx(0.1 * 50 * 40, rel=0.3)


def test_the_newest_labels_are_kept() -> None:
    games = positions(40)
    many, few = labelled(games), labelled(games, capacity=8)
    assert many.size > 8 == few.size
    newest = {one.tobytes() for one in many.observations[many.size - 8 : many.size]}
    assert {one.tobytes() for one in few.observations} == newest


def test_a_state_has_the_labels_that_there_are_and_those_of_earlier_versions_are_brought_up_to_date() -> None:
    first, second = (Expert(RULESET, "sims=8", 5, 0.5, 512) for _ in range(2))
    columns = [np.zeros((3, *getattr(first, name).shape[1:]), getattr(first, name).dtype) for name in ARRAYS_OF_LABELS]
    columns[3][:] = 1, 2, 3
    first._keep(*columns)
    kept = unpack(*pack(first.state()))
    assert {len(one) for one in kept["labels"].values()} == {3}
    second.set_state(kept)
    assert second.size == 3 and second.values[:4].tolist() == [1, 2, 3, 0]
    earlier = kept | {"labels": {name: getattr(first, name) for name in ARRAYS_OF_LABELS}}
    for state in (kept, earlier):
        assert same_state(up_to_date(state), kept)
    with pytest.raises(RunError, match="values differs"):
        second.set_state(kept | {"labels": kept["labels"] | {"values": np.zeros(2, np.float32)}})


def test_labels_are_due_so_many_times_over_however_a_rollout_is_parted() -> None:
    expert = labelled(positions(24))
    new = expert.size
    assert sum(expert.due(4 / 7) for _ in range(7)) in (4 * new - 1, 4 * new)
    expert.label({})
    assert expert.due(1.0) == 0, "nothing new has been labelled"


@pytest.mark.parametrize("ratio", [0.03, 0.5, 3.0])
def test_in_learning_each_label_is_drawn_as_often_as_the_plan_says(ratio: float, monkeypatch: pytest.MonkeyPatch) -> None:
    trained, expert = OwnNetwork(RULESET, NETWORKS["board-small"]), Expert(RULESET, "sims=8", 5, 0.5, 512)
    league = League(RULESET, ["greedy"], [], 0, Plan().part(Company), partial(trained.empty, RULESET))
    shard = Shard(RULESET, SeatBuffer(RULESET, 8, 32), league, 5, 3, Worth(), expert=expert)
    settings = Plan(batch_size=64, n_epochs=2, expert_replays=ratio).part(Settings)
    ppo = SelfPlayPPO(trained, {0: shard}, [league], Workers(1), settings, 3e-3)
    drawn: list[int] = []
    draw = expert.draw
    monkeypatch.setattr(expert, "draw", lambda count, device: drawn.append(count) or draw(count, device))
    monkeypatch.setattr("hansa_training.ppo.loss_of", lambda lesson, logits, values, _: 0 * values.sum() + 2)
    ppo.collect()
    expert.label(network_for(RULESET, "0.2").weights)
    ppo.learn()
    assert ppo.figures["train/expert_loss"] == pytest.approx(2), "a label's, also where many minibatches have none"
    assert expert.size >= 10 and sum(drawn) == pytest.approx(ratio * expert.labelled, abs=1.001)


def test_the_loss_is_the_cross_entropy_of_legal_decisions_and_the_error_of_the_value() -> None:
    masks = torch.tensor([[True, True, False]])
    lesson = Lesson(torch.zeros(1, 2), masks, torch.tensor([[0.25, 0.75, 0.0]]), torch.tensor([0.5]))
    logits = torch.log(torch.tensor([[0.5, 0.5, 1e-30]]))
    assert loss_of(lesson, logits, torch.tensor([0.1]), 5.0).item() == pytest.approx(np.log(2) + 5 * 0.16, rel=1e-4)


@pytest.mark.slow
def test_a_network_learns_from_labels_alone() -> None:
    """From nothing, without PPO's objective: what it meets is labelled by a tree that thinks with a network that stays."""
    set_random_seed(1)
    given = network_for(RULESET, "0.2")
    trained = OwnNetwork(RULESET, NETWORKS["board-small"])
    league = League(RULESET, ["greedy"], [], 0, Plan().part(Company), partial(trained.empty, RULESET))
    expert = Expert(RULESET, SIMS, 5, 0.5, 2048)
    shard = Shard(RULESET, SeatBuffer(RULESET, 16, 32), league, 5, 3, Worth(), expert=expert)
    settings = Plan(batch_size=256, n_epochs=12, policy_coef=0, ent_coef=0).part(Settings)
    ppo = SelfPlayPPO(trained, {0: shard}, [league], Workers(1), settings, 3e-3)
    losses = []
    for _ in range(10):
        ppo.collect()
        expert.label(given.weights)
        ppo.learn()
        losses.append(ppo.figures["train/expert_loss"])
    assert expert.size > 200
    teacher = policy_of(RULESET, NETWORKS["board"], tensors(given.weights))
    seen, legal = torch.from_numpy(expert.observations[: expert.size]), torch.from_numpy(expert.masks[: expert.size])
    with torch.no_grad():
        copied, by_network = (evaluate(one, seen, legal)[0].argmax(1) for one in (trained.policy(RULESET), teacher))
    best = torch.from_numpy(expert.shares[: expert.size]).argmax(1)
    assert losses[-1] < 0.8 * losses[0]
    assert (copied == best).float().mean() > 0.4 and (by_network == best).float().mean() > 0.5


def test_nothing_is_labelled_while_only_the_value_learns() -> None:
    """Which learns from no labels, and a search takes nearly all the time of a rollout."""
    expert = {"expert": "tree:sims=4", "expert_share": "1", "expert_labels": "64", "value_rollouts": "2", "warm_start": "0"}
    with closing(Learner(make_plan(options=TINY | expert))) as learner:
        labelled = []
        for _ in range(3):
            learner.play()
            labelled.append(sum(shard.expert.labelled for shard in learner.ppo.shards.values()))
    assert labelled[:2] == [0, 0] and 0 < labelled[2] <= 32, labelled  # decisions of a rollout


def _keep_as_once(checkpoints: Checkpoints) -> None:
    """Let the newest checkpoint be like those of earlier versions, with rows of labels that there are not yet."""
    newest = checkpoints.newest()
    files, note = newest.files, newest.note
    state = unpack(files[STATE], files[ARRAYS])
    for shard in state["learner"]["shards"]:
        labels = shard["expert"]["labels"]
        rows = 64 - len(labels["values"])
        assert rows
        shard["expert"]["labels"] = {
            name: np.concatenate([one, np.zeros((rows, *one.shape[1:]), one.dtype)]) for name, one in labels.items()
        }
    checkpoints.save({**files, **dict(zip((STATE, ARRAYS), pack(state)))}, note)


@pytest.mark.slow
def test_a_run_with_an_expert_goes_on_to_the_same_figures(tmp_path: Path) -> None:
    options = TINY | {"expert": "tree:sims=4", "expert_share": "0.2", "expert_labels": "64", "decay": "0"}
    train(tmp_path / "whole", options=options)
    train(tmp_path / "parts", options=options | {"self_play": "96"})
    _keep_as_once(Checkpoints(tmp_path / "parts" / CHECKPOINTS))
    train(tmp_path / "parts", resume=True, options={"self_play": options["self_play"]})
    assert figures(tmp_path / "whole")["model.safetensors"] == figures(tmp_path / "parts")["model.safetensors"]
    train(tmp_path / "without", options=TINY | {"decay": "0"})
    assert figures(tmp_path / "whole")["model.safetensors"] != figures(tmp_path / "without")["model.safetensors"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"expert": "greedy"}, "expected tree"),
        ({"expert": "tree:seconds=1"}, "expected tree, such as tree:sims=64 .* without seconds"),
        ({"expert": "tree:sims=8,network=0.2"}, "expected tree, such as tree:sims=64 .*, network and model$"),
        ({"expert": f"tree:sims=8,model={FOLDER / '3-players.safetensors'}"}, "expected tree, .*, network and model$"),
        ({"expert": "tree:sims=1"}, "sims is 1"),
        ({"expert": "tree:sims=8", "network": "mlp"}, "one of the kind board"),
        ({"expert": "tree:sims=8", "win": "1"}, "win = 0.5"),
        ({"expert": "tree:sims=8", "turn_cost": "0.01"}, "turn_cost = 0"),
        ({"expert": "tree:sims=8", "turn_limit_cost": "1"}, "turn_limit_cost = 0"),
        ({"expert": "tree:sims=8", "gamma": "0.999"}, "gamma = 1"),
        (
            {"expert": "tree:sims=8", "rulesets": "3 3/miniature-3"},
            "expert is 'tree:sims=8', which does not play .*miniature-3",
        ),
        (
            {"expert": "tree:sims=8", "expert_labels": "1048576", "rulesets": "3 5/east/favours"},
            r"expert_labels is 1,048,576; expected at most \d\d\d,\d\d\d for 5 players",
        ),
    ],
)
def test_an_expert_that_cannot_be_is_refused(options: dict[str, str], said: str) -> None:
    with pytest.raises(PlanError, match=said):
        make_plan(options=options)


def test_an_expert_without_a_number_of_simulations_makes_those_of_the_agent() -> None:
    assert make_plan(options={"expert": "tree"}).expert == "tree" and Expert(RULESET, "", 5, 0.5, 64).tree.sims == 800
