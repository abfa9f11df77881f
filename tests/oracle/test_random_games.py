"""The model itself: random games of every expansion come to an end, pieces are conserved, a decision is always offered."""

import random
from collections import Counter

import pytest

from tests.shares import one_in

from .board import load_board, read_board
from .desk import COVER, VALUES
from .favours import TILES
from .game import OracleGame
from .missions import CARDS

GAMES = 6
MARKERS = {
    "first": {"extra-office": 5, "exchange": 2, "remove-three": 2, "upgrade": 3, "+3": 2, "+4": 2},
    "second": {"extra-office": 4, "exchange": 2, "remove-three": 2, "upgrade": 3, "+3": 2, "+4": 2},
    "fourth": {"extra-office": 4, "exchange": 3, "remove-three": 2, "upgrade": 3, "+3": 2, "+4": 2},
    "bigbox": {"extra-office": 4, "exchange": 3, "move-three": 2, "upgrade": 2, "+3": 2, "+4": 2},
}
# How much the random player likes a verb: claims and what they bring let games end by their rules.
LIKES = {"claim": 80, "office": 20, "develop": 10, "extra": 30, "prestige": 30, "exchange": 15, "remove": 10,
         "+3": 5, "+4": 5, "place": 8, "income": 3, "displace": 2, "move": 0.3, "lift": 0.5, "put": 2, "done": 0.7,
         "pawn": 0.5, "ride": 0.3}  # fmt: skip

CONFIGS = [
    {"players": players, "edition": edition, "board": "east"}
    for players, edition in ((3, "first"), (4, "second"), (5, "fourth"))
]
CONFIGS += [
    {"players": 3, "edition": "bigbox", "board": "base-2-3"},
    {"players": 4, "edition": "bigbox", "board": "base-4-5", "missions": True},
    {"players": 5, "edition": "bigbox", "board": "east"},
]
CONFIGS += [
    {"players": 3, "edition": "fourth", "board": "britannia-2-3"},
    {"players": 3, "edition": "bigbox", "board": "britannia-2-3", "favours": "any-board", "pile": "promos"},
    {"players": 4, "edition": "second", "board": "britannia-4-5"},
    {"players": 5, "edition": "bigbox", "board": "britannia-4-5"},
    {"players": 5, "edition": "bigbox", "board": "britannia-4-5", "favours": "any-board", "pile": "promos"},
]
CONFIGS += [
    {"players": 2, "edition": "fourth", "board": "base-2-3", "pile": "promos"},
    {"players": 3, "edition": "bigbox", "board": "base-2-3", "pile": "promos"},
    {"players": 4, "edition": "bigbox", "board": "base-4-5", "missions": True, "favours": True, "pile": "promos"},
    {"players": 5, "edition": "bigbox", "board": "east", "pile": "promos"},
]
CONFIGS += [
    {"players": 2, "edition": "second", "board": "base-2-3", "favours": True},
    {"players": 3, "edition": "bigbox", "board": "base-2-3", "missions": True, "favours": True},
    {"players": 5, "edition": "fourth", "board": "base-4-5", "favours": True},
    {"players": 4, "edition": "bigbox", "board": "east", "favours": "any-board"},
]
CONFIGS += [
    {"players": players, "edition": edition, "board": board, "missions": True}
    for players, edition, board in (
        (2, "first", "base-2-3"),
        (2, "second", "base-2-3"),
        (3, "fourth", "base-2-3"),
        (5, "second", "base-4-5"),
    )
]


def name(config):
    return "-".join(str(value) for value in config.values())


def random_setup(config, rng):
    """Markers on the taverns and in the pile (R1.5, R1.6, R13.1)."""
    board = read_board(config["board"])
    counts = Counter(MARKERS[config["edition"]])
    start = ["extra-office", "exchange", "move-three" if config["edition"] == "bigbox" else "remove-three"]
    pile = sorted((counts - Counter(start)).elements())
    if config.get("pile") == "promos":
        promos = ["trade-in", "tribute", "block"] * 2
        pile = rng.sample(pile, len(pile) - len(promos)) + promos  # R13.4
    rng.shuffle(start)
    rng.shuffle(pile)
    taverns = [route["id"] for route in board["routes"] if route["tavern"]]
    setup = {"markers": dict(zip(taverns, start)), "pile": pile}
    if config.get("missions"):
        setup["missions"] = rng.sample(CARDS, config["players"])
    if config.get("favours"):
        setup["favours"] = rng.sample(TILES, config["players"])
    return setup


def choose(game, position, rng):
    """By the verb; pieces go mostly to the route of which the seat holds most."""
    by_verb = {}
    for text in game.legal():
        by_verb.setdefault(text.split()[0], []).append(text)
    verbs = list(by_verb)
    likes = LIKES
    if "favours" in position and position["asked"] == "act":
        likes = LIKES | dict.fromkeys(("exchange", "remove", "develop", "+3", "+4"), 0.001)  # markers are kept to pay
        likes["favour"] = 0.5 if len(position["markers"][position["seat"]]) == 2 else 50
    verb = rng.choices(verbs, [likes.get(verb, 1) for verb in verbs])[0]
    if verb in ("place", "put") and rng.random() < 0.8:
        return max(by_verb[verb], key=lambda text: hold(position, text.split()[-1]) + 0.5 * rng.random())
    return rng.choice(by_verb[verb])


