"""What a decision costs, in a few words, so that nobody has to look it up before deciding."""

from __future__ import annotations

from collections.abc import Sequence

from hansa_env.boards import SHIP
from hansa_env.render.scene_parts import Route, Scene

ACTION, FREE = "1 action", "no action"
PENALTY = "1 piece for a trader, 2 for a merchant"
#: What the numbers of an ability count, behind them.
_COUNTED = {"keys": "points for each city of your network", "actions": "actions in a turn", "privilege": "offices",
            "book": "pieces in a move", "bank": "pieces in an income"}  # fmt: skip
#: What a marker does (R6.3, R6.4, R6.6, R13.3).
_MARKERS = {"exchange": "swaps two offices side by side", "remove-three": "takes up to 3 pieces off the roads",
            "move-three": "moves up to 3 pieces of others", "+3": "3 more actions", "+4": "4 more actions"}  # fmt: skip
#: Decisions at the question `act` that take an action; the rest are free, but for those told below.
_TAKE_AN_ACTION = ("income", "place", "displace", "move", "claim", "ride")


def cost_in_words(scene: Scene, texts: Sequence[str]) -> str:
    """What a legal decision, with those that follow it in one click, costs or brings at once; "" where there is nothing to say.

    Args:
        scene: where the first of them is decided.
        texts: the decisions.
    """
    verb, *rest = texts[0].split(" ")
    tell = {"act": _of_action, "reward": _of_reward}.get(scene.asked)
    if tell is not None:
        return tell(scene, verb, rest, texts)
    if texts[0] == "done":
        return ""
    if scene.asked in ("with", "pay") and scene.action is not None and scene.action.verb in ("displace", "place"):
        return "from your supply" if scene.asked == "with" else "from your supply to your stock"
    if scene.asked == "with" and scene.action is not None and scene.action.verb == "claim":
        return "of the route"
    if scene.asked == "victim" and scene.action is not None and scene.action.verb == "displace":
        return _penalty(texts)
    if scene.asked == "relocate" and verb == "put":
        return "costs nothing"
    return ""


def _of_action(scene: Scene, verb: str, rest: list[str], texts: Sequence[str]) -> str:
    if verb == "done":
        left = scene.actions_left
        return f"{left} action{'s' * (left != 1)} unused" if left else ""
    if verb == "favour":
        return "2 markers and all actions of the turn"
    if verb not in _TAKE_AN_ACTION:
        does = _step(scene, rest[0]) if verb == "develop" else _MARKERS.get(_kind(scene, verb), "")
        return f"{FREE}; {does}" if does else FREE
    if verb == "displace":
        return f"{ACTION}, {_penalty(texts)}"
    if verb == "place":
        blocks = sum(kind == "block" for kind, _ in _route(scene, rest[1]).tokens)
        return f"{ACTION}, {blocks} more to your stock" if blocks else ACTION
    if verb == "claim":
        return "; ".join([ACTION, *_brought(scene, _route(scene, rest[0]))])
    return ACTION


def _penalty(texts: Sequence[str]) -> str:
    """R4.1: pieces that go from supply to stock."""
    if texts[-1] == "displace" or " " in texts[-1]:  # the piece is not chosen yet
        return PENALTY
    return "1 piece to your stock" if texts[-1].endswith("t") else "2 pieces to your stock"


def _brought(scene: Scene, route: Route) -> list[str]:
    """What a claim brings before anything is chosen: prestige to those who control its cities (R5.1), its marker (R5.3)."""
    controllers = [city.controller for city in scene.cities if city.id in route.cities and city.controller not in (None, "n")]
    gains = [f"{controllers.count(owner)} prestige to seat {owner}" for owner in dict.fromkeys(controllers)]
    return gains + ([f"the marker {route.marker}"] if route.marker else [])


def _of_reward(scene: Scene, verb: str, rest: list[str], texts: Sequence[str]) -> str:
    """R5.4: what of the claimed route it takes; the other pieces go to the stock."""
    if verb == "office":
        city = next(city for city in scene.cities if city.id == rest[0])
        space = next(office for office in city.offices if office.piece is None)
        coin = f", {space.prestige} prestige at once" if space.prestige else ""
        return f"a {'trader' if space.shape == 'square' else 'merchant'} of the route{coin}"
    if verb == "extra":
        return "a piece of the route and a marker"
    if verb == "prestige":
        return f"a merchant of the route, {rest[0]} points at the end"
    goes_back = "every piece of the route to your stock"
    return f"{_step(scene, rest[0])}; {goes_back}" if verb == "develop" else goes_back


def _kind(scene: Scene, verb: str) -> str:
    """The marker that a decision uses: of the two that `remove` may mean, the one at hand."""
    held = [kind for kind, _ in scene.desks[scene.turn].markers]
    return next((kind for kind in ("remove-three", "move-three") if kind in held), verb) if verb == "remove" else verb


def _step(scene: Scene, ability: str) -> str:
    """R5.8: from what to what an ability is developed, and what that counts."""
    track = next(track for track in scene.desks[scene.turn].tracks if track.ability == ability)
    return f"{track.value} → {track.values[track.uncovered + 1]} {_COUNTED[ability]}"


def _route(scene: Scene, lane: str) -> Route:
    return next(route for route in scene.routes if route.id == lane.removesuffix(SHIP))
