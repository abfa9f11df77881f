"""Games of self-play that begin in the middle of an earlier one."""

import numpy as np

from hansa_env import HansaBatch, Ruleset
from hansa_env.engine.identity import same_position
from hansa_training import midgame_starts
from hansa_training.midgame_starts import MidgameStarts
from hansa_training.state import contents, set_contents

RULESET = Ruleset(3)


def played(count: int = 64, steps: int = 60) -> HansaBatch:
    batch, rng = HansaBatch(count, RULESET, seed=5, autoreset=True), np.random.default_rng(5)
    for _ in range(steps):
        batch.step((rng.random(batch.action_mask.shape) * batch.action_mask).argmax(1))
    return batch


def full(share: float) -> MidgameStarts:
    kept, batch, rng = MidgameStarts(share), played(), np.random.default_rng(1)
    for _ in range(midgame_starts.POSITIONS // midgame_starts.NOTED):
        kept.note(batch, rng)
    return kept


def test_a_share_of_the_games_begins_in_a_position_that_was_noted() -> None:
    kept, batch = full(0.25), HansaBatch(2_000, RULESET, seed=9, autoreset=True)
    fresh, seeds = batch.games.copy(), batch.games["seed"].copy()
    kept.begin(batch, np.arange(1_000), np.random.default_rng(2))
    changed = ~same_position(batch.games, fresh)
    assert not changed[1_000:].any() and 0.2 < changed[:1_000].mean() < 0.3
    noted = {hash_ for hash_ in played().hashes().tolist()}
    assert set(batch.hashes()[changed].tolist()) <= noted
    assert (batch.games["seed"] == seeds).all(), "games after these stay different from one another"
    assert (batch.seat == batch.games["seat"]).all()


def test_the_hidden_markers_are_dealt_anew() -> None:
    kept, batch = full(1.0), HansaBatch(400, RULESET, seed=9)
    kept.begin(batch, np.arange(400), np.random.default_rng(2))
    same = batch.hashes() == batch.hashes()[0]
    piles = {tuple(pile.tolist()) for pile in batch.games["pile"][same]}
    assert same.sum() > 2 and len(piles) > 1


def test_until_enough_positions_are_noted_games_begin_at_the_beginning() -> None:
    kept, batch = MidgameStarts(1.0), HansaBatch(10, RULESET, seed=9)
    kept.note(played(), np.random.default_rng(1))
    before = batch.games.copy()
    kept.begin(batch, np.arange(10), np.random.default_rng(2))
    assert same_position(batch.games, before).all()


def test_positions_outlive_a_checkpoint() -> None:
    kept, again = full(0.5), MidgameStarts(0.5)
    set_contents(again, contents(kept))
    one, other = HansaBatch(50, RULESET, seed=9), HansaBatch(50, RULESET, seed=9)
    for bank, batch in ((kept, one), (again, other)):
        bank.begin(batch, np.arange(50), np.random.default_rng(2))
    assert same_position(one.games, other.games).all() and len(set(one.hashes().tolist())) > 10
