"""Records and positions: written, read, replayed to the same bytes, refused when broken."""

import copy
import json

import numpy as np
import pytest

from hansa_env import Game, PositionError, RecordError, Ruleset, RulesetError
from hansa_env.engine import state
from hansa_env.play.dataset import dataset_of
from tests.helpers import RULESETS, ruleset_id

by_ruleset = pytest.mark.parametrize("ruleset", RULESETS, ids=ruleset_id)


def played(ruleset: Ruleset, seed: int = 3, decisions: int | None = None) -> Game:
    """A random game that claims when it can, to the end or so many decisions."""
    game = Game(ruleset, seed=seed, max_turns=None)
    rng = np.random.default_rng(seed)
    while not game.over and (decisions is None or len(game.decisions) < decisions):
        texts = game.legal()
        wanted = [t for t in texts if t.split()[0] in ("claim", "office", "develop")]
        places = [t for t in texts if t.startswith("place") and t.split()[-1] < "f"]
        game.play(str(rng.choice(wanted or (places if rng.random() < 0.9 else []) or texts)))
    return game


def test_a_game_tells_whose_turn_it_is_beside_who_decides() -> None:
    game, rng, apart = Game(Ruleset(3), seed=3, max_turns=30), np.random.default_rng(3), set()
    while not game.over:
        assert game.turn == game.position()["turn"]
        apart |= {game.asked} if game.turn != game.seat else set()
        game.play(str(rng.choice(game.legal())))
    assert apart == {"relocate"} and game.turn is None


@by_ruleset
def test_a_record_replays_to_the_same_bytes(ruleset: Ruleset) -> None:
    game = played(ruleset, decisions=400)
    record = json.loads(json.dumps(game.record()))
    again = Game.from_record(record)
    for name in ("seed", "noise", "turn_limit"):  # which a record does not tell
        again.state[name] = game.state[name]
    assert again.state.tobytes() == game.state.tobytes()
    assert again.record() == record
    assert again.position() == game.position()


@pytest.mark.parametrize(("ruleset", "rounds"), [(Ruleset(2, "second"), 2), (Ruleset(3), 1), (Ruleset(5, board="east"), 3)])
def test_a_record_of_a_game_that_was_cut_off_is_over_and_keeps_its_result(ruleset: Ruleset, rounds: int) -> None:
    game = Game(ruleset, seed=3, max_turns=rounds)
    while not game.over:
        game.play(game.legal()[-1])
    record = json.loads(json.dumps(game.record()))
    assert record["result"]["reason"] is None and record["result"]["winners"]
    again = Game.from_record(record)
    assert again.over and again.record() == record and again.winners() == game.winners()
    assert not Game.from_record(record, max_turns=rounds + 1).over, "with a limit that one names it goes on"
    begun = game.rewound(len(game.decisions) - 1).record()
    assert not Game.from_record(begun).over
    assert not Game.from_record(record, max_turns=None).over, "no limit is none"


@pytest.mark.parametrize("rounds", [None, 2, 40])
def test_a_record_names_the_turn_limit_of_its_game(rounds: int | None) -> None:
    """Read back, the game goes on with it, or with another that is given."""
    game = Game(Ruleset(3), seed=3, max_turns=rounds)
    for _ in range(5):
        game.play(game.legal()[-1])
    record = json.loads(json.dumps(game.record()))
    assert record.get("max_turns", "none") == (rounds or "none")
    again = Game.from_record(record)
    assert again.max_turns == rounds and again.record() == record
    for other in (7, None):
        assert Game.from_record(record, max_turns=other).max_turns == other


@pytest.mark.parametrize("rounds", [1, 2])
def test_a_record_without_a_turn_limit_reads_as_before_there_was_that_field(rounds: int) -> None:
    game = Game(Ruleset(3), seed=3, max_turns=rounds)
    while not game.over:
        game.play("done")
    record = {name: value for name, value in game.record().items() if name != "max_turns"}
    again = Game.from_record(record)
    assert again.cut_off and again.max_turns == rounds and again.position() == game.position()
    assert not Game.from_record(record, max_turns=None).over and not Game.from_record(record, max_turns=rounds + 1).over
    left_open = record | {"result": dict.fromkeys(record["result"])}
    assert not Game.from_record(left_open).over and Game.from_record(left_open).max_turns is None


