"""How the action goes on that a puzzle's answer begins, since "move" or "displace" alone teaches nobody anything.

`python -m hansa_agents.puzzles.continuation FILE` finds it anew for every puzzle of a file: by the deepest of the searches, and
where the answer is proven, among the decisions that keep the proof.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from hansa_agents.puzzles.agreement import Judge, judges_of
from hansa_agents.puzzles.proof import MOST_TRIED, prove
from hansa_agents.puzzles.puzzle_file import PROVEN, Puzzle, published, read_puzzles, text_of, write_puzzles
from hansa_env import HansaBatch, Ruleset
from hansa_env.commands.output import one_line_errors
from hansa_env.commands.progress import progress_on
from hansa_env.engine.state import ASK_ACT, ASK_MARKER, OVER
from hansa_env.formats.notation import decision_text
from hansa_env.play.estimates import estimate_games

#: What decides in a game record (1,): the index of an action, None where it does not know.
Choose = Callable[[np.ndarray], int | None]


def continuation(ruleset: Ruleset, game: np.ndarray, action: int, choose: Choose) -> list[str]:
    """The decisions after `action` with which its seat ends the action that it began, as texts: as long as the same seat
    decides, and `choose` knows what. Empty where `action` is the whole action.

    Args:
        game: a record (1,), which is left as it is.
    """
    now, seat, texts = game.copy(), int(game["seat"][0]), []
    batch = HansaBatch.holding(ruleset, now, 0)
    batch.step_legal(np.array([action]))
    while now["asked"][0] not in (OVER, ASK_ACT, ASK_MARKER) and now["seat"][0] == seat:
        chosen = choose(now)
        if chosen is None:
            break
        texts.append(decision_text(ruleset, now[0], chosen))
        batch.step_legal(np.array([chosen]))
    return texts


def searched(ruleset: Ruleset, judge: Judge, certain: bool) -> Choose:
    """Takes what a search visits most; where `certain`, of the decisions with which the seat wins for certain."""

    def choose(game: np.ndarray) -> int | None:
        estimate = estimate_games(judge.agent, ruleset, game)
        if estimate is None:
            return None
        shares = estimate.shares[0]
        if not certain:
            return int(shares.argmax())
        proof = prove(ruleset, game, MOST_TRIED)
        if proof is None or not proof.wins.any():
            return None
        wins = proof.actions[proof.wins]
        return int(wins[shares[wins].argmax()])

    return choose


def completed(one: Puzzle, judge: Judge) -> str:
    """A puzzle as a line of a file, with how its answers go on."""
    choose = searched(one.ruleset, judge, certain=one.line.known == PROVEN)
    then = [continuation(one.ruleset, one.game, one.action(text), choose) for text in one.line.answers]
    return text_of(one.line.model_copy(update={"then": then}))


def complete(path: Annotated[Path | None, typer.Argument(help="file of puzzles; by default the published one")] = None) -> None:
    """Find how the answers of a file's puzzles go on, and write that into the file."""
    with one_line_errors(), progress_on() as progress:
        path = path or published()
        head, puzzles = read_puzzles(path)
        judges = {ruleset: judges_of(ruleset)[-1] for ruleset in {one.ruleset for one in puzzles}}
        progress.begin("puzzles", len(puzzles))
        lines = []
        for number, one in enumerate(puzzles, 1):
            lines.append(completed(one, judges[one.ruleset]))
            progress.at(number)
        write_puzzles(path, head, lines)
        read_puzzles(path)
        progress.end()


if __name__ == "__main__":
    typer.run(complete)
