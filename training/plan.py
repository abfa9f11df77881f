"""What a run does, checked before anything is done; `hansa_training.plan_file` reads it from files and options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import model_validator

from hansa_training.plan_checks import check_that_it_fits_together
from hansa_training.plan_options import PlanOptions


class Plan(PlanOptions):
    """Every option of a run, of which it is known that they fit together.

    A plan may come from anywhere, so what a run keeps in memory, or goes on for, has a limit.
    """

    @model_validator(mode="before")
    @classmethod
    def _needs_no_warm_start(cls, values: Any) -> Any:
        """Weights that are given need none, unless it is asked for."""
        if isinstance(values, Mapping) and values.get("start"):
            return {"warm_start": 0} | dict(values)
        return values

    @model_validator(mode="after")
    def _fits_together(self) -> Plan:
        check_that_it_fits_together(self)
        return self


#: What may differ between the parts of one run: how long it is, whom it meets from now on, where and how it is kept; not how it
#: learns.
CHANGEABLE = (
    "self_play", "minutes", "teacher", "opponents", "rivals", "eval_opponents", "final_games", "checkpoint_every", "keep_every",
    "threads", "device", "watch",
)  # fmt: skip
#: Those of them on which no figure of a result depends.
IN_NO_FIGURE = ("checkpoint_every", "keep_every", "threads", "watch")
