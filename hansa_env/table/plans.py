"""Whole actions as an agent would take them: a decision, and what it would decide after that until the action is done."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection

from hansa_env.play.errors import IllegalAction
from hansa_env.play.game import Game
from hansa_env.play.mistakes import actions
from hansa_env.play.whole_action import WholeAction, better_in_words
from hansa_env.render.scene import scene_of
from hansa_env.render.things import things_of
from hansa_env.render.words import decision_as_order
from hansa_env.table.agent_pool import AgentPool, AgentProblem
from hansa_env.table.analysis import SECONDS, known_to
from hansa_env.table.errors import Refused
from hansa_env.table.known import as_known
from hansa_env.table.live_game import LiveGame


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
    ahead = _position(game, number, held)
    steps: list[dict] = []
    async for text, share in _thought_out(WholeAction(ahead), pool, spec):
        words = decision_as_order(ahead.ruleset, ahead.asked, text)
        things = things_of(scene_of(ahead.ruleset, ahead.state), text)
        steps.append({"text": text, "words": words, "things": list(things), "share": share})
    return steps


async def better_of(
    game: LiveGame, pool: AgentPool, spec: str, first: int, at: int, best: str, held: Collection[int] = ()
) -> str:
    """An action of the game as an order, with a better decision in it and what an agent would decide after that.

    Args:
        game, pool, spec, held: as of `plan_of`.
        first, at: how many decisions stand before the action, and before the better one, which is within it.
        best: the better decision.

    Raises:
        Refused: there is no such action or decision, or the agent has no answer.
    """
    moves = game.line.moves
    if not any(begun == first and first <= at < ended for begun, ended in actions(moves)):
        raise Refused(f"first is {first}, at is {at}; no action of the game begins at first and has at in it")
    whole = WholeAction(_position(game, at, held))
    try:
        whole.go_on(best)
    except IllegalAction as error:
        raise Refused(str(error)) from None
    async for _ in _thought_out(whole, pool, spec):
        pass
    return better_in_words(game.line.ruleset, moves, first, at, whole.steps)


def _position(game: LiveGame, number: int, held: Collection[int]) -> Game:
    """A position of a game, from what whoever asks may know, to be played on. Raises Refused.

    With missions it has the first card that another seat may have, while the judgement is the mean over all such cards.
    """
    line = game.line
    if not 0 <= number <= len(line):
        raise Refused(f"at is {number}; the game has {len(line)} decisions")
    return Game.from_state(line.ruleset, as_known(line.ruleset, line.records[number], known_to(game, held))[0])


async def _thought_out(whole: WholeAction, pool: AgentPool, spec: str) -> AsyncIterator[tuple[str, float]]:
    """The decisions of an agent until an action is done, each with its share, before it is played. Raises Refused."""
    ahead = whole.game
    while not whole.is_done:
        try:
            estimate = (await pool.estimates(spec, ahead.ruleset, [ahead.state], SECONDS))[0]
        except AgentProblem as problem:
            raise Refused(str(problem)) from None
        if estimate is None:
            raise Refused(f"{spec} does not tell what it thinks")
        text, share, _ = estimate["likeliest"][0]
        yield text, share
        whole.go_on(text)
