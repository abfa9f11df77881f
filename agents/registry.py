"""Agents by name: spec strings "name" or "name:argument"."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from hansa_agents.protocol import Agent, AgentError
from hansa_env.ruleset import Ruleset

#: Makes an agent from a ruleset, a seed and the argument of the spec (None without one).
Factory = Callable[[Ruleset, int, str | None], Agent]

_factories: dict[str, Factory | str] = {}


def register(name: str, factory: Factory | str) -> None:
    """Make an agent known under a name; a later one of the same name takes its place.

    Args:
        name: without a colon.
        factory: called as factory(ruleset, seed, argument); or, to be imported when first used, "module:attribute".
    """
    if not name or ":" in name:
        raise AgentError(f"agent name {name!r} is empty or has a colon")
    _factories[name] = factory


def agent_names() -> tuple[str, ...]:
    """Every known name, sorted."""
    return tuple(sorted(_factories))


def make_agent(spec: str, ruleset: Ruleset, seed: int = 0) -> Agent:
    """The agent of a spec.

    Args:
        spec: "greedy", "ppo:runs/ppo/model.zip": a name, and after a colon what that agent makes of it.
        ruleset: the game it is to play.
        seed: the only source of its randomness.

    Raises:
        AgentError: no such name, or the agent cannot be made; an agent's own factory may raise other ValueErrors.
    """
    name, colon, argument = spec.partition(":")
    if name not in _factories:
        raise AgentError(f"unknown agent {name!r}; there are {', '.join(agent_names())}")
    factory = _factories[name]
    if isinstance(factory, str):
        factory = _imported(name, factory)
    return factory(ruleset, seed, argument if colon else None)


def no_argument(name: str, argument: str | None) -> None:
    """Refuse the argument of an agent that takes none."""
    if argument is not None:
        raise AgentError(f"agent {name!r} takes no argument, but was given {argument!r}")


def _imported(name: str, target: str) -> Factory:
    module, _, path = target.partition(":")
    try:
        factory = import_module(module)
    except ImportError as error:
        raise AgentError(f"agent {name!r} cannot be loaded ({error}); is its optional dependency installed?") from error
    for attribute in path.split("."):
        factory = getattr(factory, attribute)
    return factory


register("random", "hansa_agents.random_agent:RandomAgent.from_spec")
register("greedy", "hansa_agents.greedy:GreedyAgent.from_spec")
register("ppo", "hansa_training.agent:PPOAgent.from_spec")
