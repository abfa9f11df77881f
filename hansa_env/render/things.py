"""What decisions concern: every thing of a picture that can be decided about has a name, and a decision leads to its things.

A drawing gives the element of a thing the attribute `data-thing` with the name; `selector(name)` finds it there. The names:

| name | what it is |
|---|---|
| `route R` | a route, with everything on it |
| `post R 2` | one of its posts, 1 = the first; pieces stand on the first posts of a type, the last ones are free |
| `route-marker R` | the marker on it |
| `permanent-marker R` | the one printed beside it |
| `token R 1` | a tribute or block above it, 1 = the first laid |
| `city C` | a city, with everything in it |
| `office C 2` | one of its printed office spaces, or of the offices placed in a green city, 1 = leftmost |
| `extra C 1` | one of its extra offices, 1 = leftmost |
| `space 7` | a space of the special prestige table, by its points |
| `province P` | a province of the pawn variant |
| `desk 0` | what lies before a seat |
| `ability 0 keys` | an ability's track on it |
| `supply 0 trader`, `stock 0 merchant` | pieces of one kind there |
| `marker 0 exchange`, `used 0 +3`, `plate 0` | its markers: unused ones of a kind, used ones, those face down |
| `favour action` | an Emperor's Favour tile on display |
| `favour 0 action`, `mission 0` | a tile of a seat's, and its mission card |
| `buttons` | the place for what concerns nothing on the board: `done`, `displace`, `move`, `ride` |
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from hansa_env.boards import SHIP

if TYPE_CHECKING:
    from hansa_env.render.scene import Scene
    from hansa_env.render.scene_parts import Piece

#: The place for decisions that concern nothing on the board.
BUTTONS = "buttons"
#: The marker that a verb uses.
_MARKER_OF = {"exchange": "exchange", "+3": "+3", "+4": "+4", "extra": "extra-office", "trade-in": "trade-in",
              "tribute": "tribute", "block": "block"}  # fmt: skip
#: Those that `remove` may use, of which a game has one (R6.4, R13.3).
_REMOVING = ("remove-three", "move-three")


def selector(thing: str) -> str:
    """A CSS selector of the element of a thing."""
    return f'[data-thing="{thing}"]'


def things_of(scene: Scene, text: str) -> tuple[str, ...]:
    """The names of what a legal decision of the scene concerns: one or several elements that stand for it, each in the drawing.

    The posts of a route that hold the same kinds are interchangeable, so a decision about one names all that it could be.
    """
    verb, *rest = text.split(" ")
    if scene.asked == "victim":
        assert scene.action is not None and scene.action.route is not None
        return held_posts(scene, scene.action.route, lambda piece: f"{piece.owner}{piece.kind[0]}" == text)
    if scene.asked == "with" and scene.action is not None and scene.action.verb == "claim":
        route = scene.action.route
        assert route is not None
        lanes = (route, f"{route}{SHIP}")
        return tuple(name for lane in lanes for name in held_posts(scene, lane, _is_piece(scene.seat, text)))
    if scene.asked == "spend":
        partner = scene.action.partner if scene.action is not None else None
        return (f"marker {scene.seat} {text}" if partner is None else f"used {partner} {text}",)
    if scene.asked == "tithe" and text != "done":
        return (f"stock {scene.seat} {text}",)
    if scene.asked in ("with", "pay"):
        return (f"supply {scene.seat} {text}",)
    if verb in ("place", "put"):
        return _free_posts(scene, rest[1])
    if verb == "lift":
        return held_posts(scene, rest[1], _is_piece(scene.seat, rest[0]))
    if verb == "route" and scene.asked not in ("marker", "token") and _is_maritime(scene, rest[0]):
        others = scene.asked == "displace" or (scene.action is not None and scene.action.verb == "move-three")
        own = str(scene.seat) if others else None
        return held_posts(scene, rest[0], lambda piece: piece.owner != own)
    if verb == "office":
        return (_next_office(scene, rest[0]),)
    if verb == "city" and scene.asked == "neutral":
        return (_next_office(scene, rest[0]),)
    if verb == "pair" and scene.action is not None:
        return tuple(f"office {scene.action.city} {int(rest[0]) + i}" for i in (0, 1))
    if verb == "income":
        return tuple(f"stock {scene.seat} {kind}" for kind in (("trader",) if rest[0] == "0" else ("merchant",)))
    if verb == "develop":
        return (f"ability {scene.seat} {rest[0]}",)
    if verb == "remove":
        held = [kind for kind, _ in scene.desks[scene.turn].markers]
        return tuple(f"marker {scene.seat} {kind}" for kind in _REMOVING if kind in held)
    if verb in _MARKER_OF:
        return (f"marker {scene.seat} {_MARKER_OF[verb]}",)
    return things_named(text) or (BUTTONS,)


def things_named(text: str) -> tuple[str, ...]:
    """The things that a decision names by itself, whatever the position; none for `done`, `victim` and the like."""
    verb, *rest = text.split(" ")
    if verb in ("place", "put", "lift"):
        return (f"route {rest[1].removesuffix(SHIP)}",)
    if verb in ("claim", "route"):
        return (f"route {rest[0].removesuffix(SHIP)}",)
    if verb in ("office", "city"):
        return (f"city {rest[0]}",)
    if verb == "seat":
        return (f"desk {rest[0]}",)
    if verb == "prestige":
        return (f"space {rest[0]}",)
    if verb == "pawn":
        return (f"province {rest[0]}",)
    if verb == "favour":
        return (text,)
    return ()


def things_after(scene: Scene, seat: int, text: str, asked: str = "") -> tuple[str, ...]:
    """What the last decision concerned, in the scene that it led to: where the piece or the office stands now.

    A piece dropped (R9.14a) may be of any seat, so that the route stands for it.
    """
    verb, *rest = text.split(" ")
    if verb in ("place", "put") and asked != "drop":
        return held_posts(scene, rest[1], _is_piece(seat, rest[0]))[:1] or things_named(text)
    if verb == "office":
        offices = next(city.offices for city in scene.cities if city.id == rest[0])
        return (f"office {rest[0]} {sum(office.piece is not None for office in offices)}",)
    if verb == "develop":
        return (f"ability {seat} {rest[0]}",)
    if verb == "favour":
        return (f"favour {seat} {rest[0]}",)
    return things_named(text)


def held_posts(scene: Scene, lane: str, wanted: Callable[[Piece], bool]) -> tuple[str, ...]:
    """The posts of a route, or of a maritime one its house or its ship posts, with such pieces on them."""
    return tuple(name for name, piece in _lane(scene, lane) if piece is not None and wanted(piece))


def _free_posts(scene: Scene, lane: str) -> tuple[str, ...]:
    return tuple(name for name, piece in _lane(scene, lane) if piece is None)


def _lane(scene: Scene, lane: str) -> list[tuple[str, Piece | None]]:
    """The names of the posts of a lane (`hansa_env.boards.Lane`) with what is on them."""
    route_id, ship, _ = lane.partition(SHIP)
    route = next(route for route in scene.routes if route.id == route_id)
    posts = enumerate(zip(route.posts, route.ships), 1)
    return [(f"post {route.id} {number}", piece) for number, (piece, is_ship) in posts if is_ship == bool(ship)]


def _is_maritime(scene: Scene, lane: str) -> bool:
    return any(any(route.ships) for route in scene.routes if route.id == lane.removesuffix(SHIP))


def _is_piece(seat: int | None, kind: str) -> Callable[[Piece], bool]:
    return lambda piece: (piece.owner, piece.kind) == (str(seat), kind)


def _next_office(scene: Scene, city_id: str) -> str:
    offices = next(city.offices for city in scene.cities if city.id == city_id)
    return f"office {city_id} {1 + next(i for i, office in enumerate(offices) if office.piece is None)}"
