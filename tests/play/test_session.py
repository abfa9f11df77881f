"""A table of people and agents: who is asked, what can be taken back."""

from __future__ import annotations

import pytest

from hansa_agents.arena import play_game
from hansa_env import AgentError, Game, IllegalAction, Ruleset
from hansa_env.formats.errors import RecordError
from hansa_env.play.people import PERSON, is_person, person_name, person_spec
from hansa_env.play.session import Session

THREE = Ruleset(3)


def session(*specs: str, game: Game | None = None) -> Session:
    return Session(game or Game(THREE, 3), specs)


def until_asked(table: Session) -> None:
    while table.asked_person is None and not table.game.over:
        table.let_agent_decide()


def test_agents_answer_as_they_do_without_people() -> None:
    """A person who decides as `greedy` would leads to the game of three `greedy`."""
    whole = play_game(["greedy"], THREE, seed=3)
    table = session("greedy", PERSON, "greedy")
    while not table.game.over:
        until_asked(table)
        if table.asked_person is not None:
            assert table.asked_person == 1
            table.play(whole.decisions[len(table.game.decisions)][1])
    assert table.game.decisions == whole.decisions and table.game.scores() == whole.scores()
    assert table.moves == whole.moves() and table.game.agents == ["greedy", "person", "greedy"]


def test_undo_goes_back_to_ones_last_decision_over_those_of_agents() -> None:
    table = session(PERSON, "greedy", "greedy")
    assert table.undo() is None
    table.play("place trader stade/hamburg")
    table.play("place trader stade/hamburg")
    until_asked(table)
    assert len(table.game.decisions) > 2
    move = table.undo()
    assert move is not None and move.text == "place trader stade/hamburg"
    assert len(table.game.decisions) == len(table.moves) == 1 and table.asked_person == 0
    assert table.game.position() == table.game.rewound(1).position()
    assert table.undo() is not None and table.game.decisions == [] and table.undo() is None


def test_people_at_one_keyboard_take_back_each_others_decisions() -> None:
    """As those at one screen of the table do."""
    table = session(PERSON, "person:Ben", "greedy")
    table.play("place trader stade/hamburg")
    table.play("place trader stade/hamburg")
    assert table.asked_person == 1 and table.undo() is not None, "nobody has decided since"
    assert table.asked_person == 0 and len(table.moves) == 1
    table.play("place trader stade/hamburg")
    table.play("place trader hamburg/lubeck")
    table.play("place trader hamburg/lubeck")
    until_asked(table)
    move = table.undo()
    assert move is not None and move.seat == 1 and table.asked_person == 1 and len(table.moves) == 3


def test_a_game_that_is_over_can_be_taken_back() -> None:
    table = Session(Game(THREE, 3, max_turns=1), [PERSON, "greedy", "greedy"])
    table.play("done")
    until_asked(table)
    assert table.game.over and table.undo() is not None and table.asked_person == 0 and table.game.max_turns == 1


def test_what_is_wrong_is_refused_and_changes_nothing() -> None:
    table = session(PERSON, "greedy", "greedy")
    with pytest.raises(IllegalAction):
        table.play("claim stade/hamburg")
    with pytest.raises(AgentError, match="no agent is asked"):
        table.let_agent_decide()
    assert table.moves == [] and table.game.decisions == []
    with pytest.raises(AgentError, match="2 specs for 3 seats"):
        session(PERSON, "greedy")
    with pytest.raises(AgentError, match="unknown agent 'nobody'"):
        session(PERSON, "greedy", "nobody")


def test_who_cannot_be_named_in_a_record_does_not_play() -> None:
    for spec in ("mixture:" + "+".join(["greedy"] * 40), "person:A\x01B"):
        with pytest.raises(AgentError, match="cannot be named in a record; expected at most 200 characters"):
            Session(Game(Ruleset(2), 1), [spec, "random"])


def test_people_have_names() -> None:
    assert is_person("person") and is_person("person:Anna") and not is_person("personal:Bot")
    assert (person_name("person"), person_name("person:Anna"), person_name("ppo")) == ("", "Anna", "ppo")
    assert (person_spec(""), person_spec("Anna")) == ("person", "person:Anna")


def test_a_game_without_a_beginning_is_refused_but_keeps_its_moves() -> None:
    game = Game.from_position(Game(THREE, 3).position())
    game.play("place trader stade/hamburg")
    assert [(move.seat, move.asked, move.text) for move in game.moves()] == [(0, "act", "place trader stade/hamburg")]
    with pytest.raises(RecordError, match="began from a position"):
        session(PERSON, "greedy", "greedy", game=game)


def test_positions_are_those_before_each_decision_and_the_last() -> None:
    game = play_game(["random"], THREE, seed=5)
    positions = game.positions()
    assert len(positions) == len(game.decisions) + 1 and positions[-1] == game.state
    for number in (0, 1, len(game.decisions) // 2):
        assert positions[number] == game.rewound(number).state
