"""The checked types that records and positions are made of, and the numbers of R1 they are bounded by.

Every number is a whole one: in strict mode true, 2.0 and "2" are refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, Strict

from hansa_env.boards import ABILITIES
from hansa_env.engine.rules.scoring import ALL_COLUMNS, BASE_COLUMNS
from hansa_env.engine.state import END_BY_LIMIT, ENDS_BY_RULE, MOST_TURNS
from hansa_env.engine.tables import ABILITY_VALUES
from hansa_env.formats.errors import CONTROLS, LONGEST_NAME
from hansa_env.formats.find_question import NAMES, VERBS
from hansa_env.ruleset import FAVOURS, MARKER_KINDS, TOKEN_KINDS
from hansa_env.ruleset_options import OPTIONS

SEATS = range(5)
PIECES = tuple(f"{seat}{kind}" for seat in SEATS for kind in "tm")
#: R1.1.
TRADERS, MERCHANTS = 27, 4
_SHOWN = dict(zip(ABILITIES, ABILITY_VALUES))
#: R1.2: pieces that cover each track at the start.
TRACKS = {name: len(values) - 1 for name, values in _SHOWN.items()}
#: R1.2: what the track shows, by pieces removed.
ACTIONS, BOOK = _SHOWN["actions"], _SHOWN["book"]
#: Turns of all seats together: of five players with the highest turn limit.
MOST_TURNS_TOGETHER = len(SEATS) * MOST_TURNS
#: The most prestige a seat can stand at: 19, then both cities of a claimed route (R5.1), a coin (R5.5, R10.2) and the link
#: (R5.7).
MOST_PRESTIGE = 19 + 2 + 2 + 7
#: Points by column: those of the base game, or with what other boards and modules score (`score_columns` of the engine).
FEWEST_COLUMNS, MOST_COLUMNS = len(BASE_COLUMNS), len(ALL_COLUMNS)
#: Five of the track, two markers of +3 and two of +4 (R1.6), and the tile `action` (R12.4).
MOST_ACTIONS = 5 + 2 * 3 + 2 * 4 + 1

if TYPE_CHECKING:  # of a type checker's, a text; of pydantic's and the schemas', one of those that there are
    Question = str
    Verb = str
    Edition = str
    TwoPlayers = str
    Piece = str
    InHand = str
    MarkerKind = str
    Favour = str
    Laid = str
    Token = str
    EndOfGame = str
    EndOfPosition = str
else:
    Question = Literal[NAMES]
    Verb = Literal[VERBS]
    Edition = Literal[OPTIONS["edition"].choices]
    TwoPlayers = Literal[OPTIONS["two_players"].choices]
    Piece = Literal[(*PIECES, "nt")]
    #: A piece in hand: the kind of the one seat's whose hand it is, or seat and kind where anyone's are lifted (R9.14a, R13.3).
    InHand = Literal[("t", "m", *PIECES)]
    MarkerKind = Literal[MARKER_KINDS]
    Favour = Literal[FAVOURS]
    Laid = Literal[TOKEN_KINDS]
    #: A tribute or block above a route, and whose it is (R13.8).
    Token = Literal[tuple(f"{kind} {seat}" for kind in TOKEN_KINDS for seat in SEATS)]
    EndOfGame = Literal[ENDS_BY_RULE]
    EndOfPosition = Literal[(*ENDS_BY_RULE, END_BY_LIMIT)]

Players = Annotated[int, Field(ge=min(OPTIONS["players"].choices), le=max(OPTIONS["players"].choices))]
Seat = Annotated[int, Field(ge=0, le=4)]
Seed = Annotated[int, Field(ge=0, le=2**64 - 1)]
#: Turns of a seat.
TurnLimit = Annotated[int, Field(ge=1, le=MOST_TURNS)]
Count = Annotated[int, Field(ge=0, le=10**12)]
#: Id of a board, city, route or province; whether there is such a one is checked against the board.
Id = Annotated[str, Field(min_length=1, max_length=40)]
#: A decision; the longest of any board in use is well under the limit.
DecisionText = Annotated[str, Field(min_length=1, max_length=80)]
#: Of a choice, or of the win.
Share = Annotated[float, Field(ge=0, le=1)]
#: Of the win, given or taken.
Gain = Annotated[float, Field(ge=-1, le=1)]
#: Of a text that people are shown: no control characters.
PRINTABLE = f"^[^{CONTROLS}]*$"
AgentName = Annotated[str, Field(max_length=LONGEST_NAME, pattern=PRINTABLE)]
AgentSpec = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME, pattern=PRINTABLE)]
#: Of an agent whose games cost hours: the spec of a mixture of many models is long, and is not to be refused afterwards.
LongSpec = Annotated[str, Field(min_length=1, max_length=2**16, pattern=PRINTABLE)]

#: [traders, merchants]. Strict(False) lets a JSON array be read as a tuple; its items stay strict.
Pieces = Annotated[
    tuple[Annotated[int, Field(ge=0, le=TRADERS)], Annotated[int, Field(ge=0, le=MERCHANTS)]],
    Strict(False),
]


Item = TypeVar("Item")
#: A list with one item per seat; its length is compared with `players` later.
PerSeat = Annotated[list[Item], Field(min_length=2, max_length=5)]


class Strictly(BaseModel):
    """Strict types, no fields but those named."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


#: A mission card: its cities as printed; whether there is such a one is checked later.
Card = Annotated[list[Id], Field(min_length=3, max_length=3)]


class Abilities(Strictly):
    """Pieces removed from each track of a desk (R1.2)."""

    keys: Annotated[int, Field(ge=0, le=TRACKS["keys"])]
    actions: Annotated[int, Field(ge=0, le=TRACKS["actions"])]
    privilege: Annotated[int, Field(ge=0, le=TRACKS["privilege"])]
    book: Annotated[int, Field(ge=0, le=TRACKS["book"])]
    bank: Annotated[int, Field(ge=0, le=TRACKS["bank"])]
