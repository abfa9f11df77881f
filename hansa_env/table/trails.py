"""Where the piece of a decision came from and where it went, as names of things in the drawing, so that a page can move it."""

from __future__ import annotations

from typing import NamedTuple

from hansa_env.boards import SHIP
from hansa_env.formats.position import position_of
from hansa_env.render.scene_parts import Scene
from hansa_env.render.things import held_posts, things_after
from hansa_env.render.words import Move
from hansa_env.table.line import Line


class Trail(NamedTuple):
    """A piece that moved: the things it came from and went to (`hansa_env.render.things`), and which it is, such as "0t"."""

    source: str
    target: str
    piece: str


def trail_of(line: Line, number: int, scene: Scene) -> Trail | None:
    """What moved by the decision that led to a position; None where that is not one piece.

    Args:
        line: the game.
        number: how many decisions stand before the position.
        scene: of the position.
    """
    if not number:
        return None
    move = line.moves[number - 1]
    verb, *rest = move.text.split(" ")
    if verb in ("place", "put"):
        source = _source_of_put(line, number, move, rest[0])
        target = things_after(scene, move.seat, move.text, move.asked)
        return Trail(source, target[0], f"{move.seat}{rest[0][0]}") if source and target else None
    tell = {
        "with": _displacing,
        "pay": _paying,
        "office": _office,
        "develop": _developed,
        "income": _income,
        "prestige": _space,
    }
    told = tell.get(move.asked if move.asked in ("with", "pay") else verb)
    return None if told is None else told(line, number, move, scene)


def _action(line: Line, number: int) -> dict:
    """The action under way before the decision that led to a position."""
    return position_of(line.ruleset, line.records[number - 1])["action"] or {}


def _source_of_put(line: Line, number: int, move: Move, kind: str) -> str | None:
    if move.asked == "act":
        return f"supply {move.seat} {kind}"
    if move.asked == "put":
        lifted = [one.text for one in line.moves[:number] if one.text.startswith(f"lift {kind}") and one.turn == move.turn]
        return f"route {lifted[-1].split(' ')[2].removesuffix(SHIP)}" if lifted else None
    if move.asked == "relocate":
        before = line.moves[number - 2] if number > 1 else None
        if before is not None and before.asked == "relocate" and before.seat == move.seat:
            return f"stock {move.seat} {kind}"
    if move.asked in ("relocate", "land"):
        return f"route {_action(line, number)['route'].removesuffix(SHIP)}"
    return f"stock {move.seat} {kind}" if move.asked == "send" else None


def _displacing(line: Line, number: int, move: Move, scene: Scene) -> Trail | None:
    action = _action(line, number)
    if action.get("verb") != "displace":
        return None
    own = held_posts(scene, action["route"], lambda piece: (piece.owner, piece.kind) == (str(move.seat), move.text))
    return Trail(f"supply {move.seat} {move.text}", own[-1], f"{move.seat}{move.text[0]}") if own else None


def _paying(line: Line, number: int, move: Move, scene: Scene) -> Trail:
    return Trail(f"supply {move.seat} {move.text}", f"stock {move.seat} {move.text}", f"{move.seat}{move.text[0]}")


def _income(line: Line, number: int, move: Move, scene: Scene) -> Trail:
    return Trail(f"stock {move.seat} trader", f"supply {move.seat} trader", f"{move.seat}t")


def _office(line: Line, number: int, move: Move, scene: Scene) -> Trail | None:
    target = things_after(scene, move.seat, move.text)[0]
    city, place = move.text.split(" ")[1], int(target.rpartition(" ")[2])
    piece = next(one for one in scene.cities if one.id == city).offices[place - 1].piece
    route = _action(line, number).get("route")
    return Trail(f"route {route}", target, f"{move.seat}{piece.kind[0]}") if piece is not None and route else None


def _developed(line: Line, number: int, move: Move, scene: Scene) -> Trail:
    kind = "merchant" if move.text.endswith("book") else "trader"
    return Trail(f"ability {move.seat} {move.text.split(' ')[1]}", f"supply {move.seat} {kind}", f"{move.seat}{kind[0]}")


def _space(line: Line, number: int, move: Move, scene: Scene) -> Trail:
    return Trail(f"route {_action(line, number)['route']}", f"space {move.text.split(' ')[1]}", f"{move.seat}m")
