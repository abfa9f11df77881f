"""Offices, extra offices, completed cities, the link and the prestige spaces (R5.5-R5.9, R6.2, R6.3)."""

from __future__ import annotations

from collections.abc import Iterator

from hansa_env.engine.rules.favours import FAVOUR_PRICE
from hansa_env.formats.position_on_board import Table, colour

SHAPES = ("a trader", "a merchant")


def offices_are_filled_from_the_left(table: Table) -> Iterator[str]:
    """R5.5: no space is skipped; an exchange (R6.3) moves no empty space."""
    for city, row in table.position.offices.items():
        filled = len(table.offices[city])
        if row[:filled] != table.offices[city]:
            yield f"offices {city}: space {row.index(None) + 1} is empty before a filled one; expected none skipped (R5.5)"


def office_kinds_fit_the_spaces(table: Table) -> Iterator[str]:
    """R5.5: squares take traders, circles merchants; exchanges (R6.3) swap within the city, and a neutral trader takes any
    space (R8.2.3), so that of the filled spaces a kind never has more pieces than spaces."""
    for city, pieces in table.offices.items():
        if table.facts.cities[city].green:  # R9.8: without shapes
            continue
        circles = sum(space.shape for space in table.facts.spaces[city][: len(pieces)])
        merchants = sum(piece[1] == "m" for piece in pieces)
        traders = sum(piece[1] == "t" and piece != "nt" for piece in pieces)
        if merchants > circles:
            yield f"offices {city}: {merchants} merchants on {circles} circle spaces"
        if traders > len(pieces) - circles:
            yield f"offices {city}: {traders} traders on {len(pieces) - circles} square spaces"


def offices_out_of_place_were_exchanged(table: Table) -> Iterator[str]:
    """R5.5, R6.3: an office fits its space in shape and colour (privilege is never lost) where it was founded, and each
    exchange moves two."""
    strange = []
    for city, pieces in table.offices.items():
        for space, piece in zip(table.facts.spaces[city], pieces):
            if piece == "nt":
                continue
            if "tm".index(piece[1]) != space.shape:
                strange.append(f"offices {city}: {piece}; expected {SHAPES[space.shape]}")
            elif table.position.abilities[int(piece[0])].privilege < space.privilege:
                strange.append(f"offices {city}: {piece}; expected a seat with the privilege {colour(space.privilege)}")
    if len(strange) > 2 * table.exchanges:
        yield from (f"{text}, or exchanges to account for it" if table.exchanges else text for text in strange)


def completed_counts_full_cities(table: Table) -> Iterator[str]:
    """A city is completed when its printed spaces are full; extra offices do not count (R5.6), but in green cities, which the
    first office of either kind completes (R9.9)."""
    full = sum(table.completed(city) for city in table.offices)
    green = any(city.green for city in table.facts.cities.values())
    if table.position.completed != full:
        expected = f"{full}, the cities whose printed spaces are all filled"
        yield f"completed: {table.position.completed}; expected {expected}{', and green ones with an office' if green else ''}"


def extra_offices_stand_left_of_others(table: Table) -> Iterator[str]:
    """R6.2: the city held an office before, and the first one of a city is a printed one; but in green cities (R9.7)."""
    for city, pieces in table.position.extras.items():
        if pieces and not table.offices[city] and not table.facts.cities[city].green:
            yield f"extras {city}: {len(pieces)} extra offices; expected none in a city without an office (R6.2)"


def extra_offices_used_markers(table: Table) -> Iterator[str]:
    """R6.2: every extra office used one marker of its owner; while one is being founded, its marker is used already. A used
    one may have been fetched by a trade-in (R13.5)."""
    gone = table.trades
    for seat, used, offices in extra_offices(table):
        gone -= max(0, offices - used)
        if offices > used and gone < 0:
            yield f"used of seat {seat}: {used} extra-office; expected {offices}, one per extra office (R6.2)"


def used_markers_founded_extra_offices(table: Table) -> Iterator[str]:
    """An extra-office marker is used only to found an extra office (R6.2), or to pay for a favour (R12.2)."""
    for seat, used, offices in extra_offices(table):
        paid = FAVOUR_PRICE * len(table.tiles(seat)) - table.spent_tokens(seat)
        if offices < used - paid:
            yield f"used of seat {seat}: {used} extra-office; expected {offices}, one per extra office (R6.2)"


def extra_offices(table: Table) -> Iterator[tuple[int, int, int]]:
    """Per seat: extra-office markers used, and extra offices that stand or are being founded."""
    position = table.position
    founding = position.asked == "extra" or (position.asked == "with" and table.claiming)
    stand = [piece[0] for pieces in position.extras.values() for piece in pieces]
    for seat in table.seats:
        used = position.used[seat].count("extra-office")
        yield seat, used, stand.count(str(seat)) + (founding and seat == position.turn)


def linked_seats_are_different(table: Table) -> Iterator[str]:
    """Each seat scores the link once (R5.7)."""
    linked = table.position.linked
    if len(set(linked)) != len(linked):
        yield f"linked: {linked}; expected every seat once at most (R5.7)"


def linked_seats_are_those_with_a_chain(table: Table) -> Iterator[str]:
    """R5.7: each player scores the link as soon as he has it. No rule takes an office from a city (an exchange stays
    within it), so a chain is never broken again."""
    linked = table.position.linked
    for seat in table.seats:
        if has_chain(table, seat) != (seat in linked):
            expected = "a chain of offices from {} to {} (R5.7)".format(*table.facts.board.link_cities)
            yield (
                f"linked: seat {seat} has no chain; expected {expected}"
                if seat in linked
                else (f"linked: without seat {seat}, which has {expected}")
            )


def has_chain(table: Table, seat: int) -> bool:
    """R5.7: whether a seat's offices hang together from one end of the link to the other."""
    start, end = table.facts.board.link_cities
    cities = table.cities_of(seat)
    if start not in cities or end not in cities:
        return False
    border = [start]
    cities.discard(start)
    while border:
        new = table.facts.neighbours[border.pop()] & cities
        cities -= new
        border.extend(new)
    return end not in cities


def prestige_spaces_need_their_privilege(table: Table) -> Iterator[str]:
    """A seat on a prestige space has the privilege of its colour (R5.9), since privilege is never lost."""
    for value, seat in table.position.prestige_spaces.items():
        needed = table.facts.prestige_spaces[value]
        if seat is not None and table.position.abilities[seat].privilege < needed:
            yield f"prestige_spaces {value}: seat {seat}; expected a seat with the privilege {colour(needed)} (R5.9)"
