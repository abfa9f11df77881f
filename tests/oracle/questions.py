"""The table of questions (notation.md): how each is answered, and what an answer does."""

from . import (
    actions,
    claiming,
    displacement,
    favours,
    fetching,
    markers,
    neutral,
    pawn,
    payment,
    permanent,
    relocation,
    tokens,
    turns,
)


def legal_with(game):
    """Asked for a displacement, an extra office and an office of R9.14c."""
    if "green city" in game.task:
        return permanent.legal_with_for_green(game)
    if "extra city" in game.task:
        return claiming.legal_with_for_extra(game)
    return displacement.legal_with_to_displace(game)


def play_with(game, words):
    if "green city" in game.task:
        permanent.play_with_for_green(game, words)
    elif "extra city" in game.task:
        claiming.play_with_for_extra(game, words)
    else:
        displacement.play_with_to_displace(game, words)


def legal_victim(game):
    """Asked for a displacement, for remove-three and for pieces to move (R9.14a, R13.3)."""
    if "may fetch" in game.task:
        return fetching.legal_victim_to_fetch(game)
    if "removed" in game.task:
        return markers.legal_victim_to_remove(game)
    return displacement.legal_victim_to_displace(game)


def play_victim(game, words):
    if "may fetch" in game.task:
        fetching.play_victim_to_fetch(game, words)
    elif "removed" in game.task:
        markers.play_victim_to_remove(game, words)
    else:
        displacement.play_victim_to_displace(game, words)


def legal_spend(game):
    """Asked for the price of a favour and for the marker of a trade-in."""
    if "trade with" in game.task:
        return tokens.legal_spend_to_trade(game)
    return favours.legal_spend(game)


def play_spend(game, words):
    if "trade with" in game.task:
        tokens.play_spend_to_trade(game, words)
    else:
        favours.play_spend(game, words)


QUESTIONS = {
    "act": (actions.legal_act, actions.play_act),
    "displace": (displacement.legal_displace, displacement.play_displace),
    "victim": (legal_victim, play_victim),
    "with": (legal_with, play_with),
    "pay": (payment.legal_pay, payment.play_pay),
    "relocate": (relocation.legal_relocate, relocation.play_relocate),
    "lift": (actions.legal_lift, actions.play_lift),
    "put": (actions.legal_put, actions.play_put),
    "reward": (claiming.legal_reward, claiming.play_reward),
    "extra": (claiming.legal_extra, claiming.play_extra),
    "exchange": (markers.legal_exchange, markers.play_exchange),
    "pair": (markers.legal_pair, markers.play_pair),
    "remove": (markers.legal_remove, markers.play_remove),
    "marker": (turns.legal_marker, turns.play_marker),
    "pawn": (pawn.legal_setup, pawn.play_setup),
    "ride": (pawn.legal_ride, pawn.play_ride),
    "permanent": (permanent.legal_permanent, permanent.play_permanent),
    "green": (permanent.legal_green, permanent.play_green),
    "land": (permanent.legal_land, permanent.play_land),
    "send": (permanent.legal_send, permanent.play_send),
    "fetch": (fetching.legal_fetch, fetching.play_fetch),
    "drop": (fetching.legal_drop, fetching.play_drop),
    "spend": (legal_spend, play_spend),
    "trade-in": (tokens.legal_trade_in, tokens.play_trade_in),
    "token": (tokens.legal_token, tokens.play_token),
    "tribute": (tokens.legal_tribute, tokens.play_tribute),
    "tithe": (favours.legal_tithe, favours.play_tithe),
    "neutral": (neutral.legal_neutral, neutral.play_neutral),
}
