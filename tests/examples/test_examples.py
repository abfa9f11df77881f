"""Every example runs as its reader runs it, with a tiny budget, and without a warning."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from hansa_agents.arena import play_match
from hansa_agents.datasets.collect import collect
from hansa_env import Game, Ruleset
from hansa_env.play.learner_batch import LearnerBatch

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"

#: The options that keep an example short, and what it says once it has done its work.
RUNS = {
    "random_game.py": (["--players", "2", "--max-turns", "10"], "replayed from its record: same scores"),
    "batch_random.py": (["--games", "32", "--steps", "200", "--max-turns", "5"], "6,400 decisions"),
    "masked_ppo.py": (
        [
            "--copied",
            "512",
            "--decisions",
            "512",
            "--value-rollouts",
            "1",
            "--games",
            "8",
            "--steps",
            "32",
            "--max-turns",
            "5",
            "--test-games",
            "3",
        ],
        "masked ppo",
    ),
    "sb3_maskable_ppo.py": (
        [
            "--steps",
            "128",
            "--envs",
            "4",
            "--rollout",
            "16",
            "--games",
            "4",
            "--max-turns",
            "5",
            "--evaluate",
            "64",
            "--evaluation-games",
            "4",
        ],
        "of 4 games against random",
    ),
    "own_rewards.py": (["--steps", "64", "--envs", "4", "--games", "4", "--max-turns", "3"], "the lead on the way: "),
    "pettingzoo_loop.py": (["--players", "2", "--max-turns", "5"], "player_1: place"),
    "checkers.py": (["--players", "2", "--cycles", "50"], "Stable-Baselines3's check_env passes"),
    "own_bot_in_the_arena.py": (["--games", "6"], "see it whole with: hansa replay runs/lost.json\n"),
    "blocks_and_graph.py": (["--games", "4", "--decisions", "20"], "scored 156 actions in each of 4 games"),
    "compiled_search.py": (["--simulations", "20", "--playout", "20", "--games", "3", "--decisions", "64000"], "decisions/s"),
}


#: Those that take longer than half a minute, or that a job of their own runs at each push.
SLOW = ("compiled_search.py", "masked_ppo.py", "own_rewards.py", "sb3_maskable_ppo.py")
#: Those of a library that is no dependency: each has a job of its own in the continuous integration. Their warnings are theirs.
LIBRARIES = {
    "openspiel_ismcts.py": (
        "pyspiel", ["--games", "1", "--simulations", "3", "--max-turns", "2"], "win share",
    ),
    "openspiel_ppo.py": (
        "pyspiel", ["--steps", "64", "--envs", "2", "--rollout", "16", "--games", "2", "--max-turns", "2"], "of 2 games among",
    ),
    "torchrl_ppo.py": (
        "torchrl", ["--steps", "256", "--envs", "4", "--rollout", "32", "--games", "2", "--max-turns", "3"],
        "games among random",
    ),
    "tianshou_self_play.py": (
        "tianshou",
        ["--steps", "256", "--envs", "2", "--rollout", "64", "--epochs", "2", "--games", "2", "--max-turns", "3"],
        "games among two random",
    ),
    "rllib_ppo.py": (
        "ray.rllib",
        ["--iterations", "1", "--games", "2", "--batch", "128", "--network", "board-small", "--max-turns", "3"],
        "model.safetensors is written",
    ),
}  # fmt: skip
#: Those that learn from a dataset, which the test makes.
OF_DATA = {
    "behaviour_cloning.py": (
        ["--epochs", "1", "--network", "board-small", "--games", "3", "--among", "greedy"],
        "greedy: win share 33.3% of 3 games among 2 greedy",
    ),
    "offline_rl.py": (["--epochs", "1", "--network", "board-small", "--games", "3"], "advantage-weighted: win share"),
}


@pytest.mark.parametrize("name", LIBRARIES)
def test_the_example_of_a_library_runs(name: str, tmp_path: Path) -> None:
    module, options, said = LIBRARIES[name]
    pytest.importorskip(module, reason=f"needs {module}")
    assert said in run(tmp_path, str(EXAMPLES / name), *options, strict=False)


@pytest.fixture(scope="module")
def greedy_play(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    collect(["greedy"], Ruleset(3), 3000, folder, games=10)
    return folder


@pytest.mark.parametrize("name", OF_DATA)
@pytest.mark.slow
def test_the_example_of_data_runs(name: str, greedy_play: Path, tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs the extra 'train'")
    options, said = OF_DATA[name]
    printed = run(tmp_path, str(EXAMPLES / name), str(greedy_play), *options)
    assert said in printed
    if name == "behaviour_cloning.py":
        assert printed.startswith("a board-small network copies greedy: 1 epochs of 2 files\nepoch 1 of 1, ")


def run(folder: Path, *arguments: str, strict: bool = True) -> str:
    """What a command prints that is run in a folder with warnings as errors; fails with its own words where it does."""
    command = [sys.executable, *(["-W", "error"] if strict else []), *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in RUNS])
def test_the_example_runs(name: str, tmp_path: Path) -> None:
    options, said = RUNS[name]
    assert said in run(tmp_path, str(EXAMPLES / name), *options)


def test_every_example_is_run_and_listed() -> None:
    files = {path.name for path in EXAMPLES.glob("*.py")}
    listed = (EXAMPLES / "README.md").read_text("utf-8")
    assert files == set(RUNS) | set(LIBRARIES) | set(OF_DATA)
    assert [name for name in files if f"]({name})" not in listed] == []


def test_the_advantages_of_the_lesson_are_those_of_the_trainer() -> None:
    """Of seats that learn, at random decisions of eight games; the trainer books rows in the order of play, compiled."""
    compute_gae = pytest.importorskip("hansa_training.gae", reason="needs the extra 'train'").compute_gae
    rng, (steps, games, players) = np.random.default_rng(2), (40, 8, 3)
    learns, over = rng.random((games, players)) < 0.7, rng.random((steps, games)) < 0.1
    seats, values = rng.integers(players, size=(steps, games)), rng.random((steps, games), np.float32)
    own, worth = learns[np.arange(games), seats], np.where(over[:, :, None], rng.random((steps, games, players), np.float32), 0)
    found, known = runpy.run_path(str(EXAMPLES / "masked_ppo.py"))["advantages"](seats, own, values, worth, over, 0.9)
    step, game = np.nonzero(own)
    seat, last, earned = seats[own], np.zeros(len(step), np.bool_), np.zeros(len(step), np.float32)
    for ends, where in np.argwhere(over):  # of each seat's decisions in that game, the last
        for who in range(players):
            before = np.flatnonzero((game == where) & (seat == who) & (step <= ends))
            if len(before) and not over[step[before[-1]] : ends, where].any():
                last[before[-1]], earned[before[-1]] = True, worth[ends, where, who]
    expected, returns, outcomes = np.zeros((3, len(step)), np.float32)
    there, room = np.zeros(len(step), np.bool_), np.zeros((games, players), np.int64)
    compute_gae(game, seat, earned, last, values[own], 1.0, 0.9, expected, returns, outcomes, there, room)
    assert 20 < there.sum() < len(there) and (known[own] == there).all() and not known[~own].any()
    np.testing.assert_allclose(found[own][there], expected[there], rtol=1e-5, atol=1e-6)


def test_the_game_that_the_own_bot_lost_is_a_record_that_replays(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["own_bot_in_the_arena.py", "--games", "6", "--out", "lost.json"])
    runpy.run_path(str(EXAMPLES / "own_bot_in_the_arena.py"), run_name="__main__")
    game = Game.from_record((tmp_path / "lost.json").read_text("utf-8"))
    assert "claimer" in game.agents and game.agents.index("claimer") not in game.winners()


def test_the_final_test_of_openspiel_ppo_begins_its_own_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the games of the learner none is at its end when the learning is."""
    pytest.importorskip("pyspiel", reason="needs pyspiel")
    from hansa_env.api.openspiel import HansaTeutonicaState

    deals, apply = [], HansaTeutonicaState._apply_action
    monkeypatch.setattr(
        HansaTeutonicaState, "_apply_action", lambda state, action: deals.append(state.position is None) or apply(state, action)
    )
    options = ["--steps", "16", "--envs", "2", "--rollout", "8", "--games", "1", "--max-turns", "6"]
    monkeypatch.setattr(sys, "argv", ["openspiel_ppo.py", *options])
    shares = runpy.run_path(str(EXAMPLES / "openspiel_ppo.py"))["shares"]
    assert sum(deals) == 2 + len(shares) == 3


