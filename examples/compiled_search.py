"""A tree search in compiled code of one's own, on the compiled engine: UCT (Kocsis and Szepesvári 2006) for several players.

Run it: `python examples/compiled_search.py --simulations 4000 --games 12`
The command finds it too: `cd examples; hansa arena compiled_search:UCT greedy --players 3 --games 12`
"""

import argparse
import math
import time
from typing import NamedTuple

import numpy as np

from hansa_agents import uniform_numbers
from hansa_agents.arena import play_match
from hansa_agents.report import print_match
from hansa_env import Agent, HansaBatch, Ruleset, compiled

CURIOSITY, CAUTION, LEAD = 0.15, 0.05, 20.0  # of UCB1; of what is untried below its node's mean; points of a lead worth a win


class Room(NamedTuple):
    """What a search of M simulations works in; node 0 is the root, and each simulation adds one."""

    games: np.ndarray  # (2,): the root, and the game that is played on
    after: np.ndarray  # (M + 1, A) int32: the node that follows an action, 0 = none yet
    visits: np.ndarray  # (M + 1,) int64
    worths: np.ndarray  # (M + 1, P) float64: of all simulations together, to each seat
    path: np.ndarray  # (M + 2,) int64: the nodes of a simulation
    scores: np.ndarray  # (P, K) int64


@compiled.kernel
def most_promising(game, room, node, word):
    """The legal action with the highest upper bound for the seat that decides; of those untried, one by a random word."""
    seat, visits = compiled.deciding_seat(game), max(1, room.visits[node])
    untried, width = room.worths[node, seat] / visits - CAUTION, CURIOSITY * math.sqrt(math.log(visits + 1))
    count, best, best_bound = compiled.num_legal(game), -1, -np.inf
    first = compiled.below(word, count)
    for i in range(count):
        action = compiled.nth_legal(game, (first + i) % count)
        child = room.after[node, action]
        bound = untried + width
        if child:
            bound = room.worths[child, seat] / room.visits[child] + width / math.sqrt(room.visits[child])
        if bound > best_bound:
            best, best_bound = action, bound
    return best


@compiled.kernel
def search(room, tables, simulations, playout, seed):
    """The action of the root that is visited most after so many simulations, each ended by `playout` random decisions."""
    rules, game, state, made = tables[0], room.games[1], seed, 1
    room.after[0], room.visits[0], room.worths[0] = 0, 0, 0.0
    for _ in range(simulations):
        compiled.copy(room.games, 1, 0)
        state = compiled.next_state(state)
        compiled.reshuffle(game, rules, compiled.random_word(state))  # the search must not know what nobody knows
        node, length, room.path[0] = 0, 1, 0
        while not compiled.is_over(game):
            state = compiled.next_state(state)
            action = most_promising(game, room, node, compiled.random_word(state))
            compiled.step(game, rules, action)
            known, node = room.after[node, action], made
            if known:
                node = known
            else:
                room.after[room.path[length - 1], action] = made
                room.after[made], room.visits[made], room.worths[made] = 0, 0, 0.0
                made += 1
            room.path[length], length = node, length + 1
            if not known:
                break
        for _ in range(playout):
            if compiled.is_over(game):
                break
            state = compiled.next_state(state)
            compiled.step(game, rules, compiled.pick_legal(game, compiled.random_word(state)))
        compiled.scores(game, rules, room.scores)
        for seat in range(len(room.scores)):
            best_other = -1000
            for other in range(len(room.scores)):
                if other != seat:
                    best_other = max(best_other, room.scores[other, -1])
            worth = max(-1.0, min(1.0, (room.scores[seat, -1] - best_other) / LEAD))
            for depth in range(length):
                room.worths[room.path[depth], seat] += worth
        for depth in range(length):
            room.visits[room.path[depth]] += 1
    best = -1
    for i in range(compiled.num_legal(room.games[0])):
        action = compiled.nth_legal(room.games[0], i)
        child = room.after[0, action]
        if child and (best < 0 or room.visits[child] > room.visits[room.after[0, best]]):
            best = action
    return best


class UCT(Agent):
    """Plays what the search finds."""

    sees, name = "games", "uct"

    def __init__(self, ruleset: Ruleset, seed: int = 0, simulations: int = 2000, playout: int = 60) -> None:
        self.seed, self.simulations, self.playout = seed, simulations, playout
        self.tables, nodes = compiled.tables_of(ruleset), simulations + 1
        self.room = Room(
            games=compiled.new_games(2),
            after=np.zeros((nodes, compiled.num_actions(ruleset)), np.int32),
            visits=np.zeros(nodes, np.int64),
            worths=np.zeros((nodes, ruleset.players)),
            path=np.zeros(nodes + 1, np.int64),
            scores=np.zeros((ruleset.players, len(compiled.score_columns(ruleset))), np.int64),
        )

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Actions (N,) for game records (N,); random numbers belong to the game and its moment, not to the row."""
        words = (uniform_numbers(inputs, self.seed, 1)[:, 0] * 2**53).astype(np.uint64)
        actions = np.full(len(inputs), -1)
        for row in np.flatnonzero(masks.any(axis=1)):
            self.room.games[0] = inputs[row]
            actions[row] = search(self.room, self.tables, self.simulations, self.playout, words[row])
        return actions


@compiled.kernel
def play_random(games, tables, decisions, state):
    """Play so many random decisions in each game, one after the other, from a random state; an ended one is dealt anew."""
    for i in range(len(games)):
        for _ in range(decisions):
            state = compiled.next_state(state)
            compiled.step(games[i], tables[0], compiled.pick_legal(games[i], compiled.random_word(state)))
            if compiled.is_over(games[i]):
                compiled.deal(games[i], tables[0], compiled.next_seed(games[i]), 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--simulations", type=int, default=2000)
    parser.add_argument("--playout", type=int, default=60, help="random decisions after each simulation")
    parser.add_argument("--against", default="random", help="the other agents; several with commas")
    parser.add_argument("--games", type=int, default=6)
    parser.add_argument("--decisions", type=int, default=2_000_000, help="random ones, by which the engine is timed")
    arguments = parser.parse_args()

    ruleset = Ruleset(players=arguments.players)
    games, tables = HansaBatch(64, ruleset, seed=1).games.copy(), compiled.tables_of(ruleset)
    play_random(games, tables, 2000, np.uint64(1))  # compiles, once; and the games come to all ages
    began = time.perf_counter()
    play_random(games, tables, arguments.decisions // len(games), np.uint64(2))
    print(f"interface version {compiled.VERSION}: {arguments.decisions / (time.perf_counter() - began):,.0f} decisions/s")

    others = (arguments.against.split(",") * arguments.players)[: arguments.players - 1]
    agent = UCT(ruleset, 0, arguments.simulations, arguments.playout)
    print_match(play_match([agent, *others], ruleset, arguments.games, seed=1))


if __name__ == "__main__":
    main()
