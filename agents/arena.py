"""The arena: agents meet in batches of games, every line-up on the same seeds."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from hansa_agents.protocol import Agent
from hansa_agents.registry import make_agent
from hansa_env.batch import MAX_TURNS, HansaBatch
from hansa_env.engine import kernels
from hansa_env.engine import record as rec
from hansa_env.engine.kernels import NO_ACTION
from hansa_env.engine.scoring import TOTAL
from hansa_env.engine.tables import tables
from hansa_env.ruleset import Ruleset

ROWS = 4096  # games played side by side; memory only, results do not depend on it


class MatchError(ValueError):
    """A match cannot be played as asked; says why."""


@dataclass(frozen=True)
class Row:
    """One agent's result, over every seat it held.

    Attributes:
        agent: its spec.
        seats: seats held, all games together.
        share: mean share of the win per seat held; tied winners share one win.
        low, high: 95 % interval of `share` (Wilson).
        mean_score: mean final score.
        mean_rank: mean rank by points, 1 = first, ties averaged.
    """

    agent: str
    seats: int
    share: float
    low: float
    high: float
    mean_score: float
    mean_rank: float


@dataclass(frozen=True)
class Match:
    """The result of a match.

    Attributes:
        rows: one per distinct agent, in the order named.
        line_ups: the line-ups played, by seat, each in the same number of games.
        games: games played; `truncated` of them by the turn limit, scored as the board stood.
        decisions: decisions taken in all games; seconds: how long it took.
    """

    rows: tuple[Row, ...]
    line_ups: tuple[tuple[str, ...], ...]
    games: int
    truncated: int
    decisions: int
    seconds: float
    players: int

    @property
    def chance(self) -> float:
        """The win share per seat of equals."""
        return 1 / self.players


def line_ups(names: Sequence[str], players: int) -> list[tuple[str, ...]]:
    """Who sits where, line-up by line-up.

    As many names as players: that line-up and all its rotations. Fewer: the list repeated round the table, begun with
    each of its names (random, greedy at three: r g r and g r g), and all rotations of these, so that every agent holds
    every seat equally often. Line-ups that come out the same are played once.

    Raises:
        MatchError: no names, or more than players.
    """
    if not 1 <= len(names) <= players:
        raise MatchError(f"{len(names)} agents for {players} players; expected 1 to {players}")
    starts = 1 if len(names) == players else len(names)
    found: dict[tuple[str, ...], None] = {}
    for start in range(starts):
        table = [names[(start + seat) % len(names)] for seat in range(players)]
        for turn in range(players):
            found[tuple(table[turn:] + table[:turn])] = None
    return list(found)


def wilson(share: float, count: int, z: float = 1.96) -> tuple[float, float]:
    """The Wilson score interval of a share of `count` trials, 95 % by default.

    Shared wins enter as parts of a success. Every seat held counts as an independent trial, which is not quite so: seats
    of one agent in the same game cannot all win (the interval is then a little wide), and line-ups share their seeds.
    """
    middle = share + z * z / (2 * count)
    half = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    scale = 1 + z * z / count
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)


def play_match(
    specs: Sequence[str | Agent],
    ruleset: Ruleset,
    games: int = 200,
    seed: int = 0,
    *,
    max_turns: int | None = MAX_TURNS,
    progress: bool = True,
) -> Match:
    """Let agents meet in at least `games` games, the same number (and the same seeds) for each line-up.

    Args:
        specs: 1 to P agents, as specs or made; which line-ups follow is said at `line_ups`. Agents of the same spec are
            one agent.
        ruleset: the game that is played.
        games: rounded up to a multiple of the number of line-ups.
        seed: of the games and of the agents.
        max_turns: turns per seat after which a game is truncated and scored as the board stands; None = never.
        progress: show a progress bar on the terminal.

    Raises:
        MatchError: the number of agents or games cannot be played. AgentError: an agent does not exist.
    """
    if games < 1:
        raise MatchError(f"games is {games}; expected at least 1")
    named = {_name(spec): spec for spec in specs}
    table = line_ups([_name(spec) for spec in specs], ruleset.players)
    agents = [
        make_agent(spec, ruleset, seed + index) if isinstance(spec, str) else spec for index, spec in enumerate(named.values())
    ]
    for agent in agents:
        _warm_up(agent, ruleset)
    each = -(-games // len(table))
    who = np.array([[list(named).index(name) for name in line_up] for line_up in table])
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, disable=not progress, transient=True) as bar:
        task = bar.add_task(" – ".join(named), total=each * len(table))
        began = time.perf_counter()
        tally = _Tally(len(agents), ruleset.players)
        step = max(1, ROWS // len(table))
        for first in range(0, each, step):
            count = min(step, each - first)
            batch = _deal(ruleset, seed, first, count, len(table), max_turns)
            _play(batch, agents, np.repeat(who, count, axis=0), tally, lambda done: bar.advance(task, done))
        seconds = time.perf_counter() - began
    return Match(
        rows=tuple(tally.row(index, name) for index, name in enumerate(named)),
        line_ups=tuple(table),
        games=each * len(table),
        truncated=tally.truncated,
        decisions=tally.decisions,
        seconds=seconds,
        players=ruleset.players,
    )


def print_match(match: Match, console: Console | None = None) -> None:
    """Print a match as a table and a line on its course."""
    console = console or Console()
    table = Table(box=SIMPLE_HEAD)
    table.add_column("agent", overflow="fold", min_width=8)
    for column in ("seats\nheld", "win\nshare", "95 %\ninterval", "chance\nlevel", "mean\nscore", "mean\nrank"):
        table.add_column(column, justify="right", no_wrap=True)
    for row in match.rows:
        interval = f"{row.low:.1%} – {row.high:.1%}"
        scores = f"{row.mean_score:.1f}", f"{row.mean_rank:.2f}"
        table.add_row(row.agent, str(row.seats), f"{row.share:.1%}", interval, f"{match.chance:.1%}", *scores)
    console.print(table)
    console.print(
        f"{match.games} games, {match.truncated} truncated, {match.decisions / match.games:.0f} decisions a game, "
        f"{match.decisions / max(match.seconds, 1e-9):,.0f} decisions/s",
        highlight=False,
        soft_wrap=True,
    )


class _Tally:
    """Sums over finished games, by agent."""

    def __init__(self, agents: int, players: int) -> None:
        self.players = players
        self.seats, self.wins = np.zeros(agents, np.int64), np.zeros(agents)
        self.points, self.ranks = np.zeros(agents), np.zeros(agents)
        self.truncated = self.decisions = 0

    def add(self, who: np.ndarray, totals: np.ndarray, winners: np.ndarray) -> None:
        """Count games: who (N, P) agents by seat, totals (N, P) points, winners (N, P) bool."""
        shares = winners / winners.sum(axis=1, keepdims=True)
        above = (totals[:, None, :] > totals[:, :, None]).sum(axis=2)
        equal = (totals[:, None, :] == totals[:, :, None]).sum(axis=2)
        ranks = 1 + above + (equal - 1) / 2
        for agent in range(len(self.seats)):
            held = who == agent
            self.seats[agent] += held.sum()
            self.wins[agent] += shares[held].sum()
            self.points[agent] += totals[held].sum()
            self.ranks[agent] += ranks[held].sum()

    def row(self, agent: int, name: str) -> Row:
        count = int(self.seats[agent])
        share = float(self.wins[agent] / count)
        low, high = wilson(share, count)
        return Row(name, count, share, low, high, float(self.points[agent] / count), float(self.ranks[agent] / count))


def _name(spec: str | Agent) -> str:
    return spec if isinstance(spec, str) else getattr(spec, "name", type(spec).__name__)


def _warm_up(agent: Agent, ruleset: Ruleset) -> None:
    """One decision, so that loading compiled code does not count as playing."""
    batch = HansaBatch(1, ruleset)
    inputs = batch.observe() if agent.sees == "observations" else batch.games
    agent.act(inputs, batch.action_mask, batch.seat)


def _deal(ruleset: Ruleset, seed: int, first: int, count: int, copies: int, max_turns: int | None) -> HansaBatch:
    """Games first .. first + count − 1 of a seed, the whole lot once per line-up, one lot after the other."""
    source = HansaBatch(first + count, ruleset, seed=seed, max_turns=max_turns)
    batch = HansaBatch(count * copies, ruleset, seed=seed, max_turns=max_turns)
    batch.games[:] = np.tile(source.games[first:], copies)
    batch.seat[:] = batch.games["seat"]
    return batch


def _play(batch: HansaBatch, agents: list[Agent], who: np.ndarray, tally: _Tally, report) -> None:
    """Play all games of a batch to their end; who (N, P): agent by seat."""
    rules = tables(batch.ruleset)
    rows = np.arange(batch.num_games)
    actions = np.empty(batch.num_games, np.int64)
    while rows.size:
        seats = batch.seat[rows]
        deciding = who[rows, seats]
        masks = batch.action_mask
        actions[:] = NO_ACTION
        for index, agent in enumerate(agents):
            mine = rows[deciding == index]
            if mine.size == 0:
                continue
            inputs = batch.games[mine]
            if agent.sees == "observations":
                inputs = _observe(batch, rules, inputs)
            actions[mine] = agent.act(inputs, masks[mine], batch.seat[mine])
        batch.step(actions)
        tally.decisions += rows.size
        running = batch.games["asked"][rows] != rec.OVER
        if not running.all():
            report(int((~running).sum()))
            rows = rows[running]
    tally.truncated += int((batch.games["reason"] == rec.TRUNCATED).sum())
    tally.add(who, batch.scores()[:, :, TOTAL].astype(np.int64), batch.winners())


def _observe(batch: HansaBatch, rules: np.ndarray, games: np.ndarray) -> np.ndarray:
    """Observations (n, D) int8 of the deciding seats of some games (n,)."""
    out = np.empty((len(games), batch.observation_size), np.int8)
    kernels.observe_games(games, rules, np.full(len(games), NO_ACTION, np.int8), out, 0, len(games))
    return out
