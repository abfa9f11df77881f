"""Write and read the position form of notation.md, but for what it says of the turn and the action under way."""

from . import favours, missions, tokens
from .board import SHIP
from .desk import VALUES
from .model import MARKER_KINDS, PROMO_KINDS, Game
from .turns import actions_of

FORMAT = "hansa-position/2"
CONFIG = ("players", "edition", "board", "two_players")


def by_kind(markers):
    return sorted(markers, key=[*MARKER_KINDS, *PROMO_KINDS].index)


def pair(pile):
    return [pile["t"], pile["m"]]


def write_position(game, legal):
    players = game.players
    posts = {}
    for lane, pieces in game.posts.items():
        posts[lane] = sorted(pieces) + [None] * game.free_posts(lane)
    position = {"format": FORMAT}
    position.update({key: game.config[key] for key in CONFIG})
    position.update(
        seat=game.seat,
        turn=game.turn,
        asked=game.asked,
        actions_left=game.actions_left,
        posts={lane: pieces for lane, pieces in posts.items() if not lane.endswith(SHIP)},
        offices={city: list(spaces) for city, spaces in game.offices.items()},
        extras={city: list(pieces) for city, pieces in game.extras.items() if pieces},
        route_markers=dict(game.route_markers),
        abilities=[dict(player.removed) for player in players],
        supply=[pair(player.supply) for player in players],
        stock=[pair(player.stock) for player in players],
        prestige=[player.prestige for player in players],
        markers=[by_kind(player.markers) for player in players],
        used=[by_kind(player.used) for player in players],
        plate=[len(player.plate) for player in players],
        pile=len(game.pile),
        prestige_spaces={str(points): seat for points, seat in game.prestige_spaces.items()},
        completed=game.completed,
        linked=list(game.linked),
        pawn=game.pawn,
        hand=[piece for piece, _ in game.fetched] or sorted(game.hand, reverse=True),
        legal=list(legal),
    )
    ships = [lane for lane in posts if lane.endswith(SHIP)]
    if ships:
        position["ships"] = {game.board.lanes[lane]: posts[lane] for lane in ships}
    if game.board.regions:
        write_countries(game, position)
    if game.config["missions"]:
        position["missions"] = missions.shown(game)
    if game.config["favours"]:
        position["favours"] = favours.shown(game)
    if game.config["promos"]:
        position["tokens"] = tokens.shown(game)
    if game.config["two_players"] == "neutral":
        position["discarded"] = by_kind(game.discarded)
    return position


def write_countries(game, position):
    """R10: permissions used this turn; what may still be put abroad; where lifted pieces come from."""
    position["permissions"] = sorted(game.permissions_used)
    if game.asked == "put":
        position["foreign"] = {c: pair(kinds) for c, kinds in game.task["foreign"].items()}
    if "may fetch" in (game.task or {}):
        position["from"] = [country for _, country in game.fetched]


def config_of(position):
    """A module is on where the position has its field."""
    config = {key: position[key] for key in CONFIG}
    config["missions"] = "missions" in position
    config["pile"] = "promos" if "tokens" in position else None
    config["favours"] = "any-board" if "favours" in position else False
    return config


def read_position(position, hidden, cards=None):
    """A game from a position at `act`.

    `hidden` holds the markers of plates and pile, `cards` the missions of all seats.
    """
    if position["asked"] != "act":
        raise ValueError("only a position that asks `act` can be loaded")
    if len(hidden) != sum(position["plate"]) + position["pile"]:
        raise ValueError("hidden markers do not match the counts of plates and pile")
    game = Game(config_of(position))
    if game.config["missions"]:
        missions.deal(game, cards or position["missions"])
    if game.config["favours"]:
        favours.lay_out(game, **position["favours"])
    tokens.read(game, position.get("tokens", {}))
    hidden = list(hidden)
    for seat, player in enumerate(game.players):
        read_player(player, seat, position)
        player.plate = [hidden.pop(0) for _ in range(position["plate"][seat])]
    game.pile = hidden
    for route, pieces in position["posts"].items():
        game.posts[route] = [piece for piece in pieces if piece]
    for route, pieces in position.get("ships", {}).items():
        game.posts[route + SHIP] = [piece for piece in pieces if piece]
    for city, spaces in position["offices"].items():
        game.offices[city] = list(spaces)
    for city, pieces in position["extras"].items():
        game.extras[city] = list(pieces)
    game.route_markers = dict(position["route_markers"])
    game.discarded = list(position.get("discarded", []))
    for points, seat in position["prestige_spaces"].items():
        game.prestige_spaces[int(points)] = seat
    game.completed = position["completed"]
    game.linked = list(position["linked"])
    game.pawn = position["pawn"]
    read_turn(game, position)
    return game


def read_player(player, seat, position):
    player.supply = dict(zip("tm", position["supply"][seat]))
    player.stock = dict(zip("tm", position["stock"][seat]))
    player.removed = {ability: position["abilities"][seat][ability] for ability in VALUES}
    player.prestige = position["prestige"][seat]
    player.markers = list(position["markers"][seat])
    player.used = list(position["used"][seat])


def read_turn(game, position):
    """The form does not tell whether an action was taken: fewer left than shown means yes."""
    game.turn = position["turn"]
    game.permissions_used = list(position.get("permissions", []))
    game.actions_left = position["actions_left"]
    shown = actions_of(game.players[game.turn])
    game.turn_begins = game.actions_left == shown
    if "legal" in position or game.config["favours"]:
        game.action_taken = game.actions_left < shown
    if "legal" in position:
        game.pawn_moved = not any(text.startswith("pawn ") for text in position["legal"])
    game.ask("act", game.turn)
