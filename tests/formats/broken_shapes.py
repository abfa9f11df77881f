"""What may be wrong with the shape of a position, on each board and with each module, and what is said of it."""

from __future__ import annotations

from collections.abc import Callable

from tests.formats.broken import ROUTE

#: What the schema and the board refuse, before any rule: change of a position of four at `act` and the whole message.
SHAPES: list[tuple[Callable[[dict], object], str]] = [
    (lambda p: p["supply"].__setitem__(1, [-5, 1]), "supply of seat 1: -5 traders; expected 0 to 27"),
    (lambda p: p["stock"].__setitem__(3, [0, 5]), "stock of seat 3: 5 merchants; expected 0 to 4"),
    (lambda p: p["stock"].__setitem__(3, [0]), "stock of seat 3: too short; expected a list of 2"),
    (lambda p: p["supply"].__setitem__(0, ["3", 1]), 'supply of seat 0: "3"; expected a whole number from 0 to 27'),
    (lambda p: p.update(actions_left=2.7), "actions_left: 2.7; expected a whole number from 0 to 20"),
    (lambda p: p.update(actions_left=2.0), "actions_left: 2.0; expected a whole number from 0 to 20"),
    (lambda p: p.update(turn=True), "turn: true; expected a whole number from 0 to 4"),
    (lambda p: p.update(turn=4), "turn: 4; expected 0 to 3"),
    (lambda p: p.update(linked=[77]), "linked: 77; expected 0 to 4"),
    (lambda p: p["plate"].__setitem__(2, -1), "plate of seat 2: -1; expected 0 to 3"),
    (lambda p: p.update(pile=-100), "pile: -100; expected 0 to 16"),
    (lambda p: p["prestige"].__setitem__(1, 50), "prestige of seat 1: 50; expected 0 to 30"),
    (lambda p: p["prestige_spaces"].update({"7": 127}), "prestige_spaces 7: 127; expected 0 to 4 or null"),
    (lambda p: p["prestige_spaces"].update({"7": 4}), "prestige_spaces 7: 4; expected 0 to 3"),
    (lambda p: p["prestige_spaces"].update({"10": None}), "prestige_spaces: 10 unknown; expected a space of the board"),
    (lambda p: p["abilities"][0].update(keys=7), "abilities of seat 0 keys: 7; expected 0 to 4"),
    (lambda p: p["abilities"][0].pop("keys"), "abilities of seat 0 field keys is missing"),
    (lambda p: p["abilities"].pop(), "abilities: 3 seats; expected 4"),
    (lambda p: p.pop("supply"), "field supply is missing"),
    (lambda p: p.update(colour="red"), "field colour is unknown; remove it"),
    (lambda p: p["posts"].update({ROUTE: ["9t", None, None]}),
     "posts stade/hamburg: \"9t\"; expected one of 0t, 0m, 1t, 1m, ..., nt or null"),
    (lambda p: p["posts"].update({ROUTE: ["4t", None, None]}),
     "posts stade/hamburg: 4t; expected a piece of this game's owners, 0, 1, 2, 3"),
    (lambda p: p["posts"].update({ROUTE: ["0t"] * 5}), "posts stade/hamburg: 5 pieces on 3 posts"),
    (lambda p: p["posts"].update({ROUTE: [None]}), "posts stade/hamburg: 1 entries on 3 posts"),
    (lambda p: p["posts"].pop(ROUTE), "posts: stade/hamburg missing; expected every route of the board"),
    (lambda p: p["posts"].update({"ulm/rom": []}), "posts: ulm/rom unknown; expected a route of the board"),
    (lambda p: p["extras"].update(ulm=["0t"]), "extras: ulm unknown; expected a city of the board"),
    (lambda p: p["route_markers"].update(ulm="+3"), "route_markers: ulm unknown; expected a route of the board"),
    (lambda p: p.update(ships={}), "field ships is unknown on a board without ship posts; remove it"),
    (lambda p: p.update(discarded=[]), "field discarded is unknown in a game without neutral traders (R8.2); remove it"),
    (lambda p: p.update(turns=50_000_001), "turns: 50000001; expected 0 to 50000000"),
    (lambda p: p.update(missions=None), "field missions is unknown in a game without its module; remove it"),
    (lambda p: p.update(hand=["0t"]), "hand: 0t at act; expected t or m each"),
    (lambda p: p.update(hand=["nt"]), 'hand: "nt"; expected one of t, m, 0t, 0m, ..., 4m'),
    (lambda p: p.update(pawn="P01"), "pawn: P01 unknown; expected a province of the board"),
    (lambda p: p.update(board="moon"),
     "unknown board 'moon'; expected one of base-2-3, base-4-5, britannia-2-3, britannia-4-5, east, miniature-2, "
     "miniature-2-pile, miniature-2-small, miniature-3"),
    (lambda p: p.update(format="hansa-position/3"),
     'format: "hansa-position/3"; expected hansa-position/2'),
    (lambda p: p.update(format="hansa-position/1"), 'format: "hansa-position/1"; expected hansa-position/2'),
    (lambda p: p.update(format={}), "format: an object of 0 fields; expected hansa-position/2"),
]  # fmt: skip

