"""The question `act`, and the actions income, place and move (R3)."""

from . import claiming, displacement, favours, markers, pawn, tokens
from .countries import use_permission
from .desk import value
from .model import KINDS, NAMES
from .payment import begin_payment
from .room import room_for_move
from .tokens import blocks
from .turns import begin_action, end_turn, finish_action


def legal_act(game):
    """R2.1, R2.3, R8.1.3: everything possible between two actions."""
    decisions = ["done"]
    if game.actions_left > 0:
        decisions += incomes(game) + places(game) + moves(game)
        decisions += displacement.displaces(game) + claiming.claims(game) + pawn.rides(game)
    decisions += markers.marker_decisions(game) + pawn.free_moves(game)
    return decisions + favours.favours_to_buy(game)


def play_act(game, words):
    PLAY[words[0]](game, words)


def play_done(game, words):
    end_turn(game)


def incomes(game):
    """R3.1: M merchants among exactly as many pieces as the bank shows."""
    player = game.players[game.turn]
    traders = player.stock["t"]
    merchants = player.stock["m"]
    pieces = min(value(player, "bank"), traders + merchants)
    if pieces == 0:
        return []
    fewest = max(0, pieces - traders)
    most = min(pieces, merchants)
    return ["income " + str(count) for count in range(fewest, most + 1)]


def play_income(game, words):
    begin_action(game)
    player = game.players[game.turn]
    pieces = min(value(player, "bank"), sum(player.stock.values()))
    merchants = int(words[1])
    for kind, count in (("m", merchants), ("t", pieces - merchants)):
        player.stock[kind] -= count
        player.supply[kind] += count
    favours.after_income(game)


def places(game):
    """R3.2, R9.4; R13.7: on a blocked route only who can pay for it."""
    supply = game.players[game.turn].supply
    pieces = sum(supply.values())
    return [
        "place " + name + " " + lane
        for name, kind in KINDS.items()
        if supply[kind] > 0
        for lane in pawn.allowed_lanes(game)
        if game.has_post_for(kind, lane) and pieces > blocks(game, game.board.lanes[lane])
    ]


def play_place(game, words):
    begin_action(game)
    kind = KINDS[words[1]]
    game.players[game.turn].supply[kind] -= 1
    game.posts[words[2]].append(str(game.turn) + kind)
    route = game.board.lanes[words[2]]
    use_permission(game, route)
    price = blocks(game, route)
    if price > 0:
        game.task = {}
        begin_payment(game, price, paid=finish_action)
    else:
        finish_action(game)


def own_pieces(game):
    """The lanes and kinds of the own tradesmen on posts."""
    own = str(game.turn)
    return {(lane, piece[1]) for lane, pieces in game.posts.items() for piece in pieces if piece[0] == own}


def moves(game):
    """R3.3."""
    return ["move"] if own_pieces(game) else []


def play_move_action(game, words):
    begin_action(game)
    game.task = {"foreign": {country: {"t": 0, "m": 0} for country in game.board.regions}}
    game.ask("lift", game.turn)


def legal_lift(game):
    """R3.3: 1 to book pieces."""
    decisions = ["done"] if game.hand else []
    if len(game.hand) < value(game.players[game.turn], "book"):
        decisions += ["lift " + NAMES[kind] + " " + lane for lane, kind in own_pieces(game)]
    return decisions


def play_lift(game, words):
    if words[0] == "done":
        game.ask("put", game.turn)
        return
    kind = KINDS[words[1]]
    game.posts[words[2]].remove(str(game.turn) + kind)
    game.hand.append(kind)
    count_foreign(game, kind, words[2], 1)


def count_foreign(game, kind, lane, change):
    """R10.10: how many more of a kind may be put into a foreign country: as many as were lifted there."""
    country = game.board.country[game.board.lanes[lane]]
    if country in game.board.regions:
        game.task["foreign"][country][kind] += change


def may_put(game, kind, lane):
    """R10.10: in England any, in Wales and Scotland no more than were lifted there."""
    country = game.board.country[game.board.lanes[lane]]
    return country not in game.board.regions or game.task["foreign"][country][kind] > 0


def room_left(game, kind, lane):
    """The rest of the hand can be put down after a piece of this kind went to this lane."""
    rest = list(game.hand)
    rest.remove(kind)
    count_foreign(game, kind, lane, -1)
    room = room_for_move(game, rest, lane, game.task["foreign"])
    count_foreign(game, kind, lane, 1)
    return room


def legal_put(game):
    """R3.3: any free post fit for the kind, the vacated ones included; R10.10."""
    return [
        "put " + NAMES[kind] + " " + lane
        for kind in set(game.hand)
        for lane in game.lanes_for(kind)
        if may_put(game, kind, lane) and room_left(game, kind, lane)
    ]


def play_put(game, words):
    kind = KINDS[words[1]]
    game.hand.remove(kind)
    game.posts[words[2]].append(str(game.turn) + kind)
    count_foreign(game, kind, words[2], -1)
    if not game.hand:
        finish_action(game)


PLAY = {
    "done": play_done,
    "income": play_income,
    "place": play_place,
    "move": play_move_action,
    "displace": displacement.play_displace_action,
    "claim": claiming.play_claim,
    "exchange": markers.play_exchange_marker,
    "develop": markers.play_upgrade,
    "remove": markers.play_remove_marker,
    "+3": markers.play_more_actions,
    "+4": markers.play_more_actions,
    "pawn": pawn.play_free_move,
    "ride": pawn.play_ride_action,
    "favour": favours.play_favour,
    "trade-in": tokens.play_trade_in_marker,
    "tribute": tokens.play_token_marker,
    "block": tokens.play_token_marker,
}
