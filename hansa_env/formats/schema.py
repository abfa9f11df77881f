"""What records and positions look like, as pydantic models and as published JSON Schemas.

`PositionModel.model_validate(data)` checks types, ranges and field names only; use `hansa_env.formats.read_position_data`
and `read_record_data`, which also compare the data with its board and the rules. The JSON Schema files in `schemas/` say the
same, but that JSON Schema takes 2.0 for a whole number; after a change `python -m hansa_env.formats.publish` writes them.
"""

from __future__ import annotations

import json
from importlib import resources
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import ConfigDict, Field, Strict, create_model

from hansa_env.engine.state import GATEWAYS, GREEN_SPACES, LIFTED, TOKENS
from hansa_env.formats.field_texts import WithFieldTexts
from hansa_env.formats.fields import (
    FEWEST_COLUMNS,
    MOST_ACTIONS,
    MOST_COLUMNS,
    MOST_PRESTIGE,
    MOST_TURNS_TOGETHER,
    Abilities,
    AgentName,
    Card,
    DecisionText,
    Edition,
    EndOfGame,
    EndOfPosition,
    Favour,
    Gain,
    Id,
    InHand,
    Laid,
    MarkerKind,
    PerSeat,
    Piece,
    Pieces,
    Players,
    Question,
    Seat,
    Seed,
    Share,
    Strictly,
    Token,
    TurnLimit,
    TwoPlayers,
    Verb,
)
from hansa_env.formats.ruleset_fields import MOST_MARKERS, type_where_it_is_on
from hansa_env.ruleset_options import OPTIONS

#: Of a game, also at the table; the longest that random agents played without a turn limit have 15,000.
MOST_DECISIONS = 100_000
MOST_LIKELIEST = 20
MOST_POSTS = 6

Posts = Annotated[list[Piece | None], Field(max_length=MOST_POSTS)]


class Config(Strictly):
    """The game that is played; records and positions share these keys."""

    players: Players
    edition: Edition
    board: Id
    two_players: TwoPlayers | None


#: What every ruleset is said by; other options are modules, which are left out where they are off.
_ALWAYS = Config.model_fields.keys()
if TYPE_CHECKING:
    WholeConfig = Config
else:
    #: The game that is played, with the modules that are on.
    WholeConfig = create_model(
        "WholeConfig",
        __base__=Config,
        **{name: (type_where_it_is_on(option), None) for name, option in OPTIONS.items() if name not in _ALWAYS},
    )


class ActionModel(Strictly):
    """The action in progress; fields that do not belong to the question asked are null, 0 or false."""

    verb: Verb
    route: Id | None
    """Claimed; or displaced, removed or lifted from, then of a ship post the route with ":ship" behind it."""
    city: Id | None
    """Of the exchange, of the office that is being chosen, or of the one that tributes are due for."""
    victim: Piece | None
    """The displaced piece."""
    settled: bool
    """The displaced piece itself lies on the board again, or went to stock."""
    remaining: Annotated[int, Field(ge=0, le=5)]
    """Penalty pieces to pay, further pieces that may be added, pieces still to lift or remove, or tributes due."""
    marker_taken: MarkerKind | None
    """By the claim in progress."""
    partner: Seat | None = None
    """Whose used marker is taken by a trade-in; given with promo markers, and else not."""
    laying: Laid | None = None
    """Which token is being laid; with promo markers and favours, where used ones of the other kind may have paid for a tile."""
    pile_ran_out: bool
    """A replacement was due and the pile was empty."""


Favours = Annotated[list[Favour], Field(max_length=5)]


class FavoursModel(Strictly):
    """Where the Emperor's Favour tiles of the game are (R12)."""

    display: Favours
    owned: PerSeat[Favours]
    """By seat."""


