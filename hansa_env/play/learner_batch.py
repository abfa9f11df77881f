"""`LearnerBatch`: games seen from one learner's seat each, the opponents playing inside the step.

The core of the Gymnasium environments and of the Stable-Baselines3 one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar

import numpy as np
from gymnasium.error import ResetNeeded

from hansa_env.engine.kernels import NO_ACTION
from hansa_env.engine.results import ranks_of
from hansa_env.play.agents import Agent
from hansa_env.play.arguments import (
    MAX_TURNS,
    checked_actions,
    checked_count,
    checked_flag,
    checked_learner_seat,
    checked_seed,
    checked_seeds,
    checked_where,
    several,
)
from hansa_env.play.batch import HansaBatch
from hansa_env.play.errors import IllegalAction, raised
from hansa_env.play.illegal import ILLEGAL_REWARD, USE_MASKS, checked_illegal_action, drawn_legal
from hansa_env.play.loop import asking, play_on
from hansa_env.play.opponents import Opponents
from hansa_env.renamed import Renamed
from hansa_env.ruleset import Ruleset


class LearnerBatch(Renamed):
    """N games of one ruleset; in each, one seat learns and agents play the others.

    Args:
        num_envs: N, at least 1.
        ruleset: the game that is played.
        opponents: the agents, or specs for `make_agent`; a single one may stand alone.
        seed: of the games, of who sits where, and of the agents that are made from specs, also later ones, until a `reset`
            brings another; None is 0, as in `HansaBatch`.
        seat: the learner's seat, or "random": drawn anew for each game.
        max_turns, reward: see `HansaBatch`.
        mix: each opponent seat of each game draws its agent at random; otherwise the agents sit clockwise from the
            learner in the order given, and there must be one for each (a single one plays them all).
        illegal_action: what an illegal action of the learner does: "raise" `IllegalAction`; "terminate": his game ends
            with the reward -1 (`forfeited`); "substitute": a legal action, drawn from the game's own numbers, is played
            instead (`substituted`), for checkers and other callers that know no masks.

    An agent (`hansa_env.play.agents.Agent`) is asked once for all the games that wait for it. What a game is and who sits
    where depends on the row's seed alone, so rows do not depend on N; agents that draw random numbers may.

    Where a step or reset fails half-way, as by an opponent's fault or Ctrl-C, some rows have gone on and others not. Nothing
    goes on from there but a reset of all rows.

    Attributes: ruleset, max_turns, reward, mix and illegal_action as given; opponents, the list of agents, which
    `set_opponents` replaces; and NumPy arrays that are overwritten by `step` and `reset`:
        observation (N, D) int8: the learner's view, at its decision or at the end.
        action_mask (N, A) bool: what the learner may do; all False in a row that has ended, and in all after a failure.
        rewards (N,) float32: of the learner, since its decision before.
        terminated (N,) bool: the game is over, by its rules or cut off; the row stays as it is until it is reset.
        truncated (N,) bool: all False, as in `HansaBatch`; cut_off (N,) bool: the games over that the turn limit ended.
        forfeited (N,) bool: terminated by an illegal action; then `final_scores` and `final_ranks` are of an earlier game.
        substituted (N,) bool: the learner's last action was illegal and another was played.
        seats (N,) int8: the learners' seats.
        opponent_of (N, P) int64: index of the agent at each seat, -1 at the learner's.
        final_scores (N, P, K) int16, final_ranks (N, P) int64 (0 = first): of the last game that ended in each row, by seat.

    Raises:
        ValueError: an argument is not one of those named. AgentError: an opponent cannot be made. AgentFault: one failed.
    """

    _renamed: ClassVar = {
        "agents": "opponents",
        "set_agents": "set_opponents",
        "scores": "final_scores",
        "ranks": "final_ranks",
    }

    def __init__(
        self,
        num_envs: int,
        ruleset: Ruleset,
        opponents: Any = ("random",),
        seed: int | None = 0,
        seat: str | int = "random",
        max_turns: int | None = MAX_TURNS,
        reward: str = "win",
        *,
        mix: bool = False,
        illegal_action: str = "raise",
    ) -> None:
        ruleset = Ruleset.checked(ruleset)
        self._seat = checked_learner_seat(seat, ruleset.players)
        num_envs = checked_count("num_envs", num_envs)
        self.illegal_action = checked_illegal_action(illegal_action)
        seed = 0 if seed is None else seed
        self.batch = HansaBatch(num_envs, ruleset, seed, max_turns, reward=reward)
        self.max_turns, self.reward = max_turns, reward
        self.ruleset, self.num_envs, self.num_actions = ruleset, num_envs, self.batch.num_actions
        self.mix = checked_flag("mix", mix)
        self._seated = Opponents(opponents, ruleset, self.mix)
        self.opponents: list[Agent] = []
        self._opponents_seed = checked_seed(seed)

        self.observation = np.zeros((num_envs, self.batch.observation_size), np.int8)
        self.action_mask = np.zeros((num_envs, self.num_actions), np.bool_)
        self.rewards = np.zeros(num_envs, np.float32)
        self.terminated, self.truncated, self.cut_off, self.forfeited, self.substituted = np.zeros((5, num_envs), np.bool_)
        self.seats = np.zeros(num_envs, np.int8)
        self.opponent_of = np.zeros((num_envs, ruleset.players), np.int64)
        self.final_ranks = np.zeros((num_envs, ruleset.players), np.int64)
        self._rows = np.arange(num_envs)
        self._failed: str | None = None  # how a step or reset did, after which all rows have to be reset
        self.reset(seed)

    @property
    def current_player(self) -> np.ndarray:
        """(N,) int8: the same as `seats`, which decide next, under the name that other environments give it."""
        return self.seats

    @property
    def final_scores(self) -> np.ndarray:
        """(N, P, K) int16, see above."""
        return self.batch.final_scores

    @property
    def ended(self) -> np.ndarray:
        """(N,) bool: rows that wait for a reset."""
        return self.terminated.copy()

    @property
    def finished(self) -> np.ndarray:
        """(N,) bool: rows whose game ended and was not forfeited."""
        return self.ended & ~self.forfeited

    def set_opponents(self, opponents: Any) -> None:
        """Let other agents, or specs, play from now on; games under way go on with those that now have their index, modulo
        their number. Those of specs have the seed of the ones before.

        Raises ValueError, AgentError: as of the constructor; nothing has been changed.
        """
        seated = Opponents(opponents, self.ruleset, self.mix)
        self.opponents, self._seated = seated.agents(self._opponents_seed), seated
        self.opponent_of[self.opponent_of >= 0] %= len(self.opponents)

    def reset(
        self,
        seed: int | Sequence[int | None] | None = None,
        where: np.ndarray | None = None,
        *,
        opponents_seed: int | None = None,
    ) -> None:
        """Deal new games and play up to the learners' first decisions.

        Args:
            seed: one number: it spreads into a seed for every row; N numbers: each names its row's game; None, also for a
                single row: on to the game that follows. With seeds for all rows, agents made from specs begin anew as well.
            where: (N,) bool, the rows to deal anew, which may be none of them; None = all.
            opponents_seed: of the agents that begin anew; None: the one number, or, where each row's game is named, the seed
                that they had, so that the rows stay independent of each other.

        Raises:
            ValueError: a seed is none, or there are not N of them; nothing has been changed.
            AgentFault: an agent failed; all rows have to be reset.
            ResetNeeded: a step or reset has failed, and `where` leaves rows out.
        """
        rows = checked_where(where, self.num_envs)
        every = bool(rows.all())
        if not every:
            self.check_whole()
        one_each = several(seed)
        number = None if seed is None or one_each is not None else checked_seed(seed)
        opponents_seed = number if opponents_seed is None else checked_seed(opponents_seed, "opponents_seed")
        numbers: list[int] | None = None
        named = np.zeros_like(rows)
        if one_each is not None:
            numbers = checked_seeds([0 if s is None else s for s in one_each], self.num_envs).tolist()
            named = np.array([s is not None for s in one_each]) & rows
        with self.all_or_reset():
            if named.any():
                self.batch.reset(where=named, seeds=numbers)
            if (rows & ~named).any():
                self.batch.reset(number, rows & ~named)
            if seed is not None and every and (one_each is None or None not in one_each):
                self._opponents_seed = self._opponents_seed if opponents_seed is None else opponents_seed
                self.opponents = self._seated.agents(self._opponents_seed)
            while rows.any():
                self.seats[rows], self.opponent_of[rows] = self._seated.seating(self.batch.games["seed"][rows], self._seat)
                self.rewards[rows], self.forfeited[rows], self.substituted[rows] = 0, False, False
                self._advance(rows)
                rows = rows & self.batch.ended  # over before the learner was asked
                if rows.any():
                    self.batch.reset(None, rows)
            self._look()
        if every:
            self._failed = None

    def step(self, actions: np.ndarray) -> None:
        """Play the learners' actions (N,), and the opponents up to the learners' next decisions; ended rows take any.

        Raises:
            IllegalAction: with illegal_action="raise", an action of a running row is not legal; nothing has been changed.
            ActionTypeError: they are no whole numbers (N,); nothing has been changed.
            AgentFault: an agent failed; all rows have to be reset.
            ResetNeeded: that has not been done, after this or another failure in a step or reset; nothing has been changed.
        """
        self.step_numbers(checked_actions(actions, self.num_envs))

    def step_numbers(self, given: np.ndarray) -> None:
        """As `step`, of whole numbers (N,) of any kind, those of Python too (dtype object): none is too large to be named.

        Raises IllegalAction, AgentFault, ResetNeeded as `step`.
        """
        self.check_whole()
        ended = self.ended
        in_range = (given >= 0) & (given < self.num_actions)
        actions = np.where(in_range, given, 0).astype(np.int64)
        illegal = ~ended & ~(in_range & self.action_mask[self._rows, actions])
        if self.illegal_action == "raise" and illegal.any():
            row = int(illegal.argmax())
            raise IllegalAction(f"{self.batch.describe_illegal(row, int(given[row]))}; {USE_MASKS}")
        with self.all_or_reset():
            if self.illegal_action == "terminate":
                self.forfeited |= illegal
            else:
                self.substituted[:] = illegal
            if self.substituted.any():
                actions = np.where(illegal, drawn_legal(self.batch.games, self.batch.tables, self.batch.hashes()), actions)
            actions[ended | self.forfeited] = NO_ACTION
            self.rewards[:] = 0
            self.rewards[self.forfeited & ~ended] = ILLEGAL_REWARD
            self.batch.step(actions)
            self._earn()
            self._advance(~self.forfeited)
            self._look()

    @contextmanager
    def all_or_reset(self) -> Iterator[None]:
        """Around what belongs to a step or reset: where it raises anything, what the step brought is lost, and `check_whole`
        raises until all rows have been reset."""
        try:
            yield
        except BaseException as error:
            self._failed = raised(error).rstrip(": ")
            self.action_mask[:] = False
            raise

    def check_whole(self) -> None:
        """Raises ResetNeeded where a step or reset has failed half-way, and not all rows have been reset since."""
        if self._failed is not None:
            raise ResetNeeded(f"a step or reset {self._failed}; its rewards and ends are lost, so call reset(), of all games")

    def info(self, row: int) -> dict[str, Any]:
        """What Gymnasium's `info` says of a row: "action_mask" (A,) int8 and "seat", and with illegal_action="substitute"
        "substituted"; at the end of a game that was not forfeited also "scores" (P, K) int16, "rank" of the learner
        (0 = first) and "winners" (P,) bool, by seat, and "cut_off": whether the turn limit ended it."""
        seat = int(self.seats[row])
        info: dict[str, Any] = {"action_mask": self.action_mask[row].astype(np.int8), "seat": seat}
        if self.illegal_action == "substitute":
            info["substituted"] = bool(self.substituted[row])
        if self.finished[row]:
            ranks = self.final_ranks[row]
            info |= {"scores": self.final_scores[row].copy(), "rank": int(ranks[seat]), "winners": ranks == 0}
            info["cut_off"] = bool(self.cut_off[row])
        return info

    def _advance(self, rows: np.ndarray) -> None:
        """Let the opponents play until each of some rows (N,) bool is at its learner's decision or over."""
        batch = self.batch

        def waiting() -> np.ndarray:
            return np.flatnonzero(rows & (batch.seat != self.seats) & ~batch.ended)

        for _ in play_on(batch, asking(batch, self.opponents, self.opponent_of), waiting):
            self._earn()

    def _earn(self) -> None:
        self.rewards += self.batch.rewards[self._rows, self.seats]

    def _look(self) -> None:
        """Fill the attributes from the batch."""
        batch = self.batch
        new = batch.ended & ~self.ended
        np.logical_or(batch.ended, self.forfeited, out=self.terminated)
        self.cut_off[:] = batch.cut_off & ~self.forfeited
        if new.any():
            self.final_ranks[new] = ranks_of(self.ruleset, batch.games[new], batch.final_scores[new])
        batch.observe(out=self.observation, seats=self.seats)
        batch.write_mask(self.action_mask)
        self.action_mask[self.forfeited | (batch.seat != self.seats)] = False
