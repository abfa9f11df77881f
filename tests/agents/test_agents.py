"""The agent protocol, and how well the scripted player plays."""

from __future__ import annotations

import re

import numpy as np
import pytest

from hansa_agents import Agent, AgentError, agent_names, make_agent, register, uniform_numbers
from hansa_agents.arena import play_game, play_match
from hansa_env import Game, HansaBatch, Ruleset
from hansa_env.engine.kernels import NO_ACTION

RULESETS = [Ruleset(2, two_players="neutral"), Ruleset(2, two_players="pawn"), Ruleset(3), Ruleset(4), Ruleset(5)]
NAMES = ["random", "greedy", "scripted:blocker"]


def mixed(agents, batch):
    """Actions of a batch in which the agents take the rows in turn."""
    choices = [agent.act(batch.games, batch.action_mask, batch.seat) for agent in agents]
    return np.choose(np.arange(batch.num_games) % len(agents), choices)


@pytest.mark.parametrize("ruleset", RULESETS, ids=str)
def test_actions_are_legal_to_the_end_and_none_after_it(ruleset):
    agents = [make_agent(name, ruleset, 1) for name in NAMES]
    batch = HansaBatch(48, ruleset, seed=5, max_turns=30)
    while batch.action_mask.any():
        running = batch.action_mask.any(axis=1)
        for agent in agents:
            actions = agent.act(batch.games, batch.action_mask, batch.seat)
            assert actions.shape == (48,) and actions.dtype == np.int64
            assert (actions[~running] == NO_ACTION).all()
            assert batch.action_mask[running, actions[running]].all()
        batch.step(mixed(agents, batch))
    for agent in agents:
        assert (agent.act(batch.games, batch.action_mask, batch.seat) == NO_ACTION).all()


@pytest.mark.parametrize("name", NAMES)
def test_same_seed_same_actions_however_the_batch_is_split(name):
    ruleset = Ruleset(3)
    batch, agent, again = HansaBatch(32, ruleset, seed=2), make_agent(name, ruleset, 7), make_agent(name, ruleset, 7)
    for _ in range(120):
        before = batch.games.copy()
        masks, seats = batch.action_mask.copy(), batch.seat.copy()
        actions = agent.act(batch.games, masks, seats)
        rows = np.arange(0, 32, 3)
        assert (again.act(batch.games[rows], masks[rows], seats[rows]) == actions[rows]).all()
        assert (again.act(batch.games[::-1], masks[::-1], seats[::-1])[::-1] == actions).all()
        assert (batch.games == before).all(), "act must not change what it is given"
        batch.step(actions)


def test_random_seeds_differ():
    ruleset = Ruleset(3)
    batch = HansaBatch(64, ruleset)
    first, second = (make_agent("random", ruleset, seed).act(batch.games, batch.action_mask, batch.seat) for seed in (0, 1))
    assert (first != second).mean() > 0.8
    assert len(set(first.tolist())) > 20, "games of a batch have streams of their own"


def test_pieces_that_are_put_down_one_after_the_other_have_numbers_of_their_own():
    """R9.15: nothing else need change between two of them; the numbers of all other moments stay what they were."""
    games = Game(Ruleset(3, "bigbox"), 1).games.repeat(4)
    games["lifted"] = [[0, 0, 0], [3, 0, 0], [3, 3, 0], [3, 3, 3]]
    numbers = uniform_numbers(games, 4, 2)
    assert numbers[0].tolist() == [0.8660821919368292, 0.6600670637253602]
    assert len(np.unique(numbers)) == numbers.size


def test_numbers_belong_to_decisions():
    """Those of a decision are the same in any batch; other decisions, games, places and seeds have others, evenly spread."""
    batch, random = HansaBatch(512, Ruleset(3)), make_agent("random", Ruleset(3))
    first = uniform_numbers(batch.games, 4, 20)
    before, rows = batch.games.copy(), np.arange(0, 512, 7)
    assert (uniform_numbers(before[rows], 4, 20) == first[rows]).all()
    assert (uniform_numbers(before[rows], 4, 5) == first[rows, :5]).all()
    batch.step(random.act(batch.games, batch.action_mask, batch.seat))
    assert (batch.games["noise"] == before["noise"]).all(), "another moment of the same games"
    all_of_them = np.stack([first, uniform_numbers(before, 5, 20), uniform_numbers(batch.games, 4, 20)])
    assert len(np.unique(all_of_them)) == all_of_them.size
    assert (all_of_them >= 0).all() and (all_of_them < 1).all()
    counts = np.histogram(all_of_them, 64, (0, 1))[0]
    expected = all_of_them.size / 64
    assert ((counts - expected) ** 2 / expected).sum() < 110, "chi squared with 63 degrees of freedom: 1 in 10,000"
    correlations = np.corrcoef(np.concatenate([all_of_them[0], all_of_them[2]], axis=1).T) - np.eye(40)
    assert np.abs(correlations).max() < 5 / np.sqrt(512)


