"""The standing ladders as a picture: `python -m hansa_agents.ladder.chart docs/figures/ladder.png`; needs matplotlib."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from hansa_agents.ladder import Ladder, kept_file
from hansa_agents.ratings import IN_WORDS
from hansa_agents.results import Match
from hansa_env.commands.output import one_line_errors
from hansa_env.ruleset import PLAYERS

#: `random` is 0 on every ladder, far from all others: its point would push theirs together.
LEFT_OUT = ("random",)
TRAINED, OTHERS = "#0072b2", "#8a8478"


def printed_ladders() -> dict[str, Match]:
    """The games of the standing ladders of the printed boards, by how many play."""
    return {f"{players} players": Ladder.read(kept_file(players)).match() for players in PLAYERS}


def places(ladders: Mapping[str, Match], first: str) -> dict[str, dict[str, tuple[float, float, float]]]:
    """By agent, the best of the `first` ladder on top, and by ladder: its rating, and the ends of the 95 % interval."""
    found: dict[str, dict[str, tuple[float, float, float]]] = {}
    for agent in ladders[first].ranked().agents:
        if agent not in LEFT_OUT:
            ratings = {name: match.ratings[agent] for name, match in ladders.items() if agent in match.ratings}
            found[agent] = {name: (one.points, one.low, one.high) for name, one in ratings.items()}
    return found


def draw(ladders: Mapping[str, Match], first: str, path: Path) -> None:
    """Draw a panel of ratings for each ladder, side by side, the agents of the `first` one in its order."""
    from matplotlib.figure import Figure

    rows = places(ladders, first)
    figure = Figure(figsize=(11, 0.9 + 0.27 * len(rows)), layout="constrained")
    panels = figure.subplots(1, len(ladders), sharey=True, squeeze=False)[0]
    for axes, name in zip(panels, ladders):
        for place, (agent, held) in enumerate(rows.items()):
            if name in held:
                points, low, high = held[name]
                colour = TRAINED if agent == "ppo" else OTHERS
                axes.errorbar(points, place, xerr=[[points - low], [high - points]], fmt="o", color=colour, capsize=2)
                axes.annotate(f"{points:.0f}", (points, place), (0, 5), textcoords="offset points", ha="center", fontsize=7)
        axes.set_title(name, fontsize=10)
        axes.grid(axis="x", alpha=0.3)
        axes.margins(x=0.12)
        axes.spines[["top", "right"]].set_visible(False)
    panels[0].set_yticks(range(len(rows)), list(rows))
    panels[0].set_ylim(len(rows) - 0.5, -0.8)
    figure.supxlabel(f"rating: {IN_WORDS}; random is 0", fontsize=9)
    figure.savefig(path, dpi=110)


def main(path: Annotated[Path, typer.Argument(help="where the picture goes, .png or .svg")]) -> None:
    """Draw the standing ladders of the printed boards."""
    with one_line_errors():
        draw(printed_ladders(), "3 players", path)


if __name__ == "__main__":
    typer.run(main)
