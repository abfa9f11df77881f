"""What a plan says of frozen copies and rivals that would have no effect, since the learner would meet none of them."""

from __future__ import annotations

from hansa_training.errors import PlanError
from hansa_training.plan import Plan
from hansa_training.plan_texts import option

#: No run begins with these any more; one that did goes on.
RIVALS_UNMET = "from_frozen is 0, so the rivals would never be met"
NOBODY_MET = "snapshots is 0 and there are no rivals, so from_frozen has no effect"
#: Plans by name have it where only from_frozen was changed.
AT_ONCE_IDLE = "from_frozen is 0, so at_once has no effect"


def lines_of_the_unmet(plan: Plan) -> list[str]:
    """What of a plan has no effect, a line each."""
    nobody = plan.from_frozen > 0 and not plan.snapshots and not plan.in_turns
    idle = plan.at_once > 1 and not plan.from_frozen and not (plan.in_turns and plan.meets_rivals)
    return [line for line, said in ((RIVALS_UNMET, not plan.meets_rivals), (NOBODY_MET, nobody), (AT_ONCE_IDLE, idle)) if said]


def check_rivals(plan: Plan) -> None:
    """Raises PlanError where the rivals would never be met."""
    if not plan.meets_rivals:
        share = "a share of the games with frozen copies and rivals, such as 0.5"
        raise PlanError(f"{RIVALS_UNMET}; expected {share}, or {option('rivals')} ''")


def check_met(plan: Plan) -> None:
    """Raises PlanError where a run of this plan would not meet whom it says."""
    check_rivals(plan)
    if NOBODY_MET in lines_of_the_unmet(plan):
        raise PlanError(f"{NOBODY_MET}; expected frozen copies ({option('snapshots')} 6), rivals, or {option('from_frozen')} 0")
