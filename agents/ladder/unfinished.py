"""The games of a placement under way, kept so that it can be stopped."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from hansa_agents.game_line import ResultsError
from hansa_env.formats.file_names import file_name_of

_DEAL = re.compile(r"deal-(\d+)\.jsonl")


@dataclass(frozen=True)
class Unfinished:
    """A folder with a results file for every deal on which an agent has played.

    Attributes:
        folder: where; it is made when needed.
    """

    folder: Path

    @classmethod
    def of(cls, ladder: Path, agent: str) -> Unfinished:
        """That of an agent on the ladder of a file, in the current folder."""
        name = f"ladder-{ladder.name.removesuffix('.gz').removesuffix('.jsonl')}-{agent}"
        return cls(Path(file_name_of(name, most=100, apart=True)))

    def file(self, seed: int) -> Path:
        """The results file of the deal of a seed."""
        return self.folder / f"deal-{seed}.jsonl"

    def check(self, first: int) -> None:
        """Raises ResultsError where there are games on deals of seeds before the first, which nobody would go on with."""
        seeds = [int(found[1]) for file in self.folder.glob("deal-*.jsonl") if (found := _DEAL.fullmatch(file.name))]
        if seeds and min(seeds) < first:
            raise ResultsError(
                f"{self.folder} is left from other games: they are on deals from seed {min(seeds)} on, these would be from "
                f"{first} on; remove it to begin anew"
            )

    def forget(self) -> None:
        """Remove the files, and the folder unless it has others. Raises OSError."""
        for pattern in ("deal-*.jsonl", ".deal-*.jsonl.lock"):
            for file in self.folder.glob(pattern):
                file.unlink()
        with suppress(OSError):
            self.folder.rmdir()
