"""Positions for the scenarios, from the few things that a scenario names; R1.1 holds in each."""

import re
from collections import Counter

from tests.helpers import between_actions
from tests.oracle.board import read_board

COVERS = {"keys": "tttt", "actions": "ttttt", "privilege": "ttt", "book": "mmm", "bank": "ttt"}
ALL_DEVELOPED = {ability: len(cover) for ability, cover in COVERS.items()}
ACTIONS = (2, 3, 3, 4, 4, 5)
MARKERS = {
    "first": {"extra-office": 5, "exchange": 2, "remove-three": 2, "upgrade": 3, "+3": 2, "+4": 2},
    "second": {"extra-office": 4, "exchange": 2, "remove-three": 2, "upgrade": 3, "+3": 2, "+4": 2},
    "fourth": {"extra-office": 4, "exchange": 3, "remove-three": 2, "upgrade": 3, "+3": 2, "+4": 2},
    "bigbox": {"extra-office": 4, "exchange": 3, "move-three": 2, "upgrade": 2, "+3": 2, "+4": 2},
}


def lanes(board):
    """The posts of every lane of a board, given by its name."""
    posts = {}
    for route in read_board(board)["routes"]:
        ships = route["post_types"].count("merchant")
        posts[route["id"]] = route["posts"] - ships
        if ships:
            posts[route["id"] + ":ship"] = ships
    return posts


def routes(board, **fields):
    """The ids of the routes whose board data has these fields."""
    return [route["id"] for route in read_board(board)["routes"] if all(route[key] == value for key, value in fields.items())]


def count(text):
    """`2t1m` as traders and merchants."""
    amounts = {kind: int(number) for number, kind in re.findall(r"(\d+)([tm])", text)}
    return [amounts.get("t", 0), amounts.get("m", 0)]


