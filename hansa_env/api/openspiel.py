"""Every ruleset as a Python game of OpenSpiel; imported by `hansa_env.openspiel`, which says what it is."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import Any

import numpy as np
import pyspiel

from hansa_env.engine.action_space import num_actions
from hansa_env.engine.questions import question_name
from hansa_env.engine.view.observation import observation_high, observation_size
from hansa_env.formats.notation import decision_text
from hansa_env.play.arguments import MAX_TURNS, checked_limit
from hansa_env.play.batch import HansaBatch
from hansa_env.play.result import win_rewards
from hansa_env.render.text import render_text
from hansa_env.ruleset import Ruleset
from hansa_env.ruleset_options import OPTIONS, Option

SHORT_NAME = "python_hansa_teutonica"
#: Deals of the chance node, by default; see `HansaTeutonicaGame`.
DEALS = 1024
#: Between the names of a list: OpenSpiel ends a parameter at a comma.
AND = "|"
#: More decisions than a turn has; OpenSpiel wants to know the length of the longest game, as a number of 32 bits.
_DECISIONS_OF_A_TURN = 100
_LONGEST_GAME = 2**31 - 1
#: Every reward by win or rank is a multiple of a 720th, with 2 to 5 players and however many of them tie.
_PARTS = 720


def _default_of(option: Option) -> int | bool | str:
    """A parameter of OpenSpiel has one type: a number, a switch, or else a word, "" for a default that is none."""
    return option.default if option.types in ((int,), (bool,)) else option.default or ""


_TYPE = pyspiel.GameType(
    short_name=SHORT_NAME,
    long_name="Hansa Teutonica",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=5,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={name: _default_of(option) for name, option in OPTIONS.items()}
    | {"max_turns": MAX_TURNS, "reward": "win", "deals": DEALS},
)


def _value_of(option: Option, given: int | bool | str) -> Any:
    """What `Ruleset` takes for a parameter."""
    return option.value_of(given.replace(AND, ",") or None if isinstance(given, str) else given, option.name)


class HansaTeutonicaGame(pyspiel.Game):
    """One ruleset, as `pyspiel.load_game("python_hansa_teutonica(players=3,board=east)")`.

    Args:
        params: the fields of `Ruleset`, by the words of the command line ("yes" where a field may be True or a word; "|"
            between the names of a list; "" or left out for its default), and
            max_turns: turns per seat after which a game is cut off and scored.
            reward: "win" or "rank", as in `HansaBatch`.
            deals: outcomes of the one chance node, at the root: outcome k is the deal of `Game(ruleset, seed=k)`. All chance of
                this game is in the deal. There are more deals than can be listed; the game is exact for a table at which one
                of these is drawn, and players do not see which.

    Raises:
        RulesetError, ValueError: there is no such ruleset, or a parameter is not one of those named.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = dict(_TYPE.parameter_specification) | dict(params or {})
        self.ruleset = Ruleset(**{name: _value_of(option, given[name]) for name, option in OPTIONS.items()})
        self.max_turns = checked_limit(given["max_turns"])
        self.reward, self.deals = given["reward"], given["deals"]
        if self.reward not in ("win", "rank"):
            raise ValueError(f"reward is {self.reward!r}; expected 'win' or 'rank', which have bounds")
        if self.deals < 1:
            raise ValueError(f"deals is {self.deals}; expected at least 1")
        players = self.ruleset.players
        most = _LONGEST_GAME // (players * _DECISIONS_OF_A_TURN)
        if self.max_turns > most:
            raise ValueError(f"max_turns is {self.max_turns}; expected at most {most} with {players} players in OpenSpiel")
        info = pyspiel.GameInfo(
            num_distinct_actions=num_actions(self.ruleset),
            max_chance_outcomes=self.deals,
            num_players=players,
            min_utility=-1 if self.reward == "rank" else win_rewards(0.0, players),
            max_utility=1,
            utility_sum=0,
            max_game_length=self.max_turns * players * _DECISIONS_OF_A_TURN,
        )
        super().__init__(_TYPE, info, params or {})

    def new_initial_state(self, state: str | None = None) -> HansaTeutonicaState:
        """Before the deal."""
        return HansaTeutonicaState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> HansaTeutonicaObserver:
        """What a player sees at a moment, or with perfect recall what he has seen."""
        return HansaTeutonicaObserver(self.ruleset, iig_obs_type is not None and iig_obs_type.perfect_recall)


class _Position:
    """What changes of a state: the batch of one game, and for each seat a digest of all that it has seen so far."""

    def __init__(self, batch: HansaBatch) -> None:
        self.batch = batch
        self.seen = [b""] * batch.ruleset.players
        self.look()

    def look(self, seats: list[int] | None = None) -> None:
        """Add to what seats have seen what they see now."""
        for seat in range(len(self.seen)) if seats is None else seats:
            self.seen[seat] = blake2b(self.seen[seat] + self.view(seat).tobytes(), digest_size=12).digest()

    def view(self, seat: int) -> np.ndarray:
        return self.batch.observe(seats=seat)[0]

    def __deepcopy__(self, memo: dict) -> _Position:
        other = _Position.__new__(_Position)
        other.batch, other.seen = self.batch.copy(), list(self.seen)
        return other


