"""Asking agents: what they are given and must not know, and what is said of those that fail."""

import copy
import pickle
import re

import numpy as np
import pytest

from hansa_agents.arena import play_game, play_match
from hansa_agents.mixture import MixtureAgent
from hansa_env import Agent, AgentError, AgentFault, Game, HansaBatch, Ruleset, make_agent
from hansa_env.engine import kernels
from hansa_env.play import registry
from hansa_env.play.agents import ask_agents, checked_agent, inputs_for
from hansa_env.play.dataset import dataset_of
from hansa_env.play.learner_batch import LearnerBatch
from hansa_env.play.loop import let_decide
from tests.helpers import choose_eagerly
from tests.play.bots import FAULTS, Failing, First

THREE = Ruleset(3)
by_fault = pytest.mark.parametrize(("answer", "said"), FAULTS.values(), ids=FAULTS)


def some_games(count: int = 6, steps: int = 60) -> HansaBatch:
    batch = HansaBatch(count, THREE, seed=4)
    rng = np.random.default_rng(4)
    for _ in range(steps):
        batch.step(choose_eagerly(batch, rng))
    return batch


# Faults: named, in every loop that asks.


@by_fault
def test_a_fault_names_the_agent_and_what_it_did(answer, said: str) -> None:
    batch = some_games()
    before = batch.games.tobytes()
    agents = [First(), Failing(answer), First()]
    with pytest.raises(AgentFault, match=f"^agent 'culprit' {said}") as caught:
        ask_agents(agents, np.array([0, 1, 2, 1, 1, 0]), THREE, batch.games)
    fault = caught.value
    assert (fault.agent, fault.name) == (1, "culprit") and fault.row in (None, 1)
    assert re.match(said, fault.reason) and len(str(fault)) < 400
    assert batch.games.tobytes() == before


@by_fault
def test_a_fault_ends_a_match_and_a_game_instead_of_hanging_them(answer, said: str) -> None:
    with pytest.raises(AgentFault, match=f"agent 'culprit' {said}"):
        play_match([First(), Failing(answer, after=3)], THREE, 6, max_turns=5)
    with pytest.raises(AgentFault, match=f"agent 'culprit' {said}" if "shape" not in said else "culprit"):
        play_game([First(), Failing(answer, after=3), First()], THREE, max_turns=5)


def test_of_many_rows_the_first_illegal_one_is_named() -> None:
    batch = some_games()

    def one_wrong(masks: np.ndarray) -> np.ndarray:
        actions = masks.argmax(axis=1)
        actions[2] = masks[2].argmin()
        return actions

    with pytest.raises(AgentFault) as caught:
        ask_agents([First(), Failing(one_wrong)], np.array([1, 0, 1, 0, 1, 1]), THREE, batch.games)
    assert caught.value.row == 4, "the third of its own games"
    assert f"of seat {batch.seat[4]}" in str(caught.value)


# What agents are given.


class Peeking(First):
    """Sees games."""

    sees = "games"


def test_the_pile_and_the_seed_are_not_shown_but_by_word() -> None:
    batch = some_games(64, steps=200)
    watcher, seer = Peeking(), Peeking()
    seer.sees_hidden = True
    ask_agents([watcher], np.zeros(64, int), THREE, batch.games)
    ask_agents([seer], np.zeros(64, int), THREE, batch.games)
    seen, known = watcher.given[0][0], seer.given[0][0]
    assert known.tobytes() == batch.games.tobytes()
    assert (seen["seed"] == 0).all() and (seen["pile"] != batch.games["pile"]).any(axis=1).sum() > 50
    for game, copied in zip(batch.games, seen):
        assert sorted(game["pile"]) == sorted(copied["pile"]), "the same markers, in another order"
        for name in game.dtype.names:
            if name not in ("pile", "seed"):
                assert (game[name] == copied[name]).all(), name


def test_what_an_agent_is_given_does_not_follow_from_the_hidden_order() -> None:
    """Games that differ in nothing but the order of the hidden markers look the same."""
    batch = some_games(32, steps=150)
    twins = batch.games.copy()
    for twin in twins:
        drawn, size = int(twin["drawn"]), int((twin["pile"] >= 0).sum())
        waiting = twin["plate_of"] >= 0
        if not waiting.any():
            twin["pile"][drawn : drawn + size] = twin["pile"][drawn : drawn + size][::-1].copy()
    assert (twins["pile"] != batch.games["pile"]).any(axis=1).sum() > 20
    twins["seed"] = 99
    one, other = (inputs_for(Peeking(), THREE, games) for games in (batch.games, twins))
    assert one.tobytes() == other.tobytes()


@pytest.mark.parametrize("sees", ["games", "observations"])
def test_agents_write_into_copies(sees: str) -> None:
    class Vandal(First):
        def act(self, inputs, masks, seats):
            actions = masks.argmax(axis=1)
            inputs.view(np.int8)[:] = 85
            masks[:], seats[:] = False, 1
            return actions

    vandal = Vandal()
    vandal.sees = sees
    batch = some_games()
    before = batch.games.tobytes(), batch.action_mask.copy()
    actions = ask_agents([vandal], np.zeros(6, int), THREE, batch.games)
    assert batch.games.tobytes() == before[0] and (batch.action_mask == before[1]).all()
    batch.step(actions)


@pytest.mark.parametrize("sees", ["observation", "Games", "", None, 1, ["games"]])
def test_a_typo_in_sees_is_refused_wherever_agents_come_in(sees, monkeypatch) -> None:
    wrong = First("typist")
    wrong.sees = sees
    said = re.escape(f"agent 'typist' sees {sees!r}; expected one of observations, games")
    for take in (
        checked_agent,
        lambda agent: play_match([agent, First()], THREE, 6),
        lambda agent: play_game([agent], THREE),
        lambda agent: LearnerBatch(1, THREE, agent),
        lambda agent: LearnerBatch(1, THREE, First()).set_opponents([agent]),
    ):
        with pytest.raises(AgentError, match=said):
            take(wrong)


