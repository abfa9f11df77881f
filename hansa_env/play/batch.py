"""`HansaBatch`: thousands of games in one array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NoReturn

import numpy as np

from hansa_env.engine import kernels, state
from hansa_env.engine.action_space import num_actions
from hansa_env.engine.identity import hash_games
from hansa_env.engine.kernels import BY_RULE, CUT_OFF, GOES_ON, NO_ACTION, StepBuffers
from hansa_env.engine.questions import question_name
from hansa_env.engine.results import ranks_of, scores_of
from hansa_env.engine.rules.scoring import REWARDS
from hansa_env.engine.tables import tables_of
from hansa_env.engine.view.observation import observation_size
from hansa_env.play.arguments import (
    MAX_TURNS,
    check_buffer,
    checked_actions,
    checked_count,
    checked_flag,
    checked_max_turns,
    checked_records,
    checked_rows,
    checked_seats,
    checked_seed,
    checked_seeds,
    checked_where,
)
from hansa_env.play.errors import EngineError, IllegalAction
from hansa_env.play.illegal import why_illegal
from hansa_env.play.row_threads import RowThreads
from hansa_env.renamed import Renamed
from hansa_env.ruleset import Ruleset

#: Of a batch's attributes, those that neither copies nor pickles take along.
_MADE_ANEW = ("_rows", "tables", "_turn_limits", "_deciding")
MOST_INT64 = np.uint64(2**63 - 1)
_MOST_GAMES = int(MOST_INT64) // state.GAME.itemsize - 1  # for whose bytes NumPy has a number


class HansaBatch(Renamed):
    """N games of one ruleset, played a decision at a time.

    Args:
        num_games: N, at least 1.
        ruleset: the game that is played.
        seed: spreads into a seed for each game, from (seed, i), whatever N; by default 0.
        max_turns: turns per seat after which a game is cut off and scored as the board stands; None = never.
        seeds: N numbers, instead of `seed`: each names its game, as in `Game(ruleset, seed=...)`.
        reward: at the end of a game, zero-sum: "win" ((P·w − 1)/(P − 1), w the share of the win), "rank" (1 for the
            first to −1 for the last, ties averaged) or "margin" (points above the mean, divided by 50).
        autoreset: an ended game is dealt anew in the same step, with a seed that follows from its own.
        threads: how many threads share a step. Games are identical for any number.

    Attributes, all NumPy arrays. `seat`, `rewards`, `final_scores` and `games` are one array each, which `step` and `reset`
    overwrite; so is `action_mask`, which is written when it is read. `terminated`, `truncated` and `cut_off` are new ones:
        seat (N,) int8: who decides; in a game that is over, who ended it. current_player: the same.
        rewards (N, P) float32: of the last step, by seat.
        terminated (N,) bool: the game is over (with autoreset: ended in the last step), by its rules or cut off by max_turns.
        truncated (N,) bool: all False, for loops that ask: a game cut off is scored, so nothing follows that a learner
            would have to add to its rewards. cut_off (N,) bool: which of the games over the turn limit ended.
        final_scores (N, P, K) int16: scores of the last game that ended in each row.
        games (N,): the game records (`hansa_env.engine.state.GAME`); `games["seed"]` has the seeds. To read: records from
            elsewhere are taken over by `put`. If you write fields by hand, nothing checks them.
        tables (1,): what kernels look up of the ruleset.

    Raises:
        ValueError: an argument is invalid; the message names it, what was given and what was expected.
        MemoryError: there is no memory for so many games.
    """

    _renamed: ClassVar = {"game": "Game.from_batch(batch, i)"}

    def __init__(
        self,
        num_games: int,
        ruleset: Ruleset,
        seed: int | None = None,
        max_turns: int | None = MAX_TURNS,
        *,
        seeds: Sequence[int] | None = None,
        reward: str = "win",
        autoreset: bool = False,
        threads: int = 1,
    ) -> None:
        ruleset, num_games = Ruleset.checked(ruleset), checked_count("num_games", num_games)
        if not isinstance(reward, str) or reward not in REWARDS:
            raise ValueError(f"unknown reward {reward!r:.60}; expected one of {', '.join(REWARDS)}")
        max_turns, autoreset = checked_max_turns(max_turns), checked_flag("autoreset", autoreset)
        threads = checked_count("threads", threads)
        turn_limit = 0 if max_turns is None else max_turns * ruleset.players
        if num_games > _MOST_GAMES:
            most = f"as many as there is memory for, {state.GAME.itemsize} bytes each"
            raise ValueError(f"num_games is {num_games}; expected {most}")
        try:
            self._prepare(ruleset, state.new_games(num_games), turn_limit, REWARDS.index(reward), autoreset, threads)
            self.reset(0 if seed is None and seeds is None else seed, seeds=seeds)
        except MemoryError as error:
            size = f"{num_games * state.GAME.itemsize / 1e9:,.1f} GB"
            raise MemoryError(f"num_games is {num_games}, whose records alone take {size}; expected fewer") from error

    @classmethod
    def holding(cls, ruleset: Ruleset, games: np.ndarray, turn_limit: int | None) -> HansaBatch:
        """A batch that plays given records in place; nothing is dealt.

        Args:
            games: (N,) records of games of this ruleset, made by `hansa_env.engine.state.new_games`.
            turn_limit: turns of all seats together after which a game is cut off; 0 = never, None = as each record says.
        """
        batch = cls.__new__(cls)
        batch._prepare(ruleset, games, turn_limit)
        batch._see_ends(np.arange(len(games)))
        return batch

    def _prepare(
        self, ruleset: Ruleset, games: np.ndarray, turn_limit: int | None, reward: int = 0, autoreset: bool = False,
        threads: int = 1,
    ) -> None:  # fmt: skip
        num_games = len(games)
        self.ruleset = ruleset
        self.num_games, self.num_actions = num_games, num_actions(ruleset)
        self.observation_size = observation_size(ruleset)
        self.autoreset = autoreset
        self.threads = min(threads, num_games)
        self._rows = RowThreads(self.threads)
        self._turn_limit, self._reward = turn_limit, reward
        self.tables = tables_of(ruleset)
        self._hold(games)
        self._seat, self._ended, self.final_scores, self.rewards = StepBuffers.of(ruleset, num_games)
        self._mask = np.zeros((num_games, self.num_actions), np.bool_)
        self._actions = np.empty(num_games, np.int64)
        self._viewers = np.empty(num_games, np.int8)

    def _hold(self, games: np.ndarray) -> None:
        # A small batch spends its time in Python, so the fields that every step needs are looked up once.
        self.games, self._turn_limits, self._deciding = games, games["turn_limit"], games["seat"]

    def reset(self, seed: int | None = None, where: np.ndarray | None = None, *, seeds: Sequence[int] | None = None) -> None:
        """Deal new games.

        Args:
            seed: spreads into a seed for each game; None: each game goes on to the seed that follows from its own.
            where: (N,) bool, the games to deal anew, which may be none of them; None = all.
            seeds: N numbers, instead of `seed`: each names its game.

        Raises:
            ValueError: a seed is invalid, there are not N of them, `seed` and `seeds` are both given, or `where` is not a bool
                array (N,); no game has been changed.
        """
        where = checked_where(where, self.num_games)
        if seeds is not None:
            if seed is not None:
                raise ValueError(f"seed={seed!r:.60} and seeds were given; expected one of them")
            numbers = checked_seeds(seeds, self.num_games)
        else:
            numbers = np.empty(self.num_games, np.uint64)
            if seed is None:
                kernels.next_seeds(self.games, numbers)
            else:
                kernels.batch_seeds(np.uint64(checked_seed(seed)), 0, numbers)
        rows = np.flatnonzero(where)
        fresh = state.new_games(len(rows))
        kernels.deal_games(fresh, self.tables, numbers[rows], self._turn_limit or 0, 0, len(rows))
        if kernels.begin_games(fresh, self.tables, 0, len(rows)):
            self._complain(fresh)
        self.put(rows, fresh)

    def put(self, rows: np.ndarray | Sequence[int], games: np.ndarray | np.void) -> None:
        """Records take the place of the games in some rows, as if they had been dealt there.

        They are copied with their seeds; `max_turns` is the batch's own. Whoever makes records answers for them. `terminated`,
        `cut_off` and `final_scores` tell of games that are over already; their rewards are 0, as those of no step.

        Args:
            rows: (M,) whole numbers, or (N,) bool.
            games: (M,) records of games of this ruleset (`hansa_env.engine.state.GAME`), or one for all of the rows.

        Raises:
            ValueError: they are no records, or not as many as rows, or there is no such row, or it is named twice, or one is
                over, which a batch with autoreset cannot hold; no game has been changed.
        """
        rows = checked_rows(rows, self.num_games)
        records = checked_records(games, len(rows))
        if self.autoreset and (records["asked"] == state.OVER).any():
            raise ValueError("a game that is over was given; expected games that go on, since with autoreset none stays over")
        state.put_records(self.games, rows, records)
        if self._turn_limit is not None:
            self.games["turn_limit"][rows] = self._turn_limit
        self.rewards[rows] = 0
        self._see_ends(rows)

    def _see_ends(self, rows: np.ndarray) -> None:
        """Note which of the games in these rows (M,) are over, and what they came to."""
        over = rows[self.games["asked"][rows] == state.OVER]
        self._ended[rows] = GOES_ON
        if len(over):
            self._ended[over] = np.where(self.games["reason"][over] == state.TRUNCATED, CUT_OFF, BY_RULE)
            self.final_scores[over] = scores_of(self.ruleset, self.games.take(over))

    def step(self, actions: np.ndarray) -> None:
        """Play one action (N,) per game, of its deciding seat; −1 leaves a game as it is, and is all a finished game takes.

        Raises:
            IllegalAction: an action is not legal; says who was asked what and what was legal. No game has been changed.
            EngineError: a game came to a question without a legal decision, after fields were set by hand.
        """
        given = checked_actions(actions, self.num_games)
        actions = self._actions
        actions[:] = given if given.dtype.kind == "i" else np.minimum(given, MOST_INT64)  # never −1 by wrapping around
        bad = kernels.first_illegal(self.games, self.tables, actions, 0, self.num_games)
        if bad >= 0:
            raise IllegalAction(self.describe_illegal(int(bad), int(given[bad])))
        self.step_legal(actions)

    def step_legal(self, actions: np.ndarray) -> None:
        """Play actions (N,) int64 that are known to be legal, such as `ask_agents` returns them; nothing is checked.

        Raises EngineError as `step` does.
        """
        self._actions[:] = actions  # always the same buffer, so that no caller's kind of array compiles all rules anew
        if self._turn_limit is not None:
            self._turn_limits.fill(self._turn_limit)  # also of records that were written into `games`
        broken = self._rows.run(
            kernels.step_games, self.num_games, self.games, self.tables, self._actions, self._reward, self.autoreset,
            self._seat, self._ended, self.final_scores, self.rewards,
        )  # fmt: skip
        if broken:
            self._complain(self.games)

    @property
    def seat(self) -> np.ndarray:
        """(N,) int8, see above."""
        self._seat[:] = self._deciding
        return self._seat

    @property
    def current_player(self) -> np.ndarray:
        """(N,) int8: the same as `seat`, under the name that other environments give it."""
        return self.seat

    @property
    def ended(self) -> np.ndarray:
        """(N,) bool: the same as `terminated`, which it is called where learners look."""
        return self.terminated

    @property
    def terminated(self) -> np.ndarray:
        """(N,) bool, see above."""
        return self._ended.astype(np.bool_)  # GOES_ON is 0

    @property
    def truncated(self) -> np.ndarray:
        """(N,) bool: all False, see above."""
        return np.zeros(self.num_games, np.bool_)

    @property
    def cut_off(self) -> np.ndarray:
        """(N,) bool: the turn limit ended the game, and the board was scored as it stood."""
        return self._ended == CUT_OFF

    @property
    def action_mask(self) -> np.ndarray:
        """(N, A) bool: the legal actions of each deciding seat, all False in a finished game. Written anew whenever it is asked
        for, always into the same array."""
        return self._write_mask(self._mask)

    def write_mask(self, out: np.ndarray) -> np.ndarray:
        """Write the mask into a C-contiguous buffer (N, A) of bool; returns it. Raises ValueError for any other buffer."""
        check_buffer(out, (self.num_games, self.num_actions), np.bool_)
        return self._write_mask(out)

    def _write_mask(self, out: np.ndarray) -> np.ndarray:
        self._rows.run(kernels.mask_games, self.num_games, self.games, self.tables, out)
        return out

    def observe(self, out: np.ndarray | None = None, seats: np.ndarray | int | None = None) -> np.ndarray:
        """Observations (N, D) int8 (fields: `hansa_env.engine.view.observation`).

        Args:
            out: a C-contiguous buffer to write into; None = a new array.
            seats: whose view, one seat or (N,) of them; None = the deciding seat's.

        Raises:
            ValueError: the buffer has another shape, or there is no such seat.
        """
        if out is None:
            out = np.empty((self.num_games, self.observation_size), np.int8)
        else:
            check_buffer(out, (self.num_games, self.observation_size), np.int8)
        self._viewers[:] = NO_ACTION if seats is None else checked_seats(seats, self.ruleset.players, self.num_games)
        self._rows.run(kernels.observe_games, self.num_games, self.games, self.tables, self._viewers, out)
        return out

    def scores(self) -> np.ndarray:
        """(N, P, K) int16 as the board stands: the columns that `hansa_env.engine.rules.scoring.score_columns` names."""
        return scores_of(self.ruleset, self.games)

    def ranks(self) -> np.ndarray:
        """(N, P) int64: places as the board stands (R7.9), 0 = first; seats that tie share the better place."""
        return ranks_of(self.ruleset, self.games, self.scores())

    def winners(self) -> np.ndarray:
        """(N, P) bool: who wins as the board stands (R7.9)."""
        return self.ranks() == 0

    def hashes(self) -> np.ndarray:
        """(N,) uint64: equal for games in the same position, by all that everybody at the table sees."""
        return hash_games(self.games)

    def copy(self, reshuffle: int | None = None) -> HansaBatch:
        """An independent copy; with a number, the hidden markers of each game are reshuffled by it (for planners): its
        seeds are blank, and the games that follow are other ones. Raises ValueError for a number that is no seed."""
        other = HansaBatch.__new__(HansaBatch)
        other.__setstate__(self.__getstate__())
        for name in ("_seat", "rewards", "final_scores", "_ended", "_mask", "_actions", "_viewers"):
            setattr(other, name, getattr(self, name).copy())
        other._hold(state.copies_of(self.games, self.num_games))
        if reshuffle is not None:
            kernels.reshuffle_games(other.games, other.tables, np.uint64(checked_seed(reshuffle)), 0, self.num_games)
        return other

    def __copy__(self) -> HansaBatch:
        return self.copy()

    def __deepcopy__(self, memo: dict) -> HansaBatch:
        return self.copy()

    def __getstate__(self) -> dict:
        return {name: value for name, value in self.__dict__.items() if name not in _MADE_ANEW}

    def __setstate__(self, state: dict) -> None:
        self.__dict__.update(state)
        self._hold(self.games)
        self.tables = tables_of(self.ruleset)
        self._rows = RowThreads(self.threads)

    def describe_illegal(self, row: int, action: int) -> str:
        """Why an action is refused: in which of several games, who was asked what, what was given, what was legal."""
        where = f"game {row}: " if self.num_games > 1 else ""
        return where + why_illegal(self.ruleset, self.games[row], action)

    def _complain(self, games: np.ndarray) -> NoReturn:
        row = int(np.flatnonzero(games["reason"] == state.BROKEN)[0])
        question, seat = question_name(int(games["asked"][row])), int(games["seat"][row])
        raise EngineError(f"game {row}, seed {games['seed'][row]}: seat {seat} has no legal decision at {question!r}")
