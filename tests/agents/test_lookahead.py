"""The search over the rest of the own turn: what it must see, and what it must not."""

import numpy as np
import pytest

from hansa_agents import AgentError, make_agent, networks
from hansa_agents.arena import play_match
from hansa_agents.search.compiled_network import network_of
from hansa_agents.search.lookahead import MOST, WIDEST, LookaheadAgent, is_new
from hansa_env import Game, HansaBatch, Ruleset
from hansa_env.engine.action_space import DONE, VERB, action_index
from hansa_env.engine.identity import POSITION_WORDS, words_of
from hansa_env.engine.state import ASK_ACT, new_games
from hansa_env.play.agents import ask_agents
from hansa_env.play.estimates import estimate_games
from hansa_env.play.weighing import with_only
from tests.agents.searches import (
    check_that_it_plays_among_its_like,
    check_that_its_choice_follows_from_what_is_seen,
    passes,
    positions,
)
from tests.shares import one_in

SMALL = "lookahead:width=2,most=40"
PLAYERS = range(2, 6)


@pytest.mark.parametrize("players", PLAYERS)
def test_its_choice_does_not_depend_on_the_hidden_markers_nor_on_the_batch(players: int) -> None:
    check_that_its_choice_follows_from_what_is_seen(SMALL, Ruleset(players))


def test_its_seed_is_that_of_the_order_in_which_it_takes_hidden_markers_to_lie() -> None:
    ruleset = Ruleset(3)
    batch = positions(ruleset, 200, 90)
    answers = [make_agent(SMALL, ruleset, seed).act(batch.games, batch.action_mask, batch.seat) for seed in (3, 4)]
    assert 0 < (answers[0] != answers[1]).sum() < 50


@pytest.mark.parametrize("players", one_in(2, PLAYERS))
def test_it_plays_whole_games_and_wins_them_from_random(players: int) -> None:
    match = play_match([SMALL] + ["random"] * (players - 1), Ruleset(players), games=players, seed=5)
    share = {row.agent: row.share for row in match.rows}
    assert share[SMALL] == 1


def test_a_doubt_that_nothing_overcomes_leaves_the_choice_of_the_style() -> None:
    ruleset = Ruleset(3)
    batch = positions(ruleset, 200, 90)
    given = batch.games, batch.action_mask, batch.seat
    scripted, network = (make_agent(spec, ruleset).act(*given) for spec in ("greedy", "scripted:network"))
    assert (make_agent(SMALL + ",doubt=100", ruleset).act(*given) == scripted).all()
    assert (make_agent(SMALL + ",doubt=100,style=network", ruleset).act(*given) == network).all()
    assert (make_agent(SMALL, ruleset).act(*given) != scripted).any() and (scripted != network).any()


def test_a_position_is_looked_at_once_however_many_ways_lead_to_it() -> None:
    """With nothing left out, it tries as many decisions as there are positions after decisions of the turn."""
    ruleset = Ruleset(3)
    batch, agent = positions(ruleset, 400, 150), LookaheadAgent(ruleset, width=WIDEST, most=MOST)
    looked, saved = 0, 0
    for row in np.flatnonzero(batch.action_mask.sum(1) <= 12):
        ways, met = ways_and_positions(ruleset, batch.games[row], batch.games["seat"][row])
        if met is not None:
            assert agent.look_ahead(batch.games[[row]])[1][0] == met
            looked, saved = looked + 1, saved + ways - met
    assert looked > 20 and saved > 20


def ways_and_positions(ruleset: Ruleset, game: np.ndarray, seat: int) -> tuple[int, int | None]:
    """How many decisions there are to try in the rest of a turn, and to how many positions they lead; None if they are many."""
    greedy, ways, met = make_agent("greedy", ruleset), 0, set()
    todo = np.array([game])
    while len(todo):
        masks = mask_of(ruleset, todo)
        masks[(todo["asked"] == ASK_ACT) & (todo["actions_left"] > 0), action_index(ruleset, VERB, DONE)] = False
        if masks.sum() > 400:
            return 0, None
        rows, actions = np.nonzero(masks)
        after = HansaBatch(len(rows), ruleset)
        after.games[:] = todo[rows]
        after.step(actions)
        ways += len(rows)
        while len(asked := np.flatnonzero(mask_of(ruleset, after.games).any(1) & others_asked(after.games, game, seat))):
            answers = np.full(len(rows), -1)
            answers[asked] = ask_agents([greedy], np.zeros(len(asked)), ruleset, after.games.take(asked))
            after.step(answers)
        keys = [bytes(row) for row in words_of(after.games)[:, :POSITION_WORDS]]
        fresh = [i for i, key in enumerate(keys) if key not in met and keys.index(key) == i]
        met.update(keys)
        on = after.games[fresh]
        todo = on[mask_of(ruleset, on).any(1) & (on["turns"] == game["turns"]) & (on["seat"] == seat)]
        if len(todo) > WIDEST:
            return 0, None
    return ways, len(met)


def mask_of(ruleset: Ruleset, games: np.ndarray) -> np.ndarray:
    batch = HansaBatch(len(games), ruleset)
    batch.games[:] = games
    return batch.action_mask.copy()


def others_asked(games: np.ndarray, root: np.ndarray, seat: int) -> np.ndarray:
    """Which of the games ask somebody else in the turn of a seat."""
    return (games["turns"] == root["turns"]) & (games["turn"] == seat) & (games["seat"] != seat)


