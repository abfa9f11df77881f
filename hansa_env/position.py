"""Positions as JSON (`hansa-position/1` of `rulebook/notation.md`), written and read."""

from __future__ import annotations

from collections import Counter

import numpy as np

from hansa_env.engine import kernels
from hansa_env.engine import record as rec
from hansa_env.engine.tables import tables
from hansa_env.notation import legal_texts
from hansa_env.ruleset import MARKER_KINDS, Ruleset

FORMAT = "hansa-position/1"
CONFIG = ("players", "edition", "board", "two_players")


class PositionError(ValueError):
    """A position cannot be read; names the field."""


def config_of(ruleset: Ruleset) -> dict:
    """The keys that records and positions share."""
    return {key: getattr(ruleset, key) for key in CONFIG}


def position_of(ruleset: Ruleset, game: np.void) -> dict:
    """A game as a position: what everybody at the table sees, and every legal decision, sorted."""
    board, players = ruleset.board_data, ruleset.players
    over = game["asked"] == rec.OVER
    seats = range(players)

    def piece(owner: int, kind: int) -> str:
        return "nt" if owner == players else f"{owner}{'tm'[kind]}"

    def office(code: int) -> str | None:
        return piece(*divmod(int(code) - 1, 2)) if code else None

    def posts(r: int) -> list[str | None]:
        owners = range(players + (ruleset.two_players == "neutral"))
        pieces = [piece(o, k) for o in owners for k in (0, 1) for _ in range(game["pieces"][r, o, k])]
        return sorted(pieces) + [None] * int(game["vacant"][r])

    first = tables(ruleset)[0]["first_office"]
    extras: dict[str, list] = {}
    for city, code in zip(game["extra_city"], game["extra_piece"]):
        if city >= 0:
            extras.setdefault(board.cities[city].id, []).append(office(code))
    holders = [None if owner < 0 else int(owner) for owner in game["prestige_spaces"]]
    return {
        "format": FORMAT,
        **config_of(ruleset),
        "seat": None if over else int(game["seat"]),
        "turn": int(game["turn"]),
        "asked": rec.QUESTIONS[game["asked"]],
        "actions_left": int(game["actions_left"]),
        "posts": {route.id: posts(r) for r, route in enumerate(board.routes)},
        "offices": {
            city.id: [office(code) for code in game["offices"][first[c] : first[c + 1]]]
            for c, city in enumerate(board.cities)
        },
        "extras": extras,
        "route_markers": {
            route.id: MARKER_KINDS[game["route_marker"][r]]
            for r, route in enumerate(board.routes)
            if game["route_marker"][r] >= 0
        },
        "abilities": [dict(zip(rec.ABILITIES, map(int, game["abilities"][s]))) for s in seats],
        "supply": game["supply"][:players].tolist(),
        "stock": game["stock"][:players].tolist(),
        "prestige": game["prestige"][:players].tolist(),
        "markers": [_kinds(game["markers"][s]) for s in seats],
        "used": [_kinds(game["used"][s]) for s in seats],
        "plate": [int((game["plate_of"] == s).sum()) for s in seats],
        "pile": int(tables(ruleset)[0]["pile_size"] - game["drawn"]),
        "prestige_spaces": {str(value): holders[i] for i, (_, value) in enumerate(board.prestige_spaces)},
        "completed": int(game["completed"]),
        "linked": [int(seat) for seat in game["linked"] if seat >= 0],
        "pawn": board.provinces[game["pawn"]].id if game["pawn"] >= 0 else None,
        "hand": ["t"] * int(game["hand"][rec.TRADER]) + ["m"] * int(game["hand"][rec.MERCHANT]),
        "legal": [] if over else legal_texts(ruleset, game),
    }


def _kinds(counts: np.ndarray) -> list[str]:
    return [MARKER_KINDS[kind] for kind in range(len(MARKER_KINDS)) for _ in range(counts[kind])]


