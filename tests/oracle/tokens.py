"""Promo markers: trade-in, and tribute and block, which lie above a route as tokens (R13.5 to R13.8)."""

from .model import kinds_in
from .turns import finish_marker

TRIBUTE = 2  # tradesmen of R13.6


def promo_decisions(game):
    """R13.5 to R13.7: the promo markers the player in turn may use at `act`."""
    player = game.players[game.turn]
    decisions = []
    if "trade-in" in player.markers and seats_to_trade_with(game):
        decisions.append("trade-in")
    if player.supply["t"] > 0:
        decisions += [kind for kind in ("tribute", "block") if kind in player.markers]
    return decisions


def turn_down(game, kind):
    """It stands among the used ones until it is given or laid."""
    player = game.players[game.turn]
    player.markers.remove(kind)
    player.used.append(kind)


def kinds_to_trade(game, seat):
    """R13.5: used markers beside the desk, none of them a trade-in."""
    return set(game.players[seat].used) - {"trade-in"}


def seats_to_trade_with(game):
    return [seat for seat in range(len(game.players)) if seat != game.turn and kinds_to_trade(game, seat)]


def play_trade_in_marker(game, words):
    turn_down(game, "trade-in")
    game.ask("trade-in", game.turn)


def legal_trade_in(game):
    return ["seat " + str(seat) for seat in seats_to_trade_with(game)]


def play_trade_in(game, words):
    game.task = {"trade with": int(words[1])}
    game.ask("spend", game.turn)


def legal_spend_to_trade(game):
    return list(kinds_to_trade(game, game.task["trade with"]))


def play_spend_to_trade(game, words):
    """R13.5: the trade-in for one of his used markers, which is unused again."""
    kind = words[0]
    player = game.players[game.turn]
    other = game.players[game.task["trade with"]]
    player.used.remove("trade-in")
    other.used.append("trade-in")
    other.used.remove(kind)
    player.markers.append(kind)
    finish_marker(game)


def play_token_marker(game, words):
    turn_down(game, words[0])
    game.task = {"token": words[0]}
    game.ask("token", game.turn)


def legal_token(game):
    """R13.8: any route."""
    return ["route " + route for route in game.board.routes]


def play_token(game, words):
    """R13.6, R13.7: above a route, with a trader of the supply on it."""
    kind = game.task["token"]
    player = game.players[game.turn]
    player.used.remove(kind)
    player.supply["t"] -= 1
    game.tokens.append((words[1], kind, game.turn))
    finish_marker(game)


def blocks(game, route):
    """R13.7, R13.8: what a placed tradesman costs more on a route; tokens add up."""
    return sum(kind == "block" and where == route for where, kind, _ in game.tokens)


def tokens_of(game, seat):
    return sum(owner == seat for _, _, owner in game.tokens)


def pay_tributes(game, city, proceed):
    """R13.6: an office was founded in the city; the owners from the active seat onward, then go on."""
    owners = [seat for route, kind, seat in game.tokens if kind == "tribute" and city in game.board.routes[route]]
    owners.sort(key=lambda seat: (seat - game.turn) % len(game.players))  # each in the order laid
    game.task["tributes"] = owners
    game.task["proceed"] = proceed
    ask_next_tribute(game)


def ask_next_tribute(game):
    due = game.task["tributes"]
    while due and not kinds_in(game.players[due[0]].stock):
        due.pop(0)
    if due:
        game.ask("tribute", due[0])
    else:
        game.task["proceed"](game)


def legal_tribute(game):
    """R13.6: M merchants among the two, or among the one that is left."""
    stock = game.players[game.seat].stock
    pieces = min(TRIBUTE, sum(stock.values()))
    fewest = max(0, pieces - stock["t"])
    most = min(pieces, stock["m"])
    return ["income " + str(count) for count in range(fewest, most + 1)]


def play_tribute(game, words):
    player = game.players[game.seat]
    pieces = min(TRIBUTE, sum(player.stock.values()))
    merchants = int(words[1])
    for kind, count in (("m", merchants), ("t", pieces - merchants)):
        player.stock[kind] -= count
        player.supply[kind] += count
    game.task["tributes"].pop(0)
    ask_next_tribute(game)


def shown(game):
    """The tokens of each route that has any, in the order laid."""
    tokens = {}
    for route, kind, seat in game.tokens:
        tokens.setdefault(route, []).append(kind + " " + str(seat))
    return tokens


def read(game, tokens):
    for route, laid in tokens.items():
        for token in laid:
            kind, seat = token.split(" ")
            game.tokens.append((route, kind, int(seat)))
