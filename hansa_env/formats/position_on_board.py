"""A position beside its board: what the invariants look up and count.

`Table(position, ruleset)` needs a position whose ids and lengths fit the ruleset (see `shape.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache, cached_property
from typing import Any

from hansa_env.boards import ENGLAND, FULL_SIZE, PERMANENT_MARKERS, PRIVILEGES, SHIP, City, Lane, Office, Route
from hansa_env.engine.rules.permanent_markers import MOST_MOVED
from hansa_env.engine.rules.use_markers import MOST_REMOVED
from hansa_env.formats.description import Description
from hansa_env.formats.fields import MERCHANTS, TRACKS, TRADERS
from hansa_env.formats.find_question import row_within
from hansa_env.formats.schema import PositionModel
from hansa_env.ruleset import MARKER_KINDS, TOKEN_KINDS, Ruleset


class BoardFacts:
    """What a ruleset's board says, by id."""

    def __init__(self, ruleset: Ruleset) -> None:
        board = ruleset.board_data
        self.board = board
        self.routes: dict[str, Route] = {route.id: route for route in board.routes}
        self.lanes: dict[str, Lane] = {lane.id: lane for lane in board.lanes}
        self.route_of = {lane.id: board.routes[lane.route].id for lane in board.lanes}
        self.lanes_of = {route: [lane for lane, of in self.route_of.items() if of == route] for route in self.routes}
        self.ships = {route.id: route.ships for route in board.routes if route.ships}
        self.permanent = {route.permanent_marker for route in board.routes} - {None}
        self.cities: dict[str, City] = {city.id: city for city in board.cities}
        self.spaces: dict[str, tuple[Office, ...]] = {city.id: city.offices for city in board.cities}
        self.taverns = {route.id for route in board.routes if route.tavern}
        self.neighbours: dict[str, set[str]] = {city.id: set() for city in board.cities}
        for route in board.routes:
            a, b = route.cities
            self.neighbours[a].add(b)
            self.neighbours[b].add(a)
        #: By country: the cities that give permissions for it (R10.5); none for England.
        self.gateways_of = {ENGLAND: (), **{region.id: region.gateways for region in board.regions}}
        self.prestige_spaces = {str(value): privilege for privilege, value in board.prestige_spaces}
        self.provinces = {province.id: province.routes for province in board.provinces}
        self.markers = Counter(dict(zip(MARKER_KINDS, ruleset.marker_counts)))
        self.start_markers = tuple(reversed(ruleset.start_markers))
        scale, less = board.scale, [FULL_SIZE.in_all[kind] - board.scale.in_all[kind] for kind in range(2)]
        #: Traders and merchants of a seat in all (R1.1), and the prestige that ends the game (R7.1); less on a miniature.
        self.pieces = TRADERS - less[0], MERCHANTS - less[1]
        self.prestige_to_end = scale.prestige_to_end
        self.pile_size = ruleset.pile_size
        #: R13.4: markers that stay in the box, none knows which.
        self.in_box = sum(ruleset.marker_counts) - ruleset.pile_size - len(ruleset.start_markers)


@cache
def board_facts(ruleset: Ruleset) -> BoardFacts:
    """The facts of a ruleset's board."""
    return BoardFacts(ruleset)


