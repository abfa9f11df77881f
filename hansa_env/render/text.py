"""A game as text, for people at a terminal."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Sequence

import numpy as np

from hansa_env.boards import ENGLAND, PRIVILEGES
from hansa_env.engine import state
from hansa_env.engine.results import ranks_of, scores_of
from hansa_env.engine.tables import ABILITY_VALUES
from hansa_env.formats.missions import DECIDER, cards_seen
from hansa_env.formats.position import position_of
from hansa_env.render.scores import columns_shown
from hansa_env.render.words import ability_in_words, number_of, round_after, ruleset_in_words
from hansa_env.ruleset import Ruleset

LEGEND = (
    "> decides, ' has the turn", "0t = trader of seat 0", "1m = merchant of seat 1", "nt = neutral trader", ". = free post",
    "=0 held or controlled by seat 0 (n: neutral)", "[] office for a trader, () for a merchant",
    "empty: privilege w/o/p/b, * = coin", "{2t} extra offices",
)  # fmt: skip
#: Of boards with ships, and with green cities.
SEA_LEGEND = "~ free ship post, for a merchant; ~1m merchant on it"
GREEN_LEGEND = "green: city without printed spaces, with {extra offices} and then those placed"
#: With promo markers (R13.8).
TOKEN_LEGEND = ("^t0 tribute of seat 0 above a route, ^b1 block of seat 1",)
WIDTH, HEIGHT, LEAST_WIDTH = 100, 64, 80
#: A row of more offices is written without spaces between them.
LONG_ROW = 5
_BRACKETS = (("[", "]"), ("(", ")"))


def render_text(
    ruleset: Ruleset, game: np.void, last: Sequence[tuple[int, str]] = (), width: int = WIDTH, viewer: int = DECIDER
) -> str:  # fmt: skip
    """A game as text, by default of at most 100 columns and then of at most 64 lines.

    Args:
        ruleset: the game that is played.
        game: its record, `HansaBatch.games[i]` or `Game.state`.
        last: decisions to show, as (seat, text), oldest first.
        width: columns, at least LEAST_WIDTH.
        viewer: whose mission cards are seen: a seat's, or as `hansa_env.formats.missions` has it.
    """
    position = _position(ruleset, game, viewer)
    parts = [_head(ruleset, game, position, last, width)]
    for name, count in (_route, len(ruleset.board_data.routes)), (_city, len(ruleset.board_data.cities)):
        parts.append(_columns([name(ruleset, game, position, number) for number in range(count)], width))
    if position["asked"] == "over":
        parts.append(_result(ruleset, game))
    green, tokens = any(city.green for city in ruleset.board_data.cities), TOKEN_LEGEND if ruleset.promos else ()
    more = [*[SEA_LEGEND] * ruleset.board_data.maritime, *[GREEN_LEGEND] * green, *tokens]
    parts.append([*_wrap("", [*LEGEND], width), *(part for line in more for part in textwrap.wrap(line, width))])
    return _joined(parts)


def render_desks(ruleset: Ruleset, game: np.void, width: int = WIDTH, viewer: int = DECIDER) -> str:
    """The same without routes and cities, for where a map shows them."""
    return _joined([_head(ruleset, game, _position(ruleset, game, viewer), (), width)])


def _position(ruleset: Ruleset, game: np.void, viewer: int) -> dict:
    """The position with the mission cards that a viewer sees."""
    position = position_of(ruleset, game)
    return position | {"missions": cards_seen(ruleset, game, viewer)} if ruleset.missions else position


def _joined(parts: Sequence[Sequence[str]]) -> str:
    return "\n".join("\n".join(line.rstrip() for line in part) for part in parts)


def _head(ruleset: Ruleset, game: np.void, position: dict, last: Sequence[tuple[int, str]], width: int) -> list[str]:
    told = _wrap("Last: ", [f"{seat}: {text}" for seat, text in last], width) if last else []
    return [*_heading(ruleset, game, position, width), *told, *_table_line(ruleset, position, width),
            *_desks(ruleset, position, width)]  # fmt: skip


def _heading(ruleset: Ruleset, game: np.void, position: dict, width: int) -> list[str]:
    title = f"Hansa Teutonica, {ruleset_in_words(ruleset)}, board {ruleset.board}"
    lines = textwrap.wrap(f"{title}, round {round_after(ruleset, position['turns'])}", width)
    if position["asked"] == "over":
        reason = "cut off" if position["reason"] == state.END_BY_LIMIT else position["reason"]
        return [*lines, f"GAME OVER: {reason}; ended by seat {position['turn']}"]
    question = f"seat {position['seat']} is asked {position['asked']!r} ({len(position['legal'])} legal decisions)"
    details = [f"Turn of seat {position['turn']}, {number_of(position['actions_left'], 'action')} left: {question}"]
    if game["route"] >= 0:
        details.append(f"route {ruleset.board_data.lanes[game['route']].id}")
    if game["city"] >= 0:
        details.append(f"city {ruleset.board_data.cities[game['city']].id}")
    if ruleset.promos and game["partner"] >= 0:
        details.append(f"trade with seat {game['partner']}")
    if position["hand"]:
        details.append("in hand " + " ".join(position["hand"]))
    if "from" in position:
        details.append(f"from {_list(position['from'])}")
    if "foreign" in position:
        details.append("abroad " + " ".join(f"{country} {t}t {m}m" for country, (t, m) in position["foreign"].items()))
    return [*lines, *_wrap("", details, width, ", ")]


def _table_line(ruleset: Ruleset, position: dict, width: int) -> list[str]:
    board = ruleset.board_data
    spaces = " ".join(
        f"{value}{PRIVILEGES[privilege][0]}:{_seat(position['prestige_spaces'][str(value)])}"
        for privilege, value in board.prestige_spaces
    )
    names = {city.id: city.name for city in board.cities}
    parts = [
        f"Completed cities {position['completed']}/{board.completed_cities_to_end}",
        f"pile {position['pile']}",
        f"{names[board.prestige_city]} table {spaces}",
        f"{board.link_cities[0]}-{board.link_cities[1]} linked by {_list(position['linked'])}",
    ]
    if ruleset.two_players == "pawn":
        parts.append(f"pawn in {position['pawn'] or '-'}")
    if ruleset.favours:
        parts.append(f"favours on display: {', '.join(position['favours']['display']) or 'none'}")
    if board.regions:
        parts += [f"{_letter(one.id)} = {one.id}, permitted by {'/'.join(one.gateways)}" for one in board.regions]
        parts.append(f"used: {_list(position['permissions'])}")
    permanent = [f"{route.id} {route.permanent_marker}" for route in board.routes if route.permanent_marker]
    provinces = [f"{one.id} {one.name}" for one in board.provinces] if ruleset.two_players == "pawn" else []
    lines = _wrap("", parts, width)
    for opening, told in (("Permanent markers ", permanent), ("Provinces ", provinces)):
        lines += _wrap(opening, told, width) if told else []
    return lines


def _desks(ruleset: Ruleset, position: dict, width: int) -> list[str]:
    cell = 13 if width >= WIDTH else 10  # without how far each track is uncovered
    lines = [f"{'seat':6}{'prestige':9}" + "".join(f"{name:{cell}}" for name in state.ABILITIES) + f"{'supply':8}stock"]
    for seat in range(ruleset.players):
        mark = ">" if seat == position["seat"] else " "
        turn = "'" if seat == position["turn"] else " "
        shown = [_ability(i, position["abilities"][seat][name], cell) for i, name in enumerate(state.ABILITIES)]
        pieces = "".join(f"{f'{t}t {m}m':8}" for t, m in (position["supply"][seat], position["stock"][seat]))
        lines.append(f"{mark}{seat}{turn:4}{position['prestige'][seat]:5}    {''.join(shown)}{pieces}")
        markers = [
            f"{word} {_counted(position[field][seat])}"
            for field, word in (("markers", "markers"), ("used", "used"))
            if position[field][seat]
        ]
        if position["plate"][seat]:
            markers.append(f"{position['plate'][seat]} on the plate")
        if ruleset.favours and position["favours"]["owned"][seat]:
            markers.append(f"favours {', '.join(position['favours']['owned'][seat])}")
        if ruleset.missions and position["missions"][seat]:
            markers.append(f"mission {', '.join(position['missions'][seat])}")
        if markers:
            lines += _wrap(" " * 15, markers, width)
    return lines


def _ability(ability: int, uncovered: int, cell: int) -> str:
    of = f" ({uncovered}/{len(ABILITY_VALUES[ability]) - 1})"
    word = ability_in_words(ability, uncovered)
    return f"{word + of if len(word + of) < cell else word:{cell}}"


def _route(ruleset: Ruleset, game: np.void, position: dict, r: int) -> tuple[str, str]:
    route = ruleset.board_data.routes[r]
    posts = " ".join(piece or "." for piece in position["posts"][route.id])
    posts += "".join(f" ~{piece or ''}" for piece in position.get("ships", {}).get(route.id, ()))
    owners = range(ruleset.players + (ruleset.two_players == "neutral"))
    holder = "".join(f" ={_owner(ruleset, o)}" for o in owners if int(game["whole"][o]) >> r & 1)
    marker = f" <{position['route_markers'][route.id]}>" if route.id in position["route_markers"] else ""
    marker += "".join(f" ^{kind[0]}{owner}" for kind, owner in map(str.split, position.get("tokens", {}).get(route.id, ())))
    country = f" {_letter(route.country)}" if ruleset.board_data.regions and route.country != ENGLAND else ""
    return route.id, f"{posts}{holder}{marker}{country}"


def _city(ruleset: Ruleset, game: np.void, position: dict, c: int) -> tuple[str, str]:
    city = ruleset.board_data.cities[c]
    extras = position["extras"].get(city.id, [])
    cells = [f"{{{' '.join(reversed(extras))}}}"] if extras else []  # a later extra lies left of an earlier (R5.2)
    if city.green:
        cells = ["green", *cells, *position["offices"][city.id]]
    for space, piece in zip(city.offices, position["offices"][city.id]):
        opening, closing = _BRACKETS[space.shape]
        empty = PRIVILEGES[space.privilege][0] + "*" * (space.prestige > 0)
        cells.append(f"{opening}{piece or empty}{closing}")
    if any(len(other.offices) > LONG_ROW for other in ruleset.board_data.cities):
        cells = ["".join(cells)]
    control = f" ={_owner(ruleset, game['controller'][c])}" if game["controller"][c] >= 0 else ""
    regions = "".join(f" {_letter(region.id)}" for region in ruleset.board_data.regions if city.id in region.cities)
    return city.name, f"{'/'.join(city.abilities):9} {' '.join(cells)}{control}{regions}"


def _letter(country: str) -> str:
    """How a country beside England is marked."""
    return country[0].upper()


def _result(ruleset: Ruleset, game: np.void) -> list[str]:
    games = state.new_games(1)
    games[0] = game
    scores = scores_of(ruleset, games)
    places = ranks_of(ruleset, games, scores)[0] + 1
    columns = columns_shown(ruleset)
    lines = [f"{'seat':6}{'place':7}" + "".join(f"{name:>{len(name) + 2}}" for name in columns)]
    for seat, row in enumerate(scores[0]):
        points = "".join(f"{row[place]:{len(name) + 2}}" for name, place in columns.items())
        lines.append(f" {seat:<5}{places[seat]:<7}{points}")
    return lines


def _owner(ruleset: Ruleset, owner: int) -> str:
    return "n" if owner == ruleset.players else str(int(owner))


def _seat(seat: int | None) -> str:
    return "-" if seat is None else str(seat)


def _list(seats: Sequence[int | str]) -> str:
    return ", ".join(map(str, seats)) or "nobody"


def _counted(kinds: list[str]) -> str:
    return ", ".join(kind if n == 1 else f"{n} x {kind}" for kind, n in Counter(kinds).items())


def _columns(cells: list[tuple[str, str]], width: int) -> list[str]:
    """Names and what is to be said of them in two columns, read downwards, under a rule; in one where two are too wide."""
    half = (len(cells) + 1) // 2
    left, right = _aligned(cells[:half]), _aligned(cells[half:])
    wide, rule = max(map(len, left)) + 2, "-" * width
    room = width - max(map(len, right))
    if room < wide:
        return [rule, *_aligned(cells)]
    return [rule, *(f"{a:{max(wide, min(width // 2, room))}}{b}" for a, b in zip(left, [*right, ""]))]


def _aligned(cells: list[tuple[str, str]]) -> list[str]:
    longest = max(len(name) for name, _ in cells)
    return [f"{name:{longest}}  {text}".rstrip() for name, text in cells]


def _wrap(opening: str, parts: list[str], width: int, between: str = "; ") -> list[str]:
    """Parts in lines of at most `width` columns, later lines indented as the first."""
    lines = [opening + parts[0]]
    for part in parts[1:]:
        if len(lines[-1]) + len(between) + len(part) <= width:
            lines[-1] += between + part
        else:
            lines.append(" " * len(opening) + part)
    return lines
