"""What is played, and the decisions of a game turn by turn, in words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from hansa_env.boards import PRIVILEGES, SHIP
from hansa_env.engine import state
from hansa_env.engine.tables import ABILITY_VALUES, ALL
from hansa_env.formats.description import Description
from hansa_env.formats.find_question import OVER, goes_on, phrases_of, rows_named
from hansa_env.formats.moves import Followed, Move, Turn, answers_of
from hansa_env.ruleset import PROMOS, Ruleset

#: R12.4: what each Emperor's Favour tile does.
_FAVOURS = {
    "anywhere": "displaced pieces and those added go to any routes{of_displacement}, that of the displacement too",
    "action": "one more action each turn",
    "tithe": "when another seat takes income, one piece may go from stock to supply",
    "escort": "up to 2 pieces may be added to a displaced trader",
    "cities": "4 points instead of 2 for each controlled city at the end",
    "abilities": "7 points instead of 4 for each fully developed ability at the end",
}
#: R9.14: what whoever claims the route of a permanent marker may do.
_PERMANENT_MARKERS = {
    "move-two": "take up to 2 pieces, whoever owns them, and put each on a free post{of_lifting}",
    "develop-privilege": "develop privilege",
    "office-in-green-city": "put a piece of the own supply as an office into a green city, at its right end",
    "place-two-from-route": "put up to 2 of the route's remaining pieces on free posts anywhere, not into the stock",
    "place-two-abroad": "put up to 2 pieces of the own stock on free posts abroad, without a permission",
}
#: R13.6, R13.7: what a token does.
_TOKENS = {
    "tribute": "whenever an office is founded in one of its cities, {0} takes 2 pieces from stock to supply",
    "block": "who places a piece on this route returns another to the stock",
}
_KINDS = {"t": "trader", "m": "merchant"}
#: Why a game is over.
_ENDINGS = {
    "prestige": "{0} prestige were reached",
    "markers": "the pile of markers ran out", "cities": "the cities are complete",
    "stalled": "nobody could play", "truncated": "it was cut off",
}  # fmt: skip


def ruleset_in_words(ruleset: Ruleset) -> str:
    """What is played, without its board: "2 players, first edition, pawn variant, favours"."""
    variant = f", {ruleset.two_players} variant" if ruleset.two_players else ""
    modules = "".join(f", {'promo markers' if name == PROMOS else name}" for name in ruleset.modules)
    return f"{ruleset.players} players, {ruleset.edition} edition{variant}{modules}"


def number_of(count: int, thing: str) -> str:
    """How many there are of a thing whose plural ends in s: "1 game", "2,000 games"."""
    return f"{count:,} {thing}{'s' * (count != 1)}"


def round_after(ruleset: Ruleset, turns: int) -> int:
    """The round, from 1, that is played after so many turns of the game."""
    return turns // ruleset.players + 1


def ability_in_words(ability: int, uncovered: int) -> str:
    """What an ability, by its place in `ABILITIES`, shows when so many places of its track are uncovered beyond the first."""
    value = ABILITY_VALUES[ability][uncovered]
    if ability == state.PRIVILEGE:
        return PRIVILEGES[value]
    return "all" if value == ALL else str(value)


def asked_to(position: Mapping[str, Any]) -> str:
    """What a seat is asked to do in a position, as `position_of` has it."""
    if position["asked"] == OVER:
        return "the game is over"
    action, hand = position["action"] or {}, position["hand"]
    row = _row_of(position)
    task = row.task
    if row.task_raised and holds_raised(position):
        task = row.task_raised
    elif row.task_settled and action.get("settled"):
        task = row.task_settled
    owed = action.get("victim") == "nt"  # D9: nobody may stop before it is down
    return task.format(
        piece=_whose(hand[0]) if hand else "the piece",
        addition="one more neutral trader" if owed else "an extra piece, or stop",
    )


def holds_raised(position: Mapping[str, Any]) -> bool:
    """Whether the piece in hand was taken up for want of others (R4.4, R10.15): the displaced one is down, or there is none."""
    action = position["action"] or {}
    return bool(position["hand"]) and (action.get("settled", False) or action.get("victim") is None)


def _row_of(position: Mapping[str, Any]) -> Description:
    """The row of the question asked; where it is the last resort, its answers lift pieces."""
    rows = rows_named(position["asked"])
    rows = tuple(row for row in rows if row.verb == (position["action"] or {}).get("verb")) or rows
    lifts = any(text.startswith("lift ") for text in position["legal"])
    return next((row for row in rows if row.last_resort == lifts), rows[0])


def tells_the_hand(asked: str) -> bool:
    """Whether what a seat is asked to do names the piece in hand."""
    return any("{piece}" in row.task for row in rows_named(asked))


def permanent_marker_in_words(kind: str, several_countries: bool) -> str:
    """What a permanent marker is for (R9.14), on a board with several countries or with one (R10.12)."""
    of_lifting = " of its country" if several_countries else ""
    return f"permanent marker: who claims this route may {_PERMANENT_MARKERS[kind].format(of_lifting=of_lifting)}"


def token_in_words(kind: str, seat: str) -> str:
    """What a token above a route is for (R13.6, R13.7)."""
    return f"{kind} of seat {seat}: {_TOKENS[kind].format(f'seat {seat}')}"


def favour_in_words(tile: str, several_countries: bool) -> str:
    """What an Emperor's Favour tile is for (R12.4), on a board with several countries or with one (R10.11)."""
    of_displacement = " of that country or England" if several_countries else ""
    return f"favour {tile}: {_FAVOURS[tile].format(of_displacement=of_displacement)}"


