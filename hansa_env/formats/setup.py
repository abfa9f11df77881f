"""The `setup` of a record: the markers, mission cards and favours at the beginning."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hansa_env.boards.missions import MISSIONS
from hansa_env.engine import kernels, state
from hansa_env.engine.tables import tables_of
from hansa_env.formats.position import favours_on_display
from hansa_env.formats.without_seed import noise_without_seed
from hansa_env.ruleset import FAVOURS, MARKER_KINDS, Ruleset


def pile_of(ruleset: Ruleset, game: np.void) -> list[str | None]:
    """The kinds of the pile in the order they are drawn, None for those that have been seen."""
    return [MARKER_KINDS[kind] if kind >= 0 else None for kind in game["pile"][: int(tables_of(ruleset)[0]["pile_size"])]]


def setup_of(ruleset: Ruleset, game: np.void) -> dict:
    """The setup of a game record that has just been dealt."""
    routes = ruleset.board_data.routes
    markers = {r.id: MARKER_KINDS[k] for r, k in zip(routes, game["route_marker"]) if k >= 0}
    setup: dict = {"markers": markers, "pile": pile_of(ruleset, game)}
    if ruleset.missions:
        setup["missions"] = missions_of(ruleset, game)
    if ruleset.favours:
        setup["favours"] = favours_on_display(game)
    return setup


def missions_of(ruleset: Ruleset, game: np.void) -> list[list[str]]:
    """The mission card of each seat (R11), hidden ones too."""
    return [list(MISSIONS[card]) for card in game["missions"][: ruleset.players]]


def lay_setup(ruleset: Ruleset, game: np.void, setup: Mapping[str, Any]) -> None:
    """Lay out a setup that `read_record_data` let through; the game has no seed then."""
    kinds = list(MARKER_KINDS)
    game["seed"] = 0
    for i, route in enumerate(ruleset.board_data.routes):
        if route.tavern:
            game["route_marker"][i] = kinds.index(setup["markers"][route.id])
    left = Counter(dict(zip(ruleset.marker_kinds, ruleset.marker_counts)))  # in the box (R13.4)
    left -= Counter([*setup["pile"], *ruleset.start_markers])
    dealt = [kinds.index(kind) for kind in (*setup["pile"], *left.elements())]
    game["pile"][: len(dealt)] = dealt
    if ruleset.missions:
        game["missions"][: ruleset.players] = [MISSIONS.index(tuple(card)) for card in setup["missions"]]
    if ruleset.favours:
        game["favours"] = [state.ON_DISPLAY if tile in setup["favours"] else 0 for tile in FAVOURS]


def games_from_setups(ruleset: Ruleset, setups: Sequence[Mapping[str, Any]], seeds: Sequence[int | None]) -> np.ndarray:
    """Game records (N,) at their first question, without a turn limit, with the noise of their seeds; where one is not known,
    with that of what everybody sees."""
    games, tables = state.new_games(len(setups)), tables_of(ruleset)
    kernels.deal_games(games, tables, np.array([seed or 0 for seed in seeds], np.uint64), 0, 0, len(setups))
    for game, setup in zip(games, setups):
        lay_setup(ruleset, game, setup)
    kernels.begin_games(games, tables, 0, len(setups))
    unknown = np.array([seed is None for seed in seeds], bool)
    if unknown.any():
        games["noise"][unknown] = noise_without_seed(games[unknown])
    return games


def deal_missions_anew(ruleset: Ruleset, game: np.void, random: np.random.Generator, seat: int | None = None) -> None:
    """Deal a mission card to every seat (R11.1) but one that keeps its own."""
    others = [other for other in range(ruleset.players) if other != seat]
    kept = None if seat is None else game["missions"][seat]
    cards = random.permutation([card for card in range(len(MISSIONS)) if card != kept])
    game["missions"][others] = cards[: len(others)]