def test_a_turn_limit_that_is_not_that_of_the_game_is_refused() -> None:
    game = Game(Ruleset(3), seed=3, max_turns=3)
    while not game.over:
        game.play(game.legal()[-1])
    record = game.record()
    left_open = record | {"result": dict.fromkeys(record["result"])}
    for changed, said in (
        (record | {"max_turns": 2}, r"decision \d+ of \d+ is illegal: .*the game is over, cut off after 6 turns of all seats"),
        (record | {"max_turns": 4}, "max_turns is 4, but the result is of a game cut off after 9 turns of all seats together"),
        (left_open, "max_turns is 3, which cut the game off after 9 turns of all seats together; its result is null"),
        (record | {"max_turns": 0}, "max_turns: 0; expected 1 to 10000000"),
    ):
        for read in (Game.from_record, lambda one: Game.from_record(one, max_turns=None), lambda one: dataset_of([one])):
            with pytest.raises(RecordError, match=said):
                read(changed)
    with pytest.raises(ValueError, match="max_turns is 'none'; expected None or a whole number"):
        Game.from_record(record, max_turns="none")  # type: ignore[arg-type]


def test_a_game_says_whether_it_was_cut_off() -> None:
    game = Game(Ruleset(3), seed=3, max_turns=2)
    while not game.over:
        assert game.cut_off is False
        game.play("done")
    assert game.cut_off is True and game.reason is None
    assert played(Ruleset(3)).cut_off is False


def test_a_game_in_the_turn_after_a_round_was_not_cut_off_there() -> None:
    """Its result may be that of the board as it stands."""
    game = Game(Ruleset(3), seed=3, max_turns=None)
    while game.state["turns"] < 6:
        game.play("done")
    game.play(game.legal()[-1])
    assert game.state["turns"] == 6 and game.turns_begun == 7
    record = game.record()
    record["result"] |= {"scores": game.scores(), "winners": game.winners()}
    again = Game.from_record(record)
    assert not again.over and again.position() == game.position()


def test_a_finished_record_carries_its_result() -> None:
    game = played(Ruleset(3))
    record = game.record()
    assert record["format"] == "hansa-record/1" and record["seed"] == 3
    assert record["result"] == {"reason": game.reason, "scores": game.scores(), "winners": game.winners()}
    assert game.reason in ("prestige", "markers", "cities")
    position = game.position()
    assert position["seat"] is None and position["asked"] == "over" and position["legal"] == []
    assert Game.from_record(record).record() == record


def test_the_setup_alone_decides_the_game() -> None:
    game = Game(Ruleset(4), seed=9)
    twin = Game(Ruleset(4), setup=game.setup)
    assert twin.position() == game.position() and twin.seed is None
    assert twin.setup == game.setup


def test_an_unfinished_record_goes_on() -> None:
    record = played(Ruleset(3), decisions=30).record()
    assert record["result"] == {"reason": None, "scores": None, "winners": None}
    game = Game.from_record(record)
    game.play(game.legal()[0])
    assert len(game.decisions) == 31


