"""The printed boards as data: one JSON file each, read into plain frozen records.

A route with ship posts (`post_types` "merchant", R9.4) is a maritime route; a green city has no printed space (R9.7). On a
board with regions (R10) every route lies in a country: England, or the country of a region.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources

FORMAT = "hansa-board/1"
PRIVILEGES = ("white", "orange", "pink", "black")
SHAPES = ("square", "circle")
ABILITIES = ("keys", "actions", "privilege", "book", "bank")
#: R9.14: what is printed beside maritime routes, for whoever claims them.
PERMANENT_MARKERS = ("move-two", "develop-privilege", "office-in-green-city", "place-two-from-route", "place-two-abroad")
POST_TYPES = ("any", "merchant")
SHIP = ":ship"
#: R10.3: the country of the routes that belong to no region.
ENGLAND = "england"


class BoardError(ValueError):
    """A board is unknown, or its file is broken."""


@dataclass(frozen=True)
class Office:
    """A printed office space: shape 0 = square (trader), 1 = circle (merchant); privilege 0..3; prestige of its coin."""

    shape: int
    privilege: int
    prestige: int


@dataclass(frozen=True)
class City:
    id: str
    name: str
    abilities: tuple[str, ...]  # that a claim there may develop (R5.8)
    offices: tuple[Office, ...]
    xy: tuple[float, float]
    green: bool  # no printed space; offices come by other ways (R9.7)


@dataclass(frozen=True)
class Route:
    id: str
    cities: tuple[str, str]
    posts: int
    tavern: bool
    marker_allowed: bool
    post_types: tuple[str, ...]
    post_xy: tuple[tuple[float, float], ...]
    permanent_marker: str | None
    country: str = ENGLAND  # ENGLAND or the id of a region (R10.3); on boards without regions it says nothing

    @property
    def ships(self) -> int:
        """How many of its posts are ship posts, which hold merchants only (R9.4)."""
        return self.post_types.count("merchant")


@dataclass(frozen=True)
class Lane:
    """The posts of a route that hold the same kinds: all of an ordinary one, the house posts or the ship posts of a maritime
    one. Its id is the route's, for ship posts with ":ship" behind it."""

    id: str
    route: int  # number of the route on the board
    posts: int
    ship: bool


@dataclass(frozen=True)
class Region:
    """A country beside England: whose offices permit to place there, and what offices there are worth at the end (R10)."""

    id: str
    gateways: tuple[str, ...]  # cities that permit to place and displace there, the one spent first first (R10.5, R10.8)
    cities: tuple[str, ...]  # that count for it at the end (R10.17)
    points: tuple[int, ...]  # for the first place, the second, ... (R10.16)


@dataclass(frozen=True)
class Province:
    """A province of the two-player pawn variant: the routes it borders and the provinces next to it (R8.1.1)."""

    id: str
    name: str
    routes: frozenset[str]
    neighbours: frozenset[str]
    xy: tuple[float, float]  # where its name stands


@dataclass(frozen=True)
class Guard:
    """A border guard of that variant, who divides two provinces as a route does (R8.1.1)."""

    cities: tuple[str, str]  # between which the border runs
    xy: tuple[float, float]


@dataclass(frozen=True)
class Scale:
    """The numbers of the rules that a miniature lowers; by default those of the game. Who solves a game needs a small one."""

    supply: tuple[int, int] = (5, 1)  # traders and merchants of seat 0; every later seat has one trader more (R1.3)
    stock: tuple[int, int] = (6, 0)  # and one less here
    start_markers: tuple[str, ...] | None = None  # one for each tavern; None = those of the edition (R1.5)
    pile: tuple[str, ...] | None = None  # what the pile is drawn from by the seed; None = that of the edition (R1.6)
    pile_size: int = 0  # so many of them; the others stay in the box
    prestige_to_end: int = 20  # R7.1

    @property
    def in_all(self) -> tuple[int, int]:
        """Traders and merchants that a seat starts with beside those of its desk."""
        return self.supply[0] + self.stock[0], self.supply[1] + self.stock[1]


FULL_SIZE = Scale()


