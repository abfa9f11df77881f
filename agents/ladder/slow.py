"""Which agents of a ladder take long, and the command that leaves them out."""

from __future__ import annotations

from collections.abc import Collection

import typer

from hansa_agents.ladder import Ladder
from hansa_env.commands import options
from hansa_env.play.registry import as_typed

SLOW = 1.0  # milliseconds of a decision; networks take a tenth of it, searches three times as long and more


def slow_agents(ladder: Ladder, but: Collection[str] = ()) -> dict[str, float]:
    """Milliseconds that a decision took in the ladder's games, by name of each agent that is slow and not in `but`; the slowest
    first."""
    took: dict[str, tuple[float, int]] = {}
    for result in ladder.results:
        for name, seconds, decisions in zip(result.agents, result.seconds, result.decisions):
            before = took.get(name, (0.0, 0))
            took[name] = before[0] + seconds, before[1] + decisions
    means = {name: 1000 * seconds / max(1, decisions) for name, (seconds, decisions) in took.items() if name not in but}
    return {name: mean for name, mean in sorted(means.items(), key=lambda one: -one[1]) if mean > SLOW}


def said_of_slow(slow: dict[str, float], context: typer.Context) -> str:
    """The line that names slow agents, with the command of this context that leaves them out."""
    named = ", ".join(f"{as_typed(name)} ({mean:.0f} ms a decision)" for name, mean in slow.items())
    words = ["hansa", "ladder", *context.params["agents"]]
    for parameter in context.command.params:
        if parameter.name == "agents" or not options.is_given(context, str(parameter.name)):
            continue
        value = context.params[str(parameter.name)]
        for one in value if isinstance(value, list | tuple) else [value]:
            words += [parameter.opts[0]] if one is True else [parameter.opts[0], str(one)]
    words += [word for name in slow for word in ("--exclude", name)]
    return f"slow agents of the ladder take nearly all of the time: {named}; without them: {as_typed(*words)}"
