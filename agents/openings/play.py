"""The games: agents play each other, and the first decisions of every game are kept with who won it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from hansa_env import Agent, HansaBatch, Ruleset
from hansa_env.engine.kernels import NO_ACTION
from hansa_env.engine.state import OVER
from hansa_env.play.arguments import MAX_TURNS
from hansa_env.play.errors import AgentFault
from hansa_env.play.loop import asking, play_rows
from hansa_env.play.result import win_shares

#: Games that are played together; their number is part of what the seed means.
PART = 512
NOTHING = -1


class Begun(NamedTuple):
    """The first decisions of games.

    Attributes:
        seeds: (N,) uint64, of the games.
        keys: (N, D + 1) uint64, the position before each decision and after the last, by what everybody sees.
        actions: (N, D) int16, NOTHING where the game was over before; seats: (N, D) int8, who decided.
        wins: (N, P) float32, by seat, a shared win in parts.
    """

    seeds: np.ndarray
    keys: np.ndarray
    actions: np.ndarray
    seats: np.ndarray
    wins: np.ndarray


def play_beginnings(
    ruleset: Ruleset, agents: Sequence[Agent], games: int, seed: int, depth: int, on_played: Callable[[int], object]
) -> tuple[Begun, AgentFault | None]:
    """Play games whole, each seat's agent drawn from `agents`; the same seed gives the same games.

    Ctrl-C, or an agent that fails, ends the playing after the last part that is whole, if there is one.

    Args:
        depth: decisions that are kept of each.
        on_played: called with how many games are over.

    Returns:
        The games, and how an agent failed if that ended them.

    Raises:
        KeyboardInterrupt, AgentFault: before the first part was whole.
    """
    parts: list[Begun] = []
    failed = None
    done = 0
    try:
        for number in range(-(-games // PART)):
            count = min(PART, games - done)
            parts.append(_part(ruleset, agents, count, np.random.default_rng([seed, number]), depth, done, on_played))
            done += count
    except (KeyboardInterrupt, AgentFault) as error:
        if not parts:
            raise
        failed = error if isinstance(error, AgentFault) else None
    return Begun(*(np.concatenate(each) for each in zip(*parts))), failed


def _part(
    ruleset: Ruleset, agents: Sequence[Agent], count: int, random: np.random.Generator, depth: int, before: int,
    on_played: Callable[[int], object],
) -> Begun:  # fmt: skip
    seeds = random.integers(2**63, size=count).astype(np.uint64)
    who = random.integers(len(agents), size=(count, ruleset.players))
    batch = HansaBatch(count, ruleset, seeds=seeds.tolist(), max_turns=MAX_TURNS)
    ask = asking(batch, agents, who)
    keys = np.zeros((count, depth + 1), np.uint64)
    actions, seats = np.full((count, depth), NOTHING, np.int16), np.zeros((count, depth), np.int8)
    keys[:, 0], step, over = batch.hashes(), 0, 0
    while len(rows := np.flatnonzero(batch.games["asked"] != OVER)):
        if step < depth:
            seats[rows, step] = batch.games["seat"][rows]
        found = play_rows(batch, rows, ask)
        if step < depth:
            actions[rows, step] = found
            keys[:, step + 1] = batch.hashes()
        step += 1
        if count - len(rows) != over:
            over = count - len(rows)
            on_played(before + over)
    on_played(before + count)
    return Begun(seeds, keys, actions, seats, win_shares(batch.ranks()).astype(np.float32))


def dealt_again(ruleset: Ruleset, begun: Begun, rows: np.ndarray, on_position: Callable[[int, np.ndarray], object]) -> None:
    """Play the kept decisions of some games once more, and show the records (K,) before each of them.

    Args:
        rows: (K,) which games.
        on_position: called with the number of decisions played by then, and the records.
    """
    batch = HansaBatch(len(rows), ruleset, seeds=begun.seeds[rows].tolist(), max_turns=MAX_TURNS)
    for step in range(begun.actions.shape[1]):
        on_position(step, batch.games)
        actions = begun.actions[rows, step].astype(np.int64)
        batch.step_legal(np.where(actions == NOTHING, NO_ACTION, actions))
