"""Displace (R4), from the choice of the route to the end of the relocation."""

from .model import KINDS, NAMES, NEUTRAL, NEUTRAL_TRADER, owner
from .neutral import begin_neutral_claim, wholly_neutral
from .pawn import allowed_routes
from .turns import begin_action, finish_action

PENALTY = {"t": 1, "m": 2}  # R4.1
FURTHER = {"t": 1, "m": 2}  # R4.2


def victims(game, route):
    """R4.1: opponents' tradesmen that the supply can pay for, with the piece to put there."""
    supply = game.players[game.turn].supply
    pieces = supply["t"] + supply["m"]
    return {
        piece
        for piece in game.posts[route]
        if owner(piece) != game.turn and pieces >= 1 + PENALTY[piece[1]]
    }


def displaces(game):
    return ["displace"] if any(victims(game, route) for route in allowed_routes(game)) else []


def play_displace_action(game, words):
    begin_action(game)
    game.task = {}
    game.ask("displace", game.turn)


def legal_displace(game):
    return ["route " + route for route in allowed_routes(game) if victims(game, route)]


def play_displace(game, words):
    game.task["route"] = words[1]
    game.ask("victim", game.turn)


def legal_victim_to_displace(game):
    return list(victims(game, game.task["route"]))


def play_victim_to_displace(game, words):
    """The piece leaves its post and waits in the hand."""
    piece = words[0]
    game.posts[game.task["route"]].remove(piece)
    game.hand = [piece[1]]
    game.task["piece"] = piece
    game.task["to pay"] = PENALTY[piece[1]]
    game.ask("with", game.turn)


def kinds_in(pile):
    return [kind for kind in ("t", "m") if pile[kind] > 0]


def legal_with_to_displace(game):
    return [NAMES[kind] for kind in kinds_in(game.players[game.turn].supply)]


def play_with_to_displace(game, words):
    kind = KINDS[words[0]]
    game.players[game.turn].supply[kind] -= 1
    game.posts[game.task["route"]].append(str(game.turn) + kind)
    game.ask("pay", game.turn)


def legal_pay(game):
    return [NAMES[kind] for kind in kinds_in(game.players[game.turn].supply)]


def play_pay(game, words):
    """R4.1: from supply to stock, one piece at a time."""
    player = game.players[game.turn]
    kind = KINDS[words[0]]
    player.supply[kind] -= 1
    player.stock[kind] += 1
    game.task["to pay"] -= 1
    if game.task["to pay"] == 0:
        begin_relocation(game)


def begin_relocation(game):
    """R4.2; R8.2.2: the other player relocates a neutral trader and one more."""
    piece = game.task["piece"]
    game.task["displaced waits"] = True
    game.task["further"] = FURTHER[piece[1]]
    if owner(piece) == NEUTRAL:
        game.task["owner seat"] = 1 - game.turn
    else:
        game.task["owner seat"] = owner(piece)
    if relocation_routes(game):
        game.ask("relocate", game.task["owner seat"])
    else:
        game.to_own_pile(piece, "stock")  # R4.5, D5
        game.hand = []
        finish_action(game)


def relocation_routes(game):
    """R4.3: the nearest routes with a free post, judged anew for each piece."""
    for ring in game.board.rings[game.task["route"]]:
        routes = [route for route in ring if game.free_posts(route) > 0]
        if routes:
            return routes
    return []


def posts_left(game):
    """Free posts on all routes but the one of the displacement (R4.3)."""
    origin = game.task["route"]
    return sum(game.free_posts(route) for route in game.board.routes if route != origin)


def is_neutral_relocation(game):
    return owner(game.task["piece"]) == NEUTRAL


def legal_relocate(game):
    if is_neutral_relocation(game):
        return legal_neutral_relocate(game)
    if game.hand and not game.task["displaced waits"]:
        return puts(game, game.hand)  # R4.4: the lifted piece first
    kinds = set(further_kinds(game))
    decisions = []
    if game.task["displaced waits"]:
        kinds.update(game.hand)
    else:
        decisions.append("done")
        decisions += lifts(game)
    return decisions + puts(game, kinds)


def legal_neutral_relocate(game):
    """R8.2.2, D9: the second neutral trader is no choice while a post is free."""
    if game.task["displaced waits"] or game.task["further"] > 0:
        return puts(game, ["t"]) or ["done"]
    return ["done"]


def puts(game, kinds):
    routes = relocation_routes(game)
    return ["put " + NAMES[kind] + " " + route for kind in kinds for route in routes]


def further_source(game):
    """R4.4: the stock; with an empty stock the supply; with both empty, None."""
    player = game.players[game.task["owner seat"]]
    for pile in (player.stock, player.supply):
        if kinds_in(pile):
            return pile
    return None


def further_kinds(game):
    """R4.2, R4.4: the kinds of a further tradesman that may be put down now."""
    source = further_source(game)
    if game.task["further"] == 0 or source is None:
        return []
    if game.task["displaced waits"] and posts_left(game) < 2:
        return []  # the last post is for the displaced one
    return kinds_in(source)


def lifts(game):
    """R4.4, last resort: own pieces on posts, as long as they can be put down again."""
    if game.task["further"] == 0 or further_source(game) is not None:
        return []
    origin = game.task["route"]
    room = posts_left(game) > 0
    decisions = set()
    for route, pieces in game.posts.items():
        if route == origin and not room:
            continue  # its post does not count (R4.3)
        for piece in pieces:
            if owner(piece) == game.task["owner seat"]:
                decisions.add("lift " + NAMES[piece[1]] + " " + route)
    return sorted(decisions)


def play_relocate(game, words):
    if words[0] == "done":
        finish_action(game)
    elif words[0] == "lift":
        lift_further(game, KINDS[words[1]], words[2])
    elif is_neutral_relocation(game):
        put_neutral(game, words[2])
    else:
        put_own(game, KINDS[words[1]], words[2])


def lift_further(game, kind, route):
    """R4.4: it counts as one of the further tradesmen."""
    game.posts[route].remove(str(game.task["owner seat"]) + kind)
    game.hand = [kind]
    game.task["further"] -= 1


def put_own(game, kind, route):
    """A piece in the hand goes first; otherwise a further one from stock or supply."""
    if kind in game.hand:
        game.hand = []
        game.task["displaced waits"] = False
    else:
        further_source(game)[kind] -= 1
        game.task["further"] -= 1
    game.posts[route].append(str(game.task["owner seat"]) + kind)


def put_neutral(game, route):
    """R8.2.2; a route that becomes wholly neutral is claimed at once (R8.2.3)."""
    if game.task["displaced waits"]:
        game.task["displaced waits"] = False
        game.hand = []
    else:
        game.task["further"] -= 1
    game.posts[route].append(NEUTRAL_TRADER)
    if wholly_neutral(game, route):
        begin_neutral_claim(game, route)
