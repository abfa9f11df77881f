"""Scenarios 40 and 41: missions (R11)."""

from tests.rules.scenario import rule

from .positions import position

CARDS = [["arnheim", "perleberg", "hannover"], ["dortmund", "stendal", "kampen"], ["minden", "perleberg", "goslar"]]
MISSION = 7  # the column of the scores


def missions(**given):
    shown = {"missions": [CARDS[0], None, None]}
    return *position("base-2-3", module=shown, **given), CARDS


@rule("R11.2", "R11.4")
def test_40_offices_and_control(make_game) -> None:
    three = {"arnheim": "0t", "perleberg": "0t", "hannover": "0t"}
    outvoted = make_game(*missions(offices=three, extras={"perleberg": "1t 1t"}))
    assert [row[MISSION] for row in outvoted.scores()] == [3, 0, 0]
    everywhere = make_game(*missions(offices=three))
    assert [row[MISSION] for row in everywhere.scores()] == [8, 0, 0]
    assert [len(row) for row in everywhere.scores()] == [9, 9, 9]
    two = make_game(*missions(offices={"arnheim": "0t", "perleberg": "0t"}))
    assert [row[MISSION] for row in two.scores()] == [2, 0, 0]


@rule("R7.2", "R7.5", "R11.4")
def test_40_the_total_has_every_column(make_game) -> None:
    given = {"prestige": {0: 6}, "abilities": {0: {"bank": 3}}, "markers": {0: ["+3", "+4"]}}
    three = {"arnheim": "0t", "perleberg": "0t", "hannover": "0t"}
    game = make_game(*missions(offices=three, prestige_spaces={"7": 0}, **given))
    *columns, total = game.scores()[0]
    assert columns[0] == 6 and columns[3] == 7 and columns[MISSION] == 8 and total == sum(columns)
    assert all(columns[:6])


@rule("R11.2")
def test_41_an_extra_office_counts_but_lies_left(make_game) -> None:
    offices = {"arnheim": "0t", "perleberg": "0t", "hannover": "1t"}
    game = make_game(*missions(offices=offices, extras={"hannover": "0t"}))
    assert [row[MISSION] for row in game.scores()] == [3, 0, 0]
    control = [row[4] for row in game.scores()]
    assert control == [4, 2, 0]


@rule("R11.1", "R11.3")
def test_a_seat_sees_its_own_card_only(make_game) -> None:
    game = make_game(*missions())
    assert game.position()["missions"] == [CARDS[0], None, None]
    game.play("done")
    assert game.position()["missions"] == [None, CARDS[1], None]