def hold(position, lane):
    """How near the seat is to holding a route; ships and markers are liked."""
    route = lane.removesuffix(":ship")
    posts = position["posts"][route] + position.get("ships", {}).get(route, [])
    own = sum(piece is not None and piece[0] == str(position["seat"]) for piece in posts)
    others = sum(piece is not None for piece in posts) - own
    liked = [route in position.get("ships", {}), route in position["route_markers"]]
    return (own - others) / len(posts) + 0.6 * sum(liked)


def pieces_of(position):
    """All pieces of R1.1 by seat and kind; those of the hand that show no owner are under "?"."""
    pieces = Counter()
    for part in ("posts", "ships", "offices", "extras"):
        for row in position.get(part, {}).values():
            pieces.update(piece for piece in row if piece)
    for seat in range(position["players"]):
        for pile in ("supply", "stock"):
            for kind, amount in zip("tm", position[pile][seat]):
                pieces[f"{seat}{kind}"] += amount
        for ability, removed in position["abilities"][seat].items():
            pieces[f"{seat}{COVER[ability]}"] += len(VALUES[ability]) - 1 - removed
        pieces[f"{seat}t"] += 1  # on the prestige track
    pieces.update(f"{seat}m" for seat in position["prestige_spaces"].values() if seat is not None)
    pieces.update(token.split()[1] + "t" for tokens in position.get("tokens", {}).values() for token in tokens)
    pieces.update(piece if len(piece) == 2 else "?" + piece for piece in position["hand"])
    return pieces


def assert_modules_shown(config, position):
    """The fields of a module are there when it is on, and only then."""
    assert ("ships" in position) == (config["board"] not in ("base-2-3", "base-4-5"))
    assert ("missions" in position) == config.get("missions", False)
    assert ("tokens" in position) == ("pile" in config)
    assert ("favours" in position) == bool(config.get("favours", False))
    if "missions" in position and position["asked"] != "over":
        seen = [seat for seat, card in enumerate(position["missions"]) if card is not None]
        assert seen == [position["seat"]]


def assert_markers_conserved(position, config):
    """R13.4: as many markers as the edition has, wherever they are (the neutral player discards some)."""
    places = [*position["markers"], *position["used"], *position.get("tokens", {}).values()]
    count = sum(map(len, places)) + len(position["route_markers"]) + sum(position["plate"]) + position["pile"]
    if position["two_players"] == "neutral":
        assert count <= sum(MARKERS[config["edition"]].values())
    elif position["asked"] != "over":
        assert count == sum(MARKERS[config["edition"]].values())


def assert_conserved(position):
    pieces = pieces_of(position)
    for kind, all_of_kind in (("t", 27), ("m", 4)):
        in_hand = pieces["?" + kind]
        missing = [all_of_kind - pieces[f"{seat}{kind}"] for seat in range(position["players"])]
        neutral = position["two_players"] == "neutral" and kind == "t"  # one may be in hand
        assert min(missing) >= 0 and 0 <= in_hand - sum(missing) <= neutral, (kind, missing, position)


@pytest.mark.parametrize("board", ["base-2-3", "base-4-5", "east", "britannia-2-3", "britannia-4-5"])
def test_board_data_agree_with_the_rule_on_markers(board) -> None:
    routes = read_board(board)["routes"]
    allowed = {route["id"]: route["marker_allowed"] for route in routes}
    assert {route: load_board(board).takes_marker(route) for route in allowed} == allowed


@pytest.mark.parametrize("config", one_in(5, CONFIGS), ids=name)
def test_random_games_end_and_lose_no_piece(config) -> None:
    play_random_games(config)


def play_random_games(config) -> Counter:
    """How often each question was asked."""
    ended = 0
    at_least = GAMES // 8 if config["players"] == 2 else GAMES // 2  # the pawn hinders random players
    questions = Counter()
    for seed in range(GAMES):
        rng = random.Random(f"{name(config)} {seed}")
        game = OracleGame(config, random_setup(config, rng), turn_limit=150 * config["players"])
        while not game.over:
            position = game.position()
            assert len(position["legal"]) > 1 and len(set(position["legal"])) == len(position["legal"])
            assert_conserved(position)
            assert_modules_shown(config, position)
            assert_markers_conserved(position, config)
            questions[position["asked"]] += 1
            game.play(choose(game, position, rng))
        assert_conserved(game.position())
        ended += game.reason is not None
        for row in game.scores():
            assert len(row) == 9 and row[-1] == sum(row[:-1])
    assert ended >= at_least, "too few games came to their end by the rules"
    missing = {"act", "relocate", "lift", "put", "reward", "marker"} - set(questions)
    assert not missing, f"never asked: {missing}"
    return questions
