"""Records played again, for a dataset: what each decision was, what its seat saw, and what its agent thinks of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any

import numpy as np

from hansa_env.engine import kernels, state
from hansa_env.engine.action_space import num_actions
from hansa_env.engine.questions import question_name
from hansa_env.engine.results import masks_of, observations_of, ranks_of, rule_that_ended
from hansa_env.engine.tables import tables_of
from hansa_env.engine.view.observation import observation_size
from hansa_env.formats.errors import NotationError, RecordError
from hansa_env.formats.notation import index_of_text
from hansa_env.formats.schema import RecordModel
from hansa_env.formats.setup import games_from_setups
from hansa_env.play.agents import Agent
from hansa_env.play.batch import HansaBatch
from hansa_env.play.dataset_file import MOST_AGENTS
from hansa_env.play.estimates import estimate_games
from hansa_env.play.illegal import why_illegal
from hansa_env.play.result import check_limit, check_result, cut_off_after
from hansa_env.ruleset import Ruleset


class Replay:
    """Records of one ruleset, played side by side.

    Args:
        records: read already; names: what errors call them.
        thinkers: agents by the names that the records have for them, asked before their own decisions.
    """

    def __init__(
        self, ruleset: Ruleset, records: list[RecordModel], names: Sequence[str], thinkers: Mapping[str, Agent]
    ) -> None:
        self.ruleset, self.records, self.names, self.thinkers = ruleset, records, names, thinkers
        self.lengths = np.array([len(record.decisions) for record in records])
        self.starts = np.concatenate([[0], np.cumsum(self.lengths)[:-1]])
        setups, seeds = [record.setup.model_dump() for record in records], [record.seed for record in records]
        games = games_from_setups(ruleset, setups, seeds)
        games["turn_limit"] = [(record.max_turns or 0) * ruleset.players for record in records]
        self.batch = HansaBatch.holding(ruleset, games, None)
        self.deals = np.array([_deal_of(setup) if seed is None else seed for setup, seed in zip(setups, seeds)], np.uint64)
        self.before = state.new_games(len(records))  # their last decision
        total = int(self.lengths.sum())
        self.observations = np.empty((total, observation_size(ruleset)), np.int8)
        self.masks = np.empty((total, num_actions(ruleset)), np.bool_)
        self.actions, self.seats = np.empty(total, np.int16), np.empty(total, np.int8)
        asked = total if thinkers else 0
        self.policies = np.zeros((asked, num_actions(ruleset)), np.float16)
        self.values = np.full(asked, np.nan, np.float16)
        self.agents = tuple(sorted({name for record in records for name in record.agents or ()}))
        if len(self.agents) > MOST_AGENTS:
            raise RecordError(f"the records name {len(self.agents)} agents; expected at most {MOST_AGENTS}")
        places = {name: place for place, name in enumerate(self.agents)}
        self.players = np.full((len(records), ruleset.players), -1, np.int16)
        for game, record in enumerate(records):
            for seat, name in enumerate(record.agents or ()):
                self.players[game, seat] = places.get(name, -1)

    def columns(self) -> dict[str, Any]:
        """Play all decisions and see what the games come to: the fields of a `Dataset`, but its ruleset. Raises RecordError: a
        decision is not legal, or a result is another. AgentFault: one who is asked failed."""
        order = np.full(len(self.records), kernels.NO_ACTION)
        for number in range(int(self.lengths.max(initial=0))):
            rows = np.flatnonzero(self.lengths > number)
            order[:] = kernels.NO_ACTION
            order[rows] = self._decisions(rows, number)
            last = rows[self.lengths[rows] == number + 1]
            state.put_records(self.before, last, self.batch.games.take(last))
            self.batch.step(order)
        self._cut_off()
        batch = self.batch
        scores, ended = batch.scores(), batch.games["asked"] == state.OVER
        ranks = ranks_of(self.ruleset, batch.games, scores)
        for row, (record, name) in enumerate(zip(self.records, self.names)):
            reason = rule_that_ended(batch.games[row])
            check_result(record.result, reason, scores[row].tolist(), np.flatnonzero(ranks[row] == 0).tolist(), f"{name}: ")
            check_limit(record, batch.games[row], f"{name}: ")
        games = np.repeat(np.arange(len(self.records), dtype=np.int32), self.lengths)
        last = np.stack([batch.observe(seats=seat) for seat in range(self.ruleset.players)], 1)
        return {
            "observations": self.observations, "action_masks": self.masks, "actions": self.actions, "seats": self.seats,
            "games": games, "scores": scores, "ranks": ranks.astype(np.int8), "ended": ended, "last": last,
            "players": self.players, "policies": self.policies, "values": self.values, "deals": self.deals,
            "agents": self.agents,
        }  # fmt: skip

    def _cut_off(self) -> None:
        """End the games that a turn limit cut off which their records do not name: their last decision again, with the limit
        that it reached."""
        begun, limits = self.before["turns"] + 1, np.zeros(len(self.records), np.int64)
        for row, record in enumerate(self.records):
            limits[row] = cut_off_after(record, self.ruleset.players, self.batch.games[row], int(begun[row]))
        for limit in np.unique(limits[limits > 0]).tolist():
            rows = np.flatnonzero(limits == limit)
            ending = HansaBatch.holding(self.ruleset, self.before.take(rows), limit)
            ending.step(self.actions[self.starts[rows] + self.lengths[rows] - 1])
            self.batch.put(rows, ending.games)

    def _decisions(self, rows: np.ndarray, number: int) -> np.ndarray:
        """The decisions of a number in some games, which are noted with what their seats saw."""
        games = self.batch.games.take(rows)
        asked, seats = games["asked"].tolist(), games["seat"].tolist()
        actions = np.empty(len(rows), np.int64)
        for k, row in enumerate(rows.tolist()):
            seat, text = self.records[row].decisions[number]
            if asked[k] == state.OVER:
                raise RecordError(f"{self._where(row, number)} is illegal: {why_illegal(self.ruleset, games[k], repr(text))}")
            if seat != seats[k]:
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
        self._think(rows, places, games)
        return actions

    def _think(self, rows: np.ndarray, places: np.ndarray, games: np.ndarray) -> None:
        """Note what the deciding agents think of games, those of one agent in one call."""
        deciding = self.players[rows, games["seat"]]
        for number, name in enumerate(self.agents):
            here = np.flatnonzero(deciding == number)
            if name not in self.thinkers or not len(here):
                continue
            found = estimate_games(self.thinkers[name], self.ruleset, games.take(here))
            if found is not None:
                self.policies[places[here]] = found.shares
                if found.values is not None:
                    self.values[places[here]] = found.values

    def _where(self, row: int, number: int) -> str:
        return f"{self.names[row]}: decision {number} of {self.lengths[row]}"


def _deal_of(setup: dict) -> int:
    """What names a deal whose seed nobody knows: 64 bits of a hash of all that was dealt, hidden or not."""
    return int.from_bytes(blake2b(json.dumps(setup, sort_keys=True).encode(), digest_size=8).digest(), "big")
