"""Checkpoints made wrong: in their bytes, in the manifest, and in single values of a state whose sums are right."""

from __future__ import annotations

import hashlib
import json
import random
import tempfile
from functools import cache
from pathlib import Path

import numpy as np
from safetensors.numpy import load, save

from hansa_env.commands.progress import Progress
from hansa_env.engine.state import GAME
from hansa_training.checkpoints import FORMAT, MANIFEST, Checkpoints, read_checkpoint
from hansa_training.errors import RunError
from hansa_training.learner import Learner
from hansa_training.plan import Plan
from hansa_training.plan_file import make_plan
from hansa_training.plan_texts import toml_of
from hansa_training.ranks import ALONE
from hansa_training.resume import ARRAYS, STATE, take_up
from hansa_training.run_folder import PLAN, RunFolder
from hansa_training.state import pack, same_state, unpack
from tests.formats.mutant_models import spoil_weights
from tests.formats.mutants import Kind, TakenWrongly, bytes_changed, changed
from tests.training.tiny import TINY


@cache
def _plan() -> Plan:
    return make_plan(options=TINY | {"warm_start": "0", "self_play": "100000"})


@cache
def _whole() -> dict[str, bytes]:
    """The files of a checkpoint after some rollouts."""
    learner = Learner(_plan())
    learner.start()
    for _ in range(4):
        learner.play()
    text, arrays = pack({"learner": learner.state(), "points": []})
    learner.close()
    with tempfile.TemporaryDirectory() as folder:
        path = Checkpoints(Path(folder) / "checkpoints").save({STATE: text, ARRAYS: arrays}, {"imitated": 0, "self-play": 1})
        return {one.name: one.read_bytes() for one in path.iterdir()}


def _packed(files: dict[str, bytes]) -> bytes:
    """Files of a folder as one, as the mutants are kept."""
    return json.dumps({name: data.decode("latin-1") for name, data in files.items()}).encode()


def _state_changed(text: bytes, choose: random.Random) -> tuple[str, bytes]:
    data = json.loads(text)
    part = choose.choice([*data["learner"], None])
    owner, name = (data, "learner") if part is None else (data["learner"], part)
    inner = {"it": owner.pop(name)}
    what = changed(inner, choose)
    owner |= {name if key == "it" else key: value for key, value in inner.items()}
    return f"{name}: {what}", _text(data)


def _games_changed(arrays: dict[str, np.ndarray], choose: random.Random) -> str:
    """Some bytes of one of the games that are under way, or of a position in which games begin."""
    names = [name for name in arrays if name.endswith("/games") and arrays[name].dtype == np.uint8]
    name = choose.choice(names)
    arrays[name] = np.array(arrays[name])
    rows = arrays[name].reshape(-1, GAME.itemsize)
    row = choose.randrange(len(rows))
    places = [choose.randrange(GAME.itemsize) for _ in range(choose.randint(1, 3))]
    for place in places:
        rows[row, place] = choose.randrange(256)
    return f"{name}: bytes {places} of game {row}"


def _text(data: dict) -> bytes:
    try:
        return json.dumps(data).encode()
    except ValueError:  # more digits than Python writes
        return b'{"learner": ' + b"1" * 6000 + b"}"


def _make(choose: random.Random) -> tuple[str, bytes, None]:
    files, way = dict(_whole()), choose.random()
    if way < 0.2:
        name = choose.choice(list(files))
        what, files[name] = bytes_changed(files[name], choose)
        return f"{name}: {what}", _packed(files), None
    if way < 0.3:
        manifest = json.loads(files[MANIFEST])
        what = changed(manifest, choose)
        files[MANIFEST] = _text(manifest)
        return f"manifest: {what}", _packed(files), None
    if way < 0.4:
        arrays = load(files[ARRAYS])
        what, files[ARRAYS] = spoil_weights(arrays, choose), save(arrays)
    elif way < 0.55:
        arrays = load(files[ARRAYS])
        what, files[ARRAYS] = _games_changed(arrays, choose), save(arrays)
    else:
        what, files[STATE] = _state_changed(files[STATE], choose)
    sums = {name: hashlib.sha256(files[name]).hexdigest() for name in (STATE, ARRAYS)}
    files[MANIFEST] = json.dumps({"format": FORMAT, "note": {"imitated": 0, "self-play": 1}, "sha256": sums}).encode()
    return what, _packed(files), None


def _read(path: Path, _: None) -> None:
    files = json.loads(path.read_bytes())
    folder = path.parent / "run"
    place = folder / "checkpoints" / "000001"
    place.mkdir(parents=True, exist_ok=True)
    (folder / PLAN).write_text(toml_of(_plan()))
    for name, text in files.items():
        (place / name).write_bytes(text.encode("latin-1"))
    with RunFolder.resume(folder) as run:
        learner = take_up(run, _plan(), ALONE, Progress()).learner
        try:
            kept = read_checkpoint(place).files
            written = unpack(kept[STATE], kept[ARRAYS])["learner"]
            leagues = zip(learner.leagues.values(), written["leagues"], strict=True)
            # Others may be met from now on, so where somebody is called otherwise there is nothing to compare.
            if all(league.has_opponents_of(one) for league, one in leagues) and not same_state(learner.state(), written):
                raise TakenWrongly("it goes on from another state than is written there")
            learner.model_bytes()
            learner.play()  # to numbers or not: weights may be as large as they like
        finally:
            learner.close()


CHECKPOINTS = Kind("checkpoints", ".json", (RunError,), _make, _read, lambda: (_packed(_whole()), None))
