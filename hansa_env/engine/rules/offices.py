"""Offices in cities: founding, control, completed cities, the link and networks."""

from __future__ import annotations

from hansa_env.engine.bits import bit, lowest
from hansa_env.engine.compile import inner
from hansa_env.engine.sorted_lists import insert_sorted
from hansa_env.engine.state import CITIES, EXTRAS, OWNERS, PRIVILEGE


@inner
def owner_of(office):
    """Owner of an office piece as stored (0 = empty space: -1)."""
    return (office + 1) // 2 - 1


@inner
def is_player(tables, owner):
    """Whether an owner is a player, not the neutral one (R8.2) nor -1 = nobody."""
    return owner >= 0 and owner != tables["neutral"]


@inner
def next_space(game, tables, city):
    """R5.5: the leftmost empty printed space of a city, -1 when it is full; a green city has none (R9.7)."""
    if game["filled"][city] < tables["printed"][city]:
        return tables["first_office"][city] + game["filled"][city]
    return -1


@inner
def reachable_space(game, tables, seat, city):
    """R5.5: the next space of a city, -1 where it is full or the colour is beyond the seat's privilege."""
    space = next_space(game, tables, city)
    if space >= 0 and game["abilities"][seat, PRIVILEGE] < tables["office_privilege"][space]:
        return -1
    return space


@inner
def has_office(game, city):
    """Whether anyone has an office there."""
    if game["filled"][city] > 0:
        return True
    for i in range(EXTRAS):
        if game["extra_city"][i] == city:
            return True
    return False


@inner
def offices_in_city(game, tables, city, owner):
    """Offices of one owner in one city, extra ones included."""
    count = 0
    first = tables["first_office"][city]
    for space in range(first, first + game["filled"][city]):
        count += owner_of(game["offices"][space]) == owner
    for i in range(EXTRAS):
        count += game["extra_city"][i] == city and owner_of(game["extra_piece"][i]) == owner
    return count


@inner
def controller_of(game, tables, city):
    """Who controls a city: the owner of most offices; among equals, of the rightmost office; -1 = nobody (R5.2)."""
    best, controller = 0, -1
    first = tables["first_office"][city]
    for space in range(first + game["filled"][city] - 1, first - 1, -1):
        owner = owner_of(game["offices"][space])
        count = offices_in_city(game, tables, city, owner)
        if count > best:
            best, controller = count, owner
    for i in range(EXTRAS):
        if game["extra_city"][i] == city:
            owner = owner_of(game["extra_piece"][i])
            count = offices_in_city(game, tables, city, owner)
            if count > best:
                best, controller = count, owner
    return controller


@inner
def exchange_offices(game, tables, city, pair):
    """Two neighbouring offices of a city change places, the pair-th and the one right of it (R6.3)."""
    left, offices = tables["first_office"][city] + pair, game["offices"]
    offices[left], offices[left + 1] = offices[left + 1], offices[left]


@inner
def update_control(game, tables, city):
    """Work out again who controls a city, after its offices have changed (R5.2)."""
    if game["controller"][city] >= 0:
        game["controlled"][game["controller"][city]] -= 1
    controller = controller_of(game, tables, city)
    game["controller"][city] = controller
    if controller >= 0:
        game["controlled"][controller] += 1


@inner
def settle_in(game, tables, city, owner):
    """Update control of the city (R5.2) and the owner's largest network (R7.7) after a new office."""
    game["presence"][owner] |= bit(city)
    update_control(game, tables, city)
    if owner != tables["neutral"]:
        game["network"][owner] = largest_network(game, tables, owner)


@inner
def found_office(game, tables, city, owner, kind):
    """R5.5, R5.6: a piece goes to the leftmost empty printed space; filling the last one completes the city."""
    space = next_space(game, tables, city)
    game["offices"][space] = 1 + 2 * owner + kind
    game["filled"][city] += 1
    if next_space(game, tables, city) < 0:
        game["completed"] += 1
    settle_in(game, tables, city, owner)
    return space


@inner
def found_placed_office(game, tables, city, owner, kind):
    """R9.8: a piece goes to the right of all others in a green city."""
    complete_green_city(game, tables, city)
    game["offices"][tables["first_office"][city] + game["filled"][city]] = 1 + 2 * owner + kind
    game["filled"][city] += 1
    settle_in(game, tables, city, owner)


@inner
def complete_green_city(game, tables, city):
    """R9.9: the first office of either kind completes a green city. Called before it is founded."""
    if tables["green_cities"] & bit(city) and game["controller"][city] < 0:
        game["completed"] += 1


@inner
def found_extra_office(game, tables, city, owner, kind):
    """A piece becomes an extra office, left of all others in its city; the list stays sorted by city (R6.2)."""
    complete_green_city(game, tables, city)
    insert_sorted(game["extra_city"], game["extra_piece"], city, 1 + 2 * owner + kind)
    settle_in(game, tables, city, owner)


@inner
def group_of(tables, cities, city):
    """The cities of a set that hang together with one of its members."""
    group, border = bit(city), bit(city)
    while border:
        city = lowest(border)
        border &= border - 1
        new = tables["neighbours"][city] & cities & ~group
        group |= new
        border |= new
    return group


@inner
def link_place(game, seat):
    """R5.7: as which one the seat would make the link, 0 = the first; -1 = it has made it."""
    place = 0
    while place < OWNERS and game["linked"][place] >= 0:
        if game["linked"][place] == seat:
            return -1
        place += 1
    return place


@inner
def score_link(game, tables, seat):
    """R5.7: prestige for an unbroken chain of own offices between the two cities of the link, once per player."""
    start, end = tables["link_city"][0], tables["link_city"][1]
    cities = game["presence"][seat]
    if not (cities & bit(start) and cities & bit(end)):
        return
    place = link_place(game, seat)
    if place >= 0 and group_of(tables, cities, start) & bit(end):
        game["linked"][place] = seat
        game["prestige"][seat] += tables["link_points"][place]


@inner
def largest_network(game, tables, seat):
    """R7.7: the most offices in one connected group of the player's cities."""
    best = 0
    cities = game["presence"][seat]
    while cities:
        group = group_of(tables, cities, lowest(cities))
        cities &= ~group
        count = 0
        while group:
            count += offices_in_city(game, tables, lowest(group), seat)
            group &= group - 1
        best = max(best, count)
    return best


@inner
def incomplete_cities(game, tables):
    """Cities with an empty printed space."""
    cities = 0
    for city in range(CITIES):
        if city < tables["num_cities"] and next_space(game, tables, city) >= 0:
            cities |= bit(city)
    return cities
