"""What may be wrong with a position of the Big Box with promo markers, on East, and what is said of it."""

from __future__ import annotations

from collections.abc import Callable


def green_city_without_office(p: dict) -> None:
    p["offices"][p["action"]["city"]] = []
    p["extras"].pop(p["action"]["city"], None)


def office_removed(p: dict) -> None:
    city = p["action"]["city"]
    p["offices"][city] = [piece and f"{(p['turn'] + 1) % 3}{piece[1]}" for piece in p["offices"][city]]
    p["extras"].pop(city, None)


def refilled(p: dict) -> None:
    route = p["action"]["route"]
    p["posts"][route] = ["0t"] * len(p["posts"][route])


def two_used(p: dict) -> None:
    p["used"][p["turn"]] = ["tribute", "block"]
    p["favours"] = {"display": ["cities", "tithe"], "owned": [["action"] if seat == p["turn"] else [] for seat in range(3)]}
    p["action"]["laying"] = None


def laying_another(p: dict) -> None:
    used = p["used"][p["turn"]]
    p["action"]["laying"] = "block" if "block" not in used else "tribute"


#: As CASES of `broken`.
CASES: list[tuple[str, str, str, Callable[[dict], object], str]] = [
    ("question_is_asked_in_this_game", "four", "act", lambda p: p.update(asked="token"),
     "asked: token; expected another question without promo markers"),
    ("question_is_asked_in_this_game", "four", "pay", lambda p: p["action"].update(verb="place"),
     "action verb: place at pay; expected another without promo markers"),
    ("question_is_asked_in_this_game", "promos", "act", lambda p: p.update(asked="remove"),
     "asked: remove; expected another question where pieces are moved instead"),
    ("question_is_asked_in_this_game", "four", "victim", lambda p: p["action"].update(verb="move-three"),
     "action verb: move-three at victim; expected another"),
    ("action_fits_the_question", "promos", "spend", lambda p: p["action"].update(partner=None),
     "action partner: null at spend"),
    ("the_right_seat_is_asked", "promos", "tribute", lambda p: p.update(seat=2), r"seat: 2 is asked tribute .* expected [01]"),
    ("pieces_are_conserved", "promos", "act", lambda p: p.update(tokens={}), r"pieces of seat 0: 2\d traders in all"),
    ("no_kind_is_more_than_the_edition_has", "promos", "act", lambda p: p["tokens"].update({"belgard/kulm": ["tribute 0"] * 2}),
     "markers: [34] tribute on routes and with the seats; expected at most 2"),
    ("hidden_markers_are_unseen", "promos", "act", lambda p: p.update(pile=12), "plate and pile: 0 and 12; expected at most"),
    ("extra_offices_used_markers", "promos", "act", lambda p: p["extras"].update(kulm=["0t"] * 3),
     r"used of seat 0: \d extra-office; expected \d, one per"),
    ("hand_fits_the_question", "promos", "fetch", lambda p: p["action"].update(remaining=1) or p.update(hand=[]),
     r"hand: 0 pieces at fetch; expected [12]"),
    ("hand_fits_the_question", "promos", "tribute", lambda p: p.update(hand=["t"] * 2), "hand: 2 pieces at tribute; expected"),
    ("remaining_fits_the_question", "promos", "tribute", lambda p: p["action"].update(remaining=0),
     "action remaining: 0 at tribute; expected 1"),
    ("used_marker_lies_face_down", "promos", "spend", lambda p: p["used"].__setitem__(p["turn"], []), "no trade-in at spend"),
    ("tokens_are_laid_at_once", "promos", "act", lambda p: p["used"][2].append("block"),
     "used of seat 2: block at act; expected none of tribute and block"),
    ("tokens_are_laid_at_once", "promos", "token", lambda p: p["used"].__setitem__(p["turn"], []),
     r"used of seat \d: no tribute or block at token; expected 1"),
    ("tokens_are_laid_at_once", "both", "act", lambda p: p.update(
        used=[["block", "tribute", "tribute"], [], []], favours={"display": ["cities", "tithe"], "owned": [["action"], [], []]}
    ), "used of seat 0: block, tribute, tribute at act; expected 0 to 2 of tribute and block"),
    ("token_to_lay_is_known", "both", "token", two_used, "action laying: null with tribute and block among the used ones"),
    ("token_to_lay_is_known", "both", "token", laying_another, r"action laying: \w+; expected \w+, among the used"),
    ("tribute_is_due", "promos", "tribute", office_removed, r"action city: \w+ without an office of seat \d; expected"),
    ("tribute_is_due", "promos", "tribute", lambda p: p["action"].update(verb="claim", route="halle/dresden"),
     "action city: [a-z]+; expected a city of the route halle/dresden"),
    ("office_goes_to_a_green_city", "promos", "tribute",
     lambda p: p["action"].update(verb="permanent", route=None, city="danzig"), "action city: danzig; expected a green city"),
    ("tribute_is_due", "promos", "tribute", refilled, r"posts .*: \d pieces at tribute; expected none any more"),
    ("partner_is_another_seat", "promos", "spend", lambda p: p["action"].update(partner=p["turn"]),
     r"action partner: \d, whose turn it is; expected another seat \(R13.5\)"),
    ("token_to_lay_is_known", "promos", "token", lambda p: p["supply"].__setitem__(p["turn"], [0, 1]),
     r"supply of seat \d: 0 traders at token; expected 1 or more"),
]  # fmt: skip

#: What the schema and the board refuse of a position at `act` with promo markers, and the whole message.
SHAPES: list[tuple[Callable[[dict], object], str]] = [
    (lambda p: p["tokens"].update(rom=["block 0"]), "tokens: rom unknown; expected a route of the board"),
    (lambda p: p["tokens"].update({"belgard/kulm": ["block 4"]}), "tokens belgard/kulm: 4; expected 0 to 2"),
    (lambda p: p["tokens"].update({"belgard/kulm": []}), "tokens belgard/kulm: a list of 0; expected a list of 1 to 4"),
    (lambda p: p["tokens"].update({"belgard/kulm": ["+3 0"]}),
     'tokens belgard/kulm: "+3 0"; expected one of "tribute 0", "tribute 1", "tribute 2", "tribute 3", ..., "block 4"'),
]  # fmt: skip