def test_an_agent_made_for_another_ruleset_is_refused_wherever_agents_come_in() -> None:
    """It would read the games by another board, and play nonsense, fail for a wrong reason or never return."""
    four, greedy = Ruleset(4), make_agent("greedy", Ruleset(5))
    said = re.escape(
        f"agent 'greedy' was made for {Ruleset(5)}; this game is {four}; expected an agent made for it, as make_agent"
    )
    ofs = LearnerBatch(1, four, "random")
    for take in (
        lambda: let_decide(Game(four), greedy),
        lambda: LearnerBatch(1, four, [greedy]),
        lambda: ofs.set_opponents([greedy]),
        lambda: play_match([greedy, "random"], four, 4),
        lambda: MixtureAgent(four, [greedy]),
        lambda: dataset_of([Game(four).record() | {"agents": ["greedy"] * 4}], agents={"greedy": greedy}),
    ):
        with pytest.raises(AgentError, match=said):
            take()
    assert [one.name for one in ofs.opponents] == ["random"]


def test_a_factory_whose_agent_is_for_another_ruleset_is_refused(monkeypatch) -> None:
    monkeypatch.setattr(registry, "_factories", {"of-five": lambda: make_agent("greedy", Ruleset(5))})
    with pytest.raises(AgentError, match="'greedy' was made for 5 players"):
        make_agent("of-five", THREE)
    assert make_agent("of-five", Ruleset(5)).ruleset == Ruleset(5)


def test_an_agent_that_names_no_ruleset_plays_any() -> None:
    anyone = First()
    assert checked_agent(anyone, THREE) is checked_agent(anyone, Ruleset(4)) is anyone
    anyone.ruleset = "of my own"
    assert checked_agent(anyone, THREE) is anyone


def test_what_cannot_act_is_no_agent() -> None:
    with pytest.raises(AgentError, match=r"'object' is no agent: it has no method act\(inputs, masks, seats\)"):
        checked_agent(object())
    with pytest.raises(AgentError, match=r"First is a class; expected an agent of it, or its spec, the text 'tests.*:First'"):
        play_match([First, "random"], THREE, 3)


@pytest.mark.parametrize("name", ["greedy", "random"])
@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda agent: pickle.loads(pickle.dumps(agent))])
def test_copies_and_pickles_of_agents_play_alike_and_compile_nothing(name: str, duplicate) -> None:
    from hansa_agents.scripted.agent import decide_games
    from hansa_agents.streams import fill_streams

    batch = some_games(16)
    agent: Agent = make_agent(name, THREE, 3)
    answer = agent.act(batch.games, batch.action_mask, batch.seat)
    used = decide_games, fill_streams, kernels.pick_random
    compiled = [len(kernel.signatures) for kernel in used]
    assert (duplicate(agent).act(batch.games, batch.action_mask, batch.seat) == answer).all()
    assert [len(kernel.signatures) for kernel in used] == compiled


# Agents by module and class.


def test_a_fault_names_the_line_of_somebodys_own_code(tmp_path, monkeypatch) -> None:
    """Not that of the library or of this project in which it ends."""
    (tmp_path / "faultybot.py").write_text(
        "from hansa_agents import Bot\n"
        "class Faulty(Bot):\n"
        "    def choose(self, game, random):\n"
        "        return game.copy().play('nonsense')\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend("")
    with pytest.raises(AgentFault, match=r"'nonsense'.*\(faultybot\.py, line 4\)$"):
        play_game(["faultybot:Faulty"], THREE)


def test_an_agent_of_a_users_own_file(tmp_path, monkeypatch) -> None:
    (tmp_path / "mybots.py").write_text(
        "from hansa_env import Agent\n"
        "class MyBot(Agent):\n"
        "    sees = 'observations'\n"
        "    def __init__(self, ruleset, argument='its own'):\n"
        "        self.argument = argument\n"
        "    def act(self, inputs, masks, seats):\n"
        "        return masks.argmax(axis=1)\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend("")
    bot = make_agent("mybots:MyBot:deep:7", THREE)
    assert (bot.argument, bot.name) == ("deep:7", "mybots:MyBot:deep:7")
    assert make_agent("mybots:MyBot", THREE).argument == "its own", "a default stays where no argument is given"
    match = play_match(["mybots:MyBot", "random"], THREE, 6, max_turns=2)
    assert match.agents == ("mybots:MyBot", "random") and match.games == 6
    assert isinstance(play_game(["mybots:MyBot"], THREE, max_turns=2), Game)
    for spec, said in (
        ("mybots:YourBot", "module 'mybots' has no 'YourBot'"),
        ("yourbots:MyBot", "No module named 'yourbots'"),
        ("mybots:MyBot.act", "needs"),
    ):
        with pytest.raises(AgentError, match=said):
            make_agent(spec, THREE)


def test_an_attribute_by_its_old_name_is_refused_with_the_new_one() -> None:
    """An agent that says by the old name that it sees what is hidden would otherwise be given less, without a word."""
    seer = Peeking()
    seer.oracle = True
    with pytest.raises(AgentError, match=r"^agent 'first': attribute 'oracle' is called 'sees_hidden' now$"):
        checked_agent(seer)


@pytest.mark.parametrize(
    "spec, ruleset, said", [(3, Ruleset(3), "agent 3 is no spec"), (None, Ruleset(3), "no spec"), ("random", 3, "ruleset is 3")]
)
def test_what_is_no_spec_or_no_ruleset_is_named(spec, ruleset, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        make_agent(spec, ruleset)
