"""Final scoring, winners and rewards (R7)."""

from __future__ import annotations

import numpy as np

from hansa_env.engine.bits import different_bytes, sum_of_bytes
from hansa_env.engine.byte_words import WORD, places_of, read_word
from hansa_env.engine.compile import inlined, inner
from hansa_env.engine.rules.countries import region_points
from hansa_env.engine.rules.desk import ability_value, owns_favour
from hansa_env.engine.rules.missions import mission_points
from hansa_env.engine.rules.offices import owner_of
from hansa_env.engine.rules.tokens import tokens_of
from hansa_env.engine.state import ACTIONS, EXTRAS, FOR_ABILITIES, FOR_CITIES, KEYS, KINDS_OF_MARKERS
from hansa_env.ruleset import Ruleset

#: Columns of a score; the base game has none for what only other boards and modules score.
BASE_COLUMNS = ("track", "abilities", "markers", "prestige_spaces", "control", "network", "total")
ALL_COLUMNS = (*BASE_COLUMNS[:-1], "regions", "mission", "total")
NETWORK, TOTAL = BASE_COLUMNS.index("network"), -1
#: How ties are broken, where they are: by the actions shown and offices (R7.9), or the pieces removed and the network (R13.1).
FEWER_ACTIONS, LESS_DEVELOPED = 1, 2

#: Kinds of reward, see `hansa_env.play.batch.HansaBatch`.
REWARDS = ("win", "rank", "margin")
BY_WIN, BY_RANK, BY_MARGIN = range(3)
MARGIN_SCALE = 50.0

FULL_ABILITY, WITH_FAVOUR = 4, 7  # R7.3, R12.4
CONTROLLED_CITY, CITY_WITH_FAVOUR = 2, 4  # R7.6, R12.4
_BEHIND = KINDS_OF_MARKERS - WORD  # kinds of markers that the first word does not hold
_TRACKS, _ALL_BUT_KEYS = 5, 0xFF_FFFF_FF00  # bytes of a word that begins with a seat's abilities
_MARKER_POINTS = np.array([0, 1, 3, 3, 6, 6, 10, 10, 15, 15, 21], np.int64)
MARKERS_SCORED = len(_MARKER_POINTS) - 1  # R7.4: those above bring no further points


def score_columns(ruleset: Ruleset) -> tuple[str, ...]:
    """The columns of the scores of a ruleset's games."""
    return BASE_COLUMNS if ruleset.base_game else ALL_COLUMNS


@inner
def marker_points(taken):
    """Points for a number of markers taken, used or not (R6.1, R7.4)."""
    return _MARKER_POINTS[min(taken, MARKERS_SCORED)]


@inner
def markers_taken(game, seat):
    """How many markers a seat has taken, used or not (R7.4); those laid above routes are tokens (R13.8)."""
    first = seat * KINDS_OF_MARKERS
    taken = read_word(game["markers"], first) + read_word(game["used"], first)
    behind = read_word(game["markers"], first + _BEHIND) + read_word(game["used"], first + _BEHIND)
    return sum_of_bytes(taken + (behind >> 8 * (WORD - _BEHIND)))


@inner
def full_abilities(game, tables, seat):
    """How many abilities except keys are fully developed (R7.3)."""
    tracks = read_word(game["abilities"], seat * _TRACKS) & _ALL_BUT_KEYS
    return _TRACKS - 1 - different_bytes(tracks, tables["full_tracks"])


@inner
def prestige_space_points(game, tables, seat):
    """Points for the seat's merchants on the prestige spaces (R7.5)."""
    return tables["points_of_spaces"][places_of(game["prestige_spaces"], seat)]


@inlined
def score_base_game(game, tables, seat):
    """R7.2-R7.7 as the board stands: the columns of BASE_COLUMNS of one seat."""
    track = np.int64(game["prestige"][seat])
    abilities = FULL_ABILITY * full_abilities(game, tables, seat)
    markers = marker_points(markers_taken(game, seat))
    spaces = prestige_space_points(game, tables, seat)
    control = CONTROLLED_CITY * np.int64(game["controlled"][seat])
    network = np.int64(game["network"][seat] * ability_value(game, tables, seat, KEYS))  # R7.7
    return track, abilities, markers, spaces, control, network, track + abilities + markers + spaces + control + network


