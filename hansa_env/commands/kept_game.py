"""The file that a game is kept in while people play it."""

from __future__ import annotations

import shlex
import tempfile
import time
from contextlib import AbstractContextManager
from pathlib import Path

from filelock import FileLock, Timeout

from hansa_env.commands.records import as_another_exists
from hansa_env.formats.file_names import in_first_free
from hansa_env.formats.file_writing import write_new, write_whole
from hansa_env.formats.locks import hold, let_go
from hansa_env.formats.write import record_text
from hansa_env.play.game import Game
from hansa_env.play.people import is_person
from hansa_env.play.specs import as_typed, runs_code


class Kept(AbstractContextManager):
    """The file that a game is kept in, from the first decision of a person on. While this is a context nobody else keeps a game
    in it; entering raises FileExistsError where somebody does.

    Args:
        path: where, or beside what is there by then; None: a file in the current folder, named by the time, or in the folder
            for temporary files where that cannot be written.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path, self.named, self.asked = path, path is not None, path
        self.written = False
        #: What is in the file is this game as it stood before, which is written over; else nothing is.
        self.goes_on = False
        self._lock: FileLock | None = None

    def __enter__(self) -> Kept:
        if self.path is not None:
            self._lock = _held(self.path)
        return self

    def __exit__(self, *_: object) -> None:
        if self._lock is not None:
            let_go(self._lock)
            self._lock = None

    def go_on_in(self, path: Path) -> None:
        """Keep the game in the file that it is in already. Raises FileExistsError where somebody else does."""
        if path != self.path:
            self._lock = _held(path)
        self.path, self.named, self.asked, self.goes_on = path, True, path, True

    def keep(self, game: Game) -> None:
        """Write the game. Raises OSError if a file that was named cannot be written."""
        data = record_text(game.record()).encode()
        if self.goes_on:
            assert self.path is not None
            write_whole(self.path, data)
        elif self.path is not None:
            self._begin_beside(self.path, data)
        else:
            name = time.strftime("hansa-%Y%m%d-%H%M%S.json")
            try:
                self._begin_beside(Path(name), data)
            except OSError:
                self._begin_beside(Path(tempfile.gettempdir()) / name, data)
        self.written = True

    def _begin_beside(self, path: Path, data: bytes) -> None:
        """Keep the game in a file from now on; where there is one, or somebody else keeps a game in it, beside it."""
        in_first_free(path, lambda place: self._begin_in(place, data))
        self.asked = path

    def _begin_in(self, path: Path, data: bytes) -> None:
        """Keep the game in a new file from now on. Raises FileExistsError, also where somebody else keeps a game in it."""
        own = self._lock is not None and path == self.path
        lock = self._lock if own else _held(path)
        try:
            write_new(path, data)
        except BaseException:
            if lock is not None and not own:
                let_go(lock)
            raise
        if not own:
            self.__exit__()
        self.path, self._lock, self.goes_on = path, lock, True

    def move(self, path: Path, game: Game) -> None:
        """Keep the game in another, new file from now on; one that was not named goes. Raises OSError, FileExistsError."""
        before, named = self.path, self.named
        if path == before:
            self.keep(game)
            self.named = True
            return
        self._begin_in(path, record_text(game.record()).encode())
        self.named, self.asked, self.written = True, path, True
        if before is not None and not named:
            before.unlink(missing_ok=True)

    def say_where(self, game: Game) -> None:
        """Say where the game is, and how it goes on."""
        if self.written:
            specs = game.agents or []
            named = any(runs_code(spec) for spec in specs if not is_person(spec))  # which a file alone cannot ask for
            who, path = f" {as_typed(*specs)}" if named else "", shlex.quote(str(self.path))
            how = f"hansa replay {path}" if game.over else f"go on with: hansa play --resume {path}{who}"
            beside = as_another_exists(self.path, self.asked) if self.path and self.asked else ""
            print(f"The game is kept in {self.path}{beside}; {how}")
        elif not self.goes_on:
            print("There is nothing to save yet: a game is kept from a person's first decision on.")


def _held(path: Path) -> FileLock | None:
    """The lock of a file; None where there can be none: either the file cannot be written, which is told when there is
    something to keep, or its disk has no locks. Raises FileExistsError where somebody has it."""
    try:
        return hold(path)
    except Timeout:
        raise FileExistsError(f"{path} is in use: a game is being played that is kept in it; name another file") from None
    except OSError:
        return None