def broken(change) -> dict:
    record = copy.deepcopy(played(Ruleset(3), decisions=30).record())
    change(record)
    return record


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda r: r.update(format="hansa-record/2"), 'format: "hansa-record/2"; expected hansa-record/1'),
        (lambda r: r.pop("decisions"), "field decisions is missing"),
        (lambda r: r.pop("result"), "field result is missing"),
        (lambda r: r.update(players=9), "players: 9; expected 2 to 5"),
        (lambda r: r.update(two_players="pawn"), "two_players is 'pawn' with 3 players"),
        (
            lambda r: r["decisions"].insert(7, [r["decisions"][7][0], "claim stade/hamburg"]),
            "decision 7 of 31 is illegal: .*legal: ",
        ),
        (lambda r: r["decisions"].insert(7, [2 - r["decisions"][7][0], "done"]), "decision 7 of 31 is by seat"),
        (lambda r: r["decisions"].insert(7, "done"), 'decision 7: "done"; expected a list of 2'),
        (lambda r: r["setup"]["pile"].pop(), "setup pile: 0 remove-three; expected 1 in the edition fourth"),
        (lambda r: r["setup"]["markers"].update({"stade/hamburg": "+3"}), "setup markers: an object of 4 fields; expected"),
        (lambda r: r["setup"].pop("pile"), "setup field pile is missing"),
    ],
)
def test_a_broken_record_is_refused(change, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        Game.from_record(broken(change))


def test_a_record_with_a_wrong_result_is_refused() -> None:
    record = played(Ruleset(3)).record()
    record["result"]["winners"] = [0, 1, 2]
    with pytest.raises(RecordError, match=r"result: winners are .* but the game comes to"):
        Game.from_record(record)
    with pytest.raises(RecordError, match="a record is an object, not a list"):
        Game.from_record([])


def test_a_decision_after_the_end_is_refused() -> None:
    record = played(Ruleset(3)).record()
    count = len(record["decisions"])
    record["decisions"].append([0, "done"])
    with pytest.raises(RecordError, match=f"decision {count} of {count + 1} is illegal: .*the game is over"):
        Game.from_record(record)


@by_ruleset
def test_a_position_is_read_back(ruleset: Ruleset) -> None:
    """At `act` a position says all there is, but for the hidden markers."""
    checked = 0
    for seed in range(5):
        game = played(ruleset, seed, decisions=40 + 60 * seed)
        while game.asked != "act" and not game.over:
            game.play(game.legal()[0])
        position = json.loads(json.dumps(game.position()))
        if game.over:
            continue
        if ruleset.two_players == "pawn" and any(game.state["used"].ravel()):
            continue  # a position does not say whether an action was taken when markers added some
        again = Game.from_position(position, seed=1)
        assert again.position() == position
        again.state["missions"] = game.state["missions"]  # of which a position tells one
        assert again.scores() == game.scores() and again.winners() == game.winners()
        for name in ("free", "held", "whole", "presence", "controller", "filled", "vacant", "legal"):
            assert (again.state[name] == game.state[name]).all(), name
        assert sorted(again.state["pile"][again.state["drawn"] :]) != []
        checked += 1
    assert checked >= 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda p: p.update(format="x"), 'format: "x"; expected hansa-position/2'),
        (lambda p: p.update(asked="put"), "action: null at put; expected move"),
        (lambda p: p.pop("supply"), "field supply is missing"),
        (lambda p: p["posts"].update({"stade/hamburg": ["7t", None, None]}), 'posts stade/hamburg: "7t"; expected one of 0t'),
        (lambda p: p["posts"].update({"stade/hamburg": [None]}), "posts stade/hamburg: 1 entries on 3 posts"),
        (lambda p: p["offices"].update({"stade": [None, "0t"]}), "offices stade: 2 entries on 1 spaces"),
        (lambda p: p["abilities"][0].update(keys=7), "abilities of seat 0 keys: 7; expected 0 to 4"),
        (lambda p: p["markers"][0].extend(["+3"] * 4), r"markers|\+3"),
        (lambda p: p["legal"].pop(), "legal: the list does not fit"),
        (lambda p: p.update(turn=4), "turn: 4"),
    ],
)
def test_a_broken_position_is_refused(change, message: str) -> None:
    position = Game(Ruleset(3), seed=1).position()
    change(position)
    with pytest.raises(PositionError, match=message):
        Game.from_position(position)


def test_a_game_from_a_position_has_the_turn_limit_that_is_given() -> None:
    """The turns of the position count; where they are as many, the one under way is the last."""
    begun = Game(Ruleset(3), seed=1, max_turns=None)
    while begun.state["turns"] < 7:
        begun.play("done")
    assert Game.from_position(begun.position()).max_turns is None
    for limit, turns in ((3, 9), (2, 8)):
        game = Game.from_position(begun.position(), max_turns=limit)
        assert game.max_turns == limit
        while not game.over:
            game.play("done")
        assert game.cut_off and game.state["turns"] == turns
    with pytest.raises(ValueError, match="max_turns is 0; expected None or a whole number"):
        Game.from_position(begun.position(), max_turns=0)


