"""Displacing a tradesman (R4.1); what his owner then does is in `relocate`."""

from __future__ import annotations

from hansa_env.engine.action_space import ROUTE, offer_set
from hansa_env.engine.bits import bit
from hansa_env.engine.compile import inner
from hansa_env.engine.rules.countries import lanes_to_act_on, use_permission
from hansa_env.engine.rules.desk import chosen_kind, offer_pieces, pay_piece, total
from hansa_env.engine.rules.pieces import offer_piece, piece_owner
from hansa_env.engine.rules.posts import put_piece, take_piece
from hansa_env.engine.rules.relocate import begin_relocation
from hansa_env.engine.rules.turn import ask, spend_action
from hansa_env.engine.state import ASK_DISPLACE, ASK_PAY, ASK_VICTIM, ASK_WITH, MERCHANT, TRADER


@inner
def displacement_penalty(kind):
    """R4.1: pieces that go from supply to stock: 1 for a trader, 2 for a merchant."""
    return 1 + kind


@inner
def can_displace(game, seat, kind):
    """R4.1: the supply covers the displacing piece and the penalty."""
    return total(game["supply"], seat) >= 1 + displacement_penalty(kind)


@inner
def displaceable_lanes(game, tables, seat, allowed):
    """R4.1: those of some lanes with a piece that the seat may displace; from a ship post it takes a merchant (R9.4)."""
    lanes = 0
    for owner in range(tables["owners"]):
        if owner != seat:
            if can_displace(game, seat, TRADER):
                lanes |= game["held"][owner, TRADER]
            if can_displace(game, seat, MERCHANT):
                lanes |= game["held"][owner, MERCHANT]
    if game["supply"][seat, MERCHANT] == 0:
        lanes &= tables["open_to"][TRADER]
    return lanes & allowed


@inner
def begin_displace(game):
    """The action displace begins; the first question is on which route (R4.1)."""
    spend_action(game)
    ask(game, ASK_DISPLACE, game["turn"])


@inner
def offer_displaced_routes(game, tables):
    """Offer the routes with a piece that the seat can displace (R4.1)."""
    offer_set(game, tables, ROUTE, displaceable_lanes(game, tables, game["seat"], lanes_to_act_on(game, tables)))


@inner
def play_displaced_route(game, tables, kind, route):
    """The route is chosen, with its permission abroad (R10.5); which of its pieces is displaced is asked next (R4.1)."""
    use_permission(game, tables, route)
    game["route"] = route
    ask(game, ASK_VICTIM, game["seat"])


@inner
def offer_victims(game, tables):
    """R4.1: opponents' pieces on the chosen route that the supply can displace."""
    for owner in range(tables["owners"]):
        if owner != game["seat"]:
            for kind in range(2):
                if game["pieces"][owner, kind, game["route"]] > 0 and can_displace(game, game["seat"], kind):
                    offer_piece(game, tables, owner, kind)


@inner
def play_victim(game, tables, kind, piece):
    """The displaced piece leaves its post; which piece takes its place is asked next (R4.1)."""
    owner, kind_of_victim = piece_owner(game, tables, piece), piece % 2
    take_piece(game, tables, game["route"], owner, kind_of_victim)
    game["hand"][kind_of_victim] = 1
    game["victim_owner"] = owner
    game["victim_kind"] = kind_of_victim
    ask(game, ASK_WITH, game["seat"])


@inner
def offer_displacing_pieces(game, tables):
    """R4.1, R9.4: the kinds in the supply that the post takes."""
    supply, on_land = game["supply"][game["seat"]], tables["open_to"][TRADER] & bit(game["route"]) != 0
    offer_pieces(game, tables, supply[TRADER] if on_land else 0, supply[MERCHANT])


@inner
def play_displacing_piece(game, tables, kind, verb):
    """A piece of the supply takes the displaced one's place; then the penalty is paid (R4.1)."""
    game["supply"][game["seat"], chosen_kind(verb)] -= 1
    put_piece(game, tables, game["route"], game["seat"], chosen_kind(verb))
    game["remaining"] = displacement_penalty(game["victim_kind"])
    ask(game, ASK_PAY, game["seat"])


@inner
def play_payment(game, tables, kind, verb):
    """R4.1: one penalty piece goes from supply to stock; after the last one the owner relocates (R4.2)."""
    if pay_piece(game, verb):
        begin_relocation(game, tables)
