"""The tree search: what it must see, what it must not, and how its nodes come to their worth."""

from itertools import count

import numpy as np
import pytest
from numba import njit

from hansa_agents import AgentError, make_agent
from hansa_agents.arena import play_match
from hansa_agents.search import nodes, tree
from hansa_agents.search.compiled_network import network_of
from hansa_agents.search.evaluation import evaluate
from hansa_agents.search.mind import mind_of
from hansa_agents.search.nodes import BACKUPS, MAXN, MEAN, NONE, PARANOID, Tree, new_tree
from hansa_agents.search.puct import Settings, answer, follow, grow, new_workspace, nothing_found, select
from hansa_agents.search.tree import BETWEEN_LOOKS, TreeAgent
from hansa_env import Game, HansaBatch, Ruleset
from hansa_env.engine.compile import kernel
from hansa_env.engine.identity import same_position
from hansa_env.play.agents import observations_of
from hansa_env.play.estimates import estimate_games
from hansa_env.play.weighing import with_only
from tests.agents.searches import (
    check_that_it_plays_among_its_like,
    check_that_its_choice_follows_from_what_is_seen,
    overflowing,
    passes,
    positions,
    wins_where_the_choice_matters,
)
from tests.shares import one_in

SMALL = "tree:sims=60"
PLAYERS = range(2, 6)


@pytest.mark.parametrize("players", PLAYERS)
def test_its_choice_does_not_depend_on_the_hidden_markers_nor_on_the_batch(players: int) -> None:
    check_that_its_choice_follows_from_what_is_seen(SMALL, Ruleset(players))


def test_a_best_response_knows_no_more() -> None:
    check_that_its_choice_follows_from_what_is_seen(f"{SMALL},others=policy", Ruleset(3))


@kernel
def answered(games, mind, workspace, seat):
    answer(games[0], mind, workspace, seat)


@pytest.mark.slow  # a minute, in which all rules are compiled once more; the next one comes to them by what is compiled
@pytest.mark.parametrize("players", PLAYERS)
def test_in_the_tree_of_a_best_response_the_others_answer_as_the_agent_would(players: int) -> None:
    ruleset = Ruleset(players)
    batch, agent, network = positions(ruleset, 12, 90), make_agent("ppo", ruleset), network_of(ruleset)
    given = mind_of(ruleset, "greedy", network), new_workspace(network, 1)
    asked = 0
    for row in range(len(batch.games)):
        by_hand = HansaBatch.holding(ruleset, batch.games[[row]].copy(), int(batch.games[row]["turn_limit"]))
        root = int((by_hand.seat[0] + 1) % players)
        begun = by_hand.games.copy()
        while not by_hand.ended[0] and by_hand.seat[0] != root:
            by_hand.step(agent.act(by_hand.observe(), by_hand.action_mask, by_hand.seat))
            asked += 1
        answered(begun, *given, root)
        assert begun.tobytes() == by_hand.games.tobytes()
    assert asked > 12


def test_in_the_tree_of_a_best_response_the_others_have_answered_before_it_is_judged() -> None:
    """The game of the second simulation, which `greedy` has played on, is one that `greedy` comes to after those answers."""
    ruleset = Ruleset(3)
    batch, network = positions(ruleset, 30, 90), network_of(ruleset)
    batch.games["pile"][batch.games["pile"] >= 0] = 0  # all alike, so that their order makes no difference
    agent, greedy = make_agent("ppo:1", ruleset), make_agent("greedy", ruleset)
    found = {True: 0, False: 0}
    for row, root in enumerate(batch.seat):
        found_there, workspace = nothing_found((batch.num_actions,), 3), new_workspace(network, 2)
        tree = TreeAgent(ruleset, sims=2, style="greedy", others="policy")
        mind = mind_of(ruleset, "greedy", network)
        grow(batch.games, row, mind, np.uint64(7), 0, 2, False, tree.settings, workspace, found_there)
        for answers in found:
            by_hand = HansaBatch.holding(ruleset, batch.games[[row]].copy(), int(batch.games[row]["turn_limit"]))
            by_hand.step(np.array([found_there.visits.argmax()]))
            while answers and not by_hand.ended[0] and by_hand.seat[0] != root:
                by_hand.step(agent.act(by_hand.observe(), by_hand.action_mask, by_hand.seat))
            for _ in range(80):
                if same_position(by_hand.games, workspace.games)[0]:
                    found[answers] += 1
                    break
                if by_hand.ended[0]:
                    break
                by_hand.step(greedy.act(by_hand.games, by_hand.action_mask, by_hand.seat))
    assert found[True] == 30 > found[False]


