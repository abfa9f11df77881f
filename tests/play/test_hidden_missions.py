"""Mission cards (R11): dealt by the seed, seen by their owner alone until the end, dealt anew for planners; favours (R12)."""

from __future__ import annotations

import numpy as np
import pytest

from hansa_env import Game, HansaBatch, Ruleset
from hansa_env.boards import load_board
from hansa_env.boards.missions import MISSIONS
from hansa_env.engine.kernels import hide_games
from hansa_env.engine.state import GAME
from hansa_env.engine.view.observation import observation_fields
from hansa_env.formats.missions import EVERYBODY, NOBODY
from hansa_env.play.agents import inputs_for
from hansa_env.render.scene import scene_of
from hansa_env.render.text import render_text
from hansa_env.ruleset import BASE_BOARDS, FAVOURS
from tests.formats.samples import played

BOTH = Ruleset(4, missions=True, favours=True)


def with_other_cards(game: Game, seat: int) -> Game:
    """The same game, but that the cards of all but one seat are others."""
    other = game.copy()
    unseen = [card for card in range(len(MISSIONS)) if card not in game.state["missions"][: game.ruleset.players]]
    rest = [n for n in range(game.ruleset.players) if n != seat]
    other.state["missions"][rest] = unseen[: len(rest)]
    return other


@pytest.mark.parametrize("ruleset", [BOTH, Ruleset(2, "first", missions=True)], ids=str)
def test_nobody_sees_anothers_card_or_its_points(ruleset: Ruleset) -> None:
    different = 0
    for game, _ in played(ruleset, 2, "eager", 900):
        if len(game.decisions) % 20 or game.over:
            continue
        for seat in range(ruleset.players):
            other = with_other_cards(game, seat)
            different += other.scores() != game.scores()
            assert (other.observation(seat) == game.observation(seat)).all()
            seen = [scene_of(ruleset, one.state, viewer=seat) for one in (game, other)]
            assert seen[0] == seen[1] and seen[0].desks[seat].mission is not None
            assert len({repr(scene_of(ruleset, one.state, viewer=NOBODY)) for one in (game, other)}) == 1
            if seat == game.seat:
                assert other.position() == game.position() and other.scene() == game.scene() and str(other) == str(game)
                hidden = [np.empty(1, GAME) for _ in range(2)]
                for one, copy in zip((game, other), hidden):
                    hide_games(np.array([one.state], GAME), one._batch.tables, copy)
                assert hidden[0].tobytes() == hidden[1].tobytes(), "what agents are given"
    assert different > 20, "the cards make a difference"


def test_the_own_card_is_seen_and_all_of_them_at_the_end() -> None:
    field = next(field for field in observation_fields(BOTH) if field.name == "mission")
    cities = [city.id for city in BOTH.board_data.cities]
    for game, _ in played(BOTH, 1, "eager", 1500):
        cards = [list(card) for card in game.setup["missions"]]
        for seat in range(4):
            own = np.flatnonzero(game.observation(seat)[field.slice])
            assert sorted(cities[city] for city in own) == sorted(cards[seat])
        shown = game.position()["missions"]
        assert shown == (cards if game.over else [card if seat == game.seat else None for seat, card in enumerate(cards)])
        if game.over:
            scores = next(field for field in observation_fields(BOTH) if field.name == "scores")
            seen = game.observation(0)[scores.slice].reshape(scores.shape).T
            assert seen.tolist() == game.scores() and any(row[7] for row in game.scores())
            assert render_text(BOTH, game.state).count("mission ") >= 4
            break
    assert game.over
    assert all(desk.mission for desk in scene_of(BOTH, game.rewound(5).state, viewer=EVERYBODY).desks)


@pytest.mark.parametrize("viewer", [-1, BOTH.players, True, 1.0])
def test_only_a_seat_keeps_its_card(viewer: object) -> None:
    with pytest.raises(ValueError, match=rf"^viewer is {viewer}; expected a seat, 0 to {BOTH.players - 1}, or None$"):
        Game(BOTH, seed=1).copy(reshuffle=3, own_card=False, viewer=viewer)


def test_a_planner_keeps_its_own_card_and_gets_others_for_the_rest() -> None:
    batch = HansaBatch(300, BOTH, seed=3)
    given = inputs_for(type("Any", (), {"sees": "games"})(), BOTH, batch.games)
    own, dealt = given["missions"], batch.games["missions"]
    seats, rows = given["seat"], np.arange(300)
    assert (own[rows, seats] == dealt[rows, seats]).all()
    assert all(len(set(row)) == 4 for row in own[:, :4].tolist())
    others = own[:, 1:4].ravel()
    assert np.bincount(others, minlength=9).min() > 50 and (own[:, 1] != dealt[:, 1]).mean() > 0.7
    one = Game(BOTH, seed=4)
    hidden = one.copy(reshuffle=7)
    assert hidden.setup["missions"][0] == one.setup["missions"][0] and hidden.setup["missions"] != one.setup["missions"]
    assert Game.from_record(hidden.record()).position() == hidden.position()
    nobodys = [one.copy(reshuffle=seed, own_card=False).setup["missions"][0] for seed in range(8)]
    assert any(card != one.setup["missions"][0] for card in nobodys)


def test_the_seed_deals_cards_and_tiles_beside_the_same_markers() -> None:
    cards, tiles = set(), set()
    for seed in range(60):
        setup = Game(BOTH, seed=seed).setup
        base = Game(Ruleset(4), seed=seed).setup
        assert {"markers": setup["markers"], "pile": setup["pile"]} == base
        assert len(set(map(tuple, setup["missions"]))) == 4 and len(setup["favours"]) == 4
        assert setup["favours"] == [tile for tile in FAVOURS if tile in setup["favours"]]
        cards |= {tuple(card) for card in setup["missions"]}
        tiles.add(tuple(setup["favours"]))
    assert cards == set(MISSIONS) and len(tiles) == 15


def test_the_cards_are_of_the_booklets_pattern() -> None:
    """R11.3: the first two cities of a card are each on three cards, the third on one; all are on both boards."""
    first = [city for card in MISSIONS for city in card[:2]]
    assert sorted(map(first.count, set(first))) == [3] * 6 and len({card[2] for card in MISSIONS}) == 9
    for board in BASE_BOARDS:
        named = {city.id: city for city in load_board(board).cities}
        assert not any(named[city].abilities for card in MISSIONS for city in card)
