"""Relocation: where the displaced piece and the further ones go (R4.2 to R4.5)."""

from .model import KINDS, NAMES, NEUTRAL, NEUTRAL_TRADER, kinds_in, owner
from .neutral import begin_neutral_claim, wholly_neutral
from .turns import finish_action

FURTHER = {"t": 1, "m": 2}  # R4.2
WITH_ESCORT = 2  # R12.4, for either kind


def begin_relocation(game):
    """R4.2; R8.2.2: the other player relocates a neutral trader and one more."""
    piece = game.task["piece"]
    game.task["displaced waits"] = True
    game.task["further"] = FURTHER[piece[1]]
    game.task["tiles"] = []
    if owner(piece) == NEUTRAL:
        game.task["owner seat"] = 1 - game.turn
    else:
        game.task["owner seat"] = owner(piece)
        game.task["tiles"] = game.players[owner(piece)].favours  # R12.4: for a piece of his
    if "escort" in game.task["tiles"]:
        game.task["further"] = WITH_ESCORT
    if relocation_lanes(game, piece[1]):
        game.ask("relocate", game.task["owner seat"])
    else:
        game.to_own_pile(piece, "stock")  # R4.5, D5
        game.hand = []
        finish_action(game)


def origin(game):
    """The route of the displacement, which itself never counts (R4.3)."""
    return game.board.lanes[game.task["lane"]]


def rings(game):
    """R4.3: the routes in rings around the displacement; R12.4 `anywhere`: all in one."""
    if "anywhere" in game.task["tiles"]:
        country = game.board.country[origin(game)]
        return [[route for route in game.board.routes if game.board.is_open_to(route, country)]]
    return game.board.rings[origin(game)]


def relocation_lanes(game, kind):
    """R4.3, R9.5: the nearest lanes with a free post fit for the piece, judged anew for each."""
    for ring in rings(game):
        lanes = [lane for route in ring for lane in game.board.lanes_of(route)]
        fit = [lane for lane in lanes if game.has_post_for(kind, lane)]
        if fit:
            return fit
    return []


def posts_for_displaced(game):
    """Free posts fit for the displaced piece, on all routes where it may go (R9.6)."""
    kind = game.task["piece"][1]
    routes = [route for ring in rings(game) for route in ring]
    lanes = [lane for lane in game.lanes_for(kind) if game.board.lanes[lane] in routes]
    return {lane: game.free_posts(lane) for lane in lanes}


def leaves_post_for_displaced(game, lane):
    """R4.2, R9.6: a further piece may go to this lane and a post is left for the displaced one."""
    if not game.task["displaced waits"]:
        return True
    posts = posts_for_displaced(game)
    return sum(posts.values()) - (lane in posts) > 0


def is_neutral_relocation(game):
    return owner(game.task["piece"]) == NEUTRAL


def legal_relocate(game):
    if is_neutral_relocation(game):
        return legal_neutral_relocate(game)
    decisions = []
    if game.hand and not game.task["displaced waits"]:  # R4.4: the lifted piece first
        lanes = lanes_for_lifted(game, game.hand[0], game.task["lifted in"])
        return ["put " + NAMES[game.hand[0]] + " " + lane for lane in lanes]
    for kind in game.hand:
        decisions += puts(game, kind)
    for kind in further_kinds(game):
        if kind not in game.hand:
            decisions += further_puts(game, kind)
    if not game.task["displaced waits"]:
        decisions.append("done")
        decisions += lifts(game)
    return decisions


def legal_neutral_relocate(game):
    """R8.2.2, D9: the second neutral trader is no choice while a post is free."""
    if game.task["displaced waits"] or game.task["further"] > 0:
        return puts(game, "t") or ["done"]
    return ["done"]


def puts(game, kind):
    return ["put " + NAMES[kind] + " " + lane for lane in relocation_lanes(game, kind)]


def further_puts(game, kind):
    """R4.2, R9.6."""
    return ["put " + NAMES[kind] + " " + lane for lane in relocation_lanes(game, kind) if leaves_post_for_displaced(game, lane)]


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
    return kinds_in(source)


def lifts(game):
    """R4.4, last resort: own pieces on posts, as long as they can be put down again."""
    if game.task["further"] == 0 or further_source(game) is not None:
        return []
    decisions = set()
    for lane, pieces in game.posts.items():
        for piece in pieces:
            if owner(piece) == game.task["owner seat"] and has_place_after_lift(game, piece, lane):
                decisions.add("lift " + NAMES[piece[1]] + " " + lane)
    return sorted(decisions)


def has_place_after_lift(game, piece, lane):
    """R4.4: it may go back to its own post, unless that lies where no piece may go (R4.3).

    R10.11: on a board of countries it needs another free post to go to.
    """
    if game.board.regions:
        return bool(lanes_for_lifted(game, piece[1], game.board.country[game.board.lanes[lane]]))
    may_go_back = any(game.board.lanes[lane] in ring for ring in rings(game))
    return may_go_back or bool(relocation_lanes(game, piece[1]))


def lanes_for_lifted(game, kind, country):
    """R4.4, R10.11: its own country or England, at the distance found without that limit."""
    lanes = relocation_lanes(game, kind)
    return [lane for lane in lanes if game.board.is_open_to(game.board.lanes[lane], country)]


def play_relocate(game, words):
    if words[0] == "done":
        finish_action(game)
    elif words[0] == "lift":
        lift_further(game, KINDS[words[1]], words[2])
    elif is_neutral_relocation(game):
        put_neutral(game, words[2])
    else:
        put_own(game, KINDS[words[1]], words[2])


def lift_further(game, kind, lane):
    """R4.4: it counts as one of the further tradesmen."""
    game.posts[lane].remove(str(game.task["owner seat"]) + kind)
    game.hand = [kind]
    game.task["lifted in"] = game.board.country[game.board.lanes[lane]]
    game.task["further"] -= 1


def put_own(game, kind, lane):
    """A piece in the hand goes first; otherwise a further one from stock or supply."""
    if kind in game.hand:
        game.hand = []
        game.task["displaced waits"] = False
    else:
        further_source(game)[kind] -= 1
        game.task["further"] -= 1
    game.posts[lane].append(str(game.task["owner seat"]) + kind)


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
