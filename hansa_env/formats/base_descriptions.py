"""What is told of the questions of the base game, and the phrases that its rows share with those of `descriptions`."""

from __future__ import annotations

from hansa_env.engine import state
from hansa_env.engine.rules.use_markers import MOST_REMOVED
from hansa_env.formats.description import (
    DISPLACED,
    MOVED,
    REMOVES,
    REMOVING,
    Description,
    Way,
    owner_of_the_displaced,
)
from hansa_env.ruleset import PROMO_KINDS

PLACE, LIFT, PUT = ({"trader": word, "merchant": word} for word in ("place", "lift", "put"))
TRADER_OR_MERCHANT = {"trader": "with a trader", "merchant": "with a merchant"}
PAYS = {"trader": "pays a trader", "merchant": "pays a merchant"}
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
TAKEN_UP = "You have taken up {held}. Take {further}, or stop and put down what you hold."
FROM_SUPPLY = Way("supply {seat} {0}")
INCOME = Way("stock {seat} {taken}", "supply {seat} {taken}", "{seat} {taken}")
PAYING = Way("supply {seat} {text}", "stock {seat} {text}", "{seat} {text}")
RELOCATED = Way("{relocated}", "{put_down}", "{owner} {0}")
DEVELOPED = Way("ability {seat} {0}", "supply {seat} {cover}", "{seat} {cover}")
USED: dict[str, tuple[str, ...]] = {kind: (f"marker {{seat}} {kind}",) for kind in ("exchange", "+3", "+4", *PROMO_KINDS)}
USED |= {"remove": ("marker {seat} {removing}",)}
CLAIM = ("route", "marker_taken", "pile_ran_out")
RELOCATION = ("route", "victim", "settled", "remaining", "pile_ran_out")

ACT = Description(
    state.ASK_ACT, "choose an action",
    phrases={
        "claim": "claims {0}", "develop": "uses the marker upgrade for {0}", "displace": "displaces", "move": "moves",
        "income": "takes income{merchants}", "exchange": "uses the marker exchange", "remove": "uses the marker {removing}",
        "+3": "uses the marker +3", "+4": "uses the marker +4", "pawn": "moves the pawn to {0}", "ride": "rides",
        "favour": "buys the favour {0}", **{kind: f"uses the marker {kind}" for kind in PROMO_KINDS},
        "place": "places a {0} on {1}", "done": "ends the turn",
    },
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
