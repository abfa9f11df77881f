"""Displace (R4.1), from the choice of the route to the payment."""

from .board import SHIP
from .countries import use_permission
from .model import KINDS, NAMES, kinds_in, owner
from .pawn import allowed_lanes
from .payment import begin_payment
from .relocation import begin_relocation
from .turns import begin_action

PENALTY = {"t": 1, "m": 2}  # R4.1


def kinds_to_put(game, lane):
    """R9.4: the kinds of the supply that may take the place of a piece on a lane."""
    kinds = kinds_in(game.players[game.turn].supply)
    return [kind for kind in kinds if kind == "m" or not lane.endswith(SHIP)]


def victims(game, lane):
    """R4.1: opponents' tradesmen that the supply can pay for, with the piece to put there."""
    if not kinds_to_put(game, lane):
        return set()
    pieces = sum(game.players[game.turn].supply.values())
    return {piece for piece in game.posts[lane] if owner(piece) != game.turn and pieces >= 1 + PENALTY[piece[1]]}


def displaces(game):
    return ["displace"] if any(victims(game, lane) for lane in allowed_lanes(game)) else []


def play_displace_action(game, words):
    begin_action(game)
    game.task = {}
    game.ask("displace", game.turn)


def legal_displace(game):
    return ["route " + lane for lane in allowed_lanes(game) if victims(game, lane)]


def play_displace(game, words):
    game.task["lane"] = words[1]
    use_permission(game, game.board.lanes[words[1]])
    game.ask("victim", game.turn)


def legal_victim_to_displace(game):
    return list(victims(game, game.task["lane"]))


def play_victim_to_displace(game, words):
    """The piece leaves its post and waits in the hand."""
    piece = words[0]
    game.posts[game.task["lane"]].remove(piece)
    game.hand = [piece[1]]
    game.task["piece"] = piece
    game.ask("with", game.turn)


def legal_with_to_displace(game):
    return [NAMES[kind] for kind in kinds_to_put(game, game.task["lane"])]


def play_with_to_displace(game, words):
    kind = KINDS[words[0]]
    game.players[game.turn].supply[kind] -= 1
    game.posts[game.task["lane"]].append(str(game.turn) + kind)
    begin_payment(game, PENALTY[game.task["piece"][1]], paid=begin_relocation)
