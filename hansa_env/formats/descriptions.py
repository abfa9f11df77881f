"""What files, words and pictures say of each question: one row beside its rule.

The row of `hansa_env.engine.questions` has a question's number, names and rule, which are compiled. What is told of it stands
here, so that a phrase can change without compiling anything, and the engine knows neither English nor pictures. A new question
is a row there and a row here: the notation, schemas, position checks, words, pictures and the table's page read them, which
find them by `hansa_env.formats.find_question`.
"""

from __future__ import annotations

from typing import Any

from hansa_env.boards import PERMANENT_MARKERS
from hansa_env.engine import state
from hansa_env.engine.rules.lifted import TO_DROP, TO_FETCHED
from hansa_env.engine.rules.use_markers import MOST_REMOVED
from hansa_env.formats.description import (
    ANYONES,
    DISPLACED,
    FAVOURS,
    MOVED,
    MOVES,
    NEUTRAL,
    OWN,
    PAWN,
    PROMOS,
    REMOVES,
    REMOVING,
    Description,
    Way,
    owner_of_the_displaced,
    owner_of_the_tithe,
    owner_of_the_tribute,
    the_second_seat,
)
from hansa_env.ruleset import PROMO_KINDS

PLACE, LIFT, PUT = ({"trader": word, "merchant": word} for word in ("place", "lift", "put"))
TRADER_OR_MERCHANT = {"trader": "with a trader", "merchant": "with a merchant"}
PAYS = {"trader": "pays a trader", "merchant": "pays a merchant"}
UNUSED = "leaves the permanent marker unused"
VICTIM: dict[str, tuple[str, ...]] = {"": ("piece {route} {text}",)}
SUPPLY: dict[str, tuple[str, ...]] = {"": ("supply {seat} {text}",)}
ANY_PIECE: dict[str, tuple[str, ...]] = {"route": ("pieces {0}",)}
OTHERS_PIECE: dict[str, tuple[str, ...]] = {"route": ("others {0}",)}
ACTION, FREE = "1 action", "no action"
PENALTY, TO_STOCK = "1 piece for a trader, 2 for a merchant", "from your supply to your stock"
LAID = "a trader of your supply stays on it"
DISPLACING = (
    "Put a piece of your supply where another player's stands.", f"You also pay {PENALTY}, {TO_STOCK}."
)  # fmt: skip
DISPLACES = "You displace the {victim} from {route}."
DISPLACED_BY, EXTRA = "seat {turn} displaced {displaced} from {route}.", "put down {extra} from {extra_from}, if you like."
OWED = "You must also put down one more {owed}."
RELOCATING = (
    DISPLACED_BY, "Put it on a free post of {reach}. That costs you nothing.", f"You may also {EXTRA}", OWED
)  # fmt: skip
SETTLED = (
    DISPLACED_BY, "{displaced} is on the board again.", f"You may {EXTRA}", OWED,
    "You took up {raised} to add it. Put it on a free post of {reach}.",
)  # fmt: skip
CLAIMED = (
    "You claimed {claimed}.",
    "Choose one thing that it brings, or nothing. {rest}.",
)
ANSWERED = ("{before}.",)
MAY_USE = "You claimed {maritime}, so you may now use its permanent marker, or not."
TAKEN_UP = "You have taken up {held}. Take {further}, or stop and put down what you hold."
NEAR_THE_PAWN = "Place, displace and claim are allowed only on routes beside the pawn's province."
FROM_SUPPLY = Way("supply {seat} {0}")
INCOME_ORDER = "take income: {brought}"
INCOME = Way("stock {seat} {taken}", "supply {seat} {taken}", "{seat} {taken}")
PAYING = Way("supply {seat} {text}", "stock {seat} {text}", "{seat} {text}")
RELOCATED = Way("{relocated}", "{put_down}", "{owner} {0}")
DEVELOPED = Way("ability {seat} {0}", "supply {seat} {cover}", "{seat} {cover}")
USED: dict[str, tuple[str, ...]] = {kind: (f"marker {{seat}} {kind}",) for kind in ("exchange", "+3", "+4", *PROMO_KINDS)}
USED |= {"remove": ("marker {seat} {removing}",)}
CLAIM = ("route", "marker_taken", "pile_ran_out")
RELOCATION = ("route", "victim", "settled", "remaining", "pile_ran_out")
MOVE_TWO, DEVELOP, GREEN, FROM_ROUTE, ABROAD = PERMANENT_MARKERS


