"""Fits the curves of `hansa_agents.search.win_share` to games of the agents that come with the project."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import torch
import typer
from scipy.optimize import minimize
from scipy.special import expit

from hansa_agents.scripted.agent import GREEDY
from hansa_agents.scripted.styles import style_names
from hansa_env import HansaBatch, Ruleset, make_agent
from hansa_env.engine.kernels import NO_ACTION
from hansa_env.engine.results import ranks_of, scores_of
from hansa_env.engine.state import OVER
from hansa_env.play.agents import ask_agents, masks_of, observations_of
from hansa_env.play.arguments import MAX_TURNS

EVERY = 8  # decisions of a network of which one is looked at, on the average


def measured(
    ruleset: Ruleset, games: int, seed: int = 0, among_itself: bool = True
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Values (K,) of the network that comes with the project, the shares of the win (K,) that its seat came to, and weights.

    Weights (K,) sum to 1: every game that came to an end counts the same, one that was cut off nothing.

    Args:
        ruleset: of the games.
        games: how many.
        seed: of them and of the agents.
        among_itself: it holds every seat, drawing from its policy or taking the likeliest decision; else half of the seats
            are scripted players'.
    """
    from hansa_training.networks import evaluate

    rng = np.random.default_rng(seed)
    own = ["ppo::sample", "ppo"]
    specs = own + [GREEDY] + [f"scripted:{name}" for name in style_names()]
    agents = [make_agent(spec, ruleset, seed) for spec in specs]
    who = rng.integers(len(own), size=(games, ruleset.players))
    if not among_itself:
        others = rng.random(who.shape) < 0.5
        who[others] = rng.integers(len(own), len(specs), size=int(others.sum()))
    batch = HansaBatch(games, ruleset, seed=seed, max_turns=MAX_TURNS)
    values, rows, seats = [], [], []
    while len(running := np.flatnonzero(batch.games["asked"] != OVER)):
        deciding = who[running, batch.seat[running]]
        looked = running[(deciding < len(own)) & (rng.random(len(running)) < 1 / EVERY)]
        if len(looked):
            state = batch.games.take(looked)
            with torch.no_grad():
                seen = torch.from_numpy(observations_of(ruleset, state))
                found = evaluate(agents[0].policy, seen, torch.from_numpy(masks_of(ruleset, state)))[1]  # type: ignore[attr-defined]
            values.append(found.numpy())
            rows.append(looked)
            seats.append(batch.seat[looked].copy())
        actions = np.full(games, NO_ACTION)
        actions[running] = ask_agents(agents, deciding, ruleset, batch.games.take(running))
        batch.step(actions)
    first = ranks_of(ruleset, batch.games, scores_of(ruleset, batch.games)) == 0
    shares = first / first.sum(1, keepdims=True)
    row, ended = np.concatenate(rows), batch.terminated
    weights = ended[row] / np.bincount(row, minlength=games)[row]
    return np.concatenate(values), shares[row, np.concatenate(seats)], weights / weights.sum()


def fitted(values: np.ndarray, shares: np.ndarray, weights: np.ndarray) -> tuple[float, float]:
    """The logistic curve that makes the shares likeliest."""

    def doubt(curve: np.ndarray) -> float:
        logits = curve[0] + curve[1] * values
        return float(weights @ (np.logaddexp(0, logits) - shares * logits))

    found = minimize(doubt, np.array([0.0, 4.0])).x
    return float(found[0]), float(found[1])


def main(games: Annotated[int, typer.Option(min=1, help="games of each kind and number of players")] = 1000) -> None:
    """Print, for each number of players, the curve, and how far shares in ten bands are off what it says."""
    for players in range(2, 6):
        ruleset = Ruleset(players)
        at_zero, steepness = fitted(*measured(ruleset, games))
        print(f"{players}: ({at_zero:.2f}, {steepness:.2f})")
        for name, among_itself in (("among itself", True), ("at mixed tables", False)):
            values, shares, weights = measured(ruleset, games, seed=1, among_itself=among_itself)
            said = expit(at_zero + steepness * values)
            band = np.minimum((said * 10).astype(int), 9)
            size, sum_said, sum_came = (np.bincount(band, weights * what, 10) for what in (1.0, said, shares))
            cells = [f"{sum_said[b] / size[b]:.2f} {sum_came[b] / size[b]:.2f}" for b in range(10) if size[b] > 0]
            print(f"  {name}: off by {abs(sum_said - sum_came).sum():.3f}; said and came: {', '.join(cells)}", flush=True)


if __name__ == "__main__":
    typer.run(main)
