"""Values of a graph of positions by backward induction, a turn at a time, and how often each node is come to; compiled."""

from __future__ import annotations

import numpy as np

from hansa_agents.solved.kernels.expand import CHANCE, NO_CUT
from hansa_env.engine.compile import inner, kernel

#: Values that differ by less are equal: what comes of adding up in another order is much smaller.
EQUAL = 1e-9
FOLLOW, BEST = range(2)


@kernel
def order_nodes(begins, sources, left, order):
    """Put every node behind those that follow from it within a turn.

    Args:
        begins (N + 1,), sources: the edges that lead into node n within a turn leave sources[begins[n]] .. of begins[n + 1].
        left: (N,) how many such edges leave each node; changed.
        order: (N,) written.

    Returns how many nodes could be put: all, if no turn comes back to where it was.
    """
    end = 0
    for node in range(left.size):
        if left[node] == 0:
            order[end] = node
            end += 1
    done = 0
    while done < end:
        node = order[done]
        done += 1
        for edge in range(begins[node], begins[node + 1]):
            left[sources[edge]] -= 1
            if left[sources[edge]] == 0:
                order[end] = sources[edge]
                end += 1
    return done


@inner
def worth_of_edge(target, cut, edge, outcomes, before, now, last_turn, seat):
    """What follows from an edge is worth to a seat."""
    if target[edge] < 0:
        return outcomes[-1 - target[edge], seat]
    if cut[edge] == NO_CUT:
        return now[target[edge], seat]
    if last_turn:
        return outcomes[cut[edge], seat]
    return before[target[edge], seat]


@kernel
def sweep(kinds, first, target, cut, order, outcomes, policy, best, before, now, last_turn):
    """The worth of every node to every seat with so many turns left, from that with one turn less.

    Args:
        kinds, first, target, cut, order: of the graph.
        outcomes: (2**P, P) shares of the win by set of winners.
        policy: (E,) how likely each edge is; looked at where chance or a seat that follows it decides.
        best: (P,) BEST, the seat takes what is worth most to itself, at random where several are; FOLLOW, it follows `policy`.
        before: (N, P) with one turn less; now: (N, P) written.
        last_turn: whether the turn under way is the last.
    """
    players = best.size
    for place in range(order.size):
        node = order[place]
        decider = kinds[node]
        for seat in range(players):
            now[node, seat] = 0.0
        if decider == CHANCE or best[decider] == FOLLOW:
            for edge in range(first[node], first[node + 1]):
                for seat in range(players):
                    worth = worth_of_edge(target, cut, edge, outcomes, before, now, last_turn, seat)
                    now[node, seat] += policy[edge] * worth
            continue
        most, count = -1.0, 0
        for edge in range(first[node], first[node + 1]):
            most = max(most, worth_of_edge(target, cut, edge, outcomes, before, now, last_turn, decider))
        for edge in range(first[node], first[node + 1]):
            if worth_of_edge(target, cut, edge, outcomes, before, now, last_turn, decider) > most - EQUAL:
                count += 1
                for seat in range(players):
                    now[node, seat] += worth_of_edge(target, cut, edge, outcomes, before, now, last_turn, seat)
        for seat in range(players):
            now[node, seat] /= count


@kernel
def weigh_edges(kinds, first, target, cut, outcomes, before, now, last_turn, worths):
    """What each edge is worth to who decides on it into worths (E,); 0 behind chance."""
    for node in range(kinds.size):
        for edge in range(first[node], first[node + 1]):
            worths[edge] = 0.0
            if kinds[node] != CHANCE:
                worths[edge] = worth_of_edge(target, cut, edge, outcomes, before, now, last_turn, kinds[node])


@kernel
def spread(first, target, cut, order, policy, now, after):
    """How likely each node is come to: from those of the turn under way, now (N,), changed, to the next turn's, after (N,)."""
    for place in range(order.size - 1, -1, -1):
        node = order[place]
        if now[node] == 0.0:
            continue
        for edge in range(first[node], first[node + 1]):
            if target[edge] < 0:
                continue
            if cut[edge] == NO_CUT:
                now[target[edge]] += policy[edge] * now[node]
            else:
                after[target[edge]] += policy[edge] * now[node]


def shares_of_winners(players: int) -> np.ndarray:
    """(2**P, P) float64: the share of the win of each seat, by the set of winners (R7.9)."""
    outcomes = np.zeros((1 << players, players))
    for winners in range(1, 1 << players):
        seats = [seat for seat in range(players) if winners >> seat & 1]
        outcomes[winners, seats] = 1 / len(seats)
    return outcomes
