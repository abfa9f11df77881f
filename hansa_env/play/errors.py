"""What can go wrong in play."""

from __future__ import annotations

import sysconfig
from pathlib import Path

from hansa_env.formats.errors import printable

#: Packages of this project.
OUR_PACKAGES = ("hansa_env", "hansa_agents", "hansa_training")
#: How files begin, and code that is in none, whose lines tell nothing to who writes an agent.
_LIBRARIES = (*{sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}, "<")


class IllegalAction(ValueError):
    """An action is out of range, not legal, or comes after the end; nothing has been changed."""


class ActionTypeError(TypeError, ValueError):
    """What was given is no action at all: no whole number, such as 1.0, True or None, or not one for each game; nothing has
    been changed. It is a ValueError too, as `IllegalAction` is."""


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


#: What people get wrong, whoever writes an agent among them: it is told in one line, without a traceback. Whatever `make_agent`
#: raises is of these.
TOLD = (ValueError, OSError, ModuleNotFoundError, AgentFault)


class NoAnswer(Exception):
    """An agent gave no answer; says in one line what it did instead, without its name."""


class OutOfTime(BaseException):
    """The time is over. No `Exception`, so that code which goes on after those is stopped as well."""


def raised(error: BaseException) -> str:
    """What was raised, and in which line of somebody's own code, in one line that can be written anywhere; nothing that the
    error does itself is raised."""
    return printable(f"raised {type.__dict__['__name__'].__get__(type(error))}: {said(error):.200}{_where(error)}")


def _where(error: BaseException) -> str:
    """The innermost line that an error came through, with its file, that is neither Python's, nor a library's, nor ours."""
    place, trace = "", BaseException.__dict__["__traceback__"].__get__(error)
    while trace is not None:
        file, package = trace.tb_frame.f_code.co_filename, str(trace.tb_frame.f_globals.get("__name__")).partition(".")[0]
        if package not in OUR_PACKAGES and not file.startswith(_LIBRARIES):
            place = f" ({Path(file).name:.80}, line {trace.tb_lineno})"
        trace = trace.tb_next
    return place


def said(error: BaseException) -> str:
    """What an error says, in one line that can be written anywhere; nothing that it does itself is raised."""
    try:
        text = str(error)
    except (KeyboardInterrupt, OutOfTime):
        raise
    except BaseException:
        text = "which cannot be told"
    return printable(" ".join(str.split(text)))
