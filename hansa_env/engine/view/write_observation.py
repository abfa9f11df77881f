"""Writing the observation of one seat (fields: `observation`)."""

from __future__ import annotations

from hansa_env.engine.bits import size
from hansa_env.engine.byte_words import places_of
from hansa_env.engine.compile import inner, merged
from hansa_env.engine.state import OVER
from hansa_env.engine.view.entries import (
    ACTION,
    ACTIONS_LEFT,
    COMPLETED,
    DECIDER,
    FLAGS,
    HAND,
    PAWN,
    PILE_SIZE,
    QUESTION,
    REMAINING,
    SUPPLY,
    TURN,
    UNSEEN,
    VICTIM,
    clear,
    relative,
    write,
)
from hansa_env.engine.view.write_board import observe_board
from hansa_env.engine.view.write_desks import observe_desks
from hansa_env.engine.view.write_modules import observe_modules


@inner
def observe(game, tables, seat, out):
    """Write the observation of `seat` into out (D,) int8."""
    clear(out, 0, tables["observe"][SUPPLY])
    observe_question(game, tables, seat, out)
    observe_unseen(game, tables, out)
    observe_desks(game, tables, seat, out)
    observe_board(game, tables, seat, out)
    if not tables["base_game"]:
        observe_modules(game, tables, seat, out)


@merged
def observe_question(game, tables, seat, out):
    """The question, and the action under way."""
    at = tables["observe"]
    asked = game["asked"]
    write(out, at[QUESTION] + tables["question_entry"][asked], 1)
    if asked != OVER:
        write(out, at[DECIDER] + relative(tables, game["seat"], seat), 1)
    if tables["action_entry"][asked] >= 0:
        write(out, at[ACTION] + tables["action_entry"][asked], 1)
    write(out, at[TURN] + relative(tables, game["turn"], seat), 1)
    write(out, at[ACTIONS_LEFT], game["actions_left"])
    write(out, at[REMAINING], game["remaining"])
    write(out, at[FLAGS], game["settled"])
    write(out, at[FLAGS] + 1, game["acted"])
    write(out, at[FLAGS] + 2, game["pawn_free"])
    write(out, at[FLAGS] + 3, game["pile_ran_out"])
    for kind in range(2):
        write(out, at[HAND] + kind, game["hand"][kind])
    if game["victim_owner"] >= 0:
        write(out, at[VICTIM] + 2 * relative(tables, game["victim_owner"], seat) + game["victim_kind"], 1)
    write(out, at[COMPLETED], game["completed"])
    if game["pawn"] >= 0:
        write(out, at[PAWN] + game["pawn"], 1)


@merged
def observe_unseen(game, tables, out):
    """Of the markers nobody has seen, the kinds all together: those that have been seen are not in the pile."""
    at = tables["observe"]
    write(out, at[PILE_SIZE], tables["pile_size"] - game["drawn"])
    for kind in range(tables["num_markers"]):
        write(out, at[UNSEEN] + kind, size(places_of(game["pile"], kind)))
