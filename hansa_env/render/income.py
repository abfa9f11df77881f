"""The traders of an income, which its decision does not name: it names the merchants, and the game tells the rest (R3.1)."""

from __future__ import annotations

import numpy as np

from hansa_env.engine import state
from hansa_env.engine.questions import question_name
from hansa_env.engine.rules.tributes import PIECES_OF_TRIBUTE
from hansa_env.engine.tables import ABILITY_VALUES
from hansa_env.render.words import as_order, decision_in_words, number_of
from hansa_env.ruleset import Ruleset


def order_in(ruleset: Ruleset, game: np.void, text: str) -> str:
    """A legal decision of a game record as an order, an income with all that it brings: "take income with 3 traders"."""
    return as_order(told_in(ruleset, game, text))


def told_in(ruleset: Ruleset, game: np.void, text: str) -> str:
    """The same, as it is told of somebody: "takes income with 3 traders"."""
    asked, words = question_name(int(game["asked"])), text.split(" ")
    told = decision_in_words(ruleset, asked, text)
    if words[0] != "income":
        return told
    seat, merchants = int(game["seat"]), int(words[1])
    most = ABILITY_VALUES[state.BANK][game["abilities"][seat, state.BANK]] if asked == "act" else PIECES_OF_TRIBUTE
    return f"{told} {traders_of_income(merchants, min(most, int(game['stock'][seat].sum())) - merchants)}".rstrip()


def traders_of_income(merchants: int, traders: int) -> str:
    """How an income goes on that brings traders beside merchants; "" where it brings none."""
    return f"{'and' if merchants else 'with'} {number_of(traders, 'trader')}" if traders else ""