@pytest.mark.slow
def test_other_seeds_try_other_things() -> None:
    ruleset = Ruleset(3)
    batch = positions(ruleset, 60, 90)
    one, other = (TreeAgent(ruleset, seed, sims=60).search(batch.games, batch.action_mask)[0] for seed in (3, 4))
    assert (one != other).any()


@pytest.mark.parametrize("sims", [7, 60])
def test_what_is_settled_is_searched_no_further_and_decided_alike(sims: int) -> None:
    """The search ends as soon as the second could not come past the first, though it got all that is left."""
    batch = positions(Ruleset(3), 24, 90)
    agent = TreeAgent(batch.ruleset, 3, sims=sims)
    whole, _ = agent.search(batch.games, batch.action_mask)
    short, _ = agent.search(batch.games, batch.action_mask, settled=True)
    several = batch.action_mask.sum(axis=1) > 1
    assert (short.argmax(axis=1) == whole.argmax(axis=1)).all() and (short <= whole).all()
    assert (agent.act(batch.games, batch.action_mask, batch.seat) == whole.argmax(axis=1))[several].all()
    second, first = np.sort(short, axis=1)[:, -2:].T
    left = sims - 1 - short.sum(axis=1)
    assert (left > 0).sum() > 10 and (first - second > left)[left > 0].all()
    assert (first - second <= left + 2)[left > 0].all(), "a visit before it was not settled yet"


@pytest.mark.parametrize(
    ("spec", "players"), [("tree:sims=4", 3), *(("tree:sims=4,style=greedy", players) for players in PLAYERS)]
)
def test_it_plays_whole_games_and_wins_them_from_random(spec: str, players: int) -> None:
    match = play_match([spec] + ["random"] * (players - 1), Ruleset(players), games=players, seed=5)
    share = {row.agent: row.share for row in match.rows}
    assert share[spec] == 1


def test_among_its_like_it_does_not_wait() -> None:
    check_that_it_plays_among_its_like("tree:sims=4", 3)


def test_it_does_not_think_of_passing_with_actions_left_where_the_style_does_not() -> None:
    batch = positions(Ruleset(3), 100, 90)
    rows, done = passes(batch)
    visits, _ = TreeAgent(batch.ruleset, sims=150, style="greedy").search(batch.games[rows], batch.action_mask[rows])
    assert len(rows) > 25 and not visits[:, done].any()


@pytest.mark.parametrize("backup", one_in(3, BACKUPS))
def test_all_simulations_but_the_first_try_a_decision(backup: str) -> None:
    """The first one judges the position itself."""
    ruleset = Ruleset(3)
    batch = positions(ruleset, 20, 90)
    visits, worths = TreeAgent(ruleset, sims=90, backup=backup).search(batch.games, batch.action_mask)
    assert (visits.sum(1) == 89).all() and not visits[~batch.action_mask].any()
    assert (np.isnan(worths) == (visits == 0)[:, :, None]).all() and worths.shape[2] == 3


def test_where_there_is_no_choice_there_is_no_search() -> None:
    ruleset = Ruleset(3)
    batch = positions(ruleset, 3, 90)
    masks = np.zeros_like(batch.action_mask)
    illegal = [int(np.flatnonzero(~mask)[0]) for mask in batch.action_mask[:2]]  # which no search would find
    masks[np.arange(2), illegal] = True
    assert TreeAgent(ruleset, sims=90).act(batch.games, masks, batch.seat).tolist() == [*illegal, -1]


