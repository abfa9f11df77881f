"""What followed a decision without being decided: the answers to questions that were not asked, since one alone was legal, and
what the decision brought.

It is read off the positions before and after the decision as everybody at the table sees them, so nothing hidden is told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from hansa_env.engine import state
from hansa_env.engine.tables import tables_of
from hansa_env.formats.find_question import by_number, goes_on
from hansa_env.formats.moves import Followed, Move
from hansa_env.formats.notation import piece_text
from hansa_env.render.income import traders_of_income
from hansa_env.render.scene_parts import KINDS
from hansa_env.render.words import decision_in_words
from hansa_env.ruleset import MARKER_KINDS, Ruleset

#: The questions of a displacement that the displacer answers, behind the decision that begins it.
_DISPLACEMENT = ("act", "displace", "victim", "with", "pay")


def with_what_followed(ruleset: Ruleset, moves: Sequence[Move], records: Sequence[np.void] | np.ndarray) -> list[Move]:
    """Decisions, each with what followed it.

    Args:
        ruleset: of the game.
        moves: the decisions.
        records: the game before each of them and after the last, one more than there are decisions.
    """
    return [
        move._replace(then=what_followed(ruleset, move, before, after))
        for move, before, after in zip(moves, records[:-1], records[1:])
    ]


def what_followed(ruleset: Ruleset, move: Move, before: np.void, after: np.void) -> tuple[Followed, ...]:
    """What followed a decision, between the game records around it: answers, then what it brought, then markers laid."""
    between = _Between(ruleset, move, before, after)
    return (*between.answers(), *between.brought(), *between.laid())


class _Between:
    """What two game records and the decision between them tell."""

    def __init__(self, ruleset: Ruleset, move: Move, before: np.void, after: np.void) -> None:
        self._ruleset, self._move, self._before, self._after = ruleset, move, before, after
        self._seat, self._words = move.seat, move.text.split(" ")
        row = by_number()[int(before["asked"])]
        self._verb = self._words[0] if row.verb is None else row.verb
        now = by_number().get(int(after["asked"]))
        self._same_turn = bool(before["turns"] == after["turns"])
        #: The question that the action goes on with; "" where it is over.
        self._asks = now.name if now is not None and now.verb is not None and self._same_turn else ""
        self._moved = after["pieces"].astype(int) - before["pieces"]
        self._lanes = [lane.id for lane in ruleset.board_data.lanes]

    # Answers to questions that were not asked.

    def answers(self) -> Iterator[Followed]:
        """By the action that the decision belongs to."""
        found = {
            "displace": self._displacement, "remove": self._removal, "move-three": self._removal, "permanent": self._removal,
            "move": self._lifting, "exchange": self._exchange, "trade-in": self._trade, "favour": self._price,
            "tribute": self._token, "block": self._token, "place": self._payment, "claim": self._extra_office,
        }.get(self._verb)  # fmt: skip
        if found is not None:
            yield from found()

    def _displacement(self) -> Iterator[Followed]:
        asked, owner = self._move.asked, int(self._before["victim_owner"])
        if asked in _DISPLACEMENT:
            left = _DISPLACEMENT[_DISPLACEMENT.index(asked) + 1 :]
            put = self._pieces(self._seat, 1)
            lane = put[0][1] if put else int(self._after["route"]) if self._asks else -1
            if lane < 0:
                return
            victim = self._victim(lane)
            if "displace" in left:
                yield self._answer("displace", f"route {self._lanes[lane]}")
            if "victim" in left and victim is not None:
                yield self._answer("victim", piece_text(self._ruleset, *victim))
            if "with" in left and put:
                yield self._answer("with", KINDS[put[0][0]])
            yield from self._payment()
            owner = owner if victim is None else victim[0]
        neutral = owner == self._ruleset.players
        relocator = 1 - self._move.active if neutral else owner
        for text in self._without_own(f"put {KINDS[kind]} {self._lanes[lane]}" for kind, lane in self._pieces(owner, 1)):
            yield self._answer("relocate", text, relocator)
        if neutral:
            founded = np.flatnonzero(self._after["filled"] > self._before["filled"])
            for text in self._without_own(f"city {self._ruleset.board_data.cities[city].id}" for city in founded):
                yield self._answer("neutral", text, self._move.active)

    def _victim(self, lane: int) -> tuple[int, int] | None:
        """Owner and kind of the displaced piece."""
        if self._asks and self._after["victim_owner"] >= 0:
            return int(self._after["victim_owner"]), int(self._after["victim_kind"])
        if self._before["victim_owner"] >= 0:
            return int(self._before["victim_owner"]), int(self._before["victim_kind"])
        owners, kinds = np.nonzero(self._moved[:, :, lane] < 0)
        return (int(owners[0]), int(kinds[0])) if len(owners) else None

    def _payment(self) -> Iterator[Followed]:
        gained = (self._after["stock"] - self._before["stock"])[self._seat]
        paid = [kind for kind, count in zip(KINDS, gained.tolist()) for _ in range(count)]
        for text in self._without_own(paid, "pay"):
            yield self._answer("pay", text)

    def _removal(self) -> Iterator[Followed]:
        if self._move.asked not in ("act", "remove", "fetch"):
            return
        question = "fetch" if self._ruleset.moves_three else "remove"
        gone = [(owner, kind, lane) for owner in range(state.OWNERS) for kind, lane in self._pieces(owner, -1)]
        lane = gone[0][2] if gone else int(self._after["route"])
        if self._move.asked == "act" and lane >= 0:
            yield self._answer(question, f"route {self._lanes[lane]}")
        if gone:
            yield self._answer("victim", piece_text(self._ruleset, *gone[0][:2]))

    def _lifting(self) -> Iterator[Followed]:
        for word, count in (("lift", -1), ("put", 1)):
            moved = (f"{word} {KINDS[kind]} {self._lanes[lane]}" for kind, lane in self._pieces(self._seat, count))
            for text in self._without_own(moved):
                yield self._answer(word, text)

    def _exchange(self) -> Iterator[Followed]:
        cities = self._ruleset.board_data.cities
        first = tables_of(self._ruleset)[0]["first_office"][: len(cities)]
        swapped = np.flatnonzero(self._after["offices"] != self._before["offices"])
        city = int(np.searchsorted(first, swapped[0], "right")) - 1 if len(swapped) else int(self._after["city"])
        if self._move.asked == "act" and city >= 0:
            yield self._answer("exchange", f"city {cities[city].id}")
        if self._move.asked != "pair" and len(swapped):
            yield self._answer("pair", f"pair {swapped[0] - first[city] + 1}")

    def _trade(self) -> Iterator[Followed]:
        used = self._after["used"] - self._before["used"]
        given, taken = np.flatnonzero(used[:, state.TRADE_IN] > 0).tolist(), np.nonzero(used < 0)[1].tolist()
        taken = [kind for kind in taken if kind != state.TRADE_IN]
        partner = int(self._after["partner"]) if self._asks else given[0]
        if self._move.asked == "act":
            yield self._answer("trade-in", f"seat {partner}")
        if self._move.asked != "spend" and taken:
            yield self._answer("spend", MARKER_KINDS[taken[0]])

    def _price(self) -> Iterator[Followed]:
        used = (self._after["used"] - self._before["used"])[self._seat].tolist()
        for text in self._without_own([kind for kind, count in zip(MARKER_KINDS, used) for _ in range(count)]):
            yield self._answer("spend", text)

    def _token(self) -> Iterator[Followed]:
        for route, _ in self._new("token_route", "token"):
            yield self._answer("token", f"route {self._lanes[route]}")

    def _extra_office(self) -> Iterator[Followed]:
        if self._move.text != "extra" and self._move.asked != "extra":
            return
        founded = self._new("extra_city", "extra_piece")
        city = founded[0][0] if founded else int(self._after["city"]) if self._asks == "with" else -1
        if self._move.text == "extra" and city >= 0:
            yield self._answer("extra", f"city {self._ruleset.board_data.cities[city].id}")
        if founded:
            yield self._answer("with", KINDS[(founded[0][1] - 1) % 2])

    # What it brought.

    def brought(self) -> Iterator[Followed]:
        """The traders of an income (R3.1), the marker of a claimed route (R5.3), prestige (R5.1, R5.5, R5.7), and which marker
        was laid (R6.7)."""
        if self._words[0] == "income":
            traders = int(self._before["stock"][self._seat, state.TRADER]) - int(self._after["stock"][self._seat, state.TRADER])
            rest = traders_of_income(int(self._words[1]), traders)
            if rest:
                yield Followed(self._seat, rest, True)
        if self._move.asked == "marker":
            yield self._which(self._route(self._words[1]))
        if self._move.asked == "act" and self._verb == "claim":
            taken = int(self._before["route_marker"][self._route(self._words[1])])
            if taken >= 0:
                yield Followed(self._seat, f"takes the marker {MARKER_KINDS[taken]}")
        else:  # of a route that a neutral trader filled (R8.2.3)
            was, now = self._before["route_marker"], self._after["route_marker"]
            for gone in was[(was >= 0) & (now < 0)].tolist():
                yield Followed(self._move.active, f"discards the marker {MARKER_KINDS[gone]}")
        gained = (self._after["prestige"] - self._before["prestige"]).tolist()
        for seat in sorted(range(self._ruleset.players), key=lambda one: one != self._seat):
            if gained[seat] > 0:
                yield Followed(seat, f"scores {gained[seat]}")

    def laid(self) -> Iterator[Followed]:
        """The markers that were laid at the end of the turn where nothing else could be done (R6.7)."""
        before, after = self._before["route_marker"], self._after["route_marker"].copy()
        own = self._route(self._words[1]) if self._move.asked == "marker" else -1
        for route in np.flatnonzero((after >= 0) & (after != before)).tolist():
            if route != own:
                yield self._answer("marker", f"route {self._lanes[route]}", self._move.active)
                yield self._which(route)

    def _which(self, route: int) -> Followed:
        return Followed(self._move.active, f"({MARKER_KINDS[self._after['route_marker'][route]]})", True)

    # What both need.

    def _answer(self, asked: str, text: str, seat: int | None = None) -> Followed:
        words = decision_in_words(self._ruleset, asked, text)
        return Followed(self._seat if seat is None else seat, words, goes_on(asked), (asked, text))

    def _pieces(self, owner: int, count: int) -> list[tuple[int, int]]:
        """The pieces of an owner that came to posts (1) or left them (-1): kind and lane. A trader that a marker brought to its
        route (R8.2.4) is none of them."""
        laid = set(np.flatnonzero((self._after["route_marker"] >= 0) & (self._before["route_marker"] < 0)).tolist())
        moved = (count * self._moved[owner]).tolist()
        return [
            (kind, lane)
            for kind, lanes in enumerate(moved)
            for lane, number in enumerate(lanes)
            if owner < self._ruleset.players or lane not in laid
            for _ in range(number)
        ]

    def _without_own(self, texts: Iterable[str], asked: str | None = None) -> list[str]:
        """Answers but for the decision itself."""
        own = Counter([self._move.text] if asked in (None, self._move.asked) else ())
        return list((Counter(texts) - own).elements())

    def _new(self, *fields: str) -> list[tuple[int, int]]:
        """What a list of the record has now that it had not, by two of its fields."""
        was, now = (Counter(zip(*(game[field].tolist() for field in fields))) for game in (self._before, self._after))
        return [one for one in (now - was).elements() if one[0] >= 0]

    def _route(self, name: str) -> int:
        return self._lanes.index(name)
