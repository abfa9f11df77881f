"""Changed positions: let through only what is whole and can be played on, else one error, never another exception."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansa_env import Game
from hansa_env.formats import PositionError, PositionModel, RecordError, read_position_data, read_record_data
from tests.formats import mutate
from tests.formats.samples import KINDS, QUESTIONS, sample
from tests.shares import one_in

#: Fields that an impossible position cannot hide in: they are tied to the rest, whatever they are changed to.
TIED = {
    "format", "players", "board", "two_players", "asked", "turn", "abilities", "supply", "stock", "plate", "pile",
    "completed", "hand", "reason",
}  # fmt: skip
#: What a position says of the question; the rest is alike in those at other questions of the same kind of game.
OF_THE_QUESTION = {"format", "asked", "seat", "turn", "actions_left", "acted", "action", "hand", "reason"}
EVERY_POSITION = [(kind, question) for kind in KINDS for question in sorted(QUESTIONS[kind])]


def judged(data: object) -> PositionModel | None:
    """The position that is let through, or None; an error must be of one class, one line, short and printable."""
    try:
        return read_position_data(data)[1]
    except PositionError as error:
        message = str(error)
        assert 0 < len(message) < 400 and message.isprintable() and message.isascii(), message
        return None


def play_on(data: dict, seed: int) -> None:
    """The engine goes on from what was let through, to positions that are let through. It refuses those whose question it
    would not ask, since nothing is left to choose there."""
    try:
        game = Game.from_position(data)
    except PositionError as error:
        assert "; by the rules the position asks " in str(error)
        return
    choose = random.Random(seed)
    for _ in range(25):
        if game.over:
            return
        assert judged(game.position()), game.position()
        game.play(choose.choice(game.legal()))


@pytest.mark.parametrize(("kind", "question"), one_in(6, EVERY_POSITION))
def test_any_value_made_another(kind: str, question: str) -> None:
    """Every value of one position in turn: what belongs to the question made each strange value, the rest one in three of them,
    as other positions have it too; of posts and offices, which are many and alike, one in thirty."""
    data = sample(kind, question)
    data.pop("legal")
    choose = random.Random(f"{kind} {question}")
    tied = TIED - ({"asked"} if question == "marker" else set())  # the same turn might have gone on
    taken, tried = 0, 0
    for path, value in mutate.mutations(data):
        if path[0] not in OF_THE_QUESTION and choose.random() > (0.03 if path[0] in ("posts", "offices") else 0.33):
            continue
        tried += 1
        model = judged(data)
        if model is None:
            continue
        taken += 1
        assert path[0] not in tied, f"{path} = {value!r} was let through"
        assert model.model_dump(mode="json", exclude_unset=True) == data
        if question == "act":
            play_on(data, tried)
    assert tried > 800
    assert taken < 0.03 * tried


@settings(max_examples=200)
@given(st.sampled_from(EVERY_POSITION), st.integers(0, 2**32))
def test_values_moved_doubled_and_dropped(which: tuple[str, str], seed: int) -> None:
    """One to three changes to the structure, ten times over."""
    choose = random.Random(seed)
    for _ in range(10):
        data = sample(*which)
        data.pop("legal")
        for _ in range(choose.randint(1, 3)):
            choose.choice(mutate.CHANGES)(data, choose)
        model = judged(data)
        if model is not None:
            assert model.model_dump(mode="json", exclude_unset=True) == json.loads(json.dumps(data))
            if model.asked == "act":
                play_on(data, seed)


@settings(max_examples=300)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
        max_leaves=20,
    )
)
def test_any_json_is_judged(data: object) -> None:
    assert judged(data if not isinstance(data, dict) else {"format": "hansa-position/2"} | data) is None
    try:
        read_record_data(data)
    except RecordError as error:
        assert str(error).isprintable() and len(str(error)) < 400
    else:
        raise AssertionError(f"{data} is no record")