@inner
def score_with_modules(game, tables, seat):
    """R7.2-R7.7, R10.16, R11.2, R12.4, R13.8 as the board stands: the columns of ALL_COLUMNS of one seat."""
    track, abilities, _, spaces, control, network, _ = score_base_game(game, tables, seat)
    if tables["favours"] and owns_favour(game, seat, FOR_ABILITIES):
        abilities = WITH_FAVOUR * full_abilities(game, tables, seat)
    if tables["favours"] and owns_favour(game, seat, FOR_CITIES):
        control = CITY_WITH_FAVOUR * np.int64(game["controlled"][seat])
    markers = marker_points(markers_taken(game, seat) + tokens_of(game, seat))
    regions, mission = region_points(game, tables, seat), mission_points(game, tables, seat)
    total = track + abilities + markers + spaces + control + network + regions + mission
    return track, abilities, markers, spaces, control, network, regions, mission, total


@inner
def spread(tables, scores):
    """The totals go to the last column, and what stands between them and the others is 0."""
    for seat in range(tables["players"]):
        scores[seat, TOTAL] = scores[seat, NETWORK + 1]
        for column in range(NETWORK + 1, scores.shape[1] - 1):
            scores[seat, column] = 0


@inlined
def score(game, tables, scores):
    """The scores as the board stands, into scores (at least `players` rows, K): columns as `score_columns` names them, or all
    of ALL_COLUMNS, with 0 in those that the game does not have."""
    if tables["base_game"]:
        for seat in range(tables["players"]):
            columns = score_base_game(game, tables, seat)
            for column in range(len(columns)):
                scores[seat, column] = columns[column]
        if scores.shape[1] > len(BASE_COLUMNS):
            spread(tables, scores)
    else:
        for seat in range(tables["players"]):
            all_columns = score_with_modules(game, tables, seat)
            for column in range(len(all_columns)):
                scores[seat, column] = all_columns[column]


@inner
def offices_on_board(game, tables, seat):
    """Printed and extra offices of a seat."""
    count = 0
    for space in range(tables["num_offices"]):
        count += owner_of(game["offices"][space]) == seat
    for i in range(EXTRAS):
        count += owner_of(game["extra_piece"][i]) == seat
    return count


@inner
def standing(game, tables, scores, seat):
    """R7.9, R13.1: a number that orders the seats: points, then by the edition fewer actions and more offices, or fewer
    pieces removed from the actions track and more points for the network."""
    order = np.int64(scores[seat, TOTAL]) * 10_000
    if tables["ties_broken"] == FEWER_ACTIONS:
        order += (9 - ability_value(game, tables, seat, ACTIONS)) * 1_000 + offices_on_board(game, tables, seat)
    elif tables["ties_broken"] == LESS_DEVELOPED:
        order += (9 - np.int64(game["abilities"][seat, ACTIONS])) * 1_000 + scores[seat, NETWORK]
    return order


@inner
def win_share(game, tables, scores, seat):
    """R7.9: the seat's part of the win: one over the number of winners, 0 for who is none of them."""
    own, winners = standing(game, tables, scores, seat), 0
    for other in range(tables["players"]):
        theirs = standing(game, tables, scores, other)
        if theirs > own:
            return 0.0
        winners += theirs == own
    return 1.0 / winners


@inlined
def win_reward(share, players):
    """The reward by the win, of a share of it: 1 for all of it, −1 / (players − 1) for none, 0 together."""
    return (players * share - 1) / (players - 1)


@inner
def reward(game, tables, scores, kind, rewards):
    """The reward of every seat at the end of a game, zero-sum, into rewards (players,)."""
    players = tables["players"]
    mean = 0.0
    for seat in range(players):
        mean += scores[seat, TOTAL] / players
    for seat in range(players):
        own = standing(game, tables, scores, seat)
        better, equal = 0, 0
        for other in range(players):
            theirs = standing(game, tables, scores, other)
            better += theirs > own
            equal += theirs == own
        if kind == BY_WIN:
            rewards[seat] = win_reward(win_share(game, tables, scores, seat), players)
        elif kind == BY_RANK:
            rewards[seat] = 1 - 2 * (better + (equal - 1) / 2) / (players - 1)
        else:
            rewards[seat] = (scores[seat, TOTAL] - mean) / MARGIN_SCALE