class HansaTeutonicaState(pyspiel.State):
    """A position: the chance node that deals, then decisions of one player at a time, forced ones played by the engine."""

    def __init__(self, game: HansaTeutonicaGame) -> None:
        super().__init__(game)
        self.position: _Position | None = None

    def current_player(self) -> int:
        """Who decides, or CHANCE before the deal, or TERMINAL."""
        if self.position is None:
            return int(pyspiel.PlayerId.CHANCE)
        batch = self.position.batch
        return int(pyspiel.PlayerId.TERMINAL) if batch.ended[0] else int(batch.seat[0])

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every deal, each as likely."""
        deals = self.get_game().deals
        return [(deal, 1 / deals) for deal in range(deals)]

    def _legal_actions(self, player: int) -> list[int]:
        """Action indices, in order."""
        return np.flatnonzero(self._batch.action_mask[0]).tolist()

    def _apply_action(self, action: int) -> None:
        if self.position is None:
            game = self.get_game()
            if not 0 <= action < game.deals:
                raise ValueError(f"the deal is {action}; expected 0 to {game.deals - 1}")
            batch = HansaBatch(1, game.ruleset, max_turns=game.max_turns, reward=game.reward, seeds=[action])
            self.position = _Position(batch)
            return
        self.position.batch.step(np.array([action]))
        self.position.look()

    def _action_to_string(self, player: int, action: int) -> str:
        """A decision in the notation; which numbers mean what depends on the question."""
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {action}"
        game = self._batch.games[0]
        if int(game["seat"]) != player:
            return f"action {action}"
        return decision_text(self._batch.ruleset, game, action)

    def is_terminal(self) -> bool:
        return self.position is not None and bool(self.position.batch.ended[0])

    def returns(self) -> list[float]:
        """By seat, 0 until the end; to the last bit within the game's utilities, which the batch's float32 are not."""
        if not self.is_terminal():
            return [0.0] * self.num_players()
        return [round(_PARTS * one) / _PARTS for one in self._batch.rewards[0].tolist()]

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> HansaTeutonicaState:
        """A state that this player, who decides, cannot tell from this one: what they have not seen is dealt anew, each way
        of it as likely as by the rules.

        Its `history()` keeps the deal of this one, so do not call `serialize` on it.

        Args:
            player: who decides.
            sampler: gives a number of 0 to 1: `pyspiel.UniformProbabilitySampler(0.0, 1.0)`, `random.Random(1).random`.

        Raises:
            ValueError: another player decides.
        """
        if player != self.current_player():
            raise ValueError(f"player is {player}; expected {self.current_player()}, who decides")
        found = self.clone()
        position = found.position
        before = [position.view(seat) for seat in range(self.num_players())]
        position.batch = position.batch.copy(reshuffle=int(sampler() * 2**53))
        position.look([seat for seat, view in enumerate(before) if (position.view(seat) != view).any()])
        return found

    def __str__(self) -> str:
        if self.position is None:
            return "before the deal"
        return render_text(self._batch.ruleset, self._batch.games[0])

    @property
    def _batch(self) -> HansaBatch:
        assert self.position is not None, "the game has not been dealt"
        return self.position.batch


class HansaTeutonicaObserver:
    """A player's view: `tensor` (D,) float32 in 0..1, and as text.

    Without perfect recall the text is the view in full. With it, it is an information state: every decision so far, all of
    which are public, and a digest of all that the player has seen at them. The tensor is the view in both.
    """

    def __init__(self, ruleset: Ruleset, perfect_recall: bool) -> None:
        self.perfect_recall = perfect_recall
        self.tensor = np.zeros(observation_size(ruleset), np.float32)
        self.dict = {"observation": self.tensor}
        self._high = np.array(observation_high(ruleset), np.float32)

    def set_from(self, state: HansaTeutonicaState, player: int) -> None:
        """Write what the player sees; zeros before the deal."""
        self.tensor[:] = 0 if state.position is None else state.position.view(player) / self._high

    def string_from(self, state: HansaTeutonicaState, player: int) -> str:
        """The text; equal for states that the player cannot tell apart, or not any more."""
        if state.position is None:
            return f"player {player}, before the deal"
        position = state.position
        if not self.perfect_recall:
            game = position.batch.games[0]
            asked = question_name(int(game["asked"]))
            return f"player {player}, {asked} asked of {int(game['seat'])}: {position.view(player).tobytes().hex()}"
        decisions = " ".join(f"{one.player}:{one.action}" for one in state.full_history() if one.player >= 0)
        return f"player {player}, saw {position.seen[player].hex()}, decisions {decisions}"


def register() -> None:
    """Make the game known to OpenSpiel; a second time changes nothing."""
    if SHORT_NAME not in pyspiel.registered_names():
        pyspiel.register_game(_TYPE, HansaTeutonicaGame)


def game_string(ruleset: Ruleset, **others: Any) -> str:
    """What `pyspiel.load_game` takes for a ruleset; others are the parameters beside it (`max_turns=30`)."""
    settings = {name: OPTIONS[name].word_of(value, AND) for name, value in ruleset.config.items()} | others
    words = (f"{name}={value}" for name, value in settings.items() if value is not False and value not in (None, ""))
    return f"{SHORT_NAME}({','.join(words)})"
