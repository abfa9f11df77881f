"""Games with promo markers that come soon to their rarer questions: tokens lie, merchants are in stock, markers are used."""

from __future__ import annotations

import random
from collections.abc import Iterator

from hansa_env import Game, Ruleset
from tests.compare import eager

PROMOS = Ruleset(3, "bigbox", board="east", pile="promos")
#: About the green cities and the routes whose permanent markers founds offices there or keeps the route's pieces in hand.
TOKENS = {"belgard/danzig": ["tribute 0", "block 1"], "malmo/danzig": ["tribute 1"]}
TAKEN = {0: ["trade-in", "block"], 1: ["move-three"], 2: []}
USED = {0: [], 1: ["+3", "+4"], 2: ["exchange"]}


def beginning(**changes) -> dict:
    """A position at the first `act`."""
    position = Game(PROMOS, seed=1).position()
    del position["legal"]
    position |= {"tokens": TOKENS, "markers": [TAKEN[seat] for seat in range(3)], "used": [USED[seat] for seat in range(3)]}
    position["pile"] -= 3 + 3 + 3
    for seat in range(3):
        laid = sum(token.endswith(str(seat)) for tokens in TOKENS.values() for token in tokens)
        position["stock"][seat] = [6 - seat - laid, 3]
        position["supply"][seat][0] += 3
        position["abilities"][seat] |= {"book": 3, "privilege": 3}
    return position | changes


def played(seed: int, most: int = 400) -> Iterator[tuple[Game, dict]]:
    """Every position of an eager game from there; claims found offices where they can."""
    rng = random.Random(seed)
    game = Game.from_position(beginning(), seed=seed)
    while True:
        position = game.position()
        yield game, position
        if game.over or len(game.decisions) >= most:
            return
        offices = [text for text in game.legal() if text.startswith("office ")]
        game.play(rng.choice(offices) if offices else eager(game, position, rng))
