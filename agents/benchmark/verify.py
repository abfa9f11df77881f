"""Checks a row: its published games are played again by its decisions, and agents are asked again what they would decide there.

To ask at the positions of the file, rather than to let games be played anew, keeps one decision that comes out otherwise from
changing all that follow: networks round a little differently on other machines.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np

from hansa_agents.benchmark.cells import NO_ORACLES, CellGames
from hansa_agents.benchmark.fit import Fit, fits_of
from hansa_agents.benchmark.frozen import check_frozen
from hansa_agents.benchmark.row_file import Row, published_numbers
from hansa_agents.benchmark.suite import Suite, read_suite
from hansa_agents.game_line import LONGEST_GAME
from hansa_agents.model_hash import model_hash_of
from hansa_env import Agent, HansaBatch
from hansa_env.commands.progress import Progress
from hansa_env.engine import state
from hansa_env.engine.kernels import NO_ACTION
from hansa_env.engine.results import ranks_of, scores_of
from hansa_env.engine.rules.scoring import TOTAL
from hansa_env.play.agents import ask_agents, attribute_of
from hansa_env.play.errors import AgentFault

#: The share of decisions that may come out otherwise, of networks, which round, and of agents from outside; of others none may.
TOLERANCE = 0.01
#: What the row's agent is called among those that are asked.
AGENT = "agent"
MOST_PROBLEMS = 20


@dataclass
class Asked:
    """How many decisions of somebody were asked for again, how many came out as in the file, and whether all must."""

    decisions: int = 0
    same: int = 0
    exact: bool = True

    @property
    def share(self) -> float:
        """Of decisions that came out the same; 1 where none was asked for."""
        return self.same / self.decisions if self.decisions else 1.0

    @property
    def right(self) -> bool:
        """Whether as many came out the same as must."""
        return self.share >= (1 if self.exact else 1 - TOLERANCE)

    def __str__(self) -> str:
        return f"{self.same:,} of {self.decisions:,} decisions come out as in the file"


@dataclass
class Verdict:
    """What was found.

    Attributes:
        cells, games: how many the row has; replayed: how many of the games were played again by their decisions to their end,
            or to where they were forfeited; looked_at: in how many of these agents were asked.
        asked: by spec of a reference, or "agent": decisions asked for again.
        unasked: cells with published games in which the reference, or the agent though it could be made, was asked nothing.
        unpublished: cells of which no game is published, so that nothing can be checked.
        fits: how well what is published fits the rest.
        problems: what is wrong, a text each; none: everything that was checked is right.
        notes: what could not be looked at, and why.
    """

    cells: int = 0
    games: int = 0
    replayed: int = 0
    looked_at: int = 0
    asked: dict[str, Asked] = field(default_factory=dict)
    unasked: list[str] = field(default_factory=list)
    unpublished: list[str] = field(default_factory=list)
    fits: list[Fit] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def right(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


def verify(row: Row, share: float, seed: int, agent: str | None, progress: Progress) -> Verdict:
    """Check a row.

    Args:
        row: as it was read, which checked that it fits its suite.
        share: of the published games, in which agents are asked again, in one of each cell at least; 0: in none. All of them
            are played again.
        seed: of the choice of these.
        agent: spec of the row's agent, None: it is not asked.
        progress: counts cells.
    """
    suite, verdict, rng = read_suite(row.head.suite), Verdict(), np.random.default_rng(seed)
    unchanged: set[tuple[str, str]] = set()
    progress.begin("cells", len(row.played))
    for done, games in enumerate(row.played):
        progress.at(done, games.cell.key)
        wanted = published_numbers(games.cell, suite.published, games.games)
        verdict.unpublished += [] if wanted else [games.cell.key]
        if sorted(games.actions) != wanted:
            verdict.problems.append(f"{games.cell.key}: has not the decisions of the games that the suite wants published")
        chosen = _chosen(sorted(games.actions), share, rng)
        sitting = _agents(row, games, agent, suite, verdict, unchanged)
        verdict.looked_at += len(chosen) if sitting else 0
        _replay(games, suite, set(chosen), sitting, verdict)
        if wanted and any(place not in sitting or not sitting[place].asked for place in {1, *sitting}):
            verdict.unasked.append(games.cell.key)
        verdict.cells += 1
        verdict.games += games.games
        if len(verdict.problems) >= MOST_PROBLEMS:
            verdict.notes.append(f"stopped after {MOST_PROBLEMS} problems")
            break
    progress.end()
    verdict.fits = fits_of(row.played, suite.published, rng)
    for name, asked in verdict.asked.items():
        if not asked.right:
            verdict.problems.append(f"{name}: {asked}; expected {'all' if asked.exact else f'{1 - TOLERANCE:.0%}'}")
    return verdict


def _chosen(published: Sequence[int], share: float, rng: np.random.Generator) -> list[int]:
    """The games in which agents are asked: each as likely, and one at least where any are wanted."""
    some = [number for number in published if rng.random() < share]
    return some or ([int(rng.choice(published))] if published and share > 0 else [])


@dataclass
class _Sitting:
    """Somebody who can be asked in a cell, by the name under which it is counted; asked: whether it was."""

    agent: Agent
    name: str
    exact: bool
    asked: bool = False


def _agents(
    row: Row, games: CellGames, agent: str | None, suite: Suite, verdict: Verdict, unchanged: set[tuple[str, str]]
) -> dict[int, _Sitting]:
    """Who can be asked, by place: 0 is the row's agent, 1 the reference."""
    cell, found = games.cell, dict[int, _Sitting]()
    hero, reference = cell.entrants_with(agent or "random")
    try:
        check_frozen(suite.name, cell.setting, cell.reference, unchanged)
        made = reference.make(cell.setting.game())
        found[1] = _Sitting(made, cell.reference.spec, cell.reference.pool == "scripted")
    except (ValueError, OSError, ModuleNotFoundError) as error:
        _note(verdict, f"{cell.reference.spec} was not asked in {cell.setting.name}: {error}")
    if agent is None:
        return found
    try:
        made = hero.make(cell.setting.game())
    except (ValueError, OSError, ModuleNotFoundError) as error:
        _note(verdict, f"the agent was not asked in {cell.setting.name}: {error}")
        return found
    if attribute_of(made, "sees_hidden", False):
        if NO_ORACLES not in verdict.problems:
            verdict.problems.append(NO_ORACLES)
        return found
    if (model := model_hash_of(made)) != row.head.models.get(cell.setting.name):
        named = "" if agent == row.head.spec else f" ({agent!r:.80} was named, and the row is of {row.head.spec!r:.80})"
        text = f"{cell.setting.name}: the agent's model is not that of the row{named}"
        if text not in verdict.problems:
            verdict.problems.append(text)
        return found
    return found | {0: _Sitting(made, AGENT, hero.is_of_this_project and model is None)}


