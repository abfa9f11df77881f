"""Reading positions, `hansa-position/2`, into game records: past the gate (`read.py`), the engine says whether the question
can be answered."""

from __future__ import annotations

import numpy as np

from hansa_env.boards import SHIP
from hansa_env.boards.missions import MISSIONS
from hansa_env.engine import kernels, state
from hansa_env.engine.tables import tables_of
from hansa_env.formats.action_fields import ACTION_FIELDS, laying
from hansa_env.formats.errors import PositionError
from hansa_env.formats.find_question import by_number, rows_named
from hansa_env.formats.notation import KIND_LETTERS, piece_of_text
from hansa_env.formats.position import position_of, unseen_markers
from hansa_env.formats.read import checked_position
from hansa_env.formats.schema import PositionModel
from hansa_env.formats.without_seed import noise_without_seed
from hansa_env.ruleset import FAVOURS, MARKER_KINDS, Ruleset


def read_position_data(data: dict | str, composed: bool = False) -> tuple[Ruleset, PositionModel]:
    """A position, `hansa-position/2`, as JSON text or the object that it says.

    Args:
        data: the position.
        composed: let through what an engine can go on from although no game comes to it, such as markers removed or
            offices set without their privilege to study something; the rules of the table as it stands hold still.

    Raises:
        PositionError: it is not of the format, or no game can come to it; names fields, values and what was expected.
    """
    ruleset, position, _ = _asked(data, 0, composed)
    return ruleset, position


def read_position(data: dict | str, seed: int = 0, composed: bool = True) -> tuple[Ruleset, np.ndarray]:
    """A ruleset and a game array (1,) from a position; what is hidden is dealt from `seed`.

    Args:
        data: the position, JSON text or the object it says.
        seed: of the hidden markers and mission cards, and of the noise; with 0, which names no game, the noise follows from
            the position, so each position has its own.
        composed: let through positions that hold every rule of the table as it stands, although no game comes to them;
            False refuses these too.

    Raises:
        PositionError: naming the field that is missing or impossible.
    """
    ruleset, _, games = _asked(data, seed, composed)
    return ruleset, games


def _asked(data: dict | str, seed: int, composed: bool) -> tuple[Ruleset, PositionModel, np.ndarray]:
    """The same, and the position: one that asks what the rules ask there."""
    ruleset, position, games = played_on(data, seed, composed)
    found = position_of(ruleset, games[0])
    for field in ("asked", "seat", "turn"):
        if found[field] != getattr(position, field):
            asks = f"{found['asked']!r} of seat {found['seat']}"
            raise PositionError(f"{field}: {getattr(position, field)!r}; by the rules the position asks {asks}")
    if position.legal is not None and position.legal != found["legal"]:
        raise PositionError("legal: the list does not fit the rest of the position")
    return ruleset, position, games


def played_on(data: dict | str, seed: int = 0, composed: bool = True) -> tuple[Ruleset, PositionModel, np.ndarray]:
    """A position that may ask what leaves nothing to choose: everything forced has been played, so that it may ask another."""
    ruleset, model = checked_position(data, composed)
    position = model.model_dump()
    tables = tables_of(ruleset)
    games = state.new_games(1)
    kernels.deal_games(games, tables, np.array([seed], np.uint64), 0, 0, 1)
    game = games[0]
    _read_board(ruleset, game, position)
    _read_seats(ruleset, game, position)
    _read_table(ruleset, game, position)
    _read_markers(ruleset, game, position)
    _read_modules(ruleset, game, position)
    kernels.settle_games(games, tables, 0, 1)
    _read_question(ruleset, game, position)
    _read_turn(ruleset, game, position)
    _read_action(ruleset, game, position)
    task = by_number()[int(game["asked"])].task if game["asked"] != state.OVER else ""
    if kernels.continue_games(games, tables, 0, 1):
        raise PositionError(
            f"asked: {model.asked} has no legal answer; the seat could not {task.format(piece='what is in hand')}"
        )
    if not seed:
        games["noise"] = noise_without_seed(games)
    return ruleset, model, games


