"""Fits the shares of the win of `hansa_agents.search.win_share` to games of the agents that come with the project.

After the networks in `agents/networks` have changed: `python -m hansa_training.win_share --write`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

import hansa_agents.search
from hansa_agents.search.win_share import NAME, TERMS
from hansa_env import Ruleset
from hansa_env.commands.output import one_line_errors
from hansa_env.formats.file_writing import write_json
from hansa_env.formats.outputs import PICTURE, check_outputs
from hansa_training.reliability import LARGE, Reliability, classes, picture, reliability, swings
from hansa_training.win_share_fit import before, curve_before, fitted, held_before, shares_by
from hansa_training.win_share_games import Positions, played

#: Where agents read the parameters.
FILE = Path(hansa_agents.search.__path__[0]) / NAME
#: Seeds of the games that are fitted to, tested on, and looked at decision by decision.
FIT, TEST, WHOLE = 1, 2, 3
#: Of the decisions of a game, by number of players, so many are looked at: a game of two takes twice as many.
EVERY = {2: 40, 3: 16, 4: 16, 5: 16}
#: Games of which every decision is looked at.
WHOLE_GAMES = 40


def main(
    games: Annotated[int, typer.Option(min=20, help="games to fit to, and as many to test on")] = 800,
    write: Annotated[bool, typer.Option("--write", help="write the parameters where agents read them")] = False,
    figure: Annotated[Path | None, typer.Option(help="write a picture of the reliability here")] = None,
) -> None:
    """Fit the shares of the win for each number of players, and print how far they are off, by class of position."""
    with one_line_errors():
        check_outputs({"--figure": (PICTURE, figure)})
        parameters, drawn = {}, {}
        for players, every in EVERY.items():
            ruleset = Ruleset(players)
            fit, test = played(ruleset, games, FIT, every), played(ruleset, games, TEST, every)
            whole = played(ruleset, min(WHOLE_GAMES, games), WHOLE, 1)
            found, curve = fitted(ruleset, fit), curve_before(fit)
            parameters[f"{players} players"] = {name: round(float(one), 3) for name, one in zip(TERMS, found)}
            told = ", ".join(f"{name} {one:.2f}" for name, one in zip(TERMS, found))
            typer.echo(f"\n{players} players: {told}\n")
            shares, of_deciding = shares_by(ruleset, test, found), before(test, curve)
            _tell_classes(ruleset, test, shares, of_deciding)
            for name, moved in ("before", held_before(whole, curve)), ("now", shares_by(ruleset, whole, found)):
                _tell_swings(name, whole, moved)
            drawn[players] = ruleset, test, shares, of_deciding
        if write:
            write_json(FILE, parameters)
            typer.echo(f"\nWritten: {FILE}")
        if figure is not None:
            picture(drawn, figure)
            typer.echo(f"Drawn: {figure}")


def _tell_classes(ruleset: Ruleset, positions: Positions, shares: np.ndarray, of_deciding: np.ndarray) -> None:
    """How far what is said is off what came; beside it, of who decides, the curve before."""
    typer.echo("| class | part | said | came | error | who decides: error before | error now |\n|---|---|---|---|---|---|---|")
    weights = np.broadcast_to(positions.weights[:, None], shares.shape)
    rows, seats = np.arange(len(shares)), positions.games["seat"]
    for name, mask in classes(ruleset, positions):
        every = reliability(shares[mask], positions.shares[mask], weights[mask] / ruleset.players)
        deciding = mask[rows, seats]
        came, weight = positions.shares[rows, seats][deciding], positions.weights[deciding]
        cells = [_cell(reliability(said[deciding], came, weight)) for said in (of_deciding, shares[rows, seats])]
        numbers = f"{every.size:.2f} | {every.said:.3f} | {every.came:.3f} | {every.error:.3f}"
        typer.echo(f"| {name} | {numbers} | {' | '.join(cells)} |")


def _cell(one: Reliability) -> str:
    return "" if np.isnan(one.error) else f"{one.error:.3f}"


def _tell_swings(name: str, positions: Positions, shares: np.ndarray) -> None:
    moved, begins = swings(positions, shares)
    for kind, chosen in ("among itself", ~positions.mixed[begins]), ("at mixed tables", positions.mixed[begins]):
        some = moved[chosen]
        typer.echo(
            f"Within a turn {kind}, {name}: half of {len(some)} turns move a share by at most {np.median(some):.2f}, 99 % by "
            f"at most {np.quantile(some, 0.99):.2f}, the largest by {some.max():.2f}; {np.mean(some > LARGE):.2%} by more than "
            f"{LARGE}"
        )


if __name__ == "__main__":
    typer.run(main)
