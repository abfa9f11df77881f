"""What can go wrong with a run, in words for the person who started it."""

from __future__ import annotations

from hansa_env.play.errors import AgentError, said

#: What helps where numbers grow beyond all bounds.
LESS = "try a smaller learning rate, smaller weights in the loss, or games that are worth about 1"


class PlanError(ValueError):
    """A plan cannot be read; names the file or option, the value and what was expected."""


class RunError(ValueError):
    """A run cannot be started or resumed; says why and what to do."""


class ModelError(AgentError):
    """A saved model cannot be loaded, or does not fit the game it is asked to play."""


def with_kind(error: Exception) -> str:
    """What an error says, with its kind, in one line."""
    return f"{type(error).__name__}: {said(error)}"