def _read_question(ruleset: Ruleset, game: np.void, position: dict) -> None:
    game["turn"] = position["turn"]
    game["seat"] = position["turn"] if position["seat"] is None else position["seat"]
    game["actions_left"] = position["actions_left"]
    game["hand"] = [position["hand"].count(letter) for letter in KIND_LETTERS]
    lifted = [_code(ruleset, piece) for piece in position["hand"] if len(piece) > 1]
    game["lifted"][: len(lifted)] = lifted
    board = ruleset.board_data
    game["permissions"] = sum(1 << board.gateways.index(city) for city in position.get("permissions") or ())
    for i, region in enumerate(board.regions):
        game["foreign"][i] = (position.get("foreign") or {}).get(region.id, (0, 0))
    origins = [board.countries.index(country) for country in position.get("from") or ()]
    game["lifted_from"][: len(origins)] = origins
    game["asked"] = _question_of(game, position["asked"], position.get("action") or {"verb": None})


def _question_of(game: np.void, name: str, action: dict) -> int:
    rows = [row for row in rows_named(name) if row.verb == action["verb"]]
    if not rows:
        return state.OVER
    owner = int(game["seat"])
    left = game["stock"][owner].any() or game["supply"][owner].any() or game["hand"].any()
    last_resort = not left and action.get("victim") != "nt"  # R4.4, R10.15
    return next((row.number for row in rows if row.last_resort == last_resort), rows[0].number)


def _read_turn(ruleset: Ruleset, game: np.void, position: dict) -> None:
    game["reason"] = state.REASONS.index(position["reason"])
    game["turns"] = position["turns"]
    game["stalled"] = position["stalled"]
    game["acted"] = position["acted"]
    game["pawn_free"] = bool(position["pawn_free"])
    game["favour_bought"] = bool(position["favour_bought"])
    game["could_decide"] = position["stalled"] == 0 and position["asked"] not in ("act", "pawn")


def _read_action(ruleset: Ruleset, game: np.void, position: dict) -> None:
    action = position["action"]
    if action is None:
        return
    for field in ACTION_FIELDS:
        if action.get(field.name) is not None:
            field.read(ruleset, game, action[field.name], position)
    if game["asked"] == state.ASK_TOKEN:
        game["marker_taken"] = MARKER_KINDS.index(laying(position))


def _code(ruleset: Ruleset, text: str) -> int:
    owner, kind = piece_of_text(ruleset, text)
    return 1 + 2 * owner + kind


