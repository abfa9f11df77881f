"""Everything about a ruleset that the compiled engine looks up, as one NumPy record (`TABLES`)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import numpy as np

from hansa_env.boards import PERMANENT_MARKERS
from hansa_env.boards.missions import MISSIONS
from hansa_env.engine import state
from hansa_env.engine.action_space import INDICES, KINDS, kind_and_thing, num_actions, segments
from hansa_env.engine.byte_words import WORD
from hansa_env.engine.questions import action_verbs_of, questions_of
from hansa_env.engine.rules.scoring import FEWER_ACTIONS, LESS_DEVELOPED
from hansa_env.engine.state import GREEN_SPACES
from hansa_env.engine.view.observation import OBSERVATION_FIELDS, observation_fields, observation_size
from hansa_env.ruleset import MARKER_KINDS, Ruleset

PROVINCES = 16
ALL = 127  # the bank's last value: the whole stock

#: R1.2: the values of each track, from nothing removed to fully developed.
ABILITY_VALUES = ((1, 2, 2, 3, 4), (2, 3, 3, 4, 4, 5), (0, 1, 2, 3), (2, 3, 4, 5), (3, 5, 7, ALL))
#: R1.2: what covers each track.
TRACK_KIND = (state.TRADER, state.TRADER, state.TRADER, state.MERCHANT, state.TRADER)
#: R7.9, R13.1: the editions that break ties.
TIES = {"second": FEWER_ACTIONS, "bigbox": LESS_DEVELOPED}

TABLES = np.dtype(
    [
        ("players", np.int64),
        ("owners", np.int64),  # players, and the neutral player where there is one
        ("neutral", np.int64),  # owner index of the neutral player, -1 = none
        ("pawn", np.int64),  # 1 in the pawn variant
        ("ties_broken", np.int64),  # how (R7.9, R13.1), see TIES
        ("num_actions", np.int64),
        ("first_index", np.int64, len(KINDS)),  # of each kind of thing
        ("num_things", np.int64, len(KINDS)),
        ("kind", np.int64, INDICES),  # of each action index
        ("thing", np.int64, INDICES),  # and its number within the kind
        # desk
        ("ability_value", np.int64, (5, 6)),
        ("ability_steps", np.int64, 5),
        ("full_tracks", np.int64),  # of all but keys when fully developed: the bytes of a seat's abilities
        ("track_kind", np.int64, 5),
        ("start_stock", np.int64, (state.OWNERS, 2)),
        ("start_supply", np.int64, (state.OWNERS, 2)),
        # board
        ("num_routes", np.int64),
        ("num_lanes", np.int64),
        ("num_cities", np.int64),
        ("num_offices", np.int64),
        ("all_lanes", np.int64),
        ("posts", np.int64, state.ROUTES),  # of all lanes of the route
        ("route_city", np.int64, (state.ROUTES, 2)),
        ("maritime", np.int64),  # 1: the board has ship posts (R9.4)
        ("open_to", np.int64, 2),  # lanes that hold a kind of piece
        ("lane_posts", np.int64, state.LANES),
        ("route_of", np.int64, state.LANES),
        ("ship_lane", np.int64, state.ROUTES),  # -1 = none
        ("lanes_of", np.int64, state.LANES),  # the lanes of the lane's route
        ("ring", np.int64, (state.LANES, state.RINGS)),  # lanes at distance 1, 2, ... of a lane's route (R4.3)
        ("permanent_marker", np.int64, state.ROUTES),  # place in PERMANENT_MARKERS, -1 = none (R9.14)
        # countries (R10), numbers as in Board.countries; without regions all lanes lie in country 0
        ("num_regions", np.int64),
        ("num_gateways", np.int64),
        ("country", np.int64, state.LANES),
        ("country_lanes", np.int64, state.REGIONS + 1),
        ("open_from", np.int64, state.REGIONS + 1),  # lanes of a country and of England: where what is lifted there may go
        ("relocatable", np.int64, state.LANES),  # lanes of all its rings
        ("gateways", np.int64, (state.REGIONS, 2)),  # places in Board.gateways, the one spent first first (R10.8)
        ("gateway_city", np.int64, state.GATEWAYS),
        ("region_cities", np.int64, state.REGIONS),  # (R10.17)
        ("region_points", np.int64, (state.REGIONS, state.OWNERS)),  # for the first place, the second, ... (R10.16)
        ("marker_routes", np.int64),  # routes that may take a replacement marker
        ("neighbours", np.int64, state.CITIES),  # cities linked to a city by a route
        ("first_office", np.int64, state.CITIES + 1),  # offices of city c: first_office[c] .. first_office[c + 1] - 1
        ("printed", np.int64, state.CITIES),  # printed spaces, 0 in green cities
        ("green_cities", np.int64),  # (R9.7)
        ("office_shape", np.int64, state.OFFICES),
        ("office_privilege", np.int64, state.OFFICES),
        ("office_prestige", np.int64, state.OFFICES),
        ("city_abilities", np.int64, state.CITIES),  # set of abilities that may be developed there (R5.8)
        ("keeps_neutral", np.int64),  # routes touching an ability city or the prestige city (R8.2.3)
        ("neutral_start", np.int64),  # routes with a neutral trader at the start (R8.2.1)
        ("prestige_route", np.int64),
        ("num_spaces", np.int64),
        ("space_privilege", np.int64, state.SPACES),
        ("space_value", np.int64, state.SPACES),
        ("points_of_spaces", np.int64, 1 << state.SPACES),  # of each set of spaces
        ("link_city", np.int64, 2),
        ("link_points", np.int64, state.OWNERS),  # for the first, second, ... to make the link
        ("cities_to_end", np.int64),
        ("prestige_to_end", np.int64),
        ("num_provinces", np.int64),
        ("bordering", np.int64, PROVINCES),  # routes bordering a province (R8.1.4)
        ("reach", np.int64, PROVINCES),  # provinces 1 or 2 away (R8.1.3)
        # markers
        ("promos", np.int64),  # 1: trade-in, tribute and block may be in the game (R13.4)
        ("removing_marker", np.int64),  # the kind used as `remove`
        ("moves_three", np.int64),  # 1: it moves pieces of others (R13.3), 0: it removes any (R6.4)
        ("own_exchange", np.int64),  # 1: one of two offices exchanged is one's own (R13.1)
        ("num_taverns", np.int64),
        ("tavern", np.int64, 3),
        ("start_marker", np.int64, 3),
        ("num_markers", np.int64),  # kinds
        ("pile_size", np.int64),
        ("num_shuffled", np.int64),  # pile_size, and with promos those that then stay in the box (R13.4)
        ("pile", np.int64, state.PILE),  # unshuffled
        # boards and modules beyond the base game
        ("base_game", np.int64),  # 1: none of them is played with
        ("missions", np.int64),  # 1: they are played with (R11)
        ("mission_cities", np.int64, len(MISSIONS)),  # of each card
        ("favours", np.int64),  # 1: they are played with (R12)
        # observation
        ("question_entry", np.int64, state.OVER + 1),  # place of a question in the field "question"
        ("action_entry", np.int64, state.OVER + 1),  # place of the question's action in the field "action", -1 = none
        ("observation_size", np.int64),
        ("whole_rows", np.int64),  # 1: rows of lanes, longer than those of routes, may be written whole
        ("observe", np.int64, len(OBSERVATION_FIELDS)),  # where each field starts
    ]
)


def bit_set(indices: Iterable[int]) -> int:
    """The bit set of some indices."""
    return sum(1 << i for i in set(indices))


@cache
def tables_of(ruleset: Ruleset) -> np.ndarray:
    """The TABLES record of a ruleset as an array of shape (1,), read-only."""
    array = np.zeros(1, TABLES)
    t = array[0]
    t["players"] = ruleset.players
    t["neutral"] = ruleset.players if ruleset.two_players == "neutral" else -1
    t["owners"] = ruleset.players + (ruleset.two_players == "neutral")
    t["pawn"] = ruleset.two_players == "pawn"
    t["ties_broken"] = TIES.get(ruleset.edition, 0)
    _fill_actions(t, ruleset)
    _fill_desk(t, ruleset)
    _fill_board(t, ruleset)
    _fill_provinces(t, ruleset)
    _fill_markers(t, ruleset)
    _fill_modules(t, ruleset)
    _fill_observation(t, ruleset)
    array.setflags(write=False)
    return array


def _fill_actions(t: np.void, ruleset: Ruleset) -> None:
    t["num_actions"] = num_actions(ruleset)
    t["first_index"] = [segment.start for segment in segments(ruleset)]
    t["num_things"] = [len(segment.things) for segment in segments(ruleset)]
    t["kind"][: num_actions(ruleset)], t["thing"][: num_actions(ruleset)] = kind_and_thing(ruleset).T


def _fill_desk(t: np.void, ruleset: Ruleset) -> None:
    for ability, values in enumerate(ABILITY_VALUES):
        t["ability_value"][ability, : len(values)] = values
        t["ability_steps"][ability] = len(values) - 1
    t["full_tracks"] = sum(int(t["ability_steps"][ability]) << 8 * ability for ability in range(state.KEYS + 1, 5))
    t["track_kind"] = TRACK_KIND
    (in_supply, merchants), (in_stock, more) = ruleset.board_data.scale.supply, ruleset.board_data.scale.stock
    for seat in range(ruleset.players):  # R1.3
        t["start_supply"][seat] = in_supply + seat, merchants
        t["start_stock"][seat] = in_stock - seat, more


def _fill_board(t: np.void, ruleset: Ruleset) -> None:
    board = ruleset.board_data
    city_index = {city.id: i for i, city in enumerate(board.cities)}
    routes = [tuple(city_index[c] for c in route.cities) for route in board.routes]
    t["num_routes"], t["num_cities"] = len(routes), len(board.cities)
    t["posts"][: len(routes)] = [route.posts for route in board.routes]
    t["route_city"][: len(routes)] = routes
    t["permanent_marker"] = -1
    for i, route in enumerate(board.routes):
        if route.permanent_marker:
            t["permanent_marker"][i] = PERMANENT_MARKERS.index(route.permanent_marker)
    _fill_lanes(t, ruleset)
    t["marker_routes"] = bit_set(i for i, route in enumerate(board.routes) if route.marker_allowed)
    for a, b in routes:
        t["neighbours"][a] |= 1 << b
        t["neighbours"][b] |= 1 << a
    _fill_countries(t, ruleset)
    _fill_rings(t, routes)

    t["green_cities"] = bit_set(i for i, city in enumerate(board.cities) if city.green)
    office = 0
    for i, city in enumerate(board.cities):
        t["printed"][i] = len(city.offices)
        office += GREEN_SPACES if city.green else 0
        for space in city.offices:
            t["office_shape"][office], t["office_privilege"][office] = space.shape, space.privilege
            t["office_prestige"][office] = space.prestige
            office += 1
        t["first_office"][i + 1] = office
        t["city_abilities"][i] = bit_set(state.ABILITIES.index(ability) for ability in city.abilities)
    t["num_offices"] = office

    prestige_city = city_index[board.prestige_city]
    special = {i for i, city in enumerate(board.cities) if city.abilities} | {prestige_city}
    t["keeps_neutral"] = bit_set(i for i, ends in enumerate(routes) if special & set(ends))
    taverns = [i for i, route in enumerate(board.routes) if route.tavern]
    t["num_taverns"] = len(taverns)
    t["tavern"][: len(taverns)] = taverns
    t["neutral_start"] = t["keeps_neutral"] | bit_set(taverns)
    t["prestige_route"] = [route.id for route in board.routes].index(board.prestige_route)
    t["num_spaces"] = len(board.prestige_spaces)
    t["space_privilege"], t["space_value"] = zip(*board.prestige_spaces)
    for spaces in range(1 << state.SPACES):
        t["points_of_spaces"][spaces] = sum(t["space_value"][i] for i in range(state.SPACES) if spaces >> i & 1)
    t["link_city"] = [city_index[c] for c in board.link_cities]
    t["link_points"][: len(board.link_points)] = board.link_points
    t["cities_to_end"], t["prestige_to_end"] = board.completed_cities_to_end, board.scale.prestige_to_end


def _fill_lanes(t: np.void, ruleset: Ruleset) -> None:
    lanes = ruleset.board_data.lanes
    t["num_lanes"], t["maritime"] = len(lanes), ruleset.board_data.maritime
    t["all_lanes"] = bit_set(range(len(lanes)))
    t["open_to"] = bit_set(i for i, lane in enumerate(lanes) if not lane.ship), t["all_lanes"]
    t["ship_lane"] = -1
    for i, lane in enumerate(lanes):
        t["lane_posts"][i], t["route_of"][i] = lane.posts, lane.route
        t["lanes_of"][i] = bit_set(k for k, other in enumerate(lanes) if other.route == lane.route)
        if lane.ship:
            t["ship_lane"][lane.route] = i


def _fill_countries(t: np.void, ruleset: Ruleset) -> None:
    board = ruleset.board_data
    number = {country: i for i, country in enumerate(board.countries)}
    city_index = {city.id: i for i, city in enumerate(board.cities)}
    t["num_regions"], t["num_gateways"] = len(board.regions), len(board.gateways)
    for i, lane in enumerate(board.lanes):
        country = number[board.routes[lane.route].country]
        t["country"][i] = country
        t["country_lanes"][country] |= 1 << i
    t["open_from"] = t["country_lanes"] | t["country_lanes"][0]
    t["gateway_city"][: len(board.gateways)] = [city_index[city] for city in board.gateways]
    for i, region in enumerate(board.regions):
        t["gateways"][i] = [board.gateways.index(city) for city in region.gateways]
        t["region_cities"][i] = bit_set(city_index[city] for city in region.cities)
        t["region_points"][i, : len(region.points)] = region.points


def _fill_rings(t: np.void, routes: list[tuple[int, ...]]) -> None:
    """R4.3; R10.11: the search runs only over routes of the lane's country and of England."""
    for lane in range(t["num_lanes"]):
        start = t["route_of"][lane]
        allowed = {int(t["route_of"][i]) for i in range(t["num_lanes"]) if t["open_from"][t["country"][lane]] >> i & 1}
        seen, ring = {start}, {start}
        for distance in range(state.RINGS):
            ends = {city for route in ring for city in routes[route]}
            ring = {i for i in allowed if ends & set(routes[i])} - seen
            seen |= ring
            t["ring"][lane, distance] = bit_set(i for i in range(t["num_lanes"]) if t["route_of"][i] in ring)
        assert seen == allowed, "the routes open to a displaced piece must hang together within RINGS steps"
        t["relocatable"][lane] = np.bitwise_or.reduce(t["ring"][lane])


