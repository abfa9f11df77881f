"""Writing positions as JSON data (`hansa-position/2` of `rulebook/notation.md`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from hansa_env.engine import state
from hansa_env.engine.questions import question_name
from hansa_env.engine.results import end_reason
from hansa_env.engine.tables import tables_of
from hansa_env.formats.action_fields import ACTION_FIELDS
from hansa_env.formats.description import ANYONES
from hansa_env.formats.find_question import by_number
from hansa_env.formats.missions import cards_seen
from hansa_env.formats.notation import legal_texts, piece_text
from hansa_env.ruleset import FAVOURS, MARKER_KINDS, Ruleset

FORMAT = "hansa-position/2"
#: What a position says of its ruleset in so many words; modules show by the fields they add.
CONFIG = ("players", "edition", "board", "two_players")
#: The order in which positions list markers: move-three stands beside remove-three.
LISTED_MARKERS = tuple(
    sorted(MARKER_KINDS, key=lambda kind: MARKER_KINDS.index("remove-three" if kind == "move-three" else kind))
)


def position_of(ruleset: Ruleset, game: np.void) -> dict:
    """A game as a position: what who decides sees of it, and every legal decision, sorted."""
    table = {**_board(ruleset, game), **_seats(ruleset, game), **_table(ruleset, game), **_modules(ruleset, game)}
    return {
        "format": FORMAT,
        **{key: getattr(ruleset, key) for key in CONFIG},
        **_question(game),
        **table,
        **_discarded(ruleset, game, table),
        "hand": _hand(ruleset, game),
        **_countries(ruleset, game),
        **_turn(ruleset, game),
        "action": _action(ruleset, game),
        "legal": [] if game["asked"] == state.OVER else legal_texts(ruleset, game),
    }


def _hand(ruleset: Ruleset, game: np.void) -> Sequence[str | None]:
    """The kinds of the own pieces in hand; of pieces of anyone's (R9.14a), seat and kind in the order lifted."""
    lifted = [_office(ruleset, code) for code in game["lifted"].tolist() if code]
    return lifted or ["t"] * int(game["hand"][state.TRADER]) + ["m"] * int(game["hand"][state.MERCHANT])


def _countries(ruleset: Ruleset, game: np.void) -> dict:
    """R10: permissions used this turn, what a move may still put abroad, and where the pieces in hand were lifted."""
    board, row = ruleset.board_data, by_number().get(int(game["asked"]))
    if not board.regions:
        return {}
    called_for = () if row is None else row.fields_of_countries(bool(game["settled"] and game["hand"].any()))
    fields: dict = {"permissions": sorted(c for i, c in enumerate(board.gateways) if game["permissions"] >> i & 1)}
    if "foreign" in called_for:
        fields["foreign"] = {region.id: game["foreign"][i].tolist() for i, region in enumerate(board.regions)}
    if "from" in called_for:
        lifted = game["lifted"] if row is not None and row.hand == ANYONES else [1]
        fields["from"] = [board.countries[i] for i, code in zip(game["lifted_from"].tolist(), lifted) if code]
    return fields


def _question(game: np.void) -> dict:
    over = game["asked"] == state.OVER
    return {
        "seat": None if over else int(game["seat"]),
        "turn": int(game["turn"]),
        "asked": question_name(int(game["asked"])),
        "actions_left": int(game["actions_left"]),
    }


def _modules(ruleset: Ruleset, game: np.void) -> dict:
    modules: dict = {}
    if ruleset.missions:
        modules["missions"] = cards_seen(ruleset, game)
    if ruleset.favours:
        modules["favours"] = {
            "display": favours_on_display(game),
            "owned": [favours_of(game, seat) for seat in range(ruleset.players)],
        }
    if ruleset.promos:
        modules["tokens"] = _tokens(ruleset, game)
    return modules


def unseen_markers(ruleset: Ruleset, position: dict) -> Counter[str]:
    """The markers that a position does not show, by kind: hidden, or out of the game since they lay on a plate at the end; of
    the variant with neutral traders, where it does not say which were discarded, these too."""
    unseen = Counter(dict(zip(MARKER_KINDS, ruleset.marker_counts)))
    unseen.subtract(position["route_markers"].values())
    unseen.subtract(token.split()[0] for tokens in (position.get("tokens") or {}).values() for token in tokens)
    for kinds in (*position["markers"], *position["used"], position.get("discarded") or ()):
        unseen.subtract(kinds)
    return unseen


def _discarded(ruleset: Ruleset, game: np.void, table: dict) -> dict:
    """R8.2.3: what is neither shown nor in the pile, on a plate or in the box has left the game."""
    if ruleset.two_players != "neutral":
        return {}
    left = unseen_markers(ruleset, table) - Counter(MARKER_KINDS[kind] for kind in game["pile"] if kind >= 0)
    return {"discarded": [kind for kind in LISTED_MARKERS for _ in range(left[kind])]}


def favours_on_display(game: np.void) -> list[str]:
    """The tiles to be had, in the order of FAVOURS (R12)."""
    return [tile for tile, place in zip(FAVOURS, game["favours"].tolist()) if place == state.ON_DISPLAY]


