"""Long lists of cases: `make test` runs a share of them, `make test-all` the rest."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def one_in(step: int, cases: Iterable[Any]) -> list[Any]:
    """The cases, for `parametrize`, a tuple for several arguments; all but the first and every `step`-th after it are slow."""
    return [case if number % step == 0 else slow(case) for number, case in enumerate(cases)]


def slow(case: Any) -> Any:
    return pytest.param(*case if isinstance(case, tuple) else (case,), marks=pytest.mark.slow)
