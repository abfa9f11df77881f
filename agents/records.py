"""The records of a match's games, a file each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hansa_agents.game_result import GameResult
from hansa_agents.line_ups import MatchError
from hansa_agents.schedule import is_spread
from hansa_env import Agent, Ruleset
from hansa_env.formats.claim import check_claim, claim_folder
from hansa_env.formats.file_reading import LARGEST_RECORD, read_at_most
from hansa_env.formats.file_writing import write_whole
from hansa_env.formats.json_text import JsonError, parse_json
from hansa_env.formats.write import record_text
from hansa_env.play.estimates import note_estimates

#: Says in a folder of records of which match they are; it is none of the records (*.json).
CLAIM, OPTION = ".match", "--records"


@dataclass(frozen=True)
class Records:
    """Writes games as records `game-00012.json` into a folder, by their numbers.

    Attributes:
        folder: where; it is made when needed.
        share: part of the deals whose games are written, spread evenly; of a deal the games of all line-ups or none.
        estimates: also write what agents thought before their decisions; each is asked again for it when a game has ended.
    """

    folder: Path
    share: float = 1.0
    estimates: bool = False

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1:
            raise MatchError(f"the share of records is {self.share}; expected more than 0 and at most 1")

    def wants(self, deal: int) -> bool:
        """Whether the games of a deal are written."""
        return is_spread(deal, self.share)

    def check(self, match: Mapping[str, Any], game: Callable[[int], Mapping[str, Any]]) -> None:
        """Raises MatchError where the folder has records of another match than what is said of this one, and of its games by
        number. Nothing is written."""
        check_claim(self.folder / CLAIM, match, MatchError, OPTION)
        kept_games = (path for path in self.folder.glob("game-*.json") if path.stem[5:].isdecimal())
        first = min(kept_games, default=None)
        if first is None or (self.folder / CLAIM).exists():
            return
        number = int(first.stem[5:])  # it is of an earlier version, which did not say what the folder is for
        try:
            kept = parse_json(read_at_most(first, LARGEST_RECORD), "record")
        except JsonError as error:
            raise MatchError(f"{first}: is no record ({error!s:.200}); name another folder ({OPTION})") from error
        for name, now in game(number).items():
            was = kept.get(name) if isinstance(kept, dict) else None
            if was != now:
                raise MatchError(
                    f"{first}: is of another match: {name} is {was!r:.200}, not {now!r:.200}; name another folder ({OPTION})"
                )

    def claim(self, match: Mapping[str, Any]) -> None:
        """Have the folder for the records of a match. Raises MatchError where it is another's; OSError."""
        claim_folder(self.folder / CLAIM, match, MatchError, OPTION)

    def write(self, number: int, record: bytes) -> None:
        """Write the record of a game, as `record_bytes` makes it, into a folder that is claimed. Raises OSError."""
        write_whole(self._file(number), record)

    def has(self, number: int) -> bool:
        """Whether there is a record of a game."""
        return self._file(number).exists()

    def _file(self, number: int) -> Path:
        return self.folder / f"game-{number:05}.json"

    def record_bytes(
        self, result: GameResult, ruleset: Ruleset, max_turns: int | None, agents: Sequence[Agent], forgiving: bool = False
    ) -> bytes:
        """The record of a game whose actions were kept, as the bytes of its file; `agents` by seat are asked for estimates,
        where they are wanted, and if `forgiving` those of one that fails are left out. Raises AgentFault."""
        game = result.game(ruleset, max_turns)
        if self.estimates:
            note_estimates(game, agents, forgiving=forgiving, names=result.agents)
        return record_text(game.record()).encode()
