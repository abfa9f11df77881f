"""Game records from elsewhere: what no game comes to is refused before the compiled rules see it.

`NUMBA_BOUNDSCHECK=1 python -m tests.formats.test_check_game` changes bytes of records of every ruleset, and plays on those that
are let through.
"""

from __future__ import annotations

import argparse
import sys
from functools import cache

import numpy as np
import pytest

from hansa_env import PositionError, Ruleset
from hansa_env.engine import state
from hansa_env.formats.check_game import check_game
from tests.helpers import RULESETS, ruleset_id
from tests.rulesets import MixedPlay, every_ruleset

EVERYTHING = Ruleset(4, "bigbox", missions=True, favours=True, pile="promos")


def positions(ruleset: Ruleset, decisions: int, stride: int = 40, games: int = 4) -> np.ndarray:
    """Records from the middle of games."""
    return _positions(ruleset, decisions, stride, games).copy()


@cache
def _positions(ruleset: Ruleset, decisions: int, stride: int, games: int) -> np.ndarray:
    play, found = MixedPlay(ruleset, 3, games), []
    for number in range(decisions):
        play.step()
        if number % stride == stride - 1:
            found.append(play.batch.games.copy())
    return np.concatenate(found)


def accepted(ruleset: Ruleset, game: np.void) -> bool:
    try:
        check_game(ruleset, game)
    except PositionError:
        return False
    return True


@pytest.mark.parametrize(("field", "place", "value"), [
    ("asked", (), 90), ("asked", (), -1), ("seat", (), 5), ("seat", (), -2), ("turn", (), 7), ("reason", (), 90),
    ("legal", 3, -1), ("legal", 0, 0), ("free", (), -1), ("held", (0, 1), -1), ("whole", 2, 1 << 60), ("presence", 4, 1),
    ("hand", 0, 100), ("lifted", 1, 127), ("victim_owner", (), 9), ("partner", (), 6), ("remaining", (), 99), ("route", (), 44),
    ("city", (), 29), ("abilities", (0, 0), 9), ("abilities", (1, 3), -1), ("supply", (0, 0), 60), ("stock", (4, 0), 1),
    ("prestige", 3, -128), ("controlled", 0, 30), ("network", 1, 30), ("linked", 2, 4), ("markers", (0, 9), 5),
    ("used", (4, 0), 1), ("vacant", 44, 3), ("vacant", 3, -1), ("route_marker", 39, 2), ("pieces", (4, 1, 44), 1),
    ("offices", 91, 3), ("offices", 5, 127), ("filled", 2, 100), ("controller", 0, 6), ("extra_city", 0, 120),
    ("extra_piece", 7, 3), ("prestige_spaces", 3, 9), ("completed", (), 11), ("drawn", (), 24), ("drawn", (), -1),
    ("token_route", 3, 100), ("token", 0, 90), ("plate", 1, 16), ("favours", 0, 99), ("permissions", (), 3),
    ("foreign", (1, 1), 4), ("lifted_from", 2, 1), ("padding", 17, 1), ("padding_behind", 0, 1), ("turns", (), -1),
    ("missions", 0, 120), ("missions", 1, -2), ("missions", 4, 3), ("pile", 20, 60), ("pile", 15, -1), ("pile", 0, -2),
    ("plate_of", 15, 0), ("plate_of", 0, 77),
])  # fmt: skip
def test_a_value_that_no_game_has_is_refused(field: str, place: int | tuple, value: int) -> None:
    for game in positions(EVERYTHING, 120):
        assert accepted(EVERYTHING, game)
        if game[field][place] == value:
            continue
        if place == ():
            game[field] = value
        else:
            game[field][place] = value
        assert not accepted(EVERYTHING, game)


def test_every_field_of_a_record_is_looked_at() -> None:
    """Random bytes in any of them but the numbers that nothing is looked up by; any number of turns may lie behind a game."""
    games, rng = positions(EVERYTHING, 120), np.random.default_rng(0)
    for name in [name for name in state.GAME.names or () if name != "turns"]:
        changed = games.copy()
        noise = np.frombuffer(rng.bytes(changed[name].nbytes), np.uint8)
        changed[name] = noise.view(changed[name].dtype).reshape(changed[name].shape)
        differ = [game for game, before in zip(changed, games) if game.tobytes() != before.tobytes()]
        refused = [not accepted(EVERYTHING, game) for game in differ]
        assert len(refused) > 6 and (not any(refused) if name in ("seed", "noise", "turn_limit") else all(refused)), name


def test_a_seat_has_a_mission_of_its_own() -> None:
    game = positions(EVERYTHING, 40)[0]
    game["missions"][0] = game["missions"][1]
    assert not accepted(EVERYTHING, game)


def test_a_marker_is_in_the_pile_no_more_often_than_the_game_has_it() -> None:
    game = positions(EVERYTHING, 40)[0]
    game["pile"][game["pile"] >= 0] = state.TRIBUTE
    assert not accepted(EVERYTHING, game)


def test_plates_hold_the_markers_that_wait_on_them() -> None:
    """Who lays a marker looks for the first that waits for that seat, until there is one."""
    waiting = [game for game in positions(EVERYTHING, 400, 1) if game["plate"].any()]
    assert len(waiting) > 3
    for game in waiting:
        at = np.flatnonzero(game["plate_of"] >= 0)[0]
        game["plate_of"][at] = (game["plate_of"][at] + 1) % EVERYTHING.players
        assert not accepted(EVERYTHING, game)


def changed_and_played_on(ruleset: Ruleset, seed: int, changes: int) -> tuple[int, int]:
    """Records of games under way with one to three bytes changed, so often each: those that pass are played on, to positions
    that pass as well. Returns how many were tried, and how many passed."""
    rng, games, let_through = np.random.default_rng(seed), positions(ruleset, 160), []
    for _ in range(changes):
        changed = games.copy()
        raw = changed.view(np.uint8).reshape(len(changed), -1)
        for _ in range(rng.integers(1, 4)):
            places = rng.integers(raw.shape[1], size=len(raw))
            raw[np.arange(len(raw)), places] = rng.integers(256, size=len(raw))
        let_through += [game for game in changed if accepted(ruleset, game)]
    if let_through:
        play = MixedPlay(ruleset, 5, len(let_through))
        play.batch.put(np.arange(len(let_through)), np.array(let_through, state.GAME))
        for _ in range(30):
            play.step()
        assert all(accepted(ruleset, game) for game in play.batch.games)
    return changes * len(games), len(let_through)


@pytest.mark.parametrize("ruleset", RULESETS, ids=ruleset_id)
def test_whatever_is_let_through_is_a_game(ruleset: Ruleset) -> None:
    tried, passed = changed_and_played_on(ruleset, 1, 25)
    assert 0 < passed < 0.6 * tried


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--changes", type=int, default=20, help="of each of the sixteen records of a ruleset")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    counts, rulesets = np.zeros(2, np.int64), every_ruleset()
    for number, ruleset in enumerate(rulesets, 1):
        counts += changed_and_played_on(ruleset, arguments.seed * 1000 + number, arguments.changes)
        print(f"{number} of {len(rulesets)} rulesets", file=sys.stderr, flush=True)
    print(f"{counts[0]:,} changed records of {len(rulesets)} rulesets; {counts[1]:,} let through, all played on")


if __name__ == "__main__":
    main()
