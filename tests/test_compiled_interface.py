"""`hansa_env.compiled` from compiled code of one's own: the same games as `HansaBatch`, and a promise that is kept."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from hansa_env import HansaBatch, Ruleset, compiled

#: What version 1 promises: the arguments of every compiled function. A change of one raises VERSION.
VERSION_1 = {
    "deal": "game tables seed turn_limit", "copy": "games target source", "seed_of": "seed index", "next_seed": "game",
    "reshuffle": "game tables seed", "position_hash": "words i", "deciding_seat": "game", "seat_in_turn": "game",
    "turns": "game", "is_over": "game", "is_cut_off": "game", "num_legal": "game", "nth_legal": "game n",
    "is_legal": "game tables action", "legal_mask": "game tables out", "pick_legal": "game word", "step": "game tables action",
    "scores": "game tables out", "win_share": "game tables scored seat", "rewards": "game tables scored kind out",
    "observe": "game tables seat out", "next_state": "state", "random_word": "state", "below": "word count",
}  # fmt: skip
OF_PYTHON = {"kernel", "new_games", "tables_of", "num_actions", "observation_size", "score_columns", "words_of"}
RULESETS = (Ruleset(3), Ruleset(2, "second"), Ruleset(3, "bigbox", missions=True, favours=True, pile="promos"))
DECISIONS, TURN_LIMIT, SEED = 400, 30, 11


@compiled.kernel
def follow(games, tables, words, ints, masks, views, scored, shares, rewarded, hashes):
    """Play game 0 of seed SEED on, and write down before every decision what each function says."""
    rules, state, game = tables[0], np.uint64(5), games[0]
    compiled.deal(game, rules, compiled.seed_of(SEED, 0), TURN_LIMIT)
    for number in range(len(ints)):
        compiled.copy(games, 1, 0)
        compiled.reshuffle(games[1], rules, state)
        state = compiled.next_state(state)
        row = ints[number]
        row[0], row[1], row[2] = compiled.deciding_seat(game), compiled.seat_in_turn(game), compiled.turns(game)
        row[3], row[4], row[5] = compiled.is_over(game), compiled.is_cut_off(game), compiled.num_legal(game)
        compiled.legal_mask(game, rules, masks[number])
        compiled.observe(games[1], rules, compiled.deciding_seat(game), views[number])
        compiled.scores(game, rules, scored[number])
        for seat in range(scored.shape[1]):
            shares[number, seat] = compiled.win_share(game, rules, scored[number], seat)
        hashes[number, 0], hashes[number, 1] = compiled.position_hash(words, 0), compiled.position_hash(words, 1)
        if compiled.is_over(game):
            for kind in range(3):
                compiled.rewards(game, rules, scored[number], kind, rewarded[kind])
            return number, compiled.next_seed(game)
        row[6] = compiled.pick_legal(game, compiled.random_word(state))
        row[7] = compiled.nth_legal(game, compiled.below(compiled.random_word(state), compiled.num_legal(game)))
        row[8] = compiled.is_legal(game, rules, row[6]) + 2 * compiled.is_legal(game, rules, -1)
        compiled.step(game, rules, row[6])
    return -1, np.uint64(0)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", RULESETS, ids=str)
def test_it_plays_the_games_of_a_batch(ruleset: Ruleset) -> None:
    tables, games = compiled.tables_of(ruleset), compiled.new_games(2)
    players, columns = ruleset.players, len(compiled.score_columns(ruleset))
    ints = np.full((DECISIONS * 4, 9), -5)
    masks = np.zeros((len(ints), compiled.num_actions(ruleset)), np.bool_)
    views = np.zeros((len(ints), compiled.observation_size(ruleset)), np.int8)
    scored, shares = np.zeros((len(ints), players, columns), np.int64), np.zeros((len(ints), players))
    rewarded, hashes = np.zeros((3, players), np.float32), np.zeros((len(ints), 2), np.uint64)
    words = compiled.words_of(games)
    last, next_seed = follow(games, tables, words, ints, masks, views, scored, shares, rewarded, hashes)
    assert last > 50, "the game has come to its turn limit"
    max_turns = TURN_LIMIT // players
    batches = [HansaBatch(1, ruleset, seed=SEED, max_turns=max_turns, reward=kind) for kind in ("win", "rank", "margin")]
    batch = batches[0]
    for number in range(last):
        game = batch.games[0]
        assert ints[number, :6].tolist() == [batch.seat[0], game["turn"], game["turns"], 0, 0, batch.action_mask.sum()]
        assert (masks[number] == batch.action_mask[0]).all() and (views[number] == batch.observe()[0]).all()
        assert (scored[number] == batch.scores()[0]).all() and (hashes[number] == batch.hashes()[0]).all()
        assert (shares[number] == batch.winners()[0] / batch.winners()[0].sum()).all()
        assert ints[number, 6] == ints[number, 7] and ints[number, 8] == 1
        for one in batches:
            one.step(ints[number, 6:7])
    assert batch.cut_off[0] and ints[last, 3:6].tolist() == [1, 1, 0] and not masks[last].any()
    assert np.allclose(rewarded, [one.rewards[0] for one in batches])
    batch.reset()
    assert batch.games[0]["seed"] == next_seed


def test_the_interface_is_what_its_version_promises() -> None:
    assert compiled.VERSION == 1
    assert set(compiled.__all__) == {*VERSION_1, *OF_PYTHON, "VERSION", "WIN", "RANK", "MARGIN"}
    for name, arguments in VERSION_1.items():
        function = getattr(compiled, name)
        assert list(inspect.signature(function.py_func).parameters) == arguments.split(), name
        assert function.__doc__.startswith("Compiled. "), name


def test_a_kernel_without_a_file_is_compiled_all_the_same() -> None:
    names: dict = {}
    exec("def twice(number):\n    return 2 * number", names)
    assert compiled.kernel(names["twice"])(21) == 42
