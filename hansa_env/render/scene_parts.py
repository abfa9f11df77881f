"""A scene, and what it is made of: pieces, routes, cities, desks and so on, as a picture shows them."""

from __future__ import annotations

from dataclasses import dataclass

NEUTRAL = "n"
KINDS = ("trader", "merchant")


@dataclass(frozen=True)
class Piece:
    """A tradesman: whose, and "trader" or "merchant"."""

    owner: str
    kind: str


@dataclass(frozen=True)
class Route:
    """A route with its posts; `holder` has a piece on every one.

    Pieces stand on the first posts, free ones follow; on a maritime route so among its house posts and among its `ships`, the
    posts for merchants alone (R9.4), which are mixed as printed. Its permanent marker is printed beside it (R9.14). Tokens
    above it are (kind, owner), in the order laid (R13.8).
    """

    id: str
    cities: tuple[str, str]
    posts: tuple[Piece | None, ...]
    ships: tuple[bool, ...]
    post_xy: tuple[tuple[float, float], ...]
    marker: str | None
    permanent_marker: str | None
    tavern: bool
    holder: str | None
    #: Its country's place in `Scene.countries` (R10.3).
    country: int
    tokens: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Office:
    """A printed office space: "square" (trader) or "circle" (merchant), the privilege it needs, its coin, who stands there.

    Of a green city: an office that was placed, as its piece is, and without a privilege, "" (R9.8).
    """

    shape: str
    privilege: str
    prestige: int
    piece: Piece | None


@dataclass(frozen=True)
class City:
    """A city; `extras` from left to right, all of them left of the `offices`: printed ones, or those placed in a green city.

    `regions` are the countries it counts for at the end (R10.17), `permits` those it gives permission for (R10.5), as places in
    `Scene.countries`.
    `mission`: it is on the card of the one seat whose card is seen (R11).
    """

    id: str
    name: str
    xy: tuple[float, float]
    abilities: tuple[str, ...]
    green: bool
    offices: tuple[Office, ...]
    extras: tuple[Piece, ...]
    controller: str | None
    regions: tuple[int, ...]
    permits: tuple[int, ...]
    mission: bool = False


@dataclass(frozen=True)
class Space:
    """A space of the special prestige table."""

    points: int
    privilege: str
    owner: str | None


@dataclass(frozen=True)
class Province:
    """A province of the pawn variant, with where its name stands."""

    id: str
    name: str
    xy: tuple[float, float]
    pawn: bool


@dataclass(frozen=True)
class Track:
    """An ability of a desk: what each of its places shows, and how many are uncovered beyond the first; what covers them."""

    ability: str
    values: tuple[str, ...]
    uncovered: int
    cover: str

    @property
    def value(self) -> str:
        """What the ability shows now."""
        return self.values[self.uncovered]


@dataclass(frozen=True)
class Desk:
    """What lies before a seat; supply and stock are (traders, merchants), markers are kinds with how many of each.

    `scores` are in the order of the scene's `columns`. `favours` are its tiles (R12); `mission` the names of the cities of its
    card, None where that is not seen (R11).
    """

    seat: int
    name: str
    tracks: tuple[Track, ...]
    supply: tuple[int, int]
    stock: tuple[int, int]
    markers: tuple[tuple[str, int], ...]
    used: tuple[tuple[str, int], ...]
    plate: int
    prestige: int
    scores: tuple[int, ...]
    place: int
    has_turn: bool
    decides: bool
    favours: tuple[str, ...] = ()
    mission: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Last:
    """A decision that was taken: by whom, as text and in words; `things` are what it concerned, as `render.things` names it.

    One that `goes_on` in the sentence of the one before has the words of both.
    """

    seat: int
    text: str
    words: str
    things: tuple[str, ...] = ()
    goes_on: bool = False


@dataclass(frozen=True)
class Action:
    """The action under way, as far as the question asked needs it: route, or its ship posts, city, and the displaced piece.

    `permanent_marker` is the kind of the one that is being used, `partner` the seat of a trade-in.
    """

    verb: str
    route: str | None
    city: str | None
    victim: Piece | None
    permanent_marker: str | None
    partner: int | None = None


@dataclass(frozen=True)
class Scene:
    """Everything that a picture of a position shows."""

    title: str
    board: str
    aspect: float
    two_players: str | None
    routes: tuple[Route, ...]
    cities: tuple[City, ...]
    spaces: tuple[Space, ...]
    prestige_city: str
    prestige_route: str
    provinces: tuple[Province, ...]
    desks: tuple[Desk, ...]
    columns: tuple[str, ...]
    round: int
    seat: int | None
    turn: int
    asked: str
    question: str
    actions_left: int
    #: An action was taken this turn.
    acted: bool
    hand: tuple[str, ...]
    action: Action | None
    legal: tuple[str, ...]
    completed: int
    completed_to_end: int
    pile: int
    link_cities: tuple[str, str]
    link_points: tuple[int, ...]
    linked: tuple[str, ...]
    #: England, then the countries abroad; one on boards without regions.
    countries: tuple[str, ...]
    #: Cities whose permission was used this turn (R10.5).
    permissions: tuple[str, ...]
    #: The marker that is used by the decision `remove`.
    removing_marker: str
    #: Why the game is over, in words.
    ending: str
    last: tuple[Last, ...]
    favours: tuple[str, ...] | None = None

    @property
    def several_countries(self) -> bool:
        """Whether pieces may not go everywhere (R10.4)."""
        return len(self.countries) > 1

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.seat is None