@pytest.mark.parametrize("players", [2, 3, pytest.param(4, marks=pytest.mark.slow), pytest.param(5, marks=pytest.mark.slow)])
def test_among_its_like_it_does_not_wait(players: int) -> None:
    check_that_it_plays_among_its_like(SMALL, players)


def test_it_does_not_pass_with_actions_left_where_the_style_does_not() -> None:
    batch = positions(Ruleset(3), 200, 90)
    rows, done = passes(batch)
    chosen = LookaheadAgent(batch.ruleset, doubt=0).act(batch.games[rows], batch.action_mask[rows], batch.seat[rows])
    assert len(rows) > 50 and (chosen != done).all()


def test_a_hash_is_new_once() -> None:
    met = np.zeros(8, np.uint64)
    keys = np.array([16, 0, 32, 16, 0, 48, 32], np.uint64)
    assert [bool(is_new.py_func(met, key)) for key in keys] == [True, True, True, False, False, True, False]


def test_it_thinks_about_what_it_is_asked_in_the_turns_of_others() -> None:
    """Displaced, it chooses where its pieces go: not always where the scripted player would put them."""
    ruleset = Ruleset(3)
    batch = positions(ruleset, 600, 150)
    rows = np.flatnonzero(batch.games["turn"] != batch.seat)
    given = batch.games[rows], batch.action_mask[rows], batch.seat[rows]
    agent = LookaheadAgent(ruleset, doubt=0)
    chosen, tried = agent.look_ahead(given[0])
    assert len(rows) > 10 and given[1][np.arange(len(rows)), chosen].all()
    assert (tried >= given[1].sum(1)).all()
    assert (chosen != make_agent("greedy", ruleset).act(*given)).any()


def test_the_decisions_tried_are_no_more_than_its_budget() -> None:
    ruleset = Ruleset(3)
    batch = positions(ruleset, 50, 90)
    tried = LookaheadAgent(ruleset, most=30).look_ahead(batch.games)[1]
    assert tried.max() == 30 and tried[batch.action_mask.sum(1) == 1].sum() == 0


@pytest.mark.parametrize(("spec", "said"), [
    ("lookahead:width=0", "lookahead: width is 0; expected a whole number from 1 to 64"),
    ("lookahead:width=65", "lookahead: width is 65; expected a whole number from 1 to 64"),
    ("lookahead:most=0", "lookahead: most is 0; expected a whole number from 1 to 10,000"),
    ("lookahead:depth=3", "unknown option 'depth=3'; expected NAME=VALUE with style, width, most, doubt"),
    ("lookahead:doubt=much", "doubt is 'much'; expected a number"),
    ("lookahead:style=fast", "unknown style 'fast'"),
    ("lookahead:network=0.1", "lookahead: network is '0.1'; expected 0.2 or narrow, or nothing for today's"),
    ("tree:network=0.1", "tree: network is '0.1'; expected 0.2 or narrow, or nothing for today's"),
])  # fmt: skip
def test_what_is_wrong_with_its_options_is_said(spec: str, said: str) -> None:
    with pytest.raises(AgentError, match=said):
        make_agent(spec, Ruleset(3))


@pytest.mark.parametrize("content", [b"", b"PK", b"\x02" + bytes(7) + b"{}", b"\x02" + bytes(7) + b"[]", b"\xff" * 9])
def test_a_file_that_is_broken_is_named_with_the_remedy(content: bytes, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(networks, "FOLDER", tmp_path)
    (tmp_path / "4-players.safetensors").write_bytes(content)
    for kept in (networks._networks, networks.network_for, network_of):
        kept.cache_clear()
    with pytest.raises(AgentError, match=r"tree: .*4-players\.safetensors is broken .*; install the project again"):
        make_agent("tree", Ruleset(4))
    networks._networks.cache_clear()


def test_all_who_search_share_one_network() -> None:
    one, other = (make_agent(spec, Ruleset(3)) for spec in ("lookahead", "tree"))
    assert one._mind.network is other._mind.network


def test_the_networks_of_an_earlier_version_stay() -> None:
    for name in ("lookahead", "tree"):
        today, earlier = (make_agent(spec, Ruleset(4)) for spec in (name, f"{name}:network=0.2"))
        assert today.model_hash != earlier.model_hash
    there = make_agent("tree:network=0.2", Ruleset(4, board="east"))
    assert there.model_hash not in (None, make_agent("tree", Ruleset(4, board="east")).model_hash)


def test_of_two_decisions_it_values_the_better_one_higher() -> None:
    """Each asked about alone: what the trained agent does in most positions is worth more than to end the turn at once."""
    ruleset = Ruleset(3)
    batch, agent = positions(ruleset, 200, 90), LookaheadAgent(ruleset, most=1)
    better = make_agent("ppo", ruleset).act(batch.observe(), batch.action_mask, batch.seat)
    done = action_index(ruleset, VERB, DONE)
    rows = np.flatnonzero((batch.games["asked"] == ASK_ACT) & batch.action_mask[:, done] & (better != done))
    values = []
    for actions in (better[rows], np.full(len(rows), done)):
        alone = new_games(len(rows))
        for place, (row, action) in enumerate(zip(rows, actions)):
            game = Game.from_state(ruleset, batch.games[row])
            alone[place] = with_only(ruleset, game.state, game.describe(int(action)))
        found = estimate_games(agent, ruleset, alone)
        assert found is not None and found.values is not None and found.seat_values is not None
        assert (found.shares.argmax(1) == actions).all() and found.decision_values is None
        values.append(found.values)
    assert len(rows) > 30 and (values[0] > values[1]).mean() > 0.7