def test_random_is_uniform_over_the_first_question():
    ruleset = Ruleset(3)
    batch = HansaBatch(20_000, ruleset)
    counts = np.bincount(make_agent("random", ruleset).act(batch.games, batch.action_mask, batch.seat))
    counts = counts[counts > 0]
    assert len(counts) == batch.action_mask[0].sum()
    expected = 20_000 / len(counts)
    assert ((counts - expected) ** 2 / expected).sum() < 2 * len(counts)


@pytest.mark.parametrize("ruleset", RULESETS, ids=str)
def test_games_among_greedy_players_end_by_the_rules(ruleset):
    match = play_match(["greedy"], ruleset, 50, seed=11)
    assert match.truncated == 0
    assert 100 < match.decisions / match.games < 600


@pytest.mark.parametrize("ruleset", RULESETS, ids=str)
def test_greedy_beats_random(ruleset):
    match = play_match(["greedy"] + ["random"] * (ruleset.players - 1), ruleset, 200, seed=3)
    assert match.rows[0].low > 0.95


def test_play_game_gives_a_record_with_its_agents():
    game = play_game(["greedy", "random", "greedy"], Ruleset(3), seed=4)
    assert game.over and game.record()["agents"] == ["greedy", "random", "greedy"]
    assert game.decisions == play_game(["greedy", "random", "greedy"], Ruleset(3), seed=4).decisions


def test_registry():
    assert {"greedy", "random", "ppo"} <= set(agent_names())
    with pytest.raises(AgentError, match=r"unknown agent 'gredy'; did you mean greedy\? There are greedy"):
        make_agent("gredy", Ruleset(3))
    with pytest.raises(AgentError, match="takes no argument"):
        make_agent("random:3", Ruleset(3))
    with pytest.raises(AgentError, match="colon"):
        register("a:b", "x:y")


def fails(**offered):
    raise RuntimeError(f"of {', '.join(sorted(offered))}")


def nothing(ruleset):
    return None


def picky(argument: str = "never"):
    raise ValueError(f"{argument} is not good enough")


def test_what_a_users_factory_refuses_is_said_with_its_spec():
    said = r"agent 'tests.*:picky:this' cannot be made: this is not good enough"
    with pytest.raises(AgentError, match=said):
        make_agent("tests.agents.test_agents:picky:this", Ruleset(3))
    with pytest.raises(AgentError, match=r"agent 'tests.agents.test_agents:nothing' takes no argument, but was given 'x'"):
        make_agent("tests.agents.test_agents:nothing:x", Ruleset(3))


class Slots:
    __slots__ = ()
    sees = "observations"

    def act(self, inputs, masks, seats):
        return masks.argmax(1)


def test_an_agent_without_room_for_a_name_plays():
    spec = "tests.agents.test_agents:Slots"
    assert not hasattr(make_agent(spec, Ruleset(2)), "name")
    match = play_match([spec, Slots()], Ruleset(2), 2, max_turns=1)
    assert match.agents == (spec, "Slots") and [row.games for row in match.rows] == [2, 2]


def test_an_option_stands_once():
    with pytest.raises(AgentError, match="sims is there twice; expected each option once"):
        make_agent("tree:sims=2,sims=3", Ruleset(3))


def test_a_factory_of_nothing_is_named():
    with pytest.raises(AgentError, match=r"'tests.*:nothing' cannot be made: it came to None, which has no method act\("):
        make_agent("tests.agents.test_agents:nothing", Ruleset(3))


