"""`Game`: one game, readable, for people and tests."""

from __future__ import annotations

import json

import numpy as np

from hansa_env.batch import HansaBatch, IllegalAction
from hansa_env.engine import kernels
from hansa_env.engine import record as rec
from hansa_env.engine.tables import tables
from hansa_env.notation import NotationError, decision_text, legal_actions, legal_texts, parse_decision
from hansa_env.position import CONFIG, config_of, position_of, read_position
from hansa_env.ruleset import MARKER_KINDS, Ruleset

FORMAT = "hansa-record/1"


class RecordError(ValueError):
    """A record cannot be read or replayed; says where."""


class Game:
    """One game of Hansa Teutonica, played in the decisions of `rulebook/notation.md`.

    Args:
        ruleset: the game that is played.
        seed: of the tavern markers and the pile, 0 .. 2**64 - 1.
        setup: the `setup` object of a record; then the markers lie as it says, and the seed is unknown.
        max_turns: turns per seat after which the game is cut off; None = never.
    """

    def __init__(self, ruleset: Ruleset, seed: int = 0, setup: dict | None = None, max_turns: int | None = None) -> None:
        self._batch = HansaBatch(1, ruleset, max_turns=max_turns)
        self.ruleset = ruleset
        self.seed = None if setup is not None else seed
        self.agents: list[str] | None = None
        games, rules = self._batch.games, tables(ruleset)
        kernels.deal_games(games, rules, np.array([seed], np.uint64), self._batch._turn_limit, 0, 1)
        if setup is not None:
            games[0]["seed"] = 0
            _read_setup(ruleset, games[0], setup)
        self.setup = _setup_of(ruleset, games[0])
        kernels.begin_games(games, rules, 0, 1)
        self.decisions: list[list] = []
        self._from_position = False

    @property
    def state(self) -> np.void:
        """The game record, a view."""
        return self._batch.games[0]

    @property
    def seat(self) -> int | None:
        """Who decides; None once the game is over."""
        return None if self.over else int(self.state["seat"])

    @property
    def asked(self) -> str:
        """The question, one of `hansa_env.engine.record.QUESTIONS`."""
        return rec.QUESTIONS[self.state["asked"]]

    @property
    def over(self) -> bool:
        return bool(self.state["asked"] == rec.OVER)

    @property
    def reason(self) -> str | None:
        """Why the game is over: "prestige", "markers", "cities", "stalled"; None while it runs and after a cut-off."""
        return rec.REASONS[self.state["reason"]]

    def legal(self) -> list[str]:
        """Every legal decision as text, sorted; empty once the game is over."""
        return legal_texts(self.ruleset, self.state)

    def legal_actions(self) -> list[int]:
        """The same as action indices, in order."""
        return legal_actions(self.ruleset, self.state)

    def describe(self, action: int) -> str:
        """The decision an action index stands for at this question."""
        return decision_text(self.ruleset, self.state, action)

    def parse(self, text: str) -> int:
        """The action index of a decision text at this question. Raises `NotationError`."""
        return parse_decision(self.ruleset, self.state, text)

    def play(self, text: str) -> None:
        """Play a decision, and everything forced after it.

        Raises:
            IllegalAction: it is not legal; the game has not been changed.
        """
        try:
            action = self.parse(text)
        except NotationError as error:
            legal = ", ".join(self.legal()) or "nothing, the game is over"
            raise IllegalAction(f"seat {self.seat} was asked {self.asked!r} and gave {text!r}; legal: {legal}") from error
        self.play_action(action)

    def play_action(self, action: int) -> None:
        """Play an action index. Raises `IllegalAction` as `play` does."""
        seat = self.seat
        if seat is None:
            raise IllegalAction(f"the game is over; action {action} was given, nothing is legal")
        text = self.describe(action) if 0 <= action < self._batch.num_actions else None
        self._batch.step(np.array([action]))
        self.decisions.append([seat, text])

    def position(self) -> dict:
        """The position as JSON data (`hansa-position/1`)."""
        return position_of(self.ruleset, self.state)

    def observation(self, seat: int | None = None) -> np.ndarray:
        """The observation vector (D,) int8 of a seat, by default of who decides."""
        seats = None if seat is None else np.array([seat], np.int8)
        return self._batch.observe(seats=seats)[0]

    def action_mask(self) -> np.ndarray:
        """(A,) bool."""
        return self._batch.action_mask[0].copy()

    def scores(self) -> list[list[int]]:
        """Per seat [track, abilities, markers, prestige_spaces, control, network, total], as the board stands."""
        return self._batch.scores()[0].tolist()

    def winners(self) -> list[int]:
        """Seats that win as the board stands (R7.9)."""
        return np.flatnonzero(self._batch.winners()[0]).tolist()

    def record(self) -> dict:
        """The game so far as JSON data (`hansa-record/1`).

        Raises:
            RecordError: the game began from a position, which a record cannot express.
        """
        if self._from_position:
            raise RecordError("a game that began from a position has no record")
        data = {"format": FORMAT, **config_of(self.ruleset), "setup": self.setup, "seed": self.seed}
        if self.agents is not None:
            data["agents"] = self.agents
        finished = self.over and self.state["reason"] != rec.TRUNCATED
        return data | {
            "decisions": [list(decision) for decision in self.decisions],
            "result": {
                "reason": self.reason,
                "scores": self.scores() if finished else None,
                "winners": self.winners() if finished else None,
            },
        }

    def copy(self, reshuffle: int | None = None) -> Game:
        """An independent copy; with a number, the markers nobody has seen are reshuffled by it (for planners).

        A reshuffled copy knows neither the seed nor the pile, so its record carries the markers it was dealt itself.
        """
        other = Game.__new__(Game)
        other.__dict__.update(self.__dict__)
        other._batch = self._batch.copy(reshuffle)
        other.decisions = [list(decision) for decision in self.decisions]
        if reshuffle is not None:
            other.seed = None
            other.setup = {"markers": self.setup["markers"], "pile": _pile_of(self.ruleset, other.state)}
        return other

    def __deepcopy__(self, memo: dict) -> Game:
        return self.copy()

    @classmethod
    def from_position(cls, position: dict, seed: int = 0) -> Game:
        """A game that goes on from a position at the question `act`; hidden markers are dealt from the seed.

        Raises:
            PositionError: naming the field that is missing or impossible.
        """
        ruleset, games = read_position(position, seed)
        game = cls(ruleset, seed)
        game._batch.games[:] = games
        game._batch.seat[:] = games["seat"]
        game._from_position = True
        return game

    @classmethod
    def from_record(cls, data: dict) -> Game:
        """Replay a record.

        Raises:
            RecordError: the record is truncated, of another version, or has a decision that is not legal (named with its
                place), or its result is not what the game comes to.
        """
        if not isinstance(data, dict):
            raise RecordError(f"a record is an object, not a {type(data).__name__}")
        if data.get("format") != FORMAT:
            raise RecordError(f"format is {data.get('format')!r}; this version reads {FORMAT!r}")
        missing = [key for key in (*CONFIG, "setup", "decisions", "result") if key not in data]
        if missing:
            raise RecordError(f"the record is truncated or broken: {', '.join(missing)} missing")
        try:
            game = cls(Ruleset(**{key: data[key] for key in CONFIG}), setup=data["setup"])
        except (TypeError, ValueError) as error:
            raise RecordError(str(error)) from error
        game.seed = data.get("seed")
        game.agents = data.get("agents")
        game._replay(data["decisions"])
        result = data["result"]
        if not isinstance(result, dict):
            raise RecordError("result is not an object")
        if result.get("reason") is not None and game.record()["result"] != result:
            raise RecordError(f"the result of the record is {result}, but the game comes to {game.record()['result']}")
        return game

    def _replay(self, decisions: list) -> None:
        for number, decision in enumerate(decisions):
            where = f"decision {number} of {len(decisions)}"
            if not (isinstance(decision, (list, tuple)) and len(decision) == 2 and isinstance(decision[1], str)):
                raise RecordError(f"{where} is {decision!r}; expected [seat, text]")
            if not self.over and decision[0] != self.seat:
                raise RecordError(f"{where} is by seat {decision[0]!r}, but seat {self.seat} is asked {self.asked!r}")
            try:
                self.play(decision[1])
            except IllegalAction as error:
                raise RecordError(f"{where} is illegal: {error}; position: {json.dumps(self.position())}") from error