class PositionModel(Config):
    """A position, `hansa-position/2`: all there is, but for the hidden markers."""

    model_config = ConfigDict(serialize_by_alias=True)

    format: Literal["hansa-position/2"]
    seat: Seat | None
    """Who decides; null once the game is over."""
    turn: Seat
    """Whose turn it is, or who ended the game."""
    asked: Question
    actions_left: Annotated[int, Field(ge=0, le=MOST_ACTIONS)]
    posts: dict[Id, Posts]
    """By route: every post but ship posts; null is free."""
    ships: dict[Id, Posts] | None = None
    """By maritime route: every ship post; given on boards with ship posts, and on no other."""
    offices: dict[Id, Annotated[list[Piece | None], Field(max_length=GREEN_SPACES)]]
    """By city: every printed space from the left, null is empty; in a green city every office placed there."""
    extras: dict[Id, Annotated[list[Piece], Field(max_length=5)]]
    """By city: extra offices, the one nearest the printed offices first."""
    route_markers: dict[Id, MarkerKind]
    tokens: dict[Id, Annotated[list[Token], Field(min_length=1, max_length=TOKENS)]] | None = None
    """By route: tributes and blocks above it, in the order laid; given with promo markers, and else not."""
    abilities: PerSeat[Abilities]
    supply: PerSeat[Pieces]
    """By seat: [traders, merchants]."""
    stock: PerSeat[Pieces]
    """By seat: [traders, merchants]."""
    prestige: PerSeat[Annotated[int, Field(ge=0, le=MOST_PRESTIGE)]]
    markers: PerSeat[Annotated[list[MarkerKind], Field(max_length=MOST_MARKERS)]]
    """By seat: markers taken and not used."""
    used: PerSeat[Annotated[list[MarkerKind], Field(max_length=MOST_MARKERS)]]
    plate: PerSeat[Annotated[int, Field(ge=0, le=3)]]
    """By seat: how many replacement markers wait on the plate."""
    pile: Annotated[int, Field(ge=0, le=MOST_MARKERS)]
    discarded: Annotated[list[MarkerKind], Field(max_length=MOST_MARKERS)] | None = None
    """Markers out of the game: discarded by the neutral player (R8.2.3) and, once a rule has ended it, those that lay on
    plates. Only with neutral traders; left out where unknown."""
    prestige_spaces: dict[Id, Seat | None]
    """By value: whose merchant lies there."""
    completed: Annotated[int, Field(ge=0, le=30)]
    linked: Annotated[list[Seat], Field(max_length=5)]
    """Seats that made the link, in order."""
    pawn: Id | None
    missions: PerSeat[Card | None] | None = None
    """By seat: the cities of the card of who decides, null for the others; all when the game is over. Only with missions."""
    favours: FavoursModel | None = None
    """Only with favours."""
    hand: Annotated[list[InHand], Field(max_length=5)]
    """Kinds lifted or displaced, waiting to be put down; seats and kinds in the order lifted where they are anyone's."""
    permissions: Annotated[list[Id], Field(max_length=GATEWAYS)] | None = None
    """Cities whose permission was used this turn (R10.5), sorted; on boards with regions, and on no other."""
    foreign: dict[Id, Pieces] | None = None
    """By region: how many more traders and merchants of a move may be put there (R10.10); given on boards with regions while
    pieces are lifted or put down."""
    origins: Annotated[list[Id], Field(max_length=LIFTED)] | None = Field(None, alias="from")
    """The countries that the pieces in hand were lifted in (R10.12); given on boards with regions where the hand holds anyone's
    pieces, and for one lifted by `relocate` (R10.11)."""
    legal: Annotated[list[DecisionText], Field(max_length=500, fail_fast=True)] | None = None
    """Every legal decision, sorted."""
    reason: EndOfPosition | None
    """Why the game is over; null while it runs."""
    turns: Annotated[int, Field(ge=0, le=MOST_TURNS_TOGETHER)]
    """Turns completed by all seats together."""
    stalled: Annotated[int, Field(ge=0, le=5)]
    """Turns in a row without a possible decision (R7.8)."""
    acted: bool
    """An action was taken this turn."""
    pawn_free: bool | None
    """The free pawn move of this turn is still to be had; null but in the pawn variant."""
    favour_bought: bool | None = None
    """A tile was bought this turn; only with favours."""
    action: ActionModel | None
    """The action in progress; null between actions."""


class Setup(Strictly):
    """Markers, mission cards and favours as they were dealt."""

    markers: Annotated[dict[Id, MarkerKind], Field(min_length=1, max_length=3)]
    """By tavern route."""
    pile: Annotated[list[MarkerKind], Field(max_length=MOST_MARKERS)]
    """First drawn first."""
    missions: PerSeat[Card] | None = None
    """By seat: the three cities of its card; only with missions."""
    favours: Favours | None = None
    """Tiles on display; only with favours."""


