"""The panels around the map: who is asked what, the prestige track, the points by category."""

from __future__ import annotations

from hansa_env.render.scene_parts import Last, Scene
from hansa_env.render.svg.shapes import LETTER, Panel, circle, fitted, rect, text, thing, tile
from hansa_env.render.things import BUTTONS
from hansa_env.render.words import favour_in_words, number_of, tells_the_hand

HEADING = 66.0
TRACK = 46.0
FAVOURS = 20.0
LAST_CELL = 20  # R7.1: the game ends there
#: How the columns of a score are headed, and how where there is little room.
COLUMNS = {
    "track": ("track", "track"), "abilities": ("abil.", "abil."), "markers": ("markers", "mark."),
    "prestige_spaces": ("spaces", "spac."), "control": ("control", "cont."), "network": ("network", "net"),
    "regions": ("regions", "reg."), "mission": ("mission", "miss."), "total": ("total", "total"),
}  # fmt: skip


def heading_panel(scene: Scene, width: float) -> Panel:
    """Who is asked what, with how many actions left; the last decision; how far the game is."""
    panel = Panel("heading", width, HEADING)
    winners = [desk for desk in scene.desks if desk.place == 1]
    seat = winners[0].seat if scene.seat is None else scene.seat
    name = scene.desks[seat].name or f"Seat {seat}"
    question = f"{name}: {scene.question}"
    if scene.hand and (not tells_the_hand(scene.asked) or len(scene.hand) > 1):
        question += f" ({len(scene.hand)} in hand)"
    if scene.over:
        won = " and ".join(f"seat {desk.seat}" + (f" ({desk.name})" if desk.name else "") for desk in winners)
        question = f"{won[0].upper()}{won[1:]} won: {scene.ending}"
    elif scene.seat != scene.turn:
        question += f", in the turn of seat {scene.turn}"
    actions = "" if scene.over else f"{number_of(scene.actions_left, 'action')} left"
    facts = f"round {scene.round} · cities {scene.completed}/{scene.completed_to_end} · pile {scene.pile}"
    if scene.permissions:
        facts = f"used: {', '.join(city.name for city in scene.cities if city.id in scene.permissions)} · {facts}"
    room = width - 50 - (130 if actions else 16)
    size = 19 if len(question) * 19 * LETTER <= room else 16
    panel.parts["card"] = rect(1, 1, width - 2, HEADING - 2, "card", 9)
    panel.parts["seat"] = rect(12, 10, 28, 28, f"piece p{seat}", 6) + text(26, 31, seat, 20, f"i{seat}")
    panel.parts["question"] = thing(BUTTONS, text(50, 31, fitted(question, size, room), size, "b"))
    panel.parts["actions"] = text(width - 14, 31, actions, 15, "end b") if actions else ""
    panel.parts["facts"] = text(width - 14, 54, facts, 13, "end soft")
    panel.parts["last"] = ""
    if scene.last:
        last = scene.last[-1]
        words = fitted(f"seat {last.seat} {last.words}", 13.5, width - 50 - len(facts) * 7)
        panel.parts["last"] = text(14, 54, "Last:", 13.5, "soft") + text(50, 54, words, 13.5)
    return panel


