"""The printed board: cities, routes, lanes, distances between routes, provinces."""

import json
from functools import cache
from pathlib import Path

BOARDS = Path(__file__).resolve().parents[2] / "hansa_env" / "boards"
SHIP = ":ship"


class Board:
    """One board of R1.4. Nothing here changes during a game."""

    def __init__(self, data):
        self.id = data["id"]
        self.is_base = self.id.startswith("base-")
        self.cities = {city["id"]: city for city in data["cities"]}
        self.routes = {route["id"]: tuple(route["cities"]) for route in data["routes"]}
        self.size = self._posts_of_lanes(data["routes"])
        self.lanes = {lane: lane.removesuffix(SHIP) for lane in self.size}  # lane: its route
        self.permanent = {route["id"]: route["permanent_marker"] for route in data["routes"] if route.get("permanent_marker")}
        self.country = {route["id"]: route.get("country") for route in data["routes"]}
        self.countries = set(self.country.values())
        self.posts_in = {
            lane: (self.country[route], "ships" if lane.endswith(SHIP) else "houses") for lane, route in self.lanes.items()
        }
        self.regions = data.get("regions", {})  # R10.3: the countries but England
        self.home = "england" if self.regions else None
        self.green_cities = [city["id"] for city in data["cities"] if city.get("green")]
        self.fewest_players, self.most_players = data.get("players", (2, 5))
        self.taverns = [route["id"] for route in data["routes"] if route["tavern"]]
        self.cities_to_end = data["completed_cities_to_end"]
        self.link_cities = data["link"]["cities"]
        self.link_points = data["link"]["points"]
        self.prestige_cities = set(data["prestige"]["route"])
        self.prestige_spaces = {space["points"]: space["privilege"] for space in data["prestige"]["spaces"]}
        self.neighbours = self._linked_cities()
        self.rings = {route: self._rings_around(route) for route in self.routes}
        self.sides = data.get("provinces", {}).get("route_sides", {})
        self.provinces = [p["id"] for p in data.get("provinces", {}).get("provinces", [])]
        self.province_neighbours = self._province_neighbours(data.get("provinces"))

    def lanes_of(self, route):
        """R9.4: the house posts of a route, and its ship posts if it is a maritime one."""
        return [lane for lane in (route, route + SHIP) if lane in self.size]

    def takes_marker(self, route):
        """R9.13, R10.13: never one with a permanent marker, never one of Wales or Scotland."""
        return route not in self.permanent and not self.is_abroad(route)

    def is_abroad(self, route):
        """R10.3: a route of Wales or Scotland."""
        return self.country[route] in self.regions

    def is_open_to(self, route, country):
        """R10.10, R10.11: what comes from a country may go to its routes and to those of England."""
        return self.country[route] in (country, self.home)

    def abilities(self, route):
        """The abilities shown by the two cities of a route (R5.8)."""
        shown = []
        for city in self.routes[route]:
            shown += [a for a in self.cities[city]["ability"] or [] if a != "prestige"]
        return shown

    def touches_special_city(self, route):
        """The route touches an ability city or Coellen (R8.2.1, R8.2.3, D12)."""
        return any(self.cities[city]["ability"] for city in self.routes[route])

    def is_prestige_route(self, route):
        """Coellen-Warburg (R5.9)."""
        return set(self.routes[route]) == self.prestige_cities

    def _posts_of_lanes(self, routes):
        """R9.4: posts of each lane; the ship posts of route R are the lane R:ship."""
        size = {}
        for route in routes:
            ships = route.get("post_types", []).count("merchant")
            size[route["id"]] = route["posts"] - ships
            if ships:
                size[route["id"] + SHIP] = ships
        return size

    def _linked_cities(self):
        neighbours = {city: set() for city in self.cities}
        for one, other in self.routes.values():
            neighbours[one].add(other)
            neighbours[other].add(one)
        return neighbours

    def _rings_around(self, start):
        """R4.3: the other routes in rings: those sharing a city with it, then the next, ...

        R10.11: only routes of the same country or of England, and the search runs over these.
        """
        rings = []
        seen = {start}
        cities = set(self.routes[start])
        while True:
            ring = [
                route
                for route, ends in self.routes.items()
                if route not in seen
                and self.is_open_to(route, self.country[start])
                and (ends[0] in cities or ends[1] in cities)
            ]
            if not ring:
                return rings
            rings.append(ring)
            seen.update(ring)
            for route in ring:
                cities.update(self.routes[route])

    def _province_neighbours(self, provinces):
        """R8.1.1: neighbours are separated by a route or by a border guard."""
        neighbours = {province: set() for province in self.provinces}
        if provinces:
            borders = list(self.sides.values())
            borders += [guard["provinces"] for guard in provinces["guards"]]
            for one, other in borders:
                neighbours[one].add(other)
                neighbours[other].add(one)
        return neighbours


@cache
def load_board(name):
    return Board(read_board(name))


def read_board(name):
    """The data of a board: one of the project's, or one that only the oracle plays yet."""
    for folder in (BOARDS, Path(__file__).parent / "boards"):
        if (folder / (name + ".json")).is_file():
            return json.loads((folder / (name + ".json")).read_text(encoding="utf-8"))
    raise ValueError("unknown board: " + str(name))
