"""What files, words and pictures say of each question: one row beside its rule.

The row of `hansa_env.engine.questions` has a question's number, names and rule, which are compiled. What is told of it stands
here, so that a phrase can change without compiling anything, and the engine knows neither English nor pictures. A new question
is a row there and a row here: the notation, schemas, position checks, words, pictures and the table's page read them, which
find them by `hansa_env.formats.find_question`. The rows of the base game are in `hansa_env.formats.base_descriptions`.
"""

from __future__ import annotations

from typing import Any

from hansa_env.boards import PERMANENT_MARKERS
from hansa_env.engine import state
from hansa_env.engine.rules.lifted import TO_DROP, TO_FETCHED
from hansa_env.engine.rules.use_markers import MOST_REMOVED
from hansa_env.formats.base_descriptions import (
    ACT,
    ANY_PIECE,
    DEVELOPED,
    DISPLACEMENT,
    INCOME,
    LIFT,
    MARKERS,
    OTHER_ACTIONS,
    OTHERS_PIECE,
    PAYING,
    PAYS,
    PUT,
    RELOCATION,
    SUPPLY,
    TAKEN_UP,
    TO_STOCK,
    TRADER_OR_MERCHANT,
    VICTIM,
)
from hansa_env.formats.description import (
    ANYONES,
    DISPLACED,
    FAVOURS,
    MOVES,
    NEUTRAL,
    OWN,
    PAWN,
    PROMOS,
    REMOVING,
    Description,
    Way,
    owner_of_the_tithe,
    owner_of_the_tribute,
    the_second_seat,
)

UNUSED = "leaves the permanent marker unused"
ANSWERED = ("{before}.",)
MAY_USE = "You claimed {maritime}, so you may now use its permanent marker, or not."
NEAR_THE_PAWN = "Place, displace and claim are allowed only on routes beside the pawn's province."
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
        number, "choose the pieces of the tribute", {"income": "takes a tribute{merchants}"}, context=context,
        story=("An office was founded in {city}, beside a tribute of yours.",),
        trails={"income": INCOME}, asked_of=owner_of_the_tribute, hand=OWN, **told,
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
