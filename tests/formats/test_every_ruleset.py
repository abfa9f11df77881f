"""Positions of random games of every ruleset are read back: the same position, the same bytes.

`make test` reads some of the games of every fifth ruleset, `make test-all` of each. `python -m
tests.formats.test_every_ruleset --games 12 --stride 1` reads every position of as many as one likes.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter

import pytest

from hansa_env import Game, HansaBatch, PositionError, Ruleset
from hansa_env.boards import miniatures
from hansa_env.engine.identity import same_position
from hansa_env.formats.check_game import check_game
from hansa_env.formats.position import position_of
from hansa_env.formats.read_position import read_position
from tests.rulesets import MixedPlay, by_table, every_ruleset
from tests.shares import one_in

#: In a test run: games of a ruleset, decisions of each, and between two positions that are read; the first at each question
#: is read too.
GAMES, DECISIONS, STRIDE = 2, 200, 150
FIFTH = 5
MINIATURES = [Ruleset(int(name.split("-")[1]), board=name) for name in miniatures()]


def read_back(ruleset: Ruleset, seed: int, games: int, decisions: int, stride: int) -> Counter:
    """Play games and read positions back, one of so many of all games in turn; returns how many by question.

    Raises AssertionError naming the ruleset, what is wrong and the position.
    """
    play = MixedPlay(ruleset, seed, games)
    read: Counter = Counter()
    count = seed  # so that rulesets and seeds read other places
    for _ in range(decisions):
        for row in range(games):
            count += 1
            game = play.batch.games[row]
            if count % stride and read[int(game["asked"])]:
                continue
            check(ruleset, play.batch, row)
            read[int(game["asked"])] += 1
        play.step()
    return read


def check(ruleset: Ruleset, batch: HansaBatch, row: int) -> None:
    """The position of a game is let through, and what is read says the same; so is its record."""
    game = batch.games[row]
    position = position_of(ruleset, game)
    try:
        found, read = read_position(json.dumps(position), composed=False)
    except PositionError as error:
        raise AssertionError(f"{ruleset}: {error.problems} of {json.dumps(position)}") from error
    assert position_of(found, read[0]) == position, f"{ruleset}: {json.dumps(position)}"
    assert same_position(batch.games[row : row + 1], read)[0], f"{ruleset}: {json.dumps(position)}"
    check_game(ruleset, game)


def test_these_are_all_rulesets() -> None:
    rulesets = every_ruleset()
    assert len(rulesets) == len(set(rulesets)) == 540
    assert {ruleset.board for ruleset in rulesets} == {"base-2-3", "base-4-5", "east", "britannia-2-3", "britannia-4-5"}
    assert {str(ruleset) for ruleset in rulesets if ruleset.players == 2 and ruleset.base_game} == {
        f"2 players, {edition} edition, board {board}, {variant}"
        for edition in ("first", "second", "fourth")
        for board, variant in (("base-2-3", "pawn"), ("base-2-3", "neutral"), ("base-4-5", "neutral"))
    }


def test_every_fifth_has_every_value_of_each_option() -> None:
    """At every table: they change in turns of two, three and more."""
    some = set(every_ruleset()[::FIFTH])
    for table in by_table().values():
        for option in ("edition", "two_players", "missions", "favours", "promos"):
            values = {getattr(ruleset, option) for ruleset in table}
            assert {getattr(ruleset, option) for ruleset in some.intersection(table)} == values, (table[0], option)


@pytest.mark.parametrize("number", one_in(FIFTH, range(len(every_ruleset()))), ids=lambda number: str(every_ruleset()[number]))
def test_positions_of_every_ruleset_are_read_back(number: int) -> None:
    ruleset = every_ruleset()[number]
    read = read_back(ruleset, number, GAMES, DECISIONS, STRIDE)
    assert len(read) >= 8 and read.total() >= GAMES * DECISIONS // STRIDE, f"{ruleset}: {read}"


@pytest.mark.parametrize("ruleset", MINIATURES, ids=str)
def test_positions_and_records_of_miniatures_are_read_back(ruleset: Ruleset) -> None:
    """They have fewer taverns, and questions that never come."""
    read = read_back(ruleset, 5, GAMES, DECISIONS, STRIDE)
    assert len(read) >= 2 and read.total() >= GAMES * DECISIONS // STRIDE
    game = Game(ruleset, 3)
    for _ in range(20):
        game.play(game.legal()[0])
    assert Game.from_record(game.record()).position() == game.position()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=GAMES, help="of each ruleset")
    parser.add_argument("--decisions", type=int, default=DECISIONS, help="of each game")
    parser.add_argument("--stride", type=int, default=1, help="read one position of so many")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--match", default="", help="only rulesets whose text has this in it, as 'favours, promo'")
    arguments = parser.parse_args()
    rulesets = [ruleset for ruleset in every_ruleset() if arguments.match in str(ruleset)]
    began, count, refused = time.monotonic(), 0, []
    for number, ruleset in enumerate(rulesets, 1):
        try:
            read = read_back(ruleset, arguments.seed * 1000 + number, arguments.games, arguments.decisions, arguments.stride)
            count += read.total()
        except AssertionError as error:
            refused.append(str(ruleset))
            print(error)
        if number % 10 == 0 or number == len(rulesets):
            left = (time.monotonic() - began) / number * (len(rulesets) - number)
            print(f"{number} of {len(rulesets)} rulesets, {count:,} positions, {left:,.0f} s left", file=sys.stderr)
    print(f"{count:,} positions of {len(rulesets)} rulesets read back, {len(refused)} rulesets with one that was not")
    sys.exit(bool(refused))


if __name__ == "__main__":
    main()
