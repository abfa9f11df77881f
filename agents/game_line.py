"""The result of a game as a line of JSON, and read back: it says everything about its game."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import numpy as np
from pydantic import Field, create_model

from hansa_agents.game_result import FORFEIT, Forfeit, GameResult, forfeited_ranks
from hansa_agents.model_hash import LONGEST as LONGEST_HASH
from hansa_env.engine.rules.scoring import ALL_COLUMNS, BASE_COLUMNS, score_columns
from hansa_env.engine.state import END_BY_LIMIT, ENDS_BY_RULE
from hansa_env.formats.errors import FormatError, one_line
from hansa_env.formats.explain import checked
from hansa_env.formats.fields import PRINTABLE, AgentName, Count, PerSeat, Seat, Seed, Strictly, TurnLimit
from hansa_env.formats.json_text import GivenTwice, JsonError, parse_json
from hansa_env.formats.schema import WholeConfig
from hansa_env.play.result import are_places, ranks_fit
from hansa_env.ruleset import Ruleset, RulesetError

FORMAT = "hansa-game/1"
#: The spec of a mixture of many is longer than a name, which stands for it elsewhere.
LONGEST_REASON, LONGEST_SPEC = 1000, 1000
#: Actions of a game that are written, so that a line stays within its length; their highest index, as they are kept (int16).
LONGEST_GAME, MOST_ACTIONS = 15_000, 2**15 - 1
#: How a line begins: with its fields in the order of `line_of`, or in that of their names.
_BEGINNINGS = (f'{{"format": "{FORMAT}"'.encode(), b'{"actions": [', b'{"agents": ["')
#: Of a game, its action indices in order.
Actions = Annotated[list[Annotated[int, Field(ge=0, le=MOST_ACTIONS)]], Field(max_length=LONGEST_GAME)]
_T = TypeVar("_T")
_Points = Annotated[int, Field(ge=0, le=10_000)]


class ResultsError(ValueError):
    """A results file cannot be read or continued; names the file, the line and what is wrong."""


if TYPE_CHECKING:
    ScoresModel = Strictly
    EndOfPlayed = str
else:
    #: Points of a seat by category (R7); the base game has fewer.
    _columns = {name: (_Points, ...) if name in BASE_COLUMNS else (_Points | None, None) for name in ALL_COLUMNS}
    ScoresModel = create_model("ScoresModel", __base__=Strictly, **_columns)
    EndOfPlayed = Literal[(*ENDS_BY_RULE, END_BY_LIMIT, FORFEIT)]


def points_of(scores: ScoresModel) -> list[int]:
    """The points of a seat in the order of the columns, those of its game."""
    by_name = vars(scores)
    return [points for name in ALL_COLUMNS if (points := by_name[name]) is not None]


class ForfeitModel(Strictly):
    """Whose fault ended the game, at which seat's question, and what it did."""

    agent: AgentName
    seat: Seat
    reason: Annotated[str, Field(max_length=LONGEST_REASON, pattern=PRINTABLE)]


