"""A match shared among workers, wherever they are: pieces of it are handed out, and games come back as they end."""

from __future__ import annotations

import logging
import traceback
from abc import abstractmethod
from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager

from hansa_agents.agent_processes import Seating
from hansa_agents.line_ups import MatchError
from hansa_agents.match_job import Job, Played
from hansa_env.play.errors import AgentFault

log = logging.getLogger(__name__)
DEATHS = 3  # of workers that play one game alone, after which it is given up
PARTS = 4  # into which a piece falls that was under way when its worker died


class WorkerDied(Exception):
    """A worker is gone with what it had under way; says how."""


class Workers(AbstractContextManager):
    """Who plays pieces of a match, from entering the context to leaving it.

    Attributes:
        job: what they play.
        count: how many pieces they play at a time.
    """

    job: Job
    count: int

    @abstractmethod
    def has_room(self) -> bool:
        """Whether one more piece can be begun."""

    @abstractmethod
    def begin(self, numbers: Sequence[int]) -> Hashable:
        """Have games played, by number, side by side; returns what `news` calls them by.

        Raises MatchError: the job cannot be sent.
        """

    @abstractmethod
    def news(self) -> Iterator[tuple[Hashable, Played | Exception | None]]:
        """Wait until something has happened to a piece: a game ended, it is at its end (None), or an error stopped it.

        After None or an error a piece is forgotten; WorkerDied is an error of the worker, others are of the match.
        """


class Here(Workers):
    """This process, with agents that sit as given; errors are raised where they happen."""

    count = 1

    def __init__(self, job: Job, seating: Seating) -> None:
        self.job, self._seating = job, seating
        self._games: Iterator[Played] | None = None

    def has_room(self) -> bool:
        return self._games is None

    def begin(self, numbers: Sequence[int]) -> Hashable:
        self._games = self.job.play(numbers, self._seating)
        return None

    def news(self) -> Iterator[tuple[Hashable, Played | Exception | None]]:
        for game in self._games or ():
            yield None, game
        self._games = None
        yield None, None

    def __exit__(self, *_: object) -> None:
        self._games = None


def share_out(workers: Workers, pieces: Iterable[Sequence[int]]) -> Iterator[Played]:
    """Let workers play the pieces of a match, each taken when there is room for it; yields each game as it ends.

    When a worker dies, the games it had under way are played again, in smaller pieces: what they are too many for may do
    with fewer, and a game that no worker survives is found.

    Raises:
        MatchError: a game ended several workers one after the other, or the job cannot be sent. Else what `Job.play` raises.
    """
    left, again = iter(pieces), deque[list[int]]()
    under_way: dict[Hashable, list[int]] = {}
    deaths: dict[int, int] = {}
    while True:
        while workers.has_room() and (piece := again.popleft() if again else list(next(left, ()))):
            under_way[workers.begin(piece)] = piece
        if not under_way:
            return
        for key, news in workers.news():
            if isinstance(news, Played):
                under_way[key].remove(news.result.number)
                yield news
                continue
            piece = under_way.pop(key)
            if isinstance(news, WorkerDied):
                if len(piece) == 1:
                    deaths[piece[0]] = deaths.get(piece[0], 0) + 1
                    if deaths[piece[0]] == DEATHS:
                        raise MatchError(_given_up(workers.job, piece[0], news))
                log.warning("%s; what it had under way is played again: %d games", news, len(piece))
                again.extendleft(part for first in range(PARTS) if (part := piece[first::PARTS]))
            elif news is not None:
                raise news


def games_and_errors(job: Job, numbers: Sequence[int], seating: Seating) -> Iterator[Played | Exception]:
    """What a worker elsewhere sends of a piece: its games, and at last what was raised, in a form that can be sent."""
    try:
        yield from job.play(numbers, seating)
    except (ValueError, OSError, AgentFault) as error:
        yield error
    except Exception:
        yield RuntimeError(f"in a worker of the match:\n{traceback.format_exc()}")


def cannot_be_sent(error: Exception) -> MatchError:
    """What is said when pickle refuses an agent."""
    return MatchError(f"an agent cannot be sent to another process ({error}); use processes=1, or agents by spec")


def _given_up(job: Job, number: int, death: WorkerDied) -> str:
    table = ", ".join(job.entrants[place].name for place in job.schedule.seats(number))
    return (
        f"game {number} ({table}; seed {job.schedule.seed_of(number)}) ended {DEATHS} workers one after the other; the last: "
        f"{death}. An agent crashes them, or memory runs out; games that had ended are in the results file, if there is one, "
        "and the same command continues"
    )
