"""What agents think of the positions of a game, kept so that no position is asked about twice."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

from hansa_env.engine.state import POSITION_BYTES
from hansa_env.formats.missions import EVERYBODY, NOBODY
from hansa_env.formats.moves import answers_of
from hansa_env.play.chances import chances
from hansa_env.play.judge import LUCK_BY
from hansa_env.play.luck import draw_at, luck_of
from hansa_env.play.mistakes import Judged, accuracy, judged_actions, worst
from hansa_env.play.weighing import is_to_be_asked_alone, value_alone, with_only, with_value
from hansa_env.play.whole_action import better_in_words
from hansa_env.render.words import action_as_order
from hansa_env.ruleset import Ruleset
from hansa_env.table.agent_pool import AgentPool, AgentProblem
from hansa_env.table.errors import Refused
from hansa_env.table.game_history import Line
from hansa_env.table.knowledge import as_known, cards_possible, mean_of
from hansa_env.table.live_game import LiveGame
from hansa_env.table.opinions import Opinions

#: Positions in one request.
MOST_POSITIONS = 64
#: Seconds that one position may take.
SECONDS = 60.0
#: Turning points of a game, at most, and the share of the win by which one swings at least.
TURNING_POINTS, LEAST_SWING = 5, 0.08


async def estimates_of(
    game: LiveGame, pool: AgentPool, opinions: Opinions, spec: str, first: int, last: int, held: Collection[int] = ()
) -> list[dict]:
    """What an agent thinks of the positions after `first` .. `last - 1` decisions, from what whoever asks may know; about a
    decision that was taken there, and that it did not weigh well, it is asked once more (`hansa_env.play.weighing`).

    Args:
        game: the game, which may be analysed.
        pool: who asks the agent.
        opinions: what was said before; answers are kept there.
        spec: the agent's.
        first, last: which positions.
        held: the seats of who asks.

    Returns:
        For each the number of decisions before it, who decides, and `estimate` as `hansa_env.play.estimates.in_notation`
        writes it; null where the agent has none, or the game is over.

    Raises:
        Refused: there are no such positions, or too many, or the agent has no answer.
    """
    line = game.line
    if not 0 <= first <= last <= len(line) + 1 or last - first > MOST_POSITIONS:
        raise Refused(f"positions {first} to {last}: expected at most {MOST_POSITIONS} of 0 to {len(line) + 1}")
    records, moves = line.records[first:last], line.moves[first:last]
    found = await asked(game, pool, opinions, spec, records, held)
    rough = [
        (n, estimate, move.text)
        for n, (estimate, move) in enumerate(zip(found, moves))
        if estimate is not None and is_to_be_asked_alone(estimate, move.text)
    ]
    alone = [with_only(line.ruleset, records[n], text) for n, _, text in rough]
    for (n, estimate, text), said in zip(rough, await asked(game, pool, opinions, spec, alone, held)):
        found[n] = _with_alone(estimate, said, text)
    return [
        {
            "number": first + n,
            "seat": int(record["seat"]) if record["legal"].any() else None,
            "decided": moves[n].text if n < len(moves) else None,
            "estimate": estimate,
        }
        for n, (record, estimate) in enumerate(zip(records, found))
    ]


async def asked(
    game: LiveGame, pool: AgentPool, opinions: Opinions, spec: str, records: Sequence[np.void], held: Collection[int]
) -> list[dict | None]:
    """What an agent thinks of positions of a game, or that it may come to; only those that it has not been asked about are new
    to it. Raises Refused."""
    line, viewer = game.line, known_to(game, held)
    names = [_name(line.ruleset, record, viewer) for record in records]
    found: dict[str, dict | None] = {name: opinions.of(spec, name) for name in names}
    fresh = {name: record for name, record in zip(names, records) if found[name] is None and record["legal"].any()}
    if fresh:
        given = [as_known(line.ruleset, record, viewer) for record in fresh.values()]
        try:
            with game.preparing_agent(spec, pool.is_ready(spec, line.ruleset)):
                answers = iter(await pool.estimates(spec, line.ruleset, [one for many in given for one in many], SECONDS))
        except AgentProblem as problem:
            raise Refused(str(problem)) from None
        said = [(name, {"estimate": mean_of(list(islice(answers, len(many))))}) for name, many in zip(fresh, given)]
        opinions.keep(spec, said)
        found.update(said)
    return [(found[name] or {}).get("estimate") for name in names]


def _with_alone(estimate: dict, alone: dict | None, text: str) -> dict:
    """An estimate with the value of a decision that the agent was asked about alone."""
    return with_value(estimate, text, value_alone(alone, text))


class Point(NamedTuple):
    """The share of the win that a seat may expect after so many decisions, when it is its own to decide."""

    number: int
    seat: int
    value: float


class Swing(NamedTuple):
    """What one turn did to a seat's share: from the value before decision `number` (from 0) to that of its next question."""

    number: int
    seat: int
    before: float
    after: float


