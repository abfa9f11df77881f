"""Whether the options of a plan fit together; each is right by itself already. Every check raises ValueError."""

from __future__ import annotations

from hansa_agents.search.evaluation import LEAD, LEAD_SCALE, WIN
from hansa_env import Ruleset
from hansa_env.engine.action_space import num_actions
from hansa_env.engine.view.observation import observation_size
from hansa_env.play.registry import split_spec
from hansa_training.plan_options import PlanOptions
from hansa_training.rulesets import those_who_play, why_not
from hansa_training.sizes import NETWORKS

#: Games times decisions that are kept at a time: 6 GB with three players, 16.5 with five and everything there is.
MOST_KEPT = 2**22
#: What goes into each checkpoint, which can be read back up to 4 GB: frozen copies for all rulesets (2 MB of board-large),
#: and bytes of labels.
MOST_SNAPSHOTS, MOST_LABELLED = 1000, 2**31


def check_that_it_fits_together(plan: PlanOptions) -> None:
    """Raises ValueError naming the first options that do not, and what is expected of them."""
    _check_what_is_kept(plan)
    _check_games_of_shards(plan)
    _check_rulesets(plan)
    _check_seats(plan)
    _check_beginning(plan)
    _check_agents(plan)
    if plan.expert:
        _check_expert(plan)
        _check_labels(plan)
        _check_what_the_expert_thinks(plan)
    _check_named_once(plan)
    _check_measured(plan)


def _check_what_is_kept(plan: PlanOptions) -> None:
    """It fits into memory, and into checkpoints."""
    for name, kept in (("envs and rollout", plan.envs * plan.rollout), ("teacher_games and teacher_ticks", plan.taught)):
        if kept > MOST_KEPT:
            raise ValueError(f"{name} are {kept:,} decisions together; expected at most {MOST_KEPT:,}")
    several = len(plan.rulesets_played)
    if plan.takes_snapshots and plan.snapshots * several > MOST_SNAPSHOTS:
        raise ValueError(
            f"snapshots is {plan.snapshots} for each of {several} rulesets; expected at most {MOST_SNAPSHOTS:,} in all"
        )


def _check_games_of_shards(plan: PlanOptions) -> None:
    """Each shard has a game."""
    for name in ("envs", "teacher_games"):
        games = getattr(plan, name)
        if games < plan.shards:
            raise ValueError(f"{name} is {games}; expected at least one game for each of {plan.shards} shards")


def _check_rulesets(plan: PlanOptions) -> None:
    """One network can learn them together."""
    names: dict[Ruleset, str] = {}
    for ruleset, name in zip(plan.rulesets_played, plan.rulesets.split()):
        if ruleset in names:
            raise ValueError(f"rulesets has {names[ruleset]} and {name}, which are the same; expected each ruleset once")
        names[ruleset] = name
    several = len(plan.rulesets_played)
    if plan.shards % several:
        raise ValueError(f"shards is {plan.shards}; expected a multiple of {several}, as many for each of the rulesets")
    if plan.rulesets and NETWORKS[plan.network]["kind"] != "board":
        raise ValueError(f"network is {plan.network}; rulesets that share their weights need one of the kind board")


def _check_seats(plan: PlanOptions) -> None:
    """Shares of the games are at most all of them."""
    shares = plan.all_learners, plan.two_learners, plan.mixed
    if sum(shares) > 1:
        given = ", ".join(map(str, shares))
        raise ValueError(f"all_learners, two_learners and mixed are {given}; expected at most 1 together")


def _check_beginning(plan: PlanOptions) -> None:
    """It begins with weights or with a warm start."""
    if plan.start and plan.warm_start:
        raise ValueError(f"start is {plan.start!r} and warm_start {plan.warm_start}; expected one of them (warm_start = 0)")


def _check_agents(plan: PlanOptions) -> None:
    """Each plays one of the rulesets, and each ruleset has a teacher."""
    for name, specs in (
        ("opponents", plan.met), ("rivals", plan.in_turns), ("eval_opponents", plan.measured), ("teacher", plan.teachers),
    ):  # fmt: skip
        for spec in specs:
            problems = [why_not(spec, ruleset) for ruleset in plan.rulesets_played]
            if all(problems):
                raise ValueError(f"{name}: {problems[-1]}") from problems[-1]
    for ruleset in plan.rulesets_played:
        if not those_who_play(plan.teachers, ruleset):
            raise ValueError(f"teacher is {plan.teacher!r}; expected one that plays {ruleset}")


def _check_expert(plan: PlanOptions) -> None:
    """It is a search that can think with the network that learns, in every ruleset."""
    name, argument = split_spec(plan.expert)
    # What a clock decides cannot be made again, and another network would give way to the learner's.
    refused = {part.partition("=")[0] for part in (argument or "").split(",")} & {"seconds", "network", "model"}
    if name != "tree" or refused:
        raise ValueError(
            f"expert is {plan.expert!r}; expected tree, such as tree:sims=64 (without sims as many as the agent makes), "
            "without seconds, network and model"
        )
    for ruleset in plan.rulesets_played:
        if problem := why_not(plan.expert, ruleset):
            raise ValueError(f"expert is {plan.expert!r}, which does not play {ruleset}: {problem}") from problem


def _check_labels(plan: PlanOptions) -> None:
    """They fit into a checkpoint."""
    for ruleset in plan.rulesets_played:
        a_label = observation_size(ruleset) + 5 * num_actions(ruleset) + 4  # with masks, float32 shares and a value
        labelled = plan.expert_labels * a_label
        if labelled > MOST_LABELLED:
            fit = plan.expert_labels * MOST_LABELLED // labelled
            raise ValueError(f"expert_labels is {plan.expert_labels:,}; expected at most {fit:,} for {ruleset}")


def _check_what_the_expert_thinks(plan: PlanOptions) -> None:
    """The learner has a network that the expert can think with, and learns what the expert judges by."""
    if NETWORKS[plan.network]["kind"] != "board":
        raise ValueError(f"network is {plan.network}; an expert thinks with one of the kind board")
    judged = {"win": WIN, "lead": LEAD, "own_points": 0, "lead_scale": LEAD_SCALE, "turn_limit_cost": 0, "turn_cost": 0,
              "gamma": 1}  # fmt: skip
    if plan.worth or any(getattr(plan, option) != usual for option, usual in judged.items()):
        said = ", ".join(f"{option} = {usual:g}" for option, usual in judged.items())
        raise ValueError(f"an expert judges games by {said}; expected these, and no worth")


def _check_named_once(plan: PlanOptions) -> None:
    """Nobody is measured against, and nothing told, twice."""
    for name, some in (("eval_opponents", plan.measured), ("watch", plan.watch.split())):
        if len(set(some)) < len(some):
            raise ValueError(f"{name} is {getattr(plan, name)!r}; expected each once")


def _check_measured(plan: PlanOptions) -> None:
    """There is an opponent to measure against, also on the first ruleset, where most is measured."""
    if not plan.measured:
        raise ValueError("eval_opponents is empty; expected one agent or more")
    first = plan.rulesets_played[0]
    if not those_who_play(plan.measured, first):
        raise ValueError(f"eval_opponents is {plan.eval_opponents!r}; expected one that plays {first}")
