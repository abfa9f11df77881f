"""Datasets made wrong: in their bytes, in what they say of themselves, in the form of an array, in one of its values.

Values are changed to what no decision can have beside the others; what another game might have had cannot be told.
"""

from __future__ import annotations

import io
import json
import random
import tempfile
import zipfile
from functools import cache
from pathlib import Path

import numpy as np

from hansa_agents.arena import play_game
from hansa_env import Ruleset, make_agent
from hansa_env.engine.view.observation import observation_high
from hansa_env.formats import RecordError
from hansa_env.play.dataset import Dataset, dataset_of
from tests.formats.mutants import Kind, TakenWrongly, bytes_changed, changed, given_twice, same

PAIR = Ruleset(2)
Arrays = dict[str, np.ndarray]
TEXTS = ("about", "agents")


@cache
def _whole() -> bytes:
    """A dataset of two games."""
    games = [play_game(["greedy", "random"], PAIR, seed) for seed in (1, 2)]
    made = dataset_of([game.record() for game in games], agents={"greedy": make_agent("greedy", PAIR)})
    assert all(len(set(row[:, -1])) == 2 for row in made.scores), "no game ends in a tie, of which ranks could be others"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "d.npz"
        made.save(path)
        return path.read_bytes()


def _arrays() -> Arrays:
    with np.load(io.BytesIO(_whole())) as file:
        return dict(file)


def _form(arrays: Arrays, choose: random.Random) -> str:
    """An array of another form, name or type."""
    name = choose.choice(list(arrays))
    array = arrays[name]
    ways = {
        "gone": None, "of another type": array.astype("U3" if name not in TEXTS else "S3000"), "of more axes": array[None],
        "of objects": array.astype(object), "of two bytes more": np.array([array.tobytes()]),
    }  # fmt: skip
    if array.ndim:
        whole = np.nan_to_num(array)  # what is unknown is no whole number
        ways |= {"one shorter": array[:-1], "one longer": np.concatenate([array, array[-1:]]), "empty": array[:0],
                 "flat": array.reshape(-1, 1, 1), "of int64": whole.astype(np.int64), "of float": array.astype(np.float32),
                 "swapped bytes": whole.astype(">i4")}  # fmt: skip
    if array.ndim > 1:
        ways |= {"one narrower": array[:, :-1], "one wider": np.concatenate([array, array[:, :1]], 1),
                 "turned": array.swapaxes(0, 1)}  # fmt: skip
    if name in ("players", "last"):
        del ways["turned"]  # two games of two seats: who played, and saw, what might as well be so
    how = choose.choice(list(ways))
    if ways[how] is None:
        del arrays[name]
    else:
        arrays[name] = ways[how]
    if choose.random() < 0.1:
        arrays["atlantis"] = array
    return f"{name} {how}"


def _value(arrays: Arrays, choose: random.Random) -> str:
    """One value that cannot be."""
    name = choose.choice([name for name in arrays if name not in TEXTS])
    array = arrays[name]
    place: tuple[int, ...] = tuple(choose.randrange(length) for length in array.shape)
    if name == "observations":
        high = int(observation_high(PAIR)[place[1]])
        value = choose.choice([-1, -128, *([high + 1, 127] if high < 127 else [])])
    elif name == "action_masks":
        action = int(arrays["actions"][place[0]])
        place = place[0], action // 8
        value = int(array[place]) & ~(128 >> action % 8)  # what was chosen is forbidden
    elif name == "actions":
        mask = np.unpackbits(arrays["action_masks"][place[0]])
        value = choose.choice([-1, -32768, 32767, *np.flatnonzero(mask == 0).tolist()])
    elif name == "seats":
        value = choose.choice([-1, 2, 100, 127])
    elif name == "games":
        value = choose.choice([-1, 2, 2**31 - 1])
    elif name == "scores":
        value = int(array[place]) + choose.choice([-1, 1, 10_000])
    elif name == "ranks":
        value = int(array[place]) + choose.choice([-1, 1, 2, 100])
    elif name == "last":
        high = int(observation_high(PAIR)[place[2]])
        value = choose.choice([-1, -128, *([high + 1, 127] if high < 127 else [])])
    elif name == "players":
        value = choose.choice([-2, 2, 1000])
    elif name == "policies":
        value = choose.choice([-0.5, 1.5, float("nan"), float("inf"), 0.3])
    elif name == "values":
        value = choose.choice([-0.5, 1.5, float("inf"), -float("inf")])
    else:
        array, value = array.view(np.uint8), choose.choice([2, 255])
    array[place] = value
    return f"{name} {place} = {value}"


def _about(arrays: Arrays, choose: random.Random) -> str:
    """What it says of itself is another thing, or stands twice."""
    about = json.loads(str(arrays["about"]))
    if choose.random() < 0.2:
        arrays["about"] = np.array(given_twice(about, choose))
        return "about: a field twice"
    before = json.loads(json.dumps(about))
    while same(about, before):
        what = changed(about, choose)
    text = str(about) if choose.random() < 0.05 else json.dumps(about, default=str) if _writable(about) else "1" * 6000
    arrays["about"] = np.array(text)
    return f"about: {what}"


def _writable(data: object) -> bool:
    try:
        text = json.dumps(data)
    except ValueError:
        return False
    return text.isascii() and "\\u0000" not in text


def headers_changed(archive: bytes, choose: random.Random) -> tuple[str, bytes]:
    """An archive of arrays, one of which says in its header that it is of another, also enormous, size."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as file, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as other:
        wrong = choose.choice(file.namelist())
        sizes = choose.choice(["(10000000000000,)", "(1000000000, 1000)", "(-1,)", "()", "(1,)", "(2.0,)", "1", "'x'"])
        for name in file.namelist():
            data = file.read(name)
            if name == wrong:
                header = f"{{'descr': '|i1', 'fortran_order': False, 'shape': {sizes}, }}".encode()
                data = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + data[128:]
            other.writestr(name, data)
            if choose.random() < 0.02:
                other.writestr(f"{name}.txt", data)
    return f"{wrong} says that its shape is {sizes}", made.getvalue()


def _make(choose: random.Random) -> tuple[str, bytes, bool]:
    way = choose.random()
    if way < 0.3:
        return *bytes_changed(_whole(), choose), True
    if way < 0.4:
        return *headers_changed(_whole(), choose), False
    arrays = _arrays()
    what = choose.choice((_form, _value, _value, _about))(arrays, choose)
    made = io.BytesIO()
    np.savez_compressed(made, **arrays)
    return what, made.getvalue(), False


def _read(path: Path, bytes_only: bool) -> None:
    found = Dataset.load(path)
    if not bytes_only:
        raise TakenWrongly("no games come to it")
    for name, array in _arrays().items():
        if name in TEXTS:
            continue
        taken = np.packbits(found.action_masks, 1) if name == "action_masks" else getattr(found, name)
        if not np.array_equal(array, taken, equal_nan=array.dtype.kind == "f"):
            raise TakenWrongly(f"{name} was read otherwise than it was written")


DATASETS = Kind("datasets", ".npz", (RecordError,), _make, _read, lambda: (_whole(), True))