def test_a_factory_that_takes_anything_and_what_is_none_are_named():
    with pytest.raises(AgentError, match=r"'tests.*fails' cannot be made: it raised RuntimeError: of argument, ruleset, seed"):
        make_agent("tests.agents.test_agents:fails", Ruleset(3))
    for spec in ("string:digits", "builtins:dict"):
        with pytest.raises(AgentError, match=rf"'{spec}' cannot be made: .*; expected a class of agents, or a function"):
            make_agent(spec, Ruleset(3))


def test_registered_agents_get_their_argument(monkeypatch):
    from hansa_env.play import registry

    class First(Agent):
        """The first legal action."""

        def __init__(self, ruleset, seed, argument):
            self.given = (ruleset, seed, argument)

        def act(self, inputs, masks, seats):
            return np.where(masks.any(axis=1), masks.argmax(axis=1), NO_ACTION)

    monkeypatch.setattr(registry, "_factories", dict(registry._factories))
    register("first", First)
    assert make_agent("first:a:b", Ruleset(3), 5).given == (Ruleset(3), 5, "a:b")
    assert make_agent("first", Ruleset(3)).given == (Ruleset(3), 0, None)
    register("lost", "no.such.module:Thing")
    with pytest.raises(AgentError, match="'lost' cannot be loaded"):
        make_agent("lost", Ruleset(3))


@pytest.mark.parametrize(
    ("spec", "wanted"),
    [
        ("mybot.py:MyBot", "expected mybot:MyBot for what is in mybot.py"),
        ("bots/mybot:MyBot", "expected mybot:MyBot for what is in mybot after: cd bots"),
        ("/a place/mybot.py:MyBot", "expected mybot:MyBot for what is in mybot.py after: cd '/a place'"),
        ("mybot.py", "expected mybot:Class for what is in mybot.py"),
        ("thatbot", "expected thatbot:Class for what is in thatbot.py"),
        ("nobot", "or module:Class"),
        ("greedy,random", "expected spaces between agents, not commas"),
        ("greedy,scripted:link", "expected spaces between agents, not commas"),
    ],
)
def test_who_names_an_agent_otherwise_is_told_how_it_is_named(spec: str, wanted: str, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "thatbot.py").touch()
    with pytest.raises(AgentError, match=re.escape(wanted) + "$"):
        make_agent(spec, Ruleset(3))


@pytest.mark.parametrize("seed", [-1, 2**64, 1.0, "1", None, True])
def test_the_seed_of_an_agent_is_one_as_everywhere(seed: object) -> None:
    with pytest.raises(ValueError, match=f"^seed is {seed!r}; expected a whole number from 0 to "):
        make_agent("random", Ruleset(3), seed=seed)
    assert make_agent("random", Ruleset(3), seed=2**64 - 1)


def test_who_sees_observations_says_so_when_it_is_given_something_else() -> None:
    batch, other = HansaBatch(2, Ruleset(3)), HansaBatch(2, Ruleset(4))
    agent = make_agent("ppo:1", batch.ruleset)
    assert agent.sees == "observations"
    for wrong, said in (
        (batch.games, r"game records \(2,\)"), (batch.observe()[0], r"an array of int8 \(1202,\)"),
        (other.observe(), r"an array of int8 \(2, 1526\)"), (batch.observe() / 1, r"an array of float64 \(2, 1202\)"),
        ([[0] * 1202] * 2, "a list"),
    ):  # fmt: skip
        expected = rf"the agent sees observations, and was given {said}; expected int8 \(N, 1202\), such as batch\.observe\(\)"
        with pytest.raises(TypeError, match=expected):
            agent.act(wrong, batch.action_mask, batch.seat)
    assert batch.action_mask[[0, 1], agent.act(batch.observe(), batch.action_mask, batch.seat)].all()


@pytest.mark.parametrize(
    "spec", ["greedy", "random", "population", "lookahead", "tree:sims=2", "rollout:screen_sims=1,final_sims=1"]
)
def test_who_sees_games_says_so_when_it_is_given_something_else(spec: str) -> None:
    """And compiles nothing for it."""
    game = Game(Ruleset(3), seed=1)
    agent = make_agent(spec, game.ruleset)
    mask, seats = game.action_mask()[None], np.array([0])
    for wrong in (game.observation()[None], game.state, game, [game.state]):
        with pytest.raises(TypeError, match=r"the agent sees games, and was given .*; expected records"):
            agent.act(wrong, mask, seats)
    assert mask[0, agent.act(game.games, mask, seats)[0]]
