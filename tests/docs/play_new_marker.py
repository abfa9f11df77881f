"""Played by `test_extending` in a copy of the package that has the marker of `new_marker`: everything tells of it."""

from hansa_env import Game, PositionError, Ruleset
from hansa_env.formats import read_position_data
from hansa_env.formats.schema import json_schemas
from hansa_env.render.choices import choices_of
from hansa_env.render.svg import draw
from hansa_env.render.things import things_of
from hansa_env.render.words import decision_in_words
from hansa_env.table.game_history import Line
from hansa_env.table.rules import rules_of_markers
from hansa_env.table.start import Start
from hansa_env.table.view import view_of

RULESET = Ruleset(3, "bigbox", pile="promos")


def beginning() -> dict:
    """Seat 0 has the marker, which was drawn from the pile, and begins."""
    position = Game(RULESET, seed=1).position()
    position["markers"][0] = ["gift"]
    position["pile"] -= 1
    del position["legal"]
    return position


def at_act(game: Game) -> None:
    """The marker is offered: in the notation, in words, in the list for people, in the picture, on the page."""
    scene = game.scene()
    assert "gift" in game.legal()
    assert decision_in_words(RULESET, "act", "gift") == "uses the marker gift"
    assert "use the marker gift" in [choice.order for choice in choices_of(RULESET, game.state)]
    assert things_of(scene, "gift") == ("marker 0 gift",) and 'data-thing="marker 0 gift"' in draw(scene)
    shown = view_of(Line(Start.of_position(game.position())), 0, [""] * 3)
    offered = {tuple(choice["texts"]): choice for choice in shown["choices"]}
    assert offered["gift", "seat 1"]["words"] == "use the marker gift to seat 1"
    assert offered["gift", "seat 1"]["things"] == ["desk 1"]


def at_its_question(game: Game) -> None:
    """Positions, their schema, words and the picture know the question."""
    position, scene = game.position(), game.scene()
    assert game.asked == "gift" and game.legal() == ["seat 1", "seat 2"]
    assert position["action"]["verb"] == "gift" and position["used"][0] == ["gift"]
    assert Game.from_position(position, seed=1).legal() == game.legal()
    schema = json_schemas()["hansa-position-2.json"]
    assert "gift" in schema["properties"]["asked"]["enum"]
    assert "gift" in schema["$defs"]["ActionModel"]["properties"]["verb"]["enum"]
    assert scene.question == "choose who is given a trader"
    assert things_of(scene, "seat 2") == ("desk 2",)


def the_page_tells(line: Line) -> None:
    """The table's page has the story, the costs, the words, the buttons and what moves from the row."""
    before = view_of(line, 1, [""] * 3)
    assert before["story"] == ["Seat 0 gives a trader."] and before["ways"] == ["the desk of who is given it"]
    shown = [(one["words"], one["label"], one["rank"], one["cost"]) for one in before["choices"]]
    assert shown == [
        ("send a trader to seat 1", "give it away", None, "2 actions unused"),
        ("send a trader to seat 2", "send a trader to seat 2", None, "2 actions unused"),
    ]
    assert before["trail"] is None
    assert view_of(line, 2, [""] * 3)["trail"] == {"source": "stock 1 trader", "target": "supply 1 trader", "piece": "1t"}
    assert rules_of_markers()["gift"] == "R13.9"


def what_is_wrong_is_told(game: Game) -> None:
    """Positions that no game comes to are refused."""
    for change, message in (
        (lambda p: p["used"].__setitem__(0, []), "no gift at gift"),
        (lambda p: p.update(seat=1), "seat: 1 is asked gift"),
        (lambda p: p["action"].update(remaining=1), "action remaining: 1 at gift"),
        (lambda p: p.update(hand=["t"]), "hand: 1 pieces at gift"),
        (lambda p: p["action"].update(verb="token"), "action verb: token at gift; expected gift"),
    ):
        position = game.position()
        change(position)
        try:
            read_position_data(position)
        except PositionError as error:
            assert message in str(error), error
        else:
            raise AssertionError(f"let through, where expected: {message}")


def main() -> None:
    game = Game.from_position(beginning(), seed=1)
    at_act(game)
    before = game.position()["supply"][1][0]
    game.play("gift")
    at_its_question(game)
    what_is_wrong_is_told(game)
    game.play("seat 1")
    assert game.asked == "act" and game.position()["supply"][1][0] == before + 1
    line = Line(Start.of_position(beginning()), ["gift", "seat 1"])
    the_page_tells(line)
    print("played")


if __name__ == "__main__":
    main()
