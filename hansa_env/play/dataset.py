"""Records as arrays: every decision with what its seat saw, for imitation and learning offline."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from io import BytesIO
from pathlib import Path

import numpy as np

from hansa_env.engine import kernels, state
from hansa_env.engine.decisions import num_actions
from hansa_env.engine.questions import question_name
from hansa_env.engine.results import masks_of, observations_of, ranks_of
from hansa_env.engine.tables import tables_of
from hansa_env.engine.view.observation import observation_size
from hansa_env.formats.errors import NotationError, RecordError
from hansa_env.formats.files import write_whole
from hansa_env.formats.notation import index_of_text
from hansa_env.formats.read import read_record_data
from hansa_env.formats.schema import RecordModel
from hansa_env.formats.setup import games_from_setups
from hansa_env.play.batch import HansaBatch
from hansa_env.play.dataset_file import LARGEST, about_dataset, read_dataset
from hansa_env.play.result import check_result
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
        ended: (G,) bool: the game was played to its end.
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

    @property
    def returns(self) -> np.ndarray:
        """(M,) float32: the reward of the seat that decided at the end of its game, its zero-sum share of the win as in
        `HansaBatch(reward="win")`."""
        winners = (self.ranks == 0).astype(np.float32)
        shares = winners / winners.sum(1, keepdims=True)
        players = self.ruleset.players
        return ((shares * players - 1) / (players - 1))[self.games, self.seats]

    def save(self, path: Path) -> None:
        """Write a compressed `.npz` that says what its columns mean. Raises OSError; then nothing has changed."""
        arrays = {one.name: getattr(self, one.name) for one in fields(self) if one.name != "ruleset"}
        arrays["action_masks"] = np.packbits(self.action_masks, axis=1)
        data = BytesIO()
        np.savez_compressed(data, about=np.array(json.dumps(about_dataset(self.ruleset))), **arrays)
        write_whole(path, data.getvalue())

    @classmethod
    def load(cls, path: Path, largest: int = LARGEST) -> Dataset:
        """Read what `save` wrote; runs nothing of what is in it, and makes nothing before its size is known.

        Args:
            path: of the file.
            largest: bytes that the arrays may take; more than `LARGEST` only for a file that is one's own.

        Raises:
            RecordError: it is no dataset, one of another version of actions or observations, larger, or has a value that no
                decision of the ruleset has. OSError: it cannot be read.
        """
        ruleset, arrays = read_dataset(path, largest)
        return cls(ruleset, **arrays)


def dataset_of(records: Sequence[dict | str], names: Sequence[str] | None = None) -> Dataset:
    """The decisions of records as arrays; the games are played side by side.

    Args:
        records: `hansa-record/1`, as JSON text or the objects that it says, of one ruleset.
        names: what errors call them, by default "record 0" and so on.

    Raises:
        RecordError: there are none, one is broken, its decisions are not legal, its result is another, or its ruleset is.
    """
    names = names or [f"record {number}" for number in range(len(records))]
    read = [_read(record, name) for record, name in zip(records, names)]
    if not read:
        raise RecordError("there are no records")
    ruleset = read[0][0]
    for (other, _), name in zip(read, names):
        if other != ruleset:
            raise RecordError(f"{name}: of {other}, but {names[0]} is of {ruleset}; make a dataset of each")
    return _Replay(ruleset, [record for _, record in read], names).play()


def _read(record: dict | str, name: str) -> tuple[Ruleset, RecordModel]:
    try:
        return read_record_data(record)
    except RecordError as error:
        raise RecordError(f"{name}: {error}") from error


class _Replay:
    def __init__(self, ruleset: Ruleset, records: list[RecordModel], names: Sequence[str]) -> None:
        self.ruleset, self.records, self.names = ruleset, records, names
        self.lengths = np.array([len(record.decisions) for record in records])
        self.starts = np.concatenate([[0], np.cumsum(self.lengths)[:-1]])
        self.batch = HansaBatch(len(records), ruleset, max_turns=None)
        self.batch.put(np.arange(len(records)), games_from_setups(ruleset, [record.setup.model_dump() for record in records]))
        total = int(self.lengths.sum())
        self.observations = np.empty((total, observation_size(ruleset)), np.int8)
        self.masks = np.empty((total, num_actions(ruleset)), np.bool_)
        self.actions, self.seats = np.empty(total, np.int16), np.empty(total, np.int8)

    def play(self) -> Dataset:
        """Play all decisions and see what the games come to."""
        order = np.full(len(self.records), kernels.NO_ACTION)
        for number in range(int(self.lengths.max(initial=0))):
            rows = np.flatnonzero(self.lengths > number)
            order[:] = kernels.NO_ACTION
            order[rows] = self._decisions(rows, number)
            self.batch.step(order)
        batch = self.batch
        scores, ended = batch.scores(), batch.games["asked"] == state.OVER
        ranks = ranks_of(self.ruleset, batch.games, scores)
        for row, (record, name) in enumerate(zip(self.records, self.names)):
            reason = state.REASONS[batch.games["reason"][row]]
            check_result(record.result, reason, scores[row].tolist(), np.flatnonzero(ranks[row] == 0).tolist(), f"{name}: ")
        games = np.repeat(np.arange(len(self.records), dtype=np.int32), self.lengths)
        return Dataset(self.ruleset, self.observations, self.masks, self.actions, self.seats, games, scores,
                       ranks.astype(np.int8), ended)  # fmt: skip

    def _decisions(self, rows: np.ndarray, number: int) -> np.ndarray:
        """The decisions of a number in some games, which are noted with what their seats saw."""
        games = self.batch.games.take(rows)
        asked, seats = games["asked"].tolist(), games["seat"].tolist()
        actions = np.empty(len(rows), np.int64)
        for k, row in enumerate(rows.tolist()):
            seat, text = self.records[row].decisions[number]
            if asked[k] != state.OVER and seat != seats[k]:
                wanted = f"seat {seats[k]} is asked {question_name(asked[k])!r}"
                raise RecordError(f"{self._where(row, number)} is by seat {seat}, but {wanted}")
            try:
                actions[k] = index_of_text(self.ruleset, asked[k], seats[k], text)
            except NotationError as error:
                raise RecordError(f"{self._where(row, number)} is illegal: {error}") from error
        bad = kernels.first_illegal(games, tables_of(self.ruleset), actions, 0, len(rows))
        if bad >= 0:
            row = int(rows[bad])
            reason = self.batch.describe_illegal(row, int(actions[bad]))
            raise RecordError(f"{self._where(row, number)} is illegal: {reason}")
        places = self.starts[rows] + number
        self.observations[places] = observations_of(self.ruleset, games)
        self.masks[places] = masks_of(self.ruleset, games)
        self.actions[places], self.seats[places] = actions, seats
        return actions

    def _where(self, row: int, number: int) -> str:
        return f"{self.names[row]}: decision {number} of {self.lengths[row]}"
