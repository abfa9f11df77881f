"""Tributes (R13.6): what the owners of tribute tokens move from stock to supply when an office is founded beside them."""

from __future__ import annotations

from hansa_env.engine.compile import inner
from hansa_env.engine.rules.desk import total
from hansa_env.engine.rules.place import offer_from_stock, take_from_stock
from hansa_env.engine.rules.tokens import token_marker, token_owner
from hansa_env.engine.rules.turn import ask
from hansa_env.engine.state import TOKENS, TRIBUTE

PIECES_OF_TRIBUTE = 2


@inner
def tributes_of(game, tables, seat, city):
    """How many tribute tokens of a seat lie above routes of a city."""
    count = 0
    for i in range(TOKENS):
        route = game["token_route"][i]
        if route >= 0 and token_marker(game["token"][i]) == TRIBUTE and token_owner(game["token"][i]) == seat:
            count += tables["route_city"][route, 0] == city or tables["route_city"][route, 1] == city
    return count


@inner
def owe_tributes(game, tables, city, question):
    """R13.6: an office was founded in the city; True if a tribute is due, and asked for by that question."""
    game["city"] = city
    game["remaining"] = 0
    for seat in range(tables["players"]):
        game["remaining"] += tributes_of(game, tables, seat, city)
    return ask_tribute(game, tables, question)


@inner
def ask_tribute(game, tables, question):
    """Ask for the next tribute due, from the active seat onward, of those with a stock; False if there is none."""
    while game["remaining"] > 0:
        seat = owner_of_tribute(game, tables)
        if total(game["stock"], seat) > 0:
            ask(game, question, seat)
            return True
        game["remaining"] -= 1
    return False


@inner
def owner_of_tribute(game, tables):
    """The seat whose tribute is due next: `remaining` are due, those of the seats furthest behind the active one last."""
    seat, behind = game["turn"], 0
    for i in range(1, tables["players"] + 1):
        seat = (game["turn"] + tables["players"] - i) % tables["players"]
        behind += tributes_of(game, tables, seat, game["city"])
        if behind >= game["remaining"]:
            return seat
    return seat


@inner
def pieces_of_tribute(game, seat):
    """R13.6: two pieces, fewer if the stock is short."""
    return min(PIECES_OF_TRIBUTE, total(game["stock"], seat))


@inner
def offer_tribute(game, tables):
    """R13.6: one decision per possible number of merchants among the pieces."""
    offer_from_stock(game, tables, game["seat"], pieces_of_tribute(game, game["seat"]))


@inner
def pay_tribute(game, merchants):
    """R13.6: so many merchants, and the rest in traders, come from stock to supply; one tribute less is due."""
    take_from_stock(game, game["seat"], pieces_of_tribute(game, game["seat"]), merchants)
    game["remaining"] -= 1
