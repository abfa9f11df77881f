"""What is played, and the decisions of a game turn by turn, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hansa_env.boards import PRIVILEGES, SHIP
from hansa_env.engine import state
from hansa_env.engine.tables import ABILITY_VALUES, ALL
from hansa_env.ruleset import Ruleset

#: What a seat is asked to do.
_ASKED_TO = {
    "act": "choose an action", "displace": "choose the route to displace on", "victim": "choose the piece to displace",
    "with": "choose the piece that takes its place", "pay": "pay a penalty piece", "relocate": "put the displaced piece down",
    "lift": "take up a piece to move", "put": "put a piece down", "reward": "choose what the claim brings",
    "extra": "choose the city of the extra office", "exchange": "choose the city of the exchange",
    "pair": "choose the offices to swap", "remove": "choose the route to remove from",
    "marker": "lay the new marker on a route", "pawn": "set the pawn up", "ride": "choose the province to ride to",
    "neutral": "choose the city of the neutral office", "fetch": "take up anybody's piece, or stop",
    "drop": "put the piece down", "permanent": "develop privilege, or not", "green": "choose the green city of an office",
    "land": "put a piece of the claimed route down", "spend": "choose a marker to pay with",
    "tithe": "take a piece, as another took income, or not", "trade-in": "choose whose used marker to take",
    "token": "choose the route to lay it above", "tribute": "choose the pieces of the tribute",
    "send": "send a piece abroad, or stop", "over": "the game is over",
}  # fmt: skip
#: The same where several actions ask a question of that name, by the action's verb.
_ASKED_BY = {
    ("with", "claim"): "choose the piece that becomes the extra office",
    ("with", "permanent"): "choose the piece that becomes the office",
    ("victim", "remove"): "choose the piece to remove",
    ("victim", "permanent"): "choose the piece to take up",
    ("victim", "move-three"): "choose the piece to take up",
    ("fetch", "move-three"): "take up another seat's piece",
    ("pay", "place"): "pay a piece for the block",
    ("spend", "trade-in"): "choose the used marker to take",
}
#: Questions whose decisions go on in the sentence of the one before.
GOES_ON = ("displace", "victim", "with", "extra", "exchange", "ride", "trade-in", "spend", "token")
#: What a decision means, by the question and its first word; {0}, {1} stand for the words that follow.
_PHRASES = {
    "act": {
        "income": "takes income, {0} merchants at most", "place": "places a {0} on {1}", "displace": "displaces",
        "move": "moves", "claim": "claims {0}", "exchange": "uses the marker exchange",
        "develop": "uses the marker upgrade for {0}", "+3": "uses the marker +3", "+4": "uses the marker +4",
        "trade-in": "uses the marker trade-in", "tribute": "uses the marker tribute", "block": "uses the marker block",
        "favour": "buys the favour {0}",
        "pawn": "moves the pawn to {0}", "ride": "rides", "done": "ends the turn",
    },
    "displace": {"route": "on {0}"},
    "with": {"trader": "with a trader", "merchant": "with a merchant"},
    "pay": {"trader": "pays a trader", "merchant": "pays a merchant"},
    "relocate": {"put": "puts a {0} on {1}", "lift": "takes up a {0} from {1}", "done": "puts down no more"},
    "lift": {"lift": "lifts a {0} from {1}", "done": "lifts no more"},
    "put": {"put": "puts a {0} on {1}"},
    "reward": {
        "office": "takes an office in {0}", "extra": "takes an extra office", "develop": "develops {0}",
        "prestige": "takes the prestige space {0}", "done": "takes no more for it",
    },
    "extra": {"city": "in {0}"},
    "exchange": {"city": "in {0}"},
    "remove": {"route": "from {0}", "done": "removes no more"},
    "marker": {"route": "lays a new marker on {0}"},
    "pawn": {"pawn": "sets the pawn up in {0}"},
    "ride": {"pawn": "to {0}"},
    "neutral": {"city": "gives the neutral player an office in {0}"},
    "fetch": {"route": "takes up from {0}", "done": "takes up no more"},
    "drop": {"put": "puts the {0} on {1}"},
    "permanent": {"develop": "develops {0} by the permanent marker", "done": "leaves the permanent marker unused"},
    "green": {"city": "puts an office into {0}", "done": "leaves the permanent marker unused"},
    "land": {"put": "puts a {0} on {1}", "done": "returns the rest to the stock"},
    "trade-in": {"seat": "with seat {0}"},
    "token": {"route": "above {0}"},
    "tribute": {"income": "takes a tribute, {0} merchants at most"},
    "tithe": {"trader": "takes a trader for it", "merchant": "takes a merchant for it", "done": "takes nothing for it"},
    "send": {"put": "sends a {0} to {1}", "lift": "takes up a {0} from {1}", "done": "sends no more"},
}  # fmt: skip
#: R12.4: what each Emperor's Favour tile does.
_FAVOURS = {
    "anywhere": "displaced pieces and those added go to any routes, that of the displacement too",
    "action": "one more action each turn",
    "tithe": "when another seat takes income, one piece may go from stock to supply",
    "escort": "up to 2 pieces may be added to a displaced trader",
    "cities": "4 points instead of 2 for each controlled city at the end",
    "abilities": "7 points instead of 4 for each fully developed ability at the end",
}
#: R9.14: what whoever claims the route of a permanent marker may do.
_PERMANENT_MARKERS = {
    "move-two": "take up to 2 pieces, of anybody, from their posts and put each on a free one",
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
    "prestige": "20 prestige were reached", "markers": "the pile of markers ran out", "cities": "the cities are complete",
    "stalled": "nobody could play", "truncated": "it was cut off",
}  # fmt: skip


def ruleset_in_words(ruleset: Ruleset) -> str:
    """What is played, without its board: "2 players, first edition, pawn variant, favours"."""
    variant = f", {ruleset.two_players} variant" if ruleset.two_players else ""
    modules = "".join(f", {name}" for name in ("missions", "favours") if getattr(ruleset, name))
    promos = ", promo markers" if ruleset.promos else ""
    return f"{ruleset.players} players, {ruleset.edition} edition{variant}{modules}{promos}"


def round_after(ruleset: Ruleset, turns: int) -> int:
    """The round, from 1, that is played after so many turns of the game."""
    return turns // ruleset.players + 1


def ability_in_words(ability: int, uncovered: int) -> str:
    """What an ability, by its place in `ABILITIES`, shows when so many places of its track are uncovered beyond the first."""
    value = ABILITY_VALUES[ability][uncovered]
    if ability == state.PRIVILEGE:
        return PRIVILEGES[value]
    return "all" if value == ALL else str(value)


def asked_to(asked: str, verb: str | None = None, hand: Sequence[str] = ()) -> str:
    """What a seat is asked to do at a question, by the verb of the action under way and the hand, as positions have them."""
    if asked == "drop" and hand:
        return f"put down {_whose(hand[0])}"
    return _ASKED_BY.get((asked, verb or ""), _ASKED_TO[asked])


def permanent_marker_in_words(kind: str) -> str:
    """What a permanent marker is for (R9.14)."""
    return f"permanent marker: who claims this route may {_PERMANENT_MARKERS[kind]}"


def token_in_words(kind: str, seat: str) -> str:
    """What a token above a route is for (R13.6, R13.7)."""
    return f"{kind} of seat {seat}: {_TOKENS[kind].format(f'seat {seat}')}"


def favour_in_words(tile: str) -> str:
    """What an Emperor's Favour tile is for (R12.4)."""
    return f"favour {tile}: {_FAVOURS[tile]}"


