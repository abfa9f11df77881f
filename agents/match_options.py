"""How a match is played: what happens when an agent fails, where games are played, what is kept of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from numbers import Real
from pathlib import Path
from typing import Any

from hansa_agents.line_ups import MatchError
from hansa_agents.records import Records
from hansa_env.play.arguments import whole

ON_FAULT = ("raise", "forfeit")


@dataclass(frozen=True)
class Faults:
    """What happens when an agent fails: it raises, its answer is illegal, or it takes too long.

    With a timeout, and with forfeits, agents that do not come with this project play in a process of their own. It is killed
    and started again if nothing else stops an agent. Agents passed as objects are pickled for it.

    Attributes:
        on_fault: "raise" what the agent did wrong, or let it "forfeit" that game and go on.
        timeout: seconds that an agent may take for a decision; None = as long as it likes. An agent whose time is limited is
            asked about one game at a time, which takes longer than many in one call. Before its first decision it may take
            `agent_processes.FIRST_ANSWER` to begin.
        limited: names of the agents to whom the timeout applies; None = to all.

    Raises:
        MatchError: an attribute is none of those named, or `limited` is given without timeout.
    """

    on_fault: str = "raise"
    timeout: float | None = None
    limited: Collection[str] | None = None

    def __post_init__(self) -> None:
        if self.on_fault not in ON_FAULT:
            raise MatchError(f"on_fault is {self.on_fault!r}; expected one of {', '.join(ON_FAULT)}")
        if self.timeout is not None and not (_is_number(self.timeout) and 0 < self.timeout < float("inf")):
            raise MatchError(f"timeout is {self.timeout!r:.60}; expected seconds above 0; without it there is no limit")
        if self.limited is not None and self.timeout is None:
            raise MatchError("limited is given without timeout; expected names of agents whose time the timeout limits")

    @property
    def forfeits(self) -> bool:
        """Whether who fails loses the game only."""
        return self.on_fault == "forfeit"


@dataclass(frozen=True)
class Compute:
    """Where games are played.

    With more than one process, or on a cluster, agents passed as objects are pickled, and a script must be importable
    (`if __name__ == "__main__"`).

    Attributes:
        processes: how many play; None = one, or as many as there are cores when there is much to play.
        ray: address of a Ray cluster whose machines play, `processes` at most if that is more than 1, else as many as it has
            CPUs; "auto" is the one that this machine belongs to, "local" is started for the match alone. Needs the extra `ray`.

    Raises:
        MatchError: `processes` is not a whole number of at least 1.
    """

    processes: int | None = 1
    ray: str | None = None

    def __post_init__(self) -> None:
        if self.processes is not None and (whole(self.processes) or 0) < 1:
            raise MatchError(f"processes is {self.processes!r:.60}; expected a whole number of at least 1")


@dataclass(frozen=True)
class Keep:
    """What is kept of games beside who won.

    Attributes:
        results: file to which every game is written as it ends, a line of JSON each; games that are in it are not played
            again, so the same call goes on with a match that was interrupted.
        records: where records of games are written; for how many games in the results file there is none is logged.
        actions: keep every action, or those of such a share of the deals, so that results turn into records; the results file
            has them too, and how many games in it lack them is logged.
        models: by name, the model hash that agents had in other games that these are kept with; None = an agent without one.
        instead: what to do where the results file cannot be this match's, for errors; empty: they do not say.

    Raises:
        MatchError: `actions` is no such share.
    """

    results: str | Path | None = None
    records: Records | None = None
    actions: bool | float = False
    models: Mapping[str, str | None] | None = None
    instead: str = "name another file"

    def __post_init__(self) -> None:
        if not (isinstance(self.actions, bool) or (_is_number(self.actions) and 0 <= self.actions <= 1)):
            raise MatchError(f"actions is {self.actions!r:.60}; expected True, False or the share of the deals, from 0 to 1")


def _is_number(given: Any) -> bool:
    return isinstance(given, Real) and not isinstance(given, bool)


#: The defaults: a fault is raised, this process plays, and nothing is kept.
RAISE_FAULTS, ONE_PROCESS, KEEP_NOTHING = Faults(), Compute(), Keep()
