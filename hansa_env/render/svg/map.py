"""The panel of the map: routes, cities, markers, the special prestige table, provinces."""

from __future__ import annotations

from hansa_env.boards import SHIP
from hansa_env.render.scene_parts import City, Route, Scene
from hansa_env.render.svg import places
from hansa_env.render.svg.places import (
    EXTRA,
    GAP,
    HEIGHT,
    LEGEND_ROW,
    OFFICE,
    PAD,
    PLATE,
    SPACE,
    WIDTH,
    Box,
    Places,
    curve,
    places_of,
)
from hansa_env.render.svg.shapes import (
    Panel,
    circle,
    dots,
    flag,
    icon,
    n,
    office,
    path,
    piece,
    plaque,
    rect,
    ship,
    text,
    thing,
    token,
)
from hansa_env.render.words import (
    country_in_words,
    number_of_province,
    permanent_marker_in_words,
    province_in_words,
    token_in_words,
)

PIECE = 21.0
#: Height of the strip below a city that counts for a region.
BANNER = 6.0
_SHIP = "ship: for a merchant"


def map_panel(scene: Scene) -> Panel:
    """The map."""
    at = places_of(scene.board, scene.two_players == "pawn")
    names = {city.id: city.name for city in scene.cities}
    lines = {route.id: _line(route, at) for route in scene.routes}
    ways = {route.id: _way(route) for route in scene.routes}
    panel = Panel("map", WIDTH, HEIGHT)
    panel.parts["ground"] = (
        rect(0.5, 0.5, WIDTH - 1, HEIGHT - 1, "land", 10)
        + "".join(path(line, f"casing{ways[name]}") for name, line in lines.items())
        + "".join(path(line, f"road{ways[name]}") for name, line in lines.items())
    )
    panel.parts["glow"] = "".join(
        path(lines[name.partition(" ")[2]], "glow") for name in _last_things(scene) if name.startswith("route ")
    )
    panel.parts["guards"] = "".join(_guard(cities, xy, at, names) for cities, xy in at.guards.items())
    for route in scene.routes:
        panel.parts[f"route {route.id}"] = _route(scene, route, lines[route.id], at, names)
    framed = [name for name in _last_things(scene) if name.startswith("city ")]
    panel.parts["frames"] = "".join(_ring(scene, name, at) for name in framed)  # below the names of cities
    for city in scene.cities:
        panel.parts[f"city {city.id}"] = _city(scene, city, at)
    panel.parts["table"] = _table(scene, at, names)
    if at.legend is not None:
        panel.parts["legend"] = _legend(scene, at.legend)
    for province in scene.provinces:
        x, y = at.provinces[province.id]
        number = text(x, y + 5, number_of_province(province.id), 14, "mid name")
        drawn = circle(x, y, 12, "province") + (_pawn(x, y) if province.pawn else number)
        told = province_in_words(province.id, province.name)
        panel.parts[f"province {province.id}"] = thing(f"province {province.id}", drawn, told)
    panel.parts["last"] = "".join(_ring(scene, name, at) for name in _last_things(scene) if name not in framed)
    return panel


def _last_things(scene: Scene) -> tuple[str, ...]:
    return scene.last[-1].things if scene.last else ()


def _way(route: Route) -> str:
    """The classes of a route: over sea, and abroad."""
    return (" sea" if any(route.ships) else "") + (f" abroad{route.country}" if route.country else "")


def _line(route: Route, at: Places) -> str:
    return curve([at.cities[route.cities[0]], *at.posts[route.id], at.cities[route.cities[1]]])


def _route(scene: Scene, route: Route, line: str, at: Places, names: dict[str, str]) -> str:
    title = "–".join(names[city] for city in route.cities)
    if scene.several_countries:
        title += f", in {country_in_words(scene.countries[route.country])}"
    drawn = path(line, f"held s{route.holder}") if route.holder is not None else ""
    if scene.action is not None and (scene.action.route or "").removesuffix(SHIP) == route.id:
        drawn += path(line, "active")
    if route.marker is not None or route.permanent_marker is not None:
        (x, y), (from_x, from_y) = at.markers[route.id], at.middles[route.id]
        drawn += path(f"M{n(from_x)} {n(from_y)}L{n(x)} {n(y)}", "stem")
    for number, (held, at_sea, (x, y)) in enumerate(zip(route.posts, route.ships, at.posts[route.id]), 1):
        post = ship(x, y) if at_sea else ""
        post += circle(x, y, 8.5, "post") if held is None else piece(x, y, held.owner, held.kind, PIECE)
        drawn += thing(f"post {route.id} {number}", circle(x, y, 12, "hit") + post, _SHIP if at_sea else "")
    if route.marker is not None:
        x, y = at.markers[route.id]
        drawn += thing(f"route-marker {route.id}", token(x, y, route.marker, 0.95), f"marker {route.marker}")
    if route.permanent_marker is not None:
        kind, told = route.permanent_marker, permanent_marker_in_words(route.permanent_marker, scene.several_countries)
        used = scene.action is not None and scene.action.permanent_marker == kind
        drawn += thing(f"permanent-marker {route.id}", plaque(*at.markers[route.id], kind, used), told)
    for number, (kind, owner) in enumerate(route.tokens, 1):
        drawn += _token(scene, route, number, kind, owner, at)
    return thing(f"route {route.id}", drawn, title)


