"""Permanent markers, used at the end of the claim of their route (R9.14 to R9.16)."""

from . import fetching
from .desk import develop, fully_developed
from .model import KINDS, NAMES, kinds_in
from .offices import found_green_office
from .tokens import pay_tributes
from .turns import finish_action

PLACE_AT_MOST = 2


def begin_permanent(game, marker):
    """R9.14: after R5.1 to R5.8; the marker stays."""
    BEGIN[marker](game)


def begin_move_two(game):
    """R9.14a."""
    fetching.begin_move_two(game)


def begin_develop_privilege(game):
    """R9.14b: nothing if fully developed."""
    if fully_developed(game.players[game.turn], "privilege"):
        finish_action(game)
    else:
        game.ask("permanent", game.turn)


def legal_permanent(game):
    return ["develop privilege", "done"]


def play_permanent(game, words):
    if words[0] == "develop":
        develop(game, "privilege")
    finish_action(game)


def begin_green_office(game):
    """R9.14c: not possible with an empty supply."""
    if kinds_in(game.players[game.turn].supply):
        game.ask("green", game.turn)
    else:
        finish_action(game)


def legal_green(game):
    return ["done"] + ["city " + city for city in game.board.green_cities]


def play_green(game, words):
    if words[0] == "done":
        finish_action(game)
        return
    game.task = {"green city": words[1]}
    game.ask("with", game.turn)


def legal_with_for_green(game):
    return [NAMES[kind] for kind in kinds_in(game.players[game.turn].supply)]


def play_with_for_green(game, words):
    """R9.14c: a tradesman of the supply, rightmost; R9.16: founded like any other."""
    kind = KINDS[words[0]]
    game.players[game.turn].supply[kind] -= 1
    found_green_office(game, game.task["green city"], str(game.turn) + kind)
    pay_tributes(game, game.task["green city"], proceed=finish_action)


def begin_land(game):
    """R9.14d: the rest of the route already waits in the hand."""
    game.task = {"may land": PLACE_AT_MOST}
    game.ask("land", game.turn)


def legal_land(game):
    """R9.15: none, one or two, on free posts anywhere."""
    decisions = ["done"]
    if game.task["may land"] > 0:
        for kind in set(game.hand):
            decisions += ["put " + NAMES[kind] + " " + lane for lane in game.lanes_for(kind)]
    return decisions


def play_land(game, words):
    if words[0] == "done":
        for kind in game.hand:
            game.players[game.turn].stock[kind] += 1
        game.hand = []
        finish_action(game)
        return
    kind = KINDS[words[1]]
    game.hand.remove(kind)
    game.posts[words[2]].append(str(game.turn) + kind)
    game.task["may land"] -= 1


def begin_send(game):
    """R10.14: up to two own tradesmen to Wales and Scotland, without permission."""
    game.task = {"may send": PLACE_AT_MOST}
    game.ask("send", game.turn)


def source_to_send(game):
    """R10.15: the stock; with an empty stock the supply; with both empty, None."""
    player = game.players[game.turn]
    for pile in (player.stock, player.supply):
        if kinds_in(pile):
            return pile
    return None


def lanes_abroad(game, kind):
    return [lane for lane in game.lanes_for(kind) if game.board.is_abroad(game.board.lanes[lane])]


def legal_send(game):
    """R10.15: judged anew for each of the two; a lifted piece is put down first."""
    if game.hand:
        return sends(game, game.hand)
    if game.task["may send"] == 0:
        return ["done"]
    source = source_to_send(game)
    return ["done"] + (lifts_to_send(game) if source is None else sends(game, kinds_in(source)))


def sends(game, kinds):
    return ["put " + NAMES[kind] + " " + lane for kind in kinds for lane in lanes_abroad(game, kind)]


def lifts_to_send(game):
    """R10.15: own posts of any country; a piece from abroad may go back to its own."""
    return [
        "lift " + NAMES[kind] + " " + lane
        for lane, pieces in game.posts.items()
        for kind in ("t", "m")
        if str(game.turn) + kind in pieces and (game.board.is_abroad(game.board.lanes[lane]) or lanes_abroad(game, kind))
    ]


def play_send(game, words):
    if words[0] == "done":
        finish_action(game)
        return
    kind = KINDS[words[1]]
    if words[0] == "lift":
        game.posts[words[2]].remove(str(game.turn) + kind)
        game.hand = [kind]
        return
    if game.hand:
        game.hand = []
    else:
        source_to_send(game)[kind] -= 1
    game.posts[words[2]].append(str(game.turn) + kind)
    game.task["may send"] -= 1


BEGIN = {
    "move-two": begin_move_two,
    "develop-privilege": begin_develop_privilege,
    "office-in-green-city": begin_green_office,
    "place-two-from-route": begin_land,
    "place-two-abroad": begin_send,
}
KEEPS_ROUTE_IN_HAND = ("place-two-from-route",)
