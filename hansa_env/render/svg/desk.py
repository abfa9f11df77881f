"""The panel of a seat's desk: abilities, supply and stock, markers, prestige and points."""

from __future__ import annotations

from hansa_env.render.scene_parts import KINDS, Desk, Scene, Track
from hansa_env.render.svg.shapes import Panel, circle, dots, fitted, icon, n, path, piece, rect, text, thing, tile, token
from hansa_env.render.words import favour_in_words, number_of

HEIGHT = 112.0


def desk_panel(scene: Scene, desk: Desk, width: float) -> Panel:
    """The desk of a seat."""
    panel = Panel(f"desk {desk.seat}", width, HEIGHT)
    panel.parts["card"] = thing(f"desk {desk.seat}", _card(scene, desk, width))
    panel.parts["abilities"] = "".join(
        thing(
            f"ability {desk.seat} {track.ability}",
            _track(desk, track, 8 + i * (width - 12) / 5, (width - 12) / 5 - 4),
            f"{track.ability}: {track.value}",
        )
        for i, track in enumerate(desk.tracks)
    )
    panel.parts["labels"] = text(10, 80.5, "supply", 12, "soft") + text(10 + (width - 20) / 2, 80.5, "stock", 12, "soft")
    panel.parts |= _pieces(desk, width)
    tiles, left = _tiles(scene, desk, width)
    panel.parts["markers"] = _markers(desk, left) + tiles
    return panel


def _card(scene: Scene, desk: Desk, width: float) -> str:
    deciding = " deciding" if desk.decides else ""
    drawn = rect(1.5, 1.5, width - 3, HEIGHT - 3, f"card{deciding}", 9)
    drawn += rect(1.5, 10, 5, HEIGHT - 20, f"p{desk.seat}", 2)
    drawn += rect(12, 7, 20, 20, f"piece p{desk.seat}", 4) + text(22, 22, desk.seat, 14.5, f"i{desk.seat}")
    right = f"{desk.scores[-1]} points"
    room = width - 40 - 124
    state = "wins" if scene.over and desk.place == 1 else f"place {desk.place}" if scene.over else ""
    if desk.has_turn and not scene.over:
        state = "turn"
    name = desk.name or f"seat {desk.seat}"
    if state:
        room -= len(state) * 6.2 + 10
    shown = fitted(name, 14.5, room)
    drawn += text(38, 22, shown, 14.5, "b")
    if state:
        drawn += text(44 + len(shown) * 7.7, 22, state, 12, "soft")
    drawn += text(width - 12, 22, right, 13, "end soft")
    x = width - 12 - len(right) * 6.6 - 34
    drawn += path(f"M{n(x - 8)} 9H{n(x + 8)}V18L{n(x)} 25 {n(x - 8)} 18Z", "token")
    return drawn + text(x, 21, desk.prestige, 12, "token-ink")


def _track(desk: Desk, track: Track, x: float, width: float) -> str:
    """The sign and what the ability shows now, above a place for each of its values."""
    drawn = rect(x - 2, 31, width + 2, 35, "hit", 4) + icon(x + 8, 42, track.ability)
    if track.ability == "privilege":
        drawn += rect(x + 21, 35, width - 26, 14, f"space {track.value}", 3)
        middle = x + 21 + (width - 26) / 2
        if width > 60:
            drawn += text(middle, 46, track.value, 10.5, f"mid b {'white' if track.value == 'black' else 'black'}")
        else:
            drawn += dots(middle, 42, track.value, 20)
    else:
        drawn += text(x + 21, 48, track.value, 17, "b")
    count = len(track.values)
    step = min(width / count, 10)
    for i in range(count):
        middle = x + step / 2 + i * step
        uncovered = i <= track.uncovered
        if track.cover == "merchant":
            drawn += circle(middle, 59, 3.9, f"piece p{desk.seat}" if not uncovered else "open")
        else:
            drawn += rect(middle - 3.6, 55.4, 7.2, 7.2, f"piece p{desk.seat}" if not uncovered else "open", 1)
    return drawn


def _pieces(desk: Desk, width: float) -> dict[str, str]:
    """Supply and stock, a part for each kind."""
    parts = {}
    for label, counts, x in (("supply", desk.supply, 10), ("stock", desk.stock, 10 + (width - 20) / 2)):
        for i, (kind, count) in enumerate(zip(KINDS, counts)):
            middle = x + 52 + i * 42
            inside = rect(middle - 10, 67, 40, 19, "hit") + piece(middle, 76.5, str(desk.seat), kind, 13, number=False)
            inside += text(middle + 10, 81.5, count, 14, "b" if count else "soft")
            parts[f"{label} {kind}"] = thing(f"{label} {desk.seat} {kind}", inside, f"{label}: {number_of(count, kind)}")
    return parts


def _tiles(scene: Scene, desk: Desk, width: float) -> tuple[str, float]:
    """The mission card if it is seen and the favours, from the right; and the room left for markers."""
    several = scene.several_countries
    things = [(f"favour {desk.seat} {name}", name, favour_in_words(name, several)) for name in desk.favours]
    if desk.mission is not None:
        things.append((f"mission {desk.seat}", "mission", f"mission: {', '.join(desk.mission)}"))
    wide = max(38.0, min(56.0, width / 2 / max(1, len(things)) - 3))
    drawn = ""
    for name, words, title in things:
        width -= wide + 3
        drawn += thing(name, tile(width - 6, 97, words, wide), title)
    return drawn, width


def _markers(desk: Desk, width: float) -> str:
    entries: list[tuple[str, str | None, int, str]] = [
        (f"marker {desk.seat} {kind}", kind, count, "") for kind, count in desk.markers
    ]
    if desk.plate:
        entries.append((f"plate {desk.seat}", None, desk.plate, ""))
    entries += [(f"used {desk.seat} {kind}", kind, count, "spent") for kind, count in desk.used]
    if not entries:
        return text(10, 101.5, "no markers", 12, "soft")
    step = min(46.0, (width - 20) / len(entries))
    scale = min(0.85, step / 40)
    drawn = ""
    for i, (name, kind, count, classes) in enumerate(entries):
        x = 10 + i * step
        inside = token(x + 17 * scale, 97, kind, scale)
        if classes:
            inside = f'<g class="{classes}">{inside}</g>'
        if count > 1:
            inside += circle(x + 34 * scale, 90, 7, "badge") + text(x + 34 * scale, 93.6, count, 10.5, "mid b")
        drawn += thing(name, inside, name.replace(f" {desk.seat}", ""))
    return drawn
