"""Records: read as written, refused in one line where they are not of their form."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from random import Random

import pytest
from typer.testing import CliRunner

from hansa_env import Game, Ruleset
from hansa_env.commands.cli import app
from hansa_env.formats import RecordError, read_record_data
from hansa_env.formats.errors import printable
from hansa_env.formats.file_reading import LARGEST_RECORD
from hansa_env.formats.schema import MOST_DECISIONS
from hansa_env.formats.write import record_text
from hansa_env.play.estimates import KEPT
from hansa_env.table.store import MOST_EVENTS
from tests.compare import all_rulesets
from tests.formats import mutate
from tests.formats.samples import played
from tests.helpers import ruleset_id


@cache
def text(finished: bool = True) -> str:
    """A record of four players as JSON text."""
    seeds = (game for seed in range(20) for game, _ in played(Ruleset(4), seed, "eager", 1500 if finished else 30))
    game = next(game for game in seeds if (game.reason is not None if finished else len(game.decisions) == 30))
    game.agents = ["eager"] * 4
    return json.dumps(game.record())


@pytest.mark.parametrize("ruleset", all_rulesets(), ids=ruleset_id)
def test_a_record_is_let_through(ruleset: Ruleset) -> None:
    game = Game(ruleset, seed=5)
    record = json.loads(json.dumps(game.record()))
    found, model = read_record_data(record)
    assert found == ruleset
    assert model.model_dump(mode="json", exclude_unset=True) == record


@pytest.mark.parametrize("finished", [True, False])
def test_nothing_is_lost(finished: bool) -> None:
    for given in (text(finished), json.loads(text(finished))):
        model = read_record_data(given)[1]
        assert model.model_dump(mode="json", exclude_unset=True) == json.loads(text(finished))
        assert (model.result.reason is not None) == finished


def test_seed_and_agents_may_be_left_out() -> None:
    record = json.loads(text())
    del record["seed"], record["agents"]
    model = read_record_data(record)[1]
    assert model.seed is None and model.agents is None


def estimated(record: dict, **changes: object) -> list:
    """Estimates for a record, of which the one of decision 7 is changed."""
    estimates: list = [None] * len(record["decisions"])
    estimates[7] = {"likeliest": [[record["decisions"][7][1], 0.75, 0.5]], "value": 0.5} | changes
    return estimates


def test_a_record_may_carry_estimates_of_legal_decisions() -> None:
    record = json.loads(text())
    record["estimates"] = estimated(record)
    assert read_record_data(record)[1].model_dump(mode="json", exclude_unset=True) == record
    assert Game.from_record(record).record() == record
    record["estimates"] = estimated(record, seats=[0.5, 0.25, 0.25, 0.0])
    assert Game.from_record(record).record() == record
    assert "estimates" not in Game.from_record(json.loads(text()) | {"estimates": None}).record()
    record["estimates"][7]["likeliest"][0][0] = "city nowhere"
    with pytest.raises(RecordError, match=r"^estimate of decision 7 of \d+: \"city nowhere\" is not legal at the question"):
        Game.from_record(record)


#: Change of a finished record of four players, and what is said.
CASES: list[tuple[Callable[[dict], object], str]] = [
    (lambda r: r.update(setup=None), "setup: null; expected an object"),
    (lambda r: r.update(format="hansa-record/2"), 'format: "hansa-record/2"; expected hansa-record/1'),
    (lambda r: r.update(format="hansa-position/1"), 'format: "hansa-position/1"; expected hansa-record/1'),
    (lambda r: r.update(decisions=5), r"decisions: 5; expected a list of 0 to 100000"),
    (lambda r: r.update(players=9), "players: 9; expected 2 to 5"),
    (lambda r: r.update(players=2.0), "players: 2.0; expected a whole number from 2 to 5"),
    (lambda r: r.update(two_players="pawn"), "two_players is 'pawn' with 4 players; expected None"),
    (lambda r: r.update(seed=-1), "seed: -1; expected 0 to 18446744073709551615 or null"),
    (lambda r: r.update(agents=["a"]), "agents: a list of 1; expected a list of 2 to 5 or null"),
    (lambda r: r["agents"].pop(), "agents: 3 seats; expected 4"),
    (lambda r: r.pop("decisions"), "field decisions is missing"),
    (lambda r: r.update(note="x"), "field note is unknown; remove it"),
    (lambda r: r["decisions"].__setitem__(7, "done"), 'decision 7: "done"; expected a list of 2'),
    (lambda r: r["decisions"].__setitem__(7, [0]), "decision 7: too short; expected a list of 2"),
    (lambda r: r["decisions"].__setitem__(7, [0, 5]), "decision 7: 5; expected a text"),
    (lambda r: r["decisions"].__setitem__(7, ["0", "done"]), 'decision 7: "0"; expected a whole number from 0 to 4'),
    (lambda r: r["decisions"].__setitem__(7, [4, "done"]), "decision 7: seat 4; expected 0 to 3"),
    (lambda r: r["decisions"].__setitem__(7, [0, "x" * 10_000_000]),
     r'decision 7: "x{30}"... \(10,000,000 characters\); expected a text of 1 to 80 characters'),
    (lambda r: r["setup"].pop("pile"), "setup field pile is missing"),
    (lambda r: r["setup"]["pile"].pop(), r"setup pile: \d [a-z3+4-]+; expected \d in the edition fourth \(R1.6\)"),
    (lambda r: r["setup"]["markers"].popitem(), r"setup markers: [a-z/]+ missing; expected every tavern route of the board"),
    (lambda r: r["setup"]["markers"].update({"bremen/osnabruck": "+3"}),
     r"setup markers: .*\+3.*; expected one each of remove-three"),
    (lambda r: r["setup"].update(markers={"a": "+3", "b": "+3", "c": "+3"}),
     "setup markers: a, b, c unknown; expected a tavern route"),
    (lambda r: r.update(result=[]), "result: a list of 0; expected an object"),
    (lambda r: r["result"].update(reason="boredom"),
     "result reason: \"boredom\"; expected one of prestige, markers, cities, stalled or"),
    (lambda r: r["result"].update(scores=None),
     "result: only reason and winners given; expected reason, scores and winners, or"),
    (lambda r: r["result"].update(winners=[0, 0]), r"result winners: \[0, 0\]; expected different seats below 4, in order"),
    (lambda r: r["result"].update(winners=[4]), r"result winners: \[4\]; expected different seats below 4, in order"),
    (lambda r: r["result"]["scores"].pop(), "result scores: 3 seats; expected 4"),
    (lambda r: r["result"]["scores"][2].pop(), "result scores: a list of 6; expected a list of 7"),
    (lambda r: r["result"]["scores"][2].__setitem__(6, 999), r"result scores of seat 2: total 999; expected \d+, the sum"),
    (lambda r: r.update(estimates=estimated(r)[1:]), r"estimates: \d+; expected \d+, one for each decision, null where none"),
    (lambda r: r.update(estimates={}), "estimates: an object of 0 fields; expected a list of 0 to 100000 or null"),
    (lambda r: r.update(estimates=estimated(r, value=1.5)), "estimate of decision 7 value: 1.5; expected 0 to 1 or null"),
    (lambda r: r.update(estimates=estimated(r, value="1")),
     'estimate of decision 7 value: "1"; expected a number from 0 to 1 or null'),
    (lambda r: r.update(estimates=estimated(r, by="x")), "estimate of decision 7 field by is unknown; remove it"),
    (lambda r: r.update(estimates=estimated(r, likeliest=[])), "estimate of decision 7 likeliest: a list of 0; expected"),
    (lambda r: r.update(estimates=estimated(r, likeliest=[["done", 0.5]])), "estimate of decision 7 likeliest: too short"),
    (lambda r: r.update(estimates=estimated(r, likeliest=[["done", 1, 0.5]] * 2)),
     'estimate of decision 7: "done" is given twice'),
    (lambda r: r.update(estimates=estimated(r, likeliest=[["done", 0.2, None], ["move", 0.3, None]])),
     "estimate of decision 7: shares 0.2, 0.3; expected the largest first"),
    (lambda r: r.update(estimates=estimated(r, likeliest=[["done", 0.6, None], ["move", 0.5, None]])),
     "estimate of decision 7: shares sum to 1.1; expected at most 1"),
    (lambda r: r.update(estimates=estimated(r, seats=[0.5, 0.5])), "estimate of decision 7 seats: 2 seats; expected 4"),
    (lambda r: r.update(estimates=estimated(r, seats=[0.5] * 4)), "estimate of decision 7: seats sum to 2; expected 1"),
    (lambda r: r.update(estimates=estimated(r, seats=[2, -1, 0, 0])), "estimate of decision 7 seats: 2; expected 0 to 1"),
    (lambda r: r.update(estimates=estimated(r, likeliest=[["done"] * 500] * 500)),
     "estimates: more than 20,000 values in entry 7; expected what one decision has"),
    (lambda r: r.update(decisions={str(number): 0 for number in range(20_000)}), "data: more than 20,000 values; expected no"),
    (lambda r: r.update({str(number): 0 for number in range(20_000)}), "data: more than 20,000 values; expected no more than"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "message"), CASES, ids=range(len(CASES)))
def test_a_broken_record_is_refused(change: Callable, message: str) -> None:
    record = json.loads(text())
    change(record)
    with pytest.raises(RecordError) as caught:
        read_record_data(record)
    assert any(re.fullmatch(f"{message}.*", problem) for problem in caught.value.problems), caught.value.problems
    assert len(str(caught.value)) < 400 and str(caught.value).isprintable()


def test_nine_columns_beyond_the_base_game_and_seven_in_it() -> None:
    east = next(game for game, _ in played(Ruleset(3, board="east"), 1, "eager", 1500) if game.over)
    record = json.loads(json.dumps(east.record()))
    assert {len(row) for row in record["result"]["scores"]} == {9}
    assert read_record_data(record)[1].model_dump(mode="json", exclude_unset=True) == record
    assert Game.from_record(record).record() == record
    del record["result"]["scores"][1][6:8]
    with pytest.raises(RecordError, match=r"^result scores of seat 1: 7 columns; expected 9, .*, regions, mission, total$"):
        read_record_data(record)
    record = json.loads(text())
    record["result"]["scores"][2][6:6] = [0, 0]
    with pytest.raises(RecordError, match=r"^result scores of seat 2: 9 columns; expected 7, track, .*, network, total$"):
        read_record_data(record)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda s: s["missions"].pop(), "^setup missions: 2 seats; expected 3$"),
        (lambda s: s["missions"].__setitem__(0, s["missions"][1]), "^setup missions: a card is given twice; expected"),
        (lambda s: s["favours"].pop(), r"^setup favours: .*, .*; expected 3 different tiles \(R12.1\)$"),
    ],
)
def test_cards_and_tiles_of_a_setup(change: Callable, message: str) -> None:
    record = Game(Ruleset(3, missions=True, favours=True), seed=1).record()
    change(record["setup"])
    with pytest.raises(RecordError, match=message):
        read_record_data(record)


def test_no_record_at_all() -> None:
    with pytest.raises(RecordError, match=r"^a record is an object, not a list of 0$"):
        read_record_data([])
    with pytest.raises(RecordError, match=r"^the record is no JSON: "):
        read_record_data("once upon a time")


@pytest.mark.parametrize("sign", ["\n", "\u2028", "\u2029", "\u202a", "\u202e", "\u2066", "\u2069"])
def test_a_name_that_would_not_be_shown_as_it_is_is_refused(sign: str) -> None:
    record = json.loads(text())
    record["agents"][0] = f"a{sign}b"
    with pytest.raises(RecordError, match=r"^agents\[?.*without control characters"):
        read_record_data(record)
    assert printable(f"a{sign}b") == "a?b"


def test_any_value_made_another() -> None:
    """What is let through says what was given, and could be another record: other decisions, names, seed, limit or result."""
    record = json.loads(text())
    record["decisions"] = record["decisions"][:5]
    tried = 0
    for path, _ in mutate.mutations(record):
        tried += 1
        try:
            model = read_record_data(record)[1]
        except RecordError as error:
            assert 0 < len(str(error)) < 400 and str(error).isprintable() and str(error).isascii()
        else:
            free = ("decisions", "agents", "seed", "max_turns")
            assert path[0] in free or path[:2] in (("result", "winners"), ("result", "reason")), path
            assert model.model_dump(mode="json", exclude_unset=True) == record
    assert tried > 2_000


def test_a_hundred_thousand_broken_decisions_are_one_short_error() -> None:
    record = json.loads(text()) | {"decisions": [[9, 9]] * 100_000}
    with pytest.raises(RecordError, match=r"^decision 0: 9; expected 0 to 4"):
        read_record_data(record)


def test_a_field_given_twice_is_refused_wherever_records_are_read(tmp_path) -> None:
    """By `hansa play`, `replay`, `picture`, `view` and `dataset`, and as text."""
    whole = text()
    for wrong in (whole.replace("{", '{"seed": 1, ', 1), whole.replace('"reason":', '"reason": null, "reason":', 1)):
        with pytest.raises(RecordError, match=r"field (seed|reason) is given twice"):
            Game.from_record(wrong)
        file = tmp_path / "game.json"
        file.write_text(wrong)
        for words in (["play", "--resume"], ["replay"], ["picture"], ["view"], ["dataset"]):
            run = CliRunner().invoke(app, [*words, str(file)])
            assert run.exit_code == 2 and re.search("field (seed|reason) is given twice", run.output), (words, run.output)


@pytest.mark.parametrize("ruleset", [Ruleset(2), Ruleset(5), Ruleset(5, board="east")], ids=ruleset_id)
def test_a_file_has_room_for_the_longest_record_with_estimates(ruleset: Ruleset) -> None:
    """Of which all decisions are as long as those of a usual game, and every one of them is judged."""
    game, random = Game(ruleset, 1), Random(1)
    for number in range(400):
        legal = game.legal()
        shares = [[one, 0.123, 0.456] for one in legal[:KEPT]]
        game.estimates[number] = {"likeliest": shares, "value": 0.123, "seats": [0.123] * ruleset.players}
        game.play(random.choice(legal))
    assert len(record_text(game.record()).encode()) / 400 * MOST_DECISIONS < LARGEST_RECORD


def test_more_decisions_than_any_game_has_are_refused_unread() -> None:
    """A legal record of a million of them took two gigabytes and a minute and a half."""
    record = Game(Ruleset(3), 1).record()
    record["decisions"] = [[0, "done"]] * (MOST_DECISIONS + 1)
    with pytest.raises(RecordError, match=r"decisions: a list of .*; expected a list of 0 to 100000"):
        read_record_data(record)
    assert MOST_DECISIONS == MOST_EVENTS, "who plays on at the table opens any record"


def test_a_record_larger_than_any_is_not_read(tmp_path, monkeypatch) -> None:
    for name in ("commands.records", "commands.view"):
        monkeypatch.setattr(f"hansa_env.{name}.LARGEST_RECORD", 1000)
    file = tmp_path / "game.json"
    file.write_text(text())
    for words in (["play", "--resume"], ["replay"], ["picture"], ["view"], ["dataset"]):
        run = CliRunner().invoke(app, [*words, str(file)])
        assert run.exit_code == 2 and "game.json: is larger than 1,000 bytes" in run.output, (words, run.output)
