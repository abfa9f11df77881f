"""The beginning of a game on the board `east` that comes to its permanent markers."""

from __future__ import annotations

from collections.abc import Iterable

from hansa_env import Game, Ruleset

EAST = Ruleset(3, board="east")
#: Seat 0 develops book by Frankfurt–Breslau, so that it has two merchants for the ships of Wismar–Stralsund, and claims it.
TO_FETCH = (
    *["place trader frankfurt/breslau"] * 2,
    *["place trader lubeck/wismar"] * 2,
    *["place trader thorn/krakau"] * 2,
    "place trader frankfurt/breslau", "claim frankfurt/breslau", "develop book",
    "place merchant lubeck/wismar", "place trader malmo/danzig",
    *["place trader breslau/krakau"] * 2,
    *["place merchant wismar/stralsund:ship"] * 2,
    *["place trader belgard/kulm"] * 2,
    *["place trader halle/dresden"] * 2,
    "place trader wismar/stralsund", "claim wismar/stralsund",
)  # fmt: skip
#: Seat 1 claims Malmö–Visby, which has a marker for green cities.
TO_GREEN = (
    *["place trader thorn/krakau"] * 2,
    "place merchant malmo/visby:ship", "place trader malmo/visby",
    *["place trader belgard/kulm"] * 2,
    *["place trader halle/dresden"] * 2,
    "place trader malmo/visby", "claim malmo/visby",
)  # fmt: skip


def played(decisions: Iterable[str], seed: int = 1) -> Game:
    game = Game(EAST, seed=seed)
    for text in decisions:
        game.play(text)
    return game
