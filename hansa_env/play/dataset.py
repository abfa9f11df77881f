"""Records as arrays: every decision with what its seat saw, for imitation and learning offline."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from hansa_env.engine import state
from hansa_env.engine.questions import question_name, questions_of
from hansa_env.engine.view.observation import observation_fields
from hansa_env.formats.errors import RecordError
from hansa_env.formats.file_writing import write_new
from hansa_env.formats.notation import texts_of
from hansa_env.formats.outputs import ARRAYS, check_ending
from hansa_env.formats.read import read_record_data
from hansa_env.formats.schema import RecordModel
from hansa_env.play.agents import Agent, checked_agent
from hansa_env.play.arguments import several
from hansa_env.play.dataset_file import LARGEST, NAMES, about_dataset, read_dataset
from hansa_env.play.dataset_replay import Replay
from hansa_env.play.registry import make_agent, seed_in_match
from hansa_env.play.result import win_rewards, win_shares
from hansa_env.ruleset import Ruleset


@dataclass(frozen=True)
class Dataset:
    """The M decisions of G games of one ruleset, game by game in the order of play.

    Attributes:
        ruleset: of all games.
        observations: (M, D) int8, of the deciding seat; action_masks: (M, A) bool.
        actions: (M,) int16; seats: (M,) int8, who decided; games: (M,) int32, the game's place in the arrays below.
        scores: (G, P, K) int16, the K columns that `score_columns` names; ranks: (G, P) int8, 0 = first, ties share; both as
            the board stands where the game had not ended.
        ended: (G,) bool: the game is over, by its rules or cut off by a turn limit and scored as it stood; a record that was
            left open says neither.
        last: (G, P, D) int8, what every seat saw when the game, or a record left open, ended.
        agents: names of those who played; players: (G, P) int16, which of them by seat, −1 where the record does not say.
        policies: (M, A) float16, how much of its choice the deciding agent put on each action, 0 where not legal; all 0 where
            it was not asked or has no opinion. values: (M,) float16 in 0..1, the share of the win it expected, NaN likewise.
            Both have no rows where nobody was asked.
        deals: (G,) uint64, what names the deal of a game: the seed, or a hash of the whole setup where the record has none.
            Games of one deal are no independent samples, whoever plays them: split by deals.
    """

    ruleset: Ruleset
    observations: np.ndarray
    action_masks: np.ndarray
    actions: np.ndarray
    seats: np.ndarray
    games: np.ndarray
    scores: np.ndarray
    ranks: np.ndarray
    ended: np.ndarray
    last: np.ndarray
    players: np.ndarray
    policies: np.ndarray
    values: np.ndarray
    deals: np.ndarray
    agents: tuple[str, ...] = ()

    @property
    def returns(self) -> np.ndarray:
        """(M,) float32: the reward of the seat that decided at the end of its game, its zero-sum share of the win as in
        `HansaBatch(reward="win")`; 0 in games that a record leaves open, of which nobody knows it."""
        rewards = win_rewards(win_shares(self.ranks).astype(np.float32), self.ruleset.players)
        paid = np.where(self.ended[:, None], rewards, np.float32(0))
        return paid[self.games, self.seats]

    @property
    def terminations(self) -> np.ndarray:
        """(M,) bool: the last decision of a seat in a game that is over, also one that a turn limit cut off: it is scored, and
        nothing follows."""
        return self._latest() & self.ended[self.games]

    @property
    def truncations(self) -> np.ndarray:
        """(M,) bool: the last decision of a seat in a game that its record leaves open: it went on, nobody knows how."""
        return self._latest() & ~self.ended[self.games]

    @property
    def rewards(self) -> np.ndarray:
        """(M,) float32: `returns` at the last decision of a seat, before it 0: what an environment would have paid."""
        return np.where(self.terminations, self.returns, 0).astype(np.float32)

    def _latest(self) -> np.ndarray:
        """(M,) bool: the last decision of a seat in a game."""
        latest = np.zeros((len(self.ended), self.ruleset.players), np.int64)
        latest[self.games, self.seats] = np.arange(len(self.games))  # of equal places the last is kept
        found = np.zeros(len(self.games), np.bool_)
        found[latest[self.games, self.seats]] = True
        return found

    def episodes(self) -> Iterator[Episode]:
        """Every game as each seat lived it, in the order of games and seats; who never decided has none."""
        order = np.lexsort((self.seats, self.games))  # stable: in the order of play within a seat
        key = self.games[order].astype(np.int64) * self.ruleset.players + self.seats[order]
        for rows in np.split(order, np.flatnonzero(np.diff(key)) + 1) if len(order) else ():
            game, seat = int(self.games[rows[0]]), int(self.seats[rows[0]])
            yield Episode(self, game, seat, rows)

    def legal_texts(self, row: int) -> list[str]:
        """The legal decisions at a row in the notation, in the order of their action indices."""
        texts = self._texts(row)
        return [texts[action] for action in np.flatnonzero(self.action_masks[row]).tolist()]

    def text(self, row: int) -> str:
        """What was decided at a row, in the notation."""
        return self._texts(row)[int(self.actions[row])]

    def question(self, row: int) -> str:
        """What was asked at a row."""
        return question_name(self._question(row))

    def in_words(self) -> Iterator[dict[str, Any]]:
        """Every decision as plain JSON: game, seat, agent, question, legal decisions and the one taken in the notation, reward
        and return of its seat, whether it was its last in a game that is over, or in one left open."""
        columns = self.rewards, self.returns, self.terminations, self.truncations
        rewards, returns, terminations, truncations = (one.tolist() for one in columns)
        for row in range(len(self.actions)):
            game, seat = int(self.games[row]), int(self.seats[row])
            place = int(self.players[game, seat])
            yield {
                "game": game, "seat": seat, "agent": self.agents[place] if place >= 0 else None,
                "question": self.question(row), "legal": self.legal_texts(row), "decision": self.text(row),
                "reward": rewards[row], "return": returns[row],
                "termination": terminations[row], "truncation": truncations[row],
            }  # fmt: skip

    def _texts(self, row: int) -> tuple[str, ...]:
        return texts_of(self.ruleset, self._question(row), int(self.seats[row]))

    def _question(self, row: int) -> int:
        """The number of the question: the observation has its place among those that the ruleset's games ask."""
        field = next(one for one in observation_fields(self.ruleset) if one.name == "question")
        entry = int(self.observations[row, field.start : field.start + field.size].argmax())
        questions = questions_of(self.ruleset)
        return questions[entry].number if entry < len(questions) else state.OVER

    def save(self, path: str | Path) -> None:
        """Write a compressed `.npz` that says what its columns mean; nothing is overwritten.

        Raises ValueError for another ending, OSError, FileExistsError for a file that is there; then nothing has changed.
        """
        path = Path(path)
        check_ending("path", ARRAYS, path)
        write_new(path, self.file_bytes())

    def file_bytes(self) -> bytes:
        """What `save` writes."""
        arrays: dict[str, Any] = {name: getattr(self, name) for name in NAMES}
        arrays["action_masks"] = np.packbits(self.action_masks, axis=1)
        data = BytesIO()
        texts = {"about": about_dataset(self.ruleset), "agents": self.agents}
        arrays |= {name: np.array(json.dumps(text, ensure_ascii=False)) for name, text in texts.items()}
        np.savez_compressed(data, **arrays)
        return data.getvalue()

    @classmethod
    def load(cls, path: str | Path, largest: int = LARGEST) -> Dataset:
        """Read what `save` wrote; runs nothing of what is in it, and makes nothing before its size is known.

        Args:
            path: of the file.
            largest: bytes that the arrays may take; more than `LARGEST` only for a file that is one's own.

        Raises:
            RecordError: it is no dataset, one of another version of actions or observations, larger, or has a value that no
                decision of the ruleset has. OSError: it cannot be read.
        """
        ruleset, agents, arrays = read_dataset(Path(path), largest)
        return cls(ruleset, **arrays, agents=agents)


