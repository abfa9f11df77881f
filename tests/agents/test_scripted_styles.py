"""Styles of the scripted player: all play well enough, and each plays its own way."""

import numpy as np
import pytest

from hansa_agents import AgentError, make_agent
from hansa_agents.arena import play_match
from hansa_agents.scripted.styles import style, style_names
from hansa_agents.scripted.weights import DEFAULT, as_numbers, entry_names, weights
from hansa_env import HansaBatch, Ruleset


def test_every_number_has_a_name_of_its_own() -> None:
    names = entry_names()
    assert len(set(names)) == len(names) == as_numbers(weights()).size
    changed = weights({"develop.actions.2": 77.0, "marker.4": 5.5, "office": -3.0})[0]
    assert changed["develop"][1, 2] == 77.0 and changed["marker"][4] == 5.5 and changed["office"] == -3.0
    assert changed["link"] == DEFAULT["link"] and weights()[0]["office"] == DEFAULT["office"]


@pytest.mark.parametrize("name", style_names())
def test_style_files_name_weights_that_there_are_and_say_what_they_mean(name: str) -> None:
    found, defaults = style(name), dict(zip(entry_names(), as_numbers(weights())))
    assert set(found.weights) <= set(defaults) and found.about.endswith(".")
    assert found.weights and all(defaults[one] != value for one, value in found.weights.items())


@pytest.mark.parametrize("name", style_names())
def test_styles_beat_random_players(name: str) -> None:
    match = play_match([f"scripted:{name}", "random", "random"], Ruleset(3), 120, seed=3)
    assert match.rows[0].low > 0.95


@pytest.mark.parametrize(
    ("name", "category"),
    [("actions", "abilities"), ("link", "network"), ("network", "network"), ("prestige", "prestige_spaces")],
)
def test_styles_show_in_what_they_score_by(name: str, category: str) -> None:
    """On the same deals in the same company; `greedy` itself would score as much as `greedy`."""
    by_style, by_greedy = (
        play_match([f"one={spec}", "greedy", "greedy"], Ruleset(3), 150, seed=5).rows[0].scores[category]
        for spec in (f"scripted:{name}", "greedy")
    )
    assert by_style > by_greedy + 1.0


def test_the_blocker_is_displaced_more_than_others() -> None:
    """Displacements of a seat's pieces a game, on the same deals, among two `greedy`."""
    assert displacements("scripted:blocker") > 1.1 * displacements("greedy")


def displacements(spec: str) -> float:
    ruleset, games = Ruleset(3), 200
    batch, one, others = HansaBatch(games, ruleset, seed=3), make_agent(spec, ruleset), make_agent("greedy", ruleset)
    seat, count = np.arange(games) % 3, 0
    while not batch.ended.all():
        before = batch.games["victim_owner"].copy()
        chosen = [agent.act(batch.games, batch.action_mask, batch.seat) for agent in (one, others)]
        batch.step(np.where(batch.seat == seat, *chosen))
        count += ((batch.games["victim_owner"] == seat) & (before != seat)).sum()
    return count / games


def test_unknown_styles_are_refused_by_name() -> None:
    with pytest.raises(AgentError, match=r"unknown style 'fast'; expected scripted:STYLE, one of actions, blocker, link"):
        make_agent("scripted:fast", Ruleset(3))
    with pytest.raises(AgentError, match="unknown style ''"):
        make_agent("scripted", Ruleset(3))
