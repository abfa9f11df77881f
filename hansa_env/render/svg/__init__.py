"""A scene as SVG, drawn from the board's data alone.

    from hansa_env.render.scene import scene_of
    from hansa_env.render.svg import draw

    svg = draw(scene_of(ruleset, game), width=1200, theme="dark")

**What can be decided about** carries `data-thing` with its name (`hansa_env.render.things`, which also says what a legal
decision concerns), so that a page finds the elements of a decision:

    from hansa_env.render.things import selector, things_of

    for text in scene.legal:
        elements = [selector(name) for name in things_of(scene, text)]      # '[data-thing="post stade/hamburg 2"]', ...

**Panels.** The drawing is made of panels, each with its own size: heading, map, track, a desk for each seat, scores. `draw`
lays them out beside each other from 900 pixels on, below each other where there is less. A page may lay them out by itself:
`panels(scene)` gives them, `panel_svg(panel, theme)` draws one alone, without its colours, which are `stylesheet(theme)`.

**Parts.** A panel's parts have names that stay (`data-part`); from one scene to the next `changes` says which of them are to be
drawn anew, so that a page need not draw everything at each decision.
"""

from __future__ import annotations

from math import inf
from numbers import Real

from hansa_env.render.scene_parts import Scene
from hansa_env.render.svg.around import HEADING, TRACK, favours_height, heading_panel, log_panel, scores_panel, track_panel
from hansa_env.render.svg.desk import HEIGHT as DESK
from hansa_env.render.svg.desk import desk_panel
from hansa_env.render.svg.map import map_panel
from hansa_env.render.svg.places import HEIGHT as MAP_HEIGHT
from hansa_env.render.svg.places import WIDTH as MAP_WIDTH
from hansa_env.render.svg.shapes import Panel, n, rect
from hansa_env.render.svg.themes import THEMES, stylesheet

__all__ = ["THEMES", "Panel", "changes", "draw", "panel_svg", "panels", "stylesheet"]

GAP = 8.0
WIDE, NARROW = 1200.0, 600.0
#: Pixels from which on the desks stand beside the map.
WIDE_FROM = 900
SPACE_OF_XML = 'xmlns="http://www.w3.org/2000/svg"'


def draw(scene: Scene, width: int = 1200, theme: str = "light") -> str:
    """The scene as an SVG document.

    Args:
        scene: what is to be seen.
        width: of the picture in pixels; its height follows, an even number, as films want it. From 900 on the desks stand
            beside the map, else below it.
        theme: "light" or "dark".

    Raises:
        ValueError: the width is no positive number, or there is no such theme.
    """
    if not _is_width(width):
        raise ValueError(f"width is {width!r:.60}; expected more than 0, in pixels")
    style = stylesheet(theme)
    placed, across, down = _wide(scene) if width >= WIDE_FROM else _narrow(scene)
    body = "".join(
        f'<g data-panel="{panel.name}" transform="translate({n(x)} {n(y)}) scale({scale:.4f})">{panel.body()}</g>'
        for panel, x, y, scale in placed
    )
    return (
        f'<svg {SPACE_OF_XML} class="hansa hansa-{theme}" role="img" aria-label="Hansa Teutonica, {scene.title}" '
        f'width="{width}" height="{2 * round(width * down / across / 2)}" viewBox="0 0 {n(across)} {n(down)}">'
        f"<style>\n{style}</style>{rect(-4, -4, across + 8, down + 8, 'page')}{body}</svg>"
    )


def _is_width(given: object) -> bool:
    return not isinstance(given, bool) and isinstance(given, Real) and 0 < float(given) < inf


def panels(scene: Scene, desk_width: float = 340, scores_height: float = DESK) -> dict[str, Panel]:
    """The panels by name: "heading", "map", "track", "desk 0", ..., "scores"."""
    found = [heading_panel(scene, 840), map_panel(scene), track_panel(scene, MAP_WIDTH)]
    found += [desk_panel(scene, desk, desk_width) for desk in scene.desks]
    found.append(scores_panel(scene, desk_width, scores_height + favours_height(scene)))
    return {panel.name: panel for panel in found}


def panel_svg(panel: Panel, theme: str = "light") -> str:
    """A panel as an SVG element for a page that has the stylesheet; it takes the width it is given."""
    return (
        f'<svg {SPACE_OF_XML} class="hansa hansa-{theme}" data-panel="{panel.name}" '
        f'viewBox="0 0 {n(panel.width)} {n(panel.height)}">{panel.body()}</svg>'
    )


def changes(before: dict[str, Panel], after: dict[str, Panel]) -> dict[tuple[str, str], str]:
    """The parts that differ between two sets of panels, by names of panel and part; each is what now stands in its group."""
    return {
        (name, part): inside
        for name, panel in after.items()
        for part, inside in panel.parts.items()
        if name not in before or before[name].parts.get(part) != inside
    }


Placed = list[tuple[Panel, float, float, float]]


def _wide(scene: Scene) -> tuple[Placed, float, float]:
    desk_width = 340.0
    map_width = WIDE - desk_width - 3 * GAP
    scale = map_width / MAP_WIDTH
    top = GAP + HEADING + GAP
    placed: Placed = [(heading_panel(scene, WIDE - 2 * GAP), GAP, GAP, 1.0)]
    placed.append((map_panel(scene), GAP, top, scale))
    below = top + MAP_HEIGHT * scale + GAP
    placed.append((track_panel(scene, map_width), GAP, below, 1.0))
    down = below + TRACK + GAP
    count = len(scene.desks)
    scores = 48.0 + 19 * count + favours_height(scene)
    height = down - GAP - top - scores
    most = 1.0 if count < 4 else 1.12  # below three desks there is room for the last decisions
    desk_scale = min(most, (height / count - GAP) / DESK)
    x = 2 * GAP + map_width
    free = height - count * (DESK * desk_scale + GAP)
    if free > 60 and scene.last:
        placed.append((log_panel(scene, desk_width, free - GAP), x, top + height - free, 1.0))
    for i, desk in enumerate(scene.desks):
        placed.append((desk_panel(scene, desk, desk_width / desk_scale), x, top + i * (DESK * desk_scale + GAP), desk_scale))
    placed.append((scores_panel(scene, desk_width, scores), x, down - GAP - scores, 1.0))
    return placed, WIDE, down


def _narrow(scene: Scene) -> tuple[Placed, float, float]:
    full = NARROW - 2 * GAP
    scale = full / MAP_WIDTH
    placed: Placed = [(heading_panel(scene, full), GAP, GAP, 1.0), (map_panel(scene), GAP, 2 * GAP + HEADING, scale)]
    y = 3 * GAP + HEADING + MAP_HEIGHT * scale
    placed.append((track_panel(scene, full, TRACK + 14), GAP, y, 1.0))
    y += TRACK + 14 + GAP
    half = (full - GAP) / 2
    for i, desk in enumerate(scene.desks):
        placed.append((desk_panel(scene, desk, half), GAP + i % 2 * (half + GAP), y + i // 2 * (DESK + GAP), 1.0))
    count = len(scene.desks)
    y += (count + 1) // 2 * (DESK + GAP)
    beside = count % 2 == 1 and scene.favours is None  # a desk without a neighbour, and room for all there is to say
    scores = DESK if beside else 48.0 + 19 * count + favours_height(scene)
    if beside:
        placed.append((scores_panel(scene, half, scores), GAP + half + GAP, y - DESK - GAP, 1.0))
    else:
        placed.append((scores_panel(scene, full, scores), GAP, y, 1.0))
        y += scores + GAP
    return placed, NARROW, y
