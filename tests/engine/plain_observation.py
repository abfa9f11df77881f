"""The observation of a seat as its fields' meanings have it, worked out by NumPy a field at a time: slow, and easy to read."""

from __future__ import annotations

import numpy as np

from hansa_env import Ruleset
from hansa_env.engine import state as rec
from hansa_env.engine.questions import action_verbs_of, questions_of
from hansa_env.engine.results import scores_of
from hansa_env.engine.rules.scoring import score_columns
from hansa_env.engine.tables import tables_of
from hansa_env.engine.view.observation import MOST, observation_fields


def plain_observation(ruleset: Ruleset, game: np.void, seat: int) -> np.ndarray:
    """(D,) int8: what a seat sees of a game."""
    fields = observation_fields(ruleset)
    out = {field.name: np.zeros(field.shape, np.int64) for field in fields}
    _question(ruleset, game, seat, out)
    _seats(ruleset, game, seat, out)
    _routes(ruleset, game, seat, out)
    _cities(ruleset, game, seat, out)
    _modules(ruleset, game, seat, out)
    return np.concatenate([out[field.name].reshape(-1) for field in fields]).astype(np.int8)


def _place(ruleset: Ruleset, owner: int, seat: int) -> int:
    return (int(owner) - seat) % ruleset.players if owner < ruleset.players else int(owner)


def _question(ruleset: Ruleset, game: np.void, seat: int, out: dict[str, np.ndarray]) -> None:
    questions = {question.number: (i, question) for i, question in enumerate(questions_of(ruleset))}
    if game["asked"] == rec.OVER:
        out["question"][-1] = 1
    else:
        number, question = questions[int(game["asked"])]
        out["question"][number] = 1
        out["decider"][_place(ruleset, game["seat"], seat)] = 1
        if question.action is not None:
            out["action"][action_verbs_of(ruleset).index(question.action)] = 1
    out["turn"][_place(ruleset, game["turn"], seat)] = 1
    for name in ("actions_left", "remaining", "hand", "completed"):
        out[name][:] = game[name]
    out["flags"][:] = [game[name] for name in ("settled", "acted", "pawn_free", "pile_ran_out")]
    if game["victim_owner"] >= 0:
        out["victim"][_place(ruleset, game["victim_owner"], seat), game["victim_kind"]] = 1
    if game["pawn"] >= 0:
        out["pawn"][game["pawn"]] = 1
    out["pile"][:] = ruleset.pile_size - game["drawn"]
    for i in range(int(tables_of(ruleset)[0]["num_shuffled"])):
        if i >= game["drawn"] or game["plate_of"][i] >= 0:
            out["unseen"][game["pile"][i]] += 1


def _seats(ruleset: Ruleset, game: np.void, seat: int, out: dict[str, np.ndarray]) -> None:
    scores, columns = scores_of(ruleset, np.array([game]))[0].astype(np.int64), score_columns(ruleset)
    if "mission" in columns and game["asked"] != rec.OVER:  # R11.1: only at the end is it told what another's brings
        others, mission = np.arange(ruleset.players) != seat, columns.index("mission")
        scores[others, -1] -= scores[others, mission]
        scores[others, mission] = 0
    for owner in range(ruleset.players):
        place, kinds = _place(ruleset, owner, seat), len(ruleset.marker_kinds)
        for name in ("supply", "stock", "prestige", "abilities", "plate"):
            out[name][..., place] = game[name][owner]
        for name in ("markers", "used"):
            out[name][:, place] = game[name][owner, :kinds]
        out["linked"][place] = 1 + game["linked"].tolist().index(owner) if owner in game["linked"] else 0
        out["scores"][:, place] = np.minimum(scores[owner], MOST)
        for space in range(len(ruleset.board_data.prestige_spaces)):
            out["prestige_spaces"][space, place] = game["prestige_spaces"][space] == owner


def _routes(ruleset: Ruleset, game: np.void, seat: int, out: dict[str, np.ndarray]) -> None:
    routes = len(ruleset.board_data.routes)
    for owner in range(len(out["posts"])):
        out["posts"][_place(ruleset, owner, seat)] = game["pieces"][owner, :, :routes]
    out["vacant"][:] = game["vacant"][:routes]
    for route in range(routes):
        if game["route_marker"][route] >= 0:
            out["route_marker"][game["route_marker"][route], route] = 1
    if game["route"] >= 0:
        out["route"][ruleset.board_data.lanes[game["route"]].route] = 1


