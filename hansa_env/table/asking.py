"""The story behind a question: what has happened that somebody is asked now, what may be done, and what of it is optional."""

from __future__ import annotations

from hansa_env.play.game import Game
from hansa_env.play.take_back import shows_more
from hansa_env.render.scene_parts import Scene
from hansa_env.render.words import Move, decision_in_words, name_in_words
from hansa_env.table.costs import PENALTY
from hansa_env.table.line import Line


def begun_at(line: Line, number: int) -> int | None:
    """The number of decisions before the action under way, if whoever decides may still call it off: all its decisions so far
    are of that seat, and nothing hidden has been seen since. None where nothing is under way, or somebody else has decided."""
    moves, record = line.moves[:number], line.records[number]
    seat = int(record["seat"])
    for first in range(number - 1, -1, -1):
        if moves[first].seat != seat or moves[first].turn != int(record["turns"]):
            return None
        if moves[first].asked == "act":
            under_way = line.game_at(number).asked != "act" and not shows_more(line.records[first], record)
            return first if under_way else None
    return None


def story_of(line: Line, number: int, game: Game, scene: Scene) -> list[str]:
    """What led to the question, what its answer is about, and whether one has to answer; seats by number, "seat 1's" for what
    is somebody's. Empty at the beginning of an action."""
    if scene.over or scene.asked == "act":
        return []
    return _TELLERS.get(scene.asked, _nothing)(line, number, game, scene)


def question_of(scene: Scene, game: Game) -> str:
    """The question in words: as the scene has it, but for what goes on once the displaced piece lies on the board again."""
    settled = scene.asked == "relocate" and (game.position()["action"] or {}).get("settled")
    return "put down an extra piece, or stop" if settled else scene.question


def _nothing(line: Line, number: int, game: Game, scene: Scene) -> list[str]:
    return []


def _displacement(line: Line, number: int, game: Game, scene: Scene) -> list[str]:
    """At `with` and `pay` of who displaces; an extra office and the like ask `with` too."""
    action = scene.action
    if action is not None and action.verb == "claim" and action.city is not None:
        where = name_in_words(line.ruleset, action.city)
        return [f"You use your marker extra-office in {where}. The office stands left of all others and needs no free space."]
    if action is not None and action.verb == "displace" and action.victim is None:
        paid = f"You also pay {PENALTY}, from your supply to your stock."
        return ["Put a piece of your supply where another player's stands.", paid]
    if action is None or action.victim is None or action.route is None:
        return []
    owner = "the neutral player" if action.victim.owner == "n" else f"seat {action.victim.owner}"
    where = name_in_words(line.ruleset, action.route)
    fee = 1 if action.victim.kind == "trader" else 2
    told = [f"You displace the {action.victim.kind} of {owner} from {where}."]
    if scene.asked == "with":
        return [*told, f"You also pay {_pieces(fee)}, from your supply to your stock."]
    left = int((game.position()["action"] or {}).get("remaining") or fee)
    rest = "" if fee == 1 else " the first now." if left == fee else " the second now."
    return [*told, f"You pay {_pieces(fee)} for a {action.victim.kind}{f':{rest}' if rest else '.'}"]


def _relocation(line: Line, number: int, game: Game, scene: Scene) -> list[str]:
    action, position = scene.action, game.position()["action"] or {}
    if action is None or action.victim is None or action.route is None:
        return []
    where = name_in_words(line.ruleset, action.route)
    mine = action.victim.owner == str(scene.seat)
    told = [f"seat {scene.turn} displaced {'your' if mine else 'the neutral'} {action.victim.kind} from {where}."]
    more = int(position.get("remaining") or 0)
    lifts = any(text.startswith("lift") for text in scene.legal)
    source = "your posts, as stock and supply are empty" if lifts else "your supply" if _is_empty(scene) else "your stock"
    extra = f"You may {{}}put down {_extra(more)} from {source}, if you like."
    if position.get("settled"):
        return [*told, f"{'Your' if mine else 'The neutral'} {action.victim.kind} is on the board again.", extra.format("")]
    told.append("Put it on a free post of the nearest routes. That costs you nothing.")
    if more:
        told.append(extra.format("also "))
    return told


def _move(line: Line, number: int, game: Game, scene: Scene) -> list[str]:
    lifted, more = len(scene.hand), int((game.position()["action"] or {}).get("remaining") or 0)
    if scene.asked == "put":
        return [f"You hold {_hand(scene)}. Put {'it' if lifted == 1 else 'each'} on any free post."]
    if lifted:
        further = "another" if more == 1 else f"up to {more} more"
        return [f"You have taken up {_hand(scene)}. Take up {further}, or stop and put down what you hold."]
    return [f"Take {'one' if more == 1 else f'up to {more}'} of your pieces. Then put each on a free post."]


def _claim(line: Line, number: int, game: Game, scene: Scene) -> list[str]:
    action = scene.action
    if action is None or action.route is None:
        return []
    taken = (game.position()["action"] or {}).get("marker_taken")
    marker = f" and took the marker {taken}, which you can use after this action" if taken else ""
    told = [f"You claimed {name_in_words(line.ruleset, action.route)}{marker}."]
    return [*told, "Choose one thing that it brings, or nothing. The pieces that this does not use go to your stock."]


def _answered(line: Line, number: int, game: Game, scene: Scene) -> list[str]:
    """What another seat has just done that this one may answer."""
    move: Move | None = line.moves[number - 1] if number else None
    if move is None or move.seat == scene.seat:
        return []
    return [f"seat {move.seat} {decision_in_words(line.ruleset, move.asked, move.text)}."]


def _marker(line: Line, number: int, game: Game, scene: Scene) -> list[str]:
    return ["You took a marker this turn, so you lay a new one from the pile: on a route without a marker or a piece, beside a "
            "city with a free office."]  # fmt: skip


def _removal(line: Line, number: int, game: Game, scene: Scene) -> list[str]:
    left = int((game.position()["action"] or {}).get("remaining") or 0)
    most = "one more piece" if left == 1 else f"up to {left} pieces"
    return [f"You may take {most} off the roads, whoever they belong to. They go to their owners' supply."]


def _exchange(line: Line, number: int, game: Game, scene: Scene) -> list[str]:
    return ["Two offices that stand side by side in a city change places. They belong to different players."]


_TELLERS = {
    "displace": _displacement, "victim": _displacement, "with": _displacement, "pay": _displacement, "relocate": _relocation,
    "neutral": _answered, "lift": _move, "put": _move,
    "reward": _claim, "extra": _claim, "tithe": _answered, "tribute": _answered, "marker": _marker,
    "remove": _removal, "exchange": _exchange,
}  # fmt: skip


def _hand(scene: Scene) -> str:
    counts = [(scene.hand.count(kind), kind) for kind in ("trader", "merchant")]
    return " and ".join(f"{count} {kind}{'s' * (count != 1)}" for count, kind in counts if count)


def _pieces(count: int) -> str:
    return f"{count} piece{'s' * (count != 1)}"


def _extra(count: int) -> str:
    return f"{count} extra piece{'s' * (count != 1)}"


def _is_empty(scene: Scene) -> bool:
    return scene.seat is not None and not any(scene.desks[scene.seat].stock)
