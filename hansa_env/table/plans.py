"""Whole actions as an agent would take them: decisions until an action is done, the likeliest actions first, and what the agent
expects after each."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Sequence
from heapq import heappop, heappush
from itertools import count
from math import prod
from typing import NamedTuple

import numpy as np

from hansa_env.engine.state import POSITION_BYTES
from hansa_env.formats.find_question import stage_of
from hansa_env.play.errors import IllegalAction
from hansa_env.play.estimates import DIGITS
from hansa_env.play.game import Game
from hansa_env.play.mistakes import actions
from hansa_env.play.weighing import value_alone, well_weighed, with_only
from hansa_env.play.whole_action import WholeAction, better_in_words
from hansa_env.render.scene import scene_of
from hansa_env.render.things import BUTTONS, things_of
from hansa_env.render.words import action_as_order, decision_told_alone
from hansa_env.table.agent_pool import AgentPool
from hansa_env.table.analysis import asked, known_to
from hansa_env.table.errors import Refused
from hansa_env.table.game_history import Line, not_legal
from hansa_env.table.knowledge import as_known
from hansa_env.table.live_game import LiveGame
from hansa_env.table.opinions import Opinions
from hansa_env.table.trails import Ahead

#: Actions that are told of a position, and positions that an agent is asked about to find them.
MOST_PLANS, MOST_ASKED = 3, 36
#: Decisions that are told of what is expected after an action.
FORESEEN = 12
#: Decisions with a smaller share are not followed, unless they are the likeliest or the agent values them; the weight of one
#: with no share at all.
LEAST_SHARE, FAINT_WEIGHT = 0.01, 1e-6


class Adviser(NamedTuple):
    """An agent that is asked about positions ahead of a game, from what whoever asks may know.

    Attributes:
        game: the game, which may be analysed.
        pool: who asks the agent.
        opinions: what was said before; answers are kept there.
        spec: the agent's.
        held: the seats of who asks.
    """

    game: LiveGame
    pool: AgentPool
    opinions: Opinions
    spec: str
    held: Collection[int] = ()

    def at(self, number: int) -> Game:
        """The position after so many decisions, to be played on. Raises Refused.

        With missions it has the first card that another seat may have, while the judgement is the mean over all such cards. Who
        asks keeps the own card, whoever decides.
        """
        line = self.game.line
        line.check_number(number)
        record, viewer = line.records[number], known_to(self.game, self.held)
        known = as_known(line.ruleset, record, viewer)
        if line.ruleset.missions and viewer >= 0:
            for one in known:
                _return_card(one["missions"], viewer, int(record["missions"][viewer]))
        return Game.from_state(line.ruleset, known[0])

    async def says(self, records: Sequence[np.void]) -> list[dict | None]:
        """The estimates of positions, game records, None where the agent has none. Raises Refused."""
        return await asked(self.game, self.pool, self.opinions, self.spec, records, self.held)

    async def thinks(self, record: np.void) -> dict:
        """The estimate of a position, a game record. Raises Refused: the agent has none."""
        estimate = (await self.says([record]))[0]
        if estimate is None:
            raise Refused(f"{self.spec} does not tell what it thinks")
        return estimate


class Candidate(NamedTuple):
    """A whole action as an agent may take it, each decision with its share."""

    whole: WholeAction
    decisions: tuple[tuple[str, float], ...]


async def plan_of(adviser: Adviser, number: int, rank: int) -> dict | None:
    """One of the whole actions that an agent thinks likeliest at a position, as JSON data.

    Args:
        adviser: the agent.
        number: how many decisions stand before the position.
        rank: which, from 0, less than MOST_PLANS.

    Returns:
        `words`, `share`, `value` (the share of the win that it gives who decides after it; null where it has none), and `steps`
        as `_told` makes them; None where there are no more actions.

    Raises:
        Refused: there is no such position or rank, or the agent has no answer.
    """
    start, candidate = await _found(adviser, number, rank)
    if candidate is None:
        return None
    return {
        "words": action_as_order(start.ruleset, candidate.whole.steps),
        "share": round(prod(share for _, share in candidate.decisions), DIGITS),
        "value": await _value_after(adviser, start, candidate),
        "steps": await asyncio.to_thread(_told, adviser.game.line, number, start, [text for text, _ in candidate.decisions]),
    }


async def expected_of(adviser: Adviser, number: int, rank: int) -> dict:
    """What an agent expects after such an action, until another seat has acted, as JSON data.

    Returns:
        `steps`, as of `plan_of`, FORESEEN at most; and `why` they go no further: "hidden" (a marker is shown, nobody knows
        which), "over" (the game is), or "".

    Raises:
        Refused: as `plan_of`.
    """
    start, candidate = await _found(adviser, number, rank)
    if candidate is None:
        return {"steps": [], "why": ""}
    whole, own, steps = candidate.whole, candidate.whole.seat, list[str]()
    ahead = whole.game
    while not ahead.over and not whole.has_shown and len(steps) < FORESEEN:
        if whole.is_done:
            if steps and whole.seat != own:
                break
            whole = WholeAction(ahead)
        text = (await adviser.thinks(ahead.state))["likeliest"][0][0]
        whole.go_on(text)
        steps.append(text)
    begun = [text for text, _ in candidate.decisions]
    told = await asyncio.to_thread(_told, adviser.game.line, number, start, [*begun, *steps])
    return {"steps": told[len(begun) :], "why": "over" if ahead.over else "hidden" if whole.has_shown else ""}


async def better_of(adviser: Adviser, first: int, at: int, best: str) -> str:
    """An action of the game as an order, with a better decision in it and what an agent would decide after that.

    Args:
        adviser: the agent.
        first, at: how many decisions stand before the action, and before the better one, which is within it.
        best: the better decision.

    Raises:
        Refused: there is no such action or decision, or the agent has no answer.
    """
    line = adviser.game.line
    if not any(begun == first and first <= at < ended for begun, ended in actions(line.moves)):
        raise Refused(f"first is {first}, at is {at}; no action of the game begins at first and has at in it")
    whole = WholeAction(adviser.at(at))
    try:
        whole.go_on(best)
    except IllegalAction:
        raise not_legal(whole.game, best) from None
    while not whole.is_done:
        whole.go_on((await adviser.thinks(whole.game.state))["likeliest"][0][0])
    return better_in_words(line.ruleset, line.moves, first, at, whole.steps)


def _return_card(cards: np.ndarray, viewer: int, card: int) -> None:
    """Give a viewer the own card back among cards dealt anew; a seat that got it takes the viewer's instead."""
    cards[cards == card] = cards[viewer]
    cards[viewer] = card


