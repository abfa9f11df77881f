"""Relocating a displaced tradesman (R4.2-R4.5), neutral ones included (R8.2.2)."""

from __future__ import annotations

from hansa_env.engine.action_space import DONE, ON_ROUTE, VERB, offer, offer_set
from hansa_env.engine.compile import inner
from hansa_env.engine.rules.countries import lanes_open_to
from hansa_env.engine.rules.desk import further_pieces, nothing_in_reserve, owns_favour, take_further_piece
from hansa_env.engine.rules.neutral import claim_for_neutral, found_neutral_office, route_for_neutral
from hansa_env.engine.rules.posts import nearest_free_lanes, put_piece, take_piece, two_posts_free
from hansa_env.engine.rules.turn import ask, end_action
from hansa_env.engine.state import ANYWHERE, ASK_LAST_RESORT, ASK_RELOCATE, ESCORT, MERCHANT, TRADER


@inner
def relocator(game, tables):
    """R4.2: the owner of the displaced piece; R8.2.2: the other player, for a neutral trader."""
    if game["victim_owner"] == tables["neutral"]:
        return 1 - game["turn"]
    return game["victim_owner"]


@inner
def further_allowed(game, tables):
    """R4.2: further tradesmen that may be added: 1 for a displaced trader, 2 for a merchant; R12.4 `escort`: 2 for either."""
    if tables["favours"] and owns_favour(game, game["victim_owner"], ESCORT):
        return 2
    return 1 + game["victim_kind"]


@inner
def goes_anywhere(game, tables):
    """R12.4: whether the owner of the displaced piece has the tile `anywhere`."""
    return tables["favours"] and owns_favour(game, game["victim_owner"], ANYWHERE)


@inner
def relocation_lanes(game, tables):
    """Every lane to which this relocation may lead: those of its country and of England (R10.11), its own route's only with the
    tile `anywhere` (R4.3, R12.4)."""
    if goes_anywhere(game, tables):
        return tables["open_from"][tables["country"][game["route"]]]
    return tables["relocatable"][game["route"]]


@inner
def lanes_for_relocated(game, tables, kind):
    """Where a piece of this kind may be put now: on the nearest routes with a fit post (R4.3), or on any (R12.4)."""
    if goes_anywhere(game, tables):
        return relocation_lanes(game, tables) & tables["open_to"][kind] & game["free"]
    return nearest_free_lanes(game, tables, game["route"], kind)


@inner
def begin_relocation(game, tables):
    """The displaced piece is put back on the board at once, before the active player goes on (R4.2)."""
    game["settled"] = 0
    game["remaining"] = further_allowed(game, tables)
    continue_relocation(game, tables)


@inner
def continue_relocation(game, tables):
    """Keep asking while a piece is left to put down and a post to put it on; then end the action (R4.2, R4.5)."""
    owner = game["victim_owner"]
    somewhere = lanes_for_relocated(game, tables, game["victim_kind"]) != 0
    if not game["settled"] and not somewhere:
        return_to_stock(game, tables)
        end_action(game, tables)
        return
    holding = game["hand"][TRADER] + game["hand"][MERCHANT] > 0
    if not holding and (game["remaining"] == 0 or (owner == tables["neutral"] and not somewhere)):
        end_action(game, tables)
    elif not holding and game["settled"] and owner != tables["neutral"] and nothing_in_reserve(game, owner):
        ask(game, ASK_LAST_RESORT, owner)
    else:
        ask(game, ASK_RELOCATE, relocator(game, tables))


@inner
def return_to_stock(game, tables):
    """R4.5, R9.6: no other route of the board has a free post for the displaced piece; nothing further is added."""
    kind = game["victim_kind"]
    game["hand"][kind] = 0
    if game["victim_owner"] != tables["neutral"]:
        game["stock"][game["victim_owner"], kind] += 1


@inner
def offer_relocation(game, tables):
    """R4.2-R4.4: where the displaced piece and the further tradesmen may go; D9: a neutral one must be added."""
    owner, hand = game["victim_owner"], game["hand"]
    for kind in range(2):
        lanes = lanes_for_relocated(game, tables, kind)
        if hand[kind] > 0 and game["settled"]:  # R10.11: a lifted piece has a limit of its own
            lanes &= tables["open_from"][game["lifted_from"][0]]
        if hand[kind] > 0 or (owner == tables["neutral"] and kind == TRADER):
            offer_set(game, tables, ON_ROUTE + kind, lanes)
        elif owner == tables["neutral"] or further_pieces(game, owner, kind) == 0:
            continue
        elif game["settled"]:
            if hand[TRADER] + hand[MERCHANT] == 0:
                offer_set(game, tables, ON_ROUTE + kind, lanes)
        elif game["remaining"] > 0:
            offer_set(game, tables, ON_ROUTE + kind, lanes & ~kept_for_displaced(game, tables))
    if game["settled"] and owner != tables["neutral"] and hand[TRADER] + hand[MERCHANT] == 0:
        offer(game, tables, VERB, DONE)


@inner
def kept_for_displaced(game, tables):
    """R9.6: the lanes of the last post that the displaced piece, still in hand, could be put on."""
    fit = tables["open_to"][game["victim_kind"]] & relocation_lanes(game, tables)
    if two_posts_free(game, fit):
        return 0
    return fit


@inner
def play_relocation(game, tables, kind, thing):
    """R4.2-R4.4: a piece is put down, or no more are; R8.2.3: a route that became wholly neutral is claimed at once."""
    if kind == VERB:
        end_action(game, tables)
        return
    put_down(game, tables, kind - ON_ROUTE, thing)
    route = route_for_neutral(game, tables)
    if route >= 0 and claim_for_neutral(game, tables, route):
        return
    continue_relocation(game, tables)


@inner
def put_down(game, tables, kind, lane):
    """Put down the displaced piece, or a further one from stock or supply (R4.2, R4.4)."""
    owner = game["victim_owner"]
    put_piece(game, tables, lane, owner, kind)
    if game["hand"][kind] > 0:
        game["hand"][kind] = 0
        game["settled"] = 1
        game["lifted_from"][0] = 0
        return
    game["remaining"] -= 1
    if owner != tables["neutral"]:
        take_further_piece(game, owner, kind)


@inner
def offer_last_resort(game, tables):
    """R4.4: with stock and supply empty, own pieces may be lifted from posts."""
    owner = game["victim_owner"]
    for kind in range(2):
        lanes, near = game["held"][owner, kind], lanes_for_relocated(game, tables, kind)
        if tables["num_regions"] > 0:
            lanes &= lanes_open_to(tables, near)
        elif near == 0:
            lanes &= relocation_lanes(game, tables)  # there the lifted piece itself leaves a post free
        offer_set(game, tables, ON_ROUTE + kind, lanes)
    offer(game, tables, VERB, DONE)


@inner
def play_last_resort(game, tables, kind, thing):
    """R4.4: a piece is lifted, to be put down before the next, or none is."""
    if kind == VERB:
        end_action(game, tables)
        return
    take_piece(game, tables, thing, game["victim_owner"], kind - ON_ROUTE)
    game["hand"][kind - ON_ROUTE] = 1
    game["lifted_from"][0] = tables["country"][thing]
    game["remaining"] -= 1
    continue_relocation(game, tables)


@inner
def play_neutral_office(game, tables, kind, city):
    """R8.2.3: the neutral player's office; then the relocation goes on."""
    found_neutral_office(game, tables, city)
    continue_relocation(game, tables)