@dataclass(frozen=True)
class Board:
    id: str
    title: str
    players: tuple[int, int]  # fewest and most it is printed for
    cities: tuple[City, ...]
    routes: tuple[Route, ...]
    link_cities: tuple[str, str]
    link_points: tuple[int, ...]
    prestige_city: str
    prestige_route: str
    prestige_spaces: tuple[tuple[int, int], ...]
    completed_cities_to_end: int
    provinces: tuple[Province, ...]
    guards: tuple[Guard, ...]
    aspect: float
    regions: tuple[Region, ...] = ()
    scale: Scale = FULL_SIZE

    @property
    def miniature(self) -> bool:
        """Whether it is played with fewer pieces and markers than the game has, for games that can be solved."""
        return self.scale != FULL_SIZE

    @cached_property
    def countries(self) -> tuple[str, ...]:
        """England, then the regions; on boards without regions one country for all routes."""
        return (ENGLAND, *(region.id for region in self.regions))

    @cached_property
    def gateways(self) -> tuple[str, ...]:
        """The cities that give permissions, each once (R10.5)."""
        return tuple(dict.fromkeys(city for region in self.regions for city in region.gateways))

    @cached_property
    def lanes(self) -> tuple[Lane, ...]:
        """One for each route, in their order, then the ship posts of the maritime ones."""
        houses = [Lane(r.id, i, r.posts - r.ships, False) for i, r in enumerate(self.routes)]
        ships = [Lane(r.id + SHIP, i, r.ships, True) for i, r in enumerate(self.routes) if r.ships]
        return (*houses, *ships)

    @property
    def maritime(self) -> bool:
        """Whether it has ship posts."""
        return len(self.lanes) > len(self.routes)


@cache
def _installed() -> tuple[str, ...]:
    return tuple(sorted(f.name[:-5] for f in resources.files(__package__).iterdir() if f.name.endswith(".json")))


def board_names() -> list[str]:
    """Names of the boards that are installed, sorted."""
    return list(_installed())


def printed_boards() -> list[str]:
    """Names of the boards of the published game."""
    return [name for name in board_names() if not load_board(name).miniature]


def miniatures() -> list[str]:
    """Names of the boards that no box has."""
    return [name for name in board_names() if load_board(name).miniature]


@cache
def load_board(name: str) -> Board:
    """The board of that name. Raises `BoardError` naming the file and what is wrong with it."""
    if name not in board_names():
        raise BoardError(f"unknown board {name!r}; expected one of {', '.join(board_names())}")
    return read_board(resources.files(__package__).joinpath(f"{name}.json").read_text("utf-8"), f"{name}.json")


def read_board(text: str, source: str) -> Board:
    """Parse a board file. Raises `BoardError` naming `source`."""
    try:
        data = json.loads(text)
        if data["format"] != FORMAT:
            raise BoardError(f"{source}: format is {data['format']!r}, expected {FORMAT!r}")
        board = _board(data)
    except BoardError:
        raise
    except (KeyError, ValueError, TypeError, IndexError) as error:
        raise BoardError(f"{source}: broken board file ({type(error).__name__}: {error})") from error
    _check(board, source)
    return board


def _board(data: dict) -> Board:
    prestige = data["prestige"]
    routes = tuple(
        Route(
            r["id"],
            tuple(r["cities"]),
            r["posts"],
            r["tavern"],
            r["marker_allowed"],
            tuple(r["post_types"]),
            tuple(map(tuple, r["post_xy"])),
            r.get("permanent_marker"),
            r.get("country", ENGLAND),
        )
        for r in data["routes"]
    )
    return Board(
        id=data["id"],
        title=data["title"],
        players=tuple(data["players"]),
        cities=tuple(_city(c) for c in data["cities"]),
        routes=routes,
        link_cities=tuple(data["link"]["cities"]),
        link_points=tuple(data["link"]["points"]),
        prestige_city=prestige["city"],
        prestige_route=next(r.id for r in routes if set(r.cities) == set(prestige["route"])),
        prestige_spaces=tuple((PRIVILEGES.index(s["privilege"]), s["points"]) for s in prestige["spaces"]),
        completed_cities_to_end=data["completed_cities_to_end"],
        provinces=_provinces(data.get("provinces")),
        guards=tuple(Guard(tuple(g["cities"]), tuple(g["xy"])) for g in (data.get("provinces") or {}).get("guards", ())),
        aspect=data["aspect"],
        regions=tuple(
            Region(id_, tuple(r["gateways"]), tuple(r["cities"]), tuple(r["points"]))
            for id_, r in data.get("regions", {}).items()
        ),
        scale=_scale(data["scale"]) if "scale" in data else FULL_SIZE,
    )


