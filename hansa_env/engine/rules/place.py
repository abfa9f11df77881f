"""Income, place and move (R3)."""

from __future__ import annotations

from hansa_env.engine.action_space import DONE, INCOME, ON_ROUTE, VERB, offer, offer_set
from hansa_env.engine.bits import first_below
from hansa_env.engine.compile import inner
from hansa_env.engine.rules.countries import count_foreign, forget_foreign, offer_moves_in_countries, use_permission
from hansa_env.engine.rules.desk import ability_value, total
from hansa_env.engine.rules.favours import end_income
from hansa_env.engine.rules.posts import free_posts, put_piece, take_piece
from hansa_env.engine.rules.tokens import blocks_above
from hansa_env.engine.rules.turn import ask, end_action, spend_action
from hansa_env.engine.state import ASK_BLOCK_PAYMENT, ASK_LIFT, ASK_PUT, BANK, BOOK, MERCHANT, TRADER


@inner
def offer_on_lanes(game, tables, traders, merchants, lanes):
    """The lanes of a set, for whichever kinds there are; ship posts hold merchants only (R9.4)."""
    if traders > 0:
        offer_set(game, tables, ON_ROUTE + TRADER, lanes & tables["open_to"][TRADER])
    if merchants > 0:
        offer_set(game, tables, ON_ROUTE + MERCHANT, lanes)


@inner
def spared_for_traders(game, tables, lanes, traders):
    """R9.4: those of some free lanes for a merchant that has to leave so many posts among them for traders."""
    if free_posts(game, lanes & tables["open_to"][TRADER]) <= traders:
        lanes &= ~tables["open_to"][TRADER]
    return lanes


@inner
def income_amount(game, tables, seat):
    """R3.1: as many pieces as the bank shows, as far as the stock has them."""
    return min(ability_value(game, tables, seat, BANK), total(game["stock"], seat))


@inner
def offer_income(game, tables, seat):
    """R3.1: one decision per possible number of merchants among the income."""
    amount = income_amount(game, tables, seat)
    if amount > 0:
        offer_from_stock(game, tables, seat, amount)


@inner
def offer_from_stock(game, tables, seat, amount):
    """One decision per possible number of merchants among so many pieces of the stock."""
    stock = game["stock"]
    fewest = max(0, amount - stock[seat, TRADER])
    most = min(amount, stock[seat, MERCHANT])
    offer_set(game, tables, INCOME, first_below(most + 1) & ~first_below(fewest))


@inner
def take_income(game, tables, merchants):
    """R3.1: so many merchants, and the rest in traders, come from stock to supply."""
    spend_action(game)
    take_from_stock(game, game["turn"], income_amount(game, tables, game["turn"]), merchants)
    end_income(game, tables)


@inner
def take_from_stock(game, seat, amount, merchants):
    """So many pieces, merchants among them, go from stock to supply."""
    game["stock"][seat, TRADER] -= amount - merchants
    game["supply"][seat, TRADER] += amount - merchants
    game["stock"][seat, MERCHANT] -= merchants
    game["supply"][seat, MERCHANT] += merchants


@inner
def place(game, tables, kind, lane):
    """Put a piece of the supply onto a free post of a route (R3.2), with a permission abroad (R10.5); blocks above the route
    are paid for (R13.7)."""
    spend_action(game)
    use_permission(game, tables, lane)
    game["supply"][game["turn"], kind] -= 1
    put_piece(game, tables, lane, game["turn"], kind)
    if tables["promos"] and blocks_above(game, tables["route_of"][lane]) > 0:
        game["remaining"] = blocks_above(game, tables["route_of"][lane])
        ask(game, ASK_BLOCK_PAYMENT, game["turn"])
    else:
        end_action(game, tables)


@inner
def begin_move(game, tables):
    """The action move begins: pieces are lifted first, as many as the book ability allows (R3.3)."""
    spend_action(game)
    game["remaining"] = ability_value(game, tables, game["turn"], BOOK)
    ask(game, ASK_LIFT, game["turn"])


@inner
def offer_lifts(game, tables):
    """R3.3: own pieces on posts; one may stop once a piece is lifted."""
    seat = game["seat"]
    offer_set(game, tables, ON_ROUTE + TRADER, game["held"][seat, TRADER])
    offer_set(game, tables, ON_ROUTE + MERCHANT, game["held"][seat, MERCHANT])
    if game["hand"][TRADER] + game["hand"][MERCHANT] > 0:
        offer(game, tables, VERB, DONE)


@inner
def play_lift(game, tables, kind, thing):
    """Lift a piece, or stop lifting; then the pieces are put down one by one (R3.3)."""
    if kind == VERB:
        game["remaining"] = 0
    else:
        take_piece(game, tables, thing, game["seat"], kind - ON_ROUTE)
        game["hand"][kind - ON_ROUTE] += 1
        count_foreign(game, tables, kind - ON_ROUTE, thing, 1)
        game["remaining"] -= 1
    if game["remaining"] == 0:
        ask(game, ASK_PUT, game["seat"])


@inner
def offer_puts(game, tables):
    """R3.3: the lifted pieces, on any free post; on a board with regions within their countries (R10.10)."""
    traders, merchants = game["hand"][TRADER], game["hand"][MERCHANT]
    if tables["num_regions"] > 0:
        offer_moves_in_countries(game, tables)
    elif tables["maritime"] and traders > 0 and merchants > 0:
        offer_on_lanes(game, tables, traders, 0, game["free"])
        offer_on_lanes(game, tables, 0, merchants, spared_for_traders(game, tables, game["free"], traders))
    else:
        offer_on_lanes(game, tables, traders, merchants, game["free"])


@inner
def play_put(game, tables, kind, lane):
    """Put down one lifted piece; the action ends with the last (R3.3)."""
    game["hand"][kind - ON_ROUTE] -= 1
    count_foreign(game, tables, kind - ON_ROUTE, lane, -1)
    put_piece(game, tables, lane, game["seat"], kind - ON_ROUTE)
    if game["hand"][TRADER] + game["hand"][MERCHANT] == 0:
        forget_foreign(game)
        end_action(game, tables)
