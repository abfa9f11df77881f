"""The file that a game is kept in while people play it."""

from __future__ import annotations

import shlex
import tempfile
import time
from pathlib import Path

from hansa_env.formats.files import write_whole
from hansa_env.formats.write import record_text
from hansa_env.play.game import Game
from hansa_env.play.people import is_person
from hansa_env.play.registry import runs_code


class Kept:
    """The file that a game is kept in, from the first decision of a person on.

    Args:
        path: where; None: a file in the current folder, named by the time, or in the folder for temporary files where that
            cannot be written.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path, self.named = path, path is not None
        self.written = False

    def keep(self, game: Game) -> None:
        """Write the game. Raises OSError if a file that was named cannot be written."""
        data = record_text(game.record()).encode()
        if self.path is None:
            name = time.strftime("hansa-%Y%m%d-%H%M%S.json")
            self.path = _unused(Path(name))
            try:
                write_whole(self.path, data)
            except OSError:
                self.path = _unused(Path(tempfile.gettempdir()) / name)
                write_whole(self.path, data)
        else:
            write_whole(self.path, data)
        self.written = True

    def move(self, path: Path, game: Game) -> None:
        """Keep the game in another, new file from now on; one that was not named goes. Raises OSError, FileExistsError."""
        if path.exists() and path != self.path:
            raise FileExistsError(f"{path} exists; name another file")
        before, named = self.path, self.named
        self.path, self.named = path, True
        try:
            self.keep(game)
        except OSError:
            self.path, self.named = before, named
            raise
        if before is not None and before != path and not named:
            before.unlink(missing_ok=True)

    def say_where(self, game: Game) -> None:
        """Say where the game is, and how it goes on."""
        if self.written:
            specs = game.agents or []
            named = any(runs_code(spec) for spec in specs if not is_person(spec))  # which a file alone cannot ask for
            who = f" {shlex.join(specs)}" if named else ""
            how = f"hansa replay {self.path}" if game.over else f"go on with: hansa play --resume {self.path}{who}"
            print(f"The game is kept in {self.path}; {how}")


def _unused(path: Path) -> Path:
    """The path, or one like it that does not exist."""
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_stem(f"{path.stem}-{number}")
    return free
