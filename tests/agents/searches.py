"""What holds of every search: positions to ask it about, what it must not see, and how to tell whether it sees further."""

import numpy as np

from hansa_agents import make_agent
from hansa_agents.arena import play_match
from hansa_agents.search.compiled_network import Network
from hansa_env import HansaBatch, Ruleset
from hansa_env.engine import kernels
from hansa_env.engine.action_space import DONE, VERB, action_index
from hansa_env.engine.state import ASK_ACT
from hansa_env.play.agents import ask_agents


def play_on(batch: HansaBatch, greedy, rng: np.random.Generator) -> None:
    """One decision in every game, of `greedy` for the most part and any one else."""
    mask = batch.action_mask
    wild = (rng.random(mask.shape) * mask).argmax(1)
    batch.step(np.where(rng.random(len(mask)) < 0.2, wild, greedy.act(batch.games, mask, batch.seat)))


def positions(ruleset: Ruleset, count: int, decisions: int, seed: int = 1) -> HansaBatch:
    """Games some way in, played by `greedy` in part and at random in part."""
    batch, rng = HansaBatch(count, ruleset, seed=seed, autoreset=True), np.random.default_rng(seed)
    greedy = make_agent("greedy", ruleset)
    for _ in range(decisions):
        play_on(batch, greedy, rng)
    return batch


def overflowing(network: Network, logits: float) -> Network:
    """A network whose context is beyond all numbers, and whose logits are that or its opposite, as their weights are."""
    layers = {name: one for name, one in network._asdict().items() if one.dtype == np.float32}
    return network._replace(**{name: np.full_like(one, logits if "logit" in name else 3e38) for name, one in layers.items()})


def check_that_its_choice_follows_from_what_is_seen(spec: str, ruleset: Ruleset) -> None:
    """Neither the order of the hidden markers nor the batch that a game stands in changes it."""
    batch, agent = positions(ruleset, 24, 90), make_agent(spec, ruleset, 3)
    chosen = agent.act(batch.games, batch.action_mask, batch.seat)
    assert batch.action_mask[np.arange(24), chosen].all()
    others = batch.games.copy()
    kernels.reshuffle_games(others, batch.tables, np.uint64(99), 0, 24)
    others["noise"] = batch.games["noise"]
    assert (others["pile"] != batch.games["pile"]).any()
    assert (make_agent(spec, ruleset, 3).act(others, batch.action_mask, batch.seat) == chosen).all()
    rows = np.arange(0, 24, 5)
    assert (agent.act(batch.games[rows], batch.action_mask[rows], batch.seat[rows]) == chosen[rows]).all()


def check_that_it_plays_among_its_like(spec: str, players: int) -> None:
    """At a table of its own kind, where nobody else ever begins, it acts in its turns and comes to points."""
    match = play_match([f"{name}={spec}" for name in "abcde"[:players]], Ruleset(players), games=1, seed=1)
    assert not match.results[0].truncated
    assert all(row.mean_score > 5 for row in match.rows)


def passes(batch: HansaBatch) -> tuple[np.ndarray, int]:
    """The games in which the turn could be ended with actions left, though `greedy` would not, and the decision to end it."""
    done = action_index(batch.ruleset, VERB, DONE)
    greedy = make_agent("greedy", batch.ruleset).act(batch.games, batch.action_mask, batch.seat)
    asked = (batch.games["asked"] == ASK_ACT) & (batch.games["actions_left"] > 0)
    return np.flatnonzero(asked & batch.action_mask[:, done] & (greedy != done)), done


def wins_where_the_choice_matters(specs: list[str], count: int) -> list[int]:
    """In how many of so many positions the choices of agents win, `greedy` playing on.

    These are 3-player games that are nearly over, with decisions that win and decisions that lose.
    """
    ruleset = Ruleset(3)
    greedy, agents = make_agent("greedy", ruleset), [make_agent(spec, ruleset) for spec in specs]
    batch, rng = HansaBatch(256, ruleset, seed=2, autoreset=True), np.random.default_rng(2)
    wins, found = np.zeros(len(specs), int), 0
    while found < count:
        mask = batch.action_mask
        for row in np.flatnonzero(batch.games["drawn"] == batch.tables[0]["pile_size"])[:1]:
            after = {action: wins_after(ruleset, batch, row, action, greedy) for action in np.flatnonzero(mask[row])}
            if len(set(after.values())) > 1:
                found += 1
                asked = batch.games[np.full(len(specs), row)]
                wins += [after[action] for action in ask_agents(agents, np.arange(len(specs)), ruleset, asked)]
        play_on(batch, greedy, rng)
    return wins.tolist()


def wins_after(ruleset: Ruleset, batch: HansaBatch, row: int, action: int, agent) -> bool:
    """Whether the seat that decides wins by a decision, the agent playing on for everybody."""
    one, seat = HansaBatch(1, ruleset), batch.seat[row]
    one.games[:] = batch.games[row]
    one.step(np.array([action]))
    while not one.ended[0]:
        one.step(agent.act(one.games, one.action_mask, one.seat))
    return bool(one.winners()[0, seat])
