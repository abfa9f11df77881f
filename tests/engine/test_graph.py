"""The graph tables say what action texts and the printed board say."""

from collections.abc import Iterator

import numpy as np
import pytest

from hansa_env import Game, HansaBatch, Ruleset, graph_tables, observation_blocks
from hansa_env.engine.view.graph import KINDS, NONE, VERBS
from tests.formats.samples import played
from tests.helpers import RULESETS, ruleset_id

by_ruleset = pytest.mark.parametrize("ruleset", RULESETS, ids=ruleset_id)


def until_seen(ruleset: Ruleset, seen: set[str], wanted: set[str]) -> Iterator[Game]:
    """Every position of a game, and of more games while some kind of decision has not come up."""
    for seed in range(2, 10):
        for game, _ in played(ruleset, seed, "eager", 1_200):
            yield game
        if wanted <= seen:
            return


@by_ruleset
def test_every_action_names_what_its_text_names(ruleset: Ruleset) -> None:
    """At `act` and at the questions on the way, the words of a decision are those of the tables."""
    tables, board = graph_tables(ruleset), ruleset.board_data
    kinds_wanted = {"trader", "merchant", "verb", "income", "route", "piece"}
    seen: set[str] = set()
    for game in until_seen(ruleset, seen, kinds_wanted):
        for action in game.legal_actions():
            words = game.describe(action).split()
            if tables.action_route[action] >= 0:
                assert words[-1].endswith(":ship") == tables.action_ship[action]
                words[-1] = words[-1].removesuffix(":ship")
            named = {
                "route": board.routes[tables.action_route[action]].id if tables.action_route[action] >= 0 else None,
                "city": board.cities[tables.action_city[action]].id if tables.action_city[action] >= 0 else None,
                "verb": VERBS[tables.action_verb[action]] if tables.action_verb[action] >= 0 else None,
            }
            seen.add(KINDS[tables.action_kind[action]])
            for what, name in named.items():
                if name is not None:
                    assert words[-1] == name, (words, what)
            if tables.action_piece[action] >= 0:
                kind = ("trader", "merchant")[tables.action_piece[action]]
                assert kind in words or words[0][1] == kind[0]
            if tables.action_seat[action] >= 0:
                place = tables.action_seat[action]
                owner = "n" if place == ruleset.players else str((game.seat + place) % ruleset.players)
                assert words[0][0] == owner
            if tables.action_amount[action] >= 0 and words[0] == "income":
                assert words[1] == str(tables.action_amount[action])
    assert kinds_wanted <= seen


@by_ruleset
def test_the_board_hangs_together_as_printed(ruleset: Ruleset) -> None:
    tables, board = graph_tables(ruleset), ruleset.board_data
    names = [city.id for city in board.cities]
    for r, route in enumerate(board.routes):
        assert [names[c] for c in tables.route_cities[r]] == list(route.cities)
        assert {names[c] for c in np.flatnonzero(tables.incidence[:, r])} == set(route.cities)
        assert tables.route_posts[r] == route.posts and tables.route_tavern[r] == route.tavern
        a, b = tables.route_cities[r]
        assert tables.city_adjacency[a, b] and tables.city_adjacency[b, a]
        for other in np.flatnonzero(tables.route_adjacency[r]):
            assert other != r and set(route.cities) & set(board.routes[other].cities)
    assert tables.city_adjacency.sum() == 2 * len({frozenset(route.cities) for route in board.routes})
    for c, city in enumerate(board.cities):
        spaces = (tables.office_shape[c] != NONE).sum()
        assert spaces == len(city.offices) and (tables.office_prestige[c, :spaces] >= 0).all()
    assert tables.space_value.tolist() == [7, 8, 9, 11]
    assert board.routes[tables.prestige_route].id == board.prestige_route


def test_blocks_have_a_row_for_each_route_city_and_seat() -> None:
    game = Game(Ruleset(4), seed=1)
    game.play("place merchant stade/hamburg")
    blocks, tables = observation_blocks(game.ruleset), graph_tables(game.ruleset)
    observation = game.observation()
    routes = blocks["routes"].view(observation)
    assert routes.shape == (len(tables.route_cities), blocks["routes"].columns)
    assert np.shares_memory(routes, observation)
    row = [route.id for route in game.ruleset.board_data.routes].index("stade/hamburg")
    vacant = routes[:, blocks["routes"].columns_of("vacant")][:, 0]
    assert vacant[row] == 2 and (np.delete(vacant, row) == np.delete(tables.route_posts, row)).all()
    seats = blocks["seats"].view(observation)
    assert seats.shape[0] == 4 and seats[:, blocks["seats"].columns_of("supply")].tolist() == [[5, 0], [6, 1], [7, 1], [8, 1]]
    assert sum(block.rows * block.columns for block in blocks.values()) == len(observation)


def test_blocks_refuse_observations_of_another_ruleset_and_fields_that_they_lack() -> None:
    with pytest.raises(TypeError, match=r"observations are a list; expected an array \(\.\.\., "):
        observation_blocks(Ruleset(4))["routes"].view([1] * 1000)
    with pytest.raises(ValueError, match=r"observations of shape \(\); expected"):
        observation_blocks(Ruleset(4))["routes"].view(np.int8(3))
    block, other = observation_blocks(Ruleset(4))["routes"], HansaBatch(2, Ruleset(5), seed=1).observe()
    with pytest.raises(ValueError, match=rf"shape \(2, {other.shape[-1]}\); expected \(\.\.\., {block.size}\)"):
        block.view(other)
    with pytest.raises(ValueError, match=r"'routes' has no field 'supply'; expected one of posts, vacant, .*"):
        block.columns_of("supply")


def test_tables_cannot_be_written_to() -> None:
    with pytest.raises(ValueError, match="read-only"):
        graph_tables(Ruleset(3)).incidence[0, 0] = True


def test_blocks_are_the_callers_own() -> None:
    """A dict that all callers share would break whoever asks next, also the networks, once somebody takes something out."""
    ruleset = Ruleset(4)
    names = [*observation_blocks(ruleset)]
    observation_blocks(ruleset).clear()
    assert [*observation_blocks(ruleset)] == names