@pytest.mark.parametrize("spec", [SMALL, "rollout:screen_sims=1,top_k=1,final_sims=4"])
def test_what_it_would_not_look_at_it_values_where_nothing_else_is_legal(spec: str) -> None:
    """Passing with actions left, which a tree leaves out, and the last of the other decisions."""
    batch = positions(Ruleset(3), 100, 90)
    rows, done = passes(batch)
    games = batch.games.take(rows)
    taken = [*[done] * (len(rows) // 2), *(int(np.flatnonzero(mask)[-1]) for mask in batch.action_mask[rows[len(rows) // 2 :]])]
    for row, action in enumerate(taken):
        games[row] = with_only(batch.ruleset, games[row], Game.from_state(batch.ruleset, games[row]).describe(action))
    found = estimate_games(make_agent(spec, batch.ruleset), batch.ruleset, games)
    assert found is not None and found.decision_values is not None
    every = np.arange(len(rows))
    assert len(rows) > 25 and (found.shares[every, taken] == 1).all()
    values = found.decision_values[every, taken]
    assert ((values >= 0) & (values <= 1)).all() and len(set(values.tolist())) > 3


def test_with_seconds_it_thinks_for_so_long(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = count(0.0, 0.1)  # a tenth of a second goes by between two looks at it
    monkeypatch.setattr(tree, "perf_counter", lambda: next(clock))
    ruleset = Ruleset(3)
    batch = positions(ruleset, 20, 90)
    row = [int(batch.action_mask.sum(1).argmax())]
    short, long = (
        TreeAgent(ruleset, seconds=seconds).search(batch.games[row], batch.action_mask[row])[0].sum()
        for seconds in (1e-6, 0.45)
    )
    assert (short, long) == (BETWEEN_LOOKS - 1, 5 * BETWEEN_LOOKS - 1), "the first decides nothing"


def test_where_it_only_explores_it_does_what_the_network_would() -> None:
    ruleset = Ruleset(3)
    batch = positions(ruleset, 50, 90)
    given = batch.games, batch.action_mask, batch.seat
    trusting, even = (
        make_agent(f"tree:sims=24,style=greedy,prior_weight={trust},c_puct=1000", ruleset).act(*given) for trust in (1, 0)
    )
    network = make_agent("ppo:1", ruleset).act(*map(np.copy, (observations_of(ruleset, batch.games), *given[1:])))
    assert (trusting == network).mean() > 0.9 > (even == network).mean()


@pytest.mark.slow
def test_other_styles_play_on_otherwise() -> None:
    ruleset = Ruleset(3)
    batch = positions(ruleset, 50, 90)
    agents = [make_agent(f"{SMALL},style={style}", ruleset) for style in ("greedy", "network", "policy")]
    one, other, third = (agent.search(batch.games, batch.action_mask)[0] for agent in agents)
    assert (one != other).any() and (other != third).any() and (one != third).any()


@pytest.mark.slow
def test_the_network_plays_on_from_the_leaves_of_today_and_greedy_from_those_of_earlier_versions() -> None:
    ruleset = Ruleset(3)
    batch = positions(ruleset, 50, 90)

    def visits(spec: str) -> np.ndarray:
        return make_agent(f"{SMALL},{spec}", ruleset).search(batch.games, batch.action_mask)[0]

    assert (visits("style=") == visits("style=policy")).all()
    assert (visits("network=0.2") == visits("network=0.2,style=greedy")).all()
    assert (visits("network=0.2") != visits("network=0.2,style=policy")).any()


@kernel
def followed(games, i, mind, workspace, by_policy, is_judged):
    if is_judged:
        evaluate(games[i], mind.tables[0], mind.network, workspace.scratch, games[i]["seat"])
    return follow(games[i], mind, workspace, by_policy, is_judged)


@pytest.mark.slow  # half a minute, in which all rules are compiled once more
def test_who_plays_on_from_a_leaf_is_the_network_or_greedy() -> None:
    ruleset = Ruleset(3)
    batch, network = positions(ruleset, 100, 90), network_of(ruleset)
    mind, workspace = mind_of(ruleset, "greedy", network), new_workspace(network, 1)
    by_network, by_greedy, after_judging = (
        np.array([followed(batch.games, i, mind, workspace, *how) for i in range(len(batch.games))])
        for how in ((True, False), (False, False), (True, True))
    )
    seen = observations_of(ruleset, batch.games), batch.action_mask, batch.seat
    assert (by_network == make_agent("ppo:1", ruleset).act(*seen)).mean() > 0.97  # its weights are rounded
    assert (by_greedy == make_agent("greedy", ruleset).act(batch.games, *seen[1:])).all()
    assert (by_network != by_greedy).mean() > 0.1
    assert (after_judging == by_network).all()
    for logits in (-3e38, 3e38):
        other = mind._replace(network=overflowing(network, logits))
        for i, legal in enumerate(batch.action_mask):
            assert legal[followed(batch.games, i, other, workspace, True, False)]


@pytest.mark.slow
def test_its_choices_win_more_of_the_games_that_are_nearly_over() -> None:
    """Where some decisions win and others lose while `greedy` plays on, the network that it thinks with is the worse guide; and
    so is `greedy` itself, when the tree trusts nobody beforehand."""
    by_greedy = "tree:sims=200,style=greedy,network=0.2"  # a network that stays: what ships says nothing of the search
    specs = ["greedy", "ppo:0.2", by_greedy, f"{by_greedy},prior_weight=0,c_puct=1"]
    by_greedy, by_network, by_tree, by_all_alike = wins_where_the_choice_matters(specs, 60)
    assert by_tree > by_network > 0
    assert by_all_alike >= 0.9 * 60 and by_all_alike > by_greedy


@njit
def back_up(tree, path, deciders, worths, backup):
    nodes.back_up(tree, path, deciders, path.size - 1, worths, backup)


@njit
def add_node(tree):
    return nodes.add_node(tree)


def grown(*parents: int) -> Tree:
    """A tree of a root and nodes that follow these nodes, in the order in which they were added."""
    tree = new_tree(1 + len(parents))
    tree.thought[add_node(tree)] = 0
    for parent in parents:
        node = add_node(tree)
        tree.follows[parent, tree.thought[parent]] = node
        tree.thought[parent] += 1
        tree.thought[node] = 0
    return tree


def after_four_simulations(backup: int) -> np.ndarray:
    """The worths (4 nodes, 3 seats) of a tree in which seat 0 has one decision, and seat 1 then one of two."""
    tree, (root, own, kind, harsh) = grown(0, 1, 1), range(4)
    worths, deciders = np.zeros(tree.worths.shape[1]), np.array([0, 1, 2])
    for path, came in (([root], (0, 0, 0)), ([root, own], (0.1, 0, 0)), ([root, own, kind], (0.6, 0.5, 0.1)),
                       ([root, own, harsh], (-0.4, 0.3, 0.2))):  # fmt: skip
        worths[:3] = came
        back_up(tree, np.array(path), deciders, worths, backup)
    assert tree.visits.tolist() == [4, 3, 1, 1]
    return tree.worths[:, :3]


def test_the_mean_is_that_of_all_simulations_through_a_node() -> None:
    root, own, kind, harsh = after_four_simulations(MEAN)
    assert root == pytest.approx([0.3 / 4, 0.8 / 4, 0.3 / 4]) and own == pytest.approx([0.1, 0.8 / 3, 0.1])
    assert kind.tolist() == [0.6, 0.5, 0.1] and harsh.tolist() == [-0.4, 0.3, 0.2]


def test_of_two_decisions_each_seat_takes_what_is_best_for_itself() -> None:
    root, own, kind, _ = after_four_simulations(MAXN)
    assert root.tolist() == own.tolist() == kind.tolist()


def test_the_paranoid_expects_what_is_worst_for_the_root() -> None:
    root, own, _, harsh = after_four_simulations(PARANOID)
    assert root.tolist() == own.tolist() == harsh.tolist()


def test_what_was_judged_here_and_gone_through_elsewhere_keeps_the_mean() -> None:
    """A node at which one simulation ended and another went on: the first is not forgotten for the best that follows."""
    tree, (root, own, kind, _) = grown(0, 1, 1), range(4)
    seats, deciders = tree.worths.shape[1], np.array([0, 1, 2])
    back_up(tree, np.array([root, own, kind]), deciders, np.full(seats, 0.8), MAXN)
    assert tree.worths[own, 0] == pytest.approx(0.8)
    back_up(tree, np.array([root, own]), deciders, np.full(seats, 0.2), MAXN)
    assert tree.worths[own, 0] == pytest.approx(0.5)


@kernel
def choose(games, tables, tree, root_seat, settings):
    return select(games[0], tables[0], tree, 0, root_seat, settings)


def chosen(backup: str = "mean", root_seat: int | None = None, **settings: float) -> int:
    """Which of three decisions is followed at a node with 9 visits and worth 0.1 to all: the first is not legal, the second
    was visited 8 times and is worth 0.3 to who decides and 0.5 to the next seat, the third has not been tried."""
    batch = positions(Ruleset(3), 20, 90)
    row = int(batch.action_mask.sum(1).argmax())
    legal, seat = np.flatnonzero(batch.action_mask[row]), int(batch.seat[row])
    tree = new_tree(2)
    node, child = add_node(tree), add_node(tree)
    tree.thought[node], tree.visits[node], tree.worths[node] = 3, 9, 0.1
    tree.actions[node, :3] = np.flatnonzero(~batch.action_mask[row])[0], legal[0], legal[1]
    tree.shares[node, :3], tree.follows[node, :3] = (0.8, 0.1, 0.1), (NONE, child, NONE)
    tree.visits[child], tree.worths[child, seat], tree.worths[child, (seat + 1) % 3] = 8, 0.3, 0.5
    given = Settings(BACKUPS.index(backup), 0.5, settings.get("c_puct", 1.0), settings.get("fpu_reduction", 0.1), True, False)
    return choose(batch.games[[row]], batch.tables, tree, seat if root_seat is None else (seat + root_seat) % 3, given)


def test_what_is_followed_weighs_worth_visits_and_probability() -> None:
    """By hand, with the roots of visits 3: 0.3 + 3c · 0.1 / 9 for what is known, 0.1 − reduction + 3c · 0.1 for what is not."""
    assert chosen(c_puct=1.1) == 1 and chosen(c_puct=1.2) == 2  # equal at 0.3 = 0.2667 c, so at 1.125
    assert chosen(c_puct=0.8, fpu_reduction=0.0) == 2 and chosen(c_puct=0.7, fpu_reduction=0.0) == 1  # equal at 0.75
    assert chosen(c_puct=0.0) == 1


def test_the_paranoid_follows_what_it_fears() -> None:
    """To another seat than its own, what is known is worth −0.5 to the root, and what is not −0.1 − reduction."""
    assert chosen("paranoid", root_seat=1, c_puct=0.0) == 2
    assert chosen("paranoid", root_seat=0, c_puct=0.0) == 1


def test_where_nothing_that_was_thought_of_is_legal_nothing_is_followed() -> None:
    batch, tree = positions(Ruleset(3), 1, 90), new_tree(1)
    tree.thought[add_node(tree)], tree.actions[0, 0] = 1, np.flatnonzero(~batch.action_mask[0])[0]
    assert choose(batch.games, batch.tables, tree, 0, Settings(MEAN, 0.5, 1.0, 0.1, True, False)) == NONE


def test_what_is_hardly_visited_is_not_yet_the_best() -> None:
    tree, (root, known, promising) = grown(0, 0), range(3)
    seats = tree.worths.shape[1]
    deciders = np.array([0, 1])
    for _ in range(9):
        back_up(tree, np.array([root, known]), deciders, np.full(seats, 0.2), MAXN)
    back_up(tree, np.array([root, promising]), deciders, np.full(seats, 0.9), MAXN)
    assert tree.worths[root, 0] == pytest.approx(0.2)
    for _ in range(2):
        back_up(tree, np.array([root, promising]), deciders, np.full(seats, 0.9), MAXN)
    assert tree.worths[root, 0] == pytest.approx(0.9)


def test_the_shares_of_its_estimate_are_those_of_the_visits() -> None:
    ruleset = Ruleset(3)
    batch, agent = positions(ruleset, 24, 90), TreeAgent(ruleset, 3, sims=60)
    found = estimate_games(agent, ruleset, batch.games)
    assert found is not None and found.values is not None and found.decision_values is not None
    assert found.shares.sum(1) == pytest.approx(1)
    assert (np.isnan(found.decision_values) == (found.shares == 0)).all()
    least, most = np.nanmin(found.decision_values, 1), np.nanmax(found.decision_values, 1)
    assert (found.values >= least - 1e-6).all() and (found.values <= most + 1e-6).all()
    assert ((found.shares > 0).sum(1) > 1).sum() > 5, "it tries more than one decision nearly everywhere"


@pytest.mark.parametrize(("spec", "said"), [
    ("tree:sims=1", "tree: sims is 1; expected a whole number from 2 to 200,000"),
    ("tree:sims=200001", "tree: sims is 200001; expected a whole number from 2 to 200,000"),
    ("tree:others=policy,backup=paranoid", "where nobody else decides in the tree, with backup=paranoid; expected one of them"),
    ("tree:backup=sum", "tree: backup is 'sum'; expected mean, maxn, paranoid"),
    ("tree:others=best", "tree: others is 'best'; expected search, policy"),
    ("tree:prior_weight=1.5", "tree: prior_weight is 1.5; expected a number from 0 to 1"),
    ("tree:c_puct=-1", "c_puct is -1.0; expected a number from 0 to 1,000,000,000"),
    ("tree:seconds=long", "seconds is 'long'; expected a number"),
    ("tree:width=3", "unknown option 'width=3'; expected NAME=VALUE with style, sims, seconds, backup, prior_weight,"),
    ("tree:style=fast", "unknown style 'fast'"),
])  # fmt: skip
def test_what_is_wrong_with_its_options_is_said(spec: str, said: str) -> None:
    with pytest.raises(AgentError, match=said):
        make_agent(spec, Ruleset(3))


def test_miniatures_have_no_network() -> None:
    with pytest.raises(AgentError, match=r"tree: no trained agent for 3 .* comes with this version; train one: hansa train"):
        make_agent("tree", Ruleset(3, board="miniature-3"))
