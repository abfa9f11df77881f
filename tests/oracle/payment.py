"""Pieces paid from supply to stock: for displacing (R4.1), for placing on a blocked route (R13.7)."""

from .model import KINDS, NAMES, kinds_in


def begin_payment(game, pieces, paid):
    """`paid` is called after the last piece."""
    game.task["to pay"] = pieces
    game.task["paid"] = paid
    game.ask("pay", game.turn)


def legal_pay(game):
    return [NAMES[kind] for kind in kinds_in(game.players[game.turn].supply)]


def play_pay(game, words):
    """One piece at a time, kinds of the payer's choice."""
    player = game.players[game.turn]
    kind = KINDS[words[0]]
    player.supply[kind] -= 1
    player.stock[kind] += 1
    game.task["to pay"] -= 1
    if game.task["to pay"] == 0:
        game.task["paid"](game)
