"""Bred styles: a population as one agent, and how styles are bred."""

import io
import tracemalloc
import zipfile

import numpy as np
import pytest
from numpy.lib import format as npy

from hansa_agents import AgentError, make_agent
from hansa_agents.model_hash import model_hash_of
from hansa_agents.scripted.breed import Archive, Played, beginnings, evolved, play, varied
from hansa_agents.scripted.population import MOST_BYTES, PopulationAgent, read_styles, written_styles
from hansa_agents.scripted.weights import as_numbers, entry_names, weights
from hansa_env import HansaBatch, Ruleset
from hansa_env.engine.rules.scoring import score_columns
from hansa_env.play.agents import ask_agents

MANY = Ruleset(3)


def positions(games: int = 64, decisions: int = 40) -> HansaBatch:
    batch = HansaBatch(games, MANY, seed=5)
    rng = np.random.default_rng(5)
    for _ in range(decisions):
        batch.step((rng.random(batch.action_mask.shape) * batch.action_mask).argmax(1))
    return batch


def test_each_seat_of_each_game_keeps_one_style_whatever_the_batch() -> None:
    found = np.stack([as_numbers(weights({"develop.actions.0": value})) for value in (-50.0, 50.0)])
    one = PopulationAgent(MANY, read_styles(written_styles(found), "two"), seed=9)
    batch = HansaBatch(256, MANY, seed=1)
    whole = ask_agents([one], np.zeros(256, np.int64), MANY, batch.games)
    cuts = ([0, 1, 2], [7], [200])
    parts = [ask_agents([one], np.zeros(len(rows), np.int64), MANY, batch.games.take(rows)) for rows in cuts]
    assert (np.concatenate(parts) == whole[[0, 1, 2, 7, 200]]).all()
    seen = []
    by_style = [PopulationAgent(MANY, read_styles(written_styles(found[k : k + 1]), "one")) for k in range(2)]
    for _ in range(60):
        who, games = np.zeros(256, np.int64), batch.games
        actions = ask_agents([one], who, MANY, games)
        alone = [ask_agents([agent], who, MANY, games) for agent in by_style]
        for k in range(2):
            rows = np.flatnonzero((actions != alone[k]) & (alone[0] != alone[1]))
            seen += [(int(row), int(batch.seat[row]), k) for row in rows]
        batch.step(actions)
    ruled_out: dict[tuple[int, int], set[int]] = {}
    for row, seat, style in seen:
        ruled_out.setdefault((row, seat), set()).add(style)
    assert len(ruled_out) > 200 and all(len(styles) == 1 for styles in ruled_out.values()), "a seat's style never changes"
    for seat in range(MANY.players):
        shares = np.mean([styles == {0} for (_, where), styles in ruled_out.items() if where == seat])
        assert 0.25 < shares < 0.75, "and at every seat both are drawn, in some games the one and in some the other"


def test_the_population_that_comes_with_the_project_has_many_styles_that_differ() -> None:
    agent = make_agent("population", MANY)
    numbers = as_numbers(agent.weights).reshape(len(agent.weights), -1)
    assert len(numbers) >= 40 and len(np.unique(numbers, axis=0)) == len(numbers)
    batch = positions()
    choices = []
    for k in range(len(numbers)):
        one = PopulationAgent(MANY, agent.weights[k : k + 1])
        choices.append(ask_agents([one], np.zeros(batch.num_games, np.int64), MANY, batch.games))
    assert np.mean([len(np.unique(column)) for column in np.transpose(choices)]) > 2, "they play differently"


def _bomb() -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("weights.npy", bytes(MOST_BYTES + 1))
    return data.getvalue()


def _npz(**arrays: np.ndarray) -> bytes:
    data = io.BytesIO()
    np.savez(data, **arrays)
    return data.getvalue()


