"""What agents think of positions: asked for in one way, checked, and in the words of the notation.

`Agent.estimate` is optional. `estimate_games` asks one agent about many games, with no more than the deciding seats may know.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from hansa_env.engine.results import masks_of
from hansa_env.formats.errors import short_name
from hansa_env.formats.notation import decision_text
from hansa_env.play.agents import Agent, attribute_of, inputs_for, name_of
from hansa_env.play.agents import Estimate as Estimate
from hansa_env.play.errors import AgentError, AgentFault, NoAnswer, OutOfTime, raised
from hansa_env.play.game import Game
from hansa_env.ruleset import Ruleset

#: Decisions of a position that a record keeps, likeliest first, and the digits of its numbers.
KEPT, DIGITS = 5, 3
#: Positions that are asked about in one call for a record.
PART = 64
_TOLERANCE = 1e-3


def all_on(actions: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """Shares (N, A) that are 1 on the actions (N,) of an agent that does not draw; rows without a legal action are 0."""
    shares = np.zeros(masks.shape, np.float32)
    rows = np.flatnonzero(masks.any(axis=1))
    shares[rows, actions[rows]] = 1
    return shares


def estimate_games(agent: Agent, ruleset: Ruleset, games: np.ndarray) -> Estimate | None:
    """What an agent thinks of games, checked; no game is changed.

    Args:
        agent: as `checked_agent` returns it.
        ruleset: of the games.
        games: (N,) records of games that are not over; the agent is given what `ask_agents` would give it.

    Returns:
        The estimate, float32, or None: this agent has none.

    Raises:
        AgentFault: the agent raised, or what it answered is no estimate of these games.
    """
    masks = masks_of(ruleset, games)
    inputs = inputs_for(agent, ruleset, games, attribute_of(agent, "estimate_sees"))
    try:
        return estimate_of(agent, inputs, masks, games["seat"].copy(), ruleset.players)
    except NoAnswer as error:
        raise AgentFault(0, name_of(agent), None, str(error)) from error


def estimate_of(agent: Agent, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray, players: int) -> Estimate | None:
    """What an agent thinks of what `Agent.estimate` is to be given, checked, as float32; None if it has nothing to say.

    Args:
        agent: who is asked.
        inputs, masks, seats: as `Agent.estimate` has them, (N, ...), (N, A) bool and (N,) int8.
        players: seats at the table.

    Raises:
        NoAnswer: it raised, whatever that was, or what it answered is no estimate. KeyboardInterrupt, OutOfTime: as they came.
    """
    try:
        ask = getattr(agent, "estimate", None)
        found = None if ask is None else ask(inputs, masks, seats)
        return None if found is None else _checked(found, masks, seats, players)
    except (KeyboardInterrupt, OutOfTime, NoAnswer):
        raise
    except BaseException as error:
        raise NoAnswer(raised(error)) from error


def _checked(found: Any, masks: np.ndarray, seats: np.ndarray, players: int) -> Estimate:
    """The estimate as float32. Raises NoAnswer: which field is not as `Estimate` says."""
    try:
        return _as_numbers(found, masks, seats, players)
    except ValueError as error:
        raise NoAnswer(f"gave no estimate: {error!s:.200}") from error


def _as_numbers(found: Any, masks: np.ndarray, seats: np.ndarray, players: int) -> Estimate:
    if not isinstance(found, Estimate):
        raise ValueError(f"a {type(found).__name__}; expected an Estimate or None")
    shares = _numbers("shares", found.shares, masks.shape)
    if not ((shares >= 0) & (shares <= 1 + _TOLERANCE)).all() or shares[~masks].any():
        raise ValueError("shares are to be 0 to 1, and 0 where a decision is not legal")
    if (abs(shares.sum(1) - masks.any(1)) > _TOLERANCE).any():
        raise ValueError(f"shares of a position sum to {float(shares.sum(1).max()):g}; expected 1")
    values, after = found.values, found.decision_values
    if values is not None:
        values = _numbers("values", values, masks.shape[:1])
        if not ((values >= 0) & (values <= 1)).all():
            raise ValueError("values are to be shares of the win, 0 to 1")
    if after is not None:
        after = _numbers("decision_values", after, masks.shape)
        if not ((after >= 0) & (after <= 1) | np.isnan(after)).all() or not np.isnan(after[~masks]).all():
            raise ValueError("decision_values are to be shares of the win, 0 to 1, and NaN where a decision is not legal")
    return Estimate(shares, values, after, _of_every_seat(found.seat_values, values, seats, players))


def _of_every_seat(given: Any, values: np.ndarray | None, seats: np.ndarray, players: int) -> np.ndarray | None:
    if given is None:
        return None
    found = _numbers("seat_values", given, (len(seats), players))
    if not (found >= 0).all() or (abs(found.sum(1) - 1) > _TOLERANCE).any():
        raise ValueError("seat_values are to be shares of the win, and those of a position to sum to 1")
    if values is None or (abs(found[np.arange(len(seats)), seats] - values) > _TOLERANCE).any():
        raise ValueError("values are to be those of the deciding seats among seat_values")
    return found


def _numbers(field: str, given: Any, shape: tuple[int, ...]) -> np.ndarray:
    array = np.asarray(given)
    if array.shape != shape or array.dtype.kind != "f":
        raise ValueError(f"{field} are {array.dtype} of shape {array.shape}; expected float32 {shape}")
    return array.astype(np.float32, copy=False)


def in_notation(ruleset: Ruleset, game: np.void, estimate: Estimate, row: int = 0, most: int = KEPT) -> dict:
    """A row of an estimate as a record keeps it: {"likeliest": [[decision, share, value or null], ...], "value": 0.41,
    "seats": [0.41, 0.34, 0.25]}; without "seats" where the agent has no opinion on all of them.

    Args:
        ruleset: of the game.
        game: the record that the row is about.
        estimate: as `estimate_games` returns it.
        row: which.
        most: decisions that are named: those with the largest shares, of equals those with the largest values.
    """
    shares = estimate.shares[row]
    after = np.full(len(shares), np.nan) if estimate.decision_values is None else estimate.decision_values[row]
    order = np.lexsort((-np.nan_to_num(after, nan=-1.0), -shares))
    named = [int(a) for a in order if shares[a] >= 10.0**-DIGITS or not np.isnan(after[a])][:most]
    said: dict[str, Any] = {
        "likeliest": [[decision_text(ruleset, game, a), _rounded(shares[a]), _rounded(after[a])] for a in named],
        "value": None if estimate.values is None else _rounded(estimate.values[row]),
    }
    if estimate.seat_values is not None:
        said["seats"] = rounded_to_1(estimate.seat_values[row])
        said["value"] = said["seats"][int(game["seat"])]
    return said


def rounded_to_1(shares: np.ndarray) -> list[float]:
    """Shares (K,) of a whole with DIGITS digits, which still sum to 1: what rounding left goes to those that lost most."""
    units = np.asarray(shares, np.float64) / np.sum(shares, dtype=np.float64) * 10**DIGITS
    whole = np.floor(units + 1e-6)
    left = 10**DIGITS - int(whole.sum())
    whole[np.argsort(whole - units, kind="stable")[:left]] += 1
    return [round(unit / 10**DIGITS, DIGITS) for unit in whole.tolist()]


def _rounded(number: float) -> float | None:
    return None if np.isnan(number) else round(min(float(number), 1.0), DIGITS)


def note_estimates(
    game: Game,
    agents: Sequence[Agent | None],
    *,
    forgiving: bool = False,
    names: Sequence[str] | None = None,
    on_part: Callable[[int, int], object] | None = None,
) -> None:
    """Note in a game, for its record, what the agent of each seat thought before every decision of that seat.

    Many positions of an agent are asked about in one call, after the game; where its answer depends on its seed and the game
    alone, that is what it thought then. Ctrl-C leaves the game with what was thought by then.

    Args:
        game: played by these agents, or others whose decisions they are to judge; its `estimates` are made anew.
        agents: by seat; None, or one without estimates, leaves the decisions of its seat without.
        forgiving: an agent that fails leaves the decisions of its seats without.
        names: of the agents by seat, for the record; by default what they call themselves.
        on_part: called with how many decisions have been thought about, and of how many.

    Raises:
        AgentError: there are not as many agents as seats. AgentFault: as `estimate_games` does.
        RecordError: the game began from a position.
    """
    if len(agents) != game.ruleset.players:
        raise AgentError(f"{len(agents)} agents for {game.ruleset.players} seats; expected one per seat")
    states = game.positions()
    seats = np.array([seat for seat, _ in game.decisions], np.int64)
    game.estimates = {}
    game.estimated_by = [None] * len(agents)
    for agent in {id(agent): agent for agent in agents}.values():
        numbers = np.flatnonzero([agents[seat] is agent for seat in seats])
        if agent is None or not len(numbers):
            continue
        own = [seat for seat in range(len(agents)) if agents[seat] is agent]
        try:
            for first in range(0, len(numbers), PART):
                part = numbers[first : first + PART]
                asked = states.take(part)
                estimate = estimate_games(agent, game.ruleset, asked)
                if estimate is None:
                    break
                for seat in own:
                    game.estimated_by[seat] = short_name(name_of(agent) if names is None else names[seat])
                game.estimates |= {int(k): in_notation(game.ruleset, asked[row], estimate, row) for row, k in enumerate(part)}
                if on_part is not None:
                    on_part(len(game.estimates), len(seats))
        except AgentFault:
            if not forgiving:
                raise
            for number in numbers.tolist():
                game.estimates.pop(number, None)
            for seat in own:
                game.estimated_by[seat] = None
