"""`HansaBatch`: thousands of games in one array."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from hansa_env.engine import kernels
from hansa_env.engine import record as rec
from hansa_env.engine.actions import num_actions
from hansa_env.engine.kernels import NO_ACTION
from hansa_env.engine.observation import observation_size
from hansa_env.engine.scoring import REWARDS, SCORE_COLUMNS
from hansa_env.engine.tables import tables
from hansa_env.notation import decision_text, legal_texts
from hansa_env.outcome import ranks_of
from hansa_env.ruleset import Ruleset

MAX_TURNS = 100


class IllegalAction(ValueError):
    """An action is out of range, not legal, or comes after the end; nothing has been changed."""


class HansaBatch:
    """N games of one ruleset, played a decision at a time.

    Args:
        num_games: N, at least 1.
        ruleset: the game that is played.
        seed: the batch's seed; game i gets its own seed from (seed, i), whatever N.
        max_turns: turns per seat after which a game is truncated and scored as the board stands; None = never.
        reward: at the end of a game, zero-sum: "win" ((P·w − 1)/(P − 1), w the share of the win), "rank" (1 for the
            first to −1 for the last, ties averaged) or "margin" (points above the mean, divided by 50).
        autoreset: an ended game is dealt anew in the same step, with a seed that follows from its own.
        threads: how many threads share a step. Games are identical for any number.

    Attributes, all NumPy arrays that are overwritten by `step` and `reset`:
        seat (N,) int8: who decides; in a game that is over, who ended it.
        rewards (N, P) float32: of the last step, by seat.
        terminated, truncated (N,) bool: the game ended by its rules, or by max_turns (with autoreset: in the last step).
        final_scores (N, P, 7) int16: scores of the last game that ended in each row.
        games (N,): the game records (`hansa_env.engine.record.GAME`).
    """

    def __init__(
        self,
        num_games: int,
        ruleset: Ruleset,
        seed: int = 0,
        max_turns: int | None = MAX_TURNS,
        *,
        reward: str = "win",
        autoreset: bool = False,
        threads: int = 1,
    ) -> None:
        if num_games < 1:
            raise ValueError(f"num_games is {num_games}; expected at least 1")
        if max_turns is not None and max_turns < 1:
            raise ValueError(f"max_turns is {max_turns}; expected None or at least 1")
        if reward not in REWARDS:
            raise ValueError(f"unknown reward {reward!r}; expected one of {', '.join(REWARDS)}")
        self.ruleset = ruleset
        self.num_games, self.num_actions = num_games, num_actions(ruleset)
        self.observation_size = observation_size(ruleset)
        self.autoreset = autoreset
        self.threads = max(1, min(threads, num_games))
        self._pool = ThreadPoolExecutor(self.threads - 1) if self.threads > 1 else None
        self._turn_limit = 0 if max_turns is None else max_turns * ruleset.players
        self._reward = REWARDS.index(reward)
        self._rules = tables(ruleset)
        self.games = np.zeros(num_games, rec.GAME)
        self.seat = np.zeros(num_games, np.int8)
        self.rewards = np.zeros((num_games, ruleset.players), np.float32)
        self.final_scores = np.zeros((num_games, ruleset.players, len(SCORE_COLUMNS)), np.int16)
        self._ended = np.zeros(num_games, np.int8)
        self._mask = np.zeros((num_games, self.num_actions), np.bool_)
        self._mask_is_old = True
        self._actions = np.empty(num_games, np.int64)
        self._viewers = np.empty(num_games, np.int8)
        self.reset(seed)

    def reset(self, seed: int | None = None, where: np.ndarray | None = None) -> None:
        """Deal new games.

        Args:
            seed: a new seed for the batch; None: each game goes on to the seed that follows from its own.
            where: (N,) bool, the games to deal anew; None = all.
        """
        where = np.ones(self.num_games, np.bool_) if where is None else np.asarray(where, np.bool_)
        if where.shape != (self.num_games,):
            raise ValueError(f"where has shape {where.shape}; expected ({self.num_games},)")
        seeds = np.empty(self.num_games, np.uint64)
        if seed is None:
            kernels.next_seeds(self.games, seeds)
        else:
            kernels.batch_seeds(np.uint64(seed % 2**64), seeds)
        rows = np.flatnonzero(where)
        fresh = np.zeros(len(rows), rec.GAME)
        kernels.deal_games(fresh, self._rules, seeds[rows], self._turn_limit, 0, len(rows))
        kernels.begin_games(fresh, self._rules, 0, len(rows))
        records = np.dtype((np.void, rec.GAME.itemsize))  # copied whole: twenty times quicker than field by field
        self.games.view(records)[rows] = fresh.view(records)
        self.seat[rows] = fresh["seat"]
        self.rewards[rows] = 0
        self._ended[rows] = 0
        self._mask_is_old = True

    def step(self, actions: np.ndarray) -> None:
        """Play one action (N,) per game, of its deciding seat; −1 leaves a game as it is, and is all a finished game takes.

        Raises:
            IllegalAction: an action is not legal; says who was asked what and what was legal. No game has been changed.
        """
        given = np.asarray(actions)
        if given.shape != (self.num_games,) or given.dtype.kind not in "iu":
            raise ValueError(f"actions have shape {given.shape}, {given.dtype}; expected whole numbers ({self.num_games},)")
        actions = self._actions  # always the same buffer, so that no caller's kind of array compiles a kernel anew
        actions[:] = given
        bad = kernels.first_illegal(self.games, self._rules, actions, 0, self.num_games)
        if bad >= 0:
            raise IllegalAction(self.describe_illegal(int(bad), int(actions[bad])))
        self._on_rows(lambda start, stop: kernels.step_games(
            self.games, self._rules, actions, self._reward, self.autoreset,
            self.seat, self._ended, self.final_scores, self.rewards, start, stop,
        ))  # fmt: skip
        self._mask_is_old = True

    @property
    def terminated(self) -> np.ndarray:
        return self._ended == 1

    @property
    def truncated(self) -> np.ndarray:
        return self._ended == 2

    @property
    def action_mask(self) -> np.ndarray:
        """(N, A) bool: the legal actions of each deciding seat, all False in a finished game; overwritten after a step."""
        if self._mask_is_old:
            self.write_mask(self._mask)
            self._mask_is_old = False
        return self._mask

    def write_mask(self, out: np.ndarray) -> np.ndarray:
        """Write the mask into a C-contiguous buffer (N, A) of bool; returns it."""
        _check_buffer(out, (self.num_games, self.num_actions), np.bool_)
        self._on_rows(lambda start, stop: kernels.mask_games(self.games, self._rules, out, start, stop))
        return out

    def observe(self, out: np.ndarray | None = None, seats: np.ndarray | None = None) -> np.ndarray:
        """Observations (N, D) int8 (fields: `hansa_env.engine.observation`).

        Args:
            out: a C-contiguous buffer to write into; None = a new array.
            seats: (N,) int8, whose view; None = the deciding seat's.
        """
        if out is None:
            out = np.empty((self.num_games, self.observation_size), np.int8)
        else:
            _check_buffer(out, (self.num_games, self.observation_size), np.int8)
        self._viewers[:] = NO_ACTION if seats is None else seats
        seats = self._viewers
        self._on_rows(lambda start, stop: kernels.observe_games(self.games, self._rules, seats, out, start, stop))
        return out

    def scores(self) -> np.ndarray:
        """(N, P, 7) int16 as the board stands: the columns of `hansa_env.engine.scoring.SCORE_COLUMNS`."""
        out = np.zeros((self.num_games, self.ruleset.players, len(SCORE_COLUMNS)), np.int16)
        self._on_rows(lambda start, stop: kernels.score_games(self.games, self._rules, out, start, stop))
        return out

    def ranks(self) -> np.ndarray:
        """(N, P) int64: places as the board stands (R7.9), 0 = first; seats that tie share the better place."""
        return ranks_of(self.ruleset, self.games, self.scores())

    def winners(self) -> np.ndarray:
        """(N, P) bool: who wins as the board stands (R7.9)."""
        return self.ranks() == 0

    def copy(self, reshuffle: int | None = None) -> HansaBatch:
        """An independent copy; with a number, the hidden markers of each game are reshuffled by it (for planners)."""
        other = HansaBatch.__new__(HansaBatch)
        other.__setstate__(self.__getstate__())
        for name in ("games", "seat", "rewards", "final_scores", "_ended", "_mask", "_actions", "_viewers"):
            setattr(other, name, getattr(self, name).copy())
        if reshuffle is not None:
            kernels.reshuffle_games(other.games, other._rules, np.uint64(reshuffle % 2**64), 0, self.num_games)
        return other

    def __deepcopy__(self, memo: dict) -> HansaBatch:
        return self.copy()

    def __getstate__(self) -> dict:
        return {name: value for name, value in self.__dict__.items() if name not in ("_pool", "_rules")}

    def __setstate__(self, state: dict) -> None:
        self.__dict__.update(state)
        self._rules = tables(self.ruleset)
        self._pool = ThreadPoolExecutor(self.threads - 1) if self.threads > 1 else None

    def describe_illegal(self, row: int, action: int) -> str:
        """Why an action is refused: who was asked what, what was given, what was legal."""
        game = self.games[row]
        if game["asked"] == rec.OVER:
            return f"game {row} is over; action {action} was given, expected {NO_ACTION} or a reset"
        if not 0 <= action < self.num_actions:
            given = f"{action}, which is outside 0..{self.num_actions - 1}"
        else:
            given = f"{action} ({decision_text(self.ruleset, game, action)})"
        legal = ", ".join(legal_texts(self.ruleset, game))
        question = rec.QUESTIONS[game["asked"]]
        return f"game {row}: seat {game['seat']} was asked {question!r} and gave {given}; legal: {legal}"

    def _on_rows(self, work: Callable[[int, int], None]) -> None:
        """Run a kernel over all rows, shared among the threads."""
        if self._pool is None:
            work(0, self.num_games)
            return
        bounds = [self.num_games * k // self.threads for k in range(self.threads + 1)]
        others = [self._pool.submit(work, a, b) for a, b in zip(bounds[1:-1], bounds[2:])]
        work(bounds[0], bounds[1])
        for other in others:
            other.result()


def _check_buffer(out: np.ndarray, shape: tuple[int, int], dtype: type) -> None:
    if out.shape != shape or out.dtype != dtype or not (out.flags.c_contiguous and out.flags.writeable):
        raise ValueError(f"out is {out.dtype} {out.shape}; expected a C-contiguous {np.dtype(dtype)} {shape} to write into")
