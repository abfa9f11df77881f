"""Progress of games: read from files, played, rated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from hansa_agents.results import Match
from hansa_env.commands.progress import Progress, late, progress_of_agents
from hansa_env.render.words import number_of
from hansa_env.start import telling_what_takes_long


class Counter:
    """Tells progress of the games of a match, or of one match after the other."""

    def __init__(self, progress: Progress, what: str = "games") -> None:
        self.progress, self.what, self.done = progress, what, 0
        self._begun = False
        self.waiting = ExitStack()

    def begin(self, games: int, played: int) -> None:
        self.waiting.close()
        self.done = played
        self.progress.begin(self.what, games, played)

    def begin_next(self, what: str, games: int, played: int) -> None:
        if self._begun:
            self.progress.end()
        self.what, self._begun = what, True
        self.begin(games, played)

    def skip(self, _: int, played: int) -> None:
        if played:
            self.progress.tell(f"going on after {number_of(played, 'game')} played before")
            self.done += played
            self.progress.at(self.done)

    def add(self, _: object) -> None:
        self.done += 1
        self.progress.at(self.done)


@contextmanager
def counted(progress: Progress) -> Iterator[Counter]:
    """Progress of games that agents play; before them the agents are loaded, which may take long too."""
    with progress_of_agents(progress) as shown:
        counter = Counter(shown)
        with counter.waiting:
            counter.waiting.enter_context(telling_what_takes_long("loading the agents ..."))
            yield counter
        shown.end()


@contextmanager
def reading(files: Sequence[Path]) -> Iterator[Callable[[int], None]]:
    """Progress of reading results files: call what it gives with how many bytes of them have been read."""
    with late("bytes of games read", sum(path.stat().st_size for path in files if path.exists())) as progress:
        yield progress.at


@contextmanager
def rating(match: Match) -> Iterator[None]:
    """Progress of all that has to be worked out before a match can be shown. Its ratings are, which it keeps; within this comes
    the rest."""
    with late("games rated", match.games) as progress:
        progress.at(0, f"{len(match.ratings)} agents")
        yield
