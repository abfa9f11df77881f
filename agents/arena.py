"""The arena: agents meet in many games, every line-up on the same deals."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from hansa_agents.agent_processes import Seating
from hansa_agents.entrants import check_one_each, entrants
from hansa_agents.game_result import GameResult, whole_beginning
from hansa_agents.line_ups import MatchError, line_ups, may_take_turns
from hansa_agents.match_job import Job
from hansa_agents.match_options import KEEP_NOTHING, ONE_PROCESS, RAISE_FAULTS, Compute, Faults, Keep
from hansa_agents.match_workers import seconds_per_game, size_of_pieces, workers_for
from hansa_agents.results import Match
from hansa_agents.results_file import ResultsFile
from hansa_agents.schedule import Schedule
from hansa_agents.workers import share_out
from hansa_env import Agent, Game, Ruleset
from hansa_env.play.agents import checked_agents
from hansa_env.play.arguments import MAX_TURNS, checked_max_turns, checked_seed
from hansa_env.play.estimates import note_estimates
from hansa_env.play.loop import let_decide

log = logging.getLogger(__name__)

__all__ = [
    "ONE_PROCESS", "Compute", "Faults", "Keep", "Match", "MatchError", "MatchInterrupted", "line_ups", "play_game",
    "play_match",
]  # fmt: skip


class MatchInterrupted(KeyboardInterrupt):
    """Ctrl-C during a match.

    Attributes:
        match: the games before which none is missing; some under way may be, so short games count somewhat too much.
        left_out: how many others had ended.
    """

    def __init__(self, match: Match, left_out: int = 0) -> None:
        super().__init__()
        self.match, self.left_out = match, left_out


#: Agents, as specs or made; a single one may stand alone.
Specs: TypeAlias = str | Agent | Sequence[str | Agent]


def play_match(
    specs: Specs,
    ruleset: Ruleset,
    games: int = 200,
    seed: int = 0,
    *,
    featuring: str | Agent | None = None,
    one_table: bool = False,
    max_turns: int | None = MAX_TURNS,
    faults: Faults = RAISE_FAULTS,
    compute: Compute = ONE_PROCESS,
    keep: Keep = KEEP_NOTHING,
    on_begin: Callable[[int, int], Any] | None = None,
    on_game_end: Callable[[GameResult], Any] | None = None,
) -> Match:
    """Let agents meet in at least `games` games, the same number (and the same deals) for each line-up.

    Games do not depend on how many are played, nor on who plays them where, as long as an agent's answer depends on its seed
    and the game alone. A network's does but for rounding: it computes a little differently if it is asked about more games at
    once. Games that were under way when a process died are played again.

    Args:
        specs: agents, as specs or made; which line-ups follow is said at `line_ups`. The same spec, or the same object,
            twice is one agent; two objects are two, and so are "one=greedy" and "two=greedy".
        ruleset: the game that is played.
        games: rounded up to a multiple of the number of line-ups.
        seed: of the games and of the agents.
        featuring: one of them: only line-ups in which it sits are played.
        one_table: on each deal only one choice of agents plays, in all rotations, another one on the next deal: many deals for
            many agents; there must be more of them than seats, each another.
        max_turns: turns per seat after which a game is cut off and scored as the board stands; None = never.
        faults: what happens when an agent fails, and how long it may take; by default what is wrong is raised.
        compute: where games are played; by default in this process.
        keep: what is kept of games, and where; by default nothing but the results that are returned.
        on_begin: called before the first game with the number of games, and how many are in the results file already.
        on_game_end: called with each game as it ends; what it raises ends the match.

    Raises:
        MatchError: so many agents or games cannot be played, `featuring` or one of `faults.limited` does not play, a model is
            another than `keep.models` says, there is no such cluster, the records' folder is another match's, or a game ended
            several processes one after the other.
        ValueError: specs are in no order, as those of a set.
        AgentError: an agent does not exist. AgentFault: an agent raised, its answer is illegal, or it took too long, and
            `faults` do not forfeit.
        ResultsError: the results file is broken, in use, of another match, or of another version or model. OSError: a file
            cannot be written.
        MatchInterrupted: by Ctrl-C.
    """
    specs, ruleset, seed = checked_agents("specs", specs), Ruleset.checked(ruleset), checked_seed(seed)
    meeting, places = entrants(specs, seed)
    featured = None if featuring is None else _place_of(featuring, specs, places)
    tables = line_ups(places, ruleset.players, featured)
    if one_table and not may_take_turns(places, ruleset.players):
        raise MatchError(
            f"one_table with {len(set(places))} agents for {ruleset.players} seats; expected more agents than seats"
        )
    schedule = Schedule.of(tables, games, seed, one_table)
    limited = _places_of_limited(faults, [one.name for one in meeting])
    job = Job(ruleset, schedule, tuple(meeting), checked_max_turns(max_turns), faults, keep, limited)
    with job.seating() as seating:
        return _played(job, seating, compute, on_begin, on_game_end)


def _played(
    job: Job, seating: Seating, compute: Compute, on_begin: Callable[[int, int], Any] | None,
    on_game_end: Callable[[GameResult], Any] | None,
) -> Match:  # fmt: skip
    """The match of a job; of the agents that sit here it is known then what they are and how fast."""
    agents = seating.make()
    job = replace(job, entrants=tuple(entrant.known(agent) for entrant, agent in zip(job.entrants, agents)))
    for entrant in job.entrants:
        if (job.keep.models or {}).get(entrant.name, entrant.model) != entrant.model:
            raise MatchError(
                f"the model of {entrant.name} is not the one that it had in other games; call it otherwise: NAME={entrant.spec}"
            )
    schedule, records = job.schedule, job.keep.records
    if records is not None:
        records.check(job.said_of_match(), job.said_of_game)
    claimed = False
    began = time.perf_counter()
    found: list[GameResult] = []
    before = 0

    def match(games: Sequence[GameResult], seconds: float) -> Match:
        return Match.of(job.ruleset, job.max_turns, games, [entrant.name for entrant in job.entrants], seconds)

    try:
        with ResultsFile.opened(job.keep.results, job) as file:
            found += file.played
            before = len(found)
            _tell_of_games_not_kept(job, found)
            if on_begin is not None:
                on_begin(schedule.games, before)
            left = schedule.games - before
            each = seconds_per_game(agents, seating, job) if left else 0.0
            job = replace(job, never_began=frozenset(seating.never_began))  # other processes do not wait for these once more
            began = time.perf_counter()
            with workers_for(job, seating, left, each, compute) as workers:
                size = size_of_pieces(left, each, workers.count)
                for result, record in share_out(workers, schedule.pieces({result.number for result in found}, size)):
                    if records is not None and record is not None:
                        if not claimed:
                            records.claim(job.said_of_match())
                            claimed = True
                        records.write(result.number, record)
                    file.write(result)
                    found.append(result)
                    if on_game_end is not None:
                        on_game_end(result)
    except KeyboardInterrupt:
        counted = whole_beginning(found)
        raise MatchInterrupted(match(counted, 0.0), len(found) - len(counted)) from None
    return match(found, 0.0 if before else time.perf_counter() - began)  # how long games took that were there is not known


def _tell_of_games_not_kept(job: Job, played: Sequence[GameResult]) -> None:
    """Say how many games of a results file lack what this match is to keep of its games."""
    lacking = {"actions": [result for result in played if result.actions is None and job.keeps_actions(result.number)]}
    if (records := job.keep.records) is not None:
        wanted = [result for result in played if records.wants(job.schedule.deal(result.number))]
        lacking[f"record in {records.folder}"] = [result for result in wanted if not records.has(result.number)]
    for what, games in lacking.items():
        if games:
            log.warning(
                "%d of the %d games in %s have no %s and are not played again; name another results file to have it",
                len(games), len(played), job.keep.results, what,
            )  # fmt: skip


def play_game(
    specs: Specs, ruleset: Ruleset, seed: int = 0, max_turns: int | None = MAX_TURNS, estimates: bool = False,
    *, on_decision: Callable[[int], object] | None = None, on_played: Callable[[Game], object] | None = None,
    on_estimates: Callable[[int, int], object] | None = None,
) -> Game:  # fmt: skip
    """Play one game; its record names the agents.

    Args:
        specs: one agent per seat, or a single one for every seat.
        max_turns: turns per seat after which the game is cut off; None = never.
        estimates: also note what the agents thought before their decisions, for the record.
        on_decision: called after each with how many there were.
        on_played: called with the game when it is over, before anything is estimated.
        on_estimates: called with how many decisions have been thought about, and of how many.

    Raises:
        AgentError: an agent does not exist, or there are not as many as seats. AgentFault: an agent failed.
        ValueError: specs are in no order, as those of a set.
    """
    specs, ruleset, seed = checked_agents("specs", specs), Ruleset.checked(ruleset), checked_seed(seed)
    check_one_each(specs, ruleset.players)
    playing, places = entrants(specs, seed)
    agents = [entrant.make(ruleset) for entrant in playing]
    by_seat = places * ruleset.players if len(specs) == 1 else places
    game = Game(ruleset, seed, max_turns=max_turns)
    game.agents = [playing[place].name for place in by_seat]
    while game.seat is not None:
        let_decide(game, agents[by_seat[game.seat]])
        if on_decision is not None:
            on_decision(len(game.decisions))
    if on_played is not None:
        on_played(game)
    if estimates:
        note_estimates(game, [agents[place] for place in by_seat], names=game.agents, on_part=on_estimates)
    return game


def _places_of_limited(faults: Faults, meeting: Sequence[str]) -> frozenset[int] | None:
    """The places of those whose time is limited, None = of all. Raises MatchError: one does not play."""
    if faults.limited is None:
        return None
    if strange := sorted(set(faults.limited) - set(meeting)):
        raise MatchError(
            f"limited names {strange[0]!r}, which does not play; expected names of agents whose time the timeout limits"
        )
    return frozenset(place for place, name in enumerate(meeting) if name in faults.limited)


def _place_of(agent: str | Agent, specs: Sequence[str | Agent], places: list[int]) -> int:
    for spec, place in zip(specs, places):
        if spec is agent or (isinstance(spec, str) and spec == agent):
            return place
    raise MatchError(f"featuring is {agent!r}, which does not take part")
