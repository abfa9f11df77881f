"""R2: the turn."""

from tests.rules.scenario import THREE, TWO_NEUTRAL, after, board, play, rule, see, verbs


@rule("R2.1")
def test_seats_move_in_order():
    """0, 1, 2 and 0 again, 2 actions each, a new turn with a full count."""
    game = board(THREE)
    turns = []
    for _ in range(4):
        turns.append(game.seat)
        play(game, "place trader hamburg/bremen" if len(turns) == 1 else "income 0")
        assert game.seat == turns[-1]
        assert see(game, "actions_left") == 1
        play(game, "place trader minden/brunswick")
        assert see(game, "actions_left") == 2
    assert turns == [0, 1, 2, 0]


@rule("R2.1")
def test_any_action_in_any_order_and_again():
    """Three places in a row and a claim, then an income before a place."""
    game = board(THREE, abilities={0: {"actions": 3}}, posts={"duisburg/dortmund": ""})
    play(game, "place trader duisburg/dortmund", "place trader duisburg/dortmund")
    assert "claim duisburg/dortmund" in game.legal()
    play(game, "claim duisburg/dortmund", "office duisburg", "place trader duisburg/dortmund")
    assert game.seat == 1
    assert see(game, "offices", "duisburg") == ["0t"]
    play(game, "income 0", "place trader duisburg/dortmund")
    assert game.seat == 2


@rule("R2.1")
def test_all_five_actions_are_offered():
    """Income, place, move, displace and claim are offered together, and stopping."""
    game = board(THREE, posts={"duisburg/dortmund": "0t 0t", "stade/hamburg": "1t"})
    assert verbs(game) == {"income", "place", "move", "displace", "claim", "done"}


@rule("R2.1")
def test_stopping_early():
    """After one of two actions, and before any."""
    game = board(THREE)
    play(game, "income 0", "done")
    assert (game.seat, see(game, "actions_left")) == (1, 2)
    play(game, "done")
    assert (game.seat, see(game, "actions_left")) == (2, 2)


@rule("R2.1")
def test_no_stopping_inside_an_action():
    """A move once begun lifts something, and everything lifted is put down."""
    game = board(THREE, posts={"duisburg/dortmund": "0t", "stade/hamburg": "0t", "hamburg/lubeck": "0t"})
    play(game, "move")
    assert verbs(game) == {"lift"}
    play(game, "lift trader stade/hamburg")
    assert verbs(game) == {"lift", "done"}
    play(game, "done")
    assert verbs(game) == {"put"}


@rule("R2.2")
def test_developing_actions_adds_the_difference():
    """2 to 3 adds one to the actions left, 3 to 3 none, 3 to 4 one, 4 to 4 none, 4 to 5 one."""
    for removed, gained in enumerate([1, 0, 1, 0, 1]):
        game = board(THREE, abilities={0: {"actions": removed}}, markers={0: ["upgrade"]}, actions=1)
        play(game, "develop actions")
        assert see(game, "actions_left") == 1 + gained
        assert see(game, "abilities", 0, "actions") == removed + 1


@rule("R2.2", "R5.8")
def test_developing_actions_by_the_last_action_of_the_turn():
    """The claim of Göttingen costs the last action and brings one more."""
    game = board(THREE, posts={"gottingen/quedlinburg": "0t 0t 0t"}, actions=1)
    play(game, "claim gottingen/quedlinburg")
    assert see(game, "actions_left") == 0
    play(game, "develop actions")
    assert (game.seat, see(game, "actions_left")) == (0, 1)


@rule("R2.2")
def test_three_to_three_ends_the_turn():
    """The same claim from 3 to 3 brings none, and the turn is over."""
    game = board(THREE, posts={"gottingen/quedlinburg": "0t 0t 0t"}, actions=1, abilities={0: {"actions": 1}})
    play(game, "claim gottingen/quedlinburg", "develop actions")
    assert game.seat == 1
    assert see(game, "abilities", 0, "actions") == 2


@rule("R2.3")
def test_markers_cost_no_action():
    """A marker is offered before an action, between two, and none is deducted."""
    game = board(THREE, markers={0: ["upgrade", "+3"]})
    assert {"develop", "+3"} <= verbs(game)
    play(game, "develop keys")
    assert see(game, "actions_left") == 2
    play(game, "income 0")
    assert "+3" in game.legal()
    play(game, "+3")
    assert see(game, "actions_left") == 4


@rule("R2.3")
def test_markers_with_no_action_left():
    """The turn goes on while a marker may be used, with nothing else to do."""
    game = board(THREE, markers={0: ["upgrade"]}, actions=1)
    play(game, "income 0")
    assert (game.seat, see(game, "actions_left")) == (0, 0)
    assert game.legal() == [
        "develop actions",
        "develop bank",
        "develop book",
        "develop keys",
        "develop privilege",
        "done",
    ]
    play(game, "develop book")
    assert game.seat == 1


@rule("R2.3")
def test_only_the_player_whose_turn_it_is_uses_markers():
    """Seat 1's markers are not seat 0's."""
    game = board(THREE, markers={1: ["+3", "upgrade"]}, actions=1)
    assert not {"+3", "develop"} & verbs(game)
    play(game, "income 0")
    assert {"+3", "develop"} <= verbs(game)


@rule("R2.3")
def test_a_marker_is_usable_once_the_action_that_took_it_is_finished():
    """Not at the choice of the reward, but right after it, even if that was the last action of the turn."""
    game = board(
        THREE,
        actions=1,
        posts={"bremen/osnabruck": "0t 0t 0t"},
        route_markers={"bremen/osnabruck": "+4"},
    )
    play(game, "claim bremen/osnabruck")
    assert see(game, "markers", 0) == ["+4"]
    assert game.legal() == ["done", "office osnabruck"]
    play(game, "office osnabruck")
    assert game.legal() == ["+4", "done"]
    play(game, "+4")
    assert (game.seat, see(game, "actions_left")) == (0, 4)


@rule("R2.4")
def test_plate_markers_are_placed_before_the_next_seat():
    """At the end of the turn seat 0 is asked where; only then seat 1 plays."""
    game = board(THREE, plate={0: 1}, actions=1)
    play(game, "income 0")
    assert (game.seat, game.asked, see(game, "turn")) == (0, "marker", 0)
    assert see(game, "plate") == [1, 0, 0]
    play(game, "route stade/hamburg")
    assert (game.seat, game.asked, see(game, "turn")) == (1, "act", 1)
    assert see(game, "plate") == [0, 0, 0]
    assert "stade/hamburg" in see(game, "route_markers")


@rule("R2.4")
def test_plate_markers_wait_for_the_end_of_the_turn():
    """Not after the first of two actions."""
    game = board(TWO_NEUTRAL, plate={0: 1})
    play(game, "place trader kampen/arnheim")
    assert (game.seat, game.asked) == (0, "act")
    play(game, "done")
    assert game.asked == "marker"
    assert "kampen/arnheim" not in after(game, "route")
