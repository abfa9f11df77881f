"""A whole action as an agent would take it: its best decision, and what it would decide after that until the action is done."""

from __future__ import annotations

from collections.abc import Collection

from hansa_env.play.game import Game
from hansa_env.render.scene import scene_of
from hansa_env.render.things import things_of
from hansa_env.render.words import decision_as_order
from hansa_env.table.agent_pool import AgentPool, AgentProblem
from hansa_env.table.analysis import SECONDS, known_to
from hansa_env.table.errors import Refused
from hansa_env.table.known import as_known
from hansa_env.table.live_game import LiveGame

#: Decisions of one action that are told.
MOST = 12


async def plan_of(game: LiveGame, pool: AgentPool, spec: str, number: int, held: Collection[int] = ()) -> list[dict]:
    """The decisions of an action, from what whoever asks may know, as JSON data: `text`, `words`, `things`, `share`.

    Args:
        game: the game, which may be analysed.
        pool: who asks the agent.
        spec: the agent's.
        number: how many decisions stand before the position.
        held: the seats of who asks.

    Raises:
        Refused: there is no such position, or the agent has no answer.
    """
    line = game.line
    if not 0 <= number <= len(line):
        raise Refused(f"at is {number}; the game has {len(line)} decisions")
    ahead = Game.from_state(line.ruleset, as_known(line.ruleset, line.records[number], known_to(game, held))[0])
    seat = ahead.seat
    steps: list[dict] = []
    while not ahead.over and ahead.seat == seat and len(steps) < MOST and (not steps or ahead.asked != "act"):
        try:
            estimate = (await pool.estimates(spec, line.ruleset, [ahead.state], SECONDS))[0]
        except AgentProblem as problem:
            raise Refused(str(problem)) from None
        if estimate is None:
            raise Refused(f"{spec} does not tell what it thinks")
        text, share, _ = estimate["likeliest"][0]
        words = decision_as_order(line.ruleset, ahead.asked, text)
        things = things_of(scene_of(line.ruleset, ahead.state), text)
        steps.append({"text": text, "words": words, "things": list(things), "share": share})
        ahead.play(text)
    return steps
