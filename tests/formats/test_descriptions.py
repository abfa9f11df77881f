"""The rows of questions: one for each of the engine's, and agreeing where they share a name."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hansa_env import Ruleset
from hansa_env.engine.action_space import segments
from hansa_env.engine.questions import QUESTIONS
from hansa_env.formats.action_fields import ACTION_FIELDS
from hansa_env.formats.description import Description
from hansa_env.formats.descriptions import DESCRIPTIONS
from hansa_env.formats.find_question import NAMES, row_within, rows_named
from hansa_env.formats.notation import texts_of
from hansa_env.formats.schema import ActionModel

#: Between them, every kind of thing.
RULESETS = (
    Ruleset(2, "first", favours=True, pile="promos"),
    Ruleset(2, "second"),
    Ruleset(5, "bigbox", board="east", pile="promos"),
)


def test_every_question_has_one_row() -> None:
    assert sorted(row.number for row in DESCRIPTIONS) == [question.number for question in QUESTIONS]


@pytest.mark.parametrize("row", DESCRIPTIONS, ids=lambda row: f"{row.name} of {row.verb}")
def test_phrases_and_elements_are_of_answers_that_there_are(row: Description) -> None:
    """Their first words are those of the notation."""
    known = {text.split(" ")[0] for ruleset in RULESETS for text in texts_of(ruleset, row.number, 0)}
    told = (row.phrases, row.things, row.orders, row.clicks, row.unlisted, row.costs, row.trails)
    assert {word for words in told for word in words} <= known | {""}, row.number
    assert row.phrases, "an answer without a phrase is shown as it is written"
    kinds = {segment.name for segment in segments(RULESETS[0])}
    assert set(row.words) <= kinds


@pytest.mark.parametrize("row", DESCRIPTIONS, ids=lambda row: f"{row.name} of {row.verb}")
def test_the_fields_of_an_action_are_those_that_there_are(row: Description) -> None:
    assert set(row.context) <= {field.name for field in ACTION_FIELDS}
    assert not row.context or row.verb is not None


def test_the_fields_of_an_action_are_those_of_the_schema() -> None:
    assert {"verb", *(field.name for field in ACTION_FIELDS)} == set(ActionModel.model_fields)


@pytest.mark.parametrize(
    "told", [lambda row: row.goes_on, lambda row: row.staged, lambda row: row.ends, lambda row: row.asked_of],
    ids=["goes_on", "staged", "ends", "asked_of"],
)  # fmt: skip
def test_questions_of_one_name_agree(told: Callable[[Description], object]) -> None:
    """A decision is told by the name of its question alone."""
    for name in NAMES:
        assert len({told(row) for row in rows_named(name)}) <= 1, name


def test_phrases_of_one_name_agree() -> None:
    for name in NAMES:
        phrases: dict[str, str] = {}
        for row in rows_named(name):
            assert all(phrases.setdefault(word, phrase) == phrase for word, phrase in row.phrases.items()), name


def test_what_a_question_and_an_action_share_is_the_same_but_for_the_last_resort() -> None:
    for row in DESCRIPTIONS:
        first = row_within(row.name, row.verb)
        assert first is not None and (first.context, first.hand, first.marker) == (row.context, row.hand, row.marker)
        assert (first is row) != row.last_resort


def test_a_question_that_not_every_game_asks_says_what_others_are_without() -> None:
    four = Ruleset(4)
    for row in DESCRIPTIONS:
        assert row.asked_in(four) or row.without, row.name
