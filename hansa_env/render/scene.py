"""A position as everything that a picture of it shows, and no drawing.

    scene = scene_of(ruleset, game, last=[(0, "place trader stade/hamburg")])

A `Scene` is made of what everybody at the table sees (`position_of`), so the hidden pile never comes into it: only how many
markers it has left. Of hidden mission cards, and of the points for them, it has those that its viewer sees.

Owners are texts, as in pieces of the notation: "0" .. "4" by seat, "n" the neutral player. Coordinates are those of the board's
file: (x, y) from (0, 0), the upper left corner, to (1, 1), of a board `aspect` times as wide as high.

What a decision concerns on the board is named in `hansa_env.render.things`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from hansa_env.boards import PERMANENT_MARKERS, PRIVILEGES, SHAPES
from hansa_env.boards import Route as PrintedRoute
from hansa_env.engine import state
from hansa_env.engine.results import ranks_of
from hansa_env.engine.tables import ABILITY_VALUES, TRACK_KIND
from hansa_env.formats.find_question import goes_on, row_within
from hansa_env.formats.missions import DECIDER, cards_seen, scores_seen
from hansa_env.formats.position import position_of
from hansa_env.render.scene_parts import (
    KINDS,
    NEUTRAL,
    Action,
    City,
    Desk,
    Last,
    Office,
    Piece,
    Province,
    Route,
    Scene,
    Space,
    Track,
)
from hansa_env.render.scores import columns_shown
from hansa_env.render.things import things_after
from hansa_env.render.words import ability_in_words, asked_to, decision_in_words, ending_in_words, round_after, ruleset_in_words
from hansa_env.ruleset import Ruleset


def scene_of(
    ruleset: Ruleset,
    game: np.void,
    last: Sequence[tuple] = (),
    names: Sequence[str] | None = None,
    viewer: int = DECIDER,
) -> Scene:
    """The scene of a game.

    Args:
        ruleset: the game that is played.
        game: its record, `HansaBatch.games[i]` or `Game.state`.
        last: decisions that led here, oldest first, as (seat, text) or (seat, text, question), with which it is put in words.
            The last one is highlighted.
        names: who plays, by seat.
        viewer: whose mission cards are seen: a seat's, or as `hansa_env.formats.missions` has it.
    """
    position = position_of(ruleset, game)
    cards = cards_seen(ruleset, game, viewer) if ruleset.missions else [None] * ruleset.players
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
        cities=_cities(ruleset, game, position, owners, cards),
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
        desks=_desks(ruleset, game, position, names, cards, viewer),
        columns=tuple(columns_shown(ruleset)),
        round=round_after(ruleset, position["turns"]),
        seat=position["seat"],
        turn=position["turn"],
        asked=position["asked"],
        question=asked_to(position),
        actions_left=position["actions_left"],
        acted=position["acted"],
        hand=tuple(KINDS["tm".index(text[-1])] for text in position["hand"]),
        action=action and _action(position["asked"], action),
        legal=tuple(position["legal"]),
        completed=position["completed"],
        completed_to_end=board.completed_cities_to_end,
        pile=position["pile"],
        link_cities=board.link_cities,
        link_points=board.link_points,
        linked=tuple(map(str, position["linked"])),
        countries=board.countries,
        permissions=tuple(position.get("permissions", ())),
        removing_marker=ruleset.removing_marker,
        ending=ending_in_words(position["reason"], board.scale.prestige_to_end),
        last=(),
        favours=tuple(position["favours"]["display"]) if ruleset.favours else None,
    )
    return replace(scene, last=_lasts(ruleset, scene, last))


def _action(asked: str, action: dict) -> Action:
    row = row_within(asked, action["verb"])
    marker = row.marker if row is not None and row.marker in PERMANENT_MARKERS else None
    return Action(action["verb"], action["route"], action["city"], _piece(action["victim"]), marker, action.get("partner"))


def _lasts(ruleset: Ruleset, scene: Scene, decisions: Sequence[tuple]) -> tuple[Last, ...]:
    lasts: list[Last] = []
    for seat, text, *asked in decisions:
        words = decision_in_words(ruleset, asked[0], text) if asked else text
        joined = bool(asked and goes_on(asked[0]) and lasts and lasts[-1].seat == seat)
        if joined:
            words = f"{lasts[-1].words} {words}"
        lasts.append(Last(seat, text, words, things_after(scene, seat, text, asked[0] if asked else ""), joined))
    return tuple(lasts)


def _routes(ruleset: Ruleset, game: np.void, position: dict, owners: Sequence[str]) -> tuple[Route, ...]:
    whole = [int(game["whole"][o]) for o in range(len(owners))]
    return tuple(
        Route(
            route.id,
            route.cities,
            _posts(route, position),
            tuple(kind == "merchant" for kind in route.post_types),
            route.post_xy,
            position["route_markers"].get(route.id),
            route.permanent_marker,
            route.tavern,
            next((owner for owner, held in zip(owners, whole) if held >> r & 1), None),
            ruleset.board_data.countries.index(route.country),
            tuple((kind, owner) for kind, owner in map(str.split, position.get("tokens", {}).get(route.id, ()))),
        )
        for r, route in enumerate(ruleset.board_data.routes)
    )


def _posts(route: PrintedRoute, position: dict) -> tuple[Piece | None, ...]:
    """The pieces of a route's lanes, each on posts of its type, as they are printed."""
    lanes = {"any": iter(position["posts"][route.id]), "merchant": iter(position.get("ships", {}).get(route.id, ()))}
    return tuple(_piece(next(lanes[kind])) for kind in route.post_types)


