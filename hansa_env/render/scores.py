"""Which columns of the scores are shown."""

from __future__ import annotations

from hansa_env.engine.rules.scoring import score_columns
from hansa_env.ruleset import Ruleset


def columns_shown(ruleset: Ruleset) -> dict[str, int]:
    """The columns in which games of the ruleset give points, with their places among `score_columns`: regions need countries,
    missions their cards."""
    idle = {"regions": not ruleset.board_data.regions, "mission": not ruleset.missions}
    return {name: place for place, name in enumerate(score_columns(ruleset)) if not idle.get(name, False)}
