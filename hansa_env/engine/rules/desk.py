"""A seat's own pieces: the tracks of its abilities (R1.2, R5.8), markers, supply and stock."""

from __future__ import annotations

from hansa_env.engine.action_space import ABILITY, VERB, WITH_MERCHANT, WITH_TRADER, offer
from hansa_env.engine.compile import inner
from hansa_env.engine.state import ACTIONS, MERCHANT, MORE_ACTIONS, OWNED, OWNERS, TRADER


@inner
def ability_value(game, tables, seat, ability):
    """The value that a seat's track shows now, such as actions per turn or pieces per income (R1.2)."""
    return tables["ability_value"][ability, game["abilities"][seat, ability]]


@inner
def owns_favour(game, seat, tile):
    """Whether a seat owns one of the Emperor's Favour tiles (R12.4)."""
    return tile_owner(game, tile) == seat


@inner
def tile_owner(game, tile):
    """The seat that owns a tile of R12, -1 = nobody."""
    place = game["favours"][tile] - OWNED
    return place % OWNERS if place >= 0 else -1


@inner
def actions_of_a_turn(game, tables, seat):
    """R2.1: as many actions as the ability shows; R12.4: one more with the tile `action`."""
    actions = ability_value(game, tables, seat, ACTIONS)
    if tables["favours"]:
        actions += owns_favour(game, seat, MORE_ACTIONS)
    return actions


@inner
def fully_developed(game, tables, seat, ability):
    """Whether every piece has been taken from a seat's track (R1.2)."""
    return game["abilities"][seat, ability] == tables["ability_steps"][ability]


@inner
def offer_development(game, tables, seat, ability):
    """R5.8: a track that is not fully developed may be developed."""
    if not fully_developed(game, tables, seat, ability):
        offer(game, tables, ABILITY, ability)


@inner
def develop(game, tables, ability):
    """R5.8: the leftmost piece of the track goes to the supply; R2.2: more actions count at once, but for R12.3."""
    seat = game["turn"]
    before = ability_value(game, tables, seat, ability)
    game["abilities"][seat, ability] += 1
    game["supply"][seat, tables["track_kind"][ability]] += 1
    if ability == ACTIONS and not game["favour_bought"]:
        game["actions_left"] += ability_value(game, tables, seat, ability) - before


@inner
def use_marker(game, kind):
    """A marker of the active seat is used: it moves from `markers` to `used` and still scores (R6.1)."""
    game["markers"][game["turn"], kind] -= 1
    game["used"][game["turn"], kind] += 1


@inner
def total(pieces, seat):
    """Pieces of both kinds in a seat's supply or stock."""
    return pieces[seat, TRADER] + pieces[seat, MERCHANT]


@inner
def nothing_in_reserve(game, seat):
    """R4.4, R10.15: neither stock nor supply has a further tradesman."""
    return total(game["stock"], seat) == 0 and total(game["supply"], seat) == 0


@inner
def further_pieces(game, seat, kind):
    """R4.4, R10.15: further tradesmen come from the stock, and only with an empty stock from the supply."""
    if total(game["stock"], seat) > 0:
        return game["stock"][seat, kind]
    return game["supply"][seat, kind]


@inner
def take_further_piece(game, seat, kind):
    """A further tradesman leaves the stock, or with an empty stock the supply (R4.4, R10.15)."""
    if total(game["stock"], seat) > 0:
        game["stock"][seat, kind] -= 1
    else:
        game["supply"][seat, kind] -= 1


@inner
def offer_pieces(game, tables, traders, merchants):
    """The choice between a trader and a merchant, as far as there are any."""
    if traders > 0:
        offer(game, tables, VERB, WITH_TRADER)
    if merchants > 0:
        offer(game, tables, VERB, WITH_MERCHANT)


@inner
def offer_supply(game, tables):
    """The choice between the kinds in the supply of who decides."""
    offer_pieces(game, tables, game["supply"][game["seat"], TRADER], game["supply"][game["seat"], MERCHANT])


@inner
def chosen_kind(verb):
    """The kind that the verb `trader` or `merchant` names."""
    return verb - WITH_TRADER


@inner
def pay_piece(game, verb):
    """R4.1, R13.7: one piece of who decides goes from supply to stock; True if it was the last to pay."""
    game["supply"][game["seat"], chosen_kind(verb)] -= 1
    game["stock"][game["seat"], chosen_kind(verb)] += 1
    game["remaining"] -= 1
    return game["remaining"] == 0
