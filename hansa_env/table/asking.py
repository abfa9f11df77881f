"""The story behind a question: what has happened that somebody is asked now, what may be done, and what of it is optional."""

from __future__ import annotations

from hansa_env.boards import SHIP
from hansa_env.formats.action_fields import laying
from hansa_env.formats.description import filled
from hansa_env.formats.find_question import by_number, is_in_turn
from hansa_env.play.game import Game
from hansa_env.play.take_back import shows_more
from hansa_env.render.scene_parts import KINDS, NEUTRAL, Scene
from hansa_env.render.words import country_in_words, decision_in_words, holds_raised, name_in_words, number_of
from hansa_env.table.costs import keeps_two
from hansa_env.table.game_history import Line


def begun_at(line: Line, number: int) -> int | None:
    """The number of decisions before the action under way, if whoever decides may still call it off: all its decisions so far
    are of that seat, and nothing hidden has been seen since. None where nothing is under way, as between turns, or somebody
    else has decided."""
    moves, record = line.moves[:number], line.records[number]
    if not is_in_turn(int(record["asked"])):
        return None
    seat = int(record["seat"])
    for first in range(number - 1, -1, -1):
        if moves[first].seat != seat or moves[first].turn != int(record["turns"]):
            return None
        if moves[first].asked == "act":
            under_way = line.game_at(number).asked != "act" and not shows_more(line.records[first], record)
            return first if under_way else None
    return None


def question_and_story(line: Line, number: int, game: Game, scene: Scene) -> tuple[str, list[str]]:
    """The question in words, and what led to it, what its answer is about, and whether one has to answer; seats by number,
    "seat 1's" for what is somebody's. No story at the beginning of an action."""
    if scene.over:
        return scene.question, []
    row, about = by_number()[int(game.state["asked"])], Told(line, number, game, scene)
    story = (about.settled and row.story_settled) or row.story
    told = (filled(sentence, (), about) for sentence in story)
    return scene.question, [sentence for sentence in told if sentence is not None]