def _token(scene: Scene, route: Route, number: int, kind: str, owner: str, at: Places) -> str:
    """R13.8: the marker above a route, with its owner's trader on it."""
    x, y = places.token_places(scene.board, scene.two_players == "pawn")[route.id][number - 1]
    from_x, from_y = at.middles[route.id]
    drawn = path(f"M{n(from_x)} {n(from_y)}L{n(x)} {n(y)}", "stem")
    drawn += token(x - 5, y, kind, 0.7) + piece(x + 11, y, owner, "trader", 13)
    return thing(f"token {route.id} {number}", drawn, token_in_words(kind, owner))


def _spots(city: City, at: Places) -> tuple[float, float, list[float], list[float]]:
    """The plate's left edge and width, then the middles of extra and of printed offices."""
    width = places.plate_width(len(city.offices), len(city.extras))
    x = at.cities[city.id][0]
    left = min(max(x - width / 2, 4), WIDTH - width - 4)
    extras = [left + PAD + EXTRA / 2 + i * (EXTRA + GAP) for i in range(len(city.extras))]
    first = left + PAD + len(city.extras) * (EXTRA + GAP) + OFFICE / 2
    return left, width, extras, [first + i * (OFFICE + GAP) for i in range(len(city.offices))]


def _city(scene: Scene, city: City, at: Places) -> str:
    y = at.cities[city.id][1]
    left, width, extras, offices = _spots(city, at)
    drawn = rect(left, y - PLATE / 2, width, PLATE, "green" if city.green else "plate", 7)
    if city.green and not city.offices and not extras:
        drawn += rect(left + PAD, y - OFFICE / 2, OFFICE, OFFICE, "place", 5)
    if extras:
        drawn += rect(left + 2.5, y - PLATE / 2 + 2.5, extras[-1] - left + EXTRA / 2 + 1, PLATE - 5, "extra", 5)
    if city.controller is not None:
        for classes in ("control-line", f"control s{city.controller}"):
            drawn += rect(left, y - PLATE / 2, width, PLATE, classes, 7)
    wide = (width - 8) / max(len(city.regions), 1)
    for i, country in enumerate(city.regions):
        drawn += rect(left + 4 + i * wide, y + PLATE / 2 - 3, wide, BANNER, f"banner abroad{country}")
    for number, (x, extra) in enumerate(zip(extras, city.extras), 1):
        drawn += thing(f"extra {city.id} {number}", piece(x, y, extra.owner, extra.kind, EXTRA))
    for number, (x, space) in enumerate(zip(offices, city.offices), 1):
        if space.piece is None:
            inside = office(x, y, space.shape, space.privilege, space.prestige, OFFICE)
        else:
            inside = "" if city.green else _under(x, y, space.shape, space.privilege)
            inside += piece(x, y, space.piece.owner, space.piece.kind, OFFICE - 4)
        drawn += thing(f"office {city.id} {number}", inside)
    return thing(f"city {city.id}", drawn + _name(scene, city, at), _told(scene, city))


def _under(x: float, y: float, shape: str, privilege: str) -> str:
    """What is seen of a space below a piece: its shape and colour."""
    if shape == "square":
        return rect(x - OFFICE / 2, y - OFFICE / 2, OFFICE, OFFICE, f"space {privilege}", 2)
    return circle(x, y, OFFICE / 2, f"space {privilege}")


def _name(scene: Scene, city: City, at: Places) -> str:
    x, y = at.names[city.id]
    signs = len(city.abilities) + bool(city.permits)
    words = places.name_width(city.name, 0)
    middle = x - signs * places.ICON / 2
    drawn = text(middle, y + 5, city.name, places.NAME, "name mid")
    if city.mission:
        drawn = rect(middle - words / 2 - 2, y - 9, words + 4, 18, "token", 5)
        drawn += text(middle, y + 5, city.name, places.NAME, "token-ink")
    for i, ability in enumerate(city.abilities):
        where = middle + words / 2 + (i + 0.5) * places.ICON
        drawn += circle(where, y, 9.5, "badge") + icon(where, y, ability, 0.8)
    if city.permits:
        where = middle + words / 2 + (signs - 0.5) * places.ICON
        used = " spent" if city.id in scene.permissions else ""
        drawn += f'<g class="flag{used}">{flag(where, y, city.permits)}</g>'
    return drawn


