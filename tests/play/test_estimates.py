"""What agents think: asked for with no more than a seat may know, checked, written down and read again."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from hansa_agents.arena import play_game
from hansa_env import Agent, AgentError, AgentFault, Game, HansaBatch, RecordError, Ruleset, make_agent
from hansa_env.commands.cli import app
from hansa_env.engine import kernels
from hansa_env.formats.write import record_text
from hansa_env.pages.story import story_of
from hansa_env.play.agents import inputs_for, masks_of
from hansa_env.play.estimates import Estimate, all_on, estimate_games, in_notation, note_estimates, rounded_to_1
from tests.helpers import some_games
from tests.play.bots import First, refuse
from tests.shares import one_in

THREE = Ruleset(3)
NAN = np.nan


class Thinking(First):
    """Gives the estimate that a function makes of the masks."""

    def __init__(self, answer, sees: str = "observations") -> None:
        super().__init__("thinker")
        self.answer, self.sees = answer, sees

    def estimate(self, inputs, masks, seats):
        self.given.append((inputs, masks, seats))
        return self.answer(masks)


def evenly(masks: np.ndarray) -> np.ndarray:
    return (masks / masks.sum(1, keepdims=True)).astype(np.float32)


def halves(masks: np.ndarray) -> np.ndarray:
    return np.full(len(masks), 0.5, np.float32)


def thirds(masks: np.ndarray) -> np.ndarray:
    return np.full((len(masks), 3), 1 / 3, np.float32)


def after(masks: np.ndarray) -> np.ndarray:
    return np.where(masks, np.float32(0.25), np.float32(NAN))


# Asking.


def test_an_agent_has_none_unless_it_says_so() -> None:
    class Mute:
        sees = "games"

        def act(self, inputs, masks, seats):
            return masks.argmax(1)

    batch = some_games(THREE)
    assert estimate_games(First(), THREE, batch.games) is None
    assert estimate_games(Mute(), THREE, batch.games) is None  # type: ignore[arg-type]
    assert estimate_games(Thinking(lambda masks: None), THREE, batch.games) is None


@pytest.mark.parametrize("sees", ["observations", "games"])
def test_it_is_given_what_act_is_given(sees: str) -> None:
    batch = some_games(THREE)
    agent = Thinking(lambda masks: Estimate(evenly(masks), halves(masks), after(masks)), sees)
    before = batch.games.tobytes()
    found = estimate_games(agent, THREE, batch.games)
    inputs, masks, seats = agent.given[-1]
    assert inputs.tobytes() == inputs_for(agent, THREE, batch.games).tobytes()
    assert (masks == batch.action_mask).all() and (seats == batch.seat).all()
    assert found is not None and found.shares.sum(1) == pytest.approx(1)
    inputs[:] = 0
    assert batch.games.tobytes() == before


#: What is no estimate, and what is said of it.
WRONG = {
    "raises": (refuse, "raised ZeroDivisionError"),
    "an array": (evenly, "gave no estimate: a ndarray; expected an Estimate or None"),
    "too few": (lambda m: Estimate(evenly(m)[1:]), r"shares are float32 of shape \(5, \d+\); expected float32 \(6, \d+\)"),
    "whole numbers": (lambda m: Estimate(m.astype(int)), "shares are int64"),
    "too much": (lambda m: Estimate(evenly(m) * 2), "shares of a position sum to 2; expected 1"),
    "too little": (lambda m: Estimate(evenly(m) / 2), "shares of a position sum to 0.5; expected 1"),
    "not numbers": (lambda m: Estimate(evenly(m) * np.float32(NAN)), "shares are to be 0 to 1"),
    "illegal": (lambda m: Estimate(evenly(np.ones_like(m))), "0 where a decision is not legal"),
    "negative": (lambda m: Estimate(evenly(m), -halves(m)), "values are to be shares of the win"),
    "a column": (lambda m: Estimate(evenly(m), halves(m)[:, None]), "values are float32 of shape"),
    "no share": (lambda m: Estimate(evenly(m), None, after(m) * 9), "decision_values are to be shares of the win"),
    "seats of two": (
        lambda m: Estimate(evenly(m), thirds(m)[:, 0], None, thirds(m)[:, :2]),
        "seat_values are float32 of shape",
    ),
    "seats too much": (lambda m: Estimate(evenly(m), thirds(m)[:, 0], None, 2 * thirds(m)), "of a position to sum to 1"),
    "not of who decides": (lambda m: Estimate(evenly(m), halves(m), None, thirds(m)), "those of the deciding seats among"),
    "seats alone": (lambda m: Estimate(evenly(m), None, None, thirds(m)), "those of the deciding seats among"),
    "after illegal": (lambda m: Estimate(evenly(m), None, np.ones(m.shape)), "NaN where a decision is not legal"),
}


@pytest.mark.parametrize(("answer", "said"), WRONG.values(), ids=WRONG)
def test_what_is_no_estimate_is_named(answer, said: str) -> None:
    with pytest.raises(AgentFault, match=f"^agent 'thinker' .*{said}"):
        estimate_games(Thinking(answer), THREE, some_games(THREE).games)


def test_all_on_one_leaves_rows_without_a_decision_empty() -> None:
    masks = np.array([[True, False, True], [False, False, False]])
    assert all_on(np.array([2, -1]), masks).tolist() == [[0, 0, 1], [0, 0, 0]]


# The agents of the project.

ROLLOUT = "rollout:screen_sims=1,top_k=2,final_sims=4"
SPECS = [
    "random", "greedy", "scripted:network", "lookahead:most=40", ROLLOUT, "ppo", "ppo::sample",
    "search:sims=12,top_k=4", "tree:sims=60",
]  # fmt: skip


@pytest.mark.parametrize("spec", SPECS)
def test_an_agent_thinks_the_same_whatever_lies_hidden(spec: str) -> None:
    batch, agent = some_games(THREE), make_agent(spec, THREE, 3)
    found = estimate_games(agent, THREE, batch.games)
    others = batch.games.copy()
    noise = others["noise"].copy()
    kernels.reshuffle_games(others, batch.tables, np.uint64(99), 0, len(others))
    others["noise"] = noise
    assert (others["pile"] != batch.games["pile"]).any()
    again = estimate_games(make_agent(spec, THREE, 3), THREE, others)
    assert found is not None and again is not None
    for one, other in zip(found, again):
        assert (one is None) == (other is None)
        assert one is None or np.array_equal(one, other, equal_nan=True)


@pytest.mark.parametrize("spec", SPECS)
def test_of_no_games_it_values_what_it_values_of_some(spec: str) -> None:
    games = some_games(THREE, 2, 90).games
    none, some = (estimate_games(make_agent(spec, THREE, 3), THREE, found) for found in (games[:0], games))
    assert none is not None and some is not None
    for one, other in zip(none, some):
        assert (one is None) == (other is None)
        assert one is None or other is None or one.shape == (0, *other.shape[1:])


@pytest.mark.parametrize("spec", ["greedy", "lookahead:most=40", ROLLOUT, "ppo", "search:sims=12,top_k=4", "tree:sims=60"])
def test_the_likeliest_decision_is_the_one_it_takes(spec: str) -> None:
    batch, agent = some_games(THREE, 24, 90), make_agent(spec, THREE, 3)
    found = estimate_games(agent, THREE, batch.games)
    assert found is not None
    taken = agent.act(inputs_for(agent, THREE, batch.games), masks_of(THREE, batch.games), batch.seat)
    same = (found.shares.argmax(1) == taken).mean()
    assert same == 1 if "search" not in spec else same > 0.8, "halving leaves off what it would have taken later now and then"


@pytest.mark.parametrize(
    ("players", "spec"),
    one_in(
        4, [(3, "ppo"), (3, "rollout:screen_sims=4,final_sims=4"), (5, "ppo"), (3, "tree:sims=60"), (3, "lookahead:most=40")]
    ),
)
def test_who_stands_better_expects_more_of_the_win(players: int, spec: str) -> None:
    """Late in games, over many of them, values sort those who win from those who do not, and are about right on the average."""
    ruleset = Ruleset(players)
    batch = HansaBatch(60, ruleset, seed=8)
    player = make_agent("ppo::sample", ruleset, 1)
    while batch.action_mask.any(1).sum() > 40:  # late: a third of the games is over
        batch.step(player.act(batch.games.copy(), batch.action_mask, batch.seat))
    rows = np.flatnonzero(batch.action_mask.any(1))
    found = estimate_games(make_agent(spec, ruleset, 3), ruleset, batch.games.take(rows))
    assert found is not None and found.values is not None
    seats = batch.seat[rows].copy()
    while batch.action_mask.any():
        batch.step(player.act(batch.games.copy(), batch.action_mask, batch.seat))
    won = batch.winners()[rows, seats]
    assert len(rows) > 20 and found.values[won].mean() > found.values[~won].mean() + 0.2
    assert abs(found.values.mean() - won.mean()) < 0.2


def test_values_of_decisions_are_of_those_that_were_tried() -> None:
    batch = some_games(THREE)
    search = "search:sims=12,top_k=2,sure=1.0,model=0.2"  # a network that is never sure to the last digit here
    for spec, every in (("rollout:screen_sims=1,top_k=1,final_sims=2", True), (search, False)):
        found = estimate_games(make_agent(spec, THREE, 3), THREE, batch.games)
        assert found is not None and found.decision_values is not None
        tried = ~np.isnan(found.decision_values)
        assert (tried.sum(1) == (batch.action_mask.sum(1) if every else 2)).all() and not tried[~batch.action_mask].any()


# Written down.


def test_a_decision_is_named_with_its_share_and_value() -> None:
    game = Game(THREE)
    legal = game.legal_actions()
    shares, values = np.zeros((1, len(game.action_mask())), np.float32), np.full((1, len(game.action_mask())), NAN, np.float32)
    shares[0, legal[:3]] = 0.2, 0.7, 0.1
    values[0, legal[1]], values[0, legal[5]], values[0, legal[6]] = 0.5, 0.25, 0.75
    said = in_notation(THREE, game.state, Estimate(shares, np.array([0.33333], np.float32), values))
    assert said == {
        "likeliest": [
            [game.describe(legal[1]), 0.7, 0.5],
            [game.describe(legal[0]), 0.2, None],
            [game.describe(legal[2]), 0.1, None],
            [game.describe(legal[6]), 0.0, 0.75],
            [game.describe(legal[5]), 0.0, 0.25],
        ],
        "value": 0.333,
    }
    assert len(in_notation(THREE, game.state, Estimate(shares), most=1)["likeliest"]) == 1
    assert in_notation(THREE, game.state, Estimate(shares))["value"] is None


def test_the_shares_of_all_seats_are_rounded_so_that_they_sum_to_1() -> None:
    game = Game(THREE)
    shares = np.zeros((1, len(game.action_mask())), np.float32)
    shares[0, game.legal_actions()[0]] = 1
    of_seats = np.array([[1 / 3, 1 / 3, 1 / 3]], np.float32)
    said = in_notation(THREE, game.state, Estimate(shares, of_seats[:, 0], None, of_seats))
    assert said["seats"] == [0.334, 0.333, 0.333] and said["value"] == 0.334
    assert rounded_to_1(np.array([0.0, 0.00004, 0.99996])) == [0.0, 0.0, 1.0]
    for seed in range(50):
        some = np.random.default_rng(seed).dirichlet([0.3] * 5).astype(np.float32)
        assert sum(rounded_to_1(some)) == pytest.approx(1) and rounded_to_1(some) == pytest.approx(some.tolist(), abs=1e-3)


def test_a_played_game_carries_the_thoughts_of_who_decided() -> None:
    game = play_game(["ppo", "random", "greedy"], THREE, seed=3, max_turns=4, estimates=True)
    record = json.loads(record_text(game.record()))
    assert len(record["estimates"]) == len(record["decisions"])
    for (seat, text), said in zip(record["decisions"], record["estimates"]):
        assert (said["value"] is not None) == (seat == 0)
        if seat != 1:
            assert said["likeliest"][0][0] == text and 0 < said["likeliest"][0][1] <= 1
    again = Game.from_record(record)
    assert again.over and again.record() == record
    again = Game.from_record(record, max_turns=9)
    assert again.rewound(5).record()["estimates"] == record["estimates"][:5]
    again.play(again.legal()[0])
    assert again.record()["estimates"][-1] is None, "nobody was asked about this one"
    assert json.loads(record_text(again.record())) == again.record()
    assert len(record_text(again.record())) / len(record["decisions"]) < 300


def test_seats_without_an_agent_have_none() -> None:
    game = play_game(["random"], THREE, seed=3, max_turns=2)
    note_estimates(game, [None, make_agent("greedy", THREE), First()])
    assert {game.decisions[number][0] for number in game.estimates} == {1}
    with pytest.raises(AgentError, match="1 agents for 3 seats"):
        note_estimates(game, [None])
    note_estimates(game, [None] * 3)
    assert "estimates" not in game.record()


def test_search_thinks_the_same_afterwards_as_at_the_table() -> None:
    """It draws by the game's noise, which a record keeps by its seed."""
    agents: list[Agent | None] = [make_agent("search:sims=12,top_k=4", Ruleset(2), 5), None]
    game = play_game(["greedy"], Ruleset(2), seed=6, max_turns=2)
    note_estimates(game, agents)
    again = Game.from_record(game.record(), max_turns=2)  # which a playout may come to
    assert again.estimates == game.estimates
    note_estimates(again, agents)
    assert again.estimates == game.estimates


