"""Writing what each seat has into the observation of one seat: pieces, abilities, markers, scores.

A record has what is a seat's side by side, an observation the same thing of all seats: a row. Rows are written in their order,
for each is written with a few entries that belong to the rows behind it.
"""

from __future__ import annotations

from hansa_env.engine.byte_words import WORD, read_word, write_columns
from hansa_env.engine.compile import merged
from hansa_env.engine.rules.scoring import score_base_game
from hansa_env.engine.state import OWNERS
from hansa_env.engine.view.entries import (
    ABILITIES,
    LINKED,
    MARKERS,
    PLATE,
    POSTS,
    PRESTIGE,
    PRESTIGE_SPACES,
    SCORES,
    STOCK,
    SUPPLY,
    USED,
    clear,
    owner_at,
    relative,
    write,
)
from hansa_env.engine.view.observation import MOST
from hansa_env.engine.view.write_modules import observe_all_scores


@merged
def observe_desks(game, tables, seat, out):
    """Every seat's pieces, abilities and markers, its link, prestige spaces and scores as the board stands."""
    at, players = tables["observe"], tables["players"]
    owners = (
        owner_at(tables, 0, seat), owner_at(tables, 1, seat), owner_at(tables, 2, seat), owner_at(tables, 3, seat),
        owner_at(tables, 4, seat),
    )  # fmt: skip
    write_rows(game["supply"], 0, owners, players, out, at[SUPPLY])
    write_rows(game["stock"], 0, owners, players, out, at[STOCK])
    for place in range(OWNERS):
        write(out, at[PRESTIGE] + place, game["prestige"][owners[place]])
    write_rows(game["abilities"], 0, owners, players, out, at[ABILITIES])
    write_rows(game["markers"], 0, owners, players, out, at[MARKERS])
    if tables["num_markers"] > WORD:
        write_rows(game["markers"], WORD, owners, players, out, at[MARKERS] + WORD * players)
    write_rows(game["used"], 0, owners, players, out, at[USED])
    if tables["num_markers"] > WORD:
        write_rows(game["used"], WORD, owners, players, out, at[USED] + WORD * players)
    for place in range(OWNERS):
        write(out, at[PLATE] + place, game["plate"][owners[place]])
    clear(out, at[LINKED], at[POSTS])
    observe_honours(game, tables, seat, out)
    for place in range(players):
        if tables["base_game"]:
            observe_scores(game, tables, owner_at(tables, place, seat), place, out)
        else:
            observe_all_scores(game, tables, owner_at(tables, place, seat), place, out)


@merged
def write_rows(field, first, owners, players, out, entry):
    """Columns of a field (OWNERS, columns) as rows from `entry` on: eight, from `first` on, whether it has so many or not."""
    columns = field.shape[1]
    write_columns(
        out, entry, players,
        read_word(field, columns * owners[0] + first), read_word(field, columns * owners[1] + first),
        read_word(field, columns * owners[2] + first), read_word(field, columns * owners[3] + first),
        read_word(field, columns * owners[4] + first),
    )  # fmt: skip


@merged
def observe_honours(game, tables, seat, out):
    """Who made the link, and who holds the prestige spaces."""
    at, players, spaces = tables["observe"], tables["players"], tables["num_spaces"]
    linked, held = at[LINKED], at[PRESTIGE_SPACES]
    for i in range(OWNERS):
        if game["linked"][i] >= 0:
            write(out, linked + relative(tables, game["linked"][i], seat), i + 1)
    for space in range(spaces):
        if game["prestige_spaces"][space] >= 0:
            write(out, held + players * space + relative(tables, game["prestige_spaces"][space], seat), 1)


@merged
def observe_scores(game, tables, owner, place, out):
    """The scores of a base game."""
    entry, players = tables["observe"][SCORES] + place, tables["players"]
    columns = score_base_game(game, tables, owner)
    for column in range(len(columns)):
        write(out, entry, min(columns[column], MOST))
        entry += players
