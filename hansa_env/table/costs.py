"""What a decision costs, in a few words, so that nobody has to look it up before deciding."""

from __future__ import annotations

from collections.abc import Sequence

from hansa_env.boards import SHIP
from hansa_env.formats.base_descriptions import PENALTY
from hansa_env.formats.description import REMOVING, filled
from hansa_env.formats.descriptions import DESCRIPTIONS, FROM_ROUTE
from hansa_env.formats.find_question import row_within
from hansa_env.render.scene_parts import KINDS, Office, Route, Scene
from hansa_env.render.words import country_in_words, number_of
from hansa_env.ruleset import Ruleset

TO_STOCK = "every piece of the route to your stock"
#: What the numbers of an ability count, behind them.
_COUNTED = {"keys": "points for each office of your largest network", "actions": "actions in a turn", "privilege": "offices",
            "book": "pieces in a move", "bank": "pieces in an income"}  # fmt: skip


def keeps_two(scene: Scene) -> bool:
    """Whether two pieces of the route that is claimed may stay on the board, by its permanent marker (R9.14d)."""
    claimed = scene.action and scene.action.route
    return any(route.permanent_marker == FROM_ROUTE for route in scene.routes if route.id == claimed)


def cost_in_words(ruleset: Ruleset, scene: Scene, texts: Sequence[str]) -> str:
    """What a legal decision, with those that follow it in one click, costs or brings at once; "" where there is nothing to say.

    Args:
        ruleset: the game that is played.
        scene: where the first of them is decided.
        texts: the decisions, with the answers that follow them without being asked for.
    """
    word, *rest = texts[0].split(" ")
    row = row_within(scene.asked, scene.action and scene.action.verb)
    pattern = "" if row is None else row.costs.get(word, row.costs.get("", ""))
    return filled(pattern, rest, Price(ruleset, scene, texts)) or ""


class Price:
    """What the costs of `hansa_env.formats.descriptions` name."""

    def __init__(self, ruleset: Ruleset, scene: Scene, texts: Sequence[str]) -> None:
        self._ruleset, self._scene, self._texts = ruleset, scene, texts
        self._last, self._words = texts[-1], texts[0].split(" ")

    @property
    def _route(self) -> Route:
        """That the decision names last."""
        return next(route for route in self._scene.routes if route.id == self._words[-1].removesuffix(SHIP))

    @property
    def _office(self) -> Office:
        """The first empty space of the city that the decision names last."""
        city = next(city for city in self._scene.cities if city.id == self._words[-1])
        return next(office for office in city.offices if office.piece is None)

    @property
    def unused(self) -> str:
        """Actions that lapse."""
        left = self._scene.actions_left
        return f"{number_of(left, 'action')} unused" if left else ""

    @property
    def ends(self) -> str:
        """R8.1.3: what a free move of the pawn ends after an action."""
        if not self._scene.acted:
            return ""
        return "; ends your turn" + (f", {self.unused}" if self.unused else "")

    @property
    def permission(self) -> str:
        """R10.5: what an action abroad uses up; the displaced piece's route may not be chosen yet."""
        named = [words[-1].removesuffix(SHIP) for words in map(str.split, self._texts)]
        country = next((route.country for route in self._scene.routes if route.id in named), 0)
        return f", and your permission for {country_in_words(self._scene.countries[country])}" if country else ""

    @property
    def removes(self) -> str:
        """What the marker does that is used by `remove`."""
        return next(row.does for row in DESCRIPTIONS if row.marker == REMOVING and row.asked_in(self._ruleset))

    @property
    def penalty(self) -> str:
        """R4.1: pieces that go from supply to stock."""
        if self._last == "displace" or " " in self._last:  # the piece is not chosen yet
            return PENALTY
        return "1 piece to your stock" if self._last.endswith("t") else "2 pieces to your stock"

    @property
    def to_stock(self) -> str:
        """R5.4: what becomes of a route whose pieces are not used, or R9.14d."""
        return "2 pieces of the route where you like, the rest to your stock" if keeps_two(self._scene) else TO_STOCK

    @property
    def blocks(self) -> str:
        """R13.7: pieces that the blocks above a route cost."""
        blocks = sum(kind == "block" for kind, _ in self._route.tokens)
        return f", {blocks} more to your stock" if blocks else ""

    @property
    def gains(self) -> str:
        """What a claim brings before anything is chosen: prestige to those who control its cities (R5.1), its marker (R5.3)."""
        cities = [city for city in self._scene.cities if city.id in self._route.cities]
        controllers = [city.controller for city in cities if city.controller not in (None, "n")]
        gains = [f"{controllers.count(owner)} prestige to seat {owner}" for owner in dict.fromkeys(controllers)]
        return "".join(f"; {gain}" for gain in (*gains, *([f"the marker {self._route.marker}"] if self._route.marker else ())))

    @property
    def space(self) -> str:
        """R5.5: the piece that the next office of a city takes."""
        return KINDS[self._office.shape != "square"]

    @property
    def coin(self) -> str:
        """R5.5: the prestige on that space."""
        return f", {self._office.prestige} prestige at once" if self._office.prestige else ""

    @property
    def step(self) -> str:
        """R5.8: from what to what an ability is developed, and what that counts."""
        track = next(track for track in self._scene.desks[self._scene.turn].tracks if track.ability == self._words[-1])
        return f"{track.value} → {track.values[track.uncovered + 1]} {_COUNTED[track.ability]}"
