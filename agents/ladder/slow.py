"""Which agents of a ladder take long, and the command that leaves them out."""

from __future__ import annotations

from collections.abc import Collection

import typer

from hansa_agents.ladder import Ladder
from hansa_env.commands import options
from hansa_env.play.specs import as_typed

SLOW = 1.0  # milliseconds of a decision; networks take a tenth of it, searches three times as long and more


def slow_agents(ladder: Ladder, but: Collection[str] = ()) -> dict[str, float]:
    """Milliseconds that a decision took in the ladder's games, by name of each agent that is slow and not in `but`; the slowest
    first."""
    rows = sorted(ladder.match().rows, key=lambda row: -row.milliseconds)
    return {row.agent: row.milliseconds for row in rows if row.milliseconds > SLOW and row.agent not in but}


def said_of_slow(slow: dict[str, float], context: typer.Context) -> str:
    """The line that names slow agents, with the command of this context that leaves them out."""
    named = ", ".join(f"{as_typed(name)} ({mean:.0f} ms a decision)" for name, mean in slow.items())
    words = ["hansa", "ladder", *context.params["agents"]]
    for parameter in options.parameters_given(context):
        if parameter.name != "agents":
            value = context.params[str(parameter.name)]
            for one in value if isinstance(value, list | tuple) else [value]:
                words += [parameter.opts[0]] if one is True else [parameter.opts[0], str(one)]
    words += [word for name in slow for word in ("--exclude", name)]
    return f"slow agents of the ladder take nearly all of the time: {named}; without them: {as_typed(*words)}"
