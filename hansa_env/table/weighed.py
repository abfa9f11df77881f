"""What decisions are worth to an agent that values positions and no decisions: a network, asked about each decision alone."""

from __future__ import annotations

from hansa_env.play.weighing import value_alone, values_decisions, with_only
from hansa_env.table.errors import Refused
from hansa_env.table.plans import Adviser

#: Decisions of a position that are weighed, and those of them that are in one request.
MOST_WEIGHED, AT_ONCE = 32, 8


async def weighed_of(adviser: Adviser, number: int, first: int) -> dict:
    """The share of the win after some decisions of a position, as JSON data: the likeliest, the one that was taken, and others.

    Args:
        adviser: the agent.
        number: how many decisions stand before the position.
        first: how many decisions have been weighed before; AT_ONCE more are weighed.

    Returns:
        `values` by decision, `weighed`, how many are by now, and `of`, how many will be: 0 where the agent values decisions by
        itself, or nothing.

    Raises:
        Refused: there is no such position, or the agent has no answer.
    """
    line = adviser.game.line
    if not 0 <= number <= len(line) or first not in range(0, MOST_WEIGHED, AT_ONCE):
        raise Refused(
            f"at is {number}, first is {first}; "
            f"expected at from 0 to {len(line)}, and first a multiple of {AT_ONCE} below {MOST_WEIGHED}"
        )
    record, game = line.records[number], line.game_at(number)
    estimate = None if game.over else (await adviser.says([record]))[0]
    if estimate is None or estimate["value"] is None or values_decisions(estimate):
        return {"values": {}, "weighed": 0, "of": 0}
    taken = [move.text for move in line.moves[number : number + 1]]
    likeliest = [text for text, *_ in estimate["likeliest"]]
    wanted = list(dict.fromkeys([*likeliest[: MOST_WEIGHED - 1], *taken, *likeliest, *game.legal()]))[:MOST_WEIGHED]
    part = wanted[first : first + AT_ONCE]
    said = await adviser.says([with_only(line.ruleset, record, text) for text in part])
    values = {text: value_alone(alone, text) for text, alone in zip(part, said)}
    return {"values": values, "weighed": first + len(part), "of": len(wanted)}