def test_a_game_from_a_position_has_no_record() -> None:
    game = Game.from_position(Game(Ruleset(3), seed=1).position())
    with pytest.raises(RecordError, match="began from a position"):
        game.record()


def test_a_copy_is_independent_and_may_hide_the_pile() -> None:
    game = played(Ruleset(3), decisions=60)
    twin, planner = game.copy(), game.copy(reshuffle=4)
    assert planner.position() == game.position() and planner.setup["pile"] != game.setup["pile"]
    assert planner.seed is None and Game.from_record(planner.record()).position() == planner.position()
    before = game.state.tobytes()
    for other in (twin, planner):
        other.play(other.legal()[-1])
        assert len(other.decisions) == 61
    assert game.state.tobytes() == before and len(game.decisions) == 60


def test_a_record_is_nobody_elses() -> None:
    """Whoever changes one changes no game, and no copy of it."""
    game = Game(Ruleset(3, missions=True), seed=1)
    game.agents, game.luck = ["a", "b", "c"], {"draws": [{"after": 1}]}
    game.play(game.legal()[0])
    game.estimates[0] = {"values": [1.0, 0.0, 0.0]}
    before = copy.deepcopy(game.record())
    record = game.copy().record()
    record["setup"]["pile"].reverse()
    record["setup"]["markers"].clear()
    record["setup"]["missions"][0].clear()
    record["agents"].clear()
    record["luck"]["draws"][0]["after"] = 5
    record["estimates"][0]["values"].clear()
    assert game.record() == before


@pytest.mark.parametrize("given", [3, None, np.zeros(2, state.GAME), "a record"], ids=["number", "none", "two", "text"])
def test_what_is_no_record_is_no_game(given: object) -> None:
    with pytest.raises(ValueError, match=r"games are .*; expected game records"):
        Game.from_state(Ruleset(3), given)  # type: ignore[arg-type]
    with pytest.raises(RulesetError, match="ruleset is 3; expected a Ruleset"):
        Game.from_state(3, Game(Ruleset(3)).state)  # type: ignore[arg-type]


def test_who_plays_in_a_copy_is_told_to_no_other_game() -> None:
    game = Game(Ruleset(3), seed=1)
    game.agents, game.estimated_by = ["a", "b", "c"], ["a", None, None]
    for other in (game.copy(), copy.deepcopy(game), game.rewound(0)):
        other.agents[0] = other.estimated_by[1] = "x"  # type: ignore[index]
    assert (game.agents, game.estimated_by) == (["a", "b", "c"], ["a", None, None])


def test_a_deep_copy_shares_nothing() -> None:
    game = Game(Ruleset(3), seed=1)
    game.play(game.legal()[0])
    game.luck, game.estimates = {"draws": []}, {0: {"values": [1.0, 0.0, 0.0]}}
    before = copy.deepcopy(game.record())
    other = copy.deepcopy(game)
    assert other.record() == before
    other.setup["markers"].clear()
    other.estimates[0]["values"].clear()
    other.luck["draws"].append({"after": 1})  # type: ignore[index]
    assert game.record() == before


@pytest.mark.parametrize("decisions", [-1, 4, None, 1.5, True], ids=repr)
def test_a_game_is_rewound_to_a_decision_that_it_had(decisions: object) -> None:
    game = played(Ruleset(3), decisions=3)
    with pytest.raises(ValueError, match=r"decisions is .*; expected a whole number from 0 to 3"):
        game.rewound(decisions)  # type: ignore[arg-type]
    assert game.rewound(3).position() == game.position()


def test_a_shallow_copy_is_a_game_of_its_own() -> None:
    game = played(Ruleset(3), decisions=3)
    before, other = game.state.tobytes(), copy.copy(game)
    other.play(other.legal()[0])
    assert game.state.tobytes() == before and len(game.decisions) == 3
