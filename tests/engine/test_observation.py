"""Observations show what a player at the table sees, from his own seat."""

from dataclasses import replace

import numpy as np
import pytest

from hansa_env import Game, HansaBatch, Ruleset
from hansa_env.engine import state as rec
from hansa_env.engine.view import observation
from hansa_env.engine.view.observation import OBSERVATION_FIELDS, observation_fields, observation_fingerprint, observation_high
from hansa_env.formats.position import position_of
from tests.engine.plain_observation import plain_observation
from tests.helpers import RULESETS, choose_eagerly, ruleset_id, some_games

#: Trained weights are good for one vector. Whoever changes a field gives the observation a new version.
FINGERPRINTS = {
    "2-first-pawn-base-2-3": "656d3d38ece5d297",
    "2-second-neutral-base-2-3": "03e5b4e159b6a3a7",
    "2-fourth-pawn-base-2-3": "656d3d38ece5d297",
    "3-fourth-None-base-2-3": "32bf1074b46e8992",
    "4-first-None-base-4-5": "b17cded232661227",
    "5-second-None-base-4-5": "18084adc0bd69a8a",
    "5-fourth-None-base-2-3": "51ea3ef667e406c2",
    "3-fourth-None-east": "1c433fac2dc73007",
    "4-fourth-None-britannia-4-5": "9488b3745076553b",
    "3-bigbox-None-east-promos": "f111ed894719671b",
    "3-first-None-base-2-3-missions-favours": "c9c2bee9afd99688",
}

#: Whose rows of lanes are too short to be written whole.
MINIATURES = [Ruleset(2, board="miniature-2"), Ruleset(2, board="miniature-2-pile"), Ruleset(3, board="miniature-3")]
FAVOURS_AND_TOKENS = Ruleset(3, favours=True, pile="promos")
by_ruleset = pytest.mark.parametrize("ruleset", RULESETS, ids=ruleset_id)


def many_games(ruleset: Ruleset, steps: int) -> HansaBatch:
    return some_games(ruleset, 48, steps, seed=21, max_turns=60)


@by_ruleset
def test_entries_keep_their_meaning(ruleset: Ruleset) -> None:
    assert observation_fingerprint(ruleset)[:16] == FINGERPRINTS[ruleset_id(ruleset)]


def test_the_fingerprint_follows_every_field(monkeypatch) -> None:
    fields = observation_fields(Ruleset(3))
    seen = {observation_fingerprint(Ruleset(3))}
    for change in ({"name": "other"}, {"start": 999}, {"shape": (9, 9)}, {"meaning": "else"}):
        changed = (replace(fields[0], **change), *fields[1:])
        monkeypatch.setattr(observation, "observation_fields", lambda ruleset, changed=changed: changed)
        seen.add(observation_fingerprint(Ruleset(3)))
    monkeypatch.setattr(observation, "observation_fields", lambda ruleset: fields)
    monkeypatch.setattr(observation, "OBSERVATION_VERSION", observation.OBSERVATION_VERSION + 1)
    seen.add(observation_fingerprint(Ruleset(3)))
    assert len(seen) == 6


@by_ruleset
def test_the_table_covers_the_vector_and_values_stay_in_range(ruleset: Ruleset) -> None:
    fields = observation_fields(ruleset)
    names = [field.name for field in fields]
    assert names == [name for name in OBSERVATION_FIELDS if name in names], "in the order of the engine's observer"
    end = 0
    for field in fields:
        assert field.start == end
        end += field.size
    batch = many_games(ruleset, 0)
    assert end == batch.observation_size
    high = np.array(observation_high(ruleset))
    rng = np.random.default_rng(0)
    for _ in range(300):
        batch.step(choose_eagerly(batch, rng))
        seen = batch.observe()
        assert (seen >= 0).all()
        assert (seen <= high).all(), [f.name for f in fields if (seen > high)[:, f.slice].any()]


