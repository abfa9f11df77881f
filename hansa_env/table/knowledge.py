"""What whoever plays may know of a position, for agents that are asked on their behalf.

A person who plays sees their own mission card (R11) and the markers that lie open. So an agent that is asked about a running
game gets neither the pile nor the card of another seat: the markers nobody has seen are shuffled, and where another seat
decides, the agent is asked once for each card that this seat may have. The answer is the mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from hansa_env.boards.missions import MISSIONS
from hansa_env.engine import kernels, state
from hansa_env.engine.tables import tables_of
from hansa_env.formats.missions import EVERYBODY
from hansa_env.formats.setup import deal_missions_anew
from hansa_env.play.estimates import DIGITS, rounded_to_1
from hansa_env.ruleset import Ruleset


def cards_possible(ruleset: Ruleset, game: np.void, viewer: int) -> list[int]:
    """The numbers of the mission cards that the deciding seat may have, for all that a viewer knows; none without missions.

    Args:
        ruleset: of the game.
        game: its record.
        viewer: a seat, NOBODY or EVERYBODY of `hansa_env.formats.missions`.
    """
    if not ruleset.missions:
        return []
    seat, cards = int(game["seat"]), game["missions"]
    if viewer in (seat, EVERYBODY):
        return [int(cards[seat])]
    return [card for card in range(len(MISSIONS)) if viewer < 0 or card != cards[viewer]]


def as_known(ruleset: Ruleset, game: np.void, viewer: int) -> np.ndarray:
    """A position as a viewer may think that it is: records (K,), one for each card that the deciding seat may have, at least
    one; the rest of what is hidden is dealt anew, the seed is blank. EVERYBODY gets it as it is."""
    cards = cards_possible(ruleset, game, viewer)
    given = state.copies_of(game, max(1, len(cards)))
    if viewer == EVERYBODY:
        return given
    if cards:
        given["missions"][:, game["seat"]] = cards
    known = state.new_games(len(given))
    kernels.hide_games(given, tables_of(ruleset), known)
    return known


def dealt_as_known(ruleset: Ruleset, game: np.void, viewer: int, count: int, seed: int) -> np.ndarray:
    """A position (count,) times, each time with all that a viewer does not know dealt anew: the hidden markers, and of mission
    cards those of the other seats, by NOBODY all."""
    games = state.copies_of(game, count)
    kernels.reshuffle_games(games, tables_of(ruleset), np.uint64(seed), 0, count)
    if ruleset.missions:
        games["missions"] = game["missions"]  # reshuffled for who decides
        random = np.random.default_rng(seed)
        for one in games:
            deal_missions_anew(ruleset, one, random, viewer if viewer >= 0 else None)
    return games


def mean_of(answers: Sequence[dict | None]) -> dict | None:
    """The mean of estimates of one position, as `hansa_env.play.estimates.in_notation` writes them; None if any is."""
    given = [answer for answer in answers if answer is not None]
    if len(given) < len(answers):
        return None
    if len(given) == 1:
        return given[0]
    shares: dict[str, list[float]] = {}
    values: dict[str, list[float | None]] = {}
    for answer in given:
        for text, share, value in answer["likeliest"]:
            shares.setdefault(text, []).append(share)
            values.setdefault(text, []).append(value)
    likeliest: list[list[Any]] = [[text, round(sum(shares[text]) / len(given), DIGITS), _mean(values[text])] for text in shares]
    likeliest.sort(key=lambda one: (-one[1], -(one[2] or 0.0)))
    mean: dict[str, Any] = {"likeliest": likeliest, "value": _mean(answer["value"] for answer in given)}
    if all("seats" in answer for answer in given):
        mean["seats"] = rounded_to_1(np.sum([answer["seats"] for answer in given], axis=0))
    return mean


def _mean(values: Iterable[float | None]) -> float | None:
    """Of those that are there."""
    there = [value for value in values if value is not None]
    return round(sum(there) / len(there), DIGITS) if there else None
