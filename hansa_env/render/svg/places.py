"""Where everything on the map stands: the board's own coordinates, moved apart where the drawing needs room."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import hypot

import numpy as np

from hansa_env.boards import Board, City, load_board
from hansa_env.engine.state import TOKENS
from hansa_env.render.svg.shapes import LETTER, PLAQUE, TOKEN

WIDTH, HEIGHT = 840.0, 600.0
MARGIN_X, MARGIN_Y = 24.0, 14.0
OFFICE, GAP, PAD = 23.0, 3.0, 5.0
PLATE = OFFICE + 2 * PAD
EXTRA = 19.0
NAME, NAME_HEIGHT = 15.0, 18.0
ICON = 20.0
#: Across a post with its piece, and a ship, with air around it.
POST, SHIP = 24.0, 32.0
#: A token that lies above a route, with its trader.
LAID = (34.0, 17.0)
#: Across a road.
ROAD = 8.0
#: Offices that a green city is given room for; its row grows beyond them over what is beside it.
GREEN_OFFICES = 2
#: Extra offices that a city may have before it grows over permanent markers.
EXTRAS = 2
SPACE = 27.0
ROUNDS = 120
#: Height of a line that says which colour is which country.
LEGEND_ROW = 20.0

Point = tuple[float, float]


@dataclass(frozen=True)
class Box:
    """A rectangle by its centre."""

    x: float
    y: float
    width: float
    height: float

    def grown(self, by: float) -> Box:
        return Box(self.x, self.y, self.width + 2 * by, self.height + 2 * by)

    def overlap(self, other: Box) -> float:
        """The area that two boxes share."""
        width = (self.width + other.width) / 2 - abs(self.x - other.x)
        height = (self.height + other.height) / 2 - abs(self.y - other.y)
        return max(width, 0) * max(height, 0)


@dataclass(frozen=True)
class Places:
    """Where things stand on a map of WIDTH by HEIGHT."""

    cities: dict[str, Point]
    names: dict[str, Point]  # the middle of the line of text
    posts: dict[str, tuple[Point, ...]]
    middles: dict[str, Point]  # of routes
    markers: dict[str, Point]
    spaces: tuple[Point, ...]
    table: Box
    provinces: dict[str, Point]
    guards: dict[tuple[str, str], Point]  # by the cities of their borders
    taken: tuple[Box, ...]  # by all these
    legend: Box | None  # of countries, on boards with regions


def plate_width(offices: int, extras: int = 0) -> float:
    """Of the plate of a city; an empty green one is as wide as for one office."""
    offices = max(offices, not extras)
    return 2 * PAD + offices * OFFICE + (offices - 1) * GAP + extras * (EXTRA + GAP)


def name_width(name: str, abilities: int) -> float:
    """Of a city's name with the icons of its abilities."""
    return len(name) * NAME * (LETTER + 0.06) + abilities * ICON


@cache
def places_of(board_id: str, pawn: bool) -> Places:
    """The places of a board; those of provinces and guards only in the pawn variant."""
    board = load_board(board_id)
    cities = {city.id: _on_map(city.xy) for city in board.cities}
    plates = {city.id: Box(*cities[city.id], plate_width(_room(city)), PLATE) for city in board.cities}
    for city_id, box in plates.items():
        x = min(max(box.x, box.width / 2 + 6), WIDTH - box.width / 2 - 6)
        y = min(max(box.y, PLATE / 2 + NAME_HEIGHT + 6), HEIGHT - PLATE / 2 - 6)
        plates[city_id] = Box(x, y, box.width, box.height)
        cities[city_id] = x, y
    wanted = {route.id: [_on_map(xy) for xy in route.post_xy] for route in board.routes}
    sizes = {route.id: [SHIP if kind == "merchant" else POST for kind in route.post_types] for route in board.routes}
    names = _names(board, plates, _post_boxes(wanted, sizes))
    posts = _moved_apart(wanted, sizes, [*plates.values(), *names.values()])
    taken = [*plates.values(), *names.values(), *(box.grown(-1) for box in _post_boxes(posts, sizes))]
    lines = {route.id: [cities[route.cities[0]], *posts[route.id], cities[route.cities[1]]] for route in board.routes}
    taken += [Box(*xy, ROAD, ROAD) for line in lines.values() for xy in _along(line)]
    table = _table(board, posts, taken)
    taken.append(table)
    provinces, guards = {}, {}
    for guard in board.guards if pawn else ():
        box = _free_place(_on_map(guard.xy), 18, 20, taken)
        guards[guard.cities] = box.x, box.y
        taken.append(box)
    for province in board.provinces if pawn else ():
        box = _free_place(_on_map(province.xy), 26, 26, taken)
        provinces[province.id] = box.x, box.y
        taken.append(box)
    markers, middles = {}, {}
    grown = [_grown(city, *cities[city.id]) for city in board.cities]
    for route in board.routes:
        middles[route.id] = _middle(lines[route.id])
        size, others = (PLAQUE, [*taken, *grown]) if route.permanent_marker else (TOKEN, taken)
        box = _free_place(middles[route.id], *size, others)
        markers[route.id] = box.x, box.y
        taken.append(box)
    legend = None
    if board.regions:
        legend = _free_place((WIDTH - 70, 40), 100, LEGEND_ROW * len(board.regions), taken, _FAR)
        taken.append(legend)
    first = table.x - table.width / 2 + 4 + SPACE / 2
    spaces = tuple((first + i * (SPACE + 3), table.y + 7) for i in range(len(board.prestige_spaces)))
    named = {c: (b.x, b.y) for c, b in names.items()}
    return Places(cities, named, posts, middles, markers, spaces, table, provinces, guards, tuple(taken), legend)


