"""Emperor's Favour: tiles bought for a whole turn's actions and two markers (R12)."""

from .model import KINDS, NAMES, kinds_in
from .turns import finish_action, finish_marker

TILES = ["anywhere", "action", "tithe", "escort", "cities", "abilities"]
PRICE = 2  # markers


def lay_out(game, display, owned=None):
    """R12.1: as many tiles as players lie face up."""
    taken = [tile for tiles in owned or [] for tile in tiles]
    tiles = [*display, *taken]
    if len(tiles) != len(game.players) or len(set(tiles)) != len(tiles) or set(tiles) - set(TILES):
        raise ValueError("as many different favours as players are needed: " + str(tiles))
    game.favours = list(display)
    for player, own in zip(game.players, owned or []):
        player.favours = list(own)


def shown(game):
    return {
        "display": list(game.favours),
        "owned": [list(player.favours) for player in game.players],
    }


def favours_to_buy(game):
    """R12.2, R12.3: no action done yet this turn, one tile a turn, two unused markers."""
    held = game.players[game.turn].markers
    if game.action_taken or game.favour_bought or len(held) < PRICE:
        return []
    return ["favour " + tile for tile in game.favours]


def play_favour(game, words):
    """R12.2, R12.3: the tile is his, all actions of the turn are given up; then he pays."""
    game.favours.remove(words[1])
    game.players[game.turn].favours.append(words[1])
    game.favour_bought = True
    game.actions_left = 0
    game.task = {"to spend": PRICE}
    held = game.players[game.turn].markers
    if len(held) == PRICE:
        for kind in list(held):
            spend(game, kind)
    else:
        game.ask("spend", game.turn)


def legal_spend(game):
    """R12.3: any of his markers pays."""
    return list(set(game.players[game.turn].markers))


def play_spend(game, words):
    spend(game, words[0])


def spend(game, kind):
    """R12.2: turned down, it counts at the end as ever."""
    player = game.players[game.turn]
    player.markers.remove(kind)
    player.used.append(kind)
    game.task["to spend"] -= 1
    if game.task["to spend"] == 0:
        finish_marker(game)


def tithe_owner(game):
    """R12.4: the seat other than the one in turn that owns the tile and has a stock, or None."""
    for seat, player in enumerate(game.players):
        if seat != game.turn and "tithe" in player.favours and kinds_in(player.stock):
            return seat
    return None


def after_income(game):
    """R12.5: after the whole income action, before anything else."""
    seat = tithe_owner(game)
    if seat is None:
        finish_action(game)
    else:
        game.ask("tithe", seat)


def legal_tithe(game):
    return ["done"] + [NAMES[kind] for kind in kinds_in(game.players[game.seat].stock)]


def play_tithe(game, words):
    if words[0] != "done":
        player = game.players[game.seat]
        player.stock[KINDS[words[0]]] -= 1
        player.supply[KINDS[words[0]]] += 1
    finish_action(game)