def _made_of_nothing(names: tuple[int, ...], kind: str) -> bytes:
    """A small file, of which one array is, by its header, of many texts without a character or of many numbers."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("names.npy", "w") as member:
            npy.write_array_header_1_0(member, {"descr": kind, "fortran_order": False, "shape": names})
        with archive.open("weights.npy", "w") as member:
            npy.write_array(member, beginnings())
    return data.getvalue()


HUGE = {"texts": _made_of_nothing((20_000_000,), "<U0"), "numbers": _made_of_nothing((200_000_000,), "<f8")}
WRONG = {
    **HUGE,
    "another array": _npz(names=np.array(entry_names()), weights=beginnings(), more=np.zeros(1)),
    "too many": _npz(names=np.array(entry_names()), weights=np.repeat(beginnings(), 4096, 0).astype(np.float16)),
    "no archive": b"weights",
    "a bomb": _bomb(),
    "pickled": _npz(names=np.array(entry_names()), weights=np.array([object()])),
    "other names": _npz(names=np.array(entry_names()[::-1]), weights=beginnings()),
    "one row": _npz(names=np.array(entry_names()), weights=beginnings()[0]),
    "no rows": _npz(names=np.array(entry_names()), weights=beginnings()[:0]),
    "not finite": _npz(names=np.array(entry_names()), weights=beginnings() * np.nan),
    "whole numbers": _npz(names=np.array(entry_names()), weights=beginnings().astype(int)),
    "no weights": _npz(names=np.array(entry_names())),
}


def test_styles_of_your_own_are_told_apart_by_what_they_are(tmp_path) -> None:
    """Else other styles under the same path would be counted as the same agent."""
    hashes = []
    for name, styles in (("one", beginnings()), ("same", beginnings()), ("other", beginnings() + 0.5)):
        (tmp_path / name).write_bytes(written_styles(styles))
        hashes.append(model_hash_of(make_agent(f"population:{tmp_path / name}", MANY)))
    one, same, other = hashes
    assert one == same != other and one is not None
    assert model_hash_of(make_agent("population", MANY)) is None, "that comes with the version, which results name"


@pytest.mark.parametrize("data", WRONG.values(), ids=WRONG)
def test_a_wrong_file_of_styles_is_refused(data: bytes, tmp_path) -> None:
    file = tmp_path / "styles.npz"
    file.write_bytes(data)
    with pytest.raises(AgentError, match=r"styles\.npz is no file of styles \(") as refused:
        make_agent(f"population:{file}", MANY)
    assert "\n" not in str(refused.value)
    with pytest.raises(AgentError, match="cannot be read"):
        make_agent(f"population:{tmp_path / 'none.npz'}", MANY)


@pytest.mark.parametrize("data", HUGE.values(), ids=HUGE)
def test_no_more_is_made_of_a_file_of_styles_than_it_may_have(data: bytes) -> None:
    assert len(data) < 20_000
    tracemalloc.start()
    with pytest.raises(AgentError, match="is no file of styles"):
        read_styles(data, "some")
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 4_000_000


def test_a_candidate_like_its_field_plays_the_same_game_as_it_and_others_do_not_matter() -> None:
    field = [make_agent("greedy", MANY)]
    alone = play(beginnings()[:1], field, MANY, 12, seed=4)
    together = play(beginnings()[[3, 0]], field, MANY, 12, seed=4)
    assert alone.share[0] == together.share[1] and (alone.points[0] == together.points[1]).all()
    deals = np.random.default_rng(4).integers(2**63, size=12)
    batch = HansaBatch(12, MANY, seeds=deals.tolist(), max_turns=60)
    while len(running := np.flatnonzero(~batch.ended)):
        actions = np.full(12, -1)
        actions[running] = ask_agents(field, np.zeros(len(running), np.int64), MANY, batch.games.take(running))
        batch.step(actions)
    winners = batch.winners()
    assert alone.share[0] == pytest.approx(np.mean([winners[k, k % 3] / winners[k].sum() for k in range(12)]))
    assert alone.turns[0] == pytest.approx(np.mean(batch.games["turns"]) / 3)


def test_the_archive_keeps_the_best_of_each_kind() -> None:
    columns = score_columns(MANY)
    archive, points = Archive(MANY), np.zeros((3, len(columns)))
    points[:, columns.index("total")] = 100
    points[2, columns.index("network")] = 60  # of another kind than the others
    archive.note(np.arange(3.0)[:, None], Played(np.zeros(3), points, np.full(3, 10.0)), np.array([0.2, 0.9, 0.1]))
    archive.note(np.array([[7.0]]), Played(np.zeros(1), points[:1], np.full(1, 10.0)), np.array([0.5]))
    assert sorted((good, one[0]) for good, one in archive.best.values()) == [(0.1, 2.0), (0.9, 1.0)]


def test_breeding_finds_what_beats_a_weak_field() -> None:
    """Among players who never develop actions, from parents who do as badly; the same seed finds the same."""
    random = np.random.default_rng(3)
    field = [make_agent("scripted:link", MANY)]
    best = evolved(field, MANY, generations=3, candidates=12, games=12, random=random)
    assert (best == evolved(field, MANY, 3, 12, 12, np.random.default_rng(3))).all()
    won = play(np.stack([best, as_numbers(make_agent("scripted:link", MANY).weights)]), field, MANY, 60, seed=8).share
    assert won[0] > won[1] + 0.2


def test_variation_changes_some_by_little_and_some_by_much() -> None:
    many = varied(np.tile(beginnings()[:1], (500, 1)), np.random.default_rng(1))
    changed = (many != beginnings()[0]).mean(1)
    assert (changed < 0.2).any() and (changed > 0.9).any() and np.isfinite(many).all()
