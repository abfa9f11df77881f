"""The solver against a plain recursion, and what must hold of any solution."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hansa_agents.solved import measures
from hansa_agents.solved.graph import Graph, build
from hansa_agents.solved.kernels.expand import CHANCE, find_slot, key_of
from hansa_agents.solved.measures import measure_policy
from hansa_agents.solved.values import Induction, Solution, even_policy
from hansa_env import HansaBatch, Ruleset, make_agent
from hansa_env.commands.progress import Progress
from hansa_env.engine.compile import kernel
from hansa_env.engine.identity import hash_games, words_of
from hansa_env.engine.tables import tables_of
from hansa_env.play.errors import AgentError
from tests.agents.solved.plain import Plain, dealt, played

TWO, PILE, THREE = Ruleset(2, board="miniature-2"), Ruleset(2, board="miniature-2-pile"), Ruleset(3, board="miniature-3")
SMALL = Ruleset(2, board="miniature-2-small")
RULESETS = {"two": TWO, "pile": PILE, "three": THREE}


@kernel
def find_rows(words, games, tables, known, nodes):
    """The nodes of games (N,), their words (N, W), into nodes (N,) int64; −1 for one that is not known."""
    for i in range(games.size):
        nodes[i] = known.nodes[find_slot(known, key_of(words, games[i], tables[0], i))]


def nodes_of(graph: Graph, games: np.ndarray) -> np.ndarray:
    """The nodes (N,) int64 of games of its ruleset; −1 for one that is not in the graph."""
    games, nodes = np.require(games, requirements=["C"]), np.empty(len(games), np.int64)
    find_rows(words_of(games), games, tables_of(graph.ruleset), graph.known, nodes)
    return nodes


@pytest.fixture(scope="module")
def solutions() -> dict[str, Solution]:
    return {name: Solution(build(ruleset), 100 * ruleset.players) for name, ruleset in RULESETS.items()}


@pytest.mark.parametrize(("name", "left"), [("two", 1), ("two", 3), ("pile", 2), ("three", 2)])
def test_from_the_deal_it_agrees_with_a_plain_recursion(solutions: dict[str, Solution], name: str, left: int) -> None:
    solution, ruleset = solutions[name], RULESETS[name]
    game = dealt(ruleset)
    node = nodes_of(solution.graph, game)[0]
    np.testing.assert_allclose(solution.worths(left)[node], Plain(ruleset).worth(game, left), atol=1e-6)


@pytest.mark.parametrize(("name", "left"), [("two", 2), ("pile", 1), ("pile", 2), ("three", 2)])
def test_where_it_matters_every_decision_agrees_with_a_plain_recursion(
    solutions: dict[str, Solution], name: str, left: int
) -> None:
    """At positions drawn from those whose decisions differ in worth, and with a pile also where a marker is laid."""
    solution, ruleset = solutions[name], RULESETS[name]
    graph, worths, plain = solution.graph, solution.edges(left), Plain(ruleset)
    random, sources = np.random.default_rng(5), graph.sources
    nodes = random.choice(np.unique(sources[solution.regrets(left) > 0.1]), 8)
    if name == "pile":
        behind = (graph.target >= 0) & (graph.kinds[graph.target] == CHANCE)
        nodes = np.concatenate([nodes, random.choice(np.unique(sources[behind & (graph.kinds[sources] != CHANCE)]), 8)])
    for node, game in zip(nodes, graph.positions.take(graph.rows[nodes])):
        edges = range(graph.first[node], graph.first[node + 1])
        own = {int(graph.action[edge]): worths[edge] for edge in edges}
        theirs = {action: worth[game["seat"]] for action, worth in plain.decisions(np.array([game]), left).items()}
        assert own == pytest.approx(theirs, abs=1e-6)


def test_chance_is_gone_through_with_its_weights(solutions: dict[str, Solution]) -> None:
    """Where a marker of the pile is laid, both kinds that it may be are behind it, equally likely (R6.7)."""
    graph = solutions["pile"].graph
    chances = np.flatnonzero(graph.kinds == CHANCE)[1:]
    assert len(chances) > 100
    markers = set()
    for node in chances:
        after = graph.target[graph.first[node] : graph.first[node + 1]]
        assert len(after) == 2
        if (after < 0).any():  # the markers on plates leave the game with its end (R7.1): nothing depends on them
            assert after[0] == after[1]
            continue
        kinds = graph.positions.take(graph.rows[after])["route_marker"].max(axis=1).tolist()
        markers.add(tuple(sorted(kinds)))
    assert markers == {(0, 1)}, "extra-office and exchange"


def test_every_position_of_random_games_is_in_the_graph_with_its_decisions(solutions: dict[str, Solution]) -> None:
    for name, ruleset in RULESETS.items():
        graph = solutions[name].graph
        for decisions in (0, 5, 20, 40):
            games = played(ruleset, decisions, seed=decisions)
            nodes = nodes_of(graph, games)
            assert (nodes >= 0).all() and (graph.kinds[nodes] == games["seat"]).all()
            batch = HansaBatch(len(games), ruleset)
            batch.put(np.arange(len(games)), games)
            for node, mask in zip(nodes, batch.action_mask):
                edges = slice(graph.first[node], graph.first[node + 1])
                assert set(graph.action[edges].tolist()) == set(np.flatnonzero(mask).tolist())
            kept = graph.positions.take(graph.rows[nodes])
            assert (hash_games(kept) == hash_games(games)).all(), "records come back as they were"


def test_with_more_turns_left_worths_repeat_once_they_have_settled(solutions: dict[str, Solution]) -> None:
    """What is kept for many turns is what going on step by step comes to."""
    for name in RULESETS:
        solution = solutions[name]
        assert solution.settled is not None and solution.settled < 40
        induction = Induction(solution.graph, range(solution.graph.ruleset.players))
        for left in (solution.settled + 1, solution.settled + 2, solution.settled + 7):
            while induction.left < left:
                induction.step()
            np.testing.assert_allclose(solution.worths(left), induction.worths, atol=1e-6)


def best_policy(solution: Solution) -> np.ndarray:
    """(E,) evenly on the best decisions with all turns left."""
    graph, good = solution.graph, solution.regrets() < 1e-6
    starts = graph.first[:-1]
    counts = np.repeat(np.add.reduceat(good.astype(float), starts), np.diff(graph.first))
    return good / counts


@pytest.mark.slow
def test_regret_and_exploitability(solutions: dict[str, Solution]) -> None:
    """Best play has no regret; what is bad at every decision has much; nobody does worse against a policy than against the best
    response to it."""
    for name, solution in solutions.items():
        graph = solution.graph
        good, even = best_policy(solution), even_policy(graph)
        best, random = measure_policy(solution, good), measure_policy(solution, even)
        assert best.regret < 1e-4 < random.regret, name
        assert random.exploitability > 0.2 and random.mistakes > 0.005, name
        assert best.exploitability <= random.exploitability
        for found in (best, random):
            assert found.among_itself.sum() == pytest.approx(1)
            assert (found.best_response >= found.among_itself - 1e-9).all()
        if graph.ruleset.players == 2:  # nobody gets less than the worth of the game against anybody
            assert (random.best_response >= solution.worths()[0] - 1e-6).all()


def test_chance_weighs_what_may_come_and_the_mover_chooses_by_it(solutions: dict[str, Solution]) -> None:
    """By hand: seat 0 takes a tie, or draws of three ends, one of them its own; a last turn is cut off with a win of seat 1."""
    tie, own, theirs = -1 - 0b11, -1 - 0b01, -1 - 0b10
    graph = replace(
        solutions["two"].graph, kinds=np.array([0, CHANCE], np.int8), first=np.array([0, 3, 6]),
        action=np.array([0, 1, 2, -1, -1, -1], np.int16), target=np.array([tie, 1, 1, own, theirs, theirs], np.int32),
        cut=np.array([0, 0, 0b10, 0, 0, 0], np.int8), order=np.array([1, 0], np.int32),
    )  # fmt: skip
    solution = Solution(graph, 4)
    np.testing.assert_allclose(solution.worths(1), [[1 / 2, 1 / 2], [1 / 3, 2 / 3]], atol=1e-6)
    np.testing.assert_allclose(solution.edges(1)[:3], [1 / 2, 1 / 3, 0], atol=1e-6)
    np.testing.assert_allclose(solution.edges(2)[:3], [1 / 2, 1 / 3, 1 / 3], atol=1e-6)
    found = measure_policy(solution, np.array([0, 1, 0, 1 / 3, 1 / 3, 1 / 3]))
    assert found.regret == pytest.approx(1 / 6, abs=1e-6) and found.mistakes == 1 and found.decisions == pytest.approx(1)
    np.testing.assert_allclose(found.best_response, [1 / 2, 2 / 3])
    assert found.exploitability == pytest.approx((1 / 6 + 0) / 2)


def stuck(graph: Graph) -> Graph:
    """By hand: four turns that come back to where they began. In the first two whoever decides could win at once; seat 1 wins
    what is cut off."""
    first, second = -1 - 0b01, -1 - 0b10
    return replace(
        graph, kinds=np.array([0, 1, 0, 1], np.int8), first=np.array([0, 2, 4, 5, 6]),
        action=np.array([0, 1, 0, 1, 0, 0], np.int16), target=np.array([first, 1, second, 2, 3, 0], np.int32),
        cut=np.full(6, 0b10, np.int8), order=np.arange(4, dtype=np.int32),
    )  # fmt: skip


@pytest.mark.parametrize("turns", [12, 9_000, 20_000_000])
def test_of_agents_that_get_stuck_no_more_turns_are_played_than_a_few_laps(
    solutions: dict[str, Solution], monkeypatch: pytest.MonkeyPatch, turns: int
) -> None:
    spread, played = measures.spread, []

    def counted(*given: np.ndarray) -> None:
        played.append(len(played))
        assert len(played) < 40
        spread(*given)

    monkeypatch.setattr(measures, "spread", counted)
    found = measure_policy(Solution(stuck(solutions["two"].graph), turns), np.array([0, 1, 0, 1, 1.0, 1]))
    assert found.decisions == turns
    # Both do not win in every lap, but in the last one the second of them wins all the same.
    assert found.regret == found.mistakes == pytest.approx((turns / 2 - 1) / turns, rel=1e-12)


class Told(Progress):
    """Keeps how far each piece of work was said to be, by the total."""

    def __init__(self) -> None:
        self.pieces: dict[int, list[int]] = {}

    def begin(self, what: str, total: int, done: int = 0, note: str = "") -> None:
        self.now = self.pieces.setdefault(total, [])

    def at(self, done: int, note: str | None = None) -> None:
        self.now.append(done)


def test_progress_counts_the_work_behind_the_last_question_too() -> None:
    graph, told = build(SMALL), Told()
    solution = Solution(graph, 6)
    found = measures.measure(solution, make_agent("random", SMALL), False, told)
    assert found.decisions > 1 and [*told.pieces] == [len(graph.positions), 4 * 6]
    turns = told.pieces[4 * 6]
    assert turns == sorted(turns) and sorted(set(turns)) == [*range(1, 4 * 6 + 1)]


def test_what_cannot_be_solved_is_refused() -> None:
    with pytest.raises(AgentError, match=r"cannot solve 3 players.*at most 5 markers in the pile"):
        build(Ruleset(3))
    with pytest.raises(AgentError, match="more than 1,000 positions; expected fewer"):
        build(TWO, most=1000)
