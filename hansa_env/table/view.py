"""What a page shows of a position: the drawing, the question in words, and every legal decision with where to click for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hansa_env.formats.description import Description
from hansa_env.formats.find_question import by_number, is_in_turn, stage_of
from hansa_env.formats.missions import NOBODY
from hansa_env.play.game import Game
from hansa_env.render.followed import what_followed
from hansa_env.render.income import order_in
from hansa_env.render.scene import scene_of
from hansa_env.render.scene_parts import Scene
from hansa_env.render.svg import panel_svg, panels
from hansa_env.render.things import held_posts, things_of
from hansa_env.render.words import decision_as_order
from hansa_env.ruleset import Ruleset
from hansa_env.table.asking import begun_at, question_and_story
from hansa_env.table.costs import cost_in_words
from hansa_env.table.game_history import Line
from hansa_env.table.rules import rules_in
from hansa_env.table.standing import standing_of
from hansa_env.table.start import Start
from hansa_env.table.trails import trail_of

MOST_STAGES = 4
#: Width of a desk, and height of the panel of scores beside it, in units of the drawing.
DESK, SCORES = 340.0, 112.0
#: Positions whose view is kept, of 90 kB each; one is made anew in 10 ms.
MOST_SHOWN = 32


class Shown(dict[int, str]):
    """Views of positions, as JSON text, by the number of decisions before them: the last MOST_SHOWN."""

    def keep(self, number: int, text: str) -> None:
        self[number] = text
        while len(self) > MOST_SHOWN:
            del self[next(iter(self))]


def view_of(line: Line, number: int, names: Sequence[str], viewer: int = NOBODY) -> dict:
    """A position of a line, after so many decisions, as JSON data; nothing in it is hidden from anybody at the table, but for
    the mission cards that a `viewer` sees (`hansa_env.formats.missions`). `covered`: the seat that may ask to see its card."""
    game = line.game_at(number)
    before = line.moves[:number]
    last = [(move.seat, move.text, move.asked) for move in before[-1:]]
    scene = scene_of(line.ruleset, game.state, last, names, viewer)
    trail = trail_of(line.ruleset, before, line.records[number - 1] if number else None, scene)
    question, story = question_and_story(line, number, game, scene)
    drawn = panels(scene, DESK, scores_height=SCORES)
    return {
        "number": number,
        "panels": {name: panel_svg(panel) for name, panel in drawn.items() if name != "heading"},
        "seat": game.seat,
        "turn": scene.turn,
        "asked": scene.asked,
        "question": question,
        "story": story,
        "ways": [],
        "begun": begun_at(line, number),
        "actions_left": scene.actions_left if is_in_turn(int(game.state["asked"])) else None,
        "no_supply": not scene.over and not any(scene.desks[scene.turn].supply),
        "covered": None,
        "rules": rules_in(line.ruleset),
        "standing": standing_of(scene, line.ruleset),
        "trail": None if trail is None else trail._asdict(),
        "over": game.over,
        "ending": scene.ending,
        "columns": [name.replace("_", " ") for name in scene.columns],
        "scores": [list(desk.scores) for desk in scene.desks],
        "winners": game.winners() if game.over else [],
        "choices": [],
    } | ({} if game.over else _offered(game, scene))


def show_once(ruleset: Ruleset) -> None:
    """Make a view of a game's beginning and forget it, so that nobody waits for the first on a board: it takes most of a
    second, while everything finds its place there, and later ones hundredths."""
    view_of(Line(Start.dealt(ruleset, 0)), 0, [""] * ruleset.players)


def _offered(game: Game, scene: Scene) -> dict:
    """What is clicked on the board, and every legal decision, then those with the answers that follow them.

    A route to take up a piece from is not clicked where its pieces can be, each of which does for both.
    """
    row = by_number()[int(game.state["asked"])]
    choices, staged = list(_choices(game, scene, row)), list(_staged(game, scene))
    begun = {choice["texts"][0] for choice in staged}
    for choice in choices:
        text = choice["texts"][0]
        if text.startswith("route ") and text in begun:
            choice["things"] = []
    offered = {choice["texts"][0].split(" ")[0] for choice in choices}
    return {"ways": [way for word, way in row.clicks.items() if word in offered], "choices": choices + staged}


def _choices(game: Game, scene: Scene, row: Description) -> Iterator[dict]:
    """Every legal decision; `rank` is the place of its button, None without one."""
    ranks = {word: rank for rank, word in enumerate(row.phrases)}
    for text in game.legal():
        word = text.split(" ")[0]
        meant = _with_only_piece(game, scene, text)
        words, things, answers = meant or (_words(game, row, text), things_of(scene, text), [])
        yield {"texts": [text], "words": words, "label": row.labels.get(words, words), "things": list(things),
               "cost": cost_in_words(game.ruleset, scene, [text, *answers]),
               "rank": None if word in row.unlisted else ranks.get(word, len(ranks))}  # fmt: skip


def _with_only_piece(game: Game, scene: Scene, text: str) -> tuple[str, tuple[str, ...], list[str]] | None:
    """The words, the places and the answers of `displace` or `move` where the piece is no longer asked for, as only one can be
    meant."""
    if scene.asked != "act" or text not in ("displace", "move"):
        return None
    ahead = game.copy()
    ahead.play(text)
    answers = _unasked(game, text, ahead, ("displace", "victim", "lift"))
    named = [answer for _, answer in answers]
    if text == "displace" and len(named) == 2:
        posts = held_posts(scene, named[0].split(" ")[1], lambda piece: piece.owner + piece.kind[0] == named[1])
    elif text == "move" and named:
        posts = held_posts(scene, named[0].split(" ")[2], lambda piece: piece.owner == str(game.seat))
    else:
        return None
    words = decision_as_order(game.ruleset, scene.asked, text)
    for asked, answer in answers:
        stage = stage_of(asked)
        assert stage is not None
        words += f"{stage.staged}{decision_as_order(game.ruleset, asked, answer)}"
    return words, posts, [answer for _, answer in answers]


def _words(game: Game, row: Description, text: str) -> str:
    word, *rest = text.split(" ")
    order = row.orders.get(word)
    return order_in(game.ruleset, game.state, text) if order is None else order.format(*rest)


def _staged(game: Game, scene: Scene) -> Iterator[dict]:
    """Decisions that begin something, each with the answers that follow it: those of questions within an action that a row of
    `hansa_env.formats.descriptions` stages, so that one click on the board does for all of them."""
    if stage_of(scene.asked) is not None:
        return
    for text in game.legal():
        ahead = game.copy()
        ahead.play(text)
        if _with_only_piece(game, scene, text) is None and ahead.seat == game.seat and stage_of(ahead.asked) is not None:
            words = decision_as_order(game.ruleset, scene.asked, text)
            yield from _answers(ahead, [text], words, scene)


def _answers(game: Game, texts: list[str], words: str, first: Scene) -> Iterator[dict]:
    scene, stage = scene_of(game.ruleset, game.state), stage_of(game.asked)
    assert stage is not None
    for text in game.legal():
        if text == "done":
            continue
        ahead = game.copy()
        ahead.play(text)
        told = f"{words}{stage.staged}{decision_as_order(game.ruleset, scene.asked, text)}"
        next_stage = stage_of(ahead.asked) if ahead.seat == game.seat and ahead.asked != scene.asked else None
        if next_stage is not None and not stage.ends and len(texts) + 1 < MOST_STAGES:
            yield from _answers(ahead, [*texts, text], told, first)
        else:
            answers = [*texts, text, *(victim for _, victim in _unasked(game, text, ahead, ("victim",)))]
            yield {"texts": [*texts, text], "words": told, "things": list(things_of(scene, text, first)),
                   "cost": cost_in_words(game.ruleset, first, answers)}  # fmt: skip


def _unasked(game: Game, text: str, ahead: Game, questions: Sequence[str]) -> list[tuple[str, str]]:
    """The answers to some questions that a decision settles without their being asked, as only one is legal; `ahead` is the
    game after it."""
    followed = what_followed(game.ruleset, game.move(text), game.state, ahead.state)
    return [one.answer for one in followed if one.answer is not None and one.answer[0] in questions]