def track_panel(scene: Scene, width: float, height: float = TRACK) -> Panel:
    """Prestige from 0 to 20 and beyond, a disc for each seat."""
    panel = Panel("track", width, height)
    cell = (width - 2) / (LAST_CELL + 1)
    drawn = rect(1, 1, width - 2, height - 2, "card", 9)
    for points in range(LAST_CELL + 1):
        x = 1 + points * cell
        if points:
            drawn += f'<path d="M{x:.1f} 4V{height - 4:.0f}" class="rule"/>'
        label = "20+" if points == LAST_CELL else points
        drawn += text(x + cell / 2, height - 6, label, 11, "mid b" if points % 5 == 0 else "mid soft")
        here = [desk for desk in scene.desks if min(desk.prestige, LAST_CELL) == points]
        columns = 1 if len(here) == 1 else 2
        rows = max(1, -(-len(here) // columns))
        radius = min(10.0, cell / (2.1 * columns), max((height - 17) / (2 * rows), 5.2))
        for i, desk in enumerate(here):
            row, column = divmod(i, columns)
            in_row = min(columns, len(here) - row * columns)
            cx = x + cell / 2 + (column - (in_row - 1) / 2) * 2 * radius
            cy = (height - 14) / 2 + 1 + (row - (rows - 1) / 2) * 2 * radius
            drawn += circle(cx, cy, radius, f"piece p{desk.seat}")
            drawn += text(cx, cy + radius * 0.5, desk.seat, radius * 1.35, f"i{desk.seat}")
    panel.parts["track"] = drawn
    return panel


def scores_panel(scene: Scene, width: float, height: float) -> Panel:
    """Points by category and seat, as the board stands, who made the link, and with favours the tiles on display below."""
    panel = Panel("scores", width, height)
    height -= favours_height(scene)
    drawn = rect(1, 1, width - 2, panel.height - 2, "card", 9)
    step = (width - 38) / len(scene.columns)
    for i, column in enumerate(scene.columns):
        label = COLUMNS[column][step < 39]
        drawn += text(30 + (i + 1) * step, 17, label, 10.5, "end soft b" if column == "total" else "end soft")
    panel.parts["heads"] = drawn
    row = min(19.0, (height - 44) / len(scene.desks))
    for number, desk in enumerate(scene.desks):
        y = 24 + number * row + row / 2
        drawn = rect(12, y - 7, 14, 14, f"piece p{desk.seat}", 3) + text(19, y + 4, desk.seat, 11, f"i{desk.seat}")
        for i, points in enumerate(desk.scores):
            total = i == len(desk.scores) - 1
            drawn += text(30 + (i + 1) * step, y + 4.5, points, 13, "end b" if total else "end" if points else "end soft")
        panel.parts[f"points {desk.seat}"] = drawn
    names = {city.id: city.name for city in scene.cities}
    link = "–".join(names[city] for city in scene.link_cities)
    made = ", ".join(f"{points} {f'seat {seat}' if seat else 'free'}" for points, seat in _link(scene))
    words = f"{link} linked: {made}"
    words = words if len(words) * 11.5 * LETTER < width - 20 else f"linked: {made}"
    panel.parts["link"] = text(12, height - 9, words, 11.5, "soft")
    if scene.favours is not None:
        panel.parts["favours"] = _favours(scene, width, height + 6)
    return panel


def favours_height(scene: Scene) -> float:
    """How much higher the panel of scores is for the tiles on display."""
    return 0.0 if scene.favours is None else FAVOURS


def _favours(scene: Scene, width: float, y: float) -> str:
    """The Emperor's Favour tiles on display."""
    if not scene.favours:
        return text(12, y + 4, "no favours left", 11.5, "soft")
    step = (width - 20) / max(5, len(scene.favours))
    return "".join(
        thing(f"favour {name}", tile(12 + i * step, y, name, step - 4), favour_in_words(name, scene.several_countries))
        for i, name in enumerate(scene.favours)
    )


def log_panel(scene: Scene, width: float, height: float) -> Panel:
    """The last decisions in words, newest first, as many as there is room for."""
    panel = Panel("log", width, height)
    drawn = rect(1, 1, width - 2, height - 2, "card", 9) + text(12, 20, "Last decisions", 13, "b")
    row = 19.0
    for number, last in enumerate(reversed(told(scene))):
        y = 32 + number * row
        if y + row > height:
            break
        drawn += rect(12, y, 14, 14, f"piece p{last.seat}", 3) + text(19, y + 11, last.seat, 11, f"i{last.seat}")
        drawn += text(34, y + 11.5, fitted(last.words, 12.5, width - 44), 12.5)
    panel.parts["log"] = drawn
    return panel


def told(scene: Scene) -> list[Last]:
    """The last decisions; those that a later one goes on with are left out, as its words have theirs."""
    return [last for last, after in zip(scene.last, [*scene.last[1:], None]) if after is None or not after.goes_on]


def _link(scene: Scene) -> list[tuple[int, str | None]]:
    linked = [*scene.linked, *[None] * len(scene.link_points)]
    return list(zip(scene.link_points, linked))
