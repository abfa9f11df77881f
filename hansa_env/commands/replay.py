"""The command `hansa replay`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from hansa_env.commands.output import one_line_errors, print_game, print_wrapped
from hansa_env.commands.records import decisions_until, read_record
from hansa_env.commands.stepper import Stepper
from hansa_env.formats.moves import turns_of
from hansa_env.play.game import Game
from hansa_env.render.thoughts import percent
from hansa_env.render.words import decision_as_order, turn_in_words


def replay(
    file: Annotated[Path, typer.Argument(help="the record of a game (hansa-record/1)")],
    until: Annotated[
        int | None, typer.Option(help="stop after so many decisions and show the board; negative: so many before the end")
    ] = None,
    board: Annotated[bool, typer.Option("--board", help="tell the game, with the board after every turn")] = False,
    step: Annotated[
        bool | None, typer.Option("--step/--no-step", help="step through the game, or tell it; by default step on a terminal")
    ] = None,
    brief: Annotated[bool, typer.Option("--brief", help="show the result only")] = False,
    estimates: Annotated[
        bool, typer.Option("--estimates", help="tell the game with what agents thought, if the record has it")
    ] = False,
) -> None:
    """Check a record, every decision and the result, and tell its game in words, turn by turn, or step through it.

    Stepping: Enter shows the next decision, h all keys.
    """
    with one_line_errors():
        for option, given in (("--board", board), ("--step", step), ("--estimates", estimates)):
            if brief and given:
                raise ValueError(f"--brief shows the result only; expected it without {option}")
        game = read_record(file)
        last = decisions_until(game, until)
    on_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if step is None:
        step = on_terminal and not (board or brief or estimates)
    if step:
        if not Stepper(game, on_terminal).run(last if until is not None else 0):
            return
    elif not brief:
        _tell(game, last, board, estimates)
    if until is not None and not step:
        print(game.rewound(last))
    else:
        print_game(game, f"{file} replays as it is written")


def _tell(game: Game, last: int, board: bool, estimates: bool) -> None:
    """Tell a game in words."""
    moves = game.told_moves()[:last]
    if estimates and game.estimates:
        for seat in range(game.ruleset.players):
            print_wrapped(f"Estimates at seat {seat} are by {game.thinker(seat)}.")
    shown = game.rewound(0)
    for turn in turns_of(moves):
        print_wrapped(turn_in_words(game.ruleset, moves, turn, game.names))
        if estimates:
            for number in range(turn.first, turn.last):
                _tell_estimate(game, number, moves[number].asked)
        if board:
            for move in moves[turn.first : turn.last]:
                shown.play(move.text)
            print(f"\n{shown}\n", flush=True)


def _tell_estimate(game: Game, number: int, asked: str) -> None:
    estimate = game.estimates.get(number)
    if estimate is None:
        return
    named = [f"{percent(share)} {decision_as_order(game.ruleset, asked, text)}" for text, share, _ in estimate["likeliest"][:3]]
    worth = "" if estimate["value"] is None else f"; expects to win {percent(estimate['value'])}"
    print(f"    [{number}] {', '.join(named)}{worth}")
