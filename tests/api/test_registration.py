"""The environments are known to Gymnasium and PettingZoo whichever is imported first, and neither is imported for that."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import gymnasium
import pettingzoo
import pytest

from hansa_env.api import registration

#: What is loaded with `hansa_env` alone, and what is known once the libraries are; they are imported after it.
AFTER = f"""
import sys
import hansa_env
print(sorted({{"gymnasium", "pettingzoo", "pydantic", "torch"}} & set(sys.modules)))
from gymnasium.envs.registration import registry
import pettingzoo
print({registration.SINGLE_SEAT_ID!r} in registry, {registration.AEC_ID!r} in pettingzoo.aec_registry)
"""


def test_libraries_that_come_later_know_the_environments() -> None:
    done = subprocess.run([sys.executable, "-c", AFTER], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\nTrue True\n"


def test_libraries_that_are_there_are_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(gymnasium.registry, registration.SINGLE_SEAT_ID)
    monkeypatch.delitem(pettingzoo.aec_registry, registration.AEC_ID)
    finders = list(sys.meta_path)
    registration.register_environments()
    spec = gymnasium.registry[registration.SINGLE_SEAT_ID]
    assert spec.entry_point == "hansa_env.api.gymnasium:HansaTeutonicaEnv" and registration.AEC_ID in pettingzoo.aec_registry
    registration.register_environments()
    assert gymnasium.registry[registration.SINGLE_SEAT_ID] is spec, "a second time changes nothing"
    assert sys.meta_path == finders, "there is nothing to wait for"


def test_a_module_that_is_waited_for_is_imported_whole_before_anything_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "awaited_library.py").write_text("registry = {}\n")
    monkeypatch.syspath_prepend(tmp_path)
    done: list[dict] = []
    waiting = {
        name: lambda: done.append(sys.modules["awaited_library"].registry) for name in ("awaited_library", "no_such_one")
    }
    monkeypatch.setattr(sys, "meta_path", [registration._Later(waiting), *sys.meta_path])
    assert find_spec("awaited_library") is not None and done == [], "it was only looked for"
    with pytest.raises(ModuleNotFoundError):
        import_module("no_such_one")
    try:
        import_module("awaited_library")
    finally:
        sys.modules.pop("awaited_library", None)
    assert done == [{}]
