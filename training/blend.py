"""One network out of several: the mean of their weights, by shares (model soups, Wortsman et al. 2022).

It works for networks that began as the same one: a specialist and the network that it was made from, or several branches of a
run. What each learned beside the others mostly adds up; what it forgot comes back.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from torch import Tensor

from hansa_env import Ruleset
from hansa_training.agent import is_shipped, shipped_network, shipped_policy
from hansa_training.errors import ModelError
from hansa_training.model_file import load_weights, model_bytes
from hansa_training.networks import policy_of, weights_of

#: By how much the sum of the shares may differ from 1.
NEARLY = 1e-6


def parse_share(text: str) -> tuple[Path, float]:
    """The model and its share in MODEL=SHARE. Raises `ModelError`."""
    model, _, number = text.rpartition("=")
    try:
        share = float(number)
    except ValueError:
        share = math.nan
    if not model or not math.isfinite(share):
        raise ModelError(f"{text!r} is no model with its share; expected MODEL=SHARE, such as runs/ppo=0.7")
    return Path(model.removeprefix("ppo:")), share  # as the agent is named elsewhere


def blended(models: Sequence[tuple[Path, float]]) -> tuple[bytes, Ruleset]:
    """A model file whose weights are the mean of others', each with its share, and the ruleset that they all play.

    Args:
        models: model files or folders of runs, of one ruleset and one kind and size of network, and the share of each, above 0;
            the shares sum to 1. "ppo", "1" or a yardstick stands for the project's own network for the ruleset of the others.

    Raises:
        ModelError: a model cannot be read, they do not fit each other, or the shares are wrong.
    """
    shares = [share for _, share in models]
    if len(models) < 2 or not all(share > 0 for share in shares) or abs(math.fsum(shares) - 1) > NEARLY:
        given = " ".join(f"{share:g}" for share in shares)
        raise ModelError(f"the shares are {given or 'missing'}; expected at least two, each above 0, that sum to 1")
    files = [path for path, _ in models if not _comes_with_project(path)]
    if not files:
        named = " ".join(str(path) for path, _ in models)
        raise ModelError(
            f"{named}: the project has a network for each game; expected a model file or a run's folder among them, whose game "
            "is meant"
        )
    first, (ruleset, network, _) = files[0], load_weights(files[0])
    mean: dict[str, Tensor] = {}
    for path, share in models:
        other, of_other, weights = _own_weights(path, ruleset) if _comes_with_project(path) else load_weights(path)
        if other != ruleset:
            raise ModelError(f"{path}: trained for {other}; expected {ruleset}, as {first} was")
        if of_other != network:
            raise ModelError(f"{path}: its network is {of_other!s:.200}; expected that of {first}, {network!s:.200}")
        for name, one in weights.items():
            part = share * one.double()
            mean[name] = mean[name] + part if name in mean else part
    policy = policy_of(ruleset, network, {name: one.float() for name, one in mean.items()})
    return model_bytes(policy, ruleset, network), ruleset


def _comes_with_project(path: Path) -> bool:
    return str(path) == "ppo" or is_shipped(path)


def _own_weights(path: Path, ruleset: Ruleset) -> tuple[Ruleset, dict[str, Any], dict[str, Tensor]]:
    """As `load_weights`, of a network that comes with the project. Raises `ModelError`."""
    which = "" if str(path) == "ppo" else str(path)
    return ruleset, shipped_network(ruleset, which).network, weights_of(shipped_policy(ruleset, which))
