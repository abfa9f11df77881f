"""The board as a map of letters, for terminals: cities where they lie, posts between them, who stands where.

print(map_as_text(game.scene(), 120, colours=True))
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from hansa_env.render.scene_parts import City, Piece, Scene

#: Columns below which cities would hide each other, and rows for each column.
LEAST_WIDTH, SHAPE = 90, 0.36
#: Of seats, as backgrounds in the 256 colours of terminals, each with the letters on it.
_COLOURS = {"0": (27, 15), "1": (220, 16), "2": (124, 15), "3": (79, 16), "4": (54, 15), "n": (145, 16)}
_MERCHANTS = {"0": "⓪", "1": "①", "2": "②", "3": "③", "4": "④", "n": "ⓝ"}
_FREE, _FREE_SHIP, _MARKER = "·", "~", "*"
LEGEND = (
    "0-4 trader of a seat, ⓪-④ merchant, · free post, ~ free ship, * marker; offices: w o p b free for a trader, W O P B for a "
    "merchant, of privilege white, orange, pink, black"
)


class _Sheet:
    """Letters in rows, each with the owner that colours it."""

    def __init__(self, width: int, height: int) -> None:
        self.letters = [[" "] * width for _ in range(height)]
        self.owners: list[list[str | None]] = [[None] * width for _ in range(height)]
        self.width, self.height = width, height

    def write(self, row: int, column: int, words: str, owner: str | None = None) -> None:
        for place, letter in enumerate(words, column):
            if 0 <= row < self.height and 0 <= place < self.width:
                self.letters[row][place], self.owners[row][place] = letter, owner

    def put(self, row: int, column: int, letter: str, owner: str | None) -> None:
        """A letter at a place or, where something stands there, at the nearest free one."""
        for down, right in _around():
            y, x = row + down, column + right
            if 0 <= y < self.height and 0 <= x < self.width and self.letters[y][x] == " ":
                self.write(y, x, letter, owner)
                return

    def lines(self, colours: bool) -> Iterator[str]:
        for letters, owners in zip(self.letters, self.owners):
            cells = [_coloured(letter, owner) if colours and owner else letter for letter, owner in zip(letters, owners)]
            yield "".join(cells).rstrip()


def map_as_text(scene: Scene, width: int = 120, colours: bool = False) -> str:
    """The map, with a legend below. Raises ValueError where the width is less than LEAST_WIDTH.

    Args:
        scene: of the position.
        width: columns.
        colours: whether pieces have the colours of their seats, as escape sequences.
    """
    if width < LEAST_WIDTH:
        raise ValueError(f"width is {width}; a map takes at least {LEAST_WIDTH} columns")
    sheet = _Sheet(width, round(width * SHAPE))
    for city in scene.cities:
        _write_city(sheet, city)
    for route in scene.routes:
        for piece, is_ship, (x, y) in zip(route.posts, route.ships, route.post_xy):
            free = _FREE_SHIP if is_ship else _FREE
            sheet.put(*_place(sheet, x, y), free if piece is None else _letter(piece), None if piece is None else piece.owner)
        if route.marker is not None:
            x, y = route.post_xy[len(route.post_xy) // 2]
            sheet.put(*_place(sheet, x, y), _MARKER, None)
    below = [LEGEND] if (markers := _markers(scene)) == "" else [LEGEND, markers]
    return "\n".join([*sheet.lines(colours), *(line for part in below for line in textwrap.wrap(part, width))])


def _markers(scene: Scene) -> str:
    """What the markers on the map are, route by route."""
    names = {city.id: city.name for city in scene.cities}
    told = [f"{route.marker} {'–'.join(names[city] for city in route.cities)}" for route in scene.routes if route.marker]
    return f"Markers: {', '.join(told)}" if told else ""


def _place(sheet: _Sheet, x: float, y: float) -> tuple[int, int]:
    return round(y * (sheet.height - 2)), round(x * (sheet.width - 1))


def _write_city(sheet: _Sheet, city: City) -> None:
    row, middle = _place(sheet, *city.xy)
    pieces: list[tuple[str, str | None]] = [(_letter(extra), extra.owner) for extra in city.extras]
    for office in city.offices:
        free = office.privilege[:1] or " "
        empty = free if office.shape == "square" else free.upper()
        pieces.append((empty, None) if office.piece is None else (_letter(office.piece), office.piece.owner))
    name = city.name[:12]
    left = min(max(0, middle - len(name) // 2), sheet.width - len(name))
    sheet.write(row, left, name, city.controller)
    first = min(max(0, middle - (len(pieces) + 2) // 2), sheet.width - len(pieces) - 2)
    sheet.write(row + 1, first, f"[{' ' * len(pieces)}]")
    for number, (letter, owner) in enumerate(pieces, 1):
        sheet.write(row + 1, first + number, letter, owner)


def _letter(piece: Piece) -> str:
    return piece.owner if piece.kind == "trader" else _MERCHANTS[piece.owner]


def _around() -> Iterator[tuple[int, int]]:
    """Steps down and right, the nearest first."""
    near = [(down, right) for down in range(-2, 3) for right in range(-4, 5)]
    yield from sorted(near, key=lambda step: (4 * step[0] * step[0] + step[1] * step[1], step))


def _coloured(letter: str, owner: str) -> str:
    background, foreground = _COLOURS[owner]
    return f"\x1b[48;5;{background};38;5;{foreground}m{letter}\x1b[0m"
