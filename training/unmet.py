"""What a plan says that would have no effect: a policy that never learns, frozen copies and rivals that are never met."""

from __future__ import annotations

from collections.abc import Iterator

from hansa_env import Ruleset
from hansa_training.errors import PlanError
from hansa_training.plan import Plan
from hansa_training.plan_texts import option
from hansa_training.rulesets import name_of, those_who_play

#: No run begins with these any more; one that did goes on.
RIVALS_UNMET = "from_frozen is 0, so the rivals would never be met"
NOBODY_MET = "snapshots is 0 and there are no rivals, so from_frozen has no effect"
NOBODY_AT_ALL = "there are no opponents, rivals and frozen copies, so it has all seats in more games than all_learners says"
#: Plans by name have it where only from_frozen was changed.
AT_ONCE_IDLE = "from_frozen is 0, so at_once has no effect"


def lines_of_the_unmet(plan: Plan) -> list[str]:
    """What of a plan has no effect, a line each."""
    nobody = plan.from_frozen > 0 and not plan.snapshots and not plan.in_turns
    idle = plan.at_once > 1 and not plan.from_frozen and not (plan.in_turns and plan.meets_rivals)
    lines = [line for line, said in ((RIVALS_UNMET, not plan.meets_rivals), (NOBODY_MET, nobody), (AT_ONCE_IDLE, idle)) if said]
    return [*lines, *_lines_of_the_alone(plan), *_lines_of_the_unlearned(plan)]


def check_rivals(plan: Plan) -> None:
    """Raises PlanError where the rivals would never be met."""
    if not plan.meets_rivals:
        share = "a share of the games with frozen copies and rivals, such as 0.5"
        raise PlanError(f"{RIVALS_UNMET}; expected {share}, or {option('rivals')} ''")


def check_met(plan: Plan) -> None:
    """Raises PlanError where a run of this plan would not meet whom it says."""
    check_rivals(plan)
    lines = lines_of_the_unmet(plan)
    if NOBODY_MET in lines:
        raise PlanError(f"{NOBODY_MET}; expected frozen copies ({option('snapshots')} 6), rivals, or {option('from_frozen')} 0")
    if NOBODY_AT_ALL in lines:
        raise PlanError(f"{NOBODY_AT_ALL}; expected one of them, or {option('all_learners')} 1")


def _lines_of_the_alone(plan: Plan) -> Iterator[str]:
    """On which rulesets the learner plays itself, though not all games are to be such."""
    played = plan.rulesets_played
    alone = [one for one in played if not those_who_play([*plan.met, *plan.in_turns], one)]
    if not alone or plan.all_learners == 1:
        return
    where = f" on {', '.join(map(name_of, alone))}" if len(played) > 1 else ""
    if plan.takes_snapshots:
        first = -(-plan.value_rollouts // plan.snapshot_every) * plan.snapshot_every
        yield f"there are no opponents and rivals{where}: it plays itself until frozen copies join, at rollout {first}"
    elif len(alone) == len(played):
        yield NOBODY_AT_ALL
    else:
        yield f"there are no opponents, rivals and frozen copies{where}, so it plays itself there"


def _lines_of_the_unlearned(plan: Plan) -> Iterator[str]:
    """Where self-play is over while only the value head learns."""
    rows = plan.value_rollouts * plan.envs * plan.rollout
    taken = rows * sum(_share_of_learner(plan, one) for one in plan.rulesets_played) / len(plan.rulesets_played)
    if not plan.minutes and 0 < plan.self_play <= taken:
        yield (
            f"the policy learns nothing in self-play: self_play is {plan.self_play:,}, and in the first rollouts "
            f"(value_rollouts = {plan.value_rollouts}), which have about {round(taken):,} decisions, only the value head learns"
        )


def _share_of_learner(plan: Plan, ruleset: Ruleset) -> float:
    """The share of the seats that learn, as the plan composes tables; of those that nobody else sits at it is more."""
    two = plan.two_learners if ruleset.players > 2 else 0.0
    one = 1 - plan.all_learners - plan.mixed - two
    return plan.all_learners + plan.mixed / 2 + (2 * two + one) / ruleset.players