def ending_in_words(reason: str | None, prestige_to_end: int) -> str:
    """Why a game is over, as positions name it (R7.1); "" while it runs."""
    return "" if reason is None else _ENDINGS.get(reason, reason).format(prestige_to_end)


def number_of_province(province: str) -> str:
    """The number of a province on maps, by its name in the notation: "1" of "P01"."""
    return province.lstrip("P0")


def province_in_words(province: str, name: str) -> str:
    """A province of the notation, with the number on maps and its name on the board."""
    return f"province {number_of_province(province)}, {name}"


def country_in_words(country: str) -> str:
    """The name of a country, as boards have it."""
    return country.title()


def turn_in_words(ruleset: Ruleset, moves: Sequence[Move], turn: Turn, names: Sequence[str] | None = None) -> str:
    """A turn as a line: "Turn 3, seat 2 (greedy): places a trader on Stade–Hamburg; ...", other seats named.

    Args:
        ruleset: the game that is played.
        moves: its decisions.
        turn: which of them.
        names: of the agents by seat.
    """
    name = f" ({names[turn.active]})" if names else ""
    told = [one for move in moves[turn.first : turn.last] for one in _told_of(ruleset, move)]
    return f"Turn {turn.number}, seat {turn.active}{name}: {_in_a_row(told, turn.active)}"


def move_in_words(ruleset: Ruleset, move: Move) -> str:
    """A decision and what followed it, as they are told of who decided, other seats named."""
    return _in_a_row(_told_of(ruleset, move), move.seat)


def _told_of(ruleset: Ruleset, move: Move) -> list[Followed]:
    """A decision, and what followed it, to be told one after the other."""
    words = decision_in_words(ruleset, move.asked, move.text)
    return [Followed(move.seat, words, goes_on(move.asked), (move.asked, move.text)), *move.then]


def _in_a_row(told: Sequence[Followed], who: int) -> str:
    """The same as one text; of whom it is told is named where that is another than before, who was named already."""
    parts: list[str] = []
    for one in told:
        words = re.sub(rf"\bthe (\w+) of seat {one.seat}\b", r"its own \1", one.words)
        if one.goes_on and parts:
            parts[-1] += f" {words}"
        else:
            parts.append(words if one.seat == who else f"seat {one.seat} {words}")
            who = one.seat
    return "; ".join(parts)


def decision_in_words(ruleset: Ruleset, asked: str, text: str) -> str:
    """A decision of the notation in words, as it goes on from the decisions before it."""
    word, *rest = text.split(" ")
    phrases = phrases_of(asked)
    phrase = phrases.get(word, phrases.get(""))
    if phrase is None:
        return text
    places: dict[str, object] = {"text": text, "removing": ruleset.removing_marker}
    if "{next}" in phrase:
        places["next"] = int(rest[0]) + 1
    if "{merchants}" in phrase:
        places["merchants"] = "" if rest[0] == "0" else f" with {number_of(int(rest[0]), 'merchant')}"
    if "{piece}" in phrase:
        places["piece"] = _whose(text)
    return phrase.format(*(name_in_words(ruleset, part) for part in rest), **places)


def decision_as_order(ruleset: Ruleset, asked: str, text: str) -> str:
    """The same as an order: "place a trader on Stade–Hamburg"."""
    return as_order(decision_in_words(ruleset, asked, text))


def as_order(words: str) -> str:
    """What is told of somebody, told to them: "takes income" as "take income"."""
    first, space, rest = words.partition(" ")
    return (first[:-1] if first.endswith("s") else first) + space + rest


def action_as_order(ruleset: Ruleset, moves: Sequence[tuple[str, str]]) -> str:
    """Decisions of one seat, each the name of its question and its text, as an order: "displace on Stade–Hamburg with a trader,
    then pay a trader"."""
    told = ""
    for asked, text in moves:
        words = decision_in_words(ruleset, asked, text) if told and goes_on(asked) else decision_as_order(ruleset, asked, text)
        if not told:
            told = words
        elif goes_on(asked):
            told += f" {words}"
        else:
            told += f", then {words}" if " " in told else f": {words}"  # "move: lift a trader ..."
    return told


def decision_told_alone(ruleset: Ruleset, moves: Sequence[Move], at: int) -> str:
    """The decision `moves[at]`, as an order that stands alone: "displace on Stade–Hamburg"."""
    first = at
    while first and goes_on(moves[first].asked):
        first -= 1
    order, *rest = answers_of(moves[first : at + 1])
    joined = [decision_in_words(ruleset, *answer) for answer in rest if goes_on(answer[0])]
    return " ".join([decision_as_order(ruleset, *order), *joined])


def name_in_words(ruleset: Ruleset, word: str) -> str:
    """The name of a city or a province; a route or its ship posts by the names of its cities; other words are as they are."""
    board = ruleset.board_data
    names = {city.id: city.name for city in board.cities}
    names |= {province.id: province_in_words(province.id, province.name) for province in board.provinces}
    route, ship, _ = word.partition(SHIP)
    named = "–".join(names.get(part, part) for part in route.split("/"))
    if not ship:
        return named
    ships = next(lane.posts for lane in board.lanes if lane.id == word)
    return f"{'the ship' if ships == 1 else 'a ship'} of {named}"


def _whose(piece: str) -> str:
    """A piece of the notation in words, "0t", or one of a hand, "t"."""
    if len(piece) == 1:
        return f"the {_KINDS[piece]}"
    return f"the {_KINDS[piece[1]]} of {'the neutral player' if piece[0] == 'n' else f'seat {piece[0]}'}"