def test_a_record_says_whose_estimates_it_holds(tmp_path: Path) -> None:
    """Also those of an agent that did not play, and in a game whose record says nothing of it."""
    record = play_game(["random"], Ruleset(2), seed=3, max_turns=3).record()
    file, judged = tmp_path / "game.json", tmp_path / "judged.json"
    file.write_text(json.dumps(record))
    done = CliRunner().invoke(app, ["estimate", str(file), "greedy", "--out", str(judged)])
    assert done.exit_code == 0, done.output
    found = json.loads(judged.read_text())
    assert found["estimated_by"] == ["greedy"] * 2 and found["agents"] == ["random"] * 2
    assert found["decisions"] == record["decisions"] and None not in found["estimates"]
    story = story_of(Game.from_record(found), "game")
    assert {one["by"] for one in story["estimates"]} == {"greedy"}
    del found["estimated_by"]
    story = story_of(Game.from_record(found), "game")
    assert {one["by"] for one in story["estimates"]} == {"an agent that the record does not name"}


def test_a_game_without_a_decision_is_not_the_agents_fault(tmp_path: Path) -> None:
    file = tmp_path / "begun.json"
    file.write_text(record_text(Game(Ruleset(2), seed=1).record()))
    done = CliRunner().invoke(app, ["estimate", str(file), "greedy"])
    assert done.exit_code == 2 and f"{file}: has no decisions to judge" in done.output.replace("\n", "")


