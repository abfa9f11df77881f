"""`RecordedGame`: a game whose decisions are kept as they are played, and written as a record."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING

import numpy as np

from hansa_env.formats.errors import NotationError, RecordError, shown
from hansa_env.formats.moves import Move
from hansa_env.formats.position import CONFIG
from hansa_env.play.arguments import checked_action
from hansa_env.play.errors import IllegalAction
from hansa_env.play.illegal import why_illegal
from hansa_env.play.people import person_name
from hansa_env.play.readable_game import ReadableGame
from hansa_env.ruleset import Ruleset

if TYPE_CHECKING:
    from hansa_env.formats.schema import RecordModel

FORMAT = "hansa-record/1"


class RecordedGame(ReadableGame):
    """A game with the decisions that led to where it stands, and with what a record says of them.

    Attributes:
        ruleset: the game that is played; setup: how it was laid out, {} of one that has no beginning; seed: None where unknown.
        has_beginning: whether it has a record and can be rewound; one that began from a position does not.
        agents: specs by seat, for the record; None = unknown.
        estimates: what agents thought before decisions, by their numbers, as records have them (`hansa_env.play.estimates`).
        estimated_by: by seat, which agent thought that, None where none did; None = unknown.
        luck: what the markers of the pile gave or took, as records have it (`hansa_env.play.luck`); None = not judged.
    """

    seed: int | None
    setup: dict

    def _hold(self, ruleset: Ruleset, games: np.ndarray) -> None:
        """Begin with a record (1,), which is the game's own from here on."""
        super()._hold(ruleset, games)
        self.seed, self.setup = None, {}
        self.agents: list[str] | None = None
        self._moves: list[Move] = []
        self.estimates: dict[int, dict] = {}
        self.estimated_by: list[str | None] | None = None
        self.luck: dict | None = None
        self.has_beginning = True

    @property
    def decisions(self) -> list[list]:
        """[seat, text] of every decision so far."""
        return [[move.seat, move.text] for move in self._moves]

    @property
    def names(self) -> list[str] | None:
        """Who plays, by seat, as people are told: of a person the name, else the spec; None = unknown."""
        return None if self.agents is None else [person_name(spec) or spec for spec in self.agents]

    def thinker(self, seat: int) -> str:
        """Whose the estimates of a seat's decisions are, as people are told: they need not be of who played."""
        if self.estimated_by is None:
            return "an agent that the record does not name"
        return self.estimated_by[seat] or "no agent"

    def play(self, text: str) -> None:
        """Play a decision, and everything forced after it.

        Raises:
            IllegalAction: it is not legal; the game has not been changed.
        """
        if self.over:
            raise IllegalAction(why_illegal(self.ruleset, self.state, repr(text)))
        try:
            self._play(self.parse(text), text)
        except (NotationError, IllegalAction) as error:
            hint = "" if isinstance(text, str) else "; play() takes one of these texts, and play_action() an index"
            why = why_illegal(self.ruleset, self.state, f"{text!r:.100}", text, "game.legal()")
            raise IllegalAction(why + hint) from error

    def play_action(self, action: int) -> None:
        """Play an action index. Raises `IllegalAction` as `play` does, `ActionTypeError` for what is no whole number."""
        action = checked_action(action, self._batch.num_actions)
        if self.over:
            raise IllegalAction(why_illegal(self.ruleset, self.state, f"action {action}"))
        if not 0 <= action < self._batch.num_actions:
            raise IllegalAction(self._batch.describe_illegal(0, action))
        self._play(action, self.describe(action))

    def _play(self, action: int, text: str) -> None:
        move = self.move(text)
        self._batch.step(np.array([action]))
        self._moves.append(move)

    def record(self) -> dict:
        """The game so far as JSON data (`hansa-record/1`).

        Raises:
            RecordError: the game began from a position, which a record cannot express.
        """
        if not self.has_beginning:
            raise RecordError("a game that began from a position has no record")
        config = {key: value for key, value in self.ruleset.config.items() if key in (*CONFIG, "pile")}
        data = {"format": FORMAT, **config, "setup": deepcopy(self.setup), "seed": self.seed}
        if self.max_turns is not None:
            data["max_turns"] = self.max_turns
        if self.agents is not None:
            data["agents"] = [*self.agents]
        return data | {
            "decisions": self.decisions,
            **deepcopy(self._estimates()),
            **({} if self.luck is None else {"luck": deepcopy(self.luck)}),
            "result": {
                "reason": self.reason,
                "scores": self.scores() if self.over else None,
                "winners": self.winners() if self.over else None,
            },
        }

    def _estimates(self) -> dict:
        if not self.estimates:
            return {}
        found: dict = {"estimates": [self.estimates.get(number) for number in range(len(self._moves))]}
        return found if self.estimated_by is None else found | {"estimated_by": self.estimated_by}

    def moves(self) -> list[Move]:
        """Every decision so far with the turn and the question that it belongs to."""
        return self._moves[:]

    @property
    def turns_begun(self) -> int:
        """Up to which turn of the game, counted from 1, decisions were taken so far; 0 before the first."""
        return self._moves[-1].turn + 1 if self._moves else 0

    def move(self, text: str) -> Move:
        """A decision of who is asked, with the turn and the question it would belong to; it is not played."""
        return Move(int(self.state["turns"]), int(self.state["turn"]), int(self.state["seat"]), self.asked, text)

    def _take_up(self, record: RecordModel) -> None:
        """Take what a record tells beside its setup, and play its decisions. Raises RecordError naming the decision that is not
        legal, or whose estimate is of none."""
        self.agents, self.estimated_by = record.agents, record.estimated_by
        given = [None if one is None else one.model_dump(mode="json", exclude_unset=True) for one in record.estimates or ()]
        self.estimates = {number: one for number, one in enumerate(given) if one is not None}
        self.luck = None if record.luck is None else record.luck.model_dump(mode="json")
        for number, (seat, text) in enumerate(record.decisions):
            where = f"decision {number} of {len(record.decisions)}"
            if not self.over and seat != self.seat:
                raise RecordError(f"{where} is by seat {seat}, but seat {self.seat} is asked {self.asked!r}")
            estimated = self.estimates.get(number)
            if estimated is not None:
                legal = set(self.legal())
                for named, *_ in estimated["likeliest"]:
                    if named not in legal:
                        raise RecordError(f"estimate of {where}: {shown(named)} is not legal at the question {self.asked!r}")
            try:
                self.play(text)
            except IllegalAction as error:
                raise RecordError(f"{where} is illegal: {error}") from error
