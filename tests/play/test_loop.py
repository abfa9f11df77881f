"""The one loop in which agents play: who is asked when, and what is checked how often."""

from __future__ import annotations

import numpy as np
import pytest

from hansa_env import AgentError, AgentFault, Game, HansaBatch, IllegalAction, Ruleset
from hansa_env.engine import kernels, state
from hansa_env.play.learner_batch import LearnerBatch
from hansa_env.play.loop import asking, let_decide, play_on
from tests.play.bots import Failing, First

THREE = Ruleset(3)


@pytest.fixture
def looked_up(monkeypatch) -> list[int]:
    """How many games had an action looked up among their legal ones, by call."""
    seen: list[int] = []
    real = kernels.first_illegal

    def first_illegal(games, tables, actions, start, stop) -> int:
        seen.append(int((actions[start:stop] != kernels.NO_ACTION).sum()))
        return real(games, tables, actions, start, stop)

    monkeypatch.setattr(kernels, "first_illegal", first_illegal)
    return seen


def test_every_decision_is_asked_of_the_agent_whose_seat_it_is_and_looked_up_once(looked_up: list[int]) -> None:
    agents = [First("even"), First("odd")]
    batch = HansaBatch(6, THREE, seed=3, max_turns=2)
    who = np.add.outer(np.arange(6), np.arange(3)) % 2  # by game and seat
    decided = 0
    for rows in play_on(batch, asking(batch, agents, who)):
        decided += len(rows)
    assert batch.ended.all() and decided == sum(looked_up) > 50
    assert decided == sum(len(masks) for agent in agents for _, masks, _ in agent.given)
    twin = HansaBatch(6, THREE, seed=3, max_turns=2)
    while not twin.ended.all():
        mask = twin.action_mask
        twin.step(np.where(mask.any(axis=1), mask.argmax(axis=1), -1))
    assert twin.games.tobytes() == batch.games.tobytes()


def test_only_rows_that_wait_are_played() -> None:
    batch = HansaBatch(4, THREE, seed=3)
    before = batch.games.copy()
    waiting = iter([np.array([1, 3]), np.array([3]), np.array([], np.int64)])
    played = [rows.tolist() for rows in play_on(batch, asking(batch, [First()], np.zeros((4, 3), int)), lambda: next(waiting))]
    assert played == [[1, 3], [3]]
    assert (batch.games == before).tolist() == [True, False, True, False]


def test_games_that_are_over_from_the_start_are_not_asked_about() -> None:
    batch, over = HansaBatch(2, THREE, seed=3, max_turns=1), HansaBatch(1, THREE, seed=4, max_turns=1)
    for _ in play_on(over, asking(over, [First()], np.zeros((1, 3), int))):
        pass
    batch.put([0], over.games)
    bot = First()
    for rows in play_on(batch, asking(batch, [bot], np.zeros((2, 3), int))):
        assert rows.tolist() == [1]
    assert (batch.games["asked"] == state.OVER).all() and bot.given


def test_a_fault_changes_no_game() -> None:
    batch = HansaBatch(4, THREE, seed=3)
    agents = [First(), Failing(lambda masks: masks.argmin(axis=1), after=1)]
    before = b""
    with pytest.raises(AgentFault, match="culprit"):
        for _ in play_on(batch, asking(batch, agents, np.tile([0, 1, 1], (4, 1)))):
            before = batch.games.tobytes()
    assert before and batch.games.tobytes() == before


def test_an_opponents_answer_is_looked_up_once_and_the_learners_too(looked_up: list[int]) -> None:
    core = LearnerBatch(8, THREE, First(), seed=2, seat=1)
    opponents = sum(len(masks) for _, masks, _ in core.opponents[0].given)  # type: ignore[attr-defined]
    assert sum(looked_up) == opponents > 0, "seat 0 has its first turn"
    core.step(core.action_mask.argmax(axis=1))
    opponents = sum(len(masks) for _, masks, _ in core.opponents[0].given) - opponents  # type: ignore[attr-defined]
    assert sum(looked_up) == 8 + sum(len(masks) for _, masks, _ in core.opponents[0].given)  # type: ignore[attr-defined]


def test_an_agent_decides_in_a_game_and_its_record_has_it() -> None:
    game = Game(THREE, seed=3)
    first, text = game.legal_actions()[0], game.describe(game.legal_actions()[0])
    assert let_decide(game, First()) == first
    assert game.decisions == [[0, text]]
    before = game.state.tobytes()
    with pytest.raises(AgentFault, match="culprit"):
        let_decide(game, Failing(lambda masks: masks.argmin(axis=1)))
    with pytest.raises(AgentError, match="'greedy' is a spec; expected the agent that make_agent makes of it"):
        let_decide(game, "greedy")  # type: ignore[arg-type]
    assert game.state.tobytes() == before and len(game.decisions) == 1


def test_no_agent_is_blamed_for_a_game_that_is_over() -> None:
    game, bot = Game(THREE, seed=3, max_turns=1), First()
    while not game.over:
        let_decide(game, bot)
    asked = len(bot.given)
    with pytest.raises(IllegalAction, match="the game is over, and nobody is asked any more"):
        let_decide(game, bot)
    assert len(bot.given) == asked


# Games on records, which bots are shown by the thousand.


def test_a_game_on_a_record_deals_nothing(monkeypatch) -> None:
    game = Game(THREE, seed=3)
    game.play(game.legal()[0])
    monkeypatch.setattr(kernels, "deal_games", lambda *_: pytest.fail("a game was dealt"))
    monkeypatch.setattr(kernels, "begin_games", lambda *_: pytest.fail("a game was begun"))
    other = Game.from_state(THREE, game.state)
    assert other.position() == game.position() and other.max_turns == game.max_turns and other.setup == {}
    other.play(other.legal()[-1])
    assert len(other.decisions) == 1 and other.state.tobytes() != game.state.tobytes()
    assert other.copy(reshuffle=1).legal() == other.legal()


def test_a_copy_goes_on_by_itself_whether_it_was_played_before_or_not() -> None:
    game = Game(THREE, seed=3)
    for _ in range(3):
        copy, before = game.copy(), game.state.tobytes()
        copy.play(copy.legal()[-1])
        assert game.state.tobytes() == before and len(copy.decisions) == len(game.decisions) + 1
        game.play(game.legal()[0])
        with pytest.raises(IllegalAction, match="gave 'nonsense'"):
            game.play("nonsense")
