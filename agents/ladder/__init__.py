"""The standing ladder: games that all agents of the project have played, kept in `N-players.jsonl.gz`, and where another agent
stands among them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

from hansa_agents.arena import play_match
from hansa_agents.entrants import entrants
from hansa_agents.game_result import GameResult
from hansa_agents.line_ups import MatchError
from hansa_agents.results import Match
from hansa_agents.results_file import line_of, read_results
from hansa_env import Ruleset
from hansa_env.formats.files import write_whole
from hansa_env.play.arguments import MAX_TURNS

FOLDER = Path(str(files("hansa_agents.ladder")))


def kept_file(players: int) -> Path:
    """Where the ladder of so many players is kept."""
    return FOLDER / f"{players}-players.jsonl.gz"


@dataclass
class Ladder:
    """Games of one ruleset, in which every agent has met every other.

    Attributes:
        ruleset: that is played.
        lines: the games, as the lines of a results file.
        results: the same games.
        max_turns: turns per seat after which they are cut off, None = never.
    """

    ruleset: Ruleset
    lines: list[dict] = field(default_factory=list)
    results: list[GameResult] = field(default_factory=list)
    max_turns: int | None = MAX_TURNS

    @classmethod
    def read(cls, path: Path) -> Ladder:
        """The ladder in a results file. Raises ResultsError, OSError."""
        found = read_results([path])
        lines, first = [line.model_dump(mode="json") for line, _ in found], found[0][0]
        return cls(first.ruleset(), lines, [result for _, result in found], first.max_turns)

    @property
    def agents(self) -> dict[str, str]:
        """The specs of its agents, by name."""
        return {name: spec for result in self.results for name, spec in zip(result.agents, result.specs)}

    def match(self) -> Match:
        """All games as one match."""
        return Match.of(self.ruleset, self.max_turns, self.results)

    def write(self, path: Path) -> None:
        """Keep the games, compressed where the name ends in `.gz`. Raises OSError; then nothing has changed."""
        data = "".join(json.dumps(line, sort_keys=True) + "\n" for line in self.lines).encode()
        write_whole(path, gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)

    def play(
        self, specs: list[str], games: int, seed: int, featuring: str | None = None, processes: int | None = None,
        on_game_end: Callable[[GameResult], object] | None = None,
    ) -> None:  # fmt: skip
        """Let agents meet, and count the games in. Raises what `play_match` raises."""
        match = play_match(
            specs, self.ruleset, games, seed, featuring=featuring, max_turns=self.max_turns, on_fault="forfeit",
            processes=processes, on_game_end=on_game_end,
        )  # fmt: skip
        self.results += match.results
        self.lines += [line_of(result, self.ruleset, self.max_turns, seed) for result in match.results]

    def place(
        self, spec: str, width: float, most: int, seed: int = 0, processes: int | None = None,
        on_game_end: Callable[[GameResult], object] | None = None,
    ) -> int:  # fmt: skip
        """Let another agent play at the tables of the ladder, each seat of each table on one deal after the other, until the
        95 % interval of its rating is narrower than `width` points, or it has played `most` games.

        Returns how many games it played; they are among the results then.

        Raises:
            MatchError: it is on the ladder already. Else what `play_match` raises.
        """
        name = entrants([spec], seed)[0][0].name
        if name in self.agents:
            raise MatchError(f"{name!r} is on the ladder already; NAME=SPEC lets it play under another name")
        others = [name if name == spec else f"{name}={spec}" for name, spec in self.agents.items()]
        before, deal = len(self.results), 0
        while True:
            self.play([spec, *others], 1, seed + deal, spec, processes, on_game_end)
            deal += 1
            rating, played = self.match().ratings[name], len(self.results) - before
            if rating.high - rating.low <= width or played >= most:
                return played
