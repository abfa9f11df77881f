"""A position beside its board: what the invariants look up and count.

`Table(position, ruleset)` needs a position whose ids and lengths fit the ruleset (see `shape.py`).
"""

from __future__ import annotations

from collections import Counter
from functools import cache, cached_property
from typing import Any, cast

from hansa_env.boards import PRIVILEGES, City, Office, Route
from hansa_env.formats.fields import MERCHANTS, TRACKS, TRADERS
from hansa_env.formats.schema import PositionModel, PositionVersion2
from hansa_env.ruleset import MARKER_KINDS, Ruleset

#: R1.5: one of each lies on a tavern route at the start.
START_MARKERS = ("remove-three", "exchange", "extra-office")
#: Who displaces, moves or claims is asked these in the middle of it (with `victim` and `with` of a displacement).
RELOCATING = ("relocate", "neutral")
CLAIMING = ("reward", "extra")


class BoardFacts:
    """What a ruleset's board says, by id."""

    def __init__(self, ruleset: Ruleset) -> None:
        board = ruleset.board_data
        self.board = board
        self.routes: dict[str, Route] = {route.id: route for route in board.routes}
        self.cities: dict[str, City] = {city.id: city for city in board.cities}
        self.spaces: dict[str, tuple[Office, ...]] = {city.id: city.offices for city in board.cities}
        self.taverns = {route.id for route in board.routes if route.tavern}
        self.neighbours: dict[str, set[str]] = {city.id: set() for city in board.cities}
        for route in board.routes:
            a, b = route.cities
            self.neighbours[a].add(b)
            self.neighbours[b].add(a)
        self.prestige_spaces = {str(value): privilege for privilege, value in board.prestige_spaces}
        self.provinces = {province.id: province.routes for province in board.provinces}
        self.markers = dict(zip(MARKER_KINDS, ruleset.marker_counts))
        self.pile_size = sum(ruleset.marker_counts) - len(START_MARKERS)


@cache
def board_facts(ruleset: Ruleset) -> BoardFacts:
    """The facts of a ruleset's board."""
    return BoardFacts(ruleset)


class Table:
    """A position, its ruleset and board, and counts that several invariants need.

    `action` is None between actions, and always in version 1, which does not tell: `tells` is False there.
    """

    def __init__(self, position: PositionModel, ruleset: Ruleset) -> None:
        self.position = cast(PositionVersion2, position)  # of version 1 only what both have, see `tells`
        self.ruleset = ruleset
        self.facts = board_facts(ruleset)
        self.tells = isinstance(position, PositionVersion2)
        self.action: Any = getattr(position, "action", None)  # an ActionModel; the question says which fields are set
        self.seats = range(ruleset.players)
        self.posts = {route: [p for p in row if p is not None] for route, row in position.posts.items()}
        self.offices = {city: [p for p in row if p is not None] for city, row in position.offices.items()}
        self.with_neutral = ruleset.two_players == "neutral"

    @property
    def over(self) -> bool:
        return self.position.asked == "over"

    @property
    def reason(self) -> str | None:
        """Why the game is over; None also where version 1 does not tell."""
        return getattr(self.position, "reason", None)

    @property
    def claiming(self) -> bool:
        """Whether a route is being claimed: at `with` version 1 tells it by the empty hand."""
        asked = self.position.asked
        if asked == "with":
            return self.action.verb == "claim" if self.action else not self.position.hand
        return asked in CLAIMING

    @cached_property
    def on_board(self) -> Counter:
        """Pieces on posts and in offices, extra offices and prestige spaces included: "0t" → how many."""
        counts: Counter = Counter()
        for rows in (self.posts, self.offices, self.position.extras):
            for row in rows.values():
                counts.update(row)
        counts.update(f"{seat}m" for seat in self.position.prestige_spaces.values() if seat is not None)
        return counts

    @cached_property
    def known_markers(self) -> Counter:
        """Markers whose face has been seen and that are still in the game, by kind."""
        known = Counter(self.position.route_markers.values())
        for kinds in (*self.position.markers, *self.position.used):
            known.update(kinds)
        return known

    @cached_property
    def exchanges(self) -> int:
        """How many exchanges have been carried out at most (R6.3)."""
        used = sum(kinds.count("exchange") for kinds in self.position.used)
        return used - (self.position.asked in ("exchange", "pair"))

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
            TRADERS - 1 - desk[0] - position.supply[seat][0] - position.stock[seat][0] - self.on_board[f"{seat}t"],
            MERCHANTS - desk[1] - position.supply[seat][1] - position.stock[seat][1] - self.on_board[f"{seat}m"],
        )

    def has_office(self, city: str) -> bool:
        """Whether anyone has an office in a city (R6.2)."""
        return bool(self.offices[city] or self.position.extras.get(city))

    def full(self, city: str) -> bool:
        """Whether every printed space of a city is filled (R5.6)."""
        return len(self.offices[city]) == len(self.facts.spaces[city])

    def cities_of(self, seat: int) -> set[str]:
        """Cities in which a seat has an office."""
        own = {f"{seat}t", f"{seat}m"}
        rows = (*self.offices.items(), *self.position.extras.items())
        return {city for city, pieces in rows if not own.isdisjoint(pieces)}

    def whole_for(self, owner: str) -> list[str]:
        """Routes whose every post is held by one owner ("0" or "n")."""
        return [
            route for route, pieces in self.posts.items()
            if len(pieces) == self.facts.routes[route].posts and all(piece[0] == owner for piece in pieces)
        ]  # fmt: skip

    def within_pawn(self, route: str) -> bool:
        """R8.1.4: whether the active player may place, displace and claim on a route."""
        return self.position.pawn is None or route in self.facts.provinces[self.position.pawn]

    def free_elsewhere(self, origin: str | None) -> bool:
        """R4.3: whether any route but one has a free post."""
        return any(len(row) < self.facts.routes[route].posts for route, row in self.posts.items() if route != origin)


def colour(privilege: int) -> str:
    """The name of a privilege."""
    return PRIVILEGES[privilege]