def curve_of(game: LiveGame, opinions: Opinions, spec: str, held: Collection[int] = ()) -> dict:
    """The estimate over a game as far as the agent was asked by `estimates_of`, and its turning points, as JSON data."""
    line, thoughts = game.line, _kept(game, opinions, spec, held)
    seats = [int(record["seat"]) for record in line.records]
    points = [Point(number, seats[number], said["value"]) for number, said in thoughts.items() if said["value"] is not None]
    winners = line.game.winners() if line.game.over else []
    turning = [swing._asdict() for swing in turning_points(points)]
    shares = chances(thoughts, seats, line.ruleset.players, winners)
    return {"last": len(line), "points": [point._asdict() for point in points], "turning": turning, "chances": shares}


def mistakes_of(game: LiveGame, opinions: Opinions, spec: str, held: Collection[int] = ()) -> dict:
    """What the actions of a game cost (`hansa_env.play.mistakes`), as far as `estimates_of` asked the agent, as JSON data: by
    seat how many were judged, how accurate they were, and the worst."""
    line = game.line
    judged = judged_actions(line.moves, _kept(game, opinions, spec, held))
    seats = []
    for seat in range(line.ruleset.players):
        own = [one for one in judged if one.seat == seat]
        told = [one._asdict() | {"words": _orders(line, one)} for one in worst(own)]
        seats.append({"judged": len(own), "accuracy": accuracy(own), "worst": told})
    return {"by": spec, "seats": seats}


async def luck_after(
    game: LiveGame, pool: AgentPool, opinions: Opinions, spec: str, after: int, held: Collection[int] = ()
) -> dict:
    """What the markers of the pile that are seen next, behind `after` decisions or later, gave each seat or took
    (`hansa_env.play.luck`), as JSON data.

    Returns:
        `draw`, as a record has it: null where none is seen any more. `seats` of it is null where the agent has no opinion on
        every seat; then `others` names agents to ask instead.

    Raises:
        Refused: the agent has no answer.
    """
    line = game.line
    for number in range(max(after, 1) - 1, len(line)):
        draw = draw_at(line.ruleset, number, line.records[number], line.moves[number].text, line.records[number + 1])
        if draw is None:
            continue
        gained = np.zeros(line.ruleset.players)
        if not draw.is_forced:
            thoughts = await asked(game, pool, opinions, spec, list(draw.positions), held)
            shares = [(thought or {}).get("seats") for thought in thoughts]
            if None in shares:
                return {"by": spec, "draw": draw.in_record(gained) | {"seats": None}, "others": LUCK_BY}
            gained = luck_of(draw, np.array(shares))
        return {"by": spec, "draw": draw.in_record(gained)}
    return {"by": spec, "draw": None}


def _orders(line: Line, one: Judged) -> list[str]:
    """An action as it was played, whole, and up to the decision that would have been better, with that, as orders."""
    moves, better = line.moves, [(line.moves[one.at].asked, one.best)]
    played = action_as_order(line.ruleset, answers_of(moves[one.first : one.last]))
    return [played, better_in_words(line.ruleset, moves, one.first, one.at, better)]


def _kept(game: LiveGame, opinions: Opinions, spec: str, held: Collection[int]) -> dict[int, dict]:
    """What an agent thought of the positions of a game, by their numbers, as far as it was asked."""
    line, viewer = game.line, known_to(game, held)
    found: dict[int, dict] = {}
    for number, record in enumerate(line.records):
        kept = opinions.of(spec, _name(line.ruleset, record, viewer)) if record["legal"].any() else None
        estimate = (kept or {}).get("estimate")
        if estimate is None:
            continue
        found[number] = estimate
        if number < len(line) and is_to_be_asked_alone(estimate, line.moves[number].text):
            text = line.moves[number].text
            alone = opinions.of(spec, _name(line.ruleset, with_only(line.ruleset, record, text), viewer))
            found[number] = _with_alone(estimate, (alone or {}).get("estimate"), text)
    return found


def turning_points(points: Sequence[Point], most: int = TURNING_POINTS, least: float = LEAST_SWING) -> list[Swing]:
    """The biggest swings of a game, in the order in which they came: the moments after which a seat's share was another.

    A swing is between two questions of one seat that follow each other. What one moment did to several seats is told of the
    seat that it did most to.
    """
    last: dict[int, Point] = {}
    swings = []
    for point in points:
        before = last.get(point.seat)
        if before is not None and abs(point.value - before.value) >= least:
            swings.append(Swing(before.number, point.seat, before.value, point.value))
        last[point.seat] = point
    swings.sort(key=lambda swing: -abs(swing.after - swing.before))
    told: dict[int, Swing] = {}
    for swing in swings:
        told.setdefault(swing.number, swing)
    return sorted(list(told.values())[:most], key=lambda swing: swing.number)


def known_to(game: LiveGame, held: Collection[int]) -> int:
    """From whose knowledge a game is analysed: everybody's when it is open, else that of the one person who plays."""
    if game.is_open:
        return EVERYBODY
    return next(iter(held)) if len(held) == 1 else NOBODY


def _name(ruleset: Ruleset, record: np.void, viewer: int) -> str:
    """The name of a position as a viewer knows it, the same wherever it is come to; nothing that is hidden goes into it."""
    known = f"{ruleset} {cards_possible(ruleset, record, viewer)} {viewer == EVERYBODY}"
    return hashlib.sha256(known.encode() + record.tobytes()[:POSITION_BYTES]).hexdigest()
