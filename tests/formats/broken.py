"""What may be wrong with a position by the rules or its history, and what is said of it."""

from __future__ import annotations

from collections.abc import Callable

from tests.formats import broken_promos

ROUTE, POSTS = "stade/hamburg", 3


def no_exchanges(p: dict) -> None:
    """As if no office had ever been exchanged."""
    p["used"] = [[kind for kind in kinds if kind != "exchange"] for kinds in p["used"]]


def office_without_its_colour(p: dict) -> None:
    no_exchanges(p)
    p["offices"]["brunswick"] = ["0t"]
    p["abilities"][0]["privilege"] = 0


def coin_that_was_not_scored(p: dict) -> None:
    no_exchanges(p)
    p["offices"]["groningen"] = ["0t", None]
    p["prestige"][0] = 0


def gap_in_a_city(p: dict) -> None:
    p["offices"]["minden"] = [None, "0t", None, None]


def extra_office_alone(p: dict) -> None:
    p["offices"]["minden"] = [None] * 4
    p["extras"]["minden"] = ["0t"]


def displacer_gone(p: dict) -> None:
    p["posts"][p["action"]["route"]] = [None] * len(p["posts"][p["action"]["route"]])


def no_office_for_the_extra_one(p: dict) -> None:
    for city in p["action"]["route"].split("/"):
        p["offices"][city] = [None] * len(p["offices"][city])
        p["extras"].pop(city, None)


def no_remove_three(p: dict) -> None:
    p["route_markers"] = {route: kind for route, kind in p["route_markers"].items() if kind != "remove-three"}
    for field in ("markers", "used"):
        p[field] = [[kind for kind in kinds if kind != "remove-three"] for kinds in p[field]]


def black_space_without_privilege(p: dict) -> None:
    p["prestige_spaces"]["11"] = 0
    p["abilities"][0]["privilege"] = 0


def everything_is_full(p: dict) -> None:
    for field in ("posts", "ships"):
        p[field] = {route: ["0m"] * len(row) for route, row in p[field].items()}


def no_pieces_on_posts(p: dict) -> None:
    """They lie in stock instead."""
    for field in ("posts", "ships"):
        for row in p.get(field, {}).values():
            for piece in filter(None, row):
                p["stock"][int(piece[0])]["tm".index(piece[1])] += 1
            row[:] = [None] * len(row)


def stock_in_the_supply(p: dict) -> None:
    p["supply"][p["seat"]] = [sum(pieces) for pieces in zip(p["supply"][p["seat"]], p["stock"][p["seat"]])]
    p["stock"][p["seat"]] = [0, 0]


def nothing_used_but_the_trade_in(p: dict) -> None:
    for seat, kinds in enumerate(p["used"]):
        p["markers"][seat] += [kind for kind in kinds if kind != "trade-in"]
        p["used"][seat] = [kind for kind in kinds if kind == "trade-in"]


def privilege_developed(p: dict) -> None:
    seat = p["turn"]
    p["supply"][seat][0] += 3 - p["abilities"][seat]["privilege"]
    p["abilities"][seat]["privilege"] = 3


def office_beyond_the_green_cities(p: dict) -> None:
    p["action"].update(city="lubeck")
    p.update(asked="with")


def thirteenth_office(p: dict) -> None:
    p["action"].update(city="dresden")
    p["offices"]["dresden"] = ["0t"] * 12
    p.update(asked="with")


def favours_that_nobody_paid(p: dict) -> None:
    p["favours"] = {"display": [], "owned": [["anywhere", "action", "cities"], [], []]}
    p["used"][0] = []


def displaced_in_wales(p: dict) -> None:
    p["action"].update(route="conway/chester")
    p.update(permissions=[])