def _note(verdict: Verdict, text: str) -> None:
    if text not in verdict.notes:
        verdict.notes.append(text)


def _replay(games: CellGames, suite: Suite, asked: Collection[int], sitting: dict[int, _Sitting], verdict: Verdict) -> None:
    """Play the published games of a cell again, side by side; in those of `asked`, ask the agents too."""
    cell, numbers = games.cell, sorted(games.actions)
    if not numbers:
        return
    ruleset, schedule = cell.setting.game(), cell.schedule(games.games)
    batch = HansaBatch(len(numbers), ruleset, seeds=schedule.seeds(numbers).tolist(), max_turns=suite.max_turns)
    who = np.array([schedule.seats(number) for number in numbers])
    may_ask = np.array([number in asked for number in numbers])
    written = [np.array(games.actions[number], np.int64) for number in numbers]
    length = np.array([len(one) for one in written])
    own = 0
    for step in range(int(length.max())):
        rows = np.flatnonzero(length > step)
        actions = np.full(len(numbers), NO_ACTION, np.int64)
        actions[rows] = [written[row][step] for row in rows]
        going = rows[batch.games["asked"][rows] != state.OVER]
        deciding = who[going, batch.seat[going]]
        own += int((deciding == 0).sum())
        for place, one in sitting.items():
            some = going[(deciding == place) & may_ask[going]]
            if some.size:
                _ask(one, batch, some, actions[some], verdict)
        try:
            batch.step(actions)
        except ValueError as error:
            verdict.problems.append(f"{cell.key}: decision {step + 1} of a published game is not legal: {error}")
            return
    if not own <= games.decisions <= own + (games.games - len(numbers)) * LONGEST_GAME:
        verdict.problems.append(
            f"{cell.key}: the agent is said to have taken {games.decisions:,} decisions in {games.games:,} games; it took "
            f"{own:,} in the {len(numbers):,} that are published"
        )
    scores = scores_of(ruleset, batch.games)
    ranks = ranks_of(ruleset, batch.games, scores)
    for place, number in enumerate(numbers):
        over = batch.games["asked"][place] == state.OVER
        at_fault = games.forfeits.get(number, (None, ""))[0]
        verdict.replayed += over or at_fault is not None
        if over == (at_fault is not None):
            verdict.problems.append(f"{cell.key}: game {number} {'is over, though forfeited' if over else 'is not over'}")
        elif not over and at_fault != batch.seat[place]:
            verdict.problems.append(
                f"{cell.key}: game {number} is forfeited at seat {at_fault}, though seat {batch.seat[place]} was asked"
            )
        elif (scores[place, :, TOTAL] != games.totals[number]).any() or (over and (ranks[place] != games.ranks[number]).any()):
            found = f"{scores[place, :, TOTAL].tolist()} and ranks {ranks[place].tolist()}"
            given = f"{games.totals[number].tolist()} and {games.ranks[number].tolist()}"
            verdict.problems.append(f"{cell.key}: game {number} comes to the points {found}; the row has {given}")


def _ask(one: _Sitting, batch: HansaBatch, rows: np.ndarray, written: np.ndarray, verdict: Verdict) -> None:
    """Ask an agent at positions, and count how often it decides as is written; where it fails alone, it does not."""
    one.asked = True
    count = verdict.asked.setdefault(one.name, Asked(exact=one.exact))
    count.exact &= one.exact
    try:
        found = ask_agents([one.agent], np.zeros(len(rows), np.int64), batch.ruleset, batch.games.take(rows))
    except AgentFault as fault:
        if len(rows) > 1:
            for some in np.array_split(np.arange(len(rows)), 2):
                _ask(one, batch, rows[some], written[some], verdict)
            return
        _note(verdict, f"{one.name} failed when it was asked: {fault}")
        count.decisions += 1
        return
    count.decisions += len(rows)
    count.same += int((found == written).sum())
