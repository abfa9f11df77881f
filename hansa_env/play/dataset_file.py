"""The file of a dataset, checked: sizes before anything is made, then every value against the ruleset and the others."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from hansa_env.engine.action_space import fingerprint, num_actions
from hansa_env.engine.rules.scoring import TOTAL, score_columns
from hansa_env.engine.view.observation import (
    observation_fields,
    observation_fingerprint,
    observation_high,
    observation_size,
)
from hansa_env.formats.arrays import Arrays, arrays_in
from hansa_env.formats.errors import LONGEST_NAME, RecordError, shown
from hansa_env.formats.json_text import parse_json
from hansa_env.play.result import are_places, ranks_fit
from hansa_env.ruleset import Ruleset

FORMAT = "hansa-dataset/4"
#: Bytes that the arrays of a file may take: about ten thousand games.
LARGEST = 8 * 2**30
NAMES = (
    "observations", "action_masks", "actions", "seats", "games", "scores", "ranks", "ended", "last", "players", "policies",
    "values", "deals",
)  # fmt: skip
#: Names of agents.
MOST_AGENTS = 400
#: Decisions that are checked at a time.
_ROWS = 65_536
_TOLERANCE = 0.02


def about_dataset(ruleset: Ruleset) -> dict:
    """What a file says of itself."""
    return {"format": FORMAT, "ruleset": ruleset.config, "fingerprint": fingerprint(ruleset),
            "observation_fingerprint": observation_fingerprint(ruleset)}  # fmt: skip


def read_dataset(path: Path, largest: int) -> tuple[Ruleset, tuple[str, ...], dict[str, np.ndarray]]:
    """The ruleset, the names of agents and the arrays in a file. Raises RecordError, OSError, as `Dataset.load` says."""
    if path.is_dir():
        raise RecordError(f"{path} is a folder; expected a file, as `hansa dataset` writes it (minari opens its own)")
    with arrays_in(path, {*NAMES, "about", "agents"}) as file:
        ruleset = _ruleset(path, parse_json(file.text("about"), "description"))
        agents = _agents(parse_json(file.text("agents"), "list of agents"))
        _check_sizes(path, file, ruleset, largest)
        arrays = {name: file.array(name) for name in NAMES}
    for problem in _problems(ruleset, arrays, len(agents)):
        raise RecordError(f"{path}: {problem}")
    arrays["action_masks"] = _unpacked(arrays["action_masks"], ruleset)
    return ruleset, agents, arrays


def _agents(names: object) -> tuple[str, ...]:
    """Names of agents: texts, each once, in order."""
    if not isinstance(names, list) or len(names) > MOST_AGENTS or not all(isinstance(name, str) for name in names):
        raise ValueError(f"agents are {shown(names)}; expected a list of at most {MOST_AGENTS} names")
    if names != sorted(set(names)) or any(len(name) > LONGEST_NAME for name in names):
        raise ValueError(f"agents are {shown(names)}; expected names of at most {LONGEST_NAME} characters in order, each once")
    return tuple(names)


def _ruleset(path: Path, about: object) -> Ruleset:
    if not isinstance(about, dict) or not isinstance(about.get("ruleset"), dict):
        raise ValueError(f"it says of itself {shown(about)}; expected an object with a ruleset")
    ruleset = Ruleset.from_config(about["ruleset"])
    wanted = about_dataset(ruleset)
    if any(about.get(name) != wanted[name] for name in ("format", "fingerprint", "observation_fingerprint")):
        raise RecordError(
            f"{path}: was made by another version of datasets, actions or observations; make it anew, from its records or by "
            "`hansa collect` into another folder"
        )
    if json.dumps(about, sort_keys=True) != json.dumps(wanted, sort_keys=True):
        raise ValueError(f"it says of itself what is not so; expected {json.dumps(wanted)}")
    return ruleset


def _check_sizes(path: Path, file: Arrays, ruleset: Ruleset, largest: int) -> None:
    """That arrays have the types and lengths that go together, and are not too large to be made."""
    players, actions = ruleset.players, num_actions(ruleset)
    (decisions,) = file.shape("actions", np.int16, (None,))
    (games,) = file.shape("ended", np.bool_, (None,))
    file.shape("observations", np.int8, (decisions, observation_size(ruleset)))
    file.shape("action_masks", np.uint8, (decisions, -(-actions // 8)))
    file.shape("seats", np.int8, (decisions,))
    file.shape("games", np.int32, (decisions,))
    file.shape("scores", np.int16, (games, players, len(score_columns(ruleset))))
    file.shape("ranks", np.int8, (games, players))
    file.shape("last", np.int8, (games, players, observation_size(ruleset)))
    file.shape("players", np.int16, (games, players))
    file.shape("deals", np.uint64, (games,))
    (asked,) = file.shape("values", np.float16, (None,))
    if asked not in (0, decisions):
        raise ValueError(f"values are of {asked} decisions; expected none, or all {decisions}")
    file.shape("policies", np.float16, (asked, actions))
    per_seat = 2 * len(score_columns(ruleset)) + 3 + observation_size(ruleset)
    size = decisions * (observation_size(ruleset) + actions + 7) + games * (players * per_seat + 9) + asked * (2 * actions + 2)
    if size > largest:
        raise RecordError(
            f"{path}: {decisions:,} decisions of {games:,} games take {size:,} bytes, and at most {largest:,} are read; if it "
            f"is your own, Dataset.load(path, largest={size})"
        )


def _problems(ruleset: Ruleset, arrays: Mapping[str, np.ndarray], agents: int) -> Iterator[str]:
    """What no games of the ruleset come to."""
    games = arrays["games"]
    if len(games) and (games[0] < 0 or games[-1] >= len(arrays["ended"]) or (np.diff(games) < 0).any()):
        yield f"games are {games.min()} to {games.max()}; expected 0 to {len(arrays['ended']) - 1}, game by game"
    for first in range(0, len(games), _ROWS):
        yield from _problems_of_decisions(ruleset, arrays, slice(first, first + _ROWS))
    if (arrays["ended"].view(np.uint8) > 1).any():
        yield "ended has values beside true and false"
    scores, ranks = arrays["scores"], arrays["ranks"]
    totals = scores[:, :, TOTAL].astype(np.int64)
    if (scores < 0).any() or (scores[:, :, :TOTAL].sum(2, dtype=np.int64) != totals).any():
        yield "scores are below 0, or a total is not the sum of the rest"
    if not are_places(ranks).all():
        yield "ranks are no places; expected 0 for the first, ties sharing the better place"
    elif not ranks_fit(ranks, totals).all():
        yield "ranks are not those of the totals"
    players, last = arrays["players"], arrays["last"]
    if (players < -1).any() or (players >= agents).any():
        yield f"players has {players.min()} to {players.max()}; expected -1 to {agents - 1}, the place of an agent"
    if ((last < 0) | (last > observation_high(ruleset))).any():
        yield "last has entries beyond what its fields can be"
    asked = _by_field(ruleset, last)["question"]
    if (asked.sum(2) != 1).any() or (asked[:, :, -1] != arrays["ended"][:, None]).any():
        yield "last is not of the end of games that ended, and of one question each in others"


def _by_field(ruleset: Ruleset, observations: np.ndarray) -> dict[str, np.ndarray]:
    """Observations (..., D) by field, (..., its size) each."""
    return {field.name: observations[..., field.start : field.start + field.size] for field in observation_fields(ruleset)}


def _problems_of_decisions(ruleset: Ruleset, arrays: Mapping[str, np.ndarray], rows: slice) -> Iterator[str]:
    players, actions = ruleset.players, num_actions(ruleset)
    observations, masks, chosen, seats = (arrays[name][rows] for name in ("observations", "action_masks", "actions", "seats"))
    for name, values, most in (("actions", chosen, actions), ("seats", seats, players)):
        wrong = (values < 0) | (values >= most)
        if wrong.any():
            place = int(wrong.argmax())
            yield f"{name} has {values[place]} at decision {rows.start + place}; expected 0 to {most - 1}"
            return
    whole = _unpacked(masks, ruleset)
    if (np.packbits(whole, axis=1) != masks).any():
        yield "action_masks goes on behind the last action"
    illegal = ~whole[np.arange(len(chosen)), chosen]
    if illegal.any():
        yield f"actions has {chosen[illegal.argmax()]} at decision {rows.start + int(illegal.argmax())}, which the mask forbids"
    beyond = ((observations < 0) | (observations > observation_high(ruleset))).any(1)
    if beyond.any():
        yield f"observations of decision {rows.start + int(beyond.argmax())} has entries beyond what its fields can be"
    seen = _by_field(ruleset, observations)
    if (seen["question"].sum(1) != 1).any() or seen["question"][:, -1].any():
        yield "observations are not of one question each"
    if (seen["decider"][:, 0] != 1).any() or seen["decider"][:, 1:].any() or (seen["turn"].sum(1) != 1).any():
        yield "observations are not of the seats that decide"
    if len(arrays["values"]):
        yield from _problems_of_estimates(arrays["policies"][rows], arrays["values"][rows], whole, rows.start)


def _problems_of_estimates(policies: np.ndarray, values: np.ndarray, masks: np.ndarray, first: int) -> Iterator[str]:
    """`Estimate` says what policies and values can be; float16 keeps about three digits."""
    sums = policies.sum(1, dtype=np.float32)
    odd = ~((policies >= 0) & (policies <= 1)).all(1) | (policies.astype(bool) & ~masks).any(1)
    odd |= (sums != 0) & ~(abs(sums - 1) < _TOLERANCE)
    if odd.any():
        yield f"policies of decision {first + int(odd.argmax())} are no shares of its legal actions that sum to 1, or all 0"
    beyond = ~(np.isnan(values) | ((values >= 0) & (values <= 1)))
    if beyond.any():
        yield f"values has {values[beyond.argmax()]} at decision {first + int(beyond.argmax())}; expected 0 to 1, or NaN"


def _unpacked(masks: np.ndarray, ruleset: Ruleset) -> np.ndarray:
    return np.unpackbits(masks, axis=1, count=num_actions(ruleset)).view(np.bool_)
