"""Every ruleset there is, and players that come to the rarer positions of each."""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np

from hansa_agents import make_agent
from hansa_env import HansaBatch, Ruleset, RulesetError
from hansa_env.boards import printed_boards
from hansa_env.engine.action_space import segments
from hansa_env.ruleset import EDITIONS, MARKER_KINDS, PROMO_KINDS, PROMOS, PROMOS_OF_A_KIND, VARIANTS

#: How much more often a kind of thing is chosen than others: routes are claimed, offices founded, favours bought. Who saves
#: markers up can pay for favours with any of them.
EAGER = {"city": 100.0, "route": 10.0, "favour": 100.0, "ability": 10.0}
SAVING = EAGER | {"verb": 0.1, "marker": 0.02, "favour": 1000.0}
WAYS = ({}, EAGER, SAVING)
#: Of the decisions of every other game, so many are those of `greedy`, so that games come to their end by the rules.
BY_GREEDY = 0.7


@cache
def every_ruleset() -> tuple[Ruleset, ...]:
    """Every combination of players, edition, printed board, two-player variant, missions, favours and pile; of the piles that
    can be named, one with all promo markers."""
    found = {}
    for players, edition, variant, board, missions, favours, named in itertools.product(
        (2, 3, 4, 5), EDITIONS, (None, *VARIANTS), printed_boards(), (False, True), (False, "any-board"), (None, PROMOS, "all")
    ):
        pile = pile_with_promos(edition) if named == "all" else named
        try:
            ruleset = Ruleset(players, edition, variant, board, missions, favours, pile)
        except RulesetError:
            continue
        found[ruleset] = None
    return tuple(found)


@cache
def pile_with_promos(edition: str) -> tuple[str, ...]:
    """A pile of an edition in which all promo markers take the place of others."""
    own = Ruleset(3, edition)
    pile = [kind for kind, count in zip(MARKER_KINDS, own.marker_counts) for _ in range(count - (kind in own.start_markers))]
    promos = [kind for kind in PROMO_KINDS for _ in range(PROMOS_OF_A_KIND)]
    return tuple(promos + pile[::-1][: own.pile_size - len(promos)])


@cache
def by_table() -> dict[str, tuple[Ruleset, ...]]:
    """The rulesets by number of players and board."""
    groups: dict[str, list[Ruleset]] = {}
    for ruleset in every_ruleset():
        groups.setdefault(f"{ruleset.players} players, {ruleset.board}", []).append(ruleset)
    return {name: tuple(group) for name, group in groups.items()}


class MixedPlay:
    """Games of a ruleset side by side in which everything that the rules know comes about: each is played in one of WAYS, every
    other one mostly by `greedy`.

    Args:
        seed: of the games and of what is chosen.
        games: N.
    """

    def __init__(self, ruleset: Ruleset, seed: int, games: int, max_turns: int = 100) -> None:
        self.batch = HansaBatch(games, ruleset, seed=seed, max_turns=max_turns, autoreset=True)
        self._random = np.random.default_rng(seed)
        self._greedy = make_agent("greedy", ruleset, seed)
        likes = [[way.get(part.name, 1.0) for part in segments(ruleset) for _ in part.things] for way in WAYS]
        self._likes = np.array(likes)[np.arange(games) // 2 % len(WAYS)]  # (N, A)

    def step(self) -> np.ndarray:
        """A decision of every game; returns the actions (N,)."""
        batch = self.batch
        mask = batch.action_mask
        actions = np.where(mask, self._random.exponential(size=mask.shape) / self._likes, np.inf).argmin(1)
        clever = (np.arange(len(actions)) % 2 == 0) & (self._random.random(len(actions)) < BY_GREEDY)
        if clever.any():
            actions[clever] = self._greedy.act(batch.games[clever], mask[clever], batch.seat[clever])
        batch.step(actions)
        return actions