class Tires(First):
    """Is asked once about many positions, and then somebody presses Ctrl-C."""

    def estimate(self, inputs, masks, seats):
        if self.given:
            raise KeyboardInterrupt
        self.given.append((inputs, masks, seats))
        return Estimate(evenly(masks))


def test_ctrl_c_writes_what_was_judged_by_then(tmp_path: Path) -> None:
    game = play_game(["greedy"], Ruleset(2), seed=3)
    file, judged, spec = tmp_path / "game.json", tmp_path / "judged.json", f"{__name__}:Tires"
    file.write_text(record_text(game.record()))
    done = CliRunner().invoke(app, ["estimate", str(file), spec, "--out", str(judged)])
    assert done.exit_code == 130 and done.stdout == f"{judged}: 64 of {len(game.decisions)} decisions judged by {spec}\n"
    assert done.stderr.splitlines()[-1] == f"stopped; {judged} has what was judged; the same command begins anew"
    found = json.loads(judged.read_text())
    assert None not in found["estimates"][:64] and len(game.decisions) > 64 and found["estimated_by"] == [spec] * 2
    judged.write_text("a fuller one")
    CliRunner().invoke(app, ["estimate", str(file), spec, "--out", str(judged)])
    assert judged.read_text() == "a fuller one" and json.loads((tmp_path / "judged-2.json").read_text()) == found


def test_who_fails_leaves_no_estimates_where_that_is_forgiven() -> None:
    class Fails(Tires):
        def estimate(self, inputs, masks, seats):
            if self.given:
                refuse(masks)
            return super().estimate(inputs, masks, seats)

    game = play_game(["greedy"], Ruleset(2), seed=3)
    note_estimates(game, [Fails()] * 2, forgiving=True)
    assert game.estimates == {} and game.estimated_by == [None] * 2


def test_a_record_names_as_many_as_there_are_seats() -> None:
    record = play_game(["random"], Ruleset(2), seed=3, max_turns=3).record() | {"estimated_by": ["greedy"]}
    with pytest.raises(RecordError, match="estimated_by"):
        Game.from_record(record)
