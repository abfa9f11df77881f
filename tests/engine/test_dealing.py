"""Dealing a record, and dealing what is hidden in it anew."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from hansa_env import HansaBatch, Ruleset
from hansa_env.engine import kernels
from hansa_env.engine.state import GAME, new_games
from hansa_env.engine.tables import tables_of
from tests.helpers import RULESETS, choose_eagerly, ruleset_id

SEEDS = np.array([5, 2**63 - 1], np.uint64)
#: Of the markers more than the pile holds, some stay in the box.
WITH_BOX = Ruleset(3, "bigbox", board="east", pile="promos")


def dealt_into(games: np.ndarray, ruleset: Ruleset) -> bytes:
    """The records after dealing, with the first question asked and what is forced played."""
    tables = tables_of(ruleset)
    kernels.deal_games(games, tables, SEEDS, 300, 0, len(SEEDS))
    assert kernels.begin_games(games, tables, 0, len(SEEDS)) == 0
    return games.tobytes()


@pytest.mark.parametrize("ruleset", RULESETS, ids=ruleset_id)
@pytest.mark.parametrize("left", [0x00, 0x55, 0xFF])
def test_nothing_that_a_record_held_is_left_in_the_next_game(ruleset: Ruleset, left: int) -> None:
    """With autoreset the next game is dealt into the record of the one that ended."""
    used = np.full((len(SEEDS), GAME.itemsize), left, np.uint8).view(GAME)[:, 0]
    assert dealt_into(used, ruleset) == dealt_into(new_games(len(SEEDS)), ruleset)


def test_a_seed_gives_the_same_noise_in_every_version() -> None:
    """Agents that draw would play other games with another."""
    games = HansaBatch(2, Ruleset(3), seeds=[0, 7]).games
    assert games["noise"].tolist() == [415250582, 774278396]


@pytest.mark.parametrize("ruleset", RULESETS, ids=ruleset_id)
def test_seats_that_a_game_does_not_have_hold_nothing(ruleset: Ruleset) -> None:
    """Loops over all owners go over them too; the neutral one is the first of them, where there is one."""
    game = HansaBatch(1, ruleset, seed=3).games[0]
    absent = slice(ruleset.players + (ruleset.two_players == "neutral"), None)
    for name in ("linked", "missions"):
        assert (game[name][absent] == -1).all(), name
    for name in ("held", "whole", "presence", "abilities", "supply", "stock", "prestige", "controlled", "network", "markers",
                 "used", "pieces", "plate"):  # fmt: skip
        assert not game[name][absent].any(), name


@pytest.mark.parametrize("ruleset", RULESETS, ids=ruleset_id)
def test_what_a_new_game_does_not_have_is_as_the_record_says(ruleset: Ruleset) -> None:
    """So that what comes to the rules later finds nothing there, and records that are equal are so to the byte."""
    game = HansaBatch(1, ruleset, seed=3).games[0]
    board = ruleset.board_data
    nowhere = (
        "route",
        "city",
        "marker_taken",
        "victim_owner",
        "partner",
        *(("pawn",) if ruleset.two_players != "pawn" else ()),
    )
    assert {name: int(game[name]) for name in nowhere} == dict.fromkeys(nowhere, -1)
    assert not game["padding"].any() and not game["padding_behind"].any()
    assert not game["vacant"][len(board.lanes) :].any()
    assert not game["offices"][sum(len(city.offices) for city in board.cities) :].any()
    if not ruleset.favours:
        assert not game["favours"].any() and not game["favour_bought"]
    if not ruleset.promos:
        assert not game["token"].any() and (game["token_route"] == -1).all()
    if not board.regions:
        assert not game["foreign"].any() and not game["permissions"] and not game["lifted_from"].any()


def test_the_next_game_follows_from_the_seed_and_after_a_blank_one_from_the_noise() -> None:
    def following(seed: int, noise: int) -> int:
        games, found = new_games(1), np.zeros(1, np.uint64)
        games["seed"], games["noise"] = seed, noise
        kernels.next_seeds(games, found)
        return int(found[0])

    assert following(7, noise=1) == following(7, noise=2) != following(8, noise=1)
    assert following(0, noise=1) != following(0, noise=2)


def played(ruleset: Ruleset) -> HansaBatch:
    """Four games in which somebody has just drawn a marker; those that end before are left out."""
    batch, rng = HansaBatch(12, ruleset, seed=7), np.random.default_rng(1)
    while (waiting := ~batch.ended & (batch.games["drawn"] == 0)).any():
        batch.step(np.where(waiting, choose_eagerly(batch, rng), -1))
    found = HansaBatch(4, ruleset)
    found.put(range(4), batch.games[~batch.ended][:4])
    return found


def hidden_places(batch: HansaBatch, i: int) -> list[int]:
    """Of the pile: what has not been drawn, what waits on a plate, what stays in the box."""
    game, count = batch.games[i], int(batch.tables["num_shuffled"][0])
    return [k for k in range(count) if k >= game["drawn"] or game["plate_of"][k] >= 0]


@pytest.mark.parametrize("ruleset", [Ruleset(3), WITH_BOX], ids=["all in the pile", "some in the box"])
def test_reshuffling_moves_hidden_markers_alone(ruleset: Ruleset) -> None:
    batch = played(ruleset)
    size, count = int(batch.tables["pile_size"][0]), int(batch.tables["num_shuffled"][0])
    assert (size < count) == (ruleset == WITH_BOX)
    moved = 0
    for seed in range(6):
        other = batch.copy(reshuffle=seed)
        for i in range(batch.num_games):
            places = hidden_places(batch, i)
            seen = [k for k in range(len(batch.games["pile"][i])) if k not in places]
            before, after = batch.games["pile"][i], other.games["pile"][i]
            assert (before[seen] == after[seen]).all()
            assert Counter(before[places].tolist()) == Counter(after[places].tolist())
            box = after[size:count].tolist()
            assert box == sorted(box), "it has no order that anybody could know"
            moved += (before != after).any()
        kept = [name for name in GAME.names if name not in ("pile", "seed", "noise")]
        assert (batch.games[kept] == other.games[kept]).all() and (other.games["seed"] == 0).all()
    assert moved > 12


def test_reshuffling_forgets_how_the_hidden_markers_lay() -> None:
    batch = played(WITH_BOX)
    turned = batch.copy()
    for i in range(batch.num_games):
        places = hidden_places(batch, i)
        turned.games["pile"][i, places] = batch.games["pile"][i, places[::-1]]
    assert (batch.games["pile"] != turned.games["pile"]).any()
    assert (batch.copy(reshuffle=3).games["pile"] == turned.copy(reshuffle=3).games["pile"]).all()


def test_every_hidden_place_gets_every_kind_as_often_as_there_are_markers_of_it() -> None:
    """Each of 400 seeds deals 13 markers anew; the first in the pile is of each kind as often as that is among them."""
    batch = HansaBatch(1, Ruleset(3), seed=2)
    places = hidden_places(batch, 0)
    share = {kind: count / len(places) for kind, count in Counter(batch.games["pile"][0, places].tolist()).items()}
    piles = np.array([batch.copy(reshuffle=seed).games["pile"][0, places] for seed in range(400)])
    for kind, expected in share.items():
        found = (piles == kind).mean(axis=0)
        assert np.abs(found - expected).max() < 4 * np.sqrt(expected * (1 - expected) / 400), (kind, found, expected)


def test_the_own_card_stays_whichever_it_is() -> None:
    batch = HansaBatch(1, Ruleset(3, missions=True), seed=4)
    seat = int(batch.seat[0])
    for card in range(9):
        batch.games["missions"][0, :3] = [(card + k) % 9 for k in range(3)]
        own = int(batch.games["missions"][0, seat])
        assert {int(batch.copy(reshuffle=seed).games["missions"][0, seat]) for seed in range(9)} == {own}


def test_missions_of_others_are_dealt_anew_from_cards_that_nobody_else_has() -> None:
    batch = HansaBatch(1, Ruleset(3, missions=True), seed=4)
    own, seat = batch.games["missions"][0].tolist(), int(batch.seat[0])
    dealt = [batch.copy(reshuffle=seed).games["missions"][0].tolist() for seed in range(60)]
    assert all(cards[seat] == own[seat] and len(set(cards[:3])) == 3 and min(cards[:3]) >= 0 for cards in dealt)
    others = {cards[other] for cards in dealt for other in range(3) if other != seat}
    assert others == set(range(len(batch.tables["mission_cities"][0]))) - {own[seat]}
