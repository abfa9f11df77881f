"""The head of a model's card, as the Hugging Face Hub reads it: YAML between two lines of dashes.

Every value is written as JSON, which YAML takes as it is.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from hansa_agents.networks import stem
from hansa_training.plan import Plan


def front_matter(plan: Plan, final: Sequence[dict[str, Any]]) -> list[str]:
    """The lines before a card's title: licence, library, tags, and the win shares among opponents as results.

    Args:
        plan: by which the model was trained.
        final: its results against opponents, as a run's `result.json` has them.
    """
    game = plan.ruleset.by_option
    results = [
        {
            "task": {"type": "reinforcement-learning", "name": "Hansa Teutonica"},
            "dataset": {"name": f"one among {_others(line, plan)} ({line['actions']} actions)", "type": game},
            "metrics": [{"type": "win_share", "name": "win share", "value": round(line["share"], 3)}],
        }
        for line in final
    ]
    head: dict[str, Any] = {
        "license": "mit", "library_name": "hansa-env", "pipeline_tag": "reinforcement-learning",
        "tags": ["reinforcement-learning", "self-play", "ppo", "board-games", "hansa-teutonica", plan.ruleset.board],
        "model-index": [{"name": f"hansa-{stem(plan.ruleset)}", "results": results}],
    }  # fmt: skip
    return ["---", *(f"{name}: {json.dumps(value)}" for name, value in head.items()), "---", ""]


def _others(line: dict[str, Any], plan: Plan) -> str:
    return f"{plan.players - 1} {line['opponent']}"
