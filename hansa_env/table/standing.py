"""How far a game is, for the strip above the board: round, pile, completed cities, what markers are worth, how it may end."""

from __future__ import annotations

from hansa_env.engine.rules.scoring import MARKERS_SCORED, marker_points
from hansa_env.render.scene_parts import Desk, Scene
from hansa_env.ruleset import Ruleset

#: Whoever lacks such a part of the prestige that ends the game (R7.1), or one, is warned of.
NEAR = 5
#: By the number taken; the engine's function is compiled for the engine alone.
_points = getattr(marker_points, "py_func", marker_points)


def standing_of(scene: Scene, ruleset: Ruleset) -> dict:
    """What the strip shows, as JSON data: numbers, the worth of so many markers, those of each seat, and `warnings`."""
    return {
        "round": scene.round,
        "pile": scene.pile,
        "completed": scene.completed,
        "completed_to_end": scene.completed_to_end,
        "prestige": max(desk.prestige for desk in scene.desks),
        "prestige_to_end": ruleset.board_data.scale.prestige_to_end,
        "marker_points": [int(_points(count)) for count in range(MARKERS_SCORED + 1)],
        "markers": [_markers(scene, desk) for desk in scene.desks],
        "warnings": [] if scene.over else warnings(scene, ruleset),
    }


def _markers(scene: Scene, desk: Desk) -> int:
    """All that a seat took (R7.4), its tokens above routes too (R13.8)."""
    tokens = sum(owner == str(desk.seat) for route in scene.routes for _, owner in route.tokens)
    return tokens + sum(count for _, count in (*desk.markers, *desk.used))


def warnings(scene: Scene, ruleset: Ruleset) -> list[str]:
    """What may end the game soon (R7.1), each as a sentence; seats by number."""
    found = []
    if scene.pile == 0:
        found.append("The pile is empty: whoever takes the next marker ends the game.")
    elif scene.pile == 1:
        found.append("One marker is left in the pile: the second one taken from now on ends the game.")
    if scene.completed_to_end - scene.completed == 1:
        found.append("The next completed city ends the game.")
    end = ruleset.board_data.scale.prestige_to_end
    near = [desk for desk in scene.desks if end - max(1, end // NEAR) <= desk.prestige < end]
    found += [f"seat {desk.seat} has {desk.prestige} prestige; {end} end the game." for desk in near]
    return found
