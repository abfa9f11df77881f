"""What a game comes to: shares of the win, and whether a record names the right result."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from hansa_env.engine.rules.scoring import win_reward
from hansa_env.engine.state import MOST_TURNS, OVER, TRUNCATED
from hansa_env.formats.errors import RecordError, shown

if TYPE_CHECKING:
    from hansa_env.formats.schema import RecordModel, Result

_win_reward = getattr(win_reward, "py_func", win_reward)
_Shares = TypeVar("_Shares", float, np.ndarray)

Z = 1.959963984540054  # standard deviations to either side of a 95 % interval


def win_shares(ranks: np.ndarray) -> np.ndarray:
    """The share of the win (R7.9) by places (..., P), 0 = first: float64, one over the number of winners, 0 for the others."""
    winners = ranks == 0
    return winners / winners.sum(axis=-1, keepdims=True)


def win_rewards(shares: _Shares, players: int) -> _Shares:
    """What shares of the win are paid, as by `HansaBatch(reward="win")`: 1 for all of it, −1 / (players − 1) for none."""
    return _win_reward(shares, players)


def are_places(ranks: np.ndarray) -> np.ndarray:
    """Whether the numbers (N, P) of each game are places, 0 = first, those who share one having the better: (N,) bool."""
    return (ranks == (ranks[:, None] < ranks[:, :, None]).sum(2)).all(1)


def ranks_fit(ranks: np.ndarray, totals: np.ndarray) -> np.ndarray:
    """Whether the numbers (N, P) of each game are places that can be those of its points (N, P): (N,) bool. More points are a
    better place, and what breaks ties may part those with equal points (R7.9)."""
    better, equal = ((compare(totals[:, None], totals[:, :, None])).sum(2) for compare in (np.greater, np.equal))
    return are_places(ranks) & ((ranks >= better) & (ranks < better + equal)).all(1)


def wilson_interval(wins: float, games: float) -> tuple[float, float]:
    """Wilson's 95 % interval of a share of games; shared wins, which differ less from game to game, make it a little wide."""
    if not games:
        return 0.0, 1.0
    share, z2 = wins / games, Z * Z
    middle = (share + z2 / (2 * games)) / (1 + z2 / games)
    half = Z * math.sqrt(share * (1 - share) / games + z2 / (4 * games * games)) / (1 + z2 / games)
    # At the ends the two are exactly 0 and 1, which rounding would miss.
    return middle - half if wins > 0 else 0.0, middle + half if wins < games else 1.0


def share_text(share: float, low: float, high: float) -> str:
    """A share with its interval."""
    return f"{share:.1%} ({interval_text(low, high)})"


def interval_text(low: float, high: float) -> str:
    """An interval of a share, as tables have it."""
    return f"{low:.1%}–{high:.1%}"


def cut_off_after(record: RecordModel, players: int, game: np.void, begun: int) -> int:
    """After how many turns of all seats together the game of a record was cut off that names no limit, but winners and no
    reason; else 0.

    Args:
        game: as it stands after all decisions, without a turn limit.
        begun: up to which turn of the game, counted from 1, they were taken.
    """
    if record.max_turns is not None or record.result.winners is None or game["asked"] == OVER or begun > MOST_TURNS * players:
        return 0
    return 0 if begun % players or game["turns"] < begun else begun


def check_result(given: Result, reason: str | None, scores: list, winners: list[int], name: str = "") -> None:
    """A result given must be what the game comes to; one of a game cut off is that of the board as it stands.

    Args:
        reason: why the game is over, None where it is not; scores, winners: as the board stands.
        name: what stands before the message.

    Raises:
        RecordError: naming what is said, and what the game comes to.
    """
    if given.reason is None and reason is not None:
        raise RecordError(f"{name}result: reason is null, but the game ended by {reason}")
    if given.reason is not None and given.reason != reason:
        raise RecordError(f"{name}result: reason is {given.reason!r}, but the game comes to {reason or 'no end'}")
    for field, said, found in (("scores", given.scores, scores), ("winners", given.winners, winners)):
        if (given.reason is not None or said is not None) and said != found:
            raise RecordError(f"{name}result: {field} are {shown(said)} {said!r:.80}, but the game comes to {found}")


def check_limit(record: RecordModel, game: np.void, name: str = "") -> None:
    """The turn limit that a record names must be the one that cut its game off, where its result says that one did.

    Args:
        record: its result is that of the board, as `check_result` sees.
        game: as it stands after all decisions, with that limit.
        name: what stands before the message.

    Raises:
        RecordError: naming the limit, and what the game comes to.
    """
    if record.max_turns is None or record.result.reason is not None:
        return
    cut_off, told = bool(game["reason"] == TRUNCATED), record.result.winners is not None
    limit, turns = f"{name}max_turns is {record.max_turns}", f"{game['turns']} turns of all seats together"
    if cut_off and not told:
        raise RecordError(f"{limit}, which cut the game off after {turns}; its result is null, expected scores and winners")
    if told and not cut_off:
        raise RecordError(f"{limit}, but the result is of a game cut off after {turns}; expected the limit that did so")