class GameLine(WholeConfig):
    """A line of a results file; lists have an item for each seat."""

    format: Literal["hansa-game/1"]
    max_turns: TurnLimit | None
    run_seed: Seed
    """Of the match; `seed` is that of the game."""
    game: Count
    seed: Seed
    agents: PerSeat[AgentName]
    specs: PerSeat[Annotated[str, Field(max_length=LONGEST_SPEC, pattern=PRINTABLE)]]
    reason: EndOfPlayed
    truncated: bool
    forfeit: ForfeitModel | None
    turns: Count
    decisions: PerSeat[Count]
    seconds: PerSeat[Annotated[float, Field(ge=0, le=1e12)]]
    scores: PerSeat[ScoresModel]
    version: Annotated[str, Field(max_length=100, pattern=PRINTABLE)] | None = None
    """Of the package that played it; null where unknown."""
    models: PerSeat[Annotated[str, Field(max_length=LONGEST_HASH, pattern=PRINTABLE)] | None] | None = None
    """Hashes of the agents' models, null for one that has none; left out where unknown."""
    ranks: PerSeat[Seat]
    """0 is the first; seats that tie share the better place."""
    actions: Actions | None = None
    """Left out where they were not kept."""

    def broken(self) -> Iterator[str]:
        """What does not fit together, a text each."""
        for field in ("agents", "specs", "decisions", "seconds", "scores", "ranks", "models"):
            given = getattr(self, field)
            if given is not None and len(given) != self.players:
                yield f"{field}: {len(given)} seats; expected {self.players}"
        if self.truncated != (self.reason == END_BY_LIMIT):
            yield f"truncated: {json.dumps(self.truncated)} with reason {self.reason!r}"
        if (self.forfeit is not None) != (self.reason == FORFEIT):
            yield f"forfeit: {'one' if self.forfeit else 'none'} with reason {self.reason!r}"
        if self.forfeit is not None and self.forfeit.agent not in self.agents:
            yield f"forfeit: {self.forfeit.agent!r} does not sit at the table"
        if not are_places(np.array([self.ranks])).all():
            yield f"ranks: {self.ranks}; expected 0 for the first, ties sharing the better place"
        if self.actions is not None and len(self.actions) != sum(self.decisions):
            yield f"actions: {len(self.actions)}; expected {sum(self.decisions)}, as many as decisions"
        if len(set(zip(self.agents, self.specs))) != len(set(self.agents)):
            yield f"specs: {self.specs}; expected one for each of the agents {self.agents}"
        rows = [points_of(scores) for scores in self.scores]
        yield from self._broken_result([row[-1] for row in rows])
        columns = len(score_columns(self.ruleset()))
        for seat, (*parts, total) in enumerate(rows):
            if len(parts) + 1 != columns:
                yield f"scores of seat {seat}: {len(parts) + 1} columns; expected the {columns} of this game"
            if sum(parts) != total:
                yield f"scores of seat {seat}: total {total}; expected {sum(parts)}, the sum of the rest"

    def _broken_result(self, totals: list[int]) -> Iterator[str]:
        """What does not fit together of ranks and of what they come from, the points (P,) among it."""
        if self.truncated and self.max_turns is None:
            yield "truncated: true with max_turns null"
        if self.forfeit is not None:
            if self.agents[self.forfeit.seat : self.forfeit.seat + 1] != [self.forfeit.agent]:
                yield f"forfeit: seat {self.forfeit.seat} is not held by {self.forfeit.agent!r}"
            wanted = forfeited_ranks(np.array([agent == self.forfeit.agent for agent in self.agents])).tolist()
            if self.ranks != wanted:
                yield f"ranks: {self.ranks}; expected {wanted}, as {self.forfeit.agent!r} forfeited"
            return
        if len(totals) == len(self.ranks) and not ranks_fit(np.array([self.ranks]), np.array([totals])).all():
            yield f"ranks: {self.ranks}; expected those of the totals {totals}"

    def ruleset(self) -> Ruleset:
        """The game that was played. Raises RulesetError."""
        given = [(name, getattr(self, name)) for name in WholeConfig.model_fields]
        return _ruleset(tuple((name, tuple(one) if isinstance(one, list) else one) for name, one in given if one is not None))

    @property
    def table(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Names and specs by seat, the same object for most lines of a file that have the same: texts are much of a game."""
        return _shared((tuple(self.agents), tuple(self.specs)))

    def result(self) -> GameResult:
        """The game, in a tenth of the memory that a line takes."""
        agents, specs = self.table
        rows = [points_of(row) for row in self.scores]
        forfeit = None if self.forfeit is None else Forfeit(**self.forfeit.model_dump())
        return GameResult(
            self.game, self.seed, agents, specs, self.reason, self.turns, tuple(self.decisions),
            tuple(self.seconds), np.array(rows, np.int16), np.array(self.ranks, np.int64), forfeit,
            None if self.actions is None else np.array(self.actions, np.int16),
            models=_shared(tuple(self.models or ())), version=_shared(self.version),
        )  # fmt: skip


@lru_cache(maxsize=4096)
def _shared(value: _T) -> _T:
    """The first value that was equal to this one, if it is not long ago."""
    return value


@lru_cache(maxsize=64)
def _ruleset(config: tuple[tuple[str, Any], ...]) -> Ruleset:
    return Ruleset.from_config(dict(config))


def line_of(result: GameResult, ruleset: Ruleset, max_turns: int | None, run_seed: int) -> dict:
    """A game as the data of its line."""
    forfeit = None if result.forfeit is None else result.forfeit._asdict()
    if forfeit is not None:
        forfeit["reason"] = forfeit["reason"][:LONGEST_REASON]
    return {
        "format": FORMAT, **ruleset.config, "max_turns": max_turns, "run_seed": run_seed, "game": result.number,
        "seed": result.seed, "agents": list(result.agents), "specs": list(result.specs), "reason": result.reason,
        "truncated": result.truncated, "forfeit": forfeit, "turns": result.turns, "decisions": list(result.decisions),
        "seconds": [round(seconds, 6) for seconds in result.seconds],
        "scores": [dict(zip(score_columns(ruleset), row)) for row in result.scores.tolist()], "ranks": result.ranks.tolist(),
        **({} if result.version is None else {"version": result.version}),
        **({"models": list(result.models)} if result.models else {}),
        **({} if result.actions is None or len(result.actions) > LONGEST_GAME else {"actions": result.actions.tolist()}),
    }  # fmt: skip


def game_line(text: bytes) -> GameLine:
    """The game of a line. Raises ResultsError, which says what is wrong with the line."""
    try:
        data = parse_json(text, "line")
    except GivenTwice as error:
        raise ResultsError(str(error)) from None
    except JsonError:
        if _end_of_first(text) is not None:
            raise ResultsError("there is more in it than a game; expected an end of line after each game") from None
        raise ResultsError(f"no JSON; expected a game as `hansa arena --results` writes it ({FORMAT})") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ResultsError(f"no game of the format {FORMAT}, which `hansa arena --results` writes")
    try:
        line = checked(GameLine, data)
        line.ruleset()
    except (FormatError, RulesetError) as error:
        raise ResultsError(str(error)) from None
    broken = list(line.broken())
    if broken:
        raise ResultsError(one_line(broken))
    return line


def is_torn(text: bytes) -> bool:
    """Whether the last line of a file, which has no end, may be a game the rest of which was never written; a machine that
    stops may leave nothing but zeros."""
    if not text.strip(b"\0"):
        return True
    return any(text.startswith(one[: len(text)]) for one in _BEGINNINGS) and _end_of_first(text) is None


def _end_of_first(text: bytes) -> int | None:
    """Where the first value of JSON in a text ends; None if it has no end."""
    try:
        return json.JSONDecoder().raw_decode(text.decode())[1]
    except (ValueError, RecursionError):
        return None
