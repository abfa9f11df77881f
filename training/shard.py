"""A share of the games of self-play: plays them and writes down every decision of the seats that learn."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from hansa_agents.match_workers import DECISIONS
from hansa_env import Agent, HansaBatch, Ruleset
from hansa_env.engine import kernels
from hansa_env.engine.kernels import NO_ACTION
from hansa_env.engine.rules.scoring import TOTAL
from hansa_env.engine.tables import tables_of
from hansa_env.play.agents import ask_agents
from hansa_env.play.errors import NoAnswer
from hansa_env.play.loop import asking, play_rows
from hansa_training.end_worth import OwnWorth, Worth
from hansa_training.errors import LESS, RunError
from hansa_training.expert import Expert
from hansa_training.league import LEARNER, League
from hansa_training.midgame_starts import MidgameStarts
from hansa_training.networks.drawing import draw
from hansa_training.networks.recorded import Inference
from hansa_training.rollout import SeatBuffer
from hansa_training.state import contents, put_back, set_contents


class Shard:
    """Games side by side, in each of which some seats learn and an opponent of the league has the others.

    Args:
        buffer: whose `num_games` games are played, `num_steps` ticks (a decision of every game) at a time.
        seed: of the games, of who sits where, and of what is drawn.
        worth: of a game at its end.
        from_middle: share of the games that begin in a position of a game before.
        turn_limit_cost: what every seat loses where the turn limit ends a game.
        turn_cost: what each turn costs the seat whose turn it was, when its next one begins.
        expert: labels some of the learner's positions; None: no search does.

    Attributes:
        whole: (N,) bool, False while a game goes on that others began.
        seconds: of the last `collect`: "engine", "inference", "opponents".
        results: of the whole games that ended since `collect` began, one for each seat that learns: "scores" (K, the columns of
            `score_columns`), "truncated", and "ahead": by opponent's number, the share of its seats that have fewer points, the
            same counting half.
    """

    def __init__(
        self, ruleset: Ruleset, buffer: SeatBuffer, league: League, seed: int, max_turns: int, worth: Worth | OwnWorth,
        *, from_middle: float = 0.0, turn_limit_cost: float = 0.0, expert: Expert | None = None, turn_cost: float = 0.0,
    ) -> None:  # fmt: skip
        self.ruleset, self.buffer, self.league, self.seed, self.worth = ruleset, buffer, league, seed, worth
        self.turn_limit_cost, self.turn_cost, self.expert = turn_limit_cost, turn_cost, expert
        self.batch = HansaBatch(buffer.num_games, ruleset, seed, max_turns, autoreset=True)
        self.random = np.random.default_rng(seed)
        self.who = league.seat_players(buffer.num_games, self.random)
        self.midgame_starts = MidgameStarts(from_middle)
        self.inference = Inference(ruleset, buffer.num_games, buffer.device)
        self.agents: dict[int, Agent] = {}
        self.last_row = np.full((buffer.num_games, ruleset.players), -1)
        self.last_turn = np.full((buffer.num_games, ruleset.players), -1)
        self.whole = np.ones(buffer.num_games, np.bool_)
        self._rows = np.arange(buffer.num_games)
        self.seconds: dict[str, float] = {}
        self.results: list[dict[str, Any]] = []

    def desynchronise(self, agent: Agent) -> None:
        """Let an agent play each game up to a decision drawn at random.

        Games that began together would stay in step for long: rollouts of openings alone, then of endings alone, from which
        a value is hard to learn, and a policy can be driven astray.
        """
        batch, begins = self.batch, self.random.integers(DECISIONS, size=self.batch.num_games)
        ask = asking(batch, [agent], np.zeros_like(self.who))
        for number in range(begins.max()):
            play_rows(batch, np.flatnonzero(number < begins), ask)
        self.whole[:] = False

    @torch.no_grad()
    def collect(self, policy: MaskableActorCriticPolicy, check: Callable[[], None] = lambda: None) -> None:
        """Fill the buffer with `num_steps` ticks and compute their advantages; `check` is called before each, and may raise."""
        self.results = []
        self.seconds = dict.fromkeys(("engine", "inference", "opponents"), 0.0)
        began = time.perf_counter()
        self._begin(policy)
        self.seconds["inference"] += time.perf_counter() - began
        for number in self.league.opponents:
            if number not in self.agents:
                self.agents[number] = self.league.agent(number, self.seed + number, self.inference)
        for _ in range(self.buffer.num_steps):
            check()
            self._tick(policy)
        self.midgame_starts.note(self.batch, self.random)
        self.buffer.compute_returns()
        self.agents = {n: agent for n, agent in self.agents.items() if n in self.league.opponents}

    def _begin(self, policy: MaskableActorCriticPolicy) -> None:
        """Begin with the decisions that wait, as the policy of now sees them."""
        buffer = self.buffer
        buffer.begin()
        self.last_row[:] = -1
        for first in range(0, buffer.waiting, buffer.num_games):
            rows = np.arange(first, min(first + buffer.num_games, buffer.waiting))
            logits, values = self.inference(policy, buffer.observations[rows], buffer.action_masks[rows])
            drawn = logits.log_softmax(1).gather(1, torch.from_numpy(buffer.actions[rows])[:, None])[:, 0]
            buffer.judge_anew(rows, drawn.numpy(), values.numpy())
            self.last_row[buffer.games[rows], buffer.seats[rows]] = rows

    def seated(self) -> set[int]:
        """The numbers of the opponents at the tables."""
        return set(np.unique(self.who).tolist()) - {LEARNER}

    def _tick(self, policy: MaskableActorCriticPolicy) -> None:
        batch, t0 = self.batch, time.perf_counter()
        who = self.who[self._rows, batch.seat]
        own, others = np.flatnonzero(who == LEARNER), np.flatnonzero(who != LEARNER)
        actions = np.full(batch.num_games, NO_ACTION)
        t1 = t0
        if len(own):
            rows = self._look(own)
            t1 = time.perf_counter()
            actions[own] = self._choose(policy, rows)
        t2 = time.perf_counter()
        if len(others):
            numbers = sorted(self.agents)
            places = np.searchsorted(numbers, who[others])
            agents = [self.agents[number] for number in numbers]
            actions[others] = ask_agents(agents, places, self.ruleset, batch.games.take(others))
        t3 = time.perf_counter()
        batch.step(actions)
        ended = np.flatnonzero(batch.ended)
        if len(ended):
            self._end(ended)
        t4 = time.perf_counter()
        self.seconds["engine"] += t1 - t0 + t4 - t3
        self.seconds["inference"] += t2 - t1
        self.seconds["opponents"] += t3 - t2

    def _look(self, own: np.ndarray) -> slice:
        """Write what the learner sees in some games into new rows of the buffer."""
        buffer, seats = self.buffer, self.batch.seat[own]
        rows = buffer.room(len(own))
        games, tables = self.batch.games.take(own), tables_of(self.ruleset)
        kernels.observe_games(games, tables, seats, buffer.observations[rows], 0, len(own))
        kernels.mask_games(games, tables, buffer.action_masks[rows], 0, len(own))
        buffer.games[rows], buffer.seats[rows] = own, seats
        if self.turn_cost:
            self._charge(own, seats, games)
        self.last_row[own, seats] = np.arange(rows.start, rows.stop)
        return rows

    def _charge(self, own: np.ndarray, seats: np.ndarray, games: np.ndarray) -> None:
        """Charge the turn before to the seats whose turn has just begun, at their last decision."""
        at_turn = games["turn"] == seats
        turns, before, rows = games["turns"], self.last_turn[own, seats], self.last_row[own, seats]
        charged = at_turn & (before >= 0) & (turns != before) & (rows >= 0)
        self.buffer.rewards[rows[charged]] -= self.turn_cost
        self.last_turn[own[at_turn], seats[at_turn]] = turns[at_turn]

    def _choose(self, policy: MaskableActorCriticPolicy, rows: slice) -> np.ndarray:
        """Draw the learner's actions and note what the policy thought of them."""
        buffer = self.buffer
        logits, values = self.inference(policy, buffer.observations[rows], buffer.action_masks[rows])
        if self.expert is not None:
            self.expert.consider(self.batch.games.take(buffer.games[rows]), logits)
        try:
            actions, log_probs = draw(logits, self.random.integers(2**64, size=len(logits), dtype=np.uint64))
        except NoAnswer as error:
            raise RunError(f"the learner {error}; {LESS}") from error
        buffer.actions[rows], buffer.log_probs[rows], buffer.values[rows] = actions, log_probs, values.numpy()
        return actions

    def _end(self, ended: np.ndarray) -> None:
        """Book what ended games were worth to the last decision of each seat that learns, and seat the next players."""
        batch, buffer = self.batch, self.buffer
        worths = self.worth.of_games(batch.rewards[ended].astype(np.float64), batch.final_scores[ended])
        worths -= self.turn_limit_cost * batch.cut_off[ended, None]
        points = batch.final_scores[ended, :, TOTAL].astype(np.int64)
        aheads = (1 + np.sign(points[:, :, None] - points[:, None, :])) / 2
        for game, worth, ahead in zip(ended, worths, aheads):
            opponents = np.unique(self.who[game][self.who[game] != LEARNER])
            for seat in np.flatnonzero(self.who[game] == LEARNER):
                row = self.last_row[game, seat]
                if row >= 0:
                    buffer.rewards[row] = worth[seat]
                    buffer.ended[row] = True
                if self.whole[game]:
                    self.results.append({
                        "scores": batch.final_scores[game, seat].tolist(), "truncated": bool(batch.cut_off[game]),
                        "ahead": {int(one): float(ahead[seat, self.who[game] == one].mean()) for one in opponents},
                    })  # fmt: skip
        self.whole[ended] = True
        self.last_row[ended], self.last_turn[ended] = -1, -1
        self.who[ended] = self.league.seat_players(len(ended), self.random)
        self.whole[self.midgame_starts.begin(batch, ended, self.random)] = False

    @property
    def _by_game(self) -> dict[str, np.ndarray]:
        """What it knows of each game beside the batch, by the names in a checkpoint."""
        return {"who": self.who, "whole": self.whole, "last turn": self.last_turn}

    def kept_games(self) -> np.ndarray:
        """The records of the games under way and of those in which others begin."""
        return np.concatenate([self.batch.games, self.midgame_starts.noted()])

    def state(self) -> dict[str, Any]:
        """All that makes it go on as if it had not stopped, as `hansa_training.state` keeps it."""
        return {
            "games": contents(self.batch),
            **self._by_game,
            "waiting": self.buffer.state(),
            "random": self.random.bit_generator.state,
            "midgame starts": contents(self.midgame_starts),
            "expert": None if self.expert is None else self.expert.state(),
        }

    def set_state(self, state: dict[str, Any]) -> None:
        """Go on from there, after the league has. Raises `RunError` where the games do not fit this version."""
        set_contents(self.batch, state["games"])
        set_contents(self.midgame_starts, state["midgame starts"])
        put_back(self._by_game, state, "Shard")
        self.buffer.set_state(state["waiting"])
        self.random.bit_generator.state = state["random"]
        if self.expert is not None:
            self.expert.set_state(state["expert"])
        self.whole[self.league.reseat(self.who, self.random)] = False
        self.agents = {}  # made anew: what they do follows from their seeds and the games
