"""Where compiled code is kept, of the places that SECURITY.md names."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from hansa_env.engine import code_folders, compile


@pytest.fixture
def own_kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """A module of somebody's own; what the test holds of its code is let go afterwards."""
    source = tmp_path / "package" / "own_kernels.py"
    source.parent.mkdir()
    source.write_text("def twice(number):\n    return 2 * number\n")
    spec = importlib.util.spec_from_file_location("own_kernels", source)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(code_folders, "_held", {})
    yield module
    for file in code_folders._held.values():
        os.close(file)


@pytest.mark.parametrize(("user_cache", "variable", "place"), [
    (True, False, "user"), (False, False, "package/__pycache__"), (True, True, "named"), (False, True, "named"),
])  # fmt: skip
def test_code_is_kept_in_the_users_cache_or_else_beside_the_sources_or_where_the_variable_says(
    user_cache: bool, variable: bool, place: str, own_kernels: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")  # where the user's cache would be: so not even root can write it
    for name in ("HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / ("user" if user_cache else "file")))
    monkeypatch.setattr(compile.config, "CACHE_DIR", str(tmp_path / "named") if variable else "")
    assert compile.compiled_and_kept(own_kernels.twice)(21) == 42
    kept = list(tmp_path.rglob("own_kernels.twice-*.nbi"))
    assert len(kept) == 1 and kept[0].is_relative_to(tmp_path / place), kept