class Rows:
    """Games of 1 and of 9 steps in turn from row to row, that end 0 and 30 points ahead."""

    def __init__(self, num_envs: int, *_: object, **__: object) -> None:
        self.lengths, self.steps = np.where(np.arange(num_envs) % 2, 1, 9), np.zeros(num_envs, int)

    def reset(self) -> np.ndarray:
        return np.zeros((len(self.steps), 1))

    def action_masks(self) -> None:
        return None

    def step(self, _: object) -> tuple:
        self.steps += 1
        done = self.steps == self.lengths
        self.steps[done] = 0
        infos = [{"scores": np.array([[30.0 * (length > 1)], [0.0]]), "seat": 0} for length in self.lengths]
        return self.reset(), None, done, infos


@pytest.mark.slow
def test_a_short_game_counts_no_more_than_a_long_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of those who measure a model after it has learned."""
    pytest.importorskip("sb3_contrib", reason="needs the extra 'train'")
    options = ["--steps", "16", "--envs", "2", "--games", "100", "--max-turns", "1"]
    monkeypatch.setattr(sys, "argv", ["own_rewards.py", *options])
    found = runpy.run_path(str(EXAMPLES / "own_rewards.py"))
    monkeypatch.setitem(found["mean_lead"].__globals__, "HansaVecEnv", Rows)
    assert found["mean_lead"](SimpleNamespace(predict=lambda *_, **__: (None, None))) == 15


def test_a_seed_names_the_games_of_torchrl_ppo(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torchrl", reason="needs torchrl")
    options = ["--steps", "32", "--envs", "2", "--rollout", "16", "--games", "1", "--max-turns", "2"]
    monkeypatch.setattr(sys, "argv", ["torchrl_ppo.py", *options])
    env = runpy.run_path(str(EXAMPLES / "torchrl_ppo.py"))["HansaEnv"](3, 1, shaped=False)
    wanted = LearnerBatch(3, Ruleset(3), ["random"], seed=5, max_turns=2)
    for _ in range(2):
        seen = env.reset(seed=5)["observation"].numpy()
        np.testing.assert_allclose(seen, wanted.observation / env.high)
    assert not np.array_equal(env.reset()["observation"].numpy(), seen)


@pytest.mark.slow
def test_the_command_finds_the_own_bot_in_the_current_folder() -> None:
    arguments = ["arena", "own_bot_in_the_arena:Claimer", "random", "--players", "2", "--games", "2", "--json"]
    agents = [row["agent"] for row in json.loads(run(EXAMPLES, "-m", "hansa_env", *arguments))["agents"]]
    assert agents == ["own_bot_in_the_arena:Claimer", "random"]


def test_the_own_bot_plays_the_same_games_in_any_batches(monkeypatch) -> None:
    claimer = runpy.run_path(str(EXAMPLES / "own_bot_in_the_arena.py"))["Claimer"](Ruleset(3), seed=3)

    def games() -> list[tuple]:
        match = play_match([claimer, "random", "greedy"], Ruleset(3), 12, seed=1)
        return [(result.number, result.agents, result.scores.tolist()) for result in match.results]

    whole = games()
    monkeypatch.setattr("hansa_agents.match_workers.MOST_ROWS", 5)
    assert sorted(games()) == sorted(whole)


@pytest.mark.slow
def test_the_compiled_search_beats_random_play() -> None:
    search = runpy.run_path(str(EXAMPLES / "compiled_search.py"))["UCT"]
    match = play_match([search(Ruleset(3), 1, simulations=300, playout=20), "random", "random"], Ruleset(3), 3, seed=1)
    assert [game.shares[game.agents.index("uct")] for game in match.results] == [1, 1, 1]
