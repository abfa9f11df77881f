"""Archives by Stable-Baselines3: they run code when they are loaded, so somebody has to trust them."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path

from gymnasium import spaces
from sb3_contrib import MaskablePPO
from stable_baselines3 import A2C, DQN, PPO
from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.policies import BasePolicy

from hansa_env import Ruleset
from hansa_env.engine.action_space import fingerprint
from hansa_training.errors import ModelError, with_kind
from hansa_training.networks import check_sizes
from hansa_training.state import random_state, set_random_state

VARIABLE = "HANSA_TRUST"


def trusted() -> bool:
    """Whether the environment says that every archive may run its code."""
    return os.environ.get(VARIABLE, "") == "1"


def load_archive(path: Path, ruleset: Ruleset, trust: bool = False) -> BasePolicy:
    """The policy in an archive of MaskablePPO, PPO, A2C or DQN whose spaces are those of the ruleset.

    Raises:
        ModelError: it would run code and is not trusted, cannot be loaded, or plays another game.
    """
    if not path.exists():
        raise ModelError(f"{path}: cannot be read as a model (no such file)")
    if not (trust or trusted()):
        raise ModelError(
            f"{path} is an archive by Stable-Baselines3: loading it runs code that is in it, with all your rights. If you "
            f"know who made it, allow it by ppo:{path}:trust or {VARIABLE}=1 (see SECURITY.md)"
        )
    kind = _algorithm(path)
    before = random_state()
    try:
        model = kind.load(path, device="cpu")
    except Exception as error:  # whatever the code in it raises
        raise ModelError(f"{path}: cannot be read as a model of {kind.__name__} ({with_kind(error)})") from error
    finally:
        set_random_state(before)  # loading seeds them
    observation, action = model.observation_space, model.action_space
    if not isinstance(observation, spaces.Box) or len(observation.shape) != 1 or not isinstance(action, spaces.Discrete):
        raise ModelError(f"{path}: plays {observation} and {action}; expected a Box of one dimension and a Discrete")
    check_sizes(str(path), observation.shape[0], int(action.n), ruleset)
    earlier = getattr(model, "hansa_fingerprint", fingerprint(ruleset))  # noted by earlier versions of this project
    if earlier != fingerprint(ruleset):
        raise ModelError(f"{path}: trained for {getattr(model, 'hansa_config', 'another game')}, not {ruleset.config}")
    return model.policy


def _algorithm(path: Path) -> type[BaseAlgorithm]:
    """What wrote an archive, by the names of its settings; nothing of it is run for that."""
    try:
        with zipfile.ZipFile(path) as file:
            settings = json.loads(file.read("data"))
            masked = "maskable" in json.dumps([settings.get("policy_class"), settings.get("rollout_buffer_class")])
    except (zipfile.BadZipFile, KeyError, ValueError, AttributeError) as error:
        raise ModelError(f"{path}: cannot be read as an archive by Stable-Baselines3 ({with_kind(error)})") from error
    if "exploration_rate" in settings:
        return DQN
    if masked:
        return MaskablePPO
    return PPO if "clip_range" in settings else A2C
