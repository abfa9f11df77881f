"""The meta-game of a cross-play: whoever picks an agent plays it against whoever picked another.

From the win shares of pairs follows the mixture against which the best of all agents wins least, as PSRO takes it
(Lanctot et al. 2017). With more than two players that is an approximation: a seat that meets one copy of each of two
agents is taken to win the mean of what it wins among copies of either.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hansa_agents.line_ups import MatchError
from hansa_env.play.specs import AND, mixture_of, specs_in

if TYPE_CHECKING:
    from hansa_agents.benchmark.crossplay import CrossPlay


class BestMixture(NamedTuple):
    """The mixture against which the best of the agents wins least.

    Attributes:
        members: names, each as often as it is drawn; spec: of the mixture.
        shares: by name, what each agent would win against the mixture, by the shares of pairs.
    """

    members: tuple[str, ...]
    spec: str
    shares: dict[str, float]

    def as_data(self) -> dict[str, Any]:
        """As JSON data."""
        return {"spec": self.spec, "members": list(self.members), "best": self.best, "shares": self.shares}

    def in_words(self) -> str:
        """In two lines, as the command prints it."""
        return (
            f"The best mixture of {len(self.members)}: {', '.join(self.members)}. By these shares {self.best} does best "
            f"against it and wins {self.shares[self.best]:.1%}.\n{self.spec}"
        )

    @property
    def best(self) -> str:
        """Who wins most against it."""
        return max(self.shares, key=self.shares.__getitem__)


def least_exploitable(matrix: np.ndarray, size: int, allowed: Sequence[int]) -> np.ndarray:
    """How often (K,) int64 each agent is in the mixture of `size` members whose strongest opponent wins least.

    Args:
        matrix: (K, K) win shares of the row's agent among copies of the column's.
        size: members, at least 1.
        allowed: places of the agents that may be members, at least one.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    agents, columns = len(matrix), list(allowed)
    # The least t such that no row wins more than t on average; the counts are whole numbers, t is not.
    rows = np.column_stack([matrix[:, columns] / size, -np.ones(agents)])
    found = milp(
        np.append(np.zeros(len(columns)), 1.0),
        constraints=[
            LinearConstraint(rows, ub=0),
            LinearConstraint(np.append(np.ones(len(columns)), 0.0), size, size),
        ],
        integrality=np.append(np.ones(len(columns)), 0),
        bounds=Bounds(0, np.append(np.full(len(columns), size), np.inf)),
    )
    counts = np.zeros(agents, np.int64)
    counts[columns] = found.x[:-1].round().astype(np.int64)
    return counts


def places_of(members: Sequence[str], names: Sequence[str], specs: Sequence[str]) -> list[int]:
    """The places of the agents that may be members of a mixture: those of these names, or all, less those that are mixtures.

    Raises:
        MatchError: a name that is not among the agents, or nobody is left.
    """
    for name in members:
        if name not in names:
            raise MatchError(f"member {name!r} is not among the agents; expected one of: {', '.join(names)}")
    found = [place for place, name in enumerate(names) if (not members or name in members) and len(specs_in(specs[place])) == 1]
    for place in found:
        if AND in specs[place]:
            raise MatchError(f"{specs[place]!r} has {AND} in it, which stands between members of a mixture; rename the file")
    if not found:
        raise MatchError("all agents that may be members are mixtures themselves; expected at least one that is not")
    return found


def best_mixture(found: CrossPlay, size: int, members: Sequence[str] = ()) -> BestMixture:
    """The mixture of so many members whose strongest opponent, among all agents of the cross-play, wins least.

    Args:
        found: the cross-play.
        size: members; an agent that is there twice is drawn twice as often.
        members: names of the agents that may be members; () for all.

    Raises:
        MatchError: what `places_of` raises.
    """
    counts = least_exploitable(found.matrix, size, places_of(members, found.names, found.specs))
    places = np.repeat(np.arange(len(counts)), counts)
    won = found.matrix @ counts / size
    return BestMixture(
        tuple(found.names[place] for place in places), mixture_of([found.specs[place] for place in places]),
        {name: float(share) for name, share in zip(found.names, won, strict=True)},
    )  # fmt: skip