def read_position(position: dict, seed: int = 0) -> tuple[Ruleset, np.ndarray]:
    """A ruleset and a game array (1,) from a position at the question `act`; hidden markers are dealt from `seed`.

    In the middle of an action a position does not say all that is going on; a record does.

    Raises:
        PositionError: naming the field that is missing or impossible.
    """
    try:
        if position["format"] != FORMAT:
            raise PositionError(f"format is {position['format']!r}, expected {FORMAT!r}")
        if position["asked"] != "act":
            raise PositionError(f"asked is {position['asked']!r}; only positions at 'act' can be read")
        ruleset = Ruleset(**{key: position[key] for key in CONFIG})
        games = np.zeros(1, rec.GAME)
        rules = tables(ruleset)
        kernels.deal_games(games, rules, np.array([seed], np.uint64), 0, 0, 1)
        game = games[0]
        _read_turn(ruleset, game, position)
        _read_board(ruleset, game, position)
        _read_seats(ruleset, game, position)
        _read_markers(ruleset, game, position)
    except KeyError as error:
        raise PositionError(f"field {error} is missing, or names something this board does not have") from error
    except (TypeError, IndexError, OverflowError) as error:
        raise PositionError(f"broken position ({type(error).__name__}: {error})") from error
    kernels.update_all_control(games, rules, 0, 1)
    kernels.continue_games(games, rules, 0, 1)
    expected = position.get("legal")
    if expected is not None and expected != position_of(ruleset, games[0])["legal"]:
        raise PositionError("legal: the list does not fit the rest of the position")
    return ruleset, games


def _read_turn(ruleset: Ruleset, game: np.void, position: dict) -> None:
    game["asked"] = rec.ASK_ACT
    game["turn"] = game["seat"] = position["turn"]
    if not 0 <= position["turn"] < ruleset.players:
        raise PositionError(f"turn is {position['turn']}; expected a seat below {ruleset.players}")
    game["actions_left"] = position["actions_left"]
    game["started"] = 0
    if ruleset.two_players == "pawn":
        provinces = [p.id for p in ruleset.board_data.provinces]
        game["pawn"] = provinces.index(position["pawn"]) if position["pawn"] in provinces else -1
        if game["pawn"] < 0:
            raise PositionError(f"pawn is {position['pawn']!r}; expected a province")
        legal = position.get("legal")
        game["pawn_free"] = legal is None or any(text.startswith("pawn ") for text in legal)
        values = tables(ruleset)[0]["ability_value"][rec.ACTIONS]
        full = values[position["abilities"][position["turn"]]["actions"]]
        game["acted"] = game["actions_left"] < full
        more = {"+3", "+4"} & set(position["used"][position["turn"]])
        if legal is not None and game["pawn_free"] and not game["acted"] and more:
            raise PositionError("used: after +3 or +4 a position does not say whether an action was taken (R8.1.3)")


def _read_piece(ruleset: Ruleset, text: str, field: str) -> tuple[int, int]:
    if text == "nt" and ruleset.two_players == "neutral":
        return ruleset.players, rec.TRADER
    if len(text) == 2 and text[0].isdigit() and int(text[0]) < ruleset.players and text[1] in "tm":
        return int(text[0]), "tm".index(text[1])
    raise PositionError(f"{field}: {text!r} is no piece of this game")


