"""What the scripted player sees in a position: the worth of abilities, offices and routes for a seat.

A `View` record is filled by `look` and read by `choices`. Worths are in prestige points, costs in actions.
"""

from __future__ import annotations

import numpy as np

from hansa_agents.scripted.countries import gateways_gained, look_at_regions, region_gain
from hansa_env.engine.bits import bit, lowest, size
from hansa_env.engine.compile import inner
from hansa_env.engine.rules.desk import ability_value, owns_favour
from hansa_env.engine.rules.missions import ALL_CONTROLLED
from hansa_env.engine.rules.offices import group_of, is_player, link_place, next_space, owner_of, reachable_space
from hansa_env.engine.rules.scoring import (
    ALL_COLUMNS,
    CITY_WITH_FAVOUR,
    CONTROLLED_CITY,
    FULL_ABILITY,
    TOTAL,
    WITH_FAVOUR,
    score,
)
from hansa_env.engine.state import (
    ASK_EXTRA,
    CITIES,
    EXTRA_OFFICE,
    EXTRAS,
    FOR_ABILITIES,
    FOR_CITIES,
    KEYS,
    LANES,
    MERCHANT,
    OWNERS,
    REGIONS,
    ROUTES,
)

NEVER = -1000.0  # worth of what is not possible
IN_SIGHT = 0.5  # share of the game left from which on the score counts
CITY_MORE, FULL_MORE = CITY_WITH_FAVOUR - CONTROLLED_CITY, WITH_FAVOUR - FULL_ABILITY  # by favours (R12.4)
MISSION = ALL_COLUMNS.index("mission")

VIEW = np.dtype(
    [
        ("left", np.float64),  # share of the game still to come
        ("lead", np.float64),  # points before the best opponent, once the end is in sight, else 0
        ("haste", np.float64),  # what a step towards the end is worth by itself
        ("scores", np.int64, (OWNERS, len(ALL_COLUMNS))),
        ("keys", np.float64),
        ("full", np.float64),  # points of a fully developed ability (R7.3, R12.4)
        ("control", np.float64),  # and of a controlled city (R7.6, R12.4)
        ("mission", np.int64),  # cities of the own card (R11)
        ("largest", np.float64),  # offices in the largest network
        ("ability", np.float64, 5),  # worth of the next step of each track
        ("count", np.int64, (CITIES, OWNERS)),  # offices by city and owner
        ("groups", np.int64),  # number of own networks
        ("group", np.int64, CITIES),  # cities of each
        ("group_size", np.int64, CITIES),  # offices of each
        ("here", np.int64, CITIES),  # cities missing on the way from one end of the link
        ("there", np.int64, CITIES),  # and from the other
        ("link_path", np.int64),  # cities on a shortest way to the link
        ("link_missing", np.int64),  # cities it still takes
        ("link_points", np.int64),  # what the link would bring, 0 = nothing any more
        ("office", np.float64, CITIES),  # worth of the next printed office
        ("merchants_wanted", np.int64),  # cities whose next printed office takes a merchant
        ("extra", np.float64, CITIES),  # worth of an extra office, NEVER without a marker for it
        ("placed", np.float64, CITIES),  # worth of an office placed in a green city
        ("plain", np.float64, CITIES),  # the best reward of a claim there that takes no merchant, at least 0
        ("worth", np.float64, ROUTES),  # of a claim
        ("cost", np.float64, ROUTES),  # actions to the claim, itself included
        ("rate", np.float64, LANES),  # what routes are chosen by; below 0 = not possible; of ship posts, their route's
        ("standing", np.int64, (REGIONS, OWNERS)),  # in each region (R10.16)
        ("with_merchant", np.int64),  # routes whose best reward takes a merchant
        ("by_move", np.int64),  # routes best filled by a move
    ]
)


