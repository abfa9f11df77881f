"""The head of a model's card, as the Hugging Face Hub reads it: YAML between two lines of dashes.

Every value is written as JSON, which YAML takes as it is.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from hansa_agents.networks import stem
from hansa_training.plan import Plan


def front_matter(plan: Plan, final: Sequence[dict[str, Any]], among_it: Sequence[dict[str, Any]] = ()) -> list[str]:
    """The lines before a card's title: licence, library, tags, and as results the win shares of both directions.

    Args:
        plan: by which the model was trained.
        final: its results as one among several of each opponent, as a run's `result.json` has them.
        among_it: those of each opponent as one among several of it.
    """
    others = plan.players - 1
    alone = [(f"one among {others} {line['opponent']} ({line['actions']} actions)", "win share", line) for line in final]
    held = [
        (f"one {line['opponent']} among {others} copies of it", f"win share of {line['opponent']}", line) for line in among_it
    ]
    results = [
        {
            "task": {"type": "reinforcement-learning", "name": "Hansa Teutonica"},
            "dataset": {"name": table, "type": plan.ruleset.by_option},
            "metrics": [{"type": "win_share", "name": whose, "value": line["share"]}],
        }
        for table, whose, line in [*alone, *held]
    ]
    head: dict[str, Any] = {
        "license": "mit", "library_name": "hansa-env", "pipeline_tag": "reinforcement-learning",
        "tags": ["reinforcement-learning", "self-play", "ppo", "board-games", "hansa-teutonica", plan.ruleset.board],
        "model-index": [{"name": f"hansa-{stem(plan.ruleset)}", "results": results}],
    }  # fmt: skip
    return ["---", *(f"{name}: {json.dumps(value)}" for name, value in head.items()), "---", ""]
