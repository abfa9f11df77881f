"""Every question of the game: what it offers, and what follows from an answer, side by side.

`offer` fills the legal decisions of the question a game asks, `play` carries out an answer. Both are compiled from the
table, so a question is a row here, a number in `state`, and its two halves among the rules. What files, words and pictures say
of it is a row of `hansa_env.formats.descriptions`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from hansa_env.engine import state
from hansa_env.engine.compile import inlined, inner
from hansa_env.engine.rules import (
    actions,
    claim,
    desk,
    displace,
    favours,
    lifted,
    move_three,
    neutral,
    pawn,
    permanent_markers,
    pieces,
    place,
    promo_markers,
    relocate,
    replacement_markers,
    send,
    tokens,
    tributes,
    turn,
    use_markers,
)
from hansa_env.ruleset import Ruleset


@dataclass(frozen=True)
class Question:
    """A question.

    Attributes:
        number: its value in `asked`.
        name: its name in positions; several questions may share one where an action tells them apart.
        action: the verb of the action under way, None between actions.
        offer: compiled, (game, tables): offers the decisions that are legal.
        play: compiled, (game, tables, kind, thing): carries one out.
        asked_in: whether a ruleset's game may ask it; those of the base game, in all its variants, are in every ruleset.
    """

    number: int
    name: str
    action: str | None
    offer: Callable
    play: Callable
    asked_in: Callable[[Ruleset], bool] = lambda ruleset: True


def _asked_in(asked_in: Callable[[Ruleset], bool], questions: tuple[Question, ...]) -> tuple[Question, ...]:
    """Questions that only some rulesets' games ask."""
    return tuple(replace(question, asked_in=asked_in) for question in questions)


def _with_marker(*names: str) -> Callable[[Ruleset], bool]:
    """Whether the board has one of these permanent markers."""
    return lambda ruleset: any(route.permanent_marker in names for route in ruleset.board_data.routes)


def _with_favours(ruleset: Ruleset) -> bool:
    return bool(ruleset.favours)


def _moves_three(ruleset: Ruleset) -> bool:
    return ruleset.moves_three


def _promos(ruleset: Ruleset) -> bool:
    return ruleset.promos


def _promos_and_green_cities(ruleset: Ruleset) -> bool:
    return ruleset.promos and any(city.green for city in ruleset.board_data.cities)


