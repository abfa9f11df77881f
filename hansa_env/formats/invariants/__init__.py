"""What holds in every position that a game can come to, by the rules of `rulebook/rules.md`.

`broken(Table(position, ruleset))` lists what does not hold, in words that name field, value and what was expected. Each
invariant is a function named after it, its rules in the docstring. The later ones may rely on those of `FORM`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from hansa_env.formats.invariants import (
    actions,
    cities,
    countries,
    favours,
    form,
    markers,
    permanent_markers,
    pieces,
    promo_markers,
    turns,
)
from hansa_env.formats.position_on_board import Table

Invariant = Callable[[Table], Iterator[str]]

#: The fields that the question asked calls for.
FORM: tuple[Invariant, ...] = (
    form.reason_is_given_when_over,
    form.pawn_is_there_in_its_variant,
    form.question_is_asked_in_this_game,
    form.action_fits_the_question,
    form.the_right_seat_is_asked,
)
#: What the rules say of the table as it stands. An engine can go on from what holds these.
RULES: tuple[Invariant, ...] = (
    pieces.pieces_are_conserved,
    pieces.pieces_in_hand_find_posts,
    pieces.ship_posts_hold_merchants,
    pieces.wholly_neutral_routes_are_claimed_at_once,
    cities.offices_are_filled_from_the_left,
    cities.completed_counts_full_cities,
    cities.extra_offices_stand_left_of_others,
    cities.extra_offices_used_markers,
    cities.linked_seats_are_different,
    markers.no_kind_is_more_than_the_edition_has,
    markers.hidden_markers_are_unseen,
    markers.permanent_markers_keep_others_away,
    markers.claimed_marker_is_held,
    markers.replacement_lies_on_the_plate,
    turns.actions_left_were_granted,
    turns.nothing_happened_before_the_pawn_is_set_up,
    turns.completed_cities_end_the_game,
    turns.stalled_turns_end_the_game,
    actions.hand_fits_the_question,
    actions.remaining_fits_the_question,
    actions.displacement_is_paid_for,
    actions.displacer_stands_on_the_route,
    actions.claimed_route_is_held,
    actions.extra_office_city_is_on_the_route,
    actions.used_marker_lies_face_down,
    permanent_markers.claimed_maritime_route_is_cleared,
    permanent_markers.office_goes_to_a_green_city,
    favours.bought_favour_cost_all_actions,
    favours.favour_is_being_paid,
    promo_markers.tokens_are_laid_at_once,
    promo_markers.token_to_lay_is_known,
    promo_markers.tribute_is_due,
    promo_markers.partner_is_another_seat,
    countries.permissions_are_used_by_actions,
    countries.foreign_pieces_were_lifted_there,
    countries.piece_to_send_was_lifted_for_want_of_others,
)
#: What the rules say of how it came about; a position composed for study need not hold these.
HISTORY: tuple[Invariant, ...] = (
    cities.office_kinds_fit_the_spaces,
    cities.offices_out_of_place_were_exchanged,
    cities.used_markers_founded_extra_offices,
    cities.linked_seats_are_those_with_a_chain,
    cities.prestige_spaces_need_their_privilege,
    markers.taken_markers_are_replaced,
    markers.discarded_markers_are_all_that_left,
    markers.start_markers_are_accounted_for,
    turns.turn_follows_the_turns_completed,
    turns.link_and_coins_are_scored,
    turns.prestige_ends_the_game,
    favours.owned_favours_were_paid,
)


def broken(table: Table, composed: bool = False) -> list[str]:
    """What does not hold; empty for every position a game can come to. With `composed`, `HISTORY` is not asked."""
    for stage in (FORM, RULES if composed else RULES + HISTORY):
        problems = [problem for invariant in stage for problem in invariant(table)]
        if problems:
            return problems
    return []
