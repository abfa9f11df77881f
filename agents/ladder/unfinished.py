"""The games of a placement under way, kept so that it can be stopped."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_LONGEST = 100


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
        name = re.sub(r"[^\w.=-]+", "_", f"ladder-{ladder.name.partition('.')[0]}-{agent}")
        return cls(Path(name[:_LONGEST]))

    def file(self, deal: int) -> Path:
        """The results file of a deal."""
        return self.folder / f"deal-{deal}.jsonl"

    def forget(self) -> None:
        """Remove the files, and the folder unless it has others. Raises OSError."""
        for pattern in ("deal-*.jsonl", ".deal-*.jsonl.lock"):
            for file in self.folder.glob(pattern):
                file.unlink()
        with suppress(OSError):
            self.folder.rmdir()
