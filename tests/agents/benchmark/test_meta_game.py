"""The mixture that is hardest to beat, from the win shares of pairs."""

from __future__ import annotations

import json
from itertools import combinations_with_replacement

import numpy as np
import pytest
from typer.testing import CliRunner

from hansa_agents.benchmark.crossplay import CrossPlay
from hansa_agents.benchmark.meta_game import best_mixture, least_exploitable
from hansa_agents.line_ups import MatchError
from hansa_agents.mixture import MixtureAgent
from hansa_env import Ruleset, make_agent
from hansa_env.commands.cli import app


def cross(matrix: np.ndarray, specs: tuple[str, ...], names: tuple[str, ...] = ()) -> CrossPlay:
    """A cross-play of two players with such shares."""
    found = CrossPlay(Ruleset(2), names or specs, specs, {}, {}, 0)
    # Frozen, and its matrix is a property: a subclass that has the shares is the shortest way.
    return type("Given", (CrossPlay,), {"matrix": matrix})(**vars(found))


def test_of_rock_paper_and_scissors_each_is_there_equally_often() -> None:
    matrix = np.array([[0.5, 0, 1], [1, 0.5, 0], [0, 1, 0.5]])
    assert least_exploitable(matrix, 3, [0, 1, 2]).tolist() == [1, 1, 1]
    assert least_exploitable(matrix, 12, [0, 1, 2]).tolist() == [4, 4, 4]
    # Without scissors, paper (and whoever plays scissors) wins two thirds against the best of three.
    assert least_exploitable(matrix, 3, [0, 1]).tolist() == [1, 2, 0]


@pytest.mark.parametrize("seed", range(8))
def test_no_other_mixture_of_that_size_is_harder_to_beat(seed: int) -> None:
    matrix = np.random.default_rng(seed).random((6, 6))
    allowed, size = [0, 2, 3, 5], 4
    counts = least_exploitable(matrix, size, allowed)
    assert counts.sum() == size and counts[[1, 4]].sum() == 0
    others = [np.bincount(chosen, minlength=6) for chosen in combinations_with_replacement(allowed, size)]
    assert (matrix @ counts).max() == pytest.approx(min((matrix @ other).max() for other in others))


def test_it_is_an_agent_that_names_whom_it_fears() -> None:
    shares = np.array([[0.5, 0, 0.2], [1, 0.5, 0], [0.8, 1, 0.5]])
    found = cross(shares, ("greedy", "scripted:link", "random"), ("a", "b", "c d"))
    mixed = best_mixture(found, 2, ["a", "b"])
    assert mixed.spec == "mixture:greedy+scripted:link" and mixed.members == ("a", "b")
    assert mixed.best == "c d" and mixed.shares["c d"] == pytest.approx(0.9)
    assert isinstance(made := make_agent(mixed.spec, Ruleset(2), 0), MixtureAgent) and len(made.members) == 2
    assert "c d does best" in mixed.in_words() and "90.0%" in mixed.in_words()


def test_a_spec_with_a_plus_is_refused_before_it_is_taken_for_two() -> None:
    with pytest.raises(MatchError, match=r"'ppo:a\+b' has \+ in it, which stands between members of a mixture"):
        best_mixture(cross(np.full((2, 2), 0.5), ("greedy", "ppo:a+b")), 2)


def test_a_mixture_is_no_member_of_another() -> None:
    found = cross(np.full((2, 2), 0.5), ("mixture:random+greedy", "greedy"))
    assert best_mixture(found, 2).spec == "mixture:greedy+greedy"
    with pytest.raises(MatchError, match="mixtures themselves"):
        best_mixture(found, 2, ["mixture:random+greedy"])
    with pytest.raises(MatchError, match="'nobody' is not among the agents; expected one of: mixture:random"):
        best_mixture(found, 2, ["nobody"])


def test_the_command_names_it() -> None:
    words = ["crossplay", "greedy", "random", "--players", "3", "--games", "6"]
    run = CliRunner().invoke(app, [*words, "--mixture", "2"])
    assert run.exit_code == 0 and "mixture:greedy+greedy" in run.stdout
    data = json.loads(CliRunner().invoke(app, [*words, "--mixture", "2", "--member", "random", "--json"]).stdout)
    assert data["mixture"]["spec"] == "mixture:random+random" and data["mixture"]["best"] == "greedy"
    assert data["mixture"]["shares"]["greedy"] == 1
    wrong = CliRunner().invoke(app, [*words, "--mixture", "2", "--member", "me"])
    assert wrong.exit_code == 2 and "'me' is not among the agents" in wrong.stderr and "6 of 6" not in wrong.stderr
    alone = CliRunner().invoke(app, [*words, "--member", "random"])
    assert alone.exit_code == 2 and "goes with --mixture" in alone.stderr