@by_ruleset
def test_what_nobody_can_see_changes_nothing(ruleset: Ruleset) -> None:
    """Reshuffling pile and plates leaves every seat's observation, the mask and the position as they were; that of mission
    cards the view of who decides, who alone keeps his."""
    batch = many_games(ruleset, 250)
    other = batch.copy(reshuffle=5)
    assert (batch.games["pile"] != other.games["pile"]).any(1).sum() > 10
    assert sorted(batch.games["pile"][0]) == sorted(other.games["pile"][0])
    for seat in range(ruleset.players):
        seats = np.full(48, seat, np.int8)
        keeps = (batch.seat == seat) | (not ruleset.missions)
        assert (batch.observe(seats=seats) == other.observe(seats=seats))[keeps].all()
    assert (batch.action_mask == other.action_mask).all()
    for a, b in zip(batch.games, other.games):
        assert position_of(ruleset, a) == position_of(ruleset, b)
        seen = [i for i in range(rec.PILE) if i < a["drawn"] and a["plate_of"][i] < 0]
        assert (a["pile"][seen] == b["pile"][seen]).all(), "what lies open stays"
    assert (other.games["seed"] == 0).all(), "a planner cannot recompute the pile"


def rotated(ruleset: Ruleset, games: np.ndarray) -> np.ndarray:
    """The same games with every seat moved on by one."""
    players = ruleset.players
    move = np.arange(rec.OWNERS)
    move[:players] = (move[:players] + 1) % players
    out = games.copy()
    for name in ("whole", "presence", "abilities", "supply", "stock", "prestige", "markers", "used", "held",
                 "controlled", "network", "plate", "missions"):  # fmt: skip
        out[name][:, move] = games[name]
    out["pieces"][:, move] = games["pieces"]
    for name in ("controller", "prestige_spaces", "linked", "plate_of", "seat", "turn", "victim_owner"):
        out[name] = np.where(games[name] >= 0, move[games[name]], -1)
    for name in ("offices", "extra_piece"):
        code = games[name] - 1
        out[name] = np.where(code >= 0, 1 + 2 * move[code // 2] + code % 2, 0)
    owner = games["favours"] - rec.OWNED
    out["favours"] = np.where(owner >= 0, rec.OWNED + move[owner], games["favours"])
    return out


@by_ruleset
def test_turning_the_seats_turns_the_view_and_nothing_else(ruleset: Ruleset) -> None:
    batch = many_games(ruleset, 230)
    turned = batch.copy()
    turned.games[:] = rotated(ruleset, batch.games)
    for seat in range(ruleset.players):
        here = np.full(48, seat, np.int8)
        there = np.full(48, (seat + 1) % ruleset.players, np.int8)
        assert (batch.observe(seats=here) == turned.observe(seats=there)).all()
    assert (batch.observe() == turned.observe()).all(), "the deciding seat sees itself first"


def test_the_start_seen_by_two_seats() -> None:
    """Values written by hand from R1.3, R1.4, R1.5 and R1.6."""
    game = Game(Ruleset(3), seed=1)
    fields = {field.name: field for field in observation_fields(game.ruleset)}
    mine, next_seat = game.observation(), game.observation(seat=1)

    def part(vector: np.ndarray, name: str) -> list:
        return vector[fields[name].slice].reshape(fields[name].shape).tolist()

    assert part(mine, "supply") == [[5, 6, 7], [1, 1, 1]]
    assert part(next_seat, "supply") == [[6, 7, 5], [1, 1, 1]]
    assert part(mine, "stock") == [[6, 5, 4], [0, 0, 0]]
    assert part(mine, "decider") == part(mine, "turn") == [1, 0, 0]
    assert part(next_seat, "decider") == [0, 0, 1]
    assert part(mine, "actions_left") == [2]
    assert part(mine, "pile") == [13]
    assert part(mine, "unseen") == [3, 2, 1, 3, 2, 2]
    assert np.sum(part(mine, "vacant")) == 101
    assert np.sum(part(mine, "route_marker")) == 3
    assert np.sum(part(mine, "posts")) == np.sum(part(mine, "offices")) == 0


def test_an_action_shows_where_it_belongs() -> None:
    game = Game(Ruleset(3), seed=1)
    fields = {field.name: field for field in observation_fields(game.ruleset)}
    routes = [route.id for route in game.ruleset.board_data.routes]
    game.play("place merchant stade/hamburg")
    shape = fields["posts"].shape
    for seat, place in ((0, 0), (1, 2), (2, 1)):
        posts = game.observation(seat)[fields["posts"].slice].reshape(shape)
        assert posts[place, rec.MERCHANT, routes.index("stade/hamburg")] == 1 and posts.sum() == 1
    assert game.observation()[fields["vacant"].slice][routes.index("stade/hamburg")] == 2


@pytest.mark.parametrize("seat", range(3))
def test_which_token_is_laid_is_seen_where_both_are_used(seat: int) -> None:
    """R12.2: the other one has paid for a favour, so that the used markers, the routes offered and all else are the same."""

    def laying(paid: str, laid: str) -> Game:
        batch = HansaBatch(1, FAVOURS_AND_TOKENS, seed=3)
        batch.games["markers"][0, 0, [rec.TRIBUTE, rec.BLOCK, rec.PLUS_THREE]] = 1
        game = Game.from_batch(batch, 0)
        for decision in ("done", "done", "done", "favour action", paid, "+3", laid):
            game.play(decision)
        return game

    tribute, block = laying("block", "tribute"), laying("tribute", "block")
    assert tribute.legal() == block.legal()
    fields = observation_fields(FAVOURS_AND_TOKENS)
    one, other = tribute.observation(seat), block.observation(seat)
    assert [f.name for f in fields if (one != other)[f.slice].any()] == ["laying"]
    place = next(f.slice for f in fields if f.name == "laying")
    assert one[place].tolist() == [1, 0] and other[place].tolist() == [0, 1]
    block.play(block.legal()[0])
    assert not block.observation(seat)[place].any()


def test_which_token_is_laid_is_seen_only_where_that_may_be_unclear() -> None:
    """Other games keep the observation that networks were trained for."""
    rest = [*["extra-office", "upgrade"] * 3, *["exchange", "+3"] * 2, "remove-three", "+4"]
    tokens = [Ruleset(3, pile=[*rest, kind]) for kind in ("tribute", "block")]
    for ruleset in [*RULESETS, *tokens, *(replace(one, favours=True) for one in tokens)]:
        assert "laying" not in {field.name for field in observation_fields(ruleset)}


def agree(batch: HansaBatch, rng: np.random.Generator) -> None:
    """What is written over anything, for each seat, is what the plain observer says, and nothing beside it is written."""
    ruleset, games = batch.ruleset, batch.num_games
    for seat in range(ruleset.players):
        around = rng.integers(-128, 128, (games + 2, batch.observation_size), np.int8)
        before = around.copy()
        batch.observe(around[1:-1], seats=seat)
        assert (around[[0, -1]] == before[[0, -1]]).all()
        for game, seen in zip(batch.games, around[1:-1]):
            plain = plain_observation(ruleset, game, seat)
            assert (seen == plain).all(), [f.name for f in observation_fields(ruleset) if (seen != plain)[f.slice].any()]


@pytest.mark.parametrize("ruleset", [*RULESETS, *MINIATURES, FAVOURS_AND_TOKENS], ids=ruleset_id)
def test_it_is_what_the_fields_say(ruleset: Ruleset) -> None:
    """Over games from beginning to end, dealt anew, copied, put elsewhere and edited."""
    batch, rng = HansaBatch(6, ruleset, seed=8, max_turns=60, autoreset=True), np.random.default_rng(8)
    for number in range(600):
        batch.step(choose_eagerly(batch, rng))
        if number % 40 == 0:
            agree(batch, rng)
    agree(batch.copy(reshuffle=3), rng)
    batch.put([0, 1], batch.games[[4, 5]])
    batch.reset(where=np.arange(6) == 2)
    batch.games["supply"][3, 0] = 7, 2
    batch.games["vacant"][3] += 1
    agree(batch, rng)


@by_ruleset
def test_positions_that_are_read_look_as_they_did(ruleset: Ruleset) -> None:
    batch = many_games(ruleset, 200)
    for row in range(4):
        game = Game.from_batch(batch, row)
        again = Game.from_position(game.position())
        hidden = {"mission", "scores"} if ruleset.missions else set()
        for seat in range(ruleset.players):
            one, other = game.observation(seat), again.observation(seat)
            different = {f.name for f in observation_fields(ruleset) if (one != other)[f.slice].any()}
            assert different <= hidden, "what a position does not say is dealt anew"