def _read_board(ruleset: Ruleset, game: np.void, position: dict) -> None:
    board, tables = ruleset.board_data, tables_of(ruleset)[0]
    for name in ("pieces", "held", "whole", "free"):
        game[name] = 0
    game["route_marker"] = -1
    ships = {route + SHIP: row for route, row in (position.get("ships") or {}).items()}
    lanes_of: list[list[int]] = [[] for _ in board.routes]
    for number, lane in enumerate(board.lanes):
        lanes_of[lane.route].append(number)
        for owner, kind in (
            piece_of_text(ruleset, piece) for piece in (position["posts"] | ships)[lane.id] if piece is not None
        ):
            game["pieces"][owner, kind, number] += 1
            game["held"][owner, kind] |= 1 << number
        game["vacant"][number] = lane.posts - game["pieces"][..., number].sum()
        if game["vacant"][number]:
            game["free"] |= 1 << number
    on_lanes = game["pieces"].sum(1)
    for r, route in enumerate(board.routes):
        own = sum(on_lanes[:, number] for number in lanes_of[r])
        game["whole"][own == route.posts] |= 1 << r
        if route.id in position["route_markers"]:
            game["route_marker"][r] = MARKER_KINDS.index(position["route_markers"][route.id])
    slot = 0
    for c, city in enumerate(board.cities):
        codes = [_code(ruleset, piece) for piece in position["offices"][city.id] if piece is not None]
        game["offices"][tables["first_office"][c] :][: len(codes)] = codes
        game["filled"][c] = len(codes)
        for piece in position["extras"].get(city.id, []):
            game["extra_city"][slot], game["extra_piece"][slot] = c, _code(ruleset, piece)
            codes.append(_code(ruleset, piece))
            slot += 1
        for code in codes:
            game["presence"][(code - 1) // 2] |= 1 << c


def _read_seats(ruleset: Ruleset, game: np.void, position: dict) -> None:
    for seat in range(ruleset.players):
        game["supply"][seat] = position["supply"][seat]
        game["stock"][seat] = position["stock"][seat]
        game["prestige"][seat] = position["prestige"][seat]
        game["abilities"][seat] = [position["abilities"][seat][name] for name in state.ABILITIES]


def _read_table(ruleset: Ruleset, game: np.void, position: dict) -> None:
    board = ruleset.board_data
    game["completed"] = position["completed"]
    game["linked"][: len(position["linked"])] = position["linked"]
    for i, (_, value) in enumerate(board.prestige_spaces):
        holder = position["prestige_spaces"][str(value)]
        game["prestige_spaces"][i] = -1 if holder is None else holder
    slot = 0
    for r, route in enumerate(board.routes):
        for token in (position.get("tokens") or {}).get(route.id, ()):
            marker, owner = token.split()
            game["token_route"][slot] = r
            game["token"][slot] = 1 + 2 * int(owner) + MARKER_KINDS.index(marker) - state.TRIBUTE
            slot += 1
    if position["pawn"] is not None:
        game["pawn"] = [province.id for province in board.provinces].index(position["pawn"])


def _read_markers(ruleset: Ruleset, game: np.void, position: dict) -> None:
    """The markers nobody has seen fill plates, pile and box in a shuffled order."""
    unseen = unseen_markers(ruleset, position)
    for field in ("markers", "used"):
        for seat, kinds in enumerate(position[field]):
            for kind in kinds:
                game[field][seat, MARKER_KINDS.index(kind)] += 1
    size, shuffled = ruleset.pile_size, int(tables_of(ruleset)[0]["num_shuffled"])
    waiting = [seat for seat, count in enumerate(position["plate"]) for _ in range(count)]
    hidden = position["pile"] + len(waiting)
    kinds = [MARKER_KINDS.index(kind) for kind, count in unseen.items() for _ in range(count)]
    kinds = np.random.default_rng(int(game["seed"])).permutation(kinds)[: hidden + shuffled - size]
    game["drawn"] = size - position["pile"]
    game["pile"], game["plate_of"] = -1, -1
    game["pile"][size - hidden : shuffled] = kinds
    game["plate_of"][size - hidden :][: len(waiting)] = waiting
    game["plate"][: ruleset.players] = position["plate"]


def _read_modules(ruleset: Ruleset, game: np.void, position: dict) -> None:
    """The tiles (R12); the mission cards that the position does not tell are dealt from those left (R11)."""
    if ruleset.favours:
        places = dict.fromkeys(position["favours"]["display"], state.ON_DISPLAY)
        for seat, tiles in enumerate(position["favours"]["owned"]):
            places |= {tile: state.OWNED + seat + state.OWNERS * i for i, tile in enumerate(tiles)}
        game["favours"] = [places.get(tile, 0) for tile in FAVOURS]
    if ruleset.missions:
        cards = [card and MISSIONS.index(tuple(card)) for card in position["missions"]]
        unseen = [number for number in range(len(MISSIONS)) if number not in cards]
        rest = iter(np.random.default_rng(int(game["seed"])).permutation(unseen))
        game["missions"][: ruleset.players] = [next(rest) if card is None else card for card in cards]
