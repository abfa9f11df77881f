"""Many scripted players of different styles as one agent: each seat of each game is played by one of them.

They were bred by `python -m hansa_agents.scripted.breed` to differ in where their points come from and in how long their games
take, and to do well nevertheless. Company like this is hard to fit a strategy to.
"""

from __future__ import annotations

import io
from importlib.resources import files
from pathlib import Path

import numpy as np

from hansa_agents.model_hash import hash_of_arrays
from hansa_agents.scripted.agent import decide_games, refuse_mistakes
from hansa_agents.scripted.values import VIEW
from hansa_agents.scripted.weights import WEIGHTS, entry_names
from hansa_agents.streams import draw_seats, seed_word
from hansa_env.engine.tables import tables_of
from hansa_env.formats.arrays import arrays_of
from hansa_env.formats.errors import LONGEST_NAME, RecordError
from hansa_env.play.agents import Agent, game_records, without_idle_rows
from hansa_env.play.errors import AgentError
from hansa_env.play.estimates import Estimate, all_on
from hansa_env.ruleset import Ruleset

#: How many styles a file may hold, and how large it may be.
MOST_STYLES, MOST_BYTES = 4096, 4_000_000
_OTHER_WEIGHTS = "it has other weights than this version's scripted player"


def read_styles(data: bytes, name: str) -> np.ndarray:
    """The weights (K,) of WEIGHTS of a file of styles. Raises AgentError where it is none."""
    expected = np.array(entry_names())
    try:
        with arrays_of(io.BytesIO(data), {"names", "weights"}, f"{name} is no file of styles") as file:
            if len(data) > MOST_BYTES:
                raise ValueError(f"it has more than {MOST_BYTES} bytes")
            shape, dtype = file.header("names")
            if dtype.kind != "U" or shape != expected.shape or not 0 < dtype.itemsize <= 4 * LONGEST_NAME:
                raise ValueError(_OTHER_WEIGHTS)
            if file.array("names").tolist() != expected.tolist():
                raise ValueError(_OTHER_WEIGHTS)
            shape, dtype = file.header("weights")
            if len(shape) != 2 or shape[1] != len(expected) or not 1 <= shape[0] <= MOST_STYLES:
                raise ValueError(
                    f"its weights have the shape {shape!s:.40}; expected 1 to {MOST_STYLES} rows of {len(expected)}"
                )
            if dtype.kind != "f" or not np.isfinite(numbers := file.array("weights")).all():
                raise ValueError("its weights are not all finite numbers")
            styles = np.ascontiguousarray(numbers, np.float64)
    except RecordError as error:
        raise AgentError(str(error)) from error
    return styles.view(WEIGHTS)[:, 0]


def written_styles(numbers: np.ndarray) -> bytes:
    """The file of styles with weights (K, numbers of a style) float64."""
    data = io.BytesIO()
    np.savez_compressed(data, names=np.array(entry_names()), weights=np.ascontiguousarray(numbers, np.float32))
    return data.getvalue()


class PopulationAgent(Agent):
    """Plays each seat of each game in one of its styles; which one follows from the seed, the game and the seat.

    Args:
        ruleset: the game it is to play.
        weights: (K,) of WEIGHTS.
        seed: of the draw.
        model_hash: of the styles, where they are somebody's own.
    """

    sees = "games"
    values_decisions = False

    def __init__(self, ruleset: Ruleset, weights: np.ndarray, seed: int = 0, model_hash: str | None = None) -> None:
        self._hash = model_hash
        self.ruleset, self.weights, self._seed = ruleset, np.ascontiguousarray(weights), seed_word(seed)

    @classmethod
    def from_spec(cls, ruleset: Ruleset, seed: int, argument: str | None) -> PopulationAgent:
        """The agent of a spec `population`, or `population:FILE` of styles. Raises AgentError."""
        if argument is None:
            place = files("hansa_agents.scripted") / "population.npz"
            return cls(ruleset, read_styles(place.read_bytes(), str(place)), seed)
        try:
            with Path(argument).open("rb") as file:
                data = file.read(MOST_BYTES + 1)
        except OSError as error:
            raise AgentError(f"population:{argument}: cannot be read ({error.strerror})") from error
        styles = read_styles(data, argument)
        return cls(ruleset, styles, seed, hash_of_arrays({"styles": styles}))

    @property
    def model_hash(self) -> str | None:
        """Of styles of somebody's own; None of those that come with this version."""
        return self._hash

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Actions (N,) int64 for game records (N,)."""
        games = game_records(inputs)
        which = np.zeros(len(games), np.int64)
        draw_seats(games, self._seed, len(self.weights), which)
        return self.act_as(games, masks, which)

    def act_as(self, games: np.ndarray, masks: np.ndarray, which: np.ndarray) -> np.ndarray:
        """Actions (N,) int64 for game records (N,), each in the style which[i]."""
        actions = np.zeros(len(games), np.int64)
        games = game_records(games)
        decide_games(games, tables_of(self.ruleset), self.weights, which, np.zeros(1, VIEW), actions)
        refuse_mistakes(self, games, actions)
        return without_idle_rows(actions, masks)

    def estimate(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> Estimate:
        """All on the decision it takes."""
        return Estimate(all_on(self.act(inputs, masks, seats), masks))