@dataclass(frozen=True)
class Episode:
    """A game as one seat lived it: T decisions, from its first to its last.

    Attributes:
        data: whose rows these are; game, seat: which; rows: (T,), in the order of play.
    """

    data: Dataset
    game: int
    seat: int
    rows: np.ndarray

    @property
    def observations(self) -> np.ndarray:
        """(T + 1, D) int8: before every decision, and at the end."""
        return np.concatenate([self.data.observations[self.rows], self.data.last[self.game, self.seat][None]])

    @property
    def agent(self) -> str | None:
        """Who played, None where the record does not say."""
        place = int(self.data.players[self.game, self.seat])
        return self.data.agents[place] if place >= 0 else None


def dataset_of(
    records: Sequence[dict | str], names: Sequence[str] | None = None, agents: Mapping[str, str | Agent] | None = None,
    seed: int = 0,
) -> Dataset:  # fmt: skip
    """The decisions of records as arrays; the games are played side by side.

    Args:
        records: `hansa-record/1`, as JSON text or the objects that it says, of one ruleset, each of another game.
        names: what errors call them, by default "record 0" and so on.
        agents: made, or as specs, by the names that the records have for them: they are asked what they think before their own
            decisions, and know the turn limit that a record names.
        seed: of the first of the agents, the others follow as in a match (`seed_in_match`): records do not say it.

    Raises:
        AgentError: an agent is none, or does not exist. AgentFault: one failed. ValueError: records are no list, not every one
            has a name, or an agent played in none. RecordError: there are none, one is broken or there twice, its decisions are
            not legal, its result or turn limit is another, or its ruleset is.
    """
    listed = several(records)
    if listed is None:
        raise ValueError(f"records is a {type(records).__name__}; expected a list of records, [record] for one alone")
    names = [f"record {number}" for number in range(len(listed))] if names is None else names
    if len(names) != len(listed):
        raise ValueError(f"{len(names)} names were given for {len(listed)} records; expected one for each")
    read = list(read_alike(listed, names))
    if not read:
        raise RecordError("there are no records")
    ruleset = read[0][0]
    made = asked_agents(agents or {}, {name for _, record in read for name in record.agents or ()}, ruleset, seed)
    return Dataset(ruleset, **Replay(ruleset, [record for _, record in read], names, made).columns())