#: Invariant, kind of game, question, what is changed, what is said.
CASES: list[tuple[str, str, str, Callable[[dict], object], str]] = [
    ("reason_is_given_when_over", "four", "act", lambda p: p.update(reason="prestige"),
     'reason: "prestige" at act; expected null'),
    ("reason_is_given_when_over", "four", "over", lambda p: p.update(actions_left=1), "actions_left: 1 at over; expected 0"),
    ("reason_is_given_when_over", "four", "over", lambda p: p.update(legal=["done"]), "legal: 1 decisions at over"),
    ("pawn_is_there_in_its_variant", "pawn", "act", lambda p: p.update(pawn=None), "pawn: null at act; expected a province"),
    ("pawn_is_there_in_its_variant", "four", "act", lambda p: p.update(pawn_free=True), "pawn_free: true; expected null"),
    ("question_is_asked_in_this_game", "four", "act", lambda p: p.update(asked="ride"),
     "asked: ride; expected another question without a pawn"),
    ("action_fits_the_question", "four", "put", lambda p: p.update(action=None), "action: null at put; expected move"),
    ("action_fits_the_question", "four", "put", lambda p: p["action"].update(verb="claim"),
     "action verb: claim at put; expected m"),
    ("action_fits_the_question", "four", "put", lambda p: p["action"].update(remaining=1),
     "action remaining: 1 at put; expected 0"),
    ("action_fits_the_question", "four", "pay", lambda p: p["action"].update(victim=None), "action victim: null at pay"),
    ("the_right_seat_is_asked", "four", "relocate", lambda p: p.update(seat=p["turn"]),
     r"seat: \d is asked relocate in the turn"),
    ("the_right_seat_is_asked", "four", "over", lambda p: p.update(seat=0), "seat: 0 is asked over .* expected null"),
    ("pieces_are_conserved", "four", "act", lambda p: p["stock"][1].__setitem__(0, p["stock"][1][0] + 1),
     r"pieces of seat 1: 28 traders in all; expected 27 \(R1.1\)"),
    ("pieces_are_conserved", "four", "put", lambda p: p.update(hand=["t"] * 5), r"pieces of seat \d: \d\d traders in all"),
    ("wholly_neutral_routes_are_claimed_at_once", "neutral", "act", lambda p: p["posts"].update({ROUTE: ["nt"] * POSTS}),
     "posts stade/hamburg: held by neutral traders only, 1 such routes at act; expected 0"),
    ("wholly_neutral_routes_are_claimed_at_once", "neutral", "neutral",
     lambda p: p["posts"].update({r: ["0t" if x == "nt" else x for x in row] for r, row in p["posts"].items()}),
     "posts: no route held by neutral traders only, 0 such routes at neutral; expected 1"),
    ("offices_are_filled_from_the_left", "four", "act", gap_in_a_city, "offices minden: space 1 is empty before a filled one"),
    ("completed_counts_full_cities", "four", "act", lambda p: p.update(completed=p["completed"] + 1),
     r"completed: \d; expected \d"),
    ("extra_offices_stand_left_of_others", "four", "act", extra_office_alone, "extras minden: 1 extra offices; expected none"),
    ("extra_offices_used_markers", "four", "act", lambda p: p["extras"].update(minden=["0t", "0t", "0t"]),
     r"used of seat 0: \d extra-office; expected \d, one per"),
    ("linked_seats_are_different", "four", "act", lambda p: p.update(linked=[0, 0]),
     r"linked: \[0, 0\]; expected every seat once"),
    ("no_kind_is_more_than_the_edition_has", "four", "act", lambda p: p["used"][0].extend(["+3"] * 3),
     r"markers: \d \+3 on routes and with the seats; expected at most 2"),
    ("no_kind_is_more_than_the_edition_has", "four", "act", lambda p: p.update(pile=14), "pile: 14; expected 0 to 13"),
    ("hidden_markers_are_unseen", "four", "act", lambda p: p["plate"].__setitem__(0, 3) or p.update(pile=13),
     r"plate and pile: \d and 13; expected at most"),
    ("claimed_marker_is_held", "four", "reward",
     lambda p: p["action"].update(marker_taken="upgrade") or p["markers"].__setitem__(p["turn"], []),
     r"action marker_taken: upgrade; expected it among the markers of seat \d"),
    ("claimed_marker_is_held", "four", "reward", lambda p: p["action"].update(pile_ran_out=True),
     "pile_ran_out: true with a pile"),
    ("actions_left_were_granted", "four", "act", lambda p: p.update(actions_left=19), "actions_left: 19.*; expected"),
    ("actions_left_were_granted", "four", "put", lambda p: p.update(acted=False), "acted: false at put; expected true"),
    ("nothing_happened_before_the_pawn_is_set_up", "pawn", "pawn", lambda p: p["prestige"].__setitem__(0, 1),
     "prestige: not as at"),
    ("prestige_ends_the_game", "four", "act", lambda p: p["prestige"].__setitem__(0, 20),
     "prestige of seat 0: 20 at act; expected 0 to 19"),
    ("prestige_ends_the_game", "four", "over", lambda p: p.update(reason="prestige", prestige=[19] * 4),
     "reason: prestige, with 19"),
    ("completed_cities_end_the_game", "four", "act", lambda p: p.update(completed=10), "completed: 10 at act; expected 0 to 9"),
    ("completed_cities_end_the_game", "four", "over", lambda p: p.update(reason="cities", completed=9),
     "reason: cities, with 9"),
    ("completed_cities_end_the_game", "four", "over", lambda p: p.update(reason="markers", pile=3),
     "reason: markers, with a pile of 3"),
    ("stalled_turns_end_the_game", "four", "act", lambda p: p.update(stalled=4), "stalled: 4; expected 0 to 3"),
    ("stalled_turns_end_the_game", "four", "over", lambda p: p.update(reason="stalled", stalled=3), "stalled: 3 at the end by"),
    ("hand_fits_the_question", "four", "act", lambda p: p.update(hand=["t"]), "hand: 1 pieces at act; expected 0"),
    ("hand_fits_the_question", "four",
     "pay", lambda p: p["action"].update(victim=p["action"]["victim"][0] + "tm"[p["hand"] == ["t"]]),
     "hand: [tm]; expected the displaced"),
    ("remaining_fits_the_question", "four", "pay", lambda p: p["action"].update(remaining=3),
     "action remaining: 3 at pay; expected 1"),
    ("displacement_is_paid_for", "four", "displace", lambda p: p["supply"].__setitem__(p["turn"], [1, 0]),
     r"supply of seat \d: 1 pieces at displace; expected 2 or more"),
    ("displacer_stands_on_the_route", "four", "relocate", displacer_gone,
     r"posts .*: no piece of seat \d; expected the displacing one"),
    ("displacer_stands_on_the_route", "four", "with", lambda p: p["action"].update(victim=f"{p['turn']}t"),
     "expected an opponent's"),
    ("claimed_route_is_held", "four", "reward", displacer_gone, r"action route: .*; expected one wholly held by seat"),
    ("extra_office_city_is_on_the_route", "four", "extra", no_office_for_the_extra_one,
     "action route: .*; expected an office in one"),
    ("used_marker_lies_face_down", "four", "remove", lambda p: p["used"].__setitem__(p["turn"], []),
     "no remove-three at remove"),
    ("replacement_lies_on_the_plate", "four", "marker", lambda p: p.update(plate=[0] * 4),
     r"plate of seat \d: 0 at marker; expected the marker to lay"),
    ("pieces_in_hand_find_posts", "four",
     "put", lambda p: p["posts"].update({r: ["0t"] * len(x) for r, x in p["posts"].items()}),
     r"hand: \d pieces at put; expected free posts for all of them that fit"),
    ("office_kinds_fit_the_spaces", "four", "act", lambda p: p["offices"].update(stade=["0t"]),
     "offices stade: 1 traders on 0 square spaces"),
    ("offices_out_of_place_were_exchanged", "four", "act", office_without_its_colour,
     "offices brunswick: 0t; expected a seat with the privilege orange"),
    ("used_markers_founded_extra_offices", "four", "act", lambda p: p["used"][0].append("extra-office"),
     r"used of seat 0: \d extra-office; expected \d, one"),
    ("linked_seats_are_those_with_a_chain", "four", "act", lambda p: p.update(linked=[3]), "linked: seat 3 has no chain"),
    ("prestige_spaces_need_their_privilege", "four", "act", black_space_without_privilege,
     "prestige_spaces 11: seat 0; expected a seat with the privilege black"),
    ("taken_markers_are_replaced", "four", "act", lambda p: p.update(pile=p["pile"] - 1),
     r"pile: \d+ after \d+ markers taken; expected"),
    ("taken_markers_are_replaced", "neutral", "act", lambda p: p.update(route_markers={}), "route_markers and plate: 0 and"),
    ("no_kind_is_more_than_the_edition_has", "neutral", "act", lambda p: p.update(discarded=["+4"] * 16),
     r"markers: 1\d \+4 on routes, with the seats and discarded; expected at most"),
    ("hidden_markers_are_unseen", "neutral", "act", lambda p: p["discarded"].append("+3"),
     r"plate and pile: 0 and \d+; expected at most \d+ together"),
    ("discarded_markers_are_all_that_left", "neutral", "act", lambda p: p.update(pile=p["pile"] - 1),
     r"discarded: 0 markers; expected 1, all that are nowhere else \(R8.2.3\)"),
    ("start_markers_are_accounted_for", "neutral", "act", no_remove_three,
     "markers: no remove-three on a route or with a seat; expected the start markers"),
    ("start_markers_are_accounted_for", "four", "act", no_remove_three, "markers: no remove-three on a route or with a seat"),
    ("turn_follows_the_turns_completed", "four", "act", lambda p: p.update(turns=p["turns"] + 1), r"turn: \d after \d+ turns"),
    ("question_is_asked_in_this_game", "four", "act", lambda p: p.update(asked="fetch"),
     "asked: fetch; expected another question on a board without the permanent marker move-two"),
    ("question_is_asked_in_this_game", "four", "with", lambda p: p["action"].update(verb="permanent"),
     "action verb: permanent at with; expected another on a board without the permanent marker office-in-green-city"),
    ("action_fits_the_question", "east", "fetch", lambda p: p["action"].update(verb="remove"),
     "action verb: remove at fetch; expected permanent"),
    ("ship_posts_hold_merchants", "east", "act", lambda p: p["ships"].update({"malmo/danzig": ["0t"]}),
     r"ships malmo/danzig: 0t; expected merchants only \(R9.4\)"),
    ("permanent_markers_keep_others_away", "east", "act", lambda p: p["route_markers"].update({"malmo/visby": "+3"}),
     r"route_markers malmo/visby: \+3; expected none beside its permanent marker \(R9.13\)"),
    ("pieces_are_conserved", "east", "drop", lambda p: p.update(hand=["0m", "0m"]), r"pieces of seat 0: \d merchants in all"),
    ("completed_counts_full_cities", "east", "act", lambda p: p.update(completed=p["completed"] + 1),
     "the cities whose printed spaces are all filled, and green ones with an office"),
    ("hand_fits_the_question", "east", "fetch", lambda p: p["action"].update(remaining=1) or p.update(hand=[]),
     "hand: 0 pieces at fetch; expected 1"),
    ("hand_fits_the_question", "east", "land", lambda p: p.update(hand=["t"]), "hand: 1 pieces at land; expected [23] to [34]"),
    ("remaining_fits_the_question", "east", "land", lambda p: p["action"].update(remaining=3),
     "action remaining: 3 at land; expected 1 to 2"),
    ("claimed_maritime_route_is_cleared", "east", "fetch", lambda p: p["posts"].update({"wismar/stralsund": ["0t"]}),
     r"posts wismar/stralsund: \d pieces at fetch; expected at most 0 on the claimed route"),
    ("claimed_maritime_route_is_cleared", "east", "land", lambda p: p["posts"].update({"malmo/danzig": ["0t"] * 3}),
     r"posts malmo/danzig: \d pieces at land; expected at most [01] on the claimed route"),
    ("office_goes_to_a_green_city", "east", "green", office_beyond_the_green_cities,
     "action city: lubeck; expected a green city"),
    ("office_goes_to_a_green_city", "east", "green", thirteenth_office, "action city: dresden with 12 offices; expected one"),
    ("prestige_ends_the_game", "east", "land", lambda p: p["prestige"].__setitem__(p["turn"] - 1, 22),
     r"prestige of seat \d: 22 at land; expected 0 to 21"),
    ("completed_cities_end_the_game", "east", "green", lambda p: p.update(completed=11),
     "completed: 11 at green; expected 0 to 10"),
    ("pieces_in_hand_find_posts", "east", "drop", everything_is_full, r"hand: \d pieces at drop; expected free posts"),
    ("office_goes_to_a_green_city", "east", "green", lambda p: p["supply"].__setitem__(p["turn"], [0, 0]),
     r"supply of seat \d: no piece at green; expected one or more \(R9.14\)"),
    ("pieces_in_hand_find_posts", "east", "put", everything_is_full, r"expected free posts for all of them that fit \(R3.3\)"),
    ("question_is_asked_in_this_game", "four", "act", lambda p: p.update(asked="tithe"),
     "asked: tithe; expected another question without favours"),
    ("the_right_seat_is_asked", "favours", "tithe", lambda p: p.update(turn=p["seat"]), r"seat: \d is asked tithe in the turn"),
    ("actions_left_were_granted", "favours", "act", lambda p: p.update(actions_left=20), "actions_left: 20.*; expected"),
    ("remaining_fits_the_question", "favours", "spend", lambda p: p["action"].update(remaining=3),
     "action remaining: 3 at spend; expected 1 to 2"),
    ("bought_favour_cost_all_actions", "favours", "spend", lambda p: p.update(actions_left=1),
     "actions_left: 1 after a favour was bought; expected 0"),
    ("bought_favour_cost_all_actions", "favours", "spend", lambda p: p.update(acted=True),
     "acted: true in a turn in which a favour was bought; expected false"),
    ("favour_is_being_paid", "favours", "spend", lambda p: p.update(favour_bought=False), "favour_bought: false at spend"),
    ("favour_is_being_paid", "favours", "spend", lambda p: p["markers"].__setitem__(p["turn"], ["+3"]),
     r"markers of seat \d: 1 with \d to pay at spend; expected \d or more"),
    ("owned_favours_were_paid", "favours", "act", favours_that_nobody_paid,
     r"used of seat 0: 0 markers; expected 6 or more, 2 for each favour \(R12.2\)"),
    ("permanent_markers_keep_others_away", "britannia", "act",
     lambda p: p["route_markers"].update({"conway/chester": "+3"}),
     r"route_markers conway/chester: \+3; expected none abroad \(R10.13\)"),
    ("permissions_are_used_by_actions", "britannia", "act",
     lambda p: p.update(acted=False, actions_left=2, permissions=["london"]),
     r"permissions: london used before the first action; expected none \(R10.5\)"),
    ("permissions_are_used_by_actions", "britannia", "relocate", displaced_in_wales,
     r"permissions: none used for conway/chester; expected cardiff or london \(R10.5\)"),
    ("foreign_pieces_were_lifted_there", "britannia", "lift",
     lambda p: p.update(hand=["t"]) or p["foreign"].update(wales=[2, 0]),
     r"foreign: 2 traders; expected at most the 1 in hand \(R10.10\)"),
    ("foreign_pieces_were_lifted_there", "britannia", "put",
     lambda p: p["foreign"].update(wales=[4, 1], scotland=[1, 0]),
     r"foreign: 6 pieces; expected at most \d, what a move lifts"),
    ("pieces_in_hand_find_posts", "britannia", "put", everything_is_full, r"\d pieces at put; .* in their countries \(R10\)"),
    ("pieces_in_hand_find_posts", "britannia", "drop", everything_is_full, r"\d pieces at drop; .* in their countries \(R10\)"),
    ("piece_to_send_was_lifted_for_want_of_others", "britannia", "send", lambda p: p.update(hand=["t"]),
     r"hand: t at send; expected nothing while stock or supply of seat \d have pieces \(R10.15\)"),
    ("hand_fits_the_question", "britannia", "send", lambda p: p.update(hand=["t", "t"]),
     "hand: 2 pieces at send; expected 0 to 1"),
    ("remaining_fits_the_question", "britannia", "send", lambda p: p["action"].update(remaining=3),
     "action remaining: 3 at send; expected 1 to 2"),
    ("question_is_asked_in_this_game", "britannia", "act", lambda p: p.update(asked="land"),
     "asked: land; expected another question on a board without the permanent marker place-two-from-route"),
    ("link_and_coins_are_scored", "four", "act", coin_that_was_not_scored, "prestige of seat 0: 0; expected 1 or more"),
    *broken_promos.CASES,
]  # fmt: skip

#: Kind of game, question, what is changed, what is said of a position whose question the engine would not ask.
UNASKED: list[tuple[str, str, Callable[[dict], object], str]] = [
    ("four", "remove", no_pieces_on_posts, "asked: remove has no legal answer; the seat could not choose the route"),
    ("east", "fetch", no_pieces_on_posts, "asked: 'fetch'; by the rules the position asks '"),
    ("east", "permanent", privilege_developed, "asked: 'permanent'; by the rules the position asks '"),
    ("favours", "tithe", stock_in_the_supply, "asked: 'tithe'; by the rules the position asks '"),
    ("promos", "trade-in", nothing_used_but_the_trade_in, "asked: trade-in has no legal answer; the seat could not choose"),
    ("four", "act", lambda p: p["legal"].pop(), "legal: the list does not fit the rest of the position"),
]  # fmt: skip
