"""A mixture: each seat of each game is played by one of several agents."""

from collections.abc import Callable

import numpy as np
import pytest

from hansa_agents import Agent, AgentError, make_agent
from hansa_agents.arena import Compute, play_match
from hansa_agents.entrants import Entrant, entrants
from hansa_agents.mixture import MOST, MixtureAgent
from hansa_agents.scripted.population import PopulationAgent
from hansa_agents.streams import draw_seats
from hansa_env import HansaBatch, Ruleset
from hansa_env.engine.kernels import NO_ACTION
from hansa_env.formats.errors import LONGEST_NAME
from hansa_env.play.agents import Estimate, ask_agents
from hansa_env.play.errors import AgentFault
from hansa_env.play.estimates import estimate_games
from hansa_env.play.specs import check_specs_of_file, runs_code

THREE = Ruleset(3)


class Ends(Agent):
    """Takes the first legal action, or the last, and says so."""

    sees = "observations"

    def __init__(self, last: bool, values: bool = True) -> None:
        self.last, self.values = last, values
        self.asked = 0

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        assert inputs.shape[0] == len(masks) == len(seats) and inputs.dtype == np.int8
        self.asked += len(masks)
        first = masks.argmax(1)
        last = masks.shape[1] - 1 - masks[:, ::-1].argmax(1)
        return np.where(masks.any(1), last if self.last else first, NO_ACTION)

    def estimate(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> Estimate:
        shares = np.zeros(masks.shape, np.float32)
        shares[np.arange(len(masks)), self.act(inputs, masks, seats)] = 1
        return Estimate(shares, np.full(len(masks), 0.75 if self.last else 0.25) if self.values else None)


def played(agent: Agent, ticks: int = 60, games: int = 256) -> dict[tuple[int, int], set[int]]:
    """Which of the two members may have played each seat of each game, by what was chosen."""
    batch, found = HansaBatch(games, THREE, seed=1), {}
    for _ in range(ticks):
        masks, seats = batch.action_mask, batch.seat
        actions = ask_agents([agent], np.zeros(games, np.int64), THREE, batch.games)
        first = masks.argmax(1)
        for row in np.flatnonzero(masks.sum(1) > 1):
            found.setdefault((int(row), int(seats[row])), set()).add(int(actions[row] != first[row]))
        batch.step(actions)
    return found


def test_each_seat_of_each_game_keeps_one_member_and_all_are_drawn() -> None:
    found = played(MixtureAgent(THREE, [Ends(False), Ends(True)], seed=3))
    assert len(found) > 400 and all(len(members) == 1 for members in found.values())
    for seat in range(THREE.players):
        share = np.mean([members == {1} for (_, where), members in found.items() if where == seat])
        assert 0.35 < share < 0.65
    other = played(MixtureAgent(THREE, [Ends(False), Ends(True)], seed=4))
    assert 0.3 < np.mean([found[one] == other[one] for one in found.keys() & other.keys()]) < 0.7, "the seed draws"


def test_what_it_does_does_not_depend_on_the_batch() -> None:
    agent = MixtureAgent(THREE, [Ends(False), Ends(True)], seed=3)
    batch = HansaBatch(64, THREE, seed=2)
    whole = ask_agents([agent], np.zeros(64, np.int64), THREE, batch.games)
    for rows in ([5], [63, 1, 7]):
        part = ask_agents([agent], np.zeros(len(rows), np.int64), THREE, batch.games.take(rows))
        assert (part == whole[rows]).all()
    masks = np.zeros_like(batch.action_mask)
    assert (agent.act(batch.games.copy(), masks, batch.seat) == NO_ACTION).all()


def test_it_thinks_of_decisions_as_who_plays_the_seat_and_of_the_game_as_all_on_average() -> None:
    games, who = HansaBatch(64, THREE, seed=2).games, np.zeros(64, np.int64)
    agent = MixtureAgent(THREE, [Ends(False), Ends(True), Ends(True)])
    found = estimate_games(agent, THREE, games)
    assert found is not None and found.values is not None and np.allclose(found.values, (0.25 + 2 * 0.75) / 3)
    taken = ask_agents([agent], who, THREE, games)
    assert (found.shares.argmax(1) == taken).all() and len(np.unique(taken)) == 2
    silent = estimate_games(MixtureAgent(THREE, [Ends(False), Ends(True, values=False)]), THREE, games)
    assert silent is not None and silent.values is None, "a member has no opinion"


def test_a_spec_names_its_members() -> None:
    agent = make_agent("mixture:greedy+scripted:link+ppo:0.2", THREE)
    assert isinstance(agent, MixtureAgent) and len(agent.members) == 3 and agent.name == "mixture:greedy+scripted:link+ppo:0.2"
    hashes = [make_agent(f"mixture:{spec}", THREE).model_hash for spec in ("ppo:0.2", "ppo", "ppo+ppo:0.2", "ppo:0.2+ppo")]
    assert len(set(hashes)) == 4 and None not in hashes and make_agent("mixture:greedy", THREE).model_hash is None
    match = play_match(["mixture:greedy+random", "greedy", "greedy"], THREE, games=12, seed=1)
    again = play_match(["mixture:greedy+random", "greedy", "greedy"], THREE, games=12, seed=1, compute=Compute(processes=2))
    assert [line.share for line in match.rows] == [line.share for line in again.rows]


@pytest.mark.parametrize("members", ["", "greedy+", "+greedy", "mixture:greedy", "+".join(["greedy"] * (MOST + 1))])
def test_no_members_too_many_or_an_empty_one_is_told(members: str) -> None:
    with pytest.raises(AgentError, match=r"expected 1 to 64 specs with \+ between them"):
        make_agent(f"mixture:{members}", THREE)


@pytest.mark.parametrize("make", [lambda: make_agent("mixture:greedy+nobody", THREE), lambda: MixtureAgent(THREE, [])])
def test_a_member_that_is_not_there_is_told(make: Callable[[], Agent]) -> None:
    with pytest.raises(AgentError, match=r"unknown agent 'nobody'|no members"):
        make()


@pytest.mark.parametrize(
    "spec",
    ["mixture:evil:Bot+greedy", "mixture:greedy+evil:Bot", "mixture:ppo:gift.zip:trust+greedy", "mixture:" * 9999 + "greedy"],
)
def test_a_file_cannot_hide_code_in_a_mixture(spec: str) -> None:
    assert runs_code(spec)
    with pytest.raises(AgentError, match="a file cannot allow that"):
        check_specs_of_file([spec], "plan.toml", [], "--opponents")
    assert not runs_code("mixture:ppo+ppo:0.2+population")


def test_what_a_member_draws_does_not_hang_on_whether_it_was_drawn() -> None:
    """A population draws a style for each seat of each game, too: where it plays, every style does."""
    agent = make_agent("mixture:population+random", THREE, 5)
    assert isinstance(agent, MixtureAgent)
    population = agent.members[0]
    assert isinstance(population, PopulationAgent)
    games = HansaBatch(4000, THREE, seed=1).games
    drawn, styles = np.zeros(4000, np.int64), np.zeros(4000, np.int64)
    draw_seats(games, agent._seed, 2, drawn)
    draw_seats(games, population._seed, len(population.weights), styles)
    half = len(population.weights) / 2
    assert 0.45 < (styles[drawn == 0] < half).mean() < 0.55


def test_it_is_trusted_as_its_members_are() -> None:
    others = ("ppo:0.2", "onnx:model.onnx", "nobody", "ppo:mine.zip", "search:model=mine.zip")
    own = [Entrant("a", f"mixture:greedy+{other}", 0).is_of_this_project for other in others]
    assert own == [True, False, False, False, False], "only what runs nobody else's code plays in the arena's own process"


def test_a_mixture_of_many_is_called_by_its_beginning() -> None:
    long = "mixture:" + "+".join([f"ppo:{'runs/' * 20}{number}" for number in range(3)])
    (one, same), places = entrants([long, f"many={long}", long], 0)
    assert len(one.name) == LONGEST_NAME and long.startswith(one.name[:-1]) and one.spec == same.spec == long
    assert same.name == "many" and places == [0, 1, 0]


class Plain:
    """No more than an agent has to have."""

    sees = "observations"

    def act(self, inputs, masks, seats):
        return masks.argmax(axis=1)


class Halves(Plain):
    def act(self, inputs, masks, seats):
        return masks.argmax(axis=1) + 0.5


class First(Plain):
    def act(self, inputs, masks, seats):
        return masks.argmax(axis=1)[:1]


def test_a_member_needs_no_more_than_any_agent_and_answers_for_itself() -> None:
    ruleset = Ruleset(3)
    mixture = MixtureAgent(ruleset, [Plain(), make_agent("greedy", ruleset)])
    assert not mixture.sees_hidden
    play_match([mixture, "random", "random"], ruleset, 3, max_turns=3)
    for wrong, told in (Halves(), "whole numbers"), (First(), "shape"):
        with pytest.raises(AgentFault, match=told):
            play_match([MixtureAgent(ruleset, [wrong])], ruleset, 3, max_turns=3)
