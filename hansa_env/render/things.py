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
| `guard C/C` | a guard of it, by the two cities of its border |
| `desk 0` | what lies before a seat |
| `ability 0 keys` | an ability's track on it |
| `supply 0 trader`, `stock 0 merchant` | pieces of one kind there |
| `marker 0 exchange`, `used 0 +3`, `plate 0` | its markers: unused ones of a kind, used ones, those face down |
| `favour action` | an Emperor's Favour tile on display |
| `favour 0 action`, `mission 0` | a tile of a seat's, and its mission card |
| `buttons` | the place for what concerns nothing on the board: `done`, `displace`, `move`, `ride` |

A question's row (`hansa_env.formats.descriptions`) leads its answers there, or to what is found by where the pieces are. L is
a lane: a route, or the ship posts of one.

| words | what they find |
|---|---|
| `free L` | its free posts |
| `own L trader` | its posts with such a piece of who decides |
| `piece L 1m` | its posts with that piece |
| `pieces L`, `others L` | its posts with any piece, or one of others; the route itself where it has one lane only |
| `next-office C` | the city's first empty office space |
"""

from __future__ import annotations

from collections.abc import Callable

from hansa_env.boards import SHIP
from hansa_env.formats.description import ANYONES, DISPLACED
from hansa_env.formats.find_question import row_within, rows_named
from hansa_env.render.scene_parts import NEUTRAL, Piece, Scene

#: The place for decisions that concern nothing on the board.
BUTTONS = "buttons"
#: What the first word of a decision leads to at any question whose row says nothing else.
_BY_WORD = {
    "place": ("free {1}",), "put": ("free {1}",), "lift": ("own {1} {0}",), "office": ("next-office {0}",),
    "develop": ("ability {seat} {0}",),
}  # fmt: skip


def selector(thing: str) -> str:
    """A CSS selector of the element of a thing."""
    return f'[data-thing="{thing}"]'


def things_of(scene: Scene, text: str, shown: Scene | None = None) -> tuple[str, ...]:
    """The names of what a legal decision of the scene concerns: one or several elements that stand for it, each in the drawing.

    The posts of a route that hold the same kinds are interchangeable, so a decision about one names all that it could be.

    Args:
        scene: at whose question it is legal.
        text: the decision.
        shown: the scene that is drawn instead, a decision or two before; a route whose pieces are meant is then not one thing.
    """
    word, *rest = text.split(" ")
    verb = None if scene.action is None else scene.action.verb
    row = row_within(scene.asked, verb)
    told = {} if row is None else row.things
    patterns = told.get(word) or told.get("") or _BY_WORD.get(word)
    if word == "income":
        return (f"stock {scene.seat} {shown_of_income(rest[0])}",)
    if patterns is None:
        return things_named(text) or (BUTTONS,)
    return tuple(name for pattern in patterns for name in _found(scene, pattern, text, rest, shown))


def shown_of_income(merchants: str) -> str:
    """The kind of piece that stands for an income of up to so many merchants: merchants where it brings any."""
    return "trader" if merchants == "0" else "merchant"


def _found(scene: Scene, pattern: str, text: str, rest: list[str], shown: Scene | None) -> tuple[str, ...]:
    """The elements that a pattern of a row stands for."""
    places: dict[str, object] = {"text": text, "seat": scene.seat, "removing": scene.removing_marker}
    if scene.action is not None:
        places |= {"route": scene.action.route, "city": scene.action.city, "partner": scene.action.partner}
    if "{next}" in pattern:
        places["next"] = int(rest[0]) + 1
    name = pattern.format(*rest, **places)
    search, *words = name.split(" ")
    drawn = shown or scene
    if search == "free":
        return tuple(post for post, piece in posts_of(drawn, words[0]) if piece is None)
    if search == "own":
        return held_posts(drawn, words[0], _is_piece(drawn.seat, words[1]))
    if search == "piece":
        return held_posts(drawn, words[0], lambda piece: f"{piece.owner}{piece.kind[0]}" == words[1])
    if search in ("pieces", "others"):
        if shown is None and not _is_maritime(scene, words[0]):
            return (f"route {words[0]}",)
        own = str(drawn.seat) if search == "others" else None
        return held_posts(drawn, words[0], lambda piece: piece.owner != own)
    if search == "next-office":
        return (_next_office(drawn, words[0]),)
    return (name,)


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


def things_after(scene: Scene, seat: int, text: str, asked: str = "", owner: str | None = None) -> tuple[str, ...]:
    """What the last decision concerned, in the scene that it led to: where the piece or the office stands now.

    A piece dropped (R9.14a) may be of any seat, so that the route stands for it; the same holds where the scene no longer tells
    a relocated piece from a neutral one (R8.2.2). `owner` says whose a piece put down is, where that is known.
    """
    verb, *rest = text.split(" ")
    if verb in ("place", "put"):
        owners = (owner,) if owner is not None else _owners_of_put_down(scene, seat, asked)
        held = [posts for one in owners if (posts := held_posts(scene, rest[1], _is_piece(one, rest[0])))]
        return held[0][:1] if len(held) == 1 else things_named(text)
    if verb == "office":
        offices = next(city.offices for city in scene.cities if city.id == rest[0])
        return (f"office {rest[0]} {sum(office.piece is not None for office in offices)}",)
    if verb == "develop":
        return (f"ability {seat} {rest[0]}",)
    if verb == "favour":
        return (f"favour {seat} {rest[0]}",)
    return things_named(text)


def _owners_of_put_down(scene: Scene, seat: int, asked: str) -> tuple[str, ...]:
    """Whose a piece may be that a seat put down at a question, as far as the scene after it tells; () = anybody's."""
    hands = {row.hand for row in rows_named(asked)}
    if ANYONES in hands:
        return ()
    if DISPLACED not in hands or scene.two_players != "neutral":
        return (str(seat),)
    if scene.action is not None and scene.action.victim is not None:  # the relocation goes on
        return (scene.action.victim.owner,)
    return str(seat), NEUTRAL


def held_posts(scene: Scene, lane: str, wanted: Callable[[Piece], bool]) -> tuple[str, ...]:
    """The posts of a route, or of a maritime one its house or its ship posts, with such pieces on them."""
    return tuple(name for name, piece in posts_of(scene, lane) if piece is not None and wanted(piece))


def posts_of(scene: Scene, lane: str) -> list[tuple[str, Piece | None]]:
    """The names of the posts of a lane (`hansa_env.boards.Lane`) with what is on them."""
    route_id, ship, _ = lane.partition(SHIP)
    route = next(route for route in scene.routes if route.id == route_id)
    posts = enumerate(zip(route.posts, route.ships), 1)
    return [(f"post {route.id} {number}", piece) for number, (piece, is_ship) in posts if is_ship == bool(ship)]


def _is_maritime(scene: Scene, lane: str) -> bool:
    return any(any(route.ships) for route in scene.routes if route.id == lane.removesuffix(SHIP))


def _is_piece(seat: int | str | None, kind: str) -> Callable[[Piece], bool]:
    return lambda piece: (piece.owner, piece.kind) == (str(seat), kind)


def _next_office(scene: Scene, city_id: str) -> str:
    offices = next(city.offices for city in scene.cities if city.id == city_id)
    return f"office {city_id} {1 + next(i for i, office in enumerate(offices) if office.piece is None)}"