async def _found(adviser: Adviser, number: int, rank: int) -> tuple[Game, Candidate | None]:
    """A position, and the action of a rank there; of those that lead to the same position only the first counts. Raises
    Refused."""
    if rank >= MOST_PLANS:
        raise Refused(f"rank is {rank}; expected less than {MOST_PLANS}")
    start, reached = adviser.at(number), set[bytes]()
    async for candidate in _likeliest(adviser, start):
        reached.add(candidate.whole.game.state.tobytes()[:POSITION_BYTES])
        if len(reached) > rank:
            return start, candidate
    return start, None


async def _likeliest(adviser: Adviser, start: Game) -> AsyncIterator[Candidate]:
    """The whole actions from a position on, those with the largest product of shares first. Raises Refused."""
    order, left = count(), MOST_ASKED
    begun: list[tuple[float, int, tuple[tuple[str, float], ...]]] = [(-1.0, next(order), ())]
    while begun:
        weight, _, decisions = heappop(begun)
        whole = WholeAction(start.copy())
        for text, _ in decisions:
            whole.go_on(text)
        if whole.is_done:
            if decisions:
                yield Candidate(whole, decisions)
            continue
        if not left:
            return
        left -= 1
        named = (await adviser.thinks(whole.game.state))["likeliest"]
        likely = [one for place, one in enumerate(named) if not place or one[1] >= LEAST_SHARE or one[2] is not None]
        for place, (text, share, _) in enumerate(likely[:MOST_PLANS]):
            counted = weight * max(share, FAINT_WEIGHT / (1 + place))
            heappush(begun, (counted, next(order), (*decisions, (text, share))))


async def _value_after(adviser: Adviser, start: Game, candidate: Candidate) -> float | None:
    """The share of the win after an action: what its last decision is worth; where the agent did not weigh that well, it is
    asked about it alone (`hansa_env.play.weighing`). Raises Refused."""
    text, before = candidate.decisions[-1][0], start.copy()
    for earlier, _ in candidate.decisions[:-1]:
        before.play(earlier)
    weighed = well_weighed(await adviser.thinks(before.state))
    if text in weighed:
        return weighed[text]
    return value_alone(await adviser.thinks(with_only(before.ruleset, before.state, text)), text)


def _told(line: Line, number: int, start: Game, texts: list[str]) -> list[dict]:
    """Decisions from a position on, as JSON data: `seat`, `text`, `words`, and, in the drawing of that position, `things`, and
    `trail`, null where no piece moves; `mark` says whether the things are worth showing where no trail is."""
    ruleset, moves = start.ruleset, line.moves[:number]
    ahead, scene = start.copy(), scene_of(ruleset, start.state)
    drawn = Ahead(ruleset, scene)
    told: list[dict] = []
    named: dict | None = None  # a place that the action under way has named, until a piece moves
    for text in texts:
        before, move = ahead.state.copy(), ahead.move(text)
        things = things_of(scene, text)
        moves.append(move)
        words = decision_told_alone(ruleset, moves, len(moves) - 1)
        ahead.play(text)
        scene = scene_of(ruleset, ahead.state)
        trail = drawn.trail_of(moves, before, scene)
        step = {"seat": move.seat, "text": text, "words": words, "things": list(things), "mark": False,
                "trail": None if trail is None else trail._asdict()}  # fmt: skip
        if named is not None and (move.asked == "act" or move.seat != named["seat"]):
            named["mark"] = True  # what then moves there follows by itself
            named = None
        if trail is not None:
            named = None
        elif things and things != (BUTTONS,):
            step["mark"] = stage_of(move.asked) is None
            named = None if step["mark"] else step
        told.append(step)
    if named is not None:
        named["mark"] = True
    return told
