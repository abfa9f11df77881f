"""A tour of what a network with structure is given: the observation as blocks, and the board as a graph.

The observation is one flat vector. `observation_blocks` cuts it into tables, of routes, cities and seats, a row for each;
`graph_tables` says how routes and cities hang together, and which route, city, seat or ability every action index concerns.

Run it: `python examples/blocks_and_graph.py --players 4`
"""

import argparse

import numpy as np

from hansa_env import Game, HansaBatch, Ruleset, graph_tables, observation_blocks
from hansa_env.engine.action_space import KINDS

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--players", type=int, default=3)
parser.add_argument("--games", type=int, default=16)
parser.add_argument("--decisions", type=int, default=60, help="random ones, before we look")
arguments = parser.parse_args()

ruleset = Ruleset(players=arguments.players)
board, graph, blocks = ruleset.board_data, graph_tables(ruleset), observation_blocks(ruleset)
batch, rng = HansaBatch(arguments.games, ruleset, seed=1, autoreset=True), np.random.default_rng(1)
for _ in range(arguments.decisions):
    batch.step((rng.random(batch.action_mask.shape) * batch.action_mask).argmax(axis=1))

# 1. Blocks are views of the flat vector: nothing is copied. They take torch tensors, too.
observations = batch.observe()  # (N, D) int8
tables = {name: block.view(observations) for name, block in blocks.items()}
print(f"the flat observations {observations.shape}, as blocks:")
for name, table in tables.items():
    fields = ", ".join(field.name for field in blocks[name].fields)
    print(f"  {name:8} {table.shape!s:14} view: {np.shares_memory(table, observations)}  fields: {fields}")

# 2. A field is some columns of its block; seat 0 is always who looks.
supply = tables["seats"][:, :, blocks["seats"].columns_of("supply")]  # (N, P, 2): traders, merchants
vacant = tables["routes"][:, :, blocks["routes"].columns_of("vacant")][:, :, 0]  # (N, R)
fullest = (graph.route_posts - vacant[0]).argmax()
print(f"game 0: I hold {supply[0, 0, 0]} traders and {supply[0, 0, 1]} merchants in my supply")
print(f"        fullest route: {board.routes[fullest].id}, {vacant[0, fullest]} of {graph.route_posts[fullest]} posts free")

# 3. The board as a graph: cities and routes are the two kinds of nodes, `incidence` (C, R) joins them.
busiest = graph.incidence.sum(axis=1).argmax()
meeting = ", ".join(board.routes[route].id for route in np.flatnonzero(graph.incidence[busiest]))
print(f"{len(board.cities)} cities, {len(board.routes)} routes; most routes meet at {board.cities[busiest].name}: {meeting}")

# 4. What an action concerns. An index names a thing; −1 stands for "none of this sort".
legal = np.flatnonzero(batch.action_mask[0])
print(f"game 0 has {len(legal)} legal actions; the first of each kind:")
for kind in np.unique(graph.action_kind[legal]):
    action = legal[graph.action_kind[legal] == kind][0]
    route, city = graph.action_route[action], graph.action_city[action]
    named = board.routes[route].id if route >= 0 else board.cities[city].name if city >= 0 else "neither route nor city"
    print(f"  {action:3} {KINDS[kind]:9} {named}: {Game.from_batch(batch, 0).describe(int(action))!r}")

# 5. Together: one round of messages between routes and cities, then a score for each action from what it concerns.
width = 8
into = {name: rng.normal(size=(table.shape[-1], width)) / table.shape[-1] for name, table in tables.items()}
nodes = {name: table @ into[name] for name, table in tables.items()}  # (N, rows, width)
routes = np.tanh(nodes["routes"] + graph.incidence.T @ nodes["cities"] + nodes["global"])  # (N, R, width)
cities = np.tanh(nodes["cities"] + graph.incidence @ nodes["routes"] + nodes["global"])  # (N, C, width)
about = np.zeros((arguments.games, batch.num_actions, width))
for concerned, features in ((graph.action_route, routes), (graph.action_city, cities), (graph.action_seat, nodes["seats"])):
    some = (concerned >= 0) & (concerned < features.shape[1])  # the neutral player is a seat without a row
    about[:, some] += features[:, concerned[some]]
kinds = rng.normal(size=(len(KINDS), width))[graph.action_kind]  # (A, width): learned, in a real network
logits = np.where(batch.action_mask, (about * kinds).sum(axis=-1), -np.inf)  # (N, A)
batch.step(logits.argmax(axis=1))
print(f"an untrained network with structure has scored {logits.shape[1]} actions in each of {len(logits)} games")