def position(board, players=3, edition="fourth", two_players=None, turn=0, **given):
    """A position at `act` and its hidden markers.

    posts: lane to pieces ("0t 1m"); offices, extras: city to pieces; supply, stock: seat to "2t1m"; abilities, markers,
    used, prestige: by seat; parked: lanes that take the pieces a seat has left when its stock is given; hidden: markers
    drawn first; module: further fields of the position. What is not named is as at the start, and a seat's other
    pieces are in its stock.
    """
    data = read_board(board)
    printed = {city["id"]: len(city["offices"]) for city in data["cities"]}
    green = [city["id"] for city in data["cities"] if city.get("green")]
    posts = {lane: pieces.split() for lane, pieces in given.get("posts", {}).items()}
    offices = {city: pieces.split() for city, pieces in given.get("offices", {}).items()}
    extras = {city: pieces.split() for city, pieces in given.get("extras", {}).items()}
    abilities = [dict.fromkeys(COVERS, 0) | given.get("abilities", {}).get(seat, {}) for seat in range(players)]
    prestige_spaces = {str(space["points"]): None for space in data["prestige"]["spaces"]}
    prestige_spaces.update(given.get("prestige_spaces", {}))
    on_board = Counter(piece for pieces in [*posts.values(), *offices.values(), *extras.values()] for piece in pieces)
    on_board.update(str(seat) + "m" for seat in prestige_spaces.values() if seat is not None)
    on_board.update(given.get("on_tokens", []))
    supply, stock = [], []
    parked = [(lane, size) for lane, size in lanes(board).items() if lane in given.get("parked", [])]
    for seat in range(players):
        left = pieces_off_desk(abilities[seat])
        for index, kind in enumerate("tm"):
            left[index] -= on_board[str(seat) + kind]
        assert min(left) >= 0, f"seat {seat} has too few pieces: {left}"
        if seat in given.get("supply", {}):
            supply.append(count(given["supply"][seat]))
        else:
            supply.append([min(left[0], 5 + seat), min(left[1], 1)])
        left = [amount - taken for amount, taken in zip(left, supply[seat])]
        stock.append(count(given["stock"][seat]) if seat in given.get("stock", {}) else left)
        left = [amount - taken for amount, taken in zip(left, stock[seat])]
        assert min(left) >= 0, f"seat {seat} has too few pieces: {left}"
        park(posts, parked, [f"{seat}t"] * left[0] + [f"{seat}m"] * left[1])
    markers = [list(given.get("markers", {}).get(seat, [])) for seat in range(players)]
    founded = Counter(piece[0] for pieces in extras.values() for piece in pieces)  # each by a marker of its owner (R6.2)
    used = [given.get("used", {}).get(seat, []) + ["extra-office"] * founded[str(seat)] for seat in range(players)]
    plate = [given.get("plate", {}).get(seat, 0) for seat in range(players)]
    route_markers = given.get("route_markers", {})
    named = [*route_markers.values(), *(kind for kinds in markers + used for kind in kinds), *given.get("on_routes", [])]
    drawn_first = list(given.get("hidden", []))
    rest = Counter(given.get("all_markers", MARKERS[edition])) - Counter(named) - Counter(drawn_first)
    hidden = (drawn_first + sorted(rest.elements()))[: rest_of_the_pile(edition, given)]
    all_posts = {
        lane: sorted(posts.get(lane, [])) + [None] * (size - len(posts.get(lane, []))) for lane, size in lanes(board).items()
    }
    rows = {city: offices.get(city, []) + [None] * (size - len(offices.get(city, []))) for city, size in printed.items()}
    full = [city for city in rows if city not in green and None not in rows[city]]
    ships = {lane.removesuffix(":ship"): pieces for lane, pieces in all_posts.items() if lane.endswith(":ship")}
    result = {
        "format": "hansa-position/2",
        "players": players,
        "edition": edition,
        "board": board,
        "two_players": two_players,
        "seat": turn,
        "turn": turn,
        "asked": "act",
        "actions_left": given.get("actions_left", ACTIONS[abilities[turn]["actions"]]),
        "posts": {lane: pieces for lane, pieces in all_posts.items() if not lane.endswith(":ship")},
        "offices": rows,
        "extras": extras,
        "route_markers": route_markers,
        "abilities": abilities,
        "supply": supply,
        "stock": stock,
        "prestige": [given.get("prestige", {}).get(seat, 0) for seat in range(players)],
        "markers": markers,
        "used": used,
        "plate": plate,
        "pile": len(hidden) - sum(plate),
        "prestige_spaces": prestige_spaces,
        "completed": len(full) + sum(bool(rows[city] or extras.get(city)) for city in green),
        "linked": given.get("linked", []),
        "pawn": None,
        "hand": [],
    }
    if ships:
        result["ships"] = ships
    result.update(given.get("module", {}))
    return between_actions(result), hidden


def rest_of_the_pile(edition, given):
    """How many markers may be hidden: all but the three start markers, which are laid out face up (R1.5)."""
    return sum(given.get("all_markers", MARKERS[edition]).values()) - 3


def pieces_off_desk(abilities):
    """Traders and merchants of a seat that are neither on its desk nor on the prestige track."""
    covered = "".join(cover[abilities[ability] :] for ability, cover in COVERS.items())
    return [27 - 1 - covered.count("t"), 4 - covered.count("m")]


def park(posts, parked, pieces):
    for lane, size in parked:
        kept = [p for p in pieces if p[1] == "t" and lane.endswith(":ship")]
        fit = [piece for piece in pieces if piece not in kept]
        room = size - len(posts.get(lane, []))
        if room > 0 and fit:
            posts.setdefault(lane, []).extend(fit[:room])
            pieces = fit[room:] + kept
    assert not pieces, f"no room to park {pieces}"


def play(game, *texts):
    for text in texts:
        assert text in game.legal(), f"{text!r} is not among {game.legal()}"
        game.play(text)


def starting_with(game, start):
    """The legal decisions that begin with a word or words, sorted."""
    return sorted(text for text in game.legal() if (text + " ").startswith(start + " "))
