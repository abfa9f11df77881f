"""What an agent thinks of a position, in words."""

from __future__ import annotations

from hansa_env.render.words import decision_as_order
from hansa_env.ruleset import Ruleset


def estimate_in_words(ruleset: Ruleset, asked: str, estimate: dict) -> list[str]:
    """An estimate as records keep it, in lines: each decision with its share, then the share of the win that is expected.

    Args:
        ruleset: of the game.
        asked: the question at which the decisions would be taken.
        estimate: {"likeliest": [[decision, share, value or null], ...], "value": share or null}, with "seats" or not.
    """
    lines = []
    for text, share, value in estimate["likeliest"]:
        then = "" if value is None else f", to win {percent(value)}"
        lines.append(f"{percent(share):>5}  {decision_as_order(ruleset, asked, text)}{then}")
    if estimate["value"] is not None:
        lines.append(f"expects to win {percent(estimate['value'])} of such games")
    if estimate.get("seats") is not None:
        lines.append(f"gives of the win {', '.join(f'seat {n} {percent(share)}' for n, share in enumerate(estimate['seats']))}")
    return lines


def percent(share: float) -> str:
    """A share of 0 to 1 in whole percent; what is little is not nothing, and nearly all is not all."""
    if 0 < share < 0.005:
        return "<1 %"
    return ">99 %" if 0.995 <= share < 1 else f"{share:.0%}".replace("%", " %")
