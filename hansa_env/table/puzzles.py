"""Puzzles at the table: positions with known answers, one at a time; what was right is counted in the file of games."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from functools import cached_property
from threading import Lock

from hansa_env.formats.missions import DECIDER
from hansa_env.play.known_positions import KnownPosition, NoPuzzles, known_positions
from hansa_env.render.scene import scene_of
from hansa_env.render.things import things_of
from hansa_env.render.words import action_as_order
from hansa_env.ruleset import PLAYERS
from hansa_env.table.errors import NotThere, Refused
from hansa_env.table.game_history import Line
from hansa_env.table.start import Start
from hansa_env.table.store import Store
from hansa_env.table.view import view_of


class Puzzles:
    """The puzzles that are put to the host.

    Args:
        store: where answers are counted.
        source: where they come from; asked once, which takes seconds.
    """

    def __init__(self, store: Store, source: Callable[[], Sequence[KnownPosition]] = known_positions) -> None:
        self._store, self._source = store, source
        self._reading = Lock()

    @cached_property
    def _all(self) -> dict[str, KnownPosition]:
        try:
            return {one.name: one for one in self._source()}
        except NoPuzzles as error:
            raise Refused(str(error), 503) from None

    def _known(self) -> dict[str, KnownPosition]:
        """All puzzles, by name. Raises Refused: they cannot be read."""
        with self._reading:  # two pages do not read them twice
            return self._all

    def counts(self) -> list[dict]:
        """By kind and number of players, how many there are, and of how many the last answer was right or wrong."""
        answered = self._store.puzzle_answers()
        rows: dict[tuple[str, int], dict] = {}
        for one in self._known().values():
            key = one.kind, one.ruleset.players
            row = rows.setdefault(key, {"kind": key[0], "players": key[1], "puzzles": 0, "right": 0, "wrong": 0})
            row["puzzles"] += 1
            if one.name in answered:
                row["right" if answered[one.name] else "wrong"] += 1
        return list(rows.values())

    def next(self, kind: str | None, players: int | None, but: str | None = None) -> dict:
        """A puzzle to be put, as `put` has it: one never answered if there is any, else one answered wrong, else any.

        Args:
            kind, players: only of these, None = any.
            but: not this one again, unless it is the only one.

        Raises:
            Refused: there is none.
        """
        known, answered = self._known(), self._store.puzzle_answers()
        found = [one for one in known.values() if kind in (None, one.kind) and players in (None, one.ruleset.players)]
        if not found:
            kinds = ", ".join(sorted({one.kind for one in known.values()})) or "none at all"
            raise NotThere(f"there is no such puzzle; kinds are {kinds}, for {PLAYERS[0]} to {PLAYERS[-1]} players")
        groups = [[one for one in found if answered.get(one.name) is right] for right in (None, False, True)]
        groups = [[one for one in group if one.name != but] for group in groups] + [found]
        return self.put(secrets.choice(next(group for group in groups if group)).name)

    def put(self, name: str) -> dict:
        """A puzzle as it is put: the position as who decides sees it, nothing of the answer. Raises NotThere."""
        one = self._one(name)
        line = _line(one)
        mine = int(line.game.state["seat"])
        names = ["You" if seat == mine else f"Seat {seat}" for seat in range(one.ruleset.players)]
        return {"name": name, "kind": one.kind, "ruleset": str(one.ruleset), "seats": names,
                "view": view_of(line, 0, names, mine), "before": self._store.puzzle_answers().get(name)}  # fmt: skip

    def answer(self, name: str, text: str | None) -> dict:
        """What is right, why, and whether a decision was; None gives up, which counts as wrong.

        Raises:
            NotThere: there is no such puzzle. Refused: the decision is not legal there. NotKept: nothing was counted.
        """
        one = self._one(name)
        line = _line(one)
        legal = line.game.legal()
        if text is not None and text not in legal:
            raise Refused(f"{text[:80]!r} is not legal in this puzzle; legal are {', '.join(legal[:6])} ...")
        right = text in one.answers
        self._store.count_answer(name, right)
        answers = [_told(one, place) for place in range(len(one.answers))]
        return {"right": right, "given": text, "answers": answers, "why": one.why, "counts": self.counts()}

    def position(self, name: str) -> dict:
        """The position of a puzzle. Raises NotThere."""
        return self._one(name).position

    def _one(self, name: str) -> KnownPosition:
        try:
            return self._known()[name]
        except KeyError:
            raise NotThere(f"there is no puzzle {name[:40]!r}") from None


def _told(one: KnownPosition, place: int) -> dict:
    """An answer: its text, the order that it begins in words, and what of the picture that concerns."""
    line, text = _line(one), one.answers[place]
    shown = scene_of(one.ruleset, line.game.state, viewer=DECIDER)
    then = one.then[place] if place < len(one.then) else ()
    words: list[tuple[str, str]] = []
    things: list[str] = []
    for each in (text, *then):
        scene = scene_of(one.ruleset, line.game.state, viewer=DECIDER)
        words.append((scene.asked, each))
        things += things_of(scene, each, shown)
        line.game.play(each)
    told = action_as_order(one.ruleset, words)
    return {"text": text, "words": told, "goes_on": bool(then), "things": list(dict.fromkeys(things))}


def _line(one: KnownPosition) -> Line:
    return Line(Start.of_position(one.position))
