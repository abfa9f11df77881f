"""Where the piece of a decision came from and where it went, as names of things in the drawing, so that a page can move it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from hansa_env.boards import SHIP
from hansa_env.formats.description import filled
from hansa_env.formats.find_question import by_number
from hansa_env.formats.moves import Move
from hansa_env.formats.position import position_of
from hansa_env.render.scene_parts import NEUTRAL, Scene
from hansa_env.render.things import held_posts, posts_of, shown_of_income, things_after
from hansa_env.ruleset import Ruleset


class Trail(NamedTuple):
    """A piece that moved: the things it came from and went to (`hansa_env.render.things`), and which it is, such as "0t"."""

    source: str
    target: str
    piece: str


def trail_of(ruleset: Ruleset, moves: Sequence[Move], before: np.void | None, scene: Scene) -> Trail | None:
    """What moved by the last of some decisions; None where that is not one piece.

    Args:
        ruleset: of the game.
        moves: the decisions, from the beginning of the action at least.
        before: the game record before the last of them.
        scene: after it, where both ends are to be found.
    """
    if not moves or before is None:
        return None
    trails = by_number()[int(before["asked"])].trails
    word, *words = moves[-1].text.split(" ")
    way = trails.get(word) or trails.get("")
    if way is None:
        return None
    moved = Moved(ruleset, moves, before, scene)
    source, target, piece = (filled(pattern, words, moved) for pattern in (way.source, way.target or "{target}", way.piece))
    if source is None or target is None or piece is None:
        return None
    owner, kind = piece.split(" ")
    return Trail(source, target, owner + kind[0])


class Moved:
    """What the trails of `hansa_env.formats.descriptions` name of a decision; None = it is not known."""

    def __init__(self, ruleset: Ruleset, moves: Sequence[Move], before: np.void, scene: Scene) -> None:
        self._moves, self._move, self._scene = moves, moves[-1], scene
        self.seat, self.text = self._move.seat, self._move.text
        self._word = self.text.rpartition(" ")[2]
        position = position_of(ruleset, before)
        self._action = position["action"] or {}
        self._reserve = "stock" if sum(position["stock"][self.seat]) else "supply"

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
    def taken(self) -> str:
        """The kind that an income is shown by."""
        return shown_of_income(self.text.split(" ")[1])

    @property
    def owner(self) -> str:
        """Whose a piece put down in a relocation is: the neutral player's where a neutral trader was displaced (R8.2.2)."""
        return NEUTRAL if self._action["victim"][0] == NEUTRAL else str(self.seat)

    @property
    def put_down(self) -> str | None:
        """The post that a piece put down in a relocation is on now."""
        return next(iter(things_after(self._scene, self.seat, self.text, self._move.asked, self.owner)), None)

    @property
    def relocated(self) -> str | None:
        """Where a piece put down in a relocation was: the displaced one on the route, those added as `added` says, neutral ones
        in no place of the picture."""
        kind, victim = self.text.split(" ")[1], self._action["victim"]
        if self._action["settled"] and self.owner == NEUTRAL:
            return None
        return self.added if self._action["settled"] or victim[1] != kind[0] else f"route {self.route}"

    @property
    def added(self) -> str:
        """Where a piece was that is put down from what one has (R4.4, R10.15): in the stock, with an empty stock in the supply,
        with both empty on the route from which the decision before took it up."""
        before = self._moves[-2].text if len(self._moves) > 1 else ""
        if before.startswith("lift "):
            return f"route {before.rpartition(' ')[2].removesuffix(SHIP)}"
        return f"{self._reserve} {self.seat} {self.text.split(' ')[1]}"

    @property
    def lifted(self) -> str | None:
        """The route from which the piece was lifted: those of a kind are put down in the order in which they were lifted."""
        kind = self.text.split(" ")[1]
        lifted, put = self._routes_of(f"lift {kind} "), self._routes_of(f"put {kind} ")
        return lifted[min(len(put), len(lifted)) - 1] if lifted else None

    @property
    def claimed(self) -> str | None:
        """The route that was claimed by the action under way."""
        return next(iter(self._routes_of("claim ")), None)

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

    def _routes_of(self, begin: str) -> list[str]:
        """The routes that the decisions of the action under way name that begin so."""
        moves = self._moves
        first = next((place for place in range(len(moves) - 1, -1, -1) if moves[place].asked == "act"), 0)
        found = [move.text for move in moves[first:] if move.text.startswith(begin)]
        return [f"route {text.rpartition(' ')[2].removesuffix(SHIP)}" for text in found]


class Ahead:
    """Where trails of decisions to come begin and end in a drawing of the position before all of them, so that pieces still
    stand where they will be taken from, and posts are free that will be filled.

    Args:
        ruleset: of the game.
        scene: of that position.
    """

    def __init__(self, ruleset: Ruleset, scene: Scene) -> None:
        self._ruleset, self._scene = ruleset, scene
        self._left, self._filled = set[str](), set[str]()

    def trail_of(self, moves: Sequence[Move], before: np.void, after: Scene) -> Trail | None:
        """What moves by the last of some decisions, each end on a post that no trail before it has.

        Args:
            moves, before: as of `hansa_env.table.trails.trail_of`.
            after: the scene after the last of them.
        """
        trail = trail_of(self._ruleset, moves, before, after)
        if trail is None:
            return None
        source, target, victim = trail.source, trail.target, None
        if moves[-1].asked == "with":
            victim = (position_of(self._ruleset, before)["action"] or {}).get("victim")
        if source.startswith("route "):
            source = self._post(source.split(" ")[1], trail.piece, self._left) or source
        if target.startswith("post "):
            target = self._post(target.split(" ")[1], victim, self._filled, target) or target
        return trail._replace(source=source, target=target)

    def _post(self, route: str, piece: str | None, used: set[str], like: str | None = None) -> str | None:
        """A post with a piece, or a free one, that is not used yet; from now on it is. It is of the lane of `like`."""
        lanes = [lane for lane in (route, route + SHIP) if like is None or like in _posts(self._scene, lane)]
        posts = [one for lane in lanes for one in _posts(self._scene, lane).items()]
        found = [post for post, there in posts if there == piece and post not in used]
        used.update(found[:1])
        return found[0] if found else None


def _posts(scene: Scene, lane: str) -> dict[str, str | None]:
    """The posts of a lane, each with what stands there, such as "1t"."""
    return {name: None if piece is None else f"{piece.owner}{piece.kind[0]}" for name, piece in posts_of(scene, lane)}