def _fill_provinces(t: np.void, ruleset: Ruleset) -> None:
    board = ruleset.board_data
    t["num_provinces"] = len(board.provinces)
    index = {province.id: i for i, province in enumerate(board.provinces)}
    next_to = [{index[n] for n in province.neighbours} for province in board.provinces]
    for i, province in enumerate(board.provinces):
        t["bordering"][i] = bit_set(k for k, route in enumerate(board.routes) if route.id in province.routes)
        near = next_to[i].union(*(next_to[n] for n in next_to[i])) - {i}
        t["reach"][i] = bit_set(near)


def _fill_markers(t: np.void, ruleset: Ruleset) -> None:
    t["num_markers"] = len(ruleset.marker_kinds)
    start = tuple(MARKER_KINDS.index(kind) for kind in reversed(ruleset.start_markers))  # R1.5
    t["start_marker"][: len(start)] = start
    pile = []
    for kind, count in enumerate(ruleset.marker_counts):
        pile += [kind] * (count - start.count(kind))
    t["pile_size"], t["num_shuffled"] = ruleset.pile_size, len(pile)
    t["pile"][: len(pile)] = pile
    t["promos"] = ruleset.promos
    t["removing_marker"] = MARKER_KINDS.index(ruleset.removing_marker)
    t["moves_three"] = ruleset.moves_three
    t["own_exchange"] = ruleset.edition == "bigbox"


