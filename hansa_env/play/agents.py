"""What an agent is, and the one way of asking many agents for many games."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from hansa_env.engine import kernels, state
from hansa_env.engine.kernels import NO_ACTION
from hansa_env.engine.questions import question_name
from hansa_env.engine.results import masks_of as masks_of
from hansa_env.engine.results import observations_of as observations_of
from hansa_env.engine.tables import tables_of
from hansa_env.engine.view.observation import observation_size
from hansa_env.formats.errors import printable
from hansa_env.play.arguments import several
from hansa_env.play.errors import AgentError, AgentFault, NoAnswer, OutOfTime, raised
from hansa_env.play.illegal import action_in_words, some_legal
from hansa_env.renamed import called_now
from hansa_env.ruleset import Ruleset

SEES = ("observations", "games")


class Estimate(NamedTuple):
    """What an agent thinks of N positions, each for the seat that decides there.

    Attributes:
        shares: (N, A) float32, how much of its choice falls on each decision: a policy's probabilities, a search's improved
            policy, all on one for an agent that follows from the position. 0 where not legal; every row sums to 1.
        values: (N,) float32 in 0..1, the share of the win that the seat may expect (ties share); None: it has no opinion.
        decision_values: (N, A) float32, the same after each decision; NaN where it has none, as at what is not legal.
        seat_values: (N, P) float32, the share of the win that every seat may expect; every row sums to 1, and the deciding
            seat's is what `values` says. None: it has no opinion on the others.
    """

    shares: np.ndarray
    values: np.ndarray | None = None
    decision_values: np.ndarray | None = None
    seat_values: np.ndarray | None = None


class Agent(ABC):
    """A player of one ruleset, who answers the questions of many games in one call.

    Attributes, of the class or the object:
        sees: what `act` is given: "observations" (rows of int8, the deciding seat's view) or "games" (game records).
        estimate_sees: what `estimate` is given, where that is something else; None: the same.
        values_decisions: of the class alone: whether `estimate` tells what single decisions are worth, as whoever judges a game
            has to (`hansa analyse`, "Find the mistakes" at the table). None: this is found out by asking it.
        sees_hidden: False: games come with the hidden pile reshuffled and the seed blank. True: as they are; arenas mark it.
        name: what it is called, by default the class.
    """

    sees = "games"
    estimate_sees: str | None = None
    values_decisions: bool | None = None
    sees_hidden = False

    @abstractmethod
    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Choose an action for each row.

        Args:
            inputs: (N, D) int8 observations of the deciding seats, or (N,) game records, as `sees` says. Copies.
            masks: (N, A) bool, the legal actions.
            seats: (N,) int8, who decides.

        Returns:
            (N,) whole numbers: legal action indices; −1 (`NO_ACTION`) in rows whose mask is all False.
        """

    @property
    def model_hash(self) -> str | None:
        """What tells the model by which it plays from others of the same spec; results name it. None without one: of a class
        that does not come with the project they name the hash of its file, and of its PyTorch modules where a spec made it."""
        return None

    def estimate(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> Estimate | None:
        """What it thinks of each row; None, as by default, if it has nothing to say.

        `hansa_env.play.estimates.estimate_games` asks and checks.

        Args:
            inputs: as `act` has them, (N, D) int8 or (N,) game records, or what `estimate_sees` says.
            masks: (N, A) bool, the legal actions.
            seats: (N,) int8, who decides.
        """
        return None


def without_idle_rows(actions: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """The actions (N,), set to NO_ACTION in place where masks (N, A) leave nothing to choose."""
    actions[~masks.any(axis=1)] = NO_ACTION
    return actions


def checked_agents(name: str, given: Any) -> list[Any]:
    """Agents, or specs of some, in their order; a single one may stand alone. Raises ValueError for what is neither one nor
    several, naming what was given."""
    if isinstance(given, str) or hasattr(given, "act"):
        return [given]
    if (agents := several(given)) is None:
        raise ValueError(f"{name} is {given!r:.80}; expected an agent or the spec of one, or a list of such")
    return agents


def name_of(agent: object) -> str:
    """What an agent is called, as it can be shown: the class where it does not tell."""
    try:
        return printable(str(getattr(agent, "name", "") or type(agent).__name__))
    except (KeyboardInterrupt, OutOfTime):
        raise
    except BaseException:
        return type(agent).__name__


def attribute_of(agent: object, name: str, default: Any = None) -> Any:
    """What an agent says of itself. Raises AgentError, which names agent and attribute, where it raises anything instead."""
    try:
        return getattr(agent, name, default)
    except (KeyboardInterrupt, OutOfTime):
        raise
    except BaseException as error:
        raise AgentError(f"agent {name_of(agent)!r}: its attribute {name} {raised(error)}") from error


def checked_agent(agent: object, ruleset: Ruleset | None = None) -> Agent:
    """The agent, if it is one: it has `act`, and `sees` is one of SEES.

    Args:
        ruleset: of the games that it is to play; None: that is not known yet. An agent whose attribute `ruleset` is another
            `Ruleset` would read them by the wrong board; one that says nothing may play any.

    Raises:
        AgentError: it has something else instead, which is named, or an attribute by its old name, or plays another ruleset.
    """
    if isinstance(agent, type):
        name = agent.__qualname__
        raise AgentError(f"{name} is a class; expected an agent of it, or its spec, the text '{agent.__module__}:{name}'")
    if isinstance(agent, str):
        raise AgentError(f"{agent!r:.100} is a spec; expected the agent that make_agent makes of it")
    if not callable(attribute_of(agent, "act")):
        raise AgentError(f"{name_of(agent)!r} is no agent: it has no method act(inputs, masks, seats)")
    sees = attribute_of(agent, "sees")
    if sees not in SEES:
        raise AgentError(f"agent {name_of(agent)!r} sees {sees!r}; expected one of {', '.join(SEES)}")
    if attribute_of(agent, "oracle") is True:
        raise AgentError(f"agent {name_of(agent)!r}: {called_now('attribute', 'oracle', 'sees_hidden')}")
    made_for = None if ruleset is None else attribute_of(agent, "ruleset")
    if isinstance(made_for, Ruleset) and made_for != ruleset:
        raise AgentError(
            f"agent {name_of(agent)!r} was made for {made_for}; this game is {ruleset}; expected an agent made for it, as "
            "make_agent(spec, ruleset) makes one"
        )
    return agent  # type: ignore[return-value]


def ask_agents(
    agents: Sequence[Agent],
    who: np.ndarray,
    ruleset: Ruleset,
    games: np.ndarray,
    seconds: np.ndarray | None = None,
) -> np.ndarray:
    """The decisions of agents at the questions of games, checked; no game is changed.

    Args:
        agents: as `checked_agent` returns them for the ruleset.
        who: (N,), the place of the agent who decides in each game.
        games: (N,) records of games that are not over.
        seconds: (number of agents,) float64, to which the time each took is added.

    Returns:
        (N,) int64 legal action indices.

    Raises:
        AgentFault: an agent raised, or its answer has another shape or kind, or is not legal.
    """
    actions = np.empty(len(games), np.int64)
    if len(agents) == 1:
        return _ask(agents, 0, ruleset, games, actions, seconds)
    for k in np.unique(who):
        rows = np.flatnonzero(who == k)
        try:
            actions[rows] = _ask(agents, int(k), ruleset, games.take(rows), np.empty(len(rows), np.int64), seconds)
        except AgentFault as fault:
            fault.row = None if fault.row is None else int(rows[fault.row])
            raise
    return actions


def _ask(
    agents: Sequence[Agent], k: int, ruleset: Ruleset, games: np.ndarray, actions: np.ndarray, seconds: np.ndarray | None
) -> np.ndarray:
    agent, tables, count = agents[k], tables_of(ruleset), len(games)
    masks = masks_of(ruleset, games)
    seats = games["seat"].copy()
    began = time.perf_counter()
    try:
        given = answer_of(agent, inputs_for(agent, ruleset, games), masks, seats)
    except NoAnswer as error:
        raise AgentFault(k, name_of(agent), None, str(error)) from error
    if seconds is not None:
        seconds[k] += time.perf_counter() - began
    actions[:] = given
    bad = int(actions.argmin())
    if actions[bad] >= 0:
        bad = kernels.first_illegal(games, tables, actions, 0, count)
    if bad >= 0:
        raise AgentFault(k, name_of(agent), int(bad), _illegal(ruleset, games[bad], int(given[bad])))
    return actions


def answer_of(agent: Agent, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """What an agent answers to what `Agent.act` is given: whole numbers (N,), which may not be legal.

    Raises:
        NoAnswer: it raised, whatever that was, or its answer is none. KeyboardInterrupt, OutOfTime: as they came.
    """
    try:
        answer = agent.act(inputs, masks, seats)
    except (KeyboardInterrupt, OutOfTime, NoAnswer):
        raise
    except BaseException as error:
        raise NoAnswer(raised(error)) from error
    try:
        given = np.asarray(answer)
    except (KeyboardInterrupt, OutOfTime):
        raise
    except BaseException as error:
        what = f"a {type(answer).__name__} that is no array ({raised(error):.120})"
        raise NoAnswer(f"answered {what}; expected whole numbers ({len(masks)},)") from error
    if given.shape != (len(masks),) or given.dtype.kind not in "iu":
        what = f"{given.dtype} of shape {given.shape}"
        raise NoAnswer(f"answered {what}; expected whole numbers ({len(masks)},)")
    return given


def inputs_for(agent: Agent, ruleset: Ruleset, games: np.ndarray, sees: str | None = None) -> np.ndarray:
    """What an agent is given of games (N,): observations (N, D) int8, or copies of the records, without what the seats cannot
    know; which, says `sees`, by default that of the agent. Raises AgentError where the agent does not even tell that."""
    if (sees or attribute_of(agent, "sees")) == "observations":
        return observations_of(ruleset, games)
    if attribute_of(agent, "sees_hidden", False):
        return state.copies_of(games, len(games))
    copies = state.new_games(len(games))
    kernels.hide_games(games, tables_of(ruleset), copies)
    return copies


def game_records(inputs: object) -> np.ndarray:
    """What an agent was given that sees games, as one kind of array, so that one kernel is compiled. Raises TypeError where it
    is something else."""
    if not isinstance(inputs, np.ndarray) or inputs.dtype != state.GAME or inputs.ndim != 1:
        raise TypeError(
            f"the agent sees games, and was given {_given(inputs)}; expected records (N,), such as game.games or batch.games"
        )
    return np.require(inputs, requirements=["C", "W"])


def observation_rows(inputs: object, ruleset: Ruleset) -> np.ndarray:
    """What an agent was given that sees observations, (N, D) int8. Raises TypeError where it is something else."""
    size = observation_size(ruleset)
    if not isinstance(inputs, np.ndarray) or inputs.dtype != np.int8 or inputs.shape[1:] != (size,):
        raise TypeError(
            f"the agent sees observations, and was given {_given(inputs)}; expected int8 (N, {size}), such as batch.observe()"
        )
    return inputs


def _given(inputs: object) -> str:
    if not isinstance(inputs, np.ndarray):
        return f"a {type(inputs).__name__}"
    return f"{'game records' if inputs.dtype == state.GAME else f'an array of {inputs.dtype}'!s:.60} {inputs.shape}"


def _illegal(ruleset: Ruleset, game: np.void, action: int) -> str:
    """What an agent did wrong."""
    given = action_in_words(ruleset, game, action)
    question = question_name(int(game["asked"]))
    return f"answered {given} to {question!r} of seat {game['seat']}; legal are {some_legal(ruleset, game)}"
