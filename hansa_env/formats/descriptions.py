"""What files, words and pictures say of each question: one row beside its rule.

The row of `hansa_env.engine.questions` has a question's number, names and rule, which are compiled. What is told of it stands
here, so that a phrase can change without compiling anything, and the engine knows neither English nor pictures. A new question
is a row there and a row here: the notation, schemas, position checks, words, pictures and the table's page read them.
"""

from __future__ import annotations

from functools import cache

from hansa_env.engine import state
from hansa_env.formats.description import (
    ANYONES,
    DISPLACED,
    MOVED,
    OWN,
    REMOVING,
    Description,
    Way,
    owner_of_the_displaced,
    owner_of_the_tithe,
    owner_of_the_tribute,
    the_second_seat,
)
from hansa_env.ruleset import PROMO_KINDS, Ruleset

OVER = "over"


def _with_pawn(ruleset: Ruleset) -> bool:
    return ruleset.two_players == "pawn"


def _with_neutral(ruleset: Ruleset) -> bool:
    return ruleset.two_players == "neutral"


def _removes_three(ruleset: Ruleset) -> bool:
    return not ruleset.moves_three


def _beside(marker: str) -> str:
    return f"on a board without the permanent marker {marker}"


PLACE, LIFT, PUT = ({"trader": word, "merchant": word} for word in ("place", "lift", "put"))
TRADER_OR_MERCHANT = {"trader": "with a trader", "merchant": "with a merchant"}
PAYS = {"trader": "pays a trader", "merchant": "pays a merchant"}
TAKES_NO_MORE = "takes up no more"
UNUSED = "leaves the permanent marker unused"
VICTIM: dict[str, tuple[str, ...]] = {"": ("piece {route} {text}",)}
SUPPLY: dict[str, tuple[str, ...]] = {"": ("supply {seat} {text}",)}
ANY_PIECE: dict[str, tuple[str, ...]] = {"route": ("pieces {0}",)}
OTHERS_PIECE: dict[str, tuple[str, ...]] = {"route": ("others {0}",)}
ACTION, FREE = "1 action", "no action"
PENALTY = "1 piece for a trader, 2 for a merchant"
TO_STOCK = "every piece of the route to your stock"
DISPLACING = (
    "Put a piece of your supply where another player's stands.", f"You also pay {PENALTY}, from your supply to your stock."
)  # fmt: skip
DISPLACED_BY, EXTRA = "seat {turn} displaced {displaced} from {route}.", "put down {extra} from {extra_from}, if you like."
OWED = "You must also put down one more {owed}."
RELOCATING = (
    DISPLACED_BY, "Put it on a free post of the nearest routes. That costs you nothing.", f"You may also {EXTRA}", OWED
)  # fmt: skip
SETTLED = (
    "put down {addition}", DISPLACED_BY, "{displaced} is on the board again.", f"You may {EXTRA}", OWED
)  # fmt: skip
CLAIMED = (
    "You claimed {claimed}.",
    "Choose one thing that it brings, or nothing. The pieces that this does not use go to your stock.",
)
ANSWERED = ("{before}.",)
FROM_SUPPLY = Way("supply {seat} {0}")
INCOME = Way("stock {seat} {taken}", "supply {seat} {taken}", "{seat} {taken}")
PAYING = Way("supply {seat} {text}", "stock {seat} {text}", "{seat} {text}")
RELOCATED = Way("{relocated}", "{put_down}", "{owner} {0}")
DEVELOPED = Way("ability {seat} {0}", "supply {seat} {cover}", "{seat} {cover}")
USED: dict[str, tuple[str, ...]] = {kind: (f"marker {{seat}} {kind}",) for kind in ("exchange", "+3", "+4", *PROMO_KINDS)}
USED |= {"remove": ("marker {seat} {removing}",)}
CLAIM = ("route", "marker_taken", "pile_ran_out")
RELOCATION = ("route", "victim", "settled", "remaining", "pile_ran_out")
MOVE_TWO, DEVELOP, GREEN, FROM_ROUTE, ABROAD = (
    "move-two", "develop-privilege", "office-in-green-city", "place-two-from-route", "place-two-abroad",
)  # fmt: skip
NO_PROMOS, NO_FAVOURS, MOVED_INSTEAD, REMOVED_INSTEAD = (
    "without promo markers", "without favours", "where pieces are moved instead (R13.3)",
    "where pieces are removed instead (R6.4)",
)  # fmt: skip