class Told:
    """What the stories of `hansa_env.formats.descriptions` name; None = there is nothing to tell."""

    def __init__(self, line: Line, number: int, game: Game, scene: Scene) -> None:
        self._line, self._number, self._scene = line, number, scene
        self._position = game.position()
        self._action = self._position["action"] or {}
        self._victim = scene.action.victim if scene.action else None
        self._left = int(self._action.get("remaining") or 0)
        self.turn, self.settled = scene.turn, self._action.get("settled")
        places = (self._action.get("route"), self._action.get("city"))
        self.route, self.city = (None if place is None else name_in_words(line.ruleset, place) for place in places)

    @property
    def claimed(self) -> str | None:
        """The route, and the marker that it brought."""
        taken = self._action.get("marker_taken")
        marker = f" and took the marker {taken}, which you can use after this action" if taken else ""
        return f"{self.route}{marker}" if self.route else None

    @property
    def victim(self) -> str | None:
        """The displaced piece, as it is told of others."""
        piece = self._victim
        return f"{piece.kind} of {'the neutral player' if piece.owner == NEUTRAL else f'seat {piece.owner}'}" if piece else None

    @property
    def displaced(self) -> str | None:
        """The displaced piece, as it is told to who puts it down."""
        piece = self._victim
        return f"{'your' if piece.owner == str(self._scene.seat) else 'the neutral'} {piece.kind}" if piece else None

    @property
    def fee(self) -> str | None:
        """R4.1."""
        return number_of(1 + (self._victim.kind == "merchant"), "piece") if self._victim else None

    @property
    def due(self) -> str | None:
        """Of the fee, the piece to pay now."""
        if self._victim is None:
            return None
        which = "" if self._victim.kind == "trader" else ": the second now" if self._left == 1 else ": the first now"
        return f"{self.fee} for a {self._victim.kind}{which}"

    @property
    def extra(self) -> str | None:
        """What may be added to the displaced piece (R4.2)."""
        return number_of(self._left, "extra piece") if self._left and not self.owed and not self.raised else None

    @property
    def owed(self) -> str | None:
        """What has to be added to a displaced neutral trader (R8.2.2)."""
        piece = self._victim
        return f"neutral {piece.kind}" if piece and piece.owner == NEUTRAL and self._left else None

    @property
    def raised(self) -> str | None:
        """The piece in hand that was taken up for want of others (R4.4, R10.15)."""
        return f"a {self._scene.hand[0]}" if holds_raised(self._position) else None

    @property
    def extra_from(self) -> str:
        """R4.4: where as many pieces come from as may be put down."""
        if self._scene.seat is None:
            return "your stock"
        desk, left, sources = self._scene.desks[self._scene.seat], self._left, []
        for source, pieces in (("stock", desk.stock), ("supply", desk.supply)):
            if left > 0 and any(pieces):
                sources.append(f"your {source}")
                left -= sum(pieces)
        if not sources:
            return "your posts, as stock and supply are empty"
        return ", then from ".join([*sources, "your posts"] if left > 0 else sources)

    @property
    def reach(self) -> str:
        """R4.3, or what the favour of the displaced piece's owner makes of it (R12.4), and of what countries (R10.11)."""
        owner = self._victim.owner if self._victim else NEUTRAL
        anywhere = owner != NEUTRAL and "anywhere" in self._scene.desks[int(owner)].favours
        return f"{'any route' if anywhere else 'the nearest routes'}{self._within}"

    @property
    def _within(self) -> str:
        """R10.11: the countries that the pieces of a displacement may go to, on boards with several."""
        lane = self._action.get("route")
        if lane is None or not self._scene.several_countries:
            return ""
        countries, country = self._scene.countries, self._country_of(lane)
        if self.raised and country != self._lifted_from:
            country = countries[0]
        return f" of {' or '.join(map(country_in_words, dict.fromkeys((country, countries[0]))))}"

    def _country_of(self, lane: str) -> str:
        return next(self._scene.countries[route.country] for route in self._scene.routes if route.id == lane.removesuffix(SHIP))

    @property
    def _lifted_from(self) -> str | None:
        """The country of the piece in hand that is put down next, where that matters (R10.11, R10.12)."""
        return next(iter(self._position.get("from", ())), None)

    @property
    def maritime(self) -> str | None:
        """The route that was claimed last: while its permanent marker is used, the question names no route any more."""
        claims = (move.text for move in reversed(self._line.moves[: self._number]) if move.text.startswith("claim "))
        claim = next(claims, None)
        return claim and name_in_words(self._line.ruleset, claim.split(" ")[1])

    @property
    def rest(self) -> str:
        """R5.4, or what the permanent marker of the route makes of it (R9.14d)."""
        gone = "The pieces that this does not use go to your stock"
        return f"{gone}, but up to 2 of them may go to free posts anywhere" if keeps_two(self._scene) else gone

    @property
    def landing(self) -> str:
        """How many pieces of the claimed route may be put down, and what becomes of the others (R9.14d)."""
        if len(self._scene.hand) == 1:
            return "it on a free post of any route, or it goes"
        most = "up to 2 of them" if self._left > 1 else "one of them"
        return f"{most} on free posts of any route; the rest goes"

    @property
    def sending(self) -> str | None:
        """How many pieces may go abroad (R10.14), unless one is in hand."""
        return None if self.raised else "one more piece" if self._left == 1 else f"up to {self._left} pieces"

    @property
    def abroad(self) -> str:
        """The countries for which permissions are needed."""
        return " or ".join(map(country_in_words, self._scene.countries[1:]))

    @property
    def of_its_country(self) -> str:
        """R10.12."""
        if not self._scene.several_countries:
            return ""
        lane = self._action.get("route")
        country = self._country_of(lane) if lane else self._lifted_from if self._left == 0 else None
        return f" of {country_in_words(country)}" if country else " of its own country"

    @property
    def neutral_route(self) -> str | None:
        """R8.2.3: the route that is claimed for the neutral player."""
        held = next((route.id for route in self._scene.routes if route.holder == NEUTRAL), None)
        return held and name_in_words(self._line.ruleset, held)

    @property
    def partner(self) -> str:
        """The other seat of a trade-in."""
        return f"seat {self._action.get('partner')}"

    @property
    def toll(self) -> str:
        """What is left to be paid for the blocks above a route (R13.7)."""
        return "a piece more" if self._left == 1 else f"{self._left} pieces more, one by one"

    @property
    def of_countries(self) -> str:
        """R10.10."""
        return " of its own country or England" if self._scene.several_countries else ""

    @property
    def token(self) -> str | None:
        """What a token above a route does (R13.6, R13.7)."""
        if self._scene.asked != "token":
            return None
        return {
            "tribute": "Whoever founds an office at either end of the route, you get two pieces from your stock.",
            "block": "Whoever places a piece on the route pays one more piece.",
        }[laying(self._position)]

    @property
    def held(self) -> str | None:
        """The hand."""
        counts = [(self._scene.hand.count(kind), kind) for kind in KINDS]
        return " and ".join(number_of(count, kind) for count, kind in counts if count) or None

    @property
    def them(self) -> str:
        """The pieces in hand."""
        return "it" if len(self._scene.hand) == 1 else "each"

    @property
    def first(self) -> str | None:
        """How many pieces may be taken up, before the first is."""
        return None if self._scene.hand else "one" if self._left == 1 else f"up to {self._left}"

    @property
    def further(self) -> str:
        """How many more may be taken up."""
        return "another" if self._left == 1 else f"up to {self._left} more"

    @property
    def removals(self) -> str:
        """How many may be removed (R6.4)."""
        return "one more piece" if self._left == 1 else f"up to {self._left} pieces"

    @property
    def before(self) -> str | None:
        """What another seat has just done that this one may answer."""
        move = self._line.moves[self._number - 1] if self._number else None
        if move is None or move.seat == self._scene.seat:
            return None
        return f"seat {move.seat} {decision_in_words(self._line.ruleset, move.asked, move.text)}"