class Table:
    """A position, its ruleset and board, and counts that several invariants need; `action` is None between actions."""

    def __init__(self, position: PositionModel, ruleset: Ruleset) -> None:
        self.position = position
        self.ruleset = ruleset
        self.facts = board_facts(ruleset)
        self.action: Any = position.action  # an ActionModel; the question says which fields are set
        self.seats = range(ruleset.players)
        ships = {route + SHIP: row for route, row in (position.ships or {}).items()}
        #: By lane: the pieces there.
        self.posts = {lane: [p for p in row if p is not None] for lane, row in (position.posts | ships).items()}
        self.offices = {city: [p for p in row if p is not None] for city, row in position.offices.items()}
        self.with_neutral = ruleset.two_players == "neutral"

    @property
    def over(self) -> bool:
        return self.position.asked == "over"

    @property
    def reason(self) -> str | None:
        """Why the game is over; None while it runs."""
        return self.position.reason

    @cached_property
    def row(self) -> Description | None:
        """What is known of the question; None where no action of this verb asks it."""
        return row_within(self.position.asked, self.action.verb if self.action else None)

    def calls_for(self, field: str) -> bool:
        """Whether a field of the action means something at the question."""
        return self.row is not None and field in self.row.context

    @property
    def claiming(self) -> bool:
        """Whether a route is being claimed and its reward is still to be had."""
        return self.calls_for("marker_taken")

    @property
    def relocating(self) -> bool:
        """Whether the displaced piece, or what is added to it, is being put down."""
        return self.calls_for("settled")

    @property
    def permanent(self) -> str | None:
        """The permanent marker in use (R9.14); None without one."""
        return self.row.marker if self.row is not None and self.row.marker in PERMANENT_MARKERS else None

    @property
    def moving_three(self) -> bool:
        """Whether the pieces are moved by move-three (R13.3)."""
        return self.action is not None and self.action.verb == "move-three"

    @property
    def most_lifted(self) -> int:
        """R9.14a, R13.3: how many pieces of anyone's may be in hand."""
        return MOST_REMOVED if self.moving_three else MOST_MOVED

    @property
    def tokens(self) -> list[tuple[str, str, int]]:
        """R13.8: route, kind and seat of each token, the routes in the board's order."""
        laid = self.position.tokens or {}
        split = [(route, *token.split()) for route in self.facts.routes if route in laid for token in laid[route]]
        return [(route, kind, int(seat)) for route, kind, seat in split]

    def tributes(self, city: str | None) -> list[int]:
        """R13.6: the owners of the tributes for an office in a city, or anywhere, in the order in which they are due."""
        beside = [seat for route, kind, seat in self.tokens if kind == "tribute" and (city is None or city in route.split("/"))]
        return sorted(beside, key=lambda seat: (seat - self.position.turn) % self.ruleset.players)

    @property
    def trades(self) -> int:
        """How many trade-ins have been carried out (R13.5)."""
        used = sum(kinds.count("trade-in") for kinds in self.position.used)
        return used - (self.position.asked in ("trade-in", "spend") and not self.paying_favour)

    @property
    def paying_favour(self) -> bool:
        """Whether markers are chosen that pay for a favour (R12.2)."""
        return self.position.asked == "spend" and self.action.verb == "favour"

    @property
    def lifted(self) -> list[str]:
        """The pieces of anyone's in hand (R9.14a), else []."""
        return [piece for piece in self.position.hand if len(piece) > 1]

    @cached_property
    def on_board(self) -> Counter:
        """Pieces on posts and in offices, extra offices and prestige spaces included: "0t" → how many."""
        counts: Counter = Counter()
        for rows in (self.posts, self.offices, self.position.extras):
            for row in rows.values():
                counts.update(row)
        counts.update(f"{seat}t" for _, _, seat in self.tokens)
        counts.update(f"{seat}m" for seat in self.position.prestige_spaces.values() if seat is not None)
        return counts

    @cached_property
    def known_markers(self) -> Counter:
        """Markers whose face has been seen and that are still in the game, by kind."""
        known: Counter[str] = Counter(self.position.route_markers.values())
        known.update(kind for _, kind, _ in self.tokens)
        for kinds in (*self.position.markers, *self.position.used):
            known.update(kinds)
        return known

    @property
    def discarded(self) -> Counter:
        """Markers that are said to be out of the game, by kind (R8.2.3)."""
        return Counter(self.position.discarded or ())

    @cached_property
    def exchanges(self) -> int:
        """How many exchanges have been carried out at most (R6.3); trade-ins may have fetched used markers (R13.5)."""
        used = sum(kinds.count("exchange") for kinds in self.position.used)
        return used + self.trades - (self.position.asked in ("exchange", "pair"))

    def desk(self, seat: int) -> tuple[int, int]:
        """Traders and merchants that still cover a seat's tracks (R1.2)."""
        left = {track: steps - getattr(self.position.abilities[seat], track) for track, steps in TRACKS.items()}
        merchants = left.pop("book")
        return sum(left.values()), merchants

    def absent(self, seat: int) -> tuple[int, int]:
        """Traders and merchants of a seat that lie nowhere but perhaps in the hand; negative: there are too many."""
        position = self.position
        desk = self.desk(seat)
        return (
            self.facts.pieces[0] - 1 - desk[0] - position.supply[seat][0] - position.stock[seat][0] - self.on_board[f"{seat}t"],
            self.facts.pieces[1] - desk[1] - position.supply[seat][1] - position.stock[seat][1] - self.on_board[f"{seat}m"],
        )

    def has_office(self, city: str) -> bool:
        """Whether anyone has an office in a city (R6.2)."""
        return bool(self.offices[city] or self.position.extras.get(city))

    def may_have_extra(self, city: str) -> bool:
        """Whether an extra office may come to a city: there is an office, or it is green (R6.2, R9.7)."""
        return self.has_office(city) or self.facts.cities[city].green

    def full(self, city: str) -> bool:
        """Whether a city has no empty printed space (R5.6); a green one never has any (R9.7)."""
        return self.facts.cities[city].green or len(self.offices[city]) == len(self.facts.spaces[city])

    def completed(self, city: str) -> bool:
        """Whether a city is completed: its printed spaces are full (R5.6), or it is green and has an office (R9.9)."""
        return self.has_office(city) if self.facts.cities[city].green else self.full(city)

    def cities_of(self, seat: int) -> set[str]:
        """Cities in which a seat has an office."""
        own = {f"{seat}t", f"{seat}m"}
        rows = (*self.offices.items(), *self.position.extras.items())
        return {city for city, pieces in rows if not own.isdisjoint(pieces)}

    def whole_for(self, owner: str) -> list[str]:
        """Routes whose every post is held by one owner ("0" or "n")."""
        return [
            id_ for id_, route in self.facts.routes.items()
            if len(pieces := self.pieces_of(id_)) == route.posts and all(piece[0] == owner for piece in pieces)
        ]  # fmt: skip

    def pieces_of(self, route: str) -> list[str]:
        """The pieces on a route, ship posts included."""
        return [piece for lane in self.facts.lanes_of[route] for piece in self.posts[lane]]

    def within_pawn(self, lane: str) -> bool:
        """R8.1.4: whether the active player may place, displace and claim on the route of a lane."""
        return self.position.pawn is None or self.facts.route_of[lane] in self.facts.provinces[self.position.pawn]

    def free(self, lane: str) -> int:
        """How many posts of a lane are free."""
        return self.facts.lanes[lane].posts - len(self.posts[lane])

    def tiles(self, seat: int) -> list[str]:
        """The Emperor's Favour tiles of a seat (R12)."""
        return list(self.position.favours.owned[seat]) if self.position.favours else []

    def spent_tokens(self, seat: int) -> int:
        """How many used tributes and blocks of a seat are not being laid: they paid for favours (R12.2, R13.8)."""
        laying = self.position.asked == "token" and seat == self.position.turn
        return sum(kind in TOKEN_KINDS for kind in self.position.used[seat]) - laying

    def owner_of_tile(self, tile: str) -> int | None:
        """The seat that owns a tile (R12)."""
        return next((seat for seat in self.seats if tile in self.tiles(seat)), None)

    def displaced_owner_has(self, tile: str) -> bool:
        """Whether the displaced piece belongs to the owner of a tile (R12.4)."""
        victim = self.action.victim if self.action is not None else None
        return victim not in (None, "nt") and tile in self.tiles(int(victim[0]))

    def country(self, lane: str) -> str:
        """The country of the route of a lane (R10.3)."""
        return self.facts.routes[self.facts.route_of[lane]].country

    def open_to(self, lane: str, kind: str) -> bool:
        """R9.4: whether a kind may stand on a lane."""
        return kind == "m" or not self.facts.lanes[lane].ship

    def room_for(self, kinds: Sequence[str]) -> bool:
        """R3.3, R9.4: whether there is a free post for each of some pieces together."""
        houses = sum(self.free(lane) for lane in self.posts if self.open_to(lane, "t"))
        return kinds.count("t") <= houses and len(kinds) <= sum(map(self.free, self.posts))


def colour(privilege: int) -> str:
    """The name of a privilege."""
    return PRIVILEGES[privilege]