@cache
def token_places(board_id: str, pawn: bool) -> dict[str, tuple[Point, ...]]:
    """R13.8: where tokens stand above each route of a board, the first laid first."""
    at = places_of(board_id, pawn)
    found: dict[str, tuple[Point, ...]] = {}
    for route, middle in at.middles.items():
        taken = list(at.taken)
        for _ in range(TOKENS):
            box = _free_place(middle, *LAID, taken)
            taken.append(box)
            found[route] = (*found.get(route, ()), (box.x, box.y))
    return found


def _room(city: City) -> int:
    return GREEN_OFFICES if city.green else len(city.offices)


def _grown(city: City, x: float, y: float) -> Box:
    """The plate of a city with as many extra offices as a sign that is printed beside it leaves room for."""
    width = plate_width(_room(city), EXTRAS)
    return Box(min(max(x, width / 2 + 4), WIDTH - width / 2 - 4), y, width, PLATE)


def _post_boxes(posts: Mapping[str, Sequence[Point]], sizes: dict[str, list[float]]) -> list[Box]:
    return [Box(*xy, size, size) for route, places in posts.items() for xy, size in zip(places, sizes[route])]


def _on_map(xy: Point) -> Point:
    return MARGIN_X + xy[0] * (WIDTH - 2 * MARGIN_X), MARGIN_Y + xy[1] * (HEIGHT - 2 * MARGIN_Y)


#: How far beside the middle of its plate a name may stand.
_ASIDE = (0, -8, 8, -16, 16, -24, 24)


def _names(board: Board, plates: dict[str, Box], posts: Sequence[Box]) -> dict[str, Box]:
    """Each above its plate, or below or somewhat aside where that is freer."""
    names: dict[str, Box] = {}
    for city in board.cities:
        plate = plates[city.id]
        width = name_width(city.name, len(city.abilities) + (city.id in board.gateways))
        x = min(max(plate.x, width / 2 + 5), WIDTH - width / 2 - 5)
        cities = [*(other for name, other in plates.items() if name != city.id), *names.values()]
        others = [*posts, *(other.grown(5) for other in cities)]
        least = float("inf")
        for side, aside in product((-1, 1), _ASIDE):
            box = Box(x + aside, plate.y + side * (PLATE + NAME_HEIGHT) / 2, width, NAME_HEIGHT)
            if width / 2 + 4 < box.x < WIDTH - width / 2 - 4 and box.y + NAME_HEIGHT / 2 < HEIGHT - 4:
                cost = sum(box.overlap(other) for other in others) + 60 * (side == 1) + 60 * (aside != 0) + abs(aside)
                if cost < least:
                    names[city.id], least = box, cost
    return names


def _moved_apart(
    wanted: dict[str, list[Point]], sizes: dict[str, list[float]], boxes: Sequence[Box]
) -> dict[str, tuple[Point, ...]]:
    """Posts, kept off boxes and off each other, as near as may be to where they are wanted."""
    radius = np.array([size / 2 for route in wanted for size in sizes[route]])
    homes = np.array([xy for posts in wanted.values() for xy in posts])
    centres = np.array([(box.x, box.y) for box in boxes])
    reach = np.array([(box.width, box.height) for box in boxes]) / 2 + radius[:, None, None]
    edge = radius[:, None] + 3
    now = homes.copy()
    for round_ in range(ROUNDS):
        now += 0.08 * (1 - round_ / ROUNDS) * (homes - now)
        apart = now[:, None] - now
        distance = np.hypot(*np.moveaxis(apart, -1, 0)) + np.eye(len(now)) * 1e9
        push = np.clip(radius[:, None] + radius - distance, 0, None) / 2 / np.maximum(distance, 0.01)
        now += (push[..., None] * apart).sum(1)
        off = now[:, None] - centres
        inside = reach - np.abs(off)
        inside[(inside <= 0).any(-1)] = 0
        shorter = inside == inside.min(-1, keepdims=True)
        now += (np.where(shorter, inside, 0) * np.where(off > 0, 1, -1)).sum(1)
        now = np.clip(now, edge, (WIDTH, HEIGHT) - edge)
    places = iter(now.tolist())
    return {route: tuple((x, y) for x, y in (next(places) for _ in posts)) for route, posts in wanted.items()}


