"""Shares of the win of all seats: together 1 everywhere, the result at the end, from no more than the asking seat knows."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from hansa_agents import make_agent
from hansa_agents.arena import Faults, Keep, play_game, play_match
from hansa_agents.records import Records
from hansa_agents.search.foreseen import (
    foresee,
    likely_decisions,
    results_as_known,
    to_the_end_of_the_turn,
    values_of_seats,
)
from hansa_agents.search.win_share import estimate_by, shares_of_win
from hansa_env import Game, Ruleset
from hansa_env.boards.missions import MISSIONS
from hansa_env.engine import kernels
from hansa_env.engine.state import OVER
from hansa_env.engine.tables import tables_of
from hansa_env.formats.write import record_text
from hansa_env.play.chances import chances
from hansa_env.play.estimates import estimate_games
from tests.helpers import some_games
from tests.rulesets import by_table
from tests.shares import one_in

MISSION_GAME = Ruleset(3, missions=True)


def look(observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """In place of a network: it is sure of what comes first, and values what it sees by a fixed weight of each entry."""
    weights = np.sin(np.arange(observations.shape[1]))
    return np.where(masks, -50.0 * np.arange(masks.shape[1]), -np.inf), np.tanh(observations @ weights)


@pytest.mark.parametrize("table", one_in(3, by_table()))
def test_they_sum_to_1_in_every_ruleset(table: str) -> None:
    for ruleset in by_table()[table]:
        batch = some_games(ruleset, 2, 40)
        before = batch.games.tobytes()
        found = shares_of_win(ruleset, foresee(ruleset, batch.games, look))
        assert found.shape == (2, ruleset.players) and (found >= 0).all()
        np.testing.assert_allclose(found.sum(1), 1, atol=1e-9)
        assert batch.games.tobytes() == before


@pytest.mark.parametrize("spec", ["ppo", "ppo::sample", "search:sims=8,top_k=2", "tree:sims=20"])
@pytest.mark.parametrize("players", range(2, 6))
def test_agents_with_a_network_have_all_seats(spec: str, players: int) -> None:
    ruleset = Ruleset(players)
    batch = some_games(ruleset, 4)
    found = estimate_games(make_agent(spec, ruleset, 3), ruleset, batch.games)
    assert found is not None and found.seat_values is not None and found.values is not None
    np.testing.assert_allclose(found.seat_values.sum(1), 1, atol=1e-5)
    assert found.values == pytest.approx(found.seat_values[np.arange(4), batch.seat])
    assert found.seat_values.std(axis=0).min() > 0, "positions differ"


def test_a_turn_is_played_to_its_end_and_no_further() -> None:
    batch = some_games(Ruleset(3), 12)
    found = foresee(Ruleset(3), batch.games, look)
    over = found.over > 0
    assert (found.games["turns"][~over] == batch.games["turns"][~over] + 1).all()
    assert found.own[~over].sum(1) == pytest.approx(1)
    again = foresee(Ruleset(3), batch.games, look)
    assert found.games.tobytes() == again.games.tobytes() and (found.values == again.values).all()


def test_within_a_turn_nothing_moves_while_what_was_foreseen_is_played() -> None:
    """Judged at the same point, a turn that goes as the network is sure it will gives every seat the same share throughout."""
    ruleset = Ruleset(3)
    game, told = Game(ruleset, seed=8), []
    while game.state["turns"] < 1:
        told.append(shares_of_win(ruleset, foresee(ruleset, game.games, look)))
        game.play_action(int(np.flatnonzero(game.action_mask())[0]))
    assert len(told) > 1
    for one in told[1:]:
        np.testing.assert_allclose(one, told[0], atol=1e-6)


def test_what_is_likely_counts_by_how_likely_it_is() -> None:
    """Of two decisions that a network is torn between, both are followed."""
    ruleset = Ruleset(3)
    game = Game(ruleset, seed=8)
    first, second = game.legal_actions()[:2]

    def torn(observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        logits, values = look(observations, masks)
        logits[:, [first, second]] = np.where(masks[:, [first, second]], np.log([0.75, 0.25]), -np.inf)
        return logits, values

    number, weights, after = likely_decisions(ruleset, game.games, torn)
    assert number.tolist() == [0, 0] and weights == pytest.approx([0.75, 0.25])
    for action, one in zip((first, second), after):
        played = game.copy()
        played.play_action(action)
        assert played.position() == Game.from_state(ruleset, one).position()


def test_the_end_of_a_game_is_its_result_and_who_ties_shares() -> None:
    game = play_game(["greedy"], Ruleset(3), seed=2)
    assert game.over
    masks, even = np.zeros((1, len(game.action_mask())), np.bool_), np.full((1, 3), 1 / 3)
    found = estimate_by(game.ruleset, game.games, masks, even)
    assert found.seat_values is not None
    assert found.seat_values[0].tolist() == [float(seat in game.winners()) / len(game.winners()) for seat in range(3)]
    start = Game(Ruleset(4)).games.copy()
    start["asked"], start["stock"], start["supply"] = OVER, 0, 0
    tied = estimate_by(Ruleset(4), start, masks, np.full((1, 4), 0.25))
    assert tied.seat_values is not None and tied.seat_values[0].tolist() == [0.25] * 4


def after(game: Game, action: int) -> Game:
    played = game.copy()
    played.play_action(action)
    return played


def shares_at_the_end(game: Game) -> list[float]:
    return [float(seat in game.winners()) / len(game.winners()) for seat in range(game.ruleset.players)]


def before_the_last(ruleset: Ruleset, seed: int, max_turns: int = 100) -> Game:
    """A game of `greedy` before its last decision."""
    whole = play_game(["greedy"], ruleset, seed=seed, max_turns=max_turns)
    game = Game(ruleset, seed=seed, max_turns=max_turns)
    for _, decision in whole.decisions[:-1]:
        game.play(decision)
    return game


def decided(ruleset: Ruleset) -> list[tuple[Game, list[float]]]:
    """Games before their last decision in which every decision ends them with the same result, and that."""
    found = []
    for seed in range(6):
        game = before_the_last(ruleset, seed, max_turns=4)
        ends = [after(game, action) for action in game.legal_actions()]
        if all(end.over for end in ends) and len({tuple(end.winners()) for end in ends}) == 1:
            found.append((game, shares_at_the_end(ends[0])))
    assert len(found) > 1
    return found


@pytest.mark.parametrize("spec", ["lookahead", "tree:sims=40", "search:sims=16,top_k=2,sure=1", "search:sims=16,sure=0", "ppo"])
@pytest.mark.parametrize("players", [2, 3, 5])
def test_where_every_decision_ends_the_game_alike_its_result_is_what_all_say(spec: str, players: int) -> None:
    """Here a turn limit does so, far from a natural end, where values say little."""
    ruleset = Ruleset(players)
    for game, result in decided(ruleset):
        said = estimate_games(make_agent(spec, ruleset, 3), ruleset, game.games)
        assert said is not None and said.seat_values is not None
        np.testing.assert_allclose(said.seat_values[0], result, atol=1e-6)
        if said.decision_values is not None:
            known = said.decision_values[0][np.isfinite(said.decision_values[0])]
            np.testing.assert_allclose(known, result[int(game.games["seat"][0])], atol=1e-6)


def test_where_one_of_two_likely_decisions_ends_the_game_both_count() -> None:
    ruleset = Ruleset(3)
    game = before_the_last(ruleset, 1)
    ends = {action for action in game.legal_actions() if after(game, action).over}
    others = [action for action in game.legal_actions() if action not in ends]
    assert ends and others
    pair = [min(ends), others[0]]

    def torn(observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        logits, values = look(observations, masks)
        both = masks[:, pair].all(axis=1)
        logits[np.ix_(both, pair)] = 100 + np.log([0.75, 0.25])
        return logits, values

    found = foresee(ruleset, game.games, torn)
    assert found.over == pytest.approx([0.75]) and found.results.sum() == pytest.approx(0.75)
    np.testing.assert_allclose(found.results[0], 0.75 * np.array(shares_at_the_end(after(game, pair[0]))))
    alone = to_the_end_of_the_turn(ruleset, after(game, pair[1]).games, game.games["turns"], torn)
    np.testing.assert_allclose(found.values, values_of_seats(ruleset, alone, game.games["seat"], torn), atol=1e-6)
    np.testing.assert_allclose(shares_of_win(ruleset, found).sum(), 1)


def test_a_foreseen_end_is_not_that_of_one_way_to_deal_the_cards() -> None:
    """What is known says how the game ends, whichever cards the others hold."""
    game = before_the_last(MISSION_GAME, 3, max_turns=6)
    found = []
    for noise in range(12):
        games = game.games.copy()
        kernels.reshuffle_games(games, tables_of(MISSION_GAME), np.uint64(noise), 0, 1)
        found.append(results_as_known(MISSION_GAME, games, games["seat"])[0])
        np.testing.assert_allclose(found[-1].sum(), 1)
    np.testing.assert_array_equal(found, found[:1] * 12)


def test_a_record_carries_them_and_they_end_at_the_result() -> None:
    game = play_game(["ppo"], Ruleset(2), seed=3, estimates=True)
    again = Game.from_record(json.loads(record_text(game.record())))
    assert again.record() == game.record() and len(again.estimates) == len(game.decisions)
    for number, said in again.estimates.items():
        assert sum(said["seats"]) == pytest.approx(1) and said["value"] == said["seats"][again.decisions[number][0]]
    seats = [seat for seat, _ in again.decisions] + [0]
    rows = chances(again.estimates, seats, 2, again.winners())
    assert all(sum(row) == pytest.approx(1, abs=1e-3) for row in rows) and sorted(rows[-1]) in ([0.0, 1.0], [0.5, 0.5])
    assert rows[-1][again.winners()[0]] > 0


@pytest.mark.parametrize("spec", ["ppo", "search:sims=8,top_k=2", "what reads every entry"])
def test_what_a_seat_cannot_know_changes_nothing(spec: str) -> None:
    """Neither the pile nor the mission cards of the others; its own card does, where a network reads it."""
    batch = some_games(MISSION_GAME, 6)
    rows = np.arange(len(batch.games))

    def told(games: np.ndarray) -> np.ndarray:
        if spec == "what reads every entry":
            return foresee(MISSION_GAME, games, look).values
        found = estimate_games(make_agent(spec, MISSION_GAME, 3), MISSION_GAME, games)
        assert found is not None and found.seat_values is not None
        return found.seat_values

    first, others = told(batch.games), batch.games.copy()
    noise = others["noise"].copy()
    kernels.reshuffle_games(others, batch.tables, np.uint64(99), 0, len(others))
    others["noise"] = noise
    assert (others["missions"] != batch.games["missions"]).any() and (others["pile"] != batch.games["pile"]).any()
    np.testing.assert_array_equal(told(others), first)
    own = batch.games.copy()
    own["missions"][rows, batch.seat] = [
        next(card for card in range(len(MISSIONS)) if card not in game["missions"][:3]) for game in own
    ]
    assert (told(own) != first).any() or spec != "what reads every entry"


def test_an_agent_in_a_process_of_its_own_is_given_games_too(tmp_path: Path) -> None:
    keep = Keep(records=Records(tmp_path, estimates=True))
    play_match(["ppo", "random"], Ruleset(2), 1, max_turns=2, faults=Faults("forfeit"), keep=keep)
    file = tmp_path / "game-00000.json"
    record = json.loads(file.read_text())
    told = [one for (seat, _), one in zip(record["decisions"], record["estimates"]) if record["agents"][seat] == "ppo"]
    assert told and all(sum(one["seats"]) == pytest.approx(1) for one in told)
