"""Decisions as text: `describe` and `parse` are inverse (the table of questions is in `rulebook/notation.md`)."""

from __future__ import annotations

import numpy as np

from hansa_env.engine import record as rec
from hansa_env.engine.actions import Segment, num_actions, segments
from hansa_env.ruleset import Ruleset

#: The word before the thing, by question, for things whose word is not the same everywhere.
_ON_ROUTE_VERBS = {rec.ASK_ACT: "place", rec.ASK_LIFT: "lift", rec.ASK_PUT: "put"}
_KINDS = ("trader", "merchant")


class NotationError(ValueError):
    """A text is no decision of the ruleset."""


def decision_text(ruleset: Ruleset, game: np.void, action: int) -> str:
    """What an action index means as an answer to the question the game asks now."""
    segment, i = _thing(ruleset, action)
    board, asked = ruleset.board_data, game["asked"]
    if segment.name in _KINDS:
        return f"{_on_route_verb(game)} {segment.name} {board.routes[i].id}"
    if segment.name == "route":
        return f"{'claim' if asked == rec.ASK_ACT else 'route'} {board.routes[i].id}"
    if segment.name == "city":
        return f"{'office' if asked == rec.ASK_REWARD else 'city'} {board.cities[i].id}"
    if segment.name == "piece":
        seat, kind = divmod(i, 2)
        return "nt" if seat == ruleset.players else f"{(seat + game['seat']) % ruleset.players}{'tm'[kind]}"
    if segment.name == "verb":
        return segment.things[i]
    word = {"income": "income", "ability": "develop", "space": "prestige", "pair": "pair", "province": "pawn"}[segment.name]
    return f"{word} {_argument(ruleset, segment, i)}"


def parse_decision(ruleset: Ruleset, game: np.void, text: str) -> int:
    """The action index of a decision text, read as an answer to the question the game asks now.

    Raises:
        NotationError: the text names nothing of this ruleset, or not as this question would have it.
    """
    index = _parse_tables(ruleset).get(text)
    if index is None and len(text) == 2 and text[0].isdigit() and text[1] in "tm" and int(text[0]) < ruleset.players:
        place = (int(text[0]) - int(game["seat"])) % ruleset.players
        index = _segment(ruleset, "piece").start + 2 * place + "tm".index(text[1])
    if index is None or decision_text(ruleset, game, index) != text:
        raise NotationError(f"{text!r} is no decision at the question {rec.QUESTIONS[game['asked']]!r}")
    return index


def legal_actions(ruleset: Ruleset, game: np.void) -> list[int]:
    """Indices of the legal decisions, in order."""
    return [
        segment.start + i
        for segment in segments(ruleset)
        for i in range(len(segment.things))
        if int(game["legal"][segment.word]) >> (segment.bit + i) & 1
    ]


def legal_texts(ruleset: Ruleset, game: np.void) -> list[str]:
    """Texts of the legal decisions, sorted."""
    return sorted(decision_text(ruleset, game, action) for action in legal_actions(ruleset, game))


def _thing(ruleset: Ruleset, action: int) -> tuple[Segment, int]:
    if not 0 <= action < num_actions(ruleset):
        raise NotationError(f"action {action} is outside 0..{num_actions(ruleset) - 1}")
    segment = next(s for s in reversed(segments(ruleset)) if s.start <= action)
    return segment, action - segment.start


def _segment(ruleset: Ruleset, name: str) -> Segment:
    return next(s for s in segments(ruleset) if s.name == name)


def _on_route_verb(game: np.void) -> str:
    if game["asked"] != rec.ASK_RELOCATE:
        return _ON_ROUTE_VERBS.get(int(game["asked"]), "put")
    owner = game["victim_owner"]
    lifting = game["settled"] and not game["hand"].any() and owner == game["seat"]
    if lifting and not game["stock"][owner].any() and not game["supply"][owner].any():  # R4.4
        return "lift"
    return "put"


def _argument(ruleset: Ruleset, segment: Segment, i: int) -> str:
    if segment.name == "income":
        return str(i)
    if segment.name == "space":
        return str(ruleset.board_data.prestige_spaces[i][1])
    if segment.name == "pair":
        return str(i + 1)
    return segment.things[i]


_TABLES: dict[Ruleset, dict[str, int]] = {}


def _parse_tables(ruleset: Ruleset) -> dict[str, int]:
    """Every text of a ruleset but those of seats' pieces, with its index."""
    if ruleset in _TABLES:
        return _TABLES[ruleset]
    board = ruleset.board_data
    texts: dict[str, int] = {}
    for segment in segments(ruleset):
        for i, thing in enumerate(segment.things):
            index = segment.start + i
            if segment.name in _KINDS:
                texts |= {f"{verb} {segment.name} {board.routes[i].id}": index for verb in ("place", "lift", "put")}
            elif segment.name == "route":
                texts |= {f"{verb} {board.routes[i].id}": index for verb in ("claim", "route")}
            elif segment.name == "city":
                texts |= {f"{verb} {board.cities[i].id}": index for verb in ("office", "city")}
            elif segment.name == "verb":
                texts[thing] = index
            elif segment.name == "piece":
                if thing == "neutral trader":
                    texts["nt"] = index
            else:
                word = {"income": "income", "ability": "develop", "space": "prestige", "pair": "pair"}
                texts[f"{word.get(segment.name, 'pawn')} {_argument(ruleset, segment, i)}"] = index
    _TABLES[ruleset] = texts
    return texts
