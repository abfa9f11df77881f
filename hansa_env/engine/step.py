"""One decision: what was chosen is carried out, then every forced decision after it is played."""

from __future__ import annotations

from hansa_env.engine import record as rec
from hansa_env.engine.bits import bit, lowest
from hansa_env.engine.claim import (
    begin_extra_office,
    choose_extra_office_city,
    claim,
    extra_office,
    finish_claim,
    reward_develop,
    reward_office,
    reward_prestige,
)
from hansa_env.engine.compile import inner
from hansa_env.engine.displace import (
    begin_displace,
    choose_route,
    continue_relocation,
    displace,
    pay,
    piece_owner,
    relocate,
    take_victims_place,
)
from hansa_env.engine.legal import find_legal
from hansa_env.engine.markers import (
    begin_exchange,
    begin_remove,
    choose_exchange_city,
    exchange_offices,
    place_replacement,
    remove,
    use_more_actions,
    use_upgrade,
)
from hansa_env.engine.place import begin_move, end_lifting, lift, place, put, take_income
from hansa_env.engine.turn import count_stalled_turn, end_action, end_turn
from hansa_env.engine.two_players import (
    begin_ride,
    found_neutral_office,
    move_pawn,
    neutral_claim,
    ride,
    route_for_neutral,
    set_up_pawn,
)


@inner
def answer_act(g, t, word, thing):
    """The actions, the markers, the free pawn move, or the end of the turn."""
    if word <= rec.ON_ROUTE_MERCHANT:
        place(g, t, word, thing)
    elif word == rec.ROUTE:
        claim(g, t, thing)
    elif thing < rec.ABILITY_BIT:
        take_income(g, t, thing - rec.INCOME_BIT)
    elif thing < rec.SPACE_BIT:
        use_upgrade(g, t, thing - rec.ABILITY_BIT)
    elif thing >= rec.PROVINCE_BIT:
        move_pawn(g, t, thing - rec.PROVINCE_BIT)
    elif thing == rec.DISPLACE:
        begin_displace(g)
    elif thing == rec.MOVE:
        begin_move(g, t)
    elif thing == rec.EXCHANGE:
        begin_exchange(g)
    elif thing == rec.REMOVE:
        begin_remove(g)
    elif thing == rec.RIDE:
        begin_ride(g)
    elif thing == rec.DONE:
        end_turn(g, t)
    else:
        use_more_actions(g, t, thing)


@inner
def answer_reward(g, t, word, thing):
    """R5.4."""
    if word == rec.CITY:
        reward_office(g, t, thing)
    elif thing == rec.EXTRA:
        begin_extra_office(g)
    elif thing == rec.DONE:
        finish_claim(g, t)
    elif thing < rec.SPACE_BIT:
        reward_develop(g, t, thing - rec.ABILITY_BIT)
    else:
        reward_prestige(g, t, thing - rec.SPACE_BIT)


@inner
def answer_victim(g, t, thing):
    """The piece to displace (R4.1) or to remove (R6.4)."""
    place, kind = (thing - rec.PIECE_BIT) // 2, (thing - rec.PIECE_BIT) % 2
    owner = piece_owner(g, t, place)
    if g["doing"] == rec.REMOVE:
        remove(g, t, owner, kind)
    else:
        displace(g, owner, kind)


@inner
def answer_relocate(g, t, word, thing):
    """R4.2-R4.4; a route that became wholly neutral is claimed at once (R8.2.3)."""
    if word == rec.OTHER:
        end_action(g, t)
        return
    relocate(g, t, word, thing)
    route = route_for_neutral(g, t)
    if route >= 0 and neutral_claim(g, t, route):
        return
    continue_relocation(g, t)


@inner
def answer(g, t, word, thing):
    """Carry out one decision: bit `thing` of the word `word` of `legal`, which must be set."""
    asked = g["asked"]
    if asked == rec.ASK_ACT:
        answer_act(g, t, word, thing)
    elif asked == rec.ASK_PUT:
        put(g, t, word, thing)
    elif asked == rec.ASK_LIFT:
        if word == rec.OTHER:
            end_lifting(g)
        else:
            lift(g, word, thing)
    elif asked == rec.ASK_RELOCATE:
        answer_relocate(g, t, word, thing)
    elif asked == rec.ASK_PAY:
        pay(g, t, thing - rec.WITH_TRADER)
    elif asked == rec.ASK_WITH and g["doing"] == rec.DISPLACE:
        take_victims_place(g, t, thing - rec.WITH_TRADER)
    elif asked == rec.ASK_WITH:
        extra_office(g, t, thing - rec.WITH_TRADER)
    elif asked == rec.ASK_DISPLACE:
        choose_route(g, thing)
    elif asked == rec.ASK_VICTIM:
        answer_victim(g, t, thing)
    elif asked == rec.ASK_REWARD:
        answer_reward(g, t, word, thing)
    elif asked == rec.ASK_EXTRA:
        choose_extra_office_city(g, thing)
    elif asked == rec.ASK_EXCHANGE:
        choose_exchange_city(g, thing)
    elif asked == rec.ASK_PAIR:
        exchange_offices(g, t, thing - rec.PAIR_BIT)
    elif asked == rec.ASK_REMOVE:
        if word == rec.OTHER:
            end_action(g, t)
        else:
            choose_route(g, thing)
    elif asked == rec.ASK_MARKER:
        place_replacement(g, t, thing)
    elif asked == rec.ASK_PAWN:
        set_up_pawn(g, t, thing - rec.PROVINCE_BIT)
    elif asked == rec.ASK_RIDE:
        ride(g, t, thing - rec.PROVINCE_BIT)
    elif asked == rec.ASK_NEUTRAL:
        found_neutral_office(g, t, thing)
        continue_relocation(g, t)


@inner
def play_forced(g, t):
    """Find the legal decisions and play them while there is only one, up to a real question or the end."""
    while g["asked"] != rec.OVER:
        count = find_legal(g, t)
        if g["asked"] == rec.ASK_ACT:
            count_stalled_turn(g, t, count)
        if count > 1 or g["asked"] == rec.OVER:
            return
        word = 0
        while g["legal"][word] == 0:
            word += 1
        answer(g, t, word, lowest(g["legal"][word]))


@inner
def is_legal(g, t, action):
    """Whether an action index answers the question asked."""
    if action < 0 or action >= t["num_actions"]:
        return False
    return (g["legal"][t["index_word"][action]] & bit(t["index_bit"][action])) != 0


@inner
def step(g, t, action):
    """Play a legal action index and everything that is forced after it."""
    answer(g, t, t["index_word"][action], t["index_bit"][action])
    play_forced(g, t)
