"""Positions of played games as JSON data."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache

from hansa_env import Game, Ruleset
from tests import promos
from tests.compare import PLAYERS


def played(ruleset: Ruleset, seed: int, player: str, most: int, max_turns: int | None = 100) -> Iterator[tuple[Game, dict]]:
    """Every position of a game, up to so many decisions."""
    rng = random.Random(f"{ruleset} {seed} {player}")
    game = Game(ruleset, seed=seed, max_turns=max_turns)
    while True:
        position = game.position()
        yield game, position
        if game.over or len(game.decisions) >= most:
            return
        game.play(PLAYERS[player](game, position, rng))


#: Games of the pawn, of the neutral traders, of more than two, with permanent markers, in countries, with missions and
#: favours, with promo markers, and with favours and promo markers.
KINDS = {
    "pawn": Ruleset(2, "first"), "neutral": Ruleset(2, "fourth"), "four": Ruleset(4), "east": Ruleset(3, board="east"),
    "favours": Ruleset(3, missions=True, favours=True), "britannia": Ruleset(4, board="britannia-4-5"),
    "promos": promos.PROMOS, "both": Ruleset(3, "bigbox", favours=True, pile="promos"),
}  # fmt: skip
EVERYWHERE = {
    "act", "displace", "victim", "with", "pay", "relocate", "lift", "put", "reward", "remove", "marker", "over",
}  # fmt: skip
#: What is asked in games of each kind; the rarest questions are looked for where they are least rare.
QUESTIONS = {
    "pawn": EVERYWHERE | {"pawn", "ride"},
    "neutral": EVERYWHERE | {"neutral"},
    "four": EVERYWHERE | {"extra", "exchange"},
    "east": EVERYWHERE | {"fetch", "drop", "permanent", "green", "land"},
    "favours": {"act", "relocate", "spend", "tithe", "over"},
    "britannia": {"act", "relocate", "lift", "put", "fetch", "drop", "send"},
    "promos": {"act", "fetch", "drop", "trade-in", "spend", "token", "tribute", "pay"},
    "both": {"act", "spend", "token"},
}


@cache
def texts_by_question(kind: str) -> dict[str, str]:
    """One position per question, as JSON text, from games of a kind of ruleset; from late in a game where one
    can be had."""
    found: dict[str, str] = {}
    for seed in range(40):
        for game, position in promos.played(seed) if kind == "promos" else played(KINDS[kind], seed, "eager", 1500):
            if game.asked not in found or (seed == 0 and len(game.decisions) < 300):
                found[game.asked] = json.dumps(position)
        if found.keys() >= QUESTIONS[kind]:
            return found
    raise AssertionError(f"no {QUESTIONS[kind] - found.keys()} in the games of {kind}")


def sample(kind: str, question: str) -> dict:
    """A position at a question, of one's own to change."""
    return json.loads(texts_by_question(kind)[question])
