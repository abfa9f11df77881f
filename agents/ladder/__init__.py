"""The standing ladders: games that all agents of the project have played, and where another agent stands among them.

A ladder is kept in `N-players.jsonl.gz`, that of another board than the printed one in `N-players-BOARD.jsonl.gz`.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Collection, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

from filelock import Timeout

from hansa_agents.arena import ONE_PROCESS, Compute, Faults, Keep, MatchInterrupted, play_match
from hansa_agents.entrants import ORACLE, Entrant, entrants
from hansa_agents.game_line import ResultsError, line_of
from hansa_agents.game_result import GameResult
from hansa_agents.intervals import LEAST_DEALS
from hansa_agents.ladder.unfinished import Unfinished
from hansa_agents.line_ups import MatchError
from hansa_agents.match_workers import ray_workers
from hansa_agents.results import Match
from hansa_agents.results_file import ResultsInUse, read_lines_of_one_ruleset
from hansa_env import Ruleset
from hansa_env.formats.file_writing import write_whole
from hansa_env.formats.locks import hold, let_go
from hansa_env.play.arguments import MAX_TURNS
from hansa_env.play.specs import as_typed, check_specs_of_file
from hansa_env.version import __version__

PATIENCE = 10.0  # seconds for others to have written what they keep
FOLDER = Path(str(files("hansa_agents.ladder")))


def kept_file(players: int, board: str | None = None) -> Path:
    """Where the ladder of so many players is kept, by default on the board printed for them.

    Raises:
        RulesetError: there is no such game. ResultsError: no ladder of it is kept.
    """
    ruleset = Ruleset(players, board=board)
    other = "" if ruleset.board == Ruleset(players).board else f"-{ruleset.board}"
    path = FOLDER / f"{players}-players{other}.jsonl.gz"
    if not path.is_file():
        raise ResultsError(
            f"no ladder of {players} players on the board {ruleset.board} is kept; `hansa arena ... --board {ruleset.board} "
            f"--results FILE` plays one, which --file FILE shows"
        )
    return path


def _specs(given: Collection[str]) -> frozenset[str]:
    """The specs of agents given as specs or NAME=SPEC."""
    return frozenset(entrants([one], 0)[0][0].spec for one in given)


@dataclass
class Ladder:
    """Games of one ruleset at mixed tables.

    Attributes:
        ruleset: that is played.
        lines: the games, as the lines of a results file.
        results: the same games.
        max_turns: turns per seat after which they are cut off, None = never.
        named: specs of agents that may run code: those that somebody named; what a file says of its agents is data.
    """

    ruleset: Ruleset
    lines: list[dict] = field(default_factory=list)
    results: list[GameResult] = field(default_factory=list)
    max_turns: int | None = MAX_TURNS
    named: frozenset[str] = frozenset()
    _forgotten: set[str] = field(default_factory=set)
    _played: list[dict] = field(default_factory=list)

    @classmethod
    def read(cls, path: Path, named: Collection[str] = (), on_read: Callable[[int], object] | None = None) -> Ladder:
        """The ladder in a results file; `named` are specs, or NAME=SPEC. `on_read` is called as by `read_lines_of_one_ruleset`.
        Raises ResultsError, MatchError, OSError."""
        lines, results = [], []
        for _, line in read_lines_of_one_ruleset([path], on_read):
            lines.append(line.model_dump(mode="json", exclude_unset=True))
            results.append(line.result())
        return cls(line.ruleset(), lines, results, line.max_turns, _specs(named))

    @property
    def agents(self) -> dict[str, str]:
        """The specs of its agents, by name."""
        return {name: spec for result in self.results for name, spec in zip(result.agents, result.specs)}

    @property
    def models(self) -> dict[str, str | None]:
        """The hashes of its agents' models by name, where games tell."""
        return {name: model for result in self.results for name, model in zip(result.agents, result.models)}

    def match(self) -> Match:
        """All games as one match."""
        return Match.of(self.ruleset, self.max_turns, self.results)

    def write(self, path: Path) -> None:
        """Keep the games, compressed where the name ends in `.gz`. Raises OSError; then nothing has changed."""
        data = "".join(json.dumps(line, sort_keys=True) + "\n" for line in self.lines).encode()
        write_whole(path, gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)

    def keep(self, path: Path) -> None:
        """Write the games that have been played, and forgotten, since the ladder was read into its file, which others may have
        written to meanwhile.

        Raises:
            ResultsError: the same games, or another agent of the name, have come to it; a match writes to it. OSError. In all
                cases nothing has changed.
        """
        try:
            lock = hold(path, PATIENCE)
        except Timeout as error:
            raise ResultsInUse(f"{path} is in use by another match; later the same command keeps what was played") from error
        try:
            there = Ladder.read(path)
            for name in self._forgotten & there.agents.keys():
                there.forget(name)
            known = {(line["run_seed"], line["seed"], tuple(line["agents"])) for line in there.lines}
            for line in self._played:
                if (line["run_seed"], line["seed"], tuple(line["agents"])) in known:
                    who = ", ".join(line["agents"])
                    raise ResultsError(f"{path} has a game of {who} already, kept by another placement")
            specs = there.agents
            played = {name: spec for line in self._played for name, spec in zip(line["agents"], line["specs"])}
            for name, spec in played.items():
                if specs.get(name, spec) != spec:
                    raise ResultsError(f"{path} has other games of {name} by now: {name}={specs[name]}, not {name}={spec}")
            models = there.models
            for line in self._played:
                for name, model in zip(line["agents"], line.get("models", ())):
                    if models.get(name, model) != model:
                        raise ResultsError(f"{path} has games of {name} with another model by now; call this one otherwise")
            there.lines += self._played
            there.write(path)
        finally:
            let_go(lock)
        self._forgotten, self._played = set(), []

    def play(self, specs: list[str], games: int, seed: int, **options: Any) -> None:
        """Let agents meet, and count the games in; of a match that is interrupted, those before which none is missing.

        Args:
            specs, games, seed, options: of `play_match`, which says what it raises.
        """
        self.named |= _specs(specs)
        try:
            match = play_match(specs, self.ruleset, games, seed, max_turns=self.max_turns, faults=Faults("forfeit"), **options)
        except MatchInterrupted as stopped:
            self._count_in(stopped.match, seed)
            raise
        self._count_in(match, seed)

    def _count_in(self, match: Match, seed: int) -> None:
        self.results += match.results
        lines = [line_of(result, self.ruleset, self.max_turns, seed) for result in match.results]
        self.lines += lines
        self._played += lines

    def called(self, spec: str) -> str:
        """What the agent of a spec is called on the ladder, or if it is not there, by its spec."""
        name = entrants([spec.removesuffix(ORACLE)], 0)[0][0].name
        return next((one for one in self.agents if one.removesuffix(ORACLE) == name), name)

    def whole(self, spec: str) -> str:
        """The spec NAME=SPEC of an agent of the ladder that is only named; any other spec as it is.

        Raises AgentError, MatchError where such an agent does not play.
        """
        names = [name for name in self.agents if name.removesuffix(ORACLE) == spec.removesuffix(ORACLE)]
        return self._playing(names[0]) if names else spec

    def _playing(self, name: str) -> str:
        """The spec NAME=SPEC of an agent of the ladder, to let it play.

        Raises:
            AgentError: it runs code, and nobody named it. MatchError: its name would be taken for something else.
        """
        spec = self.agents[name]
        others = f"--agent {as_typed(spec)}; or leave it out: --exclude {as_typed(name)}"
        check_specs_of_file([spec], "the ladder", self.named, others)
        text = Entrant(name, spec, 0).given
        (entrant,) = entrants([text], 0)[0]
        if (entrant.name, entrant.spec) != (name.removesuffix(ORACLE), spec):
            raise MatchError(f"the ladder's agent {name!r} cannot play: its name is no NAME of NAME=SPEC (--exclude)")
        return text

    def forget(self, name: str) -> None:
        """Drop the games of an agent. Raises MatchError where it has none."""
        self.check_known([name])
        stay = [row for row, result in enumerate(self.results) if name not in result.agents]
        self.lines, self.results = [self.lines[row] for row in stay], [self.results[row] for row in stay]
        self._played = [line for line in self._played if name not in line["agents"]]
        self._forgotten.add(name)

    def place(
        self, spec: str, ci_width: float, max_games: int, seed: int = 0, *, more: bool = False, exclude: Sequence[str] = (),
        any_version: bool = False, compute: Compute = ONE_PROCESS, unfinished: Unfinished | None = None,
        on_begin: Callable[[int, int], object] | None = None, on_game_end: Callable[[GameResult], object] | None = None,
    ) -> int:  # fmt: skip
        """Let another agent play at the tables of the ladder, each seat of each table on one deal after the other, until the
        95 % interval of its rating is at most `ci_width` points wide, by deals that are enough to say how far deals differ, or
        it has played `max_games` games.

        Args:
            spec: of the agent.
            ci_width, max_games: when it is enough.
            seed: of the deals and of the agents.
            more: it is on the ladder already, and plays on from the first deal after those that it has played.
            exclude: names of agents at whose tables it does not play, such as those that take long.
            any_version: also where the ladder has games that another version of the package played.
            compute: where games are played.
            unfinished: where games are kept as they end; those that are there are not played again.
            on_begin: called at every deal with the number of its games, and how many of them were kept.
            on_game_end: called with each game as it ends.

        Returns how many games it played; they are among the results then, after Ctrl-C those before which none is missing.

        Raises:
            MatchError: it is on the ladder already, or with `more` it is not or is another there; another version played on
                it, or an agent had another model; nobody is left to meet.
            ResultsError: other games are kept there. Else what `play_match` raises.
        """
        self.check_place(spec, more, any_version)
        name = self.called(spec)
        others = self._others(name, exclude)
        before, deal = len(self.results), self._next_deal(name, seed)
        if unfinished:
            unfinished.check(seed + deal)
        with nullcontext() if compute.ray is None else ray_workers().connected(compute.ray, compute.processes):
            while True:
                try:
                    keep = Keep(results=unfinished.file(seed + deal) if unfinished else None, models=self.models, instead="")
                    self.play(
                        [spec, *others], 1, seed + deal, featuring=spec, compute=compute, keep=keep, on_begin=on_begin,
                        on_game_end=on_game_end,
                    )  # fmt: skip
                except ResultsInUse as error:
                    other = f"NAME={entrants([spec], 0)[0][0].spec}"
                    raise ResultsInUse(f"{error}, or place the agent under another name: {other}") from error
                except ResultsError as error:
                    where = unfinished.folder if unfinished else None
                    raise ResultsError(f"{error}. {where} is left from placing {name}; remove it to begin anew") from error
                deal, name = deal + 1, self.called(spec)
                rating, played = self.match().ratings[name], len(self.results) - before
                deals = len({one.seed for one in self.results if name in one.agents})
                if (deals >= LEAST_DEALS and rating.high - rating.low <= ci_width) or played >= max_games:
                    return played

    def check_place(self, spec: str, more: bool = False, any_version: bool = False) -> None:
        """Raises MatchError where an agent cannot be placed; see `place`."""
        name = self.called(spec)
        if more:
            self.check_known([name])
            if entrants([spec], 0)[0][0].spec != self.agents[name]:
                raise MatchError(f"{name!r} is {name}={self.agents[name]} on the ladder, not {spec}")
        elif name in self.agents:
            raise MatchError(
                f"{name!r} is on the ladder already; NAME=SPEC lets it play under another name, --more lets it play on, "
                f"--restart plays its games anew"
            )
        if not any_version:
            self._check_version()

    def _check_version(self) -> None:
        """Raises MatchError where games were played by another version, whose agents may play otherwise."""
        other = next((result.version for result in self.results if result.version not in (None, __version__)), None)
        if other is not None:
            raise MatchError(
                f"the ladder has games that hansa-env {other} played; this is {__version__}, whose agents may play otherwise: "
                "--any-version counts them together"
            )

    def check_known(self, names: Sequence[str]) -> None:
        """Raises MatchError where one of the names is no agent's of the ladder."""
        there = self.agents
        for name in names:
            if name not in there:
                raise MatchError(f"{name!r} is not on the ladder; there are {', '.join(sorted(there))}")

    def _others(self, name: str, exclude: Sequence[str]) -> list[str]:
        """The specs of all agents but one and those. Raises MatchError where one of those is not there, or nobody is left."""
        self.check_known(exclude)
        found = [self._playing(one) for one in self.agents if one != name and one not in exclude]
        if not found:
            raise MatchError("nobody is left on the ladder to play against")
        return found

    def _next_deal(self, name: str, seed: int) -> int:
        """The first of the deals from a seed on after those that an agent has played."""
        return max([0, *(line["run_seed"] + 1 - seed for line in self.lines if name in line["agents"])])
