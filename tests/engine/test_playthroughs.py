"""Recorded games are played again, and compared line by line: questions, legal lists, positions, scores, endings."""

import pytest

from hansa_env import IllegalAction, Ruleset
from hansa_env.engine.questions import QUESTIONS
from tests.helpers import RULESETS, ruleset_id
from tests.playthroughs import ARROW, FOLDER, file_of, lines_of, read

AGAIN = "if that is meant: python -m tests.playthroughs --write"


def first_difference(ruleset: Ruleset, seed: int, decisions: list[str], lines: list[str]) -> str | None:
    """What differs first from the lines of a file, with the number of the line; None if nothing does."""
    played = lines_of(ruleset, seed, decisions)
    for number, line in enumerate(lines, 1):
        where = f"{file_of(ruleset).name}, line {number}"
        try:
            found = next(played, None)
        except IllegalAction as error:
            return f"{where}: {error}; {AGAIN}"
        if found != line:
            return f"{where}:\n  recorded {line}\n  played   {found}\n{AGAIN}"
    return None if next(played, None) is None else f"{file_of(ruleset).name} ends too early"


@pytest.mark.parametrize("ruleset", RULESETS, ids=ruleset_id)
def test_a_recorded_game_is_played_as_it_was(ruleset: Ruleset) -> None:
    seed, decisions, lines = read(ruleset)
    assert len(decisions) > 100
    assert (difference := first_difference(ruleset, seed, decisions, lines)) is None, difference


def test_a_difference_is_named_with_its_line() -> None:
    ruleset = RULESETS[3]
    seed, decisions, lines = read(ruleset)
    at = next(number for number, line in enumerate(lines) if line.startswith("40 seat"))
    changed = [*lines[:at], lines[at].replace(" of ", " of 1"), *lines[at + 1 :]]
    assert first_difference(ruleset, seed, decisions, changed).startswith(f"{file_of(ruleset).name}, line {at + 1}:")
    illegal = [*decisions[:40], "place trader atlantis/avalon", *decisions[41:]]
    assert "atlantis/avalon" in first_difference(ruleset, seed, illegal, [*lines[:at], lines[at].rpartition(ARROW)[0]])
    assert "ends too early" in first_difference(ruleset, seed, decisions, lines[:-1])


def test_the_recorded_games_ask_every_question() -> None:
    asked = {line.split()[3] for ruleset in RULESETS for line in read(ruleset)[2] if ARROW in line}
    rare = {"permanent", "send", "trade-in", "spend", "tribute"}  # seldom in hundreds of games; the scenarios ask them
    assert asked | rare == {question.name for question in QUESTIONS}


def test_the_files_stay_small_and_belong_to_a_ruleset() -> None:
    files = list(FOLDER.glob("*.txt"))
    assert {file.name for file in files} == {file_of(ruleset).name for ruleset in RULESETS}
    assert all(file.stat().st_size < 150_000 for file in files)