def _fill_modules(t: np.void, ruleset: Ruleset) -> None:
    t["base_game"], t["missions"], t["favours"] = ruleset.base_game, ruleset.missions, bool(ruleset.favours)
    if ruleset.missions:
        cities = [city.id for city in ruleset.board_data.cities]
        t["mission_cities"] = [bit_set(map(cities.index, card)) for card in MISSIONS]


def _fill_observation(t: np.void, ruleset: Ruleset) -> None:
    t["observation_size"] = observation_size(ruleset)
    starts = {field.name: field.start for field in observation_fields(ruleset)}
    t["observe"] = [starts.get(name, -1) for name in OBSERVATION_FIELDS]
    last_of_seats = starts["used"] + (len(ruleset.marker_kinds) + WORD) * ruleset.players
    assert last_of_seats <= starts["posts"] + WORD, "a seat's rows, written eight at a time, end before the posts do"
    t["whole_rows"] = starts["vacant"] + 2 * state.LANES <= observation_size(ruleset)
    t["question_entry"], t["action_entry"] = -1, -1
    t["question_entry"][state.OVER] = len(questions_of(ruleset))
    for entry, question in enumerate(questions_of(ruleset)):
        t["question_entry"][question.number] = entry
        if question.action is not None:
            t["action_entry"][question.number] = action_verbs_of(ruleset).index(question.action)