def _of_anyones(
    fetch: int, task: str, things: dict[str, tuple[str, ...]], story: tuple[str, ...], does: str = "", **told: Any
) -> tuple[Description, ...]:
    """Anyone's pieces are taken up, then put down: questions for the lane, for the piece, and for where it goes."""
    return (
        Description(
            fetch, task, {"route": "takes up from {0}", "done": "takes up no more"},
            context=("remaining",), things=things, hand=ANYONES, does=does, story=(*story, TAKEN_UP), **told,
        ),
        Description(
            fetch + TO_FETCHED, "choose the piece to take up", {"": "{piece}"},
            context=("route", "remaining"), things=VICTIM, hand=ANYONES, goes_on=True, staged=" ", ends=True,
            story=("You take it off {route}, and put it on a free post{of_its_country} afterwards.",), **told,
        ),
        Description(
            fetch + TO_DROP, "put down {piece}", {"put": "puts the {0} on {1}"}, PUT, hand=ANYONES,
            story=("It goes to any free post{of_its_country}. Nobody was displaced, so nothing is paid or added.",), **told,
        ),
    )  # fmt: skip


def _tribute(number: int, context: tuple[str, ...], **told: Any) -> Description:
    """The tribute for an office (R13.6)."""
    return Description(
        number, "choose the pieces of the tribute", {"income": "takes a tribute, {merchants}"}, context=context,
        orders={"income": INCOME_ORDER}, story=("An office was founded in {city}, beside a tribute of yours.",),
        trails={"income": INCOME}, asked_of=owner_of_the_tribute, hand=OWN, **told,
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
    orders={"income": INCOME_ORDER},
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
        "": FREE, **dict.fromkeys(("income", "move", "ride"), ACTION), "place": "1 action{blocks}{permission}",
        "displace": "1 action, {penalty}{permission}", "pawn": "no action{ends}",
        "tribute": f"no action; {LAID}", "block": f"no action; {LAID}", "trade-in": "no action; your marker for a used one",
        "claim": "1 action{gains}", "exchange": "no action; swaps two offices side by side",
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
        story=(DISPLACES, f"You also pay {{fee}}, {TO_STOCK}."),
        costs={"": "from your supply"}, trails={"": Way("supply {seat} {text}", "{displacing}", "{seat} {text}")},
    ),
    Description(
        state.ASK_PAY, "pay a penalty piece", PAYS, context=("route", "victim", "remaining"), things=SUPPLY, hand=DISPLACED,
        story=(DISPLACES, "You pay {due}."), costs={"": TO_STOCK}, trails={"": PAYING},
    ),
    Description(
        state.ASK_RELOCATE, "put the displaced piece down", {"put": "puts a {0} on {1}", "done": "puts down no more"},
        PUT, RELOCATION, asked_of=owner_of_the_displaced, hand=DISPLACED,
        task_settled="put down {addition}", task_raised="put down {piece} that you took up",
        story=RELOCATING, story_settled=SETTLED, costs={"put": "costs nothing"}, trails={"put": RELOCATED},
    ),
    Description(
        state.ASK_LAST_RESORT, "take up one of your pieces to put it down as an extra one, or stop",
        {"lift": "takes up a {0} from {1}", "done": "puts down no more"},
        LIFT, RELOCATION, asked_of=owner_of_the_displaced, hand=DISPLACED, last_resort=True,
        story_settled=SETTLED,
    ),
)  # fmt: skip
OTHER_ACTIONS = (
    Description(
        state.ASK_LIFT, "take up a piece to move", {"lift": "lifts a {0} from {1}", "done": "lifts no more"},
        LIFT, ("remaining",), hand=MOVED, staged=": ", ends=True,
        story=(
            "Take {first} of your pieces. Then put each on a free post.",
            TAKEN_UP,
        ),
    ),
    Description(
        state.ASK_PUT, "put a piece down", {"put": "puts a {0} on {1}"}, PUT, hand=MOVED,
        story=("You hold {held}. Put {them} on any free post{of_countries}.",), trails={"put": Way("{lifted}")},
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
            "develop": "{step}; {to_stock}", "prestige": "a merchant of the route, {0} points at the end", "done": "{to_stock}",
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
        state.ASK_REMOVE, "choose the route to remove from", {"route": "removes from {0}", "done": "removes no more"},
        context=("remaining",), things=ANY_PIECE, marker=REMOVING, staged=": ", part=REMOVES,
        story=("You may take {removals} off the roads, whoever they belong to. They go to their owners' supply.",),
        does=f"takes up to {MOST_REMOVED} pieces off the roads",
    ),
    Description(
        state.ASK_REMOVED, "choose the piece to remove", {"": "{piece}"}, context=("route", "remaining"), things=VICTIM,
        story=("You take it off {route}. It goes to its owner's supply.",),
        marker=REMOVING, goes_on=True, staged=" ", ends=True, part=REMOVES,
    ),
    Description(
        state.ASK_MARKER, "lay the new marker on a route", {"route": "lays a new marker on {0}"},
        story=(
            "A marker was taken, so you lay a new one from the pile: on a route without a marker or a piece, beside a city "
            "with a free office.",
        ),
        between_turns=True,
    ),
)  # fmt: skip
TWO_PLAYERS = (
    Description(
        state.ASK_PAWN, "set the pawn up", {"pawn": "sets the pawn up in {0}"}, asked_of=the_second_seat,
        story=("You choose where the pawn begins.", NEAR_THE_PAWN), between_turns=True, part=PAWN,
    ),
    Description(
        state.ASK_RIDE, "choose the province to ride to", {"pawn": "to {0}"}, goes_on=True, staged=" ", part=PAWN,
        story=("This action takes the pawn to any province, however far.", NEAR_THE_PAWN),
    ),
    Description(
        state.ASK_NEUTRAL, "choose the city of the neutral office", {"city": "gives the neutral player an office in {0}"},
        context=RELOCATION, things={"city": ("next-office {0}",)}, hand=DISPLACED, part=NEUTRAL,
        story=("The neutral traders hold {neutral_route}: it is claimed for them.", "You choose the city of their office."),
    ),
)  # fmt: skip
OF_PERMANENT_MARKERS = (
    *_of_anyones(
        state.ASK_FETCH, "take up anybody's piece, or stop", ANY_PIECE,
        (MAY_USE, "Take {first} of anybody's pieces. Then put each on a free post{of_its_country}."), marker=MOVE_TWO,
    ),
    Description(
        state.ASK_PERMANENT, "develop privilege, or not",
        {"develop": "develops {0} by the permanent marker", "done": UNUSED}, trails={"develop": DEVELOPED},
        story=(MAY_USE, "The piece that you take off the track goes to your supply."), costs={"develop": "{step}"},
        marker=DEVELOP,
    ),
    Description(
        state.ASK_GREEN, "choose the green city of an office", {"city": "puts an office into {0}", "done": UNUSED},
        story=(MAY_USE, "A piece of your supply becomes an office in a green city, to the right of all others there."),
        marker=GREEN,
    ),
    Description(
        state.ASK_GREEN_PIECE, "choose the piece that becomes the office", TRADER_OR_MERCHANT, context=("city",), things=SUPPLY,
        story=("The office stands in {city}, to the right of all others. It may be a trader or a merchant.",),
        costs={"": "from your supply"}, marker=GREEN, goes_on=True,
    ),
    Description(
        state.ASK_LAND, "put a piece of the claimed route down",
        {"put": "puts a {0} on {1}", "done": "returns the rest to the stock"}, PUT, ("remaining",),
        story=("You hold {held} of {maritime}.", "You may put {landing} to your stock."),
        trails={"put": Way("{claimed}")}, hand=OWN, marker=FROM_ROUTE,
    ),
)  # fmt: skip
OF_FAVOURS = (
    Description(
        state.ASK_SPEND, "choose a marker to pay with", {"": "for {text}"}, {"marker": ""}, ("remaining",),
        story=("A tile costs two unused markers. They still count at the end, but you can no longer use them.",),
        things={"": ("marker {seat} {text}",)}, goes_on=True, part=FAVOURS,
    ),
    Description(
        state.ASK_TITHE, "take a piece, as another took income, or not",
        {"trader": "takes a trader for it", "merchant": "takes a merchant for it", "done": "takes nothing for it"},
        things=dict.fromkeys(("trader", "merchant"), ("stock {seat} {text}",)),
        story=ANSWERED, asked_of=owner_of_the_tithe, part=FAVOURS,
    ),
)  # fmt: skip
MOVE_THREE = _of_anyones(
    state.ASK_FETCH_OTHERS, "take up another seat's piece", OTHERS_PIECE,
    ("Take {first} of the other seats' pieces. Then put each on a free post{of_its_country}.",),
    f"moves up to {MOST_REMOVED} pieces of others",
    marker=REMOVING, part=MOVES,
)  # fmt: skip
PROMO_MARKERS = (
    Description(
        state.ASK_TRADE_IN, "choose whose used marker to take", {"seat": "with seat {0}"}, {"piece": "seat"},
        story=("That seat gets your marker trade-in, used. You can use what you take at once.",),
        marker="trade-in", goes_on=True, part=PROMOS,
    ),
    Description(
        state.ASK_TRADED, "choose the used marker to take", {"": "for {text}"}, {"marker": ""}, ("partner",),
        story=("You gave your marker trade-in to {partner}. What you take is yours, unused: you can use it at once.",),
        things={"": ("used {partner} {text}",)}, marker="trade-in", goes_on=True, part=PROMOS,
    ),
    Description(
        state.ASK_TOKEN, "choose the route to lay it above", {"route": "above {0}"}, context=("laying",),
        story=("It stays there to the end, with a trader of your supply, and counts among your markers.", "{token}"),
        goes_on=True, part=PROMOS,
    ),
    Description(
        state.ASK_BLOCK_PAYMENT, "pay a piece for the block", PAYS, context=("remaining",), things=SUPPLY,
        story=("You placed a piece beneath a block, so you pay {toll}.",),
        costs={"": TO_STOCK}, trails={"": PAYING}, part=PROMOS,
    ),
    _tribute(state.ASK_TRIBUTE, ("route", "city", "remaining", "pile_ran_out"), part=PROMOS),
    _tribute(state.ASK_GREEN_TRIBUTE, ("city", "remaining"), marker=GREEN),
)  # fmt: skip
SENDING = (
    "You claimed {maritime}. You may put {sending} on free posts of {abroad}, from {extra_from}, without a permission.",
    "You took up {raised}. Put it on a free post of {abroad}.",
)  # fmt: skip
BRITANNIA = (
    Description(
        state.ASK_SEND, "send a piece abroad, or stop", {"put": "sends a {0} to {1}", "done": "sends no more"},
        PUT, ("remaining",), task_raised="send abroad {piece} that you took up", story=SENDING,
        trails={"put": Way("{added}")}, hand=OWN, marker=ABROAD,
    ),
    Description(
        state.ASK_SEND_LIFT, "take up a piece of yours to send it abroad, or stop",
        {"lift": "takes up a {0} from {1}", "done": "sends no more"},
        LIFT, ("remaining",), story=SENDING, hand=OWN, marker=ABROAD, last_resort=True,
    ),
)  # fmt: skip
#: In the order in which published schemas list the names.
DESCRIPTIONS = (
    ACT, *DISPLACEMENT, *OTHER_ACTIONS, *MARKERS, *TWO_PLAYERS, *OF_PERMANENT_MARKERS, *OF_FAVOURS, *MOVE_THREE,
    *PROMO_MARKERS, *BRITANNIA,
)  # fmt: skip