ACT = Description(
    state.ASK_ACT, "choose an action",
    phrases={
        "claim": "claims {0}", "develop": "uses the marker upgrade for {0}", "displace": "displaces", "move": "moves",
        "income": "takes income, {merchants}", "exchange": "uses the marker exchange", "remove": "uses the marker {removing}",
        "+3": "uses the marker +3", "+4": "uses the marker +4", "pawn": "moves the pawn to {0}", "ride": "rides",
        "favour": "buys the favour {0}", **{kind: f"uses the marker {kind}" for kind in PROMO_KINDS},
        "place": "places a {0} on {1}", "done": "ends the turn",
    },
    orders={"income": "take income: {brought}"},
    labels={"displace": "displace a piece …", "move": "move pieces …"},
    clicks={
        "place": "a free post to place a piece", "displace": "another player's piece to displace it",
        "move": "one of your own pieces to move it", "claim": "a route that you hold to claim it",
        "pawn": "a province to move the pawn there",
    },
    unlisted=("place", "pawn"),
    words=PLACE | {"route": "claim"},
    things=USED,
    costs={
        "": FREE, **dict.fromkeys(("income", "move", "ride"), ACTION), "place": "1 action{blocks}",
        "displace": "1 action, {penalty}", "claim": "1 action{gains}", "exchange": "no action; swaps two offices side by side",
        "develop": "no action; {step}", "remove": "no action; {removes}", "+3": "no action; 3 more actions",
        "+4": "no action; 4 more actions", "favour": "2 markers and all actions of the turn", "done": "{unused}",
    },
    trails={"place": FROM_SUPPLY, "develop": DEVELOPED, "income": INCOME},
)  # fmt: skip
DISPLACEMENT = (
    Description(
        state.ASK_DISPLACE, "choose the route to displace on", {"route": "on {0}"},
        things=OTHERS_PIECE, story=DISPLACING, goes_on=True, staged=" ",
    ),
    Description(
        state.ASK_VICTIM, "choose the piece to displace", {"": "{piece}"},
        context=("route",), things=VICTIM, story=DISPLACING, costs={"": "{penalty}"}, goes_on=True, staged=" ", ends=True,
    ),
    Description(
        state.ASK_WITH, "choose the piece that takes its place", TRADER_OR_MERCHANT,
        context=("route", "victim"), things=SUPPLY, hand=DISPLACED, goes_on=True,
        story=("You displace the {victim} from {route}.", "You also pay {fee}, from your supply to your stock."),
        costs={"": "from your supply"}, trails={"": Way("supply {seat} {text}", "{displacing}", "{seat} {text}")},
    ),
    Description(
        state.ASK_PAY, "pay a penalty piece", PAYS, context=("route", "victim", "remaining"), things=SUPPLY, hand=DISPLACED,
        story=("You displace the {victim} from {route}.", "You pay {due}."),
        costs={"": "from your supply to your stock"}, trails={"": PAYING},
    ),
    Description(
        state.ASK_RELOCATE, "put the displaced piece down", {"put": "puts a {0} on {1}", "done": "puts down no more"},
        PUT, RELOCATION, asked_of=owner_of_the_displaced, hand=DISPLACED,
        story=RELOCATING, settled=SETTLED, costs={"put": "costs nothing"}, trails={"put": RELOCATED},
    ),
    Description(
        state.ASK_LAST_RESORT, "put the displaced piece down",
        {"lift": "takes up a {0} from {1}", "done": "puts down no more"},
        LIFT, RELOCATION, asked_of=owner_of_the_displaced, hand=DISPLACED, last_resort=True,
        story=RELOCATING, settled=SETTLED,
    ),
)  # fmt: skip
OTHER_ACTIONS = (
    Description(
        state.ASK_LIFT, "take up a piece to move", {"lift": "lifts a {0} from {1}", "done": "lifts no more"},
        LIFT, ("remaining",), hand=MOVED, staged=": ", ends=True,
        story=(
            "Take {first} of your pieces. Then put each on a free post.",
            "You have taken up {held}. Take up {further}, or stop and put down what you hold.",
        ),
    ),
    Description(
        state.ASK_PUT, "put a piece down", {"put": "puts a {0} on {1}"}, PUT, hand=MOVED,
        story=("You hold {held}. Put {them} on any free post.",), trails={"put": Way("{lifted}")},
    ),
    Description(
        state.ASK_REWARD, "choose what the claim brings",
        {
            "office": "takes an office in {0}", "extra": "takes an extra office", "develop": "develops {0}",
            "prestige": "takes the prestige space {0}", "done": "takes no more for it",
        },
        {"city": "office"}, CLAIM, things={"extra": ("marker {seat} extra-office",)}, story=CLAIMED,
        orders={"done": "take nothing"},  # R5.4: one thing at most
        costs={
            "office": "a {space} of the route{coin}", "extra": "a piece of the route and a marker",
            "develop": f"{{step}}; {TO_STOCK}", "prestige": "a merchant of the route, {0} points at the end", "done": TO_STOCK,
        },
        trails={
            "office": Way("route {route}", piece="{seat} {founded}"), "develop": DEVELOPED,
            "prestige": Way("route {route}", piece="{seat} merchant"),
        },
    ),
    Description(
        state.ASK_EXTRA, "choose the city of the extra office", {"city": "in {0}"}, context=CLAIM, story=CLAIMED,
        goes_on=True, staged=" ",
    ),
    Description(
        state.ASK_EXTRA_PIECE, "choose the piece that becomes the extra office", TRADER_OR_MERCHANT,
        context=(*CLAIM, "city"), things={"": ("own {route} {text}", "own {route}:ship {text}")}, goes_on=True,
        story=("You use your marker extra-office in {city}. The office stands left of all others and needs no free space.",),
        costs={"": "of the route"},
    ),
)  # fmt: skip
MARKERS = (
    Description(
        state.ASK_EXCHANGE, "choose the city of the exchange", {"city": "in {0}"}, marker="exchange", goes_on=True, staged=" ",
        story=("Two offices that stand side by side in a city change places. They belong to different players.",),
    ),
    Description(
        state.ASK_PAIR, "choose the offices to swap", {"pair": "swaps the offices {0} and {next}"}, context=("city",),
        things={"pair": ("office {city} {0}", "office {city} {next}")}, marker="exchange", staged=": ", ends=True,
    ),
    Description(
        state.ASK_REMOVE, "choose the route to remove from", {"route": "from {0}", "done": "removes no more"},
        context=("remaining",), things=ANY_PIECE, marker=REMOVING, staged=" ", only=_removes_three, without=MOVED_INSTEAD,
        story=("You may take {removals} off the roads, whoever they belong to. They go to their owners' supply.",),
        does="takes up to 3 pieces off the roads",
    ),
    Description(
        state.ASK_REMOVED, "choose the piece to remove", {"": "{piece}"}, context=("route", "remaining"), things=VICTIM,
        marker=REMOVING, goes_on=True, staged=" ", ends=True, only=_removes_three, without=MOVED_INSTEAD,
    ),
    Description(
        state.ASK_MARKER, "lay the new marker on a route", {"route": "lays a new marker on {0}"},
        story=(
            "You took a marker this turn, so you lay a new one from the pile: on a route without a marker or a piece, beside a "
            "city with a free office.",
        ),
    ),
)  # fmt: skip
TWO_PLAYERS = (
    Description(
        state.ASK_PAWN, "set the pawn up", {"pawn": "sets the pawn up in {0}"}, asked_of=the_second_seat,
        only=_with_pawn, without="without a pawn",
    ),
    Description(
        state.ASK_RIDE, "choose the province to ride to", {"pawn": "to {0}"}, goes_on=True, staged=" ",
        only=_with_pawn, without="without a pawn",
    ),
    Description(
        state.ASK_NEUTRAL, "choose the city of the neutral office", {"city": "gives the neutral player an office in {0}"},
        context=RELOCATION, things={"city": ("next-office {0}",)}, story=ANSWERED, hand=DISPLACED,
        only=_with_neutral, without="without neutral traders",
    ),
)  # fmt: skip
PERMANENT_MARKERS = (
    Description(
        state.ASK_FETCH, "take up anybody's piece, or stop", {"route": "takes up from {0}", "done": TAKES_NO_MORE},
        context=("remaining",), things=ANY_PIECE, hand=ANYONES, marker=MOVE_TWO, without=_beside(MOVE_TWO),
    ),
    Description(
        state.ASK_FETCHED, "choose the piece to take up", {"": "{piece}"}, context=("route", "remaining"), things=VICTIM,
        hand=ANYONES, marker=MOVE_TWO, goes_on=True, staged=" ", ends=True, without=_beside(MOVE_TWO),
    ),
    Description(
        state.ASK_DROP, "put down {piece}", {"put": "puts the {0} on {1}"}, PUT,
        hand=ANYONES, marker=MOVE_TWO, without=_beside(MOVE_TWO),
    ),
    Description(
        state.ASK_PERMANENT, "develop privilege, or not",
        {"develop": "develops {0} by the permanent marker", "done": UNUSED}, trails={"develop": DEVELOPED},
        marker=DEVELOP, without=_beside(DEVELOP),
    ),
    Description(
        state.ASK_GREEN, "choose the green city of an office", {"city": "puts an office into {0}", "done": UNUSED},
        marker=GREEN, without=_beside(GREEN),
    ),
    Description(
        state.ASK_GREEN_PIECE, "choose the piece that becomes the office", TRADER_OR_MERCHANT, context=("city",), things=SUPPLY,
        marker=GREEN, goes_on=True, without=_beside(GREEN),
    ),
    Description(
        state.ASK_LAND, "put a piece of the claimed route down",
        {"put": "puts a {0} on {1}", "done": "returns the rest to the stock"}, PUT, ("remaining",),
        trails={"put": Way("{claimed}")}, hand=OWN, marker=FROM_ROUTE, without=_beside(FROM_ROUTE),
    ),
)  # fmt: skip
OF_FAVOURS = (
    Description(
        state.ASK_SPEND, "choose a marker to pay with", {"": "for {text}"}, {"marker": ""}, ("remaining",),
        things={"": ("marker {seat} {text}",)}, goes_on=True, without=NO_FAVOURS,
    ),
    Description(
        state.ASK_TITHE, "take a piece, as another took income, or not",
        {"trader": "takes a trader for it", "merchant": "takes a merchant for it", "done": "takes nothing for it"},
        things=dict.fromkeys(("trader", "merchant"), ("stock {seat} {text}",)),
        story=ANSWERED, asked_of=owner_of_the_tithe, without=NO_FAVOURS,
    ),
)  # fmt: skip
MOVE_THREE = (
    Description(
        state.ASK_FETCH_OTHERS, "take up another seat's piece", {"route": "takes up from {0}", "done": TAKES_NO_MORE},
        context=("remaining",), things=OTHERS_PIECE, does="moves up to 3 pieces of others",
        hand=ANYONES, marker=REMOVING, without=REMOVED_INSTEAD,
    ),
    Description(
        state.ASK_FETCHED_OTHERS, "choose the piece to take up", {"": "{piece}"}, context=("route", "remaining"), things=VICTIM,
        hand=ANYONES, marker=REMOVING, goes_on=True, staged=" ", ends=True, without=REMOVED_INSTEAD,
    ),
    Description(
        state.ASK_DROP_OTHERS, "put down {piece}", {"put": "puts the {0} on {1}"}, PUT,
        hand=ANYONES, marker=REMOVING, without=REMOVED_INSTEAD,
    ),
)  # fmt: skip
PROMO_MARKERS = (
    Description(
        state.ASK_TRADE_IN, "choose whose used marker to take", {"seat": "with seat {0}"}, {"piece": "seat"},
        marker="trade-in", goes_on=True, without=NO_PROMOS,
    ),
    Description(
        state.ASK_TRADED, "choose the used marker to take", {"": "for {text}"}, {"marker": ""}, ("partner",),
        things={"": ("used {partner} {text}",)}, marker="trade-in", goes_on=True, without=NO_PROMOS,
    ),
    Description(
        state.ASK_TOKEN, "choose the route to lay it above", {"route": "above {0}"}, context=("laying",),
        goes_on=True, without=NO_PROMOS,
    ),
    Description(
        state.ASK_BLOCK_PAYMENT, "pay a piece for the block", PAYS, context=("remaining",), things=SUPPLY,
        costs={"": "from your supply to your stock"}, trails={"": PAYING}, without=NO_PROMOS,
    ),
    Description(
        state.ASK_TRIBUTE, "choose the pieces of the tribute", {"income": "takes a tribute, {merchants}"},
        orders={"income": "take income: {brought}"},
        context=("route", "city", "remaining", "pile_ran_out"), story=ANSWERED, trails={"income": INCOME},
        asked_of=owner_of_the_tribute, hand=OWN, without=NO_PROMOS,
    ),
    Description(
        state.ASK_GREEN_TRIBUTE, "choose the pieces of the tribute", {"income": "takes a tribute, {merchants}"},
        orders={"income": "take income: {brought}"},
        context=("city", "remaining"), story=ANSWERED, trails={"income": INCOME},
        asked_of=owner_of_the_tribute, hand=OWN, marker=GREEN, without=_beside(GREEN),
    ),
)  # fmt: skip
BRITANNIA = (
    Description(
        state.ASK_SEND, "send a piece abroad, or stop", {"put": "sends a {0} to {1}", "done": "sends no more"},
        PUT, ("remaining",), trails={"put": Way("stock {seat} {0}")}, hand=OWN, marker=ABROAD, without=_beside(ABROAD),
    ),
    Description(
        state.ASK_SEND_LIFT, "send a piece abroad, or stop", {"lift": "takes up a {0} from {1}", "done": "sends no more"},
        LIFT, ("remaining",), hand=OWN, marker=ABROAD, last_resort=True, without=_beside(ABROAD),
    ),
)  # fmt: skip
#: In the order in which published schemas list the names.
DESCRIPTIONS = (
    ACT, *DISPLACEMENT, *OTHER_ACTIONS, *MARKERS, *TWO_PLAYERS, *PERMANENT_MARKERS, *OF_FAVOURS, *MOVE_THREE, *PROMO_MARKERS,
    *BRITANNIA,
)  # fmt: skip
#: The names of questions, and that of the end.
NAMES = (*dict.fromkeys(one.name for one in DESCRIPTIONS), OVER)
#: The verbs of actions under way.
VERBS = tuple(dict.fromkeys(one.verb for one in DESCRIPTIONS if one.verb is not None))


@cache
def by_number() -> dict[int, Description]:
    """The rows by number."""
    return {one.number: one for one in DESCRIPTIONS}


@cache
def rows_named(name: str) -> tuple[Description, ...]:
    """The rows of the questions of one name; none for "over"."""
    return tuple(one for one in DESCRIPTIONS if one.name == name)


@cache
def row_within(name: str, verb: str | None) -> Description | None:
    """The row of a question by its name and the verb of the action under way; None where no such action asks it."""
    return next((one for one in rows_named(name) if one.verb == verb), None)


@cache
def phrases_of(name: str) -> dict[str, str]:
    """The phrases of all questions of one name, which agree."""
    return {word: phrase for one in rows_named(name) for word, phrase in one.phrases.items()}


@cache
def goes_on(name: str) -> bool:
    """Whether answers to the questions of a name go on in the sentence of the decision before."""
    return any(one.goes_on for one in rows_named(name))


@cache
def stage_of(name: str) -> Description | None:
    """The row of questions of a name whose answers are offered together with the decision before; None where they are not."""
    return next((one for one in rows_named(name) if one.staged is not None), None)
