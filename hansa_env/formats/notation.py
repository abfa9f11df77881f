"""Decisions as text: `decision_text` and `parse_decision` are inverse (the forms are in `rulebook/notation.md`)."""

from __future__ import annotations

from functools import cache

import numpy as np

from hansa_env.engine.action_space import CITY, KINDS, MARKER, PIECE, ROUTE, kind_and_thing, num_actions, segments
from hansa_env.engine.questions import question_name
from hansa_env.engine.state import OVER, TRADER
from hansa_env.formats.errors import NotationError, shown
from hansa_env.formats.find_question import by_number
from hansa_env.ruleset import PROMO_KINDS, Ruleset

#: The word of a decision by kind of thing, where the question has no other; verbs and pieces stand for themselves.
_WORDS = {"trader": "put", "merchant": "put", "route": "route", "city": "city", "income": "income", "ability": "develop",
          "space": "prestige", "pair": "pair", "province": "pawn", "marker": "marker"}  # fmt: skip
_NEUTRAL = "nt"
KIND_LETTERS = "tm"


def _name_of(ruleset: Ruleset, kind: int, thing: int) -> str:
    """What a decision says behind its word."""
    board = ruleset.board_data
    if kind <= ROUTE:
        lane = board.lanes[thing].id
        return lane if kind == ROUTE else f"{KINDS[kind]} {lane}"
    if kind == CITY:
        return board.cities[thing].id
    if kind == MARKER:
        return ruleset.marker_kinds[thing]
    return {"income": str(thing), "pair": str(thing + 1), "space": str(_space_value(ruleset, thing))}.get(
        KINDS[kind], segments(ruleset)[kind].things[thing]
    )


def _space_value(ruleset: Ruleset, thing: int) -> int | None:
    spaces = ruleset.board_data.prestige_spaces
    return spaces[thing][1] if thing < len(spaces) else None


def piece_text(ruleset: Ruleset, owner: int, kind: int) -> str:
    """A piece: seat and kind ("0t", "2m"), "nt" for a neutral trader."""
    return _NEUTRAL if owner == ruleset.players else f"{owner}{KIND_LETTERS[kind]}"


def piece_of_text(ruleset: Ruleset, text: str) -> tuple[int, int]:
    """Owner and kind of a piece as `piece_text` writes it."""
    return (ruleset.players if text[0] == _NEUTRAL[0] else int(text[0])), KIND_LETTERS.index(text[1])


@cache
def texts_of(ruleset: Ruleset, question: int, seat: int) -> tuple[str, ...]:
    """The text of every action index as an answer of a seat to a question."""
    words = {} if question == OVER else by_number()[question].words
    names_seats = "piece" in words  # R13.5
    texts = []
    for kind, thing in kind_and_thing(ruleset).tolist():
        if kind == PIECE:
            place, kind_of_piece = divmod(thing, 2)
            owner = (seat + place) % ruleset.players if place < ruleset.players else place
            seat_named = names_seats and kind_of_piece == TRADER and owner < ruleset.players
            texts.append(f"{words['piece']} {owner}" if seat_named else piece_text(ruleset, owner, kind_of_piece))
            continue
        word = words.get(KINDS[kind], _WORDS.get(KINDS[kind], ""))
        if kind == MARKER and ruleset.marker_kinds[thing] in PROMO_KINDS:
            word = ""  # at `act` they are used by their names, the others by verbs
        texts.append(f"{word} {_name_of(ruleset, kind, thing)}".lstrip())
    return tuple(texts)


@cache
def _indices(ruleset: Ruleset, question: int, seat: int) -> dict[str, int]:
    return {text: index for index, text in enumerate(texts_of(ruleset, question, seat))}


def decision_text(ruleset: Ruleset, game: np.void, action: int) -> str:
    """What an action index means as an answer to the question the game asks now.

    Raises:
        NotationError: the ruleset has no such index.
    """
    if not 0 <= action < num_actions(ruleset):
        raise NotationError(f"action {action} is outside 0..{num_actions(ruleset) - 1}")
    return texts_of(ruleset, int(game["asked"]), int(game["seat"]))[action]


def parse_decision(ruleset: Ruleset, game: np.void, text: str) -> int:
    """The action index of a decision text, read as an answer to the question the game asks now.

    Raises:
        NotationError: the text names nothing of this ruleset, or not as this question would have it.
    """
    return index_of_text(ruleset, int(game["asked"]), int(game["seat"]), text)


def index_of_text(ruleset: Ruleset, question: int, seat: int, text: str) -> int:
    """The action index of a decision text, read as a seat's answer to a question. Raises `NotationError`."""
    index = _indices(ruleset, question, seat).get(text) if isinstance(text, str) else None
    if index is None:
        raise NotationError(f"{shown(text)} is no decision at the question {question_name(question)!r}")
    return index


def legal_actions(game: np.void) -> list[int]:
    """Indices of the legal decisions, in order."""
    words = np.ascontiguousarray(game["legal"]).view(np.uint8)
    return np.flatnonzero(np.unpackbits(words, bitorder="little")).tolist()


def legal_texts(ruleset: Ruleset, game: np.void) -> list[str]:
    """Texts of the legal decisions, sorted."""
    texts = texts_of(ruleset, int(game["asked"]), int(game["seat"]))
    return sorted([texts[action] for action in legal_actions(game)])