def _cities(ruleset: Ruleset, game: np.void, seat: int, out: dict[str, np.ndarray]) -> None:
    first = tables_of(ruleset)[0]["first_office"]
    for number, city in enumerate(ruleset.board_data.cities):
        if game["controller"][number] >= 0:
            out["control"][_place(ruleset, game["controller"][number], seat), number] = 1
        for space in range(game["filled"][number]):
            owner, kind = divmod(int(game["offices"][first[number] + space]) - 1, 2)
            if city.green:
                green = [i for i, other in enumerate(ruleset.board_data.cities) if other.green].index(number)
                out["green_offices"][space, _place(ruleset, owner, seat), green] = 1 + kind
                out["placed"][_place(ruleset, owner, seat), number] += 1
            else:
                out["offices"][space, _place(ruleset, owner, seat), number] = 1 + kind
        extras = [int(piece) - 1 for at, piece in zip(game["extra_city"], game["extra_piece"]) if at == number]
        for order, piece in reversed(list(enumerate(extras, 1))):
            out["extras"][_place(ruleset, piece // 2, seat), number] += 1
            out["extra_place"][_place(ruleset, piece // 2, seat), number] = order
    if game["city"] >= 0:
        out["city"][game["city"]] = 1


def _modules(ruleset: Ruleset, game: np.void, seat: int, out: dict[str, np.ndarray]) -> None:
    board, tables = ruleset.board_data, tables_of(ruleset)[0]
    routes = len(board.routes)
    for i, piece in enumerate(game["lifted"] if "lifted" in out else ()):
        if piece:
            out["lifted"][i, _place(ruleset, (piece - 1) // 2, seat), (piece - 1) % 2] = 1
    if board.maritime:
        out["at_sea"][:] = game["route"] >= routes
        for number, lane in enumerate(board.lanes[routes:], routes):
            out["ship_vacant"][lane.route] = game["vacant"][number]
            for owner in range(ruleset.players):
                out["ship_posts"][_place(ruleset, owner, seat), lane.route] = game["pieces"][owner, rec.MERCHANT, number]
    if board.regions:
        out["foreign"][:] = game["foreign"][: len(board.regions)]
        for number, name in enumerate(board.gateways):
            out["permissions"][number] = game["permissions"] >> number & 1
            city = [one.id for one in board.cities].index(name)
            if game["filled"][city]:
                office = game["offices"][tables["first_office"][city] + game["filled"][city] - 1]
                out["gateways"][number, _place(ruleset, (office - 1) // 2, seat)] = 1
        last_resort = game["settled"] and game["hand"].sum() > 0
        for i in range(rec.LIFTED):
            if game["lifted"][i] or (i == 0 and last_resort):
                out["lifted_from"][i, game["lifted_from"][i]] = 1
    if ruleset.missions:
        cities = int(tables["mission_cities"][game["missions"][seat]])
        out["mission"][:] = [cities >> city & 1 for city in range(len(board.cities))]
    if ruleset.favours:
        out["favour_bought"][:] = game["favour_bought"]
        out["favours_shown"][:] = game["favours"] == rec.ON_DISPLAY
        for tile, where in enumerate(game["favours"]):
            if where >= rec.OWNED:
                out["favours"][tile, _place(ruleset, (where - rec.OWNED) % rec.OWNERS, seat)] = 1
    if "laying" in out and game["asked"] == rec.ASK_TOKEN:
        out["laying"][[rec.TRIBUTE, rec.BLOCK].index(game["marker_taken"])] = 1
    if ruleset.promos:
        if game["partner"] >= 0:
            out["partner"][_place(ruleset, game["partner"], seat)] = 1
        for route, token in zip(game["token_route"], game["token"]):
            if token:
                name = "tributes" if (token - 1) % 2 == 0 else "blocks"
                out[name][_place(ruleset, (token - 1) // 2, seat), route] += 1
