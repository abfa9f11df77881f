"""What can go wrong in play."""

from __future__ import annotations

from hansa_env.formats.errors import printable


class IllegalAction(ValueError):
    """An action is out of range, not legal, or comes after the end; nothing has been changed."""


class EngineError(RuntimeError):
    """A game came to a question without a legal decision: an error of the engine, or of fields set by hand."""


class AgentError(ValueError):
    """An agent was asked for that does not exist or cannot be made; says why."""


class AgentFault(RuntimeError):
    """An agent raised, or gave an answer that is none; its games stand before it.

    It is no `IllegalAction`, nor a ValueError at all: whoever forgives a wrong action of the learner does not mean an opponent
    that crashed.

    Attributes:
        agent: its place among the agents that were asked.
        name: what it is called.
        row: of the games given, the first that has no answer; None if all of the agent's have none.
        reason: what it did, in one line.
    """

    def __init__(self, agent: int, name: str, row: int | None, reason: str) -> None:
        super().__init__(f"agent {name!r} {reason}")
        self.agent, self.name, self.row, self.reason = agent, name, row, reason

    @classmethod
    def of(cls, agent: int, name: str, error: BaseException) -> AgentFault:
        """The fault of an agent that raised, in all of its games."""
        return cls(agent, name, None, raised(error))

    def __reduce__(self) -> tuple:
        return AgentFault, (self.agent, self.name, self.row, self.reason)


class NoAnswer(Exception):
    """An agent gave no answer; says in one line what it did instead, without its name."""


class OutOfTime(BaseException):
    """The time is over. No `Exception`, so that code which goes on after those is stopped as well."""


def raised(error: BaseException) -> str:
    """What was raised, in one line that can be written anywhere; nothing that the error does itself is raised."""
    return printable(f"raised {type.__dict__['__name__'].__get__(type(error))}: {said(error):.200}")


def said(error: BaseException) -> str:
    """What an error says, in one line that can be written anywhere; nothing that it does itself is raised."""
    try:
        text = str(error)
    except (KeyboardInterrupt, OutOfTime):
        raise
    except BaseException:
        text = "which cannot be told"
    return printable(" ".join(str.split(text)))
