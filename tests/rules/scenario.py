"""Short scenarios: positions at `act` that keep R1.1's piece conservation honest, and words to read them with."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from pathlib import Path

import hansa_env
from hansa_env import Game, Ruleset
from tests.helpers import between_actions, game_from

TWO_PAWN = Ruleset(2, "first")
TWO_NEUTRAL = Ruleset(2, "fourth")
THREE = Ruleset(3)
FOUR = Ruleset(4)
#: Five players on the small board: the only way to crowd every one of its posts with room to spare.
CROWDED = Ruleset(5, board="base-2-3")

TAVERNS = {"bremen/osnabruck": "exchange", "luneburg/perleberg": "remove-three", "hildesheim/goslar": "extra-office"}
#: R1.2: the pieces that cover each track of a desk.
COVERS = {"keys": 4, "actions": 5, "privilege": 3, "book": 3, "bank": 3}
FULL = dict(COVERS)
ACTIONS = (2, 3, 3, 4, 4, 5)
MARKERS_IN = {"first": 16, "second": 15, "fourth": 16}


def rule(*ids: str):
    """Mark a test with the rule ids that it covers; `test_every_rule_has_a_scenario` reads them from the source."""

    def mark(function):
        function.rules = ids
        return function

    return mark


def board_json(name: str = "base-2-3") -> dict:
    """The printed board."""
    return json.loads((Path(hansa_env.__file__).parent / "boards" / f"{name}.json").read_text(encoding="utf-8"))


POSTS = {route["id"]: route["posts"] for route in board_json()["routes"]}


def _seats(given: dict | None, players: int, empty) -> list:
    return [(given or {}).get(seat, empty) for seat in range(players)]


def _row(pieces: str, length: int, where: str) -> list[str | None]:
    row = pieces.split()
    assert len(row) <= length, f"{where} holds {length} pieces, not {pieces!r}"
    return [*row, *[None] * (length - len(row))]


def position(
    ruleset: Ruleset,
    *,
    turn: int = 0,
    actions: int | None = None,
    posts: dict[str, str] | None = None,
    offices: dict[str, str] | None = None,
    extras: dict[str, str] | None = None,
    abilities: dict[int, dict[str, int]] | None = None,
    supply: dict[int, tuple[int, int]] | None = None,
    prestige: dict[int, int] | None = None,
    markers: dict[int, list[str]] | None = None,
    used: dict[int, list[str]] | None = None,
    route_markers: dict[str, str] | None = None,
    plate: dict[int, int] | None = None,
    pile: int | None = None,
    spaces: dict[int, int] | None = None,
    linked: tuple[int, ...] = (),
    pawn: str = "P01",
) -> dict:
    """A position at `act`, as the start of the game with these changes.

    Pieces on the board are taken from the stock, then from the supply; developed ones lie in the supply. A `supply`
    given is exact, the rest is in the stock. Every extra office comes with a used marker of its owner.
    """
    data, players = board_json(ruleset.board), ruleset.players
    unknown = {*(posts or {})} - {r["id"] for r in data["routes"]} | {*(offices or {})} - {c["id"] for c in data["cities"]}
    assert not unknown, f"the board has no {unknown}"
    desk = [dict.fromkeys(COVERS, 0) | given for given in _seats(abilities, players, {})]
    laid = {r["id"]: _row((posts or {}).get(r["id"], ""), r["posts"], r["id"]) for r in data["routes"]}
    if ruleset.two_players == "neutral" and posts is None:
        laid = Game(ruleset).position()["posts"]
    rows = {c["id"]: _row((offices or {}).get(c["id"], ""), len(c["offices"]), c["id"]) for c in data["cities"]}
    left = {city: row.split() for city, row in (extras or {}).items()}
    spent = {seat: list(kinds) for seat, kinds in (used or {}).items()}
    for piece in itertools.chain.from_iterable(left.values()):
        spent.setdefault(int(piece[0]), []).append("extra-office")
    faces = TAVERNS if route_markers is None else route_markers
    known = len(faces) + sum(map(len, [*(markers or {}).values(), *spent.values()])) + sum((plate or {}).values())
    total = MARKERS_IN[ruleset.edition]
    on_board = Counter(itertools.chain(*laid.values(), *rows.values(), *left.values()))
    on_board.update(f"{seat}m" for seat in (spaces or {}).values())
    hands = [_hand(seat, desk[seat], on_board, (supply or {}).get(seat)) for seat in range(players)]
    return between_actions({
        "format": "hansa-position/2",
        "players": players,
        "edition": ruleset.edition,
        "board": ruleset.board,
        "two_players": ruleset.two_players,
        "seat": turn,
        "turn": turn,
        "asked": "act",
        "actions_left": ACTIONS[desk[turn]["actions"]] if actions is None else actions,
        "posts": laid,
        "offices": rows,
        "extras": left,
        "route_markers": dict(faces),
        "abilities": desk,
        "supply": [list(hand[0]) for hand in hands],
        "stock": [list(hand[1]) for hand in hands],
        "prestige": _seats(prestige, players, 0),
        "markers": _seats(markers, players, []),
        "used": _seats(spent, players, []),
        "plate": _seats(plate, players, 0),
        "pile": min(total - 3 - sum((plate or {}).values()), total - known) if pile is None else pile,
        "prestige_spaces": {str(value): (spaces or {}).get(value) for value in (7, 8, 9, 11)},
        "completed": sum(None not in row for row in rows.values()),
        "linked": list(linked),
        "pawn": pawn if ruleset.two_players == "pawn" else None,
        "hand": [],
    })  # fmt: skip


def board(ruleset: Ruleset, *, seed: int = 0, **changes) -> Game:
    """The game that goes on from `position(ruleset, **changes)`."""
    return game_from(position(ruleset, **changes), seed)


def _hand(seat: int, desk: dict, on_board: Counter, exact: tuple[int, int] | None) -> tuple[tuple, tuple]:
    """Supply and stock of a seat: all of R1.1's pieces that are neither on the desk, the board nor the prestige track."""
    book = desk["book"]
    developed = sum(desk.values()) - book
    free = (27 - 1 - 15 + developed - on_board[f"{seat}t"], 4 - 3 + book - on_board[f"{seat}m"])
    assert min(free) >= 0, f"seat {seat} has not so many pieces: {free} are left"
    start = (5 + seat + developed, 1 + book)
    supply = tuple(min(pair) for pair in zip(start, free)) if exact is None else exact
    stock = tuple(have - taken for have, taken in zip(free, supply))
    assert min(stock) >= 0, f"seat {seat} has only {free} for its supply"
    return supply, stock


