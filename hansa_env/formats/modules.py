"""The fields of missions (R11) and favours (R12): in which rulesets they are, and whether they are of their form.

They are absent where the module is off; so what a position or a setup says tells which modules are on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from hansa_env.boards.missions import MISSIONS
from hansa_env.formats.errors import listed
from hansa_env.formats.position import CONFIG
from hansa_env.formats.schema import Config, PositionModel, RecordModel, Setup
from hansa_env.ruleset import ANY_BOARD, PROMOS, Ruleset


def modules_of(model: Config) -> dict[str, Any]:
    """The arguments of a ruleset that a position or record says by having the module's fields; a record names its pile."""
    given: Any = model.setup if isinstance(model, RecordModel) else model
    pile = model.pile if isinstance(model, RecordModel) else PROMOS if given.tokens is not None else None
    return _modules(given.missions, given.favours) | {"pile": pile}


def ruleset_of_position(position: Mapping[str, Any]) -> Ruleset:
    """The ruleset of a position that has been let through before."""
    config = {key: position[key] for key in CONFIG} | {"pile": PROMOS if "tokens" in position else None}
    return Ruleset(**config, **_modules(position.get("missions"), position.get("favours")))


def _modules(missions: object, favours: object) -> dict[str, Any]:
    return {"missions": missions is not None, "favours": ANY_BOARD if favours is not None else False}


def position_modules_fit(position: PositionModel, ruleset: Ruleset) -> Iterator[str]:
    """R11.1, R12.1: a known card for who decides, all once the game is over; as many tiles as players."""
    yield from absent_without("missions", position, ruleset.missions)
    yield from absent_without("favours", position, bool(ruleset.favours))
    if position.missions is not None:
        yield from cards_are_dealt("missions", position.missions, ruleset)
        for seat, card in enumerate(position.missions[: ruleset.players]):
            seen = position.asked == "over" or seat == position.seat
            if seen != (card is not None):
                told = "null; expected its card" if seen else "a card; expected null, for only who decides sees his own"
                yield f"missions of seat {seat}: {told} (R11.1)"
    if position.favours is not None:
        if len(position.favours.owned) != ruleset.players:
            yield f"favours owned: {len(position.favours.owned)} seats; expected {ruleset.players}"
        tiles = [*position.favours.display, *(tile for tiles in position.favours.owned for tile in tiles)]
        yield from tiles_are_as_many_as_players("favours", tiles, ruleset)
    if ruleset.favours and position.favour_bought is None:
        yield "field favour_bought is missing; expected true or false with favours"
    yield from absent_without("favour_bought", position, bool(ruleset.favours))


def setup_modules_fit(setup: Setup, ruleset: Ruleset) -> Iterator[str]:
    """R11.1, R12.1: a card for each seat, as many tiles as players; neither where the module is off."""
    for name, wanted, thing in (
        ("missions", ruleset.missions, "the cards of all seats"),
        ("favours", bool(ruleset.favours), "the tiles on display"),
    ):
        yield from (f"setup {problem}" for problem in absent_without(name, setup, wanted))
        if wanted and getattr(setup, name) is None:
            yield f"setup field {name} is missing; expected {thing}"
    if setup.missions is not None:
        yield from cards_are_dealt("setup missions", setup.missions, ruleset)
    if setup.favours is not None:
        yield from tiles_are_as_many_as_players("setup favours", setup.favours, ruleset)


def absent_without(name: str, model: Any, wanted: bool, part: str = "its module") -> Iterator[str]:
    """No such field, not even null, where the part of the game that it belongs to is off."""
    if not wanted and name in model.model_fields_set:
        yield f"field {name} is unknown in a game without {part}; remove it"


def cards_are_dealt(field: str, cards: Collection, ruleset: Ruleset) -> Iterator[str]:
    """R11.1, R11.3: one card a seat, of the nine, each once."""
    if len(cards) != ruleset.players:
        yield f"{field}: {len(cards)} seats; expected {ruleset.players}"
    known = [tuple(card) for card in cards if card is not None]
    strange = [" ".join(card) for card in known if card not in MISSIONS]
    if strange:
        yield f"{field}: {listed(strange)} unknown; expected a card of R11.3, its cities as printed"
    elif len(set(known)) < len(known):
        yield f"{field}: a card is given twice; expected different ones (R11.1)"


def tiles_are_as_many_as_players(field: str, tiles: Collection[str], ruleset: Ruleset) -> Iterator[str]:
    """R12.1: one of each, as many as players."""
    if len(set(tiles)) < len(tiles) or len(tiles) != ruleset.players:
        yield f"{field}: {', '.join(tiles) or 'none'}; expected {ruleset.players} different tiles (R12.1)"
