"""Where the piece of a decision came from and where it went, as names of things in the drawing, so that a page can move it."""

from __future__ import annotations

from typing import NamedTuple

from hansa_env.boards import SHIP
from hansa_env.formats.description import filled
from hansa_env.formats.descriptions import by_number
from hansa_env.formats.position import position_of
from hansa_env.render.scene_parts import Scene
from hansa_env.render.things import held_posts, things_after
from hansa_env.table.line import Line


class Trail(NamedTuple):
    """A piece that moved: the things it came from and went to (`hansa_env.render.things`), and which it is, such as "0t"."""

    source: str
    target: str
    piece: str


def trail_of(line: Line, number: int, scene: Scene) -> Trail | None:
    """What moved by the decision that led to a position; None where that is not one piece.

    Args:
        line: the game.
        number: how many decisions stand before the position.
        scene: of the position.
    """
    if not number:
        return None
    trails = by_number()[int(line.records[number - 1]["asked"])].trails
    word, *words = line.moves[number - 1].text.split(" ")
    way = trails.get(word) or trails.get("")
    if way is None:
        return None
    moved = Moved(line, number, scene)
    source, target, piece = (filled(pattern, words, moved) for pattern in (way.source, way.target or "{target}", way.piece))
    if source is None or target is None or piece is None:
        return None
    owner, kind = piece.split(" ")
    return Trail(source, target, owner + kind[0])


class Moved:
    """What the trails of `hansa_env.formats.descriptions` name of a decision; None = it is not known."""

    def __init__(self, line: Line, number: int, scene: Scene) -> None:
        self._line, self._number, self._scene, self._move = line, number, scene, line.moves[number - 1]
        self.seat, self.text = self._move.seat, self._move.text
        self._word = self.text.rpartition(" ")[2]
        self._action = position_of(line.ruleset, line.records[number - 1])["action"] or {}

    @property
    def route(self) -> str | None:
        """Of the action under way."""
        lane = self._action.get("route")
        return lane and lane.removesuffix(SHIP)

    @property
    def target(self) -> str | None:
        """What the decision led to."""
        return next(iter(things_after(self._scene, self.seat, self.text, self._move.asked)), None)

    @property
    def displacing(self) -> str | None:
        """The post on which the displacing piece stands, of those that hold the same the last."""
        wanted = (str(self.seat), self.text)
        posts = held_posts(self._scene, self._action["route"], lambda piece: (piece.owner, piece.kind) == wanted)
        return posts[-1] if posts else None

    @property
    def relocated(self) -> str:
        """Where a piece put down in a relocation was: the displaced one on the route, those added in the stock (R4.4)."""
        kind, victim = self.text.split(" ")[1], self._action["victim"]
        return f"stock {self.seat} {kind}" if self._action["settled"] or victim[1] != kind[0] else f"route {self.route}"

    @property
    def lifted(self) -> str | None:
        """The route from which the last piece of that kind was lifted this turn."""
        return self._decided(f"lift {self.text.split(' ')[1]}")

    @property
    def claimed(self) -> str | None:
        """The route that was claimed last this turn."""
        return self._decided("claim")

    @property
    def cover(self) -> str:
        """The piece that covered the track of the ability that the decision names last."""
        return next(track.cover for track in self._scene.desks[self.seat].tracks if track.ability == self._word)

    @property
    def founded(self) -> str | None:
        """The piece that is an office now."""
        city, number = str(self.target).split(" ")[1:]
        piece = next(one for one in self._scene.cities if one.id == city).offices[int(number) - 1].piece
        return None if piece is None else piece.kind

    def _decided(self, begin: str) -> str | None:
        """The route that the last decision of the turn names that begins so."""
        moves = self._line.moves[: self._number]
        found = [move.text for move in moves if move.turn == self._move.turn and move.text.startswith(f"{begin} ")]
        return f"route {found[-1].rpartition(' ')[2].removesuffix(SHIP)}" if found else None