def _read_board(ruleset: Ruleset, game: np.void, position: dict) -> None:
    board, rules = ruleset.board_data, tables(ruleset)[0]
    for name in ("pieces", "held", "whole", "free"):
        game[name] = 0
    game["route_marker"] = -1
    for r, route in enumerate(board.routes):
        pieces = [_read_piece(ruleset, p, f"posts {route.id}") for p in position["posts"][route.id] if p is not None]
        if len(position["posts"][route.id]) != route.posts:
            raise PositionError(f"posts {route.id}: expected {route.posts} posts")
        for owner, kind in pieces:
            game["pieces"][r, owner, kind] += 1
            game["held"][owner, kind] |= 1 << r
        game["vacant"][r] = route.posts - len(pieces)
        if len(pieces) < route.posts:
            game["free"] |= 1 << r
        elif len({owner for owner, _ in pieces}) == 1:
            game["whole"][pieces[0][0]] |= 1 << r
    for id_, kind in position["route_markers"].items():
        r = [route.id for route in board.routes].index(id_)
        game["route_marker"][r] = MARKER_KINDS.index(kind)

    city_ids = [city.id for city in board.cities]
    slot = 0
    for id_, pieces in position["extras"].items():
        for text in pieces:
            if slot == rec.EXTRAS:
                raise PositionError(f"extras: more than {rec.EXTRAS}")
            owner, kind = _read_piece(ruleset, text, f"extras {id_}")
            game["extra_city"][slot], game["extra_piece"][slot] = city_ids.index(id_), 1 + 2 * owner + kind
            game["presence"][owner] |= 1 << city_ids.index(id_)
            slot += 1
    for c, city in enumerate(board.cities):
        row = position["offices"][city.id]
        filled = [p for p in row if p is not None]
        if len(row) != len(city.offices) or row[: len(filled)] != filled:
            raise PositionError(f"offices {city.id}: expected {len(city.offices)} spaces, filled from the left")
        for i, text in enumerate(filled):
            owner, kind = _read_piece(ruleset, text, f"offices {city.id}")
            game["offices"][rules["first_office"][c] + i] = 1 + 2 * owner + kind
            game["presence"][owner] |= 1 << c
        game["filled"][c] = len(filled)
    game["completed"] = position["completed"]
    for i, seat in enumerate(position["linked"]):
        game["linked"][i] = seat
    for i, (_, value) in enumerate(board.prestige_spaces):
        holder = position["prestige_spaces"][str(value)]
        game["prestige_spaces"][i] = -1 if holder is None else holder


def _read_seats(ruleset: Ruleset, game: np.void, position: dict) -> None:
    steps = tables(ruleset)[0]["ability_steps"]
    for seat in range(ruleset.players):
        game["supply"][seat] = position["supply"][seat]
        game["stock"][seat] = position["stock"][seat]
        game["prestige"][seat] = position["prestige"][seat]
        for ability, name in enumerate(rec.ABILITIES):
            removed = position["abilities"][seat][name]
            if not 0 <= removed <= steps[ability]:
                raise PositionError(f"abilities of seat {seat}: {name} is {removed}, expected 0..{steps[ability]}")
            game["abilities"][seat, ability] = removed


def _read_markers(ruleset: Ruleset, game: np.void, position: dict) -> None:
    """The markers nobody has seen are those missing from the rest; they fill plates and pile in a shuffled order."""
    unseen = Counter(dict(zip(MARKER_KINDS, ruleset.marker_counts)))
    unseen.subtract(position["route_markers"].values())
    for field in ("markers", "used"):
        for seat, kinds in enumerate(position[field]):
            unseen.subtract(kinds)
            for kind in kinds:
                game[field][seat, MARKER_KINDS.index(kind)] += 1
    hidden = position["pile"] + sum(position["plate"])
    size = int(tables(ruleset)[0]["pile_size"])
    if any(n < 0 for n in unseen.values()) or hidden > min(sum(unseen.values()), size):
        raise PositionError("markers: more of a kind are on the table than the edition has")
    kinds = [MARKER_KINDS.index(kind) for kind, n in unseen.items() for _ in range(n)]
    kinds = np.random.default_rng(int(game["seed"])).permutation(kinds)[:hidden]
    game["drawn"] = size - position["pile"]
    first = size - hidden
    game["pile"][:size] = -1
    game["pile"][first:size] = kinds
    game["plate_of"] = -1
    waiting = [seat for seat, n in enumerate(position["plate"]) for _ in range(n)]
    game["plate_of"][first : first + len(waiting)] = waiting