def _table(board: Board, posts: dict[str, tuple[Point, ...]], taken: Sequence[Box]) -> Box:
    """The special prestige table, by the route that leads to it."""
    width = len(board.prestige_spaces) * (SPACE + 3) + 5
    x, y = _middle(posts[board.prestige_route])
    return _free_place((x, y - 40 if y > HEIGHT / 2 else y + 40), width, SPACE + 22, taken, _FAR)


def _along(points: Sequence[Point]) -> Iterator[Point]:
    """Points along a line, ROAD apart."""
    for a, b in zip(points, points[1:]):
        steps = max(1, round(hypot(b[0] - a[0], b[1] - a[1]) / ROAD))
        for i in range(steps):
            yield a[0] + i / steps * (b[0] - a[0]), a[1] + i / steps * (b[1] - a[1])


def _middle(points: Sequence[Point]) -> Point:
    """Half way along a line."""
    steps = [hypot(b[0] - a[0], b[1] - a[1]) for a, b in zip(points, points[1:])]
    left = sum(steps) / 2
    for (a, b), step in zip(zip(points, points[1:]), steps):
        if left <= step:
            share = left / (step or 1)
            return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])
        left -= step
    return points[-1]


@cache
def _steps(across: int, down: int) -> np.ndarray:
    """How far from a point one may look for a place, nearest first: rows of distance, x and y."""
    return np.array(sorted((hypot(dx, dy), dx, dy) for dx in range(-across, across + 1, 4) for dy in range(-down, down + 1, 4)))


#: How far across and down a place is sought; for things that lie apart from what they name, further.
_NEAR, _FAR = (96, 72), (200, 200)
#: Steps looked at together; most places are found among the first.
_TOGETHER = 128


def _free_place(near: Point, width: float, height: float, taken: Iterable[Box], within: tuple[int, int] = _NEAR) -> Box:
    """A box as near as may be to a point that lies on little else."""
    steps = _steps(*within)
    others = np.array([(box.x, box.y, box.width + 4, box.height + 4) for box in taken])  # grown by 2
    reach = steps[:, 1:].max(0) + (np.array([width, height]) + others[:, 2:]) / 2
    others = others[(np.abs(others[:, :2] - near) < reach).all(1)]
    room = (others[:, 2:] + (width, height)) / 2
    edge = np.array([width, height]) / 2 + 3
    best, least = near, float("inf")
    for first in range(0, len(steps), _TOGETHER):
        distance, moved = steps[first : first + _TOGETHER, 0], steps[first : first + _TOGETHER, 1:]
        if distance[0] >= least:
            break
        centres = near + moved
        shared = np.clip(room - np.abs(centres[:, None] - others[:, :2]), 0, None).prod(-1).sum(1)
        on_map = ((centres > edge) & (centres < (WIDTH, HEIGHT) - edge)).all(1)
        cost = np.where(on_map, distance + 2 * shared, np.inf)
        if cost.min() < least:
            best, least = tuple(centres[cost.argmin()].tolist()), float(cost.min())
    return Box(*best, width, height)


def curve(points: Sequence[Point]) -> str:
    """A smooth line through points, as the data of a path (Catmull and Rom's spline)."""
    ends = [points[0], *points, points[-1]]
    data = f"M{points[0][0]:.1f} {points[0][1]:.1f}"
    for p0, p1, p2, p3 in zip(ends, ends[1:], ends[2:], ends[3:]):
        c1 = p1[0] + (p2[0] - p0[0]) / 6, p1[1] + (p2[1] - p0[1]) / 6
        c2 = p2[0] - (p3[0] - p1[0]) / 6, p2[1] - (p3[1] - p1[1]) / 6
        data += f"C{c1[0]:.1f} {c1[1]:.1f} {c2[0]:.1f} {c2[1]:.1f} {p2[0]:.1f} {p2[1]:.1f}"
    return data
