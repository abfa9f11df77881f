"""Archives by Stable-Baselines3 made wrong, and made to run code. Nobody has trusted them: each is refused, and not opened."""

from __future__ import annotations

import io
import json
import os
import pickle
import random
import tempfile
import zipfile
from collections.abc import Callable
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any, NoReturn
from unittest.mock import patch

from sb3_contrib import MaskablePPO

from hansa_env import Ruleset, make_agent
from hansa_env.sb3 import HansaVecEnv
from hansa_training.archive import VARIABLE
from hansa_training.errors import ModelError
from hansa_training.model_file import load_policy, load_weights
from tests.formats import mutate
from tests.formats.mutants import Kind, TakenWrongly, bytes_changed, changed, json_of
from tests.training.archives import Bomb

PAIR = Ruleset(2)
#: What opens an archive, or loads what is in it.
OPENING = ("zipfile.ZipFile", "torch.load", "pickle.loads")
#: What code in an archive leaves where it runs.
MARK = Path(tempfile.gettempdir()) / f"hansa-mutant-{os.getpid()}"


@cache
def _whole() -> bytes:
    """An archive as a user saves one."""
    saved = io.BytesIO()
    MaskablePPO("MlpPolicy", HansaVecEnv(1, PAIR), n_steps=8, batch_size=8, device="cpu").save(saved)
    return saved.getvalue()


def _files(archive: bytes) -> list[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(archive)) as file:
        return [(name, file.read(name)) for name in file.namelist()]


def _packed(files: list[tuple[str, bytes]], how: int = zipfile.ZIP_STORED) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", how) as file:
        for name, data in files:
            file.writestr(zipfile.ZipInfo(name), data, how)  # at no time, so that the same files give the same bytes
    return packed.getvalue()


def _data_changed(data: bytes, choose: random.Random) -> tuple[str, bytes]:
    """The settings of the model, changed as JSON; or with a bomb for one of the objects in them, or for all."""
    settings = json.loads(data)
    if choose.random() < 0.5:
        return f"data: {changed(settings, choose)}", json_of(settings).encode("utf-8", "surrogatepass")
    bomb = Bomb(MARK).as_text()
    places = [path for path in mutate.places(settings) if path[-1] == ":serialized:"]
    for path in places if choose.random() < 0.5 else [choose.choice(places)]:
        mutate.put(settings, path, bomb)
    return "data: a bomb", json.dumps(settings).encode()


def _make(choose: random.Random) -> tuple[str, bytes, bool]:
    archive, way = _whole(), choose.random()
    files, number = _files(archive), choose.randrange(6)
    name, data = files[number]
    if way < 0.2:
        return *bytes_changed(archive, choose), False
    if way < 0.5:
        if name == "data" or choose.random() < 0.5:
            (number,) = (number for number, (name, _) in enumerate(files) if name == "data")
            what, changed_data = _data_changed(files[number][1], choose)
        elif choose.random() < 0.5:
            what, changed_data = f"{name}: a bomb", pickle.dumps(Bomb(MARK))
        else:
            what, changed_data = bytes_changed(data or b"?", choose)
        files[number] = (files[number][0], changed_data)
        return what, _packed(files), False
    ways: dict[str, Callable[[], bytes]] = {
        "gone": lambda: _packed(files[:number] + files[number + 1 :]),
        "renamed": lambda: _packed([*files[:number], (choose.choice(("../data", "/data", "", "x" * 5000)), data)]),
        "large": lambda: _packed([*files, (name + "x", bytes(2**20))], zipfile.ZIP_DEFLATED),
        "twice": lambda: archive + archive,
        "after other bytes": lambda: choose.randbytes(100) + archive,
        "with a word behind": lambda: archive + b"word",
        "a bomb alone": lambda: pickle.dumps(Bomb(MARK)),
        "whole": lambda: archive,
        "of no files": lambda: _packed([]),
    }
    how = choose.choice(list(ways))
    return how, ways[how](), False


def _opened(*_: Any, **__: Any) -> NoReturn:
    raise TakenWrongly("it was opened without trust")


def _read(path: Path, trust: bool) -> None:
    """By every way to a model, and under another name."""
    if trust:
        load_policy(path, PAIR, trust=True)
        return
    renamed = path.with_suffix(".safetensors")
    renamed.write_bytes(path.read_bytes())
    asked: list[Callable[[], object]] = [
        lambda: make_agent(f"ppo:{path}", PAIR), lambda: make_agent(f"ppo:{path}:sample", PAIR), lambda: load_weights(path),
    ]  # fmt: skip
    refused = [_refusal(ask, (*OPENING, "zipfile.is_zipfile")) for ask in asked]
    refused.append(_refusal(lambda: load_policy(renamed, PAIR), OPENING))
    if MARK.exists():
        MARK.unlink()
        raise TakenWrongly("code in it was run")
    raise max(refused, key=lambda error: (len(str(error).splitlines()), len(str(error))))


def _refusal(ask: Callable[[], object], opening: tuple[str, ...]) -> ModelError:
    with ExitStack() as untrusted:
        for function in opening:
            untrusted.enter_context(patch(function, _opened))
        untrusted.enter_context(patch.dict(os.environ))
        os.environ.pop(VARIABLE, None)
        try:
            ask()
        except ModelError as error:
            return error
    raise TakenWrongly("it was taken")


ARCHIVES = Kind("archives", ".zip", (ModelError,), _make, _read, lambda: (_whole(), True))
