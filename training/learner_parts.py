"""What a learner is made of, as its plan says: what it trains, whom it meets, where it plays and how it begins."""

from __future__ import annotations

from functools import partial

import torch

from hansa_env import Ruleset
from hansa_env.play.registry import split_spec
from hansa_training.end_worth import worth_of
from hansa_training.expert import Expert
from hansa_training.league import Company, League
from hansa_training.networks.computing import Computing
from hansa_training.networks.trained import OwnNetwork, SharedNetwork, Trained
from hansa_training.plan import Plan
from hansa_training.ranks import Ranks
from hansa_training.rollout import SeatBuffer
from hansa_training.rulesets import those_who_play
from hansa_training.shard import Shard
from hansa_training.sizes import NETWORKS
from hansa_training.warm_start import Imitation
from hansa_training.workers import Workers


def trained_by(plan: Plan, computing: Computing) -> Trained:
    """What a plan trains, with fresh weights."""
    if plan.rulesets:
        return SharedNetwork(plan.rulesets_played, NETWORKS[plan.network], computing)
    return OwnNetwork(plan.ruleset, NETWORKS[plan.network], computing)


def league_of(plan: Plan, ruleset: Ruleset, trained: Trained) -> League:
    """Whom the learner meets in a ruleset."""
    return League(
        ruleset, those_who_play(plan.met, ruleset), those_who_play(plan.in_turns, ruleset), plan.snapshots,
        plan.part(Company), partial(trained.empty, ruleset), plan.seed,
    )  # fmt: skip


def shard_of(plan: Plan, index: int, games: int, league: League, device: torch.device) -> Shard:
    """The shard of a number, with so many games."""
    ruleset = plan.ruleset_of(index)
    buffer = SeatBuffer(ruleset, games, plan.rollout, plan.gamma, plan.gae_lambda, device)
    seed = plan.seed + 1_000_003 * (index + 1)
    expert = None
    if plan.expert:
        argument = split_spec(plan.expert)[1] or ""
        expert = Expert(ruleset, argument, seed, plan.expert_share, plan.expert_labels // plan.shards)
    return Shard(
        ruleset, buffer, league, seed, plan.max_turns, worth_of(plan, ruleset),
        from_middle=plan.from_middle, turn_limit_cost=plan.turn_limit_cost, expert=expert, turn_cost=plan.turn_cost,
    )  # fmt: skip


def imitation_of(plan: Plan, trained: Trained, workers: Workers, ranks: Ranks) -> Imitation:
    """The warm start."""
    teachers = {ruleset: plan.teacher_of(ruleset) for ruleset in plan.rulesets_played}
    return Imitation(
        trained, teachers, plan.warm_start, plan.seed, games=plan.teacher_games, ticks=plan.teacher_ticks,
        max_turns=plan.max_turns, shards=plan.shards // len(teachers), workers=workers, ranks=ranks,
    )  # fmt: skip