def asked_agents(
    agents: Mapping[str, str | Agent], players: Collection[str], ruleset: Ruleset, seed: int
) -> dict[str, Agent]:  # fmt: skip
    """Agents made of what `dataset_of` is given, for records that name these players. Raises as it does."""
    for name in agents:
        if name not in players:
            raise ValueError(f"agents: {no_player(name, players)}")
    return {name: make_agent(one, ruleset, seed_in_match(seed, place)) if isinstance(one, str) else checked_agent(one, ruleset)
            for place, (name, one) in enumerate(agents.items())}  # fmt: skip


def no_player(name: str, players: Collection[str]) -> str:
    """Why somebody cannot be asked about records that name these players."""
    there = f"expected {', '.join(map(repr, sorted(players)))}" if players else "they do not say who played"
    return f"no record names {name!r}; {there:.500}"


def read_alike(records: Iterable[dict | str], names: Sequence[str]) -> Iterator[tuple[Ruleset, RecordModel]]:
    """Records by these names, read one by one. Raises RecordError: one is broken, of another ruleset than the first, or of the
    same game as one before."""
    first: Ruleset | None = None
    seen: dict[bytes, dict[int | None, str]] = {}  # by game, then by seed: on a small board several deal the same
    for record, name in zip(records, names):
        try:
            ruleset, read = read_record_data(record)
        except RecordError as error:
            raise RecordError(f"{name}: {error}") from error
        first = first or ruleset
        if ruleset != first:
            raise RecordError(f"{name}: of {ruleset}, but {names[0]} is of {first}; make a dataset of each")
        same = seen.setdefault(_game_of(read), {})
        if same and (read.seed in same or None in (read.seed, *same)):
            before = same.get(read.seed, next(iter(same.values())))
            twice = "is named twice" if before == name else f"is the same game as {before}"
            raise RecordError(f"{name}: {twice}; name every game once")
        same[read.seed] = name
        yield ruleset, read


def _game_of(record: RecordModel) -> bytes:
    """A hash of who played which game how, whatever was thought of it later, and whether or not its seed and its turn limit are
    known."""
    told = record.model_dump_json(exclude={"seed", "max_turns", "estimates", "estimated_by", "luck"})
    return sha256(told.encode()).digest()
