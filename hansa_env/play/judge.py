"""An agent judges a game that was played: what it thinks of every decision and of every marker that was drawn, averaged over
reshuffles of what was hidden."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import cast

import numpy as np

from hansa_env.engine.state import new_games
from hansa_env.formats.errors import short_name
from hansa_env.formats.schema import MOST_LIKELIEST
from hansa_env.play.agents import Agent
from hansa_env.play.errors import AgentError
from hansa_env.play.estimates import DIGITS, Estimate, estimate_games, in_notation
from hansa_env.play.game import Game
from hansa_env.play.luck import draws_of, luck_of
from hansa_env.play.registry import said_of, split_spec
from hansa_env.play.rivals import STRONGEST, TORCH_AGENTS_VALUE_DECISIONS
from hansa_env.play.specs import installed_module
from hansa_env.play.weighing import is_to_be_asked_alone, with_only, with_value
from hansa_env.ruleset import Ruleset

#: Who is asked for the luck of the markers where the judge has no opinion on every seat.
LUCK_BY = ("ppo", "tree")
#: Positions asked about in one call.
PART = 8


def judge_game(
    game: Game, judges: Sequence[Agent], name: str, seats: Sequence[int], on_part: Callable[[int, int], object] | None = None
) -> None:
    """Note in a game, for its record, what an agent thinks of every decision of some seats, the one that was taken among them:
    about one that the judges did not weigh well they are asked again, alone.

    Args:
        game: with its beginning; its `estimates` are made anew.
        judges: the same agent with different seeds: each shuffles what is hidden in its own way, and the mean counts.
        name: the agent's, for the record.
        seats: whose decisions.
        on_part: called with how many decisions have been thought about, and of how many.

    Raises:
        ValueError: the agent does not tell the win after single decisions. AgentFault: as `estimate_games` does.
        RecordError: the game began from a position.
    """
    records = game.positions()
    decisions = game.decisions
    numbers = [number for number, (seat, _) in enumerate(decisions) if seat in seats]
    game.estimates = {}
    game.estimated_by = [short_name(name) if seat in seats else None for seat in range(game.ruleset.players)]
    # The first decision alone, so that who cannot judge is refused before a long wait.
    for first, last in pairwise(sorted({0, *range(1, len(numbers), PART), len(numbers)})):
        part = numbers[first:last]
        asked = records.take(part)
        mean = _mean([estimate_games(judge, game.ruleset, asked) for judge in judges], name)
        told = [_with_taken(game, asked[row], mean, row, decisions[number][1]) for row, number in enumerate(part)]
        game.estimates |= zip(part, _asked_alone(game.ruleset, asked, told, [decisions[n][1] for n in part], judges, name))
        if on_part is not None:
            on_part(last, len(numbers))


def check_judge(spec: str) -> None:
    """Raises ValueError where it is known that `judge_game` would refuse an agent: before it is made, or a network loaded."""
    if values_decisions(spec) is False:
        raise _no_judge(spec)


def values_decisions(spec: str) -> bool | None:
    """What an agent's class says (`Agent.values_decisions`); None where it says nothing, or cannot be loaded."""
    name, _ = split_spec(spec)
    if name in TORCH_AGENTS_VALUE_DECISIONS and installed_module(name) is not None:
        return TORCH_AGENTS_VALUE_DECISIONS[name]
    try:
        return said_of(spec, "values_decisions")
    except AgentError:
        return None


def _no_judge(name: str) -> ValueError:
    return ValueError(
        f"{name} does not say what the win is worth after each decision; expected one that does, such as {STRONGEST[0]}"
    )


def judge_luck(game: Game, judges: Sequence[Agent], name: str, on_draw: Callable[[int, int], object] | None = None) -> bool:
    """Note in a game, for its record, what an agent thinks that the markers of the pile gave or took (`hansa_env.play.luck`).

    Args:
        game: with its beginning; its `luck` is made anew.
        judges, name: as in `judge_game`; only an agent with an opinion on every seat can tell who was lucky.
        on_draw: called with how many draws have been thought about, and of how many.

    Returns:
        Whether it could tell; if not, the game has no `luck`.

    Raises:
        AgentFault: as `estimate_games` does. RecordError: the game began from a position.
    """
    game.luck = None
    draws, told = draws_of(game.ruleset, game.positions(), [text for _, text in game.decisions]), []
    for done, draw in enumerate(draws, 1):
        gained = np.zeros(game.ruleset.players)
        if not draw.is_forced:
            given = [estimate_games(judge, game.ruleset, draw.positions) for judge in judges]
            of_seats = [one.seat_values for one in given if one is not None and one.seat_values is not None]
            if len(of_seats) < len(judges):
                return False
            gained = luck_of(draw, np.mean(of_seats, axis=0))
        told.append(draw.in_record(gained))
        if on_draw is not None:
            on_draw(done, len(draws))
    game.luck = {"by": short_name(name), "draws": told}
    return True


def _mean(given: Sequence[Estimate | None], name: str) -> Estimate:
    if any(one is None or one.values is None or one.decision_values is None for one in given):
        raise _no_judge(name)
    found = cast("Sequence[Estimate]", given)
    after = np.stack([one.decision_values for one in found if one.decision_values is not None])
    tried = ~np.isnan(after)
    sums, counts = np.where(tried, after, 0).sum(0), tried.sum(0)
    means = np.where(counts > 0, sums / np.maximum(counts, 1), np.nan).astype(np.float32)
    values = np.mean([one.values for one in found if one.values is not None], axis=0)
    of_seats = [one.seat_values for one in found if one.seat_values is not None]
    every = np.mean(of_seats, axis=0) if len(of_seats) == len(found) else None
    return Estimate(np.mean([one.shares for one in found], axis=0), values.astype(np.float32), means, every)


def _asked_alone(
    ruleset: Ruleset, records: np.ndarray, told: list[dict], taken: Sequence[str], judges: Sequence[Agent], name: str
) -> list[dict]:
    """Estimates with the values of the decisions that were taken; judges are asked about those they did not weigh well."""
    rows = [row for row, (estimate, text) in enumerate(zip(told, taken)) if is_to_be_asked_alone(estimate, text)]
    if rows:
        alone = new_games(len(rows))
        for place, row in enumerate(rows):
            alone[place] = with_only(ruleset, records[row], taken[row])
        mean = _mean([estimate_games(judge, ruleset, alone) for judge in judges], name)
        for place, row in enumerate(rows):
            (_, _, value), *_ = in_notation(ruleset, alone[place], mean, place)["likeliest"]
            told[row] = with_value(told[row], taken[row], value, MOST_LIKELIEST)
    return told


def _with_taken(game: Game, record: np.void, estimate: Estimate, row: int, taken: str) -> dict:
    """The estimate as a record keeps it; the decision that was taken is named if it has a value, however unlikely it is."""
    told = in_notation(game.ruleset, record, estimate, row, MOST_LIKELIEST)
    if any(text == taken for text, *_ in told["likeliest"]):
        return told
    assert estimate.decision_values is not None
    action = Game.from_state(game.ruleset, record).parse(taken)
    value = float(estimate.decision_values[row, action])
    if np.isnan(value):
        return told
    share = round(float(estimate.shares[row, action]), DIGITS)
    return with_value(told, taken, round(min(value, 1.0), DIGITS), MOST_LIKELIEST, share)
