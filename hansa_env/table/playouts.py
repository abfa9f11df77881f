"""Is this won? Games played out from one position on by agents, each with what is hidden dealt anew, and who wins how many."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic, time

import numpy as np

from hansa_env.engine.kernels import NO_ACTION
from hansa_env.engine.results import ranks_of, scores_of
from hansa_env.engine.state import OVER, TRUNCATED
from hansa_env.play.arguments import MAX_TURNS
from hansa_env.play.batch import HansaBatch
from hansa_env.play.errors import EngineError, raised
from hansa_env.play.result import wilson_interval, win_shares
from hansa_env.ruleset import Ruleset
from hansa_env.table.agent_pool import AgentPool, AgentProblem
from hansa_env.table.errors import NotThere, TooLate

#: Games of one position, and how many of them are played at a time.
MOST_GAMES, AT_ONCE = 1000, 32
#: Seconds that an agent may take for a decision.
SECONDS = 60.0
#: Positions whose results are kept while the table is open, the last ones.
KEPT = 8
_log = logging.getLogger("hansa_env.table")


class PlayOut:
    """The games from one position on.

    Args:
        game: the name of the game at the table; at: how many decisions stand before the position.
        ruleset: what is played.
        games: (N,) records of the position, what is hidden dealt anew in each; they are played on.
        specs: the agents by seat.
        pool: who asks them.

    Attributes:
        id: a word that names it.
        played, cut_off: games that are over, and how many of those were ended by their length.
        wins: by seat, a shared win in parts.
        problem: why it stopped early, None: it did not.
    """

    def __init__(
        self, game: str, at: int, ruleset: Ruleset, games: np.ndarray, specs: Sequence[str], pool: AgentPool
    ) -> None:  # fmt: skip
        self.id, self.game, self.at, self.made = secrets.token_urlsafe(6), game, at, time()
        self.ruleset, self.specs, self._pool = ruleset, tuple(specs), pool
        # From here on as long as a whole game may take, so that none goes on for ever.
        limit = int(games["turns"][0]) + MAX_TURNS * ruleset.players
        self._batch = HansaBatch.holding(ruleset, games, limit)
        self._counted = np.zeros(len(games), bool)
        self.played = self.cut_off = 0
        self.wins = np.zeros(ruleset.players)
        self.problem: str | None = None
        self._began, self._seconds = monotonic(), 0.0
        self._task: asyncio.Task | None = None

    @property
    def num_games(self) -> int:
        """How many games are played out."""
        return len(self._counted)

    @property
    def is_running(self) -> bool:
        return self._task is not None and not self._task.done()

    def start(self) -> None:
        """Play, until all are over or `stop`."""
        self._task = asyncio.create_task(self._play())

    async def stop(self) -> None:
        """Play no further; what has been played counts."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _play(self) -> None:
        games = self._batch.games
        try:
            while len(rows := np.flatnonzero(games["asked"] != OVER)[:AT_ONCE]):
                actions = np.full(len(games), NO_ACTION, np.int64)
                actions[rows] = await self._decisions(rows)
                await self._step(rows, actions)
        except (AgentProblem, EngineError) as problem:
            self.problem = str(problem)
        except Exception as error:  # a mistake of ours: the log has it whole
            _log.exception("playing out failed")
            self.problem = f"the server {raised(error)}"
        finally:
            self._seconds = monotonic() - self._began

    async def _step(self, rows: np.ndarray, actions: np.ndarray) -> None:
        """Play decisions on, and count the games that end with them: whoever stops us meanwhile waits for that."""
        stepping = asyncio.ensure_future(asyncio.to_thread(self._batch.step_legal, actions))
        try:
            await asyncio.shield(stepping)
        finally:
            await stepping
            self._count(rows)

    async def _decisions(self, rows: np.ndarray) -> list[int]:
        """The decisions in some games, from the agents whose seats decide. Raises AgentProblem."""
        games = self._batch.games
        asked = [
            asyncio.ensure_future(self._pool.play_out(self.specs[games["seat"][row]], self.ruleset, games[row], SECONDS))
            for row in rows
        ]
        try:
            return list(await asyncio.gather(*asked))
        finally:
            for one in asked:  # where one has failed, nobody waits for the others
                one.cancel()

    def _count(self, rows: np.ndarray) -> None:
        """Whose the games are that have come to their end."""
        games = self._batch.games
        over = rows[(games["asked"][rows] == OVER) & ~self._counted[rows]]
        if not len(over):
            return
        ended = games.take(over)
        self.wins += win_shares(ranks_of(self.ruleset, ended, scores_of(self.ruleset, ended))).sum(axis=0)
        self.played += len(over)
        self.cut_off += int((ended["reason"] == TRUNCATED).sum())
        self._counted[over] = True

    def as_data(self) -> dict:
        """How it stands, as JSON data: by seat the share of the wins with its interval, and seconds it took so far."""
        seconds = monotonic() - self._began if self.is_running else self._seconds
        seats = [
            {"agent": spec, "share": wins / self.played if self.played else None,
             **dict(zip(("low", "high"), wilson_interval(wins, self.played)))}
            for spec, wins in zip(self.specs, self.wins.tolist())
        ]  # fmt: skip
        return {"id": self.id, "game": self.game, "at": self.at, "games": self._batch.num_games, "played": self.played,
                "cut_off": self.cut_off, "running": self.is_running, "problem": self.problem, "seconds": round(seconds, 1),
                "seats": seats}  # fmt: skip


class PlayOuts:
    """Those of a server: one is played at a time, since they take all that the agents' processes have left.

    Args:
        pool: who asks the agents.
    """

    def __init__(self, pool: AgentPool) -> None:
        self._pool = pool
        self._made: dict[str, PlayOut] = {}

    def begin(self, game: str, at: int, ruleset: Ruleset, games: np.ndarray, specs: Sequence[str]) -> PlayOut:
        """Play out records (N,) as of `PlayOut`. Raises TooLate: others are being played, `more` says which."""
        running = next((one for one in self._made.values() if one.is_running), None)
        if running is not None:
            played = f"{running.played} of {running.num_games} games from another position are played"
            raise TooLate(f"{played}; stop those first", playout=running.id, game=running.game)
        made = PlayOut(game, at, ruleset, games, specs, self._pool)
        self._made[made.id] = made
        while len(self._made) > KEPT:
            del self._made[next(iter(self._made))]
        made.start()
        return made

    def one(self, name: str) -> PlayOut:
        """Raises NotThere."""
        try:
            return self._made[name]
        except KeyError:
            raise NotThere("these games are no longer known; play them out again") from None

    def of_game(self, game: str) -> list[PlayOut]:
        """Those from positions of a game, the last one first."""
        return [one for one in reversed(self._made.values()) if one.game == game]

    async def forget(self, game: str) -> None:
        """Stop what is played from positions of a game that is no more, and forget it all."""
        gone = [self._made.pop(one.id) for one in self.of_game(game)]
        for one in gone:
            await one.stop()

    async def close(self) -> None:
        for one in self._made.values():
            await one.stop()