def _pile_of(ruleset: Ruleset, game: np.void) -> list[str]:
    return [MARKER_KINDS[kind] for kind in game["pile"][: int(tables(ruleset)[0]["pile_size"])]]


def _setup_of(ruleset: Ruleset, game: np.void) -> dict:
    routes = ruleset.board_data.routes
    markers = {r.id: MARKER_KINDS[k] for r, k in zip(routes, game["route_marker"]) if k >= 0}
    return {"markers": markers, "pile": _pile_of(ruleset, game)}


def _read_setup(ruleset: Ruleset, game: np.void, setup: dict) -> None:
    routes = ruleset.board_data.routes
    taverns = [i for i, route in enumerate(routes) if route.tavern]
    dealt = _setup_of(ruleset, game)
    try:
        markers, pile = setup["markers"], setup["pile"]
        if sorted(markers) != sorted(routes[i].id for i in taverns):
            raise RecordError(f"setup: markers lie on {', '.join(markers)}, not on the three tavern routes")
        if sorted(markers.values()) != sorted(dealt["markers"].values()) or sorted(pile) != sorted(dealt["pile"]):
            raise RecordError(f"setup: the markers are not those of the edition {ruleset.edition!r} (R1.5, R1.6)")
    except (KeyError, TypeError, AttributeError) as error:
        raise RecordError(f"setup is broken ({type(error).__name__}: {error})") from error
    for i in taverns:
        game["route_marker"][i] = MARKER_KINDS.index(markers[routes[i].id])
    game["pile"][: len(pile)] = [MARKER_KINDS.index(kind) for kind in pile]
