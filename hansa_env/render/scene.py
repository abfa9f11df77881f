"""A position as everything that a picture of it shows, and no drawing.

    scene = scene_of(ruleset, game, last=[(0, "place trader stade/hamburg")])

A `Scene` is made of what everybody at the table sees (`position_of`), so the hidden pile never comes into it: only how many
markers it has left. Owners are texts, as in pieces of the notation: "0" .. "4" by seat, "n" the neutral player. Coordinates are
those of the board's file: (x, y) from (0, 0), the upper left corner, to (1, 1), of a board `aspect` times as wide as high.

What a decision concerns on the board is named in `hansa_env.render.things`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from hansa_env.boards import PRIVILEGES, SHAPES
from hansa_env.engine import state
from hansa_env.engine.results import ranks_of, scores_of
from hansa_env.engine.tables import ABILITY_VALUES, TRACK_KIND
from hansa_env.formats.position import position_of
from hansa_env.render.things import things_after
from hansa_env.render.words import GOES_ON, ability_in_words, asked_to, decision_in_words, round_after, ruleset_in_words
from hansa_env.ruleset import Ruleset

NEUTRAL = "n"
KINDS = ("trader", "merchant")


@dataclass(frozen=True)
class Piece:
    """A tradesman: whose, and "trader" or "merchant"."""

    owner: str
    kind: str


@dataclass(frozen=True)
class Route:
    """A route with its posts, pieces first, then free ones; `holder` has a piece on every post."""

    id: str
    cities: tuple[str, str]
    posts: tuple[Piece | None, ...]
    post_xy: tuple[tuple[float, float], ...]
    marker: str | None
    tavern: bool
    holder: str | None


@dataclass(frozen=True)
class Office:
    """A printed office space: "square" (trader) or "circle" (merchant), the privilege it needs, its coin, who stands there."""

    shape: str
    privilege: str
    prestige: int
    piece: Piece | None


@dataclass(frozen=True)
class City:
    """A city; `extras` from left to right, all of them left of the printed `offices`."""

    id: str
    name: str
    xy: tuple[float, float]
    abilities: tuple[str, ...]
    offices: tuple[Office, ...]
    extras: tuple[Piece, ...]
    controller: str | None


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
    """What lies before a seat; supply and stock are (traders, merchants), markers are kinds with how many of each."""

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
    """The action under way, as far as the question asked needs it: route, city, and the piece that was displaced."""

    verb: str
    route: str | None
    city: str | None
    victim: Piece | None


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
    round: int
    seat: int | None
    turn: int
    asked: str
    question: str
    actions_left: int
    hand: tuple[str, ...]
    action: Action | None
    legal: tuple[str, ...]
    completed: int
    completed_to_end: int
    pile: int
    link_cities: tuple[str, str]
    link_points: tuple[int, ...]
    linked: tuple[str, ...]
    reason: str | None
    last: tuple[Last, ...]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.seat is None


def scene_of(ruleset: Ruleset, game: np.void, last: Sequence[tuple] = (), names: Sequence[str] | None = None) -> Scene:
    """The scene of a game.

    Args:
        ruleset: the game that is played.
        game: its record, `HansaBatch.games[i]` or `Game.state`.
        last: decisions that led here, oldest first, as (seat, text) or (seat, text, question), with which it is put in words.
            The last one is highlighted.
        names: who plays, by seat.
    """
    position = position_of(ruleset, game)
    board = ruleset.board_data
    neutral = (NEUTRAL,) if ruleset.two_players == "neutral" else ()
    owners = (*map(str, range(ruleset.players)), *neutral)
    action = position["action"]
    scene = Scene(
        title=ruleset_in_words(ruleset),
        board=board.id,
        aspect=board.aspect,
        two_players=ruleset.two_players,
        routes=_routes(ruleset, game, position, owners),
        cities=_cities(ruleset, game, position, owners),
        spaces=tuple(
            Space(points, PRIVILEGES[privilege], _owner(position["prestige_spaces"][str(points)]))
            for privilege, points in board.prestige_spaces
        ),
        prestige_city=board.prestige_city,
        prestige_route=board.prestige_route,
        provinces=tuple(
            Province(province.id, province.name, province.xy, province.id == position["pawn"])
            for province in (board.provinces if ruleset.two_players == "pawn" else ())
        ),
        desks=_desks(ruleset, game, position, names),
        round=round_after(ruleset, position["turns"]),
        seat=position["seat"],
        turn=position["turn"],
        asked=position["asked"],
        question=asked_to(position["asked"], action["verb"] if action else None),
        actions_left=position["actions_left"],
        hand=tuple(KINDS["tm".index(kind)] for kind in position["hand"]),
        action=action and Action(action["verb"], action["route"], action["city"], _piece(action["victim"])),
        legal=tuple(position["legal"]),
        completed=position["completed"],
        completed_to_end=board.completed_cities_to_end,
        pile=position["pile"],
        link_cities=board.link_cities,
        link_points=board.link_points,
        linked=tuple(map(str, position["linked"])),
        reason=position["reason"],
        last=(),
    )
    return replace(scene, last=_lasts(ruleset, scene, last))


def _lasts(ruleset: Ruleset, scene: Scene, decisions: Sequence[tuple]) -> tuple[Last, ...]:
    lasts: list[Last] = []
    for seat, text, *asked in decisions:
        words = decision_in_words(ruleset, asked[0], text) if asked else text
        goes_on = bool(asked and asked[0] in GOES_ON and lasts and lasts[-1].seat == seat)
        if goes_on:
            words = f"{lasts[-1].words} {words}"
        lasts.append(Last(seat, text, words, things_after(scene, seat, text), goes_on))
    return tuple(lasts)


def _routes(ruleset: Ruleset, game: np.void, position: dict, owners: Sequence[str]) -> tuple[Route, ...]:
    whole = [int(game["whole"][o]) for o in range(len(owners))]
    return tuple(
        Route(
            route.id,
            route.cities,
            tuple(_piece(text) for text in position["posts"][route.id]),
            route.post_xy,
            position["route_markers"].get(route.id),
            route.tavern,
            next((owner for owner, held in zip(owners, whole) if held >> r & 1), None),
        )
        for r, route in enumerate(ruleset.board_data.routes)
    )


def _cities(ruleset: Ruleset, game: np.void, position: dict, owners: Sequence[str]) -> tuple[City, ...]:
    controllers = game["controller"].tolist()
    return tuple(
        City(
            city.id,
            city.name,
            city.xy,
            city.abilities,
            tuple(
                Office(SHAPES[space.shape], PRIVILEGES[space.privilege], space.prestige, _piece(text))
                for space, text in zip(city.offices, position["offices"][city.id])
            ),
            tuple(_some_piece(text) for text in reversed(position["extras"].get(city.id, []))),  # R5.2: a later one lies left
            owners[controllers[c]] if controllers[c] >= 0 else None,
        )
        for c, city in enumerate(ruleset.board_data.cities)
    )


def _desks(ruleset: Ruleset, game: np.void, position: dict, names: Sequence[str] | None) -> tuple[Desk, ...]:
    games = state.new_games(1)
    games[0] = game
    scores = scores_of(ruleset, games)
    places = ranks_of(ruleset, games, scores)[0] + 1
    return tuple(
        Desk(
            seat=seat,
            name=names[seat] if names else "",
            tracks=tuple(
                Track(name, _values(i), position["abilities"][seat][name], KINDS[TRACK_KIND[i]])
                for i, name in enumerate(state.ABILITIES)
            ),
            supply=tuple(position["supply"][seat]),
            stock=tuple(position["stock"][seat]),
            markers=tuple(Counter(position["markers"][seat]).items()),
            used=tuple(Counter(position["used"][seat]).items()),
            plate=position["plate"][seat],
            prestige=position["prestige"][seat],
            scores=tuple(scores[0, seat].tolist()),
            place=int(places[seat]),
            has_turn=position["turn"] == seat,
            decides=position["seat"] == seat,
        )
        for seat in range(ruleset.players)
    )


def _values(ability: int) -> tuple[str, ...]:
    return tuple(ability_in_words(ability, uncovered) for uncovered in range(len(ABILITY_VALUES[ability])))


def _piece(text: str | None) -> Piece | None:
    return None if text is None else _some_piece(text)


def _some_piece(text: str) -> Piece:
    return Piece(text[0], KINDS["tm".index(text[1])])


def _owner(seat: int | None) -> str | None:
    return None if seat is None else str(seat)