def play(game: Game, *decisions: str) -> Game:
    """Play these decisions one after the other."""
    for decision in decisions:
        game.play(decision)
    return game


def after(game: Game, verb: str) -> list[str]:
    """What may follow these words, sorted: `after(game, "put trader")` lists routes."""
    return sorted(text[len(verb) + 1 :] for text in game.legal() if text.startswith(verb + " "))


def verbs(game: Game) -> set[str]:
    """The first words of all legal decisions."""
    return {text.split()[0] for text in game.legal()}


def see(game: Game, field: str, *keys):
    """A field of the position, and what lies under these keys in it."""
    value = game.position()[field]
    for key in keys:
        value = value[key]
    return value


def crowd(posts: dict[str, str], pool: list[str], leave: dict[str, int] | None = None) -> dict[str, str]:
    """These posts, and all others of the small board filled from the pool, but for `leave` free ones a route."""
    pool = list(pool)
    full = dict(posts)
    for route, size in POSTS.items():
        if route not in full:
            take = size - (leave or {}).get(route, 0)
            assert take <= len(pool), "the pool is too small for the board"
            full[route] = " ".join(pool[:take])
            del pool[:take]
    return full


def all_in_offices() -> dict[str, str]:
    """Offices of the small board that take every trader of three seats with bare desks; three cities are full."""
    rows, seat = {}, 0
    for city in board_json()["cities"]:
        spaces = len(city["offices"]) - (city["id"] not in ("arnheim", "minden", "stendal"))
        rows[city["id"]] = " ".join(f"{(seat + i) % 3}t" for i in range(spaces))
        seat += spaces
    return rows


def one_each(*free: str, seats: int = 3, **posts: str) -> dict[str, str]:
    """One trader on every route of the small board, of the seats in turn, but for the free ones."""
    owners = itertools.cycle(range(seats))
    return {route: posts.get(route) or f"{next(owners)}t" for route in POSTS if route not in free}
