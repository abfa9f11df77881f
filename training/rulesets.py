"""Rulesets by short names, where one network learns several: `3`, `4/east`, `2/pawn`, `5/missions`; who plays them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hansa_env import Ruleset, make_agent
from hansa_env.boards import board_names
from hansa_env.ruleset import ANY_BOARD, EDITIONS, MODULES, PROMOS, VARIANTS, RulesetError
from hansa_env.ruleset_options import words_apart


def ruleset_named(name: str) -> Ruleset:
    """The ruleset of a name: the number of players, then each word that differs from the default after a slash.

    Raises:
        RulesetError: naming the word that is not known.
    """
    players, *words = name.split("/")
    if not players.isdecimal():
        raise RulesetError(f"{name:.60}: begins with {players[:20]!r}; expected the number of players, as in 4/east")
    options: dict[str, Any] = {"players": int(players)}
    for word in words:
        if word in board_names():
            options["board"] = word
        elif word in EDITIONS:
            options["edition"] = word
        elif word in VARIANTS:
            options["two_players"] = word
        elif word == PROMOS:
            options["pile"] = PROMOS
        elif word in MODULES:
            options[word] = ANY_BOARD if word == "favours" else True
        else:
            known = ", ".join([*board_names(), *EDITIONS, *VARIANTS, *MODULES])
            raise RulesetError(f"{name:.60}: {word[:20]!r} is not known; expected some of {known}")
    return Ruleset(**options)


def name_of(ruleset: Ruleset) -> str:
    """The shortest name of a ruleset; a pile that is fixed has none and is left out."""
    return "/".join([str(ruleset.players), *words_apart(ruleset)])


def those_who_play(specs: Sequence[str], ruleset: Ruleset) -> list[str]:
    """Those of some agents that play a ruleset."""
    return [spec for spec in specs if why_not(spec, ruleset) is None]


def why_not(spec: str, ruleset: Ruleset) -> ValueError | None:
    """The error of an agent that does not play a ruleset."""
    try:
        make_agent(spec, ruleset)
    except ValueError as error:
        return error
    return None
