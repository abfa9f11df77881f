"""Openings at the table: a way into the games that a file tells of, with what was decided from there on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from hansa_env.formats.openings import Openings, OpeningsError, Position, Taken, read_openings
from hansa_env.installed import offered
from hansa_env.play.arguments import MAX_TURNS
from hansa_env.play.errors import IllegalAction
from hansa_env.play.game import Game
from hansa_env.play.result import wilson_interval
from hansa_env.render.income import order_in, told_in
from hansa_env.render.scene import scene_of
from hansa_env.render.things import things_of
from hansa_env.render.words import name_in_words
from hansa_env.table.errors import NotThere, Refused
from hansa_env.table.game_history import Line
from hansa_env.table.messages import moves_data
from hansa_env.table.start import Start
from hansa_env.table.view import view_of

GROUP = "hansa_env.openings"
#: How many decisions may lead to a page's position, how many it shows there, how many of those it follows, and how far.
LONGEST_WAY, MOST_SHOWN, MOST_FOLLOWED, FOLLOWED = 200, 40, 10, 3


def files_offered() -> list[Path]:
    """The files of openings that installed packages offer: entry points of the group GROUP, functions without arguments that
    return paths. Raises OpeningsError where a package's cannot be had."""
    return offered(GROUP, "openings", OpeningsError)


class _Book(NamedTuple):
    name: str
    openings: Openings


class OpeningBooks:
    """The files that a table was started with.

    Args:
        files: of openings.

    Raises:
        OpeningsError: one is none; OSError.
    """

    def __init__(self, files: Sequence[Path] = ()) -> None:
        self._books = [_Book(file.name, read_openings(file)) for file in files]

    def listed(self) -> list[dict]:
        """What there is, as JSON data."""
        return [
            {"name": name, "ruleset": str(openings.ruleset), "players": openings.ruleset.players, "games": openings.head.games,
             "agents": openings.head.agents, "depth": openings.head.depth, "least": openings.head.least,
             "beginnings": [_beginning(openings, number) for number in range(len(openings.head.beginnings))]}
            for name, openings in self._books
        ]  # fmt: skip

    def position(self, book: int, beginning: int, texts: Sequence[str]) -> dict:
        """The position after some decisions of a beginning, and what was decided there, as JSON data.

        Raises:
            NotThere: no such file, or no such beginning. Refused: a decision is not legal.
        """
        openings = self._openings(book, beginning)
        line = self.line(book, beginning, texts)
        found = openings.walk(beginning, texts)
        players = openings.ruleset.players
        told = [] if found is None or line.game.over else _decisions(openings, line.game, found)
        return {
            "games": 0 if found is None else found.games,
            "decisions": told,
            "more": 0 if found is None else max(0, len(found.taken) - MOST_SHOWN),
            "moves": moves_data(line),
            "view": view_of(line, len(line), [f"Seat {seat}" for seat in range(players)]),
        }

    def line(self, book: int, beginning: int, texts: Sequence[str]) -> Line:
        """The game after these decisions. Raises as `position`."""
        openings = self._openings(book, beginning)
        setup = openings.head.beginnings[beginning].setup
        line = Line(Start({**openings.ruleset.config, "setup": setup, "seed": None, "max_turns": MAX_TURNS}))
        for text in texts:
            try:
                line.play(text)
            except IllegalAction:
                raise Refused(f"{text[:80]!r} is not legal after {len(line)} decisions; go back, or begin anew") from None
        return line

    def _openings(self, book: int, beginning: int) -> Openings:
        if book >= len(self._books):
            raise NotThere(f"there is no file of openings {book}; this table has {len(self._books)}")
        openings = self._books[book].openings
        if beginning >= len(openings.head.beginnings):
            raise NotThere(f"there is no beginning {beginning}; the file has {len(openings.head.beginnings)}")
        return openings


def _beginning(openings: Openings, number: int) -> dict:
    """A beginning by what it differs in from the others: where the markers lie."""
    one = openings.head.beginnings[number]
    markers = [f"{kind} on {name_in_words(openings.ruleset, route)}" for route, kind in one.setup["markers"].items()]
    return {"words": ", ".join(markers), "games": openings.positions[one.position].games}


def _decisions(openings: Openings, game: Game, position: Position) -> list[dict]:
    """What was decided at a position, the most frequent first."""
    scene, legal = scene_of(openings.ruleset, game.state), set(game.legal())
    found = []
    for number, taken in enumerate(position.taken[:MOST_SHOWN]):
        if taken.text not in legal:
            raise Refused(
                f"the file of openings has {taken.text!r:.90} here, which is not legal; was it made for another version?"
            )
        low, high = wilson_interval(taken.wins, taken.games)
        found.append({
            "text": taken.text, "words": order_in(openings.ruleset, game.state, taken.text),
            "things": list(things_of(scene, taken.text)), "games": taken.games, "share": taken.games / position.games,
            "wins": taken.wins / taken.games, "low": low, "high": high, "goes_on": taken.next is not None,
            "then": _mostly(openings, game, taken) if number < MOST_FOLLOWED else [],
        })  # fmt: skip
    return found


def _mostly(openings: Openings, game: Game, taken: Taken) -> list[dict]:
    """How it mostly goes on after a decision: seats with what they decide, in words."""
    ahead, told = game.copy(), list[dict]()
    while taken.next is not None and len(told) < FOLLOWED:
        try:
            ahead.play(taken.text)
            taken = openings.positions[taken.next].taken[0]
            words = told_in(openings.ruleset, ahead.state, taken.text)
            told.append({"seat": ahead.seat, "words": words})
        except (ValueError, KeyError):
            break  # the decision itself is refused when somebody goes there
    return told
