"""Every position a game comes to is let through; `python -m tests.formats.test_reachable` plays on."""

from __future__ import annotations

import argparse
import itertools
import json
from collections import Counter

import pytest

from hansa_env import Ruleset
from hansa_env.formats import PositionError, read_position_data
from tests.compare import all_rulesets
from tests.formats.samples import KINDS, QUESTIONS, played, sample
from tests.helpers import ruleset_id
from tests.shares import one_in

MOST = {"eager": 1_500, "greedy": 150, "uniform": 150}
#: In a test run, of the positions at one question, so many are read, and then one of so many; where the game is over, each.
FIRST, STRIDE = 10, 5


def let_through(ruleset: Ruleset, seed: int, way: str, max_turns: int = 100, stride: int = STRIDE) -> Counter:
    """Play a game and read its positions, from the eleventh at a question on one of so many; returns how many there were by
    question."""
    questions: Counter = Counter()
    for game, position in played(ruleset, seed, way, MOST[way], max_turns):
        before = questions[game.asked]
        if before >= FIRST and before % stride and not game.over:
            questions[game.asked] += 1
            continue
        try:
            found, model = read_position_data(position)
        except PositionError as error:
            raise AssertionError(f"{error.problems} after {game.decisions} at {json.dumps(position)}") from error
        assert found == ruleset and model.asked == game.asked
        questions[game.asked] += 1
    return questions


@pytest.mark.parametrize("ruleset", one_in(8, all_rulesets()), ids=ruleset_id)
def test_played_positions_are_let_through(ruleset: Ruleset) -> None:
    questions = sum((let_through(ruleset, 0, way) for way in MOST), Counter())
    assert questions["over"] and questions["relocate"] and questions["lift"] and questions["reward"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_game_that_is_cut_off_is_let_through(kind: str) -> None:
    assert let_through(KINDS[kind], 1, "eager", max_turns=2)["over"] == 1


@pytest.mark.parametrize(("kind", "question"), [(kind, q) for kind in KINDS for q in sorted(QUESTIONS[kind])])
def test_nothing_is_lost(kind: str, question: str) -> None:
    """Text or object: the model says what the data said."""
    data = sample(kind, question)
    for given in (data, json.dumps(data)):
        ruleset, model = read_position_data(given)
        assert ruleset == KINDS[kind]
        assert model.model_dump(mode="json", exclude_unset=True) == data


def test_legal_may_be_left_out() -> None:
    data = sample("four", "act")
    del data["legal"]
    assert read_position_data(data)[1].legal is None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    questions: Counter = Counter()
    for number, (seed, ruleset, way) in enumerate(itertools.islice(games_in_turn(args.seed), args.games)):
        questions += let_through(ruleset, seed, way, max_turns=3 if number % 10 == 9 else 100, stride=1)
    print(f"{sum(questions.values()):,} positions of {args.games} games let through")
    print(", ".join(f"{question} {count:,}" for question, count in questions.most_common()))


def games_in_turn(first_seed: int):
    """Seed, ruleset and way of playing, over all of them before the next seed."""
    for seed in itertools.count(first_seed):
        for ruleset, way in itertools.product(all_rulesets(), MOST):
            yield seed, ruleset, way


if __name__ == "__main__":
    main()