#: The same on the board East, with three players.
SHAPES_OF_EAST: list[tuple[Callable[[dict], object], str]] = [
    (lambda p: p.pop("ships"), "field ships is missing; expected the ship posts of every maritime route"),
    (lambda p: p.update(ships=None), "field ships is missing; expected the ship posts of every maritime route"),
    (lambda p: p["ships"].pop("malmo/danzig"), "ships: malmo/danzig missing; expected every maritime route of the board"),
    (lambda p: p["ships"].update({"lubeck/wismar": []}),
     "ships: lubeck/wismar unknown; expected a maritime route of the board"),
    (lambda p: p["ships"].update({"malmo/danzig": ["0m"] * 2}), "ships malmo/danzig: 2 pieces on 1 ship posts"),
    (lambda p: p["ships"].update({"malmo/danzig": ["3m"]}),
     "ships malmo/danzig: 3m; expected a piece of this game's owners, 0, 1, 2"),
    (lambda p: p["posts"].update({"malmo/danzig": ["0m"] * 4}), "posts malmo/danzig: 4 pieces on 3 posts"),
    (lambda p: p["posts"].update({"malmo/danzig:ship": [None]}),
     "posts: malmo/danzig:ship unknown; expected a route of the board"),
    (lambda p: p["offices"].update(dresden=[None]),
     "offices dresden: null in a green city; expected the offices placed there only (R9.8)"),
    (lambda p: p["offices"].update(dresden=["0t"] * 13), "offices dresden: a list of 13; expected a list of 0 to 12"),
    (lambda p: p["offices"].pop("dresden"), "offices: dresden missing; expected every city of the board"),
    (lambda p: p.update(hand=["0t"]), "hand: 0t at act; expected t or m each"),
]  # fmt: skip

#: The same with missions and favours, three players; seat 2 decides.
SHAPES_OF_FAVOURS: list[tuple[Callable[[dict], object], str]] = [
    (lambda p: p["missions"].__setitem__(1, ["dortmund", "stendal", "munster"]),
     "missions of seat 1: a card; expected null, for only who decides sees his own (R11.1)"),
    (lambda p: p["missions"].__setitem__(2, None), "missions of seat 2: null; expected its card (R11.1)"),
    (lambda p: p["missions"].append(None), "missions: 4 seats; expected 3"),
    (lambda p: p["missions"][2].reverse(),
     "missions: \"luneburg minden dortmund\" unknown; expected a card of R11.3, its cities as printed"),
    (lambda p: p["missions"][2].pop(), "missions: a list of 2; expected a list of 3 or null"),
    (lambda p: p["favours"]["display"].append("tithe"),
     "favours: escort, cities, tithe, tithe; expected 3 different tiles (R12.1)"),
    (lambda p: p["favours"]["owned"].pop(), "favours owned: 2 seats; expected 3"),
    (lambda p: p["favours"].update(display=["luck"]),
     'favours display: "luck"; expected one of anywhere, action, tithe, escort, cities, abilities'),
]  # fmt: skip

#: The same on the large side of Britannia.
SHAPES_OF_BRITANNIA: list[tuple[Callable[[dict], object], str]] = [
    (lambda p: p.update(permissions=["york"]), "permissions: york unknown; expected a city with a permission of the board"),
    (lambda p: p.update(permissions=["london", "cardiff"]), "permissions: london, cardiff; expected different cities, sorted"),
    (lambda p: p.update(foreign={"wales": [0, 0]}), "field foreign is unknown at act; remove it"),
    (lambda p: p.update({"from": ["wales"]}), "field from is unknown at act; remove it"),
    (lambda p: p.update(asked="put", hand=["t"], foreign={"wales": [1, 0]}),
     "foreign: scotland missing; expected every region of the board"),
    (lambda p: p.update(asked="put", hand=["t"]), "field foreign is missing at put; expected it on a board with regions"),
    (lambda p: p.update({"asked": "drop", "hand": ["0t"], "from": ["france"]}),
     "from: france unknown; expected a country of the board"),
    (lambda p: p.update({"asked": "drop", "hand": ["0t"], "from": []}),
     "from: 0 countries; expected 1, one for each piece in hand"),
]  # fmt: skip