Points = Annotated[list[Annotated[int, Field(ge=0, le=1_000)]], Field(min_length=FEWEST_COLUMNS, max_length=MOST_COLUMNS)]


class Result(Strictly):
    """How the game came out; all null while it is not finished."""

    reason: EndOfGame | None
    scores: PerSeat[Points] | None
    """By seat: [track, abilities, markers, prestige_spaces, control, network, total]; beyond the base game nine columns."""
    winners: Annotated[list[Seat], Field(min_length=1, max_length=5)] | None


class EstimateModel(Strictly):
    """What the agent who decided thought before its decision."""

    likeliest: Annotated[
        list[Annotated[tuple[DecisionText, Share, Share | None], Strict(False)]], Field(min_length=1, max_length=MOST_LIKELIEST)
    ]
    """[decision, share of the agent's choice, share of the win expected after it or null] each, the largest share first."""
    value: Share | None
    """The share of the win that the deciding seat may expect; null where the agent has no opinion."""
    seats: PerSeat[Share] | None = None
    """The share of the win that every seat may expect, together 1; left out where the agent has no opinion on all of them."""


class DrawModel(Strictly):
    """Markers of the pile that were seen for the first time."""

    after: Annotated[int, Field(ge=1, le=MOST_DECISIONS)]
    """The number of decisions behind which they were seen."""
    markers: Annotated[list[MarkerKind], Field(min_length=1, max_length=MOST_MARKERS)]
    seats: PerSeat[Gain]
    """What they gave each seat of the win, less the mean of what could have come; together 0."""


class LuckModel(Strictly):
    """The luck of the markers, as an agent judges it."""

    by: AgentName
    """Whose judgement it is, free text."""
    draws: Annotated[list[DrawModel], Field(max_length=MOST_MARKERS)]


class RecordModel(Config):
    """A game, `hansa-record/1`: its setup, every decision that was asked for, and its result."""

    format: Literal["hansa-record/1"]
    pile: Literal["promos"] | Annotated[list[MarkerKind], Field(max_length=MOST_MARKERS)] | None = None
    """What the pile is drawn from, or is made of, where that is not the edition's own (R13.4)."""
    setup: Setup
    seed: Seed | None = None
    """Of the setup; null where unknown."""
    max_turns: TurnLimit | None = None
    """Turns per seat after which the game is cut off. Left out where no limit is known."""
    agents: PerSeat[AgentName] | None = None
    """By seat: who played, free text."""
    decisions: Annotated[
        list[Annotated[tuple[Seat, DecisionText], Strict(False)]], Field(max_length=MOST_DECISIONS, fail_fast=True)
    ]
    """[seat, text] each."""
    estimates: Annotated[list[EstimateModel | None], Field(max_length=MOST_DECISIONS, fail_fast=True)] | None = None
    """By decision; null where nothing is known. Left out, or null, in a record without any."""
    estimated_by: PerSeat[AgentName | None] | None = None
    """By seat: whose the estimates of its decisions are, free text; null where there are none. Left out where unknown."""
    luck: LuckModel | None = None
    """What the markers of the pile gave or took. Left out where nobody judged it."""
    result: Result


#: The models by the `format` they read.
POSITIONS: dict[str, type[PositionModel]] = {"hansa-position/2": PositionModel}
RECORDS: dict[str, type[RecordModel]] = {"hansa-record/1": RecordModel}


def json_schemas() -> dict[str, dict]:
    """The JSON Schema of each format, by file name, as the models say it now."""
    schemas = {}
    for name, model in (POSITIONS | RECORDS).items():
        schema = model.model_json_schema(schema_generator=WithFieldTexts)
        schemas[f"{name.replace('/', '-')}.json"] = {
            "$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": name,
        }  # fmt: skip
    return schemas


def published_schema(format_name: str) -> dict:
    """The JSON Schema of a format ("hansa-record/1") as it is published with the package."""
    file = resources.files(__package__).joinpath("schemas", f"{format_name.replace('/', '-')}.json")
    return json.loads(file.read_text("utf-8"))