BASE_GAME = (
    Question(state.ASK_ACT, "act", None, actions.offer_actions, actions.play_action),
    Question(state.ASK_DISPLACE, "displace", "displace", displace.offer_displaced_routes, displace.play_displaced_route),
    Question(state.ASK_VICTIM, "victim", "displace", displace.offer_victims, displace.play_victim),
    Question(state.ASK_WITH, "with", "displace", displace.offer_displacing_pieces, displace.play_displacing_piece),
    Question(state.ASK_PAY, "pay", "displace", desk.offer_supply, displace.play_payment),
    Question(state.ASK_RELOCATE, "relocate", "displace", relocate.offer_relocation, relocate.play_relocation),
    Question(state.ASK_LAST_RESORT, "relocate", "displace", relocate.offer_last_resort, relocate.play_last_resort),
    Question(state.ASK_LIFT, "lift", "move", place.offer_lifts, place.play_lift),
    Question(state.ASK_PUT, "put", "move", place.offer_puts, place.play_put),
    Question(state.ASK_REWARD, "reward", "claim", claim.offer_rewards, claim.play_reward),
    Question(state.ASK_EXTRA, "extra", "claim", claim.offer_extra_office_cities, claim.play_extra_office_city),
    Question(state.ASK_EXTRA_PIECE, "with", "claim", claim.offer_claimed_pieces, claim.play_extra_office),
    Question(state.ASK_EXCHANGE, "exchange", "exchange", use_markers.offer_exchange_cities, use_markers.play_exchange_city),
    Question(state.ASK_PAIR, "pair", "exchange", use_markers.offer_pairs, use_markers.play_pair),
    Question(state.ASK_REMOVE, "remove", "remove", use_markers.offer_removals, use_markers.play_removal_route),
    Question(state.ASK_REMOVED, "victim", "remove", pieces.offer_anyones_pieces, use_markers.play_removed_piece),
    Question(state.ASK_MARKER, "marker", None, replacement_markers.offer_replacement_routes, turn.play_replacement),
    Question(state.ASK_PAWN, "pawn", None, pawn.offer_provinces, pawn.play_pawn_set_up),
    Question(state.ASK_RIDE, "ride", "ride", pawn.offer_provinces, pawn.play_ride),
    Question(state.ASK_NEUTRAL, "neutral", "displace", neutral.offer_neutral_offices, relocate.play_neutral_office),
)
MOVE_TWO = (
    Question(state.ASK_FETCH, "fetch", "permanent", permanent_markers.offer_fetches, lifted.play_fetch),
    Question(state.ASK_FETCHED, "victim", "permanent", pieces.offer_anyones_pieces, lifted.play_fetched_piece),
    Question(state.ASK_DROP, "drop", "permanent", lifted.offer_drops, lifted.play_drop),
)
OF_EAST = (
    Question(state.ASK_PERMANENT, "permanent", "permanent", permanent_markers.offer_choice, permanent_markers.play_choice),
    Question(state.ASK_GREEN, "green", "permanent", permanent_markers.offer_green_cities, permanent_markers.play_green_city),
    Question(state.ASK_GREEN_PIECE, "with", "permanent", desk.offer_supply, permanent_markers.play_green_piece),
    Question(state.ASK_LAND, "land", "permanent", permanent_markers.offer_landings, permanent_markers.play_landing),
)
OF_BRITANNIA = (
    Question(state.ASK_SEND, "send", "permanent", send.offer_sends, send.play_send),
    Question(state.ASK_SEND_LIFT, "send", "permanent", send.offer_lifts_to_send, send.play_lift_to_send),
)
FAVOURS = (
    Question(state.ASK_SPEND, "spend", "favour", favours.offer_payment, favours.play_payment),
    Question(state.ASK_TITHE, "tithe", "income", favours.offer_tithe, favours.play_tithe),
)
MOVE_THREE = (
    Question(state.ASK_FETCH_OTHERS, "fetch", "move-three", move_three.offer_fetches_of_others, lifted.play_fetch),
    Question(state.ASK_FETCHED_OTHERS, "victim", "move-three", move_three.offer_pieces_of_others, lifted.play_fetched_piece),
    Question(state.ASK_DROP_OTHERS, "drop", "move-three", lifted.offer_drops, lifted.play_drop),
)
PROMO_MARKERS = (
    Question(state.ASK_TRADE_IN, "trade-in", "trade-in", promo_markers.offer_partners, promo_markers.play_partner),
    Question(state.ASK_TRADED, "spend", "trade-in", promo_markers.offer_traded_markers, promo_markers.play_traded_marker),
    Question(state.ASK_TOKEN, "token", "token", tokens.offer_token_routes, tokens.play_token),
    Question(state.ASK_BLOCK_PAYMENT, "pay", "place", desk.offer_supply, tokens.play_block_payment),
    Question(state.ASK_TRIBUTE, "tribute", "claim", tributes.offer_tribute, claim.play_tribute),
)
GREEN_TRIBUTE = (
    Question(state.ASK_GREEN_TRIBUTE, "tribute", "permanent", tributes.offer_tribute, permanent_markers.play_green_tribute),
)
QUESTIONS = (
    *BASE_GAME,
    *_asked_in(_with_marker("move-two"), MOVE_TWO),
    *_asked_in(_with_marker("develop-privilege", "office-in-green-city", "place-two-from-route"), OF_EAST),
    *_asked_in(_with_marker("place-two-abroad"), OF_BRITANNIA),
    *_asked_in(_with_favours, FAVOURS),
    *_asked_in(_moves_three, MOVE_THREE),
    *_asked_in(_promos, PROMO_MARKERS),
    *_asked_in(_promos_and_green_cities, GREEN_TRIBUTE),
)

#: Verbs of the base game's actions that take more than one decision, in the order of the observation.
BASE_VERBS = ("displace", "move", "claim", "exchange", "remove", "ride")


def questions_of(ruleset: Ruleset) -> tuple[Question, ...]:
    """The questions of a ruleset's game in order; of the base game, those of its two-player variants too."""
    return tuple(question for question in QUESTIONS if question.asked_in(ruleset))


def action_verbs_of(ruleset: Ruleset) -> tuple[str, ...]:
    """The verbs of the actions that a ruleset's game may have under way, in the order of the observation."""
    others = (question.action for question in questions_of(ruleset) if question.action is not None)
    return tuple(dict.fromkeys((*BASE_VERBS, *others)))


def question_name(number: int) -> str:
    """The name of the question with that number, "over" for the end."""
    return "over" if number == state.OVER else QUESTIONS[number].name


def _dispatcher(half: str, arguments: str, questions: tuple[Question, ...], otherwise: Callable | None = None) -> Callable:
    """A function that goes to the half of the question asked, as a chain of comparisons; or to another such function."""
    lines = [f"def {half}({arguments}):", "    asked = game['asked']"]
    names: dict[str, Callable] = {}
    for question in questions:
        names[f"{half}_{question.number}"] = getattr(question, half)
        lines += [f"    if asked == {question.number}:", f"        return {half}_{question.number}({arguments})"]
    if otherwise is not None:
        names["otherwise"] = otherwise
        lines += [f"    return otherwise({arguments})"]
    exec("\n".join(lines), names)
    return names[half]


def _in_two(half: str, arguments: str) -> Callable:
    """The questions beyond the base game stand apart: with all in one function, a step of a base game takes 9 % longer."""
    beyond = inner(_dispatcher(half, arguments, QUESTIONS[len(BASE_GAME) :]))
    return _dispatcher(half, arguments, BASE_GAME, beyond)


#: `offer` has one caller and is made part of it: another 9 %. `play` has two, and compiling would take more than twice as long.
offer = inlined(_in_two("offer", "game, tables"))
play = inner(_in_two("play", "game, tables, kind, thing"))