def _cities(
    ruleset: Ruleset, game: np.void, position: dict, owners: Sequence[str], cards: Sequence[list[str] | None]
) -> tuple[City, ...]:
    controllers = game["controller"].tolist()
    known = [card for card in cards if card is not None]
    mission = known[0] if len(known) == 1 else []
    return tuple(
        City(
            city.id,
            city.name,
            city.xy,
            city.abilities,
            city.green,
            _placed(position["offices"][city.id])
            if city.green
            else tuple(
                Office(SHAPES[space.shape], PRIVILEGES[space.privilege], space.prestige, _piece(text))
                for space, text in zip(city.offices, position["offices"][city.id])
            ),
            tuple(_some_piece(text) for text in reversed(position["extras"].get(city.id, []))),  # R5.2: a later one lies left
            owners[controllers[c]] if controllers[c] >= 0 else None,
            tuple(i for i, region in enumerate(ruleset.board_data.regions, 1) if city.id in region.cities),
            tuple(i for i, region in enumerate(ruleset.board_data.regions, 1) if city.id in region.gateways),
            city.id in mission,
        )
        for c, city in enumerate(ruleset.board_data.cities)
    )


def _placed(row: Sequence[str]) -> tuple[Office, ...]:
    """The offices placed in a green city (R9.8)."""
    pieces = map(_some_piece, row)
    return tuple(Office(SHAPES[KINDS.index(piece.kind)], "", 0, piece) for piece in pieces)


def _desks(
    ruleset: Ruleset,
    game: np.void,
    position: dict,
    names: Sequence[str] | None,
    cards: Sequence[list[str] | None],
    viewer: int,
) -> tuple[Desk, ...]:
    games = state.new_games(1)
    games[0] = game
    scores = scores_seen(ruleset, games, viewer)
    shown = list(columns_shown(ruleset).values())
    called = {city.id: city.name for city in ruleset.board_data.cities}
    owned = position["favours"]["owned"] if ruleset.favours else [[]] * ruleset.players
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
            scores=tuple(scores[0, seat, shown].tolist()),
            place=int(places[seat]),
            has_turn=position["turn"] == seat,
            decides=position["seat"] == seat,
            favours=tuple(owned[seat]),
            mission=None if card is None else tuple(called[city] for city in card),
        )
        for seat, card in enumerate(cards)
    )


def _values(ability: int) -> tuple[str, ...]:
    return tuple(ability_in_words(ability, uncovered) for uncovered in range(len(ABILITY_VALUES[ability])))


def _piece(text: str | None) -> Piece | None:
    return None if text is None else _some_piece(text)


def _some_piece(text: str) -> Piece:
    return Piece(text[0], KINDS["tm".index(text[1])])


def _owner(seat: int | None) -> str | None:
    return None if seat is None else str(seat)
