"""What decisions concern: every thing of a picture that can be decided about has a name, and a decision leads to its things.

A drawing gives the element of a thing the attribute `data-thing` with the name; `selector(name)` finds it there. The names:

| name | what it is |
|---|---|
| `route R` | a route, with everything on it |
| `post R 2` | one of its posts, 1 = the first; pieces stand on the first posts, the last ones are free |
| `route-marker R` | the marker on it |
| `city C` | a city, with everything in it |
| `office C 2` | one of its printed office spaces, 1 = leftmost |
| `extra C 1` | one of its extra offices, 1 = leftmost |
| `space 7` | a space of the special prestige table, by its points |
| `province P` | a province of the pawn variant |
| `desk 0` | what lies before a seat |
| `ability 0 keys` | an ability's track on it |
| `supply 0 trader`, `stock 0 merchant` | pieces of one kind there |
| `marker 0 exchange`, `used 0 +3`, `plate 0` | its markers: unused ones of a kind, used ones, those face down |
| `buttons` | the place for what concerns nothing on the board: `done`, `displace`, `move`, `ride` |
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hansa_env.render.scene import Scene

#: The place for decisions that concern nothing on the board.
BUTTONS = "buttons"
#: The marker that a verb uses.
_MARKER_OF = {"exchange": "exchange", "remove": "remove-three", "+3": "+3", "+4": "+4", "extra": "extra-office"}


def selector(thing: str) -> str:
    """A CSS selector of the element of a thing."""
    return f'[data-thing="{thing}"]'


def things_of(scene: Scene, text: str) -> tuple[str, ...]:
    """The names of what a legal decision of the scene concerns: one or several elements that stand for it, each in the drawing.

    The posts of a route are interchangeable, so a decision about one of them names all that it could be.
    """
    verb, *rest = text.split(" ")
    if scene.asked == "victim":
        return _posts(scene, scene.action.route if scene.action else None, lambda owner, kind: f"{owner}{kind[0]}" == text)
    if scene.asked == "with" and scene.action is not None and scene.action.verb == "claim":
        return _posts(scene, scene.action.route, lambda owner, kind: (owner, kind) == (str(scene.seat), text))
    if scene.asked in ("with", "pay"):
        return (f"supply {scene.seat} {text}",)
    if verb in ("place", "put"):
        return _free_posts(scene, rest[1])
    if verb == "lift":
        return _posts(scene, rest[1], lambda owner, kind: (owner, kind) == (str(scene.seat), rest[0]))
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
    if verb in _MARKER_OF:
        return (f"marker {scene.seat} {_MARKER_OF[verb]}",)
    return things_named(text) or (BUTTONS,)


def things_named(text: str) -> tuple[str, ...]:
    """The things that a decision names by itself, whatever the position; none for `done`, `victim` and the like."""
    verb, *rest = text.split(" ")
    if verb in ("place", "put", "lift"):
        return (f"route {rest[1]}",)
    if verb in ("claim", "route"):
        return (f"route {rest[0]}",)
    if verb in ("office", "city"):
        return (f"city {rest[0]}",)
    if verb == "prestige":
        return (f"space {rest[0]}",)
    if verb == "pawn":
        return (f"province {rest[0]}",)
    return ()


def things_after(scene: Scene, seat: int, text: str) -> tuple[str, ...]:
    """What the last decision concerned, in the scene that it led to: where the piece or the office stands now."""
    verb, *rest = text.split(" ")
    if verb in ("place", "put"):
        return _posts(scene, rest[1], lambda owner, kind: (owner, kind) == (str(seat), rest[0]))[:1] or things_named(text)
    if verb == "office":
        offices = next(city.offices for city in scene.cities if city.id == rest[0])
        return (f"office {rest[0]} {sum(office.piece is not None for office in offices)}",)
    if verb == "develop":
        return (f"ability {seat} {rest[0]}",)
    return things_named(text)


def _posts(scene: Scene, route_id: str | None, wanted: Callable[[str, str], bool]) -> tuple[str, ...]:
    route = next(route for route in scene.routes if route.id == route_id)
    return tuple(
        f"post {route.id} {number}"
        for number, piece in enumerate(route.posts, 1)
        if piece is not None and wanted(piece.owner, piece.kind)
    )


def _free_posts(scene: Scene, route_id: str) -> tuple[str, ...]:
    route = next(route for route in scene.routes if route.id == route_id)
    return tuple(f"post {route.id} {number}" for number, piece in enumerate(route.posts, 1) if piece is None)


def _next_office(scene: Scene, city_id: str) -> str:
    offices = next(city.offices for city in scene.cities if city.id == city_id)
    return f"office {city_id} {1 + next(i for i, office in enumerate(offices) if office.piece is None)}"
