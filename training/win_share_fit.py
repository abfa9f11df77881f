"""Fits the parameters of `hansa_agents.search.win_share` to positions of games, and the curve that stood there before it."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, log_softmax

from hansa_agents.search.win_share import shares_of_win, terms_of
from hansa_env import Ruleset
from hansa_training.win_share_games import Positions

#: What a squared parameter costs, in the unit of the mean log-likelihood: little data is not believed at any price.
PENALTY = 1e-4


def fitted(ruleset: Ruleset, positions: Positions) -> np.ndarray:
    """The parameters (K,), by `win_share.TERMS`, that make the results likeliest."""
    terms, shares = terms_of(ruleset, positions.foreseen), positions.shares
    weights = positions.weights * (1 - positions.foreseen.over)  # where the game is foreseen to end, its result counts as it is

    def doubt(parameters: np.ndarray) -> tuple[float, np.ndarray]:
        logs = log_softmax(terms @ parameters, axis=1)
        slope = np.einsum("n,np,npk->k", weights, np.exp(logs) - shares, terms)
        loss = -float(weights @ (shares * logs).sum(axis=1)) + PENALTY * float(parameters @ parameters)
        return loss, slope + 2 * PENALTY * parameters

    return minimize(doubt, np.zeros(terms.shape[2]), jac=True, method="BFGS").x


def shares_by(ruleset: Ruleset, positions: Positions, parameters: np.ndarray) -> np.ndarray:
    """The shares of the win of every seat, (K, P), that parameters make of what is foreseen."""
    return shares_of_win(ruleset, positions.foreseen, parameters.tolist())


def curve_before(positions: Positions) -> tuple[float, float]:
    """The logistic curve from the value of who decides to its share of the win that makes the results likeliest."""
    rows = np.arange(len(positions.games))
    shares, weights = positions.shares[rows, positions.games["seat"]], positions.weights

    def doubt(curve: np.ndarray) -> float:
        logits = curve[0] + curve[1] * positions.own_value
        return float(weights @ (np.logaddexp(0, logits) - shares * logits))

    found = minimize(doubt, np.array([0.0, 4.0])).x
    return float(found[0]), float(found[1])


def before(positions: Positions, curve: tuple[float, float]) -> np.ndarray:
    """What that curve says of who decides, (K,)."""
    return expit(curve[0] + curve[1] * positions.own_value)


def held_before(positions: Positions, curve: tuple[float, float]) -> np.ndarray:
    """How the curve was shown where every position of a game was asked about, (K, P): a seat keeps its share until it decides
    again, and all are brought to a sum of 1."""
    said, found, players = before(positions, curve), np.empty_like(positions.shares), positions.shares[0].size
    for k, (number, seat) in enumerate(zip(positions.number, positions.games["seat"])):
        if k == 0 or number != positions.number[k - 1]:
            held = np.full(players, 1 / players)
        held[seat] = said[k]
        found[k] = held / held.sum()
    return found
