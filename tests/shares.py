"""Long lists of cases: `make test` runs a share of them, `make test-all` the rest."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def one_in(step: int, cases: Iterable[Any]) -> list[Any]:
    """The cases, for `parametrize`; all but the first and every `step`-th after it are marked as slow."""
    return [case if number % step == 0 else pytest.param(case, marks=pytest.mark.slow) for number, case in enumerate(cases)]
