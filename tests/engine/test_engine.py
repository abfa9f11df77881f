"""What must hold after every decision, in every ruleset."""

import re
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

from hansa_env import HansaBatch, IllegalAction, Ruleset
from hansa_env.engine import kernels
from hansa_env.engine import state as rec
from hansa_env.engine.action_space import segments
from hansa_env.engine.bits import first_below
from hansa_env.engine.compile import ENGINE, cache_folder, packages_of, source_hash
from hansa_env.engine.questions import question_name
from tests.helpers import RULESETS, choose, choose_eagerly, ruleset_id
from tests.rulesets import every_ruleset
from tests.shares import one_in

by_ruleset = pytest.mark.parametrize("ruleset", RULESETS, ids=ruleset_id)


def pieces_of(game: np.void, seat: int) -> tuple[int, int]:
    """R1.1: a player's traders and merchants, wherever they are, the one on the prestige track included."""
    tracks = {"keys": 4, "actions": 5, "privilege": 3, "book": 3, "bank": 3}
    covered = [length - int(game["abilities"][seat, i]) for i, length in enumerate(tracks.values())]
    counts = []
    for kind in (rec.TRADER, rec.MERCHANT):
        count = int(game["supply"][seat, kind] + game["stock"][seat, kind] + game["pieces"][seat, kind].sum())
        code = 1 + 2 * seat + kind
        count += int((game["offices"] == code).sum() + (game["extra_piece"] == code).sum())
        count += int((game["lifted"] == code).sum())
        own = question_name(int(game["asked"])) in ("lift", "put", "land", "tribute")
        if game["victim_owner"] == seat or own:
            owner = int(game["turn"]) if own else seat
            count += int(game["hand"][kind]) if owner == seat else 0
        counts.append(count)
    counts[rec.TRADER] += int(((game["token"] > 0) & ((game["token"] - 1) // 2 == seat)).sum())
    counts[rec.TRADER] += 1 + sum(covered[i] for i in (0, 1, 2, 4))
    counts[rec.MERCHANT] += covered[3] + int((game["prestige_spaces"] == seat).sum())
    return tuple(counts)


@by_ruleset
def test_pieces_are_never_lost(ruleset: Ruleset) -> None:
    batch = HansaBatch(3, ruleset, seed=3)
    rng = np.random.default_rng(3)
    for _ in range(600):
        for game in batch.games:
            for seat in range(ruleset.players):
                assert pieces_of(game, seat) == (27, 4), (seat, game)
        batch.step(choose_eagerly(batch, rng))


@pytest.mark.parametrize("ruleset", one_in(3, RULESETS), ids=ruleset_id)
def test_sets_and_counts_agree(ruleset: Ruleset) -> None:
    """The bit sets in the record say what the counts say."""
    board = ruleset.board_data
    lanes, routes = np.arange(len(board.lanes)), np.arange(len(board.routes))
    posts, on_route = np.array([lane.posts for lane in board.lanes]), np.array([route.posts for route in board.routes])
    ships, within = [lane.ship for lane in board.lanes], np.array([lane.route for lane in board.lanes])[:, None] == routes
    batch = HansaBatch(3, ruleset, seed=4)
    rng = np.random.default_rng(4)
    for decision in range(400):
        batch.step(choose_eagerly(batch, rng))
        if decision % 4:
            continue
        games = batch.games
        pieces = games["pieces"][..., lanes].astype(np.int64)  # (N, owners, kinds, lanes)
        taken = pieces.sum((1, 2))
        assert (games["vacant"][:, lanes] == posts - taken).all()
        assert (bits(games["free"], lanes) == (taken < posts)).all()
        assert (bits(games["held"], lanes) == (pieces > 0)).all()
        assert not pieces[:, :, rec.TRADER, ships].any(), "ship posts hold merchants only (R9.4)"
        assert (bits(games["whole"], routes) == (pieces.sum(2) @ within == on_route)).all()


def bits(words: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Whether words have the bits of these places: (..., places) bool."""
    return (words[..., None] >> places.astype(words.dtype) & 1).astype(bool)


@by_ruleset
def test_an_action_is_accepted_if_and_only_if_the_mask_says_so(ruleset: Ruleset) -> None:
    batch = HansaBatch(1, ruleset, seed=5)
    rng = np.random.default_rng(5)
    for decision in range(150):
        if decision % 10 == 0:
            before = batch.games.tobytes()
            for action in (*range(batch.num_actions), batch.num_actions, 10_000, -2):
                copy = batch.copy()
                allowed = action in np.flatnonzero(batch.action_mask[0])
                if allowed:
                    copy.step(np.array([action]))
                    assert copy.games.tobytes() != before
                else:
                    with pytest.raises(IllegalAction, match="was asked"):
                        copy.step(np.array([action]))
                    assert copy.games.tobytes() == before
        batch.step(choose(batch.action_mask, rng))


@by_ruleset
def test_a_question_has_at_least_two_answers(ruleset: Ruleset) -> None:
    batch = HansaBatch(32, ruleset, seed=6, max_turns=30)
    rng = np.random.default_rng(6)
    while not (batch.terminated | batch.truncated).all():
        running = ~(batch.terminated | batch.truncated)
        assert (batch.action_mask[running].sum(1) >= 2).all()
        assert not batch.action_mask[~running].any()
        batch.step(choose_eagerly(batch, rng))


def test_random_play_alone_reaches_the_turn_limit_and_no_further() -> None:
    ruleset = Ruleset(3)
    batch = HansaBatch(4, ruleset, seed=7, max_turns=5)
    rng = np.random.default_rng(7)
    while not batch.cut_off.all():
        assert not (batch.terminated & ~batch.cut_off).any()
        batch.step(choose(batch.action_mask, rng))
    assert (batch.games["turns"] == 15).all()
    assert (batch.final_scores == batch.scores()).all()


def test_one_record_is_an_odd_number_of_cache_lines_without_padding() -> None:
    assert rec.GAME.itemsize % 128 == 64 and rec.GAME.itemsize <= 1216
    assert rec.GAME.itemsize == sum(rec.GAME[name].itemsize for name in rec.GAME.names)


def signatures_after_play() -> dict[str, int]:
    """How often each kernel was compiled, after every ruleset, batch size, number of threads and kind of array."""
    rng = np.random.default_rng(8)
    for ruleset in RULESETS:
        for n, threads in ((1, 1), (5, 2)):
            batch = HansaBatch(n, ruleset, seed=8, max_turns=20, autoreset=True, threads=threads)
            out = np.empty((n, batch.observation_size), np.int8)
            for _ in range(40):
                actions = choose_eagerly(batch, rng)
                actions.setflags(write=False)
                batch.step(actions.astype(np.int16) if n == 1 else actions)
                batch.step_legal(np.stack([choose_eagerly(batch, rng)] * 2, axis=1)[:, 0])  # as np.nonzero gives them: a column
                batch.step_legal(choose_eagerly(batch, rng).astype(np.int32))
                batch.observe(out, seats=np.zeros(n, np.int64))
            batch.scores(), batch.winners(), batch.copy(reshuffle=1)
            batch.reset(where=np.arange(n) == 0)
    compiled = {name: f for name, f in vars(kernels).items() if hasattr(f, "signatures") and name.endswith("games")}
    return {name: len(f.signatures) for name, f in compiled.items()}


def test_compiled_functions_keep_one_signature() -> None:
    """In a process of its own: other tests call kernels from compiled code, which counts as another signature."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        counts = pool.submit(signatures_after_play).result()
    assert len(counts) >= 8
    assert {name: count for name, count in counts.items() if count > 1} == {}


def test_the_cache_folder_follows_every_source_a_kernel_depends_on(tmp_path) -> None:
    """Numba itself would serve stale code after an edit in another file than the kernel's."""
    helper = tmp_path / "helper.py"
    helper.write_text("VALUE = 1\n")
    before = source_hash.__wrapped__(tmp_path)
    assert source_hash.__wrapped__(tmp_path) == before != source_hash(ENGINE)
    helper.write_text("VALUE = 2\n")
    assert source_hash.__wrapped__(tmp_path) != before
    assert cache_folder(ENGINE).name == f"numba-{source_hash(ENGINE)}"
    assert Path(kernels.step_games.stats.cache_path).is_relative_to(cache_folder(ENGINE)), "the kernels are kept there"
    assert packages_of(kernels.step_games.py_func) == [], "not on the folder in which a program is run"


def test_modules_that_docstrings_of_the_rules_send_to_are_there() -> None:
    sent = [
        (path.name, name)
        for path in sorted((ENGINE / "rules").glob("*.py"))
        for name in re.findall(r"(?:in|see) `(\w+)`", path.read_text("utf-8"))
    ]
    assert len(sent) > 3
    assert [(path, name) for path, name in sent if not (ENGINE / "rules" / f"{name}.py").is_file()] == []


def test_sets_of_things_are_small_enough_for_first_below() -> None:
    """It takes 62 members at most, in plain Python too; those that are asked for by number are below it."""
    assert first_below.py_func(0) == 0 and first_below.py_func(62) == 2**62 - 1
    assert max(len(part.things) for ruleset in every_ruleset() for part in segments(ruleset)) <= 62