def _told(scene: Scene, city: City) -> str:
    abilities = f" ({', '.join(city.abilities)})" if city.abilities else ""
    control = "" if city.controller is None else f", controlled by {_whom(city.controller)}"
    green = ", no printed space: offices by the marker of the green cities, and extra offices" if city.green else ""
    regions = f", counts for {_countries(scene, city.regions, 'and')}" if city.regions else ""
    permits = f"; its rightmost office permits to place in {_countries(scene, city.permits, 'or')}" if city.permits else ""
    mission = ", on the mission card" if city.mission else ""
    return f"{city.name}{abilities}{control}{green}{regions}{permits}{mission}"


def _countries(scene: Scene, places: tuple[int, ...], word: str) -> str:
    return f" {word} ".join(country_in_words(scene.countries[country]) for country in places)


def _whom(owner: str) -> str:
    return "the neutral player" if owner == "n" else f"seat {owner}"


def _table(scene: Scene, at: Places, names: dict[str, str]) -> str:
    box = at.table
    top = box.y - box.height / 2
    drawn = rect(box.x - box.width / 2, top, box.width, box.height, "plate", 7)
    drawn += text(box.x, top + 14, f"{names[scene.prestige_city]} table", 11.5, "mid b soft")
    for space, (x, y) in zip(scene.spaces, at.spaces):
        inside = circle(x, y, SPACE / 2, f"space {space.privilege}")
        if space.owner is None:
            ink = "white" if space.privilege == "black" else "black"
            inside += text(x, y + 3.5, space.points, 13, f"mid b {ink}") + dots(x, y + SPACE * 0.32, space.privilege, 20)
        else:
            inside += piece(x, y, space.owner, "merchant", SPACE - 6)
        drawn += thing(f"space {space.points}", inside, f"{space.points} points, {space.privilege}")
    return drawn


def _legend(scene: Scene, box: Box) -> str:
    """The colours of the countries abroad."""
    drawn, left = "", box.x - box.width / 2
    for number, country in enumerate(scene.countries[1:], 1):
        y = box.y - box.height / 2 + (number - 0.5) * LEGEND_ROW
        drawn += rect(left, y - 6, 24, 12, f"banner abroad{number}") + text(left + 30, y + 5, country_in_words(country), 13.5)
    return drawn


def _guard(cities: tuple[str, str], xy: tuple[float, float], at: Places, names: dict[str, str]) -> str:
    """R8.1.1: a guard's border, which divides two provinces as a route does, and its tower."""
    (x, y), (one, other) = xy, cities
    border = path(curve([at.cities[one], xy, at.cities[other]]), "border")
    tower = f"M{n(x - 7)} {n(y + 9)}V{n(y - 8)}h3.5v3.5h1.75v-3.5h3.5v3.5h1.75v-3.5h3.5V{n(y + 9)}Z"
    return border + thing(f"guard {one}/{other}", path(tower, "guard"), f"border guard, {names[one]}–{names[other]}")


def _pawn(x: float, y: float) -> str:
    return path(f"M{n(x - 7)} {n(y + 10)}H{n(x + 7)}L{n(x + 3)} {n(y - 2)}H{n(x - 3)}Z", "pawn") + circle(x, y - 6, 5.5, "pawn")


def _ring(scene: Scene, name: str, at: Places) -> str:
    """Around what the last decision concerned: dark in a light line, so that it is seen on any colour."""
    return "".join(_around(scene, name, at, classes) for classes in ("mark-off", "mark"))


def _around(scene: Scene, name: str, at: Places, classes: str) -> str:
    kind, *rest = name.split(" ")
    if kind == "post":
        return circle(*at.posts[rest[0]][int(rest[1]) - 1], 14.5, classes)
    if kind in ("office", "city"):
        city = next(city for city in scene.cities if city.id == rest[0])
        left, width, _, offices = _spots(city, at)
        y = at.cities[city.id][1]
        if kind == "city":
            return rect(left - 4, y - PLATE / 2 - 4, width + 8, PLATE + 8, classes, 10)
        return circle(offices[int(rest[1]) - 1], y, OFFICE / 2 + 4, classes)
    if kind == "space":
        place = [str(space.points) for space in scene.spaces].index(rest[0])
        return circle(*at.spaces[place], SPACE / 2 + 3, classes)
    if kind == "province":
        return circle(*at.provinces[rest[0]], 16, classes)
    return ""
