"""A mixture: each seat of each game is played by one of several agents, drawn at random.

Whoever learns to beat one agent of fixed decisions finds a hole in that one. A mixture has only the holes that its members
share: the mixed strategies of fictitious play and PSRO (Brown 1951; Lanctot et al. 2017).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hansa_agents.model_hash import hash_of_arrays, model_hash_of
from hansa_agents.streams import draw_seats, seed_word
from hansa_env.play.agents import Agent, answer_of, attribute_of, checked_agent, game_records, inputs_for
from hansa_env.play.errors import AgentError
from hansa_env.play.estimates import Estimate, estimate_of
from hansa_env.play.registry import make_agent, seed_at
from hansa_env.play.specs import AND, MIXTURE
from hansa_env.ruleset import Ruleset

#: Agents of one mixture.
MOST = 64


class MixtureAgent(Agent):
    """Plays each seat of each game as one of its members; which one follows from the seed, the game and the seat.

    Args:
        ruleset: the game it is to play.
        members: at least one, all for that ruleset.
        seed: of the draw.

    Raises:
        AgentError: there are none, or one is no agent, or was made for another ruleset.
    """

    def __init__(self, ruleset: Ruleset, members: Sequence[Agent], seed: int = 0) -> None:
        if not members:
            raise AgentError("a mixture has no members; expected at least one")
        self.ruleset, self._seed = ruleset, seed_word(seed)
        self.members = [checked_agent(member, ruleset) for member in members]
        self.sees_hidden = any(attribute_of(member, "sees_hidden", False) for member in self.members)

    @classmethod
    def from_spec(cls, ruleset: Ruleset, seed: int, argument: str | None) -> MixtureAgent:
        """The agent of a spec `mixture:A+B+C`, whose members are those of the specs A, B and C. Raises AgentError."""
        specs = (argument or "").split(AND)
        if not 1 <= len(specs) <= MOST or not all(specs) or any(one.startswith(f"{MIXTURE}:") for one in specs):
            raise AgentError(
                f"mixture:{argument or '':.200}: expected 1 to {MOST} specs with {AND} between them, as in mixture:ppo+greedy"
            )
        # Each with a seed of its own: with the mixture's, a member that draws who plays a seat would always draw the same.
        return cls(ruleset, [make_agent(spec, ruleset, seed_at(seed, place)) for place, spec in enumerate(specs)], seed)

    @property
    def model_hash(self) -> str | None:
        """Of the members' models, in their order; None where no member has one."""
        hashes = [model_hash_of(member) for member in self.members]
        if not any(hashes):
            return None
        return hash_of_arrays({str(place): np.frombuffer((one or "").encode(), np.uint8) for place, one in enumerate(hashes)})

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Actions (N,) int64 for game records (N,)."""
        games = game_records(inputs)
        which, actions = self._drawn(games), np.empty(len(games), np.int64)
        for place in np.unique(which):
            member, rows = self.members[place], np.flatnonzero(which == place)
            given = inputs_for(member, self.ruleset, games.take(rows))
            actions[rows] = answer_of(member, given, masks[rows], seats[rows])
        return actions

    def estimate(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> Estimate | None:
        """The shares of the member that plays the seat, and the mean of all members' values, since nobody sees who plays it.

        None where a member has nothing to say; a value that some member lacks is left out.
        """
        games, players = game_records(inputs), self.ruleset.players
        found: list[Estimate] = []
        for member in self.members:
            given = inputs_for(member, self.ruleset, games, attribute_of(member, "estimate_sees"))
            one = estimate_of(member, given, masks, seats, players)
            if one is None:
                return None
            found.append(one)
        shares = np.stack([one.shares for one in found])[self._drawn(games), np.arange(len(games))]
        return Estimate(shares, *(_mean([one[field] for one in found]) for field in range(1, len(Estimate._fields))))

    def _drawn(self, games: np.ndarray) -> np.ndarray:
        """The places (N,) of the members that play the deciding seats of game records (N,)."""
        which = np.zeros(len(games), np.int64)
        draw_seats(games, self._seed, len(self.members), which)
        return which


def _mean(column: Sequence[np.ndarray | None]) -> np.ndarray | None:
    """The mean of one field of estimates; None where one of them is."""
    present = [one for one in column if one is not None]
    return np.stack(present).mean(0, dtype=np.float32) if len(present) == len(column) else None