def _scale(data: dict) -> Scale:
    pieces = tuple(data["supply"]), tuple(data["stock"])
    return Scale(*pieces, tuple(data["start_markers"]), tuple(data["pile"]), data["pile_size"], data["prestige_to_end"])


def _city(c: dict) -> City:
    offices = tuple(
        Office(SHAPES.index(o["shape"]), PRIVILEGES.index(o["privilege"]), o["points"] if o["coin"] else 0)
        for o in c["offices"]
    )
    abilities = tuple(a for a in c["ability"] or () if a != "prestige")
    return City(c["id"], c["name"], abilities, offices, tuple(c["xy"]), c.get("green", False))


def _provinces(data: dict | None) -> tuple[Province, ...]:
    if data is None:
        return ()
    borders = list(data["route_sides"].values()) + [guard["provinces"] for guard in data["guards"]]
    return tuple(
        Province(
            id=p["id"],
            name=p["name"],
            routes=frozenset(route for route, sides in data["route_sides"].items() if p["id"] in sides),
            neighbours=frozenset(side for border in borders if p["id"] in border for side in border) - {p["id"]},
            xy=tuple(p["label_xy"]),
        )
        for p in data["provinces"]
    )


def _check(board: Board, source: str) -> None:
    ids = [c.id for c in board.cities]
    for city in board.cities:
        for ability in city.abilities:
            if ability not in ABILITIES:
                raise BoardError(f"{source}: city {city.id} develops {ability!r}; expected {', '.join(ABILITIES)} or prestige")
        if city.green == bool(city.offices):
            count = len(city.offices)
            raise BoardError(f"{source}: city {city.id} has {count} spaces; expected none in a green city, else some")
    for route in board.routes:
        for end in route.cities:
            if end not in ids:
                raise BoardError(f"{source}: route {route.id} leads to {end!r}, which is no city of this board")
        if not route.posts == len(route.post_types) == len(route.post_xy):
            raise BoardError(f"{source}: route {route.id} has {route.posts} posts, but another number of types or places")
        for kind in route.post_types:
            if kind not in POST_TYPES:
                raise BoardError(f"{source}: route {route.id} has a post for {kind!r}; expected {' or '.join(POST_TYPES)}")
        if route.permanent_marker not in (None, *PERMANENT_MARKERS):
            found, known = route.permanent_marker, ", ".join(PERMANENT_MARKERS)
            raise BoardError(f"{source}: route {route.id} has the permanent marker {found!r}; expected {known}")
        if route.country not in board.countries:
            known = " or ".join(board.countries)
            raise BoardError(f"{source}: route {route.id} lies in {route.country!r}; expected {known}")
    taverns = 3 if board.scale.start_markers is None else len(board.scale.start_markers)
    if sum(route.tavern for route in board.routes) != taverns:
        raise BoardError(f"{source}: expected {taverns} tavern routes")
    if not 0 <= board.scale.pile_size <= len(board.scale.pile or ()):
        most = len(board.scale.pile or ())
        raise BoardError(f"{source}: pile_size is {board.scale.pile_size}; expected 0 to {most}, as many as its pile has")
    if board.scale.stock[0] < board.players[1] - 1:
        raise BoardError(f"{source}: {board.scale.stock[0]} traders in stock; expected one for each seat but the first")
    of_regions = (city for region in board.regions for city in (*region.gateways, *region.cities))
    for named in (*board.link_cities, board.prestige_city, *of_regions):
        if named not in ids:
            raise BoardError(f"{source}: {named!r} is no city of this board")
