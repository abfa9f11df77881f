"""Datasets as those of Minari: an episode for each seat of each game, as `hansa/HansaTeutonica-v0` would have told it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import gymnasium
import minari
import numpy as np
from minari import MinariDataset
from minari.data_collector import EpisodeBuffer
from minari.dataset.minari_dataset import parse_dataset_id
from minari.storage.datasets_root_dir import get_dataset_path

from hansa_env.api.registration import SINGLE_SEAT_ID
from hansa_env.play.dataset import Dataset, Episode
from hansa_env.ruleset import Ruleset
from hansa_env.version import __version__


def check_dataset_id(dataset_id: str) -> None:
    """Raises ValueError: Minari can call no dataset that, or has one of that name."""
    try:
        parse_dataset_id(dataset_id)
    except (ValueError, TypeError):  # the latter of a name without a version
        expected = "expected letters, digits, - and _, then a version, such as hansa/expert-v0"
        raise ValueError(f"Minari can call no dataset {dataset_id!r:.80}; {expected}") from None
    if get_dataset_path(dataset_id).exists():
        raise ValueError(f"Minari has a dataset {dataset_id} already; name another, or another version")


def to_minari(
    data: Dataset, dataset_id: str, *, into: MinariDataset | None = None, algorithm_name: str | None = None,
    description: str | None = None, author: str | None = None, code_permalink: str | None = None,
) -> MinariDataset:  # fmt: skip
    """Write a dataset where Minari keeps those of this machine (`MINARI_DATASETS_PATH`), or add it to one.

    Observations are {"observation": (T + 1, D) int8, "action_mask": (T + 1, A) int8}, the mask all 0 at the end; infos "seat"
    and, where agents were asked, "policy" (T + 1, A) and "value" (T + 1,), the last row of which says nothing. Rewards are
    those of `reward="win"`, paid where an episode terminates; one of a game that its record leaves open is truncated and has
    none. The environment that Minari recovers plays the same ruleset with opponents of its own.

    Args:
        data: of one ruleset.
        dataset_id: as Minari names them: "hansa/expert-v0".
        into: what an earlier call gave, of the same ruleset: the episodes go behind those that it has.
        algorithm_name, description, author, code_permalink: for the metadata.

    Raises:
        ValueError: as `check_dataset_id`; or `into` is of another ruleset, and has not been changed.
    """
    if into is None:
        check_dataset_id(dataset_id)
    elif (others := Ruleset.from_config(into.env_spec.kwargs)) != data.ruleset:
        raise ValueError(f"the data is of {data.ruleset}, but {into.id} is of {others}; make a dataset of each")
    episodes = [_buffer(one) for one in data.episodes()]
    if into is not None:
        into.update_dataset_from_buffer(episodes)
        return into
    env = gymnasium.make(SINGLE_SEAT_ID, **data.ruleset.options, mask_in_observation=True, disable_env_checker=True)
    try:
        return minari.create_dataset_from_buffers(
            dataset_id, episodes, env=env, algorithm_name=algorithm_name, description=description, author=author,
            code_permalink=code_permalink, requirements=[f"hansa-env=={__version__}"],
        )  # fmt: skip
    finally:
        env.close()


def parts_to_minari(paths: Iterable[Path], dataset_id: str, **about: str | None) -> None:
    """Write the files of one dataset in parts as one of Minari; `about` is for the metadata, as in `to_minari`.

    Raises:
        ValueError: as `to_minari`. RecordError, OSError: as `Dataset.load`. There is no dataset then.
    """
    found: MinariDataset | None = None
    try:
        for path in paths:
            found = to_minari(Dataset.load(path), dataset_id, into=found, **about)
    except BaseException:
        if found is not None:
            minari.delete_dataset(dataset_id)
        raise


def _buffer(episode: Episode) -> EpisodeBuffer:
    data, rows = episode.data, episode.rows
    infos: dict[str, np.ndarray] = {"seat": np.full(len(rows) + 1, episode.seat, np.int64)}
    if len(data.values):
        infos |= {"policy": _with_end(data.policies[rows]), "value": _with_end(data.values[rows])}
    seen = {"observation": episode.observations, "action_mask": _with_end(data.action_masks[rows].astype(np.int8))}
    return EpisodeBuffer(
        observations=seen,
        actions=data.actions[rows].astype(np.int64),
        rewards=data.rewards[rows].astype(np.float64),
        terminations=data.terminations[rows],
        truncations=data.truncations[rows],
        infos=infos,
    )


def _with_end(array: np.ndarray) -> np.ndarray:
    """With a row of zeros behind, for the position at the end."""
    return np.concatenate([array, np.zeros_like(array[:1])])
