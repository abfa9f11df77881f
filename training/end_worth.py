"""What the end of a game is worth to a seat, which is what the value of a network foresees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hansa_agents.search.evaluation import LEAD, LEAD_LIMIT, LEAD_SCALE, WIN
from hansa_env import Ruleset
from hansa_env.engine.rules.scoring import TOTAL, score_columns
from hansa_env.play.errors import AgentError, raised
from hansa_env.play.registry import imported
from hansa_env.play.result import win_rewards
from hansa_training.errors import PlanError, RunError

if TYPE_CHECKING:
    from hansa_training.plan import Plan


@dataclass(frozen=True)
class Worth:
    """win · (zero-sum share of the win) + (lead · (points ahead of the best other seat) + own_points · points) / lead_scale.

    By default what agents that search reckon with; a lead counts for no more than LEAD_LIMIT times `lead_scale`.
    """

    win: float = WIN
    lead: float = LEAD
    lead_scale: float = LEAD_SCALE
    own_points: float = 0.0

    def of(self, rewards: np.ndarray, totals: np.ndarray) -> np.ndarray:
        """(N, P) float64 of games with their rewards by win and their points, both (N, P)."""
        points = totals.astype(np.float64)
        ahead = np.empty_like(points)
        for seat in range(points.shape[1]):
            ahead[:, seat] = points[:, seat] - np.delete(points, seat, 1).max(1)
        counted = self.lead * np.clip(ahead / self.lead_scale, -LEAD_LIMIT, LEAD_LIMIT)
        return self.win * rewards + counted + self.own_points * points / self.lead_scale

    def of_games(self, rewards: np.ndarray, scores: np.ndarray) -> np.ndarray:
        """(N, P) float64 of games with their rewards by win (N, P) and their scores (N, P, K)."""
        return self.of(rewards, scores[:, :, TOTAL])


class OwnWorth:
    """What a function of the user's says: `function(ruleset, rewards, scores)` of games that ended.

    It is given the rewards by win (N, P) float64, zero-sum, and the scores (N, P, K) int16, whose columns are those of
    `hansa_env.engine.rules.scoring.score_columns(ruleset)`; it answers with (N, P) numbers, ideally near 1.
    """

    def __init__(self, function: Callable[..., np.ndarray], ruleset: Ruleset, name: str) -> None:
        self.function, self.ruleset, self.name = function, ruleset, name

    def of_games(self, rewards: np.ndarray, scores: np.ndarray) -> np.ndarray:
        """(N, P) float64. Raises RunError where the function fails or answers with something else."""
        try:
            found = np.asarray(self.function(self.ruleset, rewards.copy(), scores.copy()), np.float64)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # also SystemExit, which would end the run without a word
            raise RunError(f"{self.name} {raised(error)}") from error
        if found.shape != rewards.shape:
            raise RunError(f"{self.name} answered with shape {found.shape}; expected {rewards.shape}: games, seats")
        kept = kept_numbers(found)
        if not kept.all():
            first = int(np.flatnonzero(~kept.all(1))[0])
            seen = f"{found[first].tolist()} for a game of {scores[first, :, TOTAL].tolist()} points"
            raise RunError(f"{self.name} answered with {seen}; expected finite numbers, ideally near 1")
        return found


def kept_numbers(worths: np.ndarray) -> np.ndarray:
    """Which of some numbers are still some in float32, as rewards are kept."""
    with np.errstate(over="ignore"):
        return np.isfinite(worths.astype(np.float32))


def worth_of(plan: Plan, ruleset: Ruleset | None = None) -> Worth | OwnWorth:
    """What a plan says that games of a ruleset are worth, by default of its own. Raises `PlanError` where its function cannot
    be loaded."""
    if not plan.worth:
        return Worth(plan.win, plan.lead, plan.lead_scale, plan.own_points)
    if not all(plan.worth.partition(":")):
        raise PlanError(f"worth is {plan.worth!r}; expected module:function")
    try:
        found = imported(plan.worth, plan.worth, "function", "module:function")
    except AgentError as error:
        raise PlanError(f"worth: {error}") from error
    return OwnWorth(found, ruleset or plan.ruleset, plan.worth)


def check_worth(plan: Plan) -> None:
    """Ask what a plan says of a game that might have been, so that nobody learns only hours later that it fails, or says more
    than can be learned.

    Raises PlanError, RunError.
    """
    for ruleset in plan.rulesets_played:
        players = ruleset.players
        scores = np.full((1, players, len(score_columns(ruleset))), 4, np.int16)
        scores[0, :, TOTAL] = 20 + 10 * np.arange(players)
        rewards = win_rewards(np.eye(players)[-1:], players)
        worths = worth_of(plan, ruleset).of_games(rewards, scores)[0]
        if not kept_numbers(np.array([*worths, plan.turn_limit_cost, plan.turn_cost])).all():
            names = "win", "lead", "own_points", "turn_limit_cost", "turn_cost"
            said = ", ".join(f"{name} {getattr(plan, name):g}" for name in names)
            raise PlanError(f"a game is worth {worths.tolist()} by {said}; expected finite numbers, ideally near 1")