@inner
def look(game, tables, w, v, seat):
    """Fill the parts of a view that do not depend on routes."""
    v["left"] = share_left(game, tables)
    v["lead"] = lead(game, tables, v, seat) if v["left"] < IN_SIGHT else 0.0
    v["haste"] = w["haste"] * v["lead"]
    count_offices(game, tables, v)
    find_networks(game, tables, v, seat)
    v["keys"] = ability_value(game, tables, seat, KEYS)
    v["full"], v["control"], v["mission"] = FULL_ABILITY, CONTROLLED_CITY, 0
    if tables["favours"]:
        v["full"] += FULL_MORE * owns_favour(game, seat, FOR_ABILITIES)
        v["control"] += CITY_MORE * owns_favour(game, seat, FOR_CITIES)
    if tables["missions"]:
        v["mission"] = tables["mission_cities"][game["missions"][seat]]
    for ability in range(5):
        v["ability"][ability] = develop_worth(game, tables, w, v, seat, ability)
    find_link(game, tables, v, seat)
    look_at_regions(game, tables, v)
    v["merchants_wanted"] = 0
    may_add = game["markers"][seat, EXTRA_OFFICE] > 0 or game["asked"] == ASK_EXTRA
    for city in range(tables["num_cities"]):
        space = next_space(game, tables, city)
        if space >= 0 and tables["office_shape"][space] == MERCHANT:
            v["merchants_wanted"] |= bit(city)
        v["office"][city] = office_worth(game, tables, w, v, seat, city)
        v["extra"][city] = founding_worth(game, tables, w, v, seat, city, 1) if may_add else NEVER
    if tables["green_cities"]:
        look_at_green_cities(game, tables, w, v, seat)


@inner
def look_at_green_cities(game, tables, w, v, seat):
    """R9.8, R9.9: offices in green cities, placed to the right of all or extra ones; the first completes the city."""
    cities = tables["green_cities"]
    while cities:
        city = lowest(cities)
        cities &= cities - 1
        v["placed"][city] = founding_worth(game, tables, w, v, seat, city, 0)
        if game["controller"][city] < 0:
            v["placed"][city] += w["complete"] + v["haste"]
            v["extra"][city] += w["complete"] + v["haste"]


@inner
def share_left(game, tables):
    """How far the nearest end of the game is (R7.1)."""
    done = max(game["completed"] / tables["cities_to_end"], game["drawn"] / (tables["pile_size"] + 1))
    for seat in range(tables["players"]):
        done = max(done, game["prestige"][seat] / tables["prestige_to_end"])
    return max(0.0, 1.0 - done)


@inner
def lead(game, tables, v, seat):
    """Points before the best opponent as the board stands, whose mission nobody knows."""
    score(game, tables, v["scores"])
    best = 0
    for other in range(tables["players"]):
        if other != seat:
            v["scores"][other, TOTAL] -= v["scores"][other, MISSION]
            best = max(best, v["scores"][other, TOTAL])
    return float(v["scores"][seat, TOTAL] - best)


@inner
def count_offices(game, tables, v):
    """Offices of each owner in each city."""
    for city in range(tables["num_cities"]):
        for owner in range(tables["owners"]):
            v["count"][city, owner] = 0
        first = tables["first_office"][city]
        for space in range(first, first + game["filled"][city]):
            v["count"][city, owner_of(game["offices"][space])] += 1
    for i in range(EXTRAS):
        if game["extra_city"][i] >= 0:
            v["count"][game["extra_city"][i], owner_of(game["extra_piece"][i])] += 1


@inner
def find_networks(game, tables, v, seat):
    """R7.7: the own networks and their sizes."""
    v["groups"] = 0
    v["largest"] = 0
    cities = game["presence"][seat]
    while cities:
        group = group_of(tables, cities, lowest(cities))
        cities &= ~group
        v["group"][v["groups"]] = group
        count = 0
        while group:
            count += v["count"][lowest(group), seat]
            group &= group - 1
        v["group_size"][v["groups"]] = count
        v["groups"] += 1
        v["largest"] = max(v["largest"], count)


@inner
def develop_worth(game, tables, w, v, seat, ability):
    """R5.8: the next step of a track; 0 when it is fully developed."""
    step, steps = game["abilities"][seat, ability], tables["ability_steps"][ability]
    if step == steps:
        return 0.0
    worth = w["develop"][ability, step] * v["left"]
    if ability == KEYS:
        return worth + (tables["ability_value"][KEYS, step + 1] - tables["ability_value"][KEYS, step]) * v["largest"]
    if step + 1 == steps:  # R7.3
        worth += v["full"]
    return worth


@inner
def spread(tables, owned, start, out):
    """Least number of cities not owned on a way from `start` to each city, both ends included, into out (CITIES,)."""
    steps = 0 if owned & bit(start) else 1
    reached, layer = 0, bit(start)
    while layer:
        todo, beyond = layer, 0
        reached |= layer
        while todo:
            city = lowest(todo)
            todo &= todo - 1
            out[city] = steps
            near = tables["neighbours"][city] & ~reached
            reached |= near & owned
            todo |= near & owned
            beyond |= near & ~owned
        layer = beyond & ~reached
        steps += 1


