"""Each invariant refuses what breaks it, in these words."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Callable

import pytest

from hansa_env.formats import PositionError, RecordError, read_position_data
from hansa_env.formats.invariants import FORM, HISTORY, RULES
from tests.formats import broken_promos
from tests.formats.broken import CASES, UNASKED
from tests.formats.broken_shapes import SHAPES, SHAPES_OF_BRITANNIA, SHAPES_OF_EAST, SHAPES_OF_FAVOURS
from tests.formats.samples import sample


@pytest.mark.parametrize(("invariant", "kind", "question", "change", "message"), CASES)
def test_it_is_refused(invariant: str, kind: str, question: str, change: Callable, message: str) -> None:
    position = sample(kind, question)
    change(position)
    with pytest.raises(PositionError) as caught:
        read_position_data(position)
    assert any(re.search(message, problem) for problem in caught.value.problems), caught.value.problems
    assert len(str(caught.value)) < 400 and "\n" not in str(caught.value)


@pytest.mark.parametrize(("kind", "question", "change", "message"), UNASKED)
def test_a_question_that_the_rules_would_not_ask_is_refused(kind: str, question: str, change: Callable, message: str) -> None:
    """The engine says so, since no invariant is broken."""
    position = sample(kind, question)
    if question != "act":
        del position["legal"]
    change(position)
    with pytest.raises(PositionError) as caught:
        read_position_data(position, composed=True)
    assert str(caught.value).startswith(message)


def test_every_invariant_has_a_case() -> None:
    assert {case[0] for case in CASES} == {invariant.__name__ for invariant in FORM + RULES + HISTORY}


@pytest.mark.parametrize("invariant", [invariant.__name__ for invariant in HISTORY])
def test_a_composed_position_needs_no_history(invariant: str) -> None:
    """What only history refuses, `composed` lets through."""
    refused = {problem for case in CASES if case[0] == invariant for problem in problems_of(case, composed=False)}
    composed = {problem for case in CASES if case[0] == invariant for problem in problems_of(case, composed=True)}
    told = [case[4] for case in CASES if case[0] == invariant]
    assert refused > composed
    assert not any(re.search(message, problem) for message in told for problem in composed)


def problems_of(case: tuple, composed: bool) -> tuple[str, ...]:
    position = sample(case[1], case[2])
    case[3](position)
    try:
        read_position_data(position, composed=composed)
    except PositionError as error:
        return error.problems
    return ()


SHAPES_BY_KIND = {
    "four": SHAPES, "east": SHAPES_OF_EAST, "favours": SHAPES_OF_FAVOURS, "britannia": SHAPES_OF_BRITANNIA,
    "promos": broken_promos.SHAPES,
}  # fmt: skip
BY_KIND = [(kind, *case) for kind, cases in SHAPES_BY_KIND.items() for case in cases]


@pytest.mark.parametrize(("kind", "change", "message"), BY_KIND, ids=[f"{case[0]}: {case[2]}" for case in BY_KIND])
def test_its_shape_is_refused(kind: str, change: Callable, message: str) -> None:
    position = sample(kind, "act")
    change(position)
    with pytest.raises(PositionError) as caught:
        read_position_data(position)
    assert str(caught.value) == message


def test_two_players_name_their_variant() -> None:
    with pytest.raises(PositionError, match=r'^two_players: null; expected "pawn" or "neutral" with 2 players$'):
        read_position_data(sample("neutral", "act") | {"two_players": None})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the position is no JSON: it is empty"),
        ('{"format": "hansa', "the position is no JSON: Unterminated string starting at line 1 column 12"),
        ("[]", "a position is an object, not a list of 0"),
        ("[" * 100_000, "the position is no JSON of this form: lists within lists too deep"),
        ("9" * 10_000, "the position is no JSON of this form: a number is too long"),
        ('{"turn": 0, "turn": 1}', "field turn is given twice"),
        ('{"format": "' + "x" * 10_000_000 + '"}',
         'format: "' + "x" * 30 + '"... (10,000,000 characters); expected hansa-position/2'),
    ],
    ids=range(7),
)  # fmt: skip
def test_broken_text_is_refused(text: str, message: str) -> None:
    with pytest.raises(PositionError) as caught:
        read_position_data(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "crowd",
    [{str(number): None for number in range(20_001)}, {"0": [None] * 20_001}, {str(n): [["x"] * 10] * 10 for n in range(200)}],
    ids=["fields", "entries", "both"],
)
def test_what_no_position_can_have_is_refused_before_it_is_looked_at(crowd: dict) -> None:
    """An error for each value would take minutes and gigabytes."""
    with pytest.raises(PositionError) as caught:
        read_position_data(sample("four", "act") | {"offices": crowd})
    assert str(caught.value) == "data: more than 20,000 values; expected no more than one game has"


def test_all_problems_are_in_one_error() -> None:
    position = sample("four", "act")
    position.update(pile=-1, turn=9, completed="2")
    position["supply"][0] = [28, 5]
    with pytest.raises(PositionError) as caught:
        read_position_data(position)
    assert len(caught.value.problems) == 5
    assert str(caught.value) == "; ".join(caught.value.problems)
    position["posts"] = {str(number): None for number in range(80)}
    with pytest.raises(PositionError) as caught:
        read_position_data(json.dumps(position))
    assert len(caught.value.problems) == 85
    assert re.search(r"; and \d+ more$", str(caught.value)) and len(str(caught.value)) < 400


def test_the_errors_are_values_and_travel_between_processes() -> None:
    for kind in (PositionError, RecordError):
        error = pickle.loads(pickle.dumps(kind("pile: 99; expected 0 to 13", "turn: 9; expected 0 to 3")))
        assert isinstance(error, ValueError) and type(error) is kind
        assert str(error) == "pile: 99; expected 0 to 13; turn: 9; expected 0 to 3"


def test_which_token_is_laid_is_said_with_favours_only() -> None:
    position = sample("promos", "token")
    position["action"]["laying"] = "block"
    with pytest.raises(PositionError) as caught:
        read_position_data(position)
    assert str(caught.value) == "action field laying is unknown without favours; remove it"
    both = sample("both", "token")
    del both["action"]["laying"]  # as an older version wrote it, where the used ones tell
    assert read_position_data(both)[1].asked == "token"
