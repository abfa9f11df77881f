"""Offices in cities: founding, control, completed cities, the link and networks."""

from __future__ import annotations

from hansa_env.engine.bits import bit, first_below, lowest
from hansa_env.engine.compile import inner
from hansa_env.engine.record import CITIES, EXTRAS, OWNERS


@inner
def owner_of(office):
    """Owner of an office piece as stored (0 = empty space: -1)."""
    return (office + 1) // 2 - 1


@inner
def next_space(g, t, city):
    """R5.5: the leftmost empty printed space of a city, -1 when it is full."""
    space = t["first_office"][city] + g["filled"][city]
    if space < t["first_office"][city + 1]:
        return space
    return -1


@inner
def has_office(g, city):
    """Whether anyone has an office there."""
    if g["filled"][city] > 0:
        return True
    for i in range(EXTRAS):
        if g["extra_city"][i] == city:
            return True
    return False


@inner
def offices_in_city(g, t, city, owner):
    """Offices of one owner in one city, extra ones included."""
    count = 0
    first = t["first_office"][city]
    for space in range(first, first + g["filled"][city]):
        count += owner_of(g["offices"][space]) == owner
    for i in range(EXTRAS):
        count += g["extra_city"][i] == city and owner_of(g["extra_piece"][i]) == owner
    return count


@inner
def update_control(g, t, city):
    """R5.2: most offices; tied, the rightmost office of the tied. Walks the offices from right to left."""
    first = t["first_office"][city]
    best, controller = 0, -1
    for space in range(first + g["filled"][city] - 1, first - 1, -1):
        owner = owner_of(g["offices"][space])
        count = offices_in_city(g, t, city, owner)
        if count > best:
            best, controller = count, owner
    for i in range(EXTRAS):
        if g["extra_city"][i] == city:
            owner = owner_of(g["extra_piece"][i])
            count = offices_in_city(g, t, city, owner)
            if count > best:
                best, controller = count, owner
    g["controller"][city] = controller


@inner
def found_office(g, t, city, owner, kind):
    """R5.5, R5.6: a piece goes to the leftmost empty printed space; filling the last one completes the city."""
    space = next_space(g, t, city)
    g["offices"][space] = 1 + 2 * owner + kind
    g["filled"][city] += 1
    g["presence"][owner] |= bit(city)
    if g["filled"][city] == t["first_office"][city + 1] - t["first_office"][city]:
        g["completed"] += 1
    update_control(g, t, city)
    return space


@inner
def found_extra_office(g, t, city, owner, kind):
    """R6.2: a piece becomes an office left of all others."""
    for i in range(EXTRAS):
        if g["extra_city"][i] < 0:
            g["extra_city"][i] = city
            g["extra_piece"][i] = 1 + 2 * owner + kind
            break
    g["presence"][owner] |= bit(city)
    update_control(g, t, city)


@inner
def group_of(t, cities, city):
    """The cities of a set that hang together with one of its members."""
    group, border = bit(city), bit(city)
    while border:
        city = lowest(border)
        border &= border - 1
        new = t["neighbours"][city] & cities & ~group
        group |= new
        border |= new
    return group


@inner
def score_link(g, t, seat):
    """R5.7: prestige for an unbroken chain of own offices between the two cities of the link, once per player."""
    start, end = t["link_city"][0], t["link_city"][1]
    cities = g["presence"][seat]
    if not (cities & bit(start) and cities & bit(end)):
        return
    place = 0
    while place < OWNERS and g["linked"][place] >= 0:
        if g["linked"][place] == seat:
            return
        place += 1
    if group_of(t, cities, start) & bit(end):
        g["linked"][place] = seat
        g["prestige"][seat] += t["link_points"][place]


@inner
def largest_network(g, t, seat):
    """R7.7: the most offices in one connected group of the player's cities."""
    best = 0
    cities = g["presence"][seat]
    while cities:
        group = group_of(t, cities, lowest(cities))
        cities &= ~group
        count = 0
        while group:
            count += offices_in_city(g, t, lowest(group), seat)
            group &= group - 1
        best = max(best, count)
    return best


@inner
def incomplete_cities(g, t):
    """Cities with an empty printed space."""
    cities = 0
    for city in range(CITIES):
        if city < t["num_cities"] and next_space(g, t, city) >= 0:
            cities |= bit(city)
    return cities & first_below(t["num_cities"])