@inner
def find_link(game, tables, v, seat):
    """R5.7: the cities on a shortest way between Arnheim and Stendal, and what the link would bring."""
    v["link_path"] = 0
    v["link_points"] = 0
    v["link_missing"] = 99
    place = link_place(game, seat)
    if place < 0 or tables["link_points"][place] == 0:
        return
    v["link_points"] = tables["link_points"][place]
    owned = game["presence"][seat]
    here, there = v["here"], v["there"]
    spread(tables, owned, tables["link_city"][0], here)
    spread(tables, owned, tables["link_city"][1], there)
    v["link_missing"] = here[tables["link_city"][1]]
    for city in range(tables["num_cities"]):
        if not owned & bit(city) and here[city] + there[city] - 1 == v["link_missing"]:
            v["link_path"] |= bit(city)


@inner
def network_worth(tables, w, v, city):
    """R7.7: growth of the largest network by an office in a city, and of networks to come."""
    joined, touching = 1, 0
    near = tables["neighbours"][city] | bit(city)
    for i in range(v["groups"]):
        if v["group"][i] & near:
            joined += v["group_size"][i]
            touching = 1
    worth = (w["office"] + w["join"] * touching) * v["left"]
    if joined > v["largest"]:
        worth += (joined - v["largest"]) * v["keys"]
    return worth


@inner
def wins_control(tables, v, seat, city, needed):
    """R5.2: whether with one more office the own offices exceed the others' by `needed`."""
    others = 0
    for owner in range(tables["owners"]):
        if owner != seat:
            others = max(others, v["count"][city, owner])
    return v["count"][city, seat] + 1 >= others + needed


@inner
def control_worth(game, tables, w, v, seat, city, needed):
    """R5.2, R7.6: control by one more office, if the own offices then exceed the others' by `needed`."""
    controller = game["controller"][city]
    if controller == seat:
        return w["secure"] * v["left"]
    if not wins_control(tables, v, seat, city, needed):
        return 0.0
    worth = v["control"] + w["traffic"] * v["left"] * size(tables["neighbours"][city])
    if tables["city_abilities"][city] != 0:
        worth += w["traffic_ability"] * v["left"]
    if is_player(tables, controller):
        worth += CONTROLLED_CITY * w["deny"]
    return worth


@inner
def founding_worth(game, tables, w, v, seat, city, needed):
    """An office in a city: network, control and link."""
    worth = network_worth(tables, w, v, city) + control_worth(game, tables, w, v, seat, city, needed)
    if tables["num_regions"]:
        control = game["controller"][city] == seat or wins_control(tables, v, seat, city, needed)
        worth += w["region"] * region_gain(game, tables, v, seat, city, control)
    if v["link_path"] & bit(city):
        share = w["link"] * v["left"] / v["link_missing"] if v["link_missing"] > 1 else 1.0
        worth += v["link_points"] * share
    if v["mission"] & bit(city):
        worth += mission_worth(game, tables, w, v, seat, city, needed)
    return worth


@inner
def mission_worth(game, tables, w, v, seat, city, needed):
    """R11.2: an office in a city of the own card: 1 for the first, and control of all three, if it gains control."""
    worth, missing, cities = 0.0, 0, v["mission"]
    if v["count"][city, seat] == 0:
        worth += 1.0
    while cities:
        missing += game["controller"][lowest(cities)] != seat
        cities &= cities - 1
    if game["controller"][city] != seat and wins_control(tables, v, seat, city, needed):
        worth += ALL_CONTROLLED * (w["mission"] / missing if missing > 1 else 1.0)
    return worth


@inner
def office_worth(game, tables, w, v, seat, city):
    """R5.5: the next printed office of a city; NEVER where there is none or its colour is too high."""
    space = reachable_space(game, tables, seat, city)
    if space < 0:
        return NEVER
    worth = founding_worth(game, tables, w, v, seat, city, 0) + (w["coin"] + v["haste"]) * tables["office_prestige"][space]
    if space + 1 == tables["first_office"][city + 1]:
        worth += w["complete"] + v["haste"]
    if tables["num_regions"]:
        worth += w["permission"] * v["left"] * gateways_gained(game, tables, seat, city)
    return worth
