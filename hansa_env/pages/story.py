"""A game as a page tells it, as JSON data: what is drawn at each step, the decisions in words, points, estimates.

Step k is the position after k decisions. A part of the drawing (`hansa_env.render.svg`) is told only where it changes, and what
is drawn more than once stands once in `strings`, so that a game of 300 decisions takes less than a megabyte.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from hansa_env.formats.find_question import goes_on
from hansa_env.formats.missions import EVERYBODY
from hansa_env.formats.moves import Move, turns_of
from hansa_env.play.chances import chances
from hansa_env.play.game import Game
from hansa_env.render.scene import scene_of
from hansa_env.render.scene_parts import Scene
from hansa_env.render.svg import Panel, panels
from hansa_env.render.svg.around import heading_panel
from hansa_env.render.things import things_of
from hansa_env.render.words import decision_in_words, move_in_words

#: The heading once more, for a phone.
NARROW = "heading-narrow"
#: Decisions that a scene is given, so that the words of one that goes on have those before it.
REMEMBERED = 6


def story_of(game: Game, name: str) -> dict[str, Any]:
    """What the page tells of a game. Raises RecordError where the game has no beginning.

    Keys: `name`, `title`, `agents` by seat, `columns` of the points, `panels` (name, width, height, parts), `strings`,
    `parts` ({"panel|part": [[step, string], ...]}), `moves` ([turn, active seat, seat, words, goes on]), `turns`
    ([number, active seat, first decision, behind the last]), `points` by step and seat, `estimates` by decision, `chances` by
    step and seat, `result`.
    """
    moves = game.moves()
    shown = game.rewound(0)
    drawing = _Drawing()
    points, estimates = [], []
    for step in range(len(moves) + 1):
        before = [(move.seat, move.text, move.asked) for move in moves[max(0, step - REMEMBERED) : step]]
        scene = scene_of(game.ruleset, shown.state, before, game.names, EVERYBODY)
        drawing.add(step, {**panels(scene), NARROW: replace(heading_panel(scene, 430), name=NARROW)})
        points.append([list(desk.scores) for desk in scene.desks])
        if step < len(moves):
            estimates.append(_estimate(game, scene, game.estimates.get(step), moves[step]))
            shown.play(moves[step].text)
    return {
        "name": name,
        "title": str(game.ruleset),
        "agents": [desk.name or f"seat {desk.seat}" for desk in scene.desks],
        "columns": list(scene.columns),
        "panels": drawing.panels,
        "strings": list(drawing.strings),
        "parts": drawing.parts,
        "moves": [_move(game, move) for move in game.told_moves()],
        "turns": [list(turn) for turn in turns_of(moves)],
        "points": points,
        "estimates": estimates if any(estimates) else None,
        "chances": _chances(game),
        "result": {"ending": scene.ending, "over": scene.over, "places": [desk.place for desk in scene.desks]},
    }


def _move(game: Game, move: Move) -> list:
    return [move.turn, move.active, move.seat, move_in_words(game.ruleset, move), int(goes_on(move.asked))]


def _estimate(game: Game, scene: Scene, estimate: dict | None, move: Move) -> dict | None:
    """What was thought of a decision: by whom, the value, the likeliest: words, share, value, things, whether it was played."""
    if estimate is None:
        return None
    likeliest = [
        [decision_in_words(game.ruleset, move.asked, text), share, value, list(things_of(scene, text)), text == move.text]
        for text, share, value in estimate["likeliest"]
    ]
    told = {"seat": move.seat, "by": game.thinker(move.seat), "value": estimate["value"], "likeliest": likeliest}
    return told if estimate.get("seats") is None else told | {"seats": estimate["seats"]}


def _chances(game: Game) -> list[list[float]] | None:
    """The share of the win of every seat at every step; None where no agent had an opinion on it."""
    if all(said["value"] is None for said in game.estimates.values()):
        return None
    seats = [seat for seat, _ in game.decisions] + [int(game.state["seat"])]
    return chances(game.estimates, seats, game.ruleset.players, game.winners() if game.over else [])


@dataclass
class _Drawing:
    """The panels of all steps, by what changes."""

    panels: list[list] = field(default_factory=list)
    strings: dict[str, int] = field(default_factory=dict)
    parts: dict[str, list[list[int]]] = field(default_factory=dict)

    def add(self, step: int, found: dict[str, Panel]) -> None:
        if not self.panels:
            self.panels = [[p.name, p.width, p.height, list(p.parts)] for p in found.values()]
        for panel in found.values():
            for part, inside in panel.parts.items():
                number = self.strings.setdefault(inside, len(self.strings))
                told = self.parts.setdefault(f"{panel.name}|{part}", [])
                if not told or told[-1][1] != number:
                    told.append([step, number])