def favours_of(game: np.void, seat: int) -> list[str]:
    """The tiles that a seat owns, in the order in which it took them (R12)."""
    places = {place - state.OWNED: tile for tile, place in zip(FAVOURS, game["favours"].tolist()) if place >= state.OWNED}
    return [places[place] for place in sorted(places) if place % state.OWNERS == seat]


def _turn(ruleset: Ruleset, game: np.void) -> dict:
    return {
        "reason": end_reason(game),
        "turns": int(game["turns"]),
        "stalled": int(game["stalled"]),
        "acted": bool(game["acted"]),
        "pawn_free": bool(game["pawn_free"]) if ruleset.two_players == "pawn" else None,
        **({"favour_bought": bool(game["favour_bought"])} if ruleset.favours else {}),
    }


def _action(ruleset: Ruleset, game: np.void) -> dict | None:
    """What the rest of the action under way needs to know; None between actions."""
    row = by_number().get(int(game["asked"]))
    if row is None or row.verb is None:
        return None
    told = (*row.context, "pile_ran_out")
    fields = [field for field in ACTION_FIELDS if field.given_in(ruleset)]
    return {
        "verb": row.verb,
        **{field.name: field.write(ruleset, game) if field.name in told else field.blank for field in fields},
    }


def _board(ruleset: Ruleset, game: np.void) -> dict:
    board = ruleset.board_data
    first = tables_of(ruleset)[0]["first_office"]
    codes = game["offices"].tolist()
    extras: dict[str, list] = {}
    for city, code in zip(game["extra_city"].tolist(), game["extra_piece"].tolist()):
        if city >= 0:
            extras.setdefault(board.cities[city].id, []).append(_office(ruleset, code))
    markers = game["route_marker"].tolist()
    routes = len(board.routes)
    posts = _posts(ruleset, game)
    ships = {board.routes[lane.route].id: posts.pop(lane.id) for lane in board.lanes[routes:]}
    ends = [first[c] + game["filled"][c] if city.green else first[c + 1] for c, city in enumerate(board.cities)]
    return {
        "posts": posts,
        **({"ships": ships} if ships else {}),
        "offices": {
            city.id: [_office(ruleset, code) for code in codes[first[c] : ends[c]]] for c, city in enumerate(board.cities)
        },
        "extras": extras,
        "route_markers": {route.id: MARKER_KINDS[markers[r]] for r, route in enumerate(board.routes) if markers[r] >= 0},
    }


def _posts(ruleset: Ruleset, game: np.void) -> dict[str, list[str | None]]:
    """What stands on the posts of each lane; most posts are free, so only the pieces there are are gone through."""
    pieces: list[list[str]] = [[] for _ in ruleset.board_data.lanes]
    for owner, kind, lane in np.argwhere(game["pieces"]).tolist():
        pieces[lane] += [piece_text(ruleset, owner, kind)] * int(game["pieces"][owner, kind, lane])
    vacant = game["vacant"].tolist()
    return {lane.id: sorted(pieces[i]) + [None] * vacant[i] for i, lane in enumerate(ruleset.board_data.lanes)}


def _office(ruleset: Ruleset, code: int) -> str | None:
    return piece_text(ruleset, *divmod(code - 1, 2)) if code else None


def _seats(ruleset: Ruleset, game: np.void) -> dict:
    seats = range(ruleset.players)
    return {
        "abilities": [dict(zip(state.ABILITIES, game["abilities"][s].tolist())) for s in seats],
        "supply": game["supply"][: ruleset.players].tolist(),
        "stock": game["stock"][: ruleset.players].tolist(),
        "prestige": game["prestige"][: ruleset.players].tolist(),
        "markers": [_kinds(game["markers"][s]) for s in seats],
        "used": [_kinds(game["used"][s]) for s in seats],
        "plate": game["plate"][: ruleset.players].tolist(),
    }


def _table(ruleset: Ruleset, game: np.void) -> dict:
    board = ruleset.board_data
    holders = [None if owner < 0 else owner for owner in game["prestige_spaces"].tolist()]
    return {
        "pile": int(tables_of(ruleset)[0]["pile_size"] - game["drawn"]),
        "prestige_spaces": {str(value): holders[i] for i, (_, value) in enumerate(board.prestige_spaces)},
        "completed": int(game["completed"]),
        "linked": [seat for seat in game["linked"].tolist() if seat >= 0],
        "pawn": board.provinces[game["pawn"]].id if game["pawn"] >= 0 else None,
    }


def _tokens(ruleset: Ruleset, game: np.void) -> dict:
    """R13.8: by route, in the order laid."""
    tokens: dict[str, list[str]] = {}
    for route, code in zip(game["token_route"].tolist(), game["token"].tolist()):
        if code:
            owner, marker = divmod(code - 1, 2)
            tokens.setdefault(ruleset.board_data.routes[route].id, []).append(f"{MARKER_KINDS[state.TRIBUTE + marker]} {owner}")
    return tokens


def _kinds(counts: np.ndarray) -> list[str]:
    return [kind for kind in LISTED_MARKERS for _ in range(counts[MARKER_KINDS.index(kind)])]
