"""A run of about a second."""

from pathlib import Path

from hansa_training.checkpoints import Checkpoints
from hansa_training.run_folder import CHECKPOINTS

#: Options of a plan with two rounds of warm start, many rollouts, some points of the curve and games that end on the way.
TINY = {
    "warm_start": "64", "teacher_games": "8", "teacher_ticks": "4", "self_play": "192", "envs": "8", "rollout": "4",
    "n_epochs": "2", "batch_size": "16", "value_rollouts": "1", "evaluate_every": "4", "checkpoint_every": "1",
    "curve_games": "3", "final_games": "3", "max_turns": "2", "threads": "1",
    "from_frozen": "0.3", "keep_every": "64", "snapshot_every": "2", "eval_opponents": "random greedy",
}  # fmt: skip

#: One that is over sooner.
SHORT = TINY | {"self_play": "64", "evaluate_every": "9"}

#: One whose shards neither two nor four ranks can share evenly.
SHARED = TINY | {"shards": "5", "envs": "11", "teacher_games": "10", "snapshots": "2"}

#: What a run leaves that must not depend on how often it was interrupted.
FIGURES = ("model.safetensors", "curve.jsonl", "result.json")


def figures(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in FIGURES}


def arguments(options: dict[str, str]) -> list[str]:
    """Options as words of a command line."""
    return [word for name, value in options.items() for word in ("--" + name.replace("_", "-"), value)]


def has_checkpoint(folder: Path) -> bool:
    """Whether a run has something to go on from."""
    return bool(Checkpoints(folder / CHECKPOINTS).numbers())
