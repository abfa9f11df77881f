"""What a run trains: PPO after a warm start, by self-play in a league. All of its state can be taken out and put back."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from time import perf_counter
from typing import Any

import numpy as np
from stable_baselines3.common.utils import set_random_seed

from hansa_agents import make_agent
from hansa_env import Ruleset
from hansa_training.agent import PPOAgent
from hansa_training.average import Average
from hansa_training.errors import LESS, RunError
from hansa_training.learner_parts import imitation_of, league_of, shard_of, trained_by
from hansa_training.model_file import model_bytes, shared_bytes
from hansa_training.networks import weights_of
from hansa_training.networks.computing import computing_of
from hansa_training.networks.trained import SharedNetwork
from hansa_training.plan import Plan
from hansa_training.ppo import LOSSES, SelfPlayPPO, Settings
from hansa_training.ranks import ALONE, Ranks
from hansa_training.starting_weights import started_from
from hansa_training.state import (
    GO_ON,
    optimizer_state,
    random_state,
    same_state,
    set_optimizer_state,
    set_random_state,
    tensors,
    within,
)
from hansa_training.warm_start import Imitation
from hansa_training.workers import Workers, split_evenly

#: The policy begins at this share of the learning rate: the optimizer knows nothing yet of the size of its gradients. From
#: there it may rise to all of it, until over the last part of the run it shrinks down to the last share. A policy that was
#: given at the start begins lower still: it has more to lose.
FIRST_RATE, STARTED_RATE, LAST_RATE = 0.1, 0.02, 0.05
#: Of a learner's clock: the seconds of self-play, all and without the last rollout.
SELF_PLAY, BEFORE_LAST = "seconds", "seconds before last"


class Learner:
    """The learner of a plan, at its beginning; making one seeds the process's random generators.

    Attributes:
        trained: what learns.
        leagues: whom it meets, by ruleset.
        ppo: how it learns.
        imitation: the warm start, None when it is over.
        average: of the weights; these are what is measured and kept as the model.
        rollouts, seconds: of self-play so far; measuring and saving take none of the seconds.
    """

    def __init__(self, plan: Plan, ranks: Ranks = ALONE) -> None:
        self.plan, self.ranks = plan, ranks
        self.computing = computing_of(plan.precision, plan.device)
        set_random_seed(plan.seed, using_cuda=self.computing.on_gpu)
        self.trained = trained_by(plan, self.computing)
        self.leagues = {ruleset: league_of(plan, ruleset, self.trained) for ruleset in plan.rulesets_played}
        parts = split_evenly(plan.envs, plan.shards)
        leagues = [self.leagues[plan.ruleset_of(i)] for i in range(plan.shards)]
        shards = {i: shard_of(plan, i, parts[i], leagues[i], self.computing.device) for i in ranks.own(plan.shards)}
        self.workers = Workers(max(1, min(plan.threads, len(shards))))
        self.ppo = SelfPlayPPO(self.trained, shards, leagues, self.workers, plan.part(Settings), plan.learning_rate, ranks)
        self.imitation: Imitation | None = imitation_of(plan, self.trained, self.workers, ranks)
        self.average = Average(self.trained.kept(), plan.average)
        self.rollouts, self.seconds = 0, 0.0
        self._before_last, self._seconds_before_last = 0, 0.0
        self._end_warm_start()

    @property
    def decisions(self) -> int:
        """Decisions of self-play so far, of the learner's seats."""
        return self.ppo.decisions

    @property
    def figures(self) -> dict[str, float]:
        """Of the last rollout, by name, as they are logged."""
        return self.ppo.figures

    @property
    def finished(self) -> bool:
        """Whether self-play is over."""
        done, total = self.progress
        return done >= total

    @property
    def progress(self) -> tuple[float, float]:
        """How much of self-play is done, and of how much: in decisions, or in seconds where the plan names minutes."""
        return (self.seconds, 60 * self.plan.minutes) if self.plan.minutes else (self.decisions, self.plan.self_play)

    @property
    def overshot(self) -> bool:
        """Whether the plan asks for less than has been done already."""
        done = self._seconds_before_last if self.plan.minutes else self._before_last
        return self.rollouts > 0 and done >= self.progress[1]

    def start(self) -> None:
        """Begin with the weights that the plan names, if any; all ranks with those of the first, since files and PyTorch may
        differ between machines. Raises `ModelError`."""
        if self.plan.start and self.ranks.first:
            self.trained.set(started_from(self.plan.start, self.trained))
        if self.ranks.size > 1:
            self.trained.set(tensors(self.ranks.from_first(self.trained.kept())))
            self.average = Average(self.trained.kept(), self.plan.average)
        if self.plan.start:
            self.average.restart(self.trained.kept())

    def imitate(self) -> None:
        """One round of the warm start."""
        assert self.imitation is not None, "the warm start is over"
        self.imitation.round()
        self._check_numbers("the warm start")
        self.average.restart(self.trained.kept())
        self._end_warm_start()

    def play(self) -> None:
        """One rollout of self-play, and learning from it."""
        ppo, plan, began = self.ppo, self.plan, perf_counter()
        if self.rollouts == 0:
            for shard in ppo.shards.values():
                shard.desynchronise(make_agent(plan.teacher_of(shard.ruleset), shard.ruleset))
        self._change_company()
        ppo.value_only = self.rollouts < plan.value_rollouts
        if self.rollouts == plan.value_rollouts:
            ppo.rate = plan.learning_rate * (STARTED_RATE if plan.start else FIRST_RATE)
        ppo.limit_rate(self._largest_rate())
        self._before_last = self.decisions
        ppo.collect()
        self._label()
        ppo.learn()
        self.rollouts += 1
        self._check_numbers(f"rollout {self.rollouts}")
        if ppo.value_only:
            self.average.restart(self.trained.kept())
        else:
            self.average.note(self.trained.kept())
        self._seconds_before_last = self.seconds
        self.seconds += self.ranks.from_first(perf_counter() - began)  # ranks end together, and change the rate alike

    def _check_numbers(self, after: str) -> None:
        """Raises RunError, on all ranks alike, where what was learned from is no number, or the weights are none."""
        told = [self.figures[name] for name in LOSSES if name in self.figures]
        if not all(map(math.isfinite, told)) or not all(bool(one.isfinite().all()) for one in self.trained.weights.values()):
            raise RunError(f"the loss is no number after {after}; {LESS}")

    def _label(self) -> None:
        """Let the search judge what the shards noted for it, with the averaged weights, once the policy learns."""
        if not self.plan.expert:
            return
        experts = [(shard.expert, shard.ruleset) for shard in self.ppo.shards.values() if shard.expert]
        if self.ppo.value_only:
            for expert, _ in experts:
                expert.drop()
            return
        began = perf_counter()
        weights = {
            ruleset: {name: one.cpu().numpy() for name, one in weights_of(policy).items()}
            for ruleset in self.leagues
            for policy in [self.trained.frozen(ruleset, self.average.weights)]
        }
        self.workers.map(lambda one: one[0].label(weights[one[1]]), experts)
        self.ppo.seconds["labels"] = perf_counter() - began

    def _change_company(self) -> None:
        """Frozen copies join, and others of them are met, when it is time."""
        plan = self.plan
        joins = plan.takes_snapshots and self.rollouts >= plan.value_rollouts and self.rollouts % plan.snapshot_every == 0
        if not joins and self.rollouts % plan.meet_every:
            return
        for ruleset, league in self.leagues.items():
            if joins:
                league.add_snapshot(self.trained.frozen(ruleset, self.average.weights), f"rollout {self.rollouts}")
            league.draw_frozen()
        if joins:
            seated = self.ranks.concatenate([sorted(shard.seated()) for shard in self.ppo.shards.values()])
            for league in self.leagues.values():
                league.forget({one for own, some in zip(self.ppo.leagues, seated) if own is league for one in some})

    def _largest_rate(self) -> float:
        (done, total), plan = self.progress, self.plan
        left = 1 - done / total
        return plan.learning_rate * (max(LAST_RATE, left / plan.decay) if left < plan.decay else 1.0)

    def agent(self, ruleset: Ruleset | None = None, temperature: float = 0.0) -> PPOAgent:
        """An agent that plays a ruleset by the averaged weights, at a temperature of `PPOAgent`."""
        ruleset = ruleset or self.plan.rulesets_played[0]
        return PPOAgent(ruleset, self.trained.frozen(ruleset, self.average.weights), self.plan.seed, temperature)

    def model_bytes(self) -> bytes:
        """The averaged weights as a model file."""
        if isinstance(self.trained, SharedNetwork):
            return shared_bytes(self.trained, self.average.weights)
        ruleset = self.plan.ruleset
        return model_bytes(self.trained.frozen(ruleset, self.average.weights), ruleset, self.trained.network)

    def state(self) -> dict[str, Any]:
        """All that makes a run go on as if it had not stopped; all ranks ask for it at once. The random generators are the
        process's."""
        ppo = self.ppo
        return {
            "weights": self.trained.kept(),
            "average": self.average.state(),
            "optimiser": optimizer_state(ppo.optimizer),
            "decisions": ppo.decisions,
            "before last": self._before_last,
            "rollouts": self.rollouts,
            "updates": ppo.updates,
            "figures": ppo.figures,
            "warm start": self.imitation.state() if self.imitation else None,
            "leagues": [league.state() for league in self.leagues.values()],
            "shards": self.ranks.concatenate([shard.state() for shard in ppo.shards.values()]),
            "random": random_state(),
        }

    def clock(self) -> dict[str, float]:
        """How long self-play has taken. It is no part of the state, which would differ from run to run."""
        return {SELF_PLAY: self.seconds, BEFORE_LAST: self._seconds_before_last}

    def set_state(self, state: dict[str, Any], clock: Mapping[str, Any] | None = None) -> None:
        """Go on from there, in a learner of the same plan; all ranks do so at once.

        Args:
            clock: as `clock` told it; earlier versions kept it in the state, of runs by minutes alone.

        Raises:
            RunError: the games do not fit this version, or it is not a state that a run can go on from. ModelError: the
                weights do not fit.
        """
        ppo = self.ppo
        self.trained.set(tensors(state["weights"]))
        self.average.set_state(state["average"])
        set_optimizer_state(ppo.optimizer, state["optimiser"])
        ppo.figures = dict(state["figures"])
        ppo.decisions, ppo.updates, self.rollouts = (
            within(name, int(state[name]), 0, math.inf) for name in ("decisions", "updates", "rollouts")
        )
        self._before_last = within("before last", int(state["before last"]), 0, ppo.decisions)
        self._set_clock(clock or state)
        if state["warm start"] is None:
            self.imitation = None
        elif self.imitation is not None:
            self.imitation.set_state(state["warm start"])
        leagues = list(zip(self.leagues.values(), state["leagues"]))
        exchanged = not all(league.has_opponents_of(kept) for league, kept in leagues)
        for league, kept in leagues:
            league.set_state(kept)
        for number, shard in ppo.shards.items():
            shard.set_state(state["shards"][number])
        set_random_state(state["random"])  # last: making networks and dealing games may draw from them
        now = self.state()
        now["random"]["cuda"] = state["random"]["cuda"]  # of GPUs that may not be here, from which nothing is drawn
        if exchanged:  # then leagues, and who sits where in the shards' games, are no longer as they were kept
            now |= {name: state[name] for name in ("leagues", "shards")}
        now |= {name: state[name] for name in (SELF_PLAY, BEFORE_LAST) if name in state}
        if not same_state(now, state):
            raise RunError(f"not all of it is what a run of this version keeps; {GO_ON}")

    def _set_clock(self, kept: Mapping[str, Any]) -> None:
        if self.plan.minutes and self.rollouts and SELF_PLAY not in kept:
            raise RunError("the checkpoint does not say how long self-play took; use --self-play instead of --minutes")
        self.seconds, self._seconds_before_last = (float(kept.get(name, 0.0)) for name in (SELF_PLAY, BEFORE_LAST))
        if not 0 <= self.seconds < math.inf:
            raise RunError(f"{SELF_PLAY} is {self.seconds}; expected how long self-play has taken; {GO_ON}")
        if not 0 <= self._seconds_before_last <= self.seconds:
            raise RunError(f"{BEFORE_LAST} is {self._seconds_before_last}; expected at most all {self.seconds}; {GO_ON}")

    def kept_games(self) -> Iterator[tuple[Ruleset, np.ndarray]]:
        """The game records of this rank that it goes on with, by ruleset."""
        for shard in self.ppo.shards.values():
            yield shard.ruleset, shard.kept_games()
        for lesson in self.imitation.lessons.values() if self.imitation else ():
            yield lesson.batch.ruleset, lesson.batch.games

    def close(self) -> None:
        """Let the threads go."""
        self.workers.close()

    def _end_warm_start(self) -> None:
        if self.imitation is not None and self.imitation.finished:
            self.imitation = None