def ending_in_words(reason: str | None) -> str:
    """Why a game is over, as positions name it; "" while it runs."""
    return "" if reason is None else _ENDINGS.get(reason, reason)


def country_in_words(country: str) -> str:
    """The name of a country, as boards have it."""
    return country.title()


class Move(NamedTuple):
    """A decision: at which turn of the game (from 0), whose turn that is, who decided what at which question."""

    turn: int
    active: int
    seat: int
    asked: str
    text: str


class Turn(NamedTuple):
    """What happens in a turn: its number, from 1, whose it is, and the places of its decisions, first and after the last."""

    number: int
    active: int
    first: int
    last: int


def turns_of(moves: Sequence[Move]) -> Iterator[Turn]:
    """The turns in which decisions were taken."""
    first = 0
    for place in range(1, len(moves) + 1):
        if place == len(moves) or moves[place].turn != moves[first].turn:
            yield Turn(moves[first].turn + 1, moves[first].active, first, place)
            first = place


def turn_in_words(ruleset: Ruleset, moves: Sequence[Move], turn: Turn, names: Sequence[str] | None = None) -> str:
    """A turn as a line: "Turn 3, seat 2 (greedy): places a trader on Stade–Hamburg; ...", other seats named.

    Args:
        ruleset: the game that is played.
        moves: its decisions.
        turn: which of them.
        names: of the agents by seat.
    """
    parts: list[str] = []
    for place in range(turn.first, turn.last):
        move = moves[place]
        words = decision_in_words(ruleset, move.asked, move.text)
        if move.asked in GOES_ON and parts:
            parts[-1] += f" {words}"
        else:
            parts.append(words if move.seat == turn.active else f"seat {move.seat} {words}")
    name = f" ({names[turn.active]})" if names else ""
    return f"Turn {turn.number}, seat {turn.active}{name}: {'; '.join(parts)}"


def decision_in_words(ruleset: Ruleset, asked: str, text: str) -> str:
    """A decision of the notation in words, as it goes on from the decisions before it."""
    verb, *rest = text.split(" ")
    if asked == "victim":
        return _whose(verb)
    if asked == "pair":
        return f"swaps the offices {rest[0]} and {int(rest[0]) + 1}"
    if asked == "spend":
        return f"for {text}"
    if (asked, verb) == ("act", "remove"):
        return f"uses the marker {ruleset.removing_marker}"
    phrase = _PHRASES.get(asked, {}).get(verb)
    return text if phrase is None else phrase.format(*(name_in_words(ruleset, word) for word in rest))


def decision_as_order(ruleset: Ruleset, asked: str, text: str) -> str:
    """The same as an order: "place a trader on Stade–Hamburg"."""
    first, space, rest = decision_in_words(ruleset, asked, text).partition(" ")
    return (first[:-1] if first.endswith("s") else first) + space + rest


def name_in_words(ruleset: Ruleset, word: str) -> str:
    """The name of a city; a route or its ship posts by the names of its cities; other words are as they are."""
    board = ruleset.board_data
    names = {city.id: city.name for city in board.cities}
    route, ship, _ = word.partition(SHIP)
    named = "–".join(names.get(part, part) for part in route.split("/"))
    if not ship:
        return named
    ships = next(lane.posts for lane in board.lanes if lane.id == word)
    return f"{'the ship' if ships == 1 else 'a ship'} of {named}"


def _whose(piece: str) -> str:
    """A piece of the notation in words."""
    return f"the {_KINDS[piece[1]]} of {'the neutral player' if piece[0] == 'n' else f'seat {piece[0]}'}"
