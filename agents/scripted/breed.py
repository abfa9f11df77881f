"""Breeds scripted players: many that differ (quality and diversity, Mouret and Clune 2015), or one that beats an agent.

    python -m hansa_agents.scripted.breed population --out population.npz
    python -m hansa_agents.scripted.breed exploiter ppo --players 4 --out exploiter.npz

Both play one candidate against a field that stays as it is, on the same deals for each; `population:FILE` plays what they find.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from hansa_agents.scripted.agent import GREEDY, style_weights
from hansa_agents.scripted.population import PopulationAgent, written_styles
from hansa_agents.scripted.styles import style_names
from hansa_agents.scripted.weights import WEIGHTS, as_numbers
from hansa_env import Agent, HansaBatch, Ruleset, make_agent
from hansa_env.commands.output import one_line_errors
from hansa_env.commands.progress import progress_on
from hansa_env.engine.rules.scoring import TOTAL, score_columns
from hansa_env.formats.file_writing import write_whole
from hansa_env.formats.outputs import ARRAYS, check_outputs
from hansa_env.play.loop import asking, play_on
from hansa_env.play.result import win_shares

#: Turns per seat after which a game counts as it stands.
MAX_TURNS = 60
#: Bins of the archive: the share of a candidate's points that comes from the board (control, network, prestige spaces), the
#: share from abilities, and turns a seat of its games.
BOARD_BINS, ABILITY_BINS, TURN_BINS = (0.1, 0.2, 0.3, 0.4, 0.5), (0.1, 0.2, 0.3), (9.0, 12.0, 16.0)
BOARD_COLUMNS = ("prestige_spaces", "control", "network", "regions")

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, help=__doc__)


@dataclass(frozen=True)
class Played:
    """What candidates came to: share (K,) of the win, points (K, columns) on the average, turns (K,) a seat."""

    share: np.ndarray
    points: np.ndarray
    turns: np.ndarray


class _Candidates(PopulationAgent):
    """Plays game i of a batch in the style of its candidate; `of` says which rows are asked for."""

    of: np.ndarray

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        return self.act_as(inputs, masks, self.of)


def play(numbers: np.ndarray, field: list[Agent], ruleset: Ruleset, games: int, seed: int) -> Played:
    """Let each candidate play the same games, one among a field.

    Args:
        numbers: (K, numbers of a style) float64, the candidates' weights.
        field: agents, each of which holds all other seats in as many of the games.
        games: of each candidate; seats rotate.
        seed: of the deals.
    """
    count, players = len(numbers), ruleset.players
    deals = np.random.default_rng(seed).integers(2**63, size=games)
    batch = HansaBatch(count * games, ruleset, seeds=np.tile(deals, count).tolist(), max_turns=MAX_TURNS)
    candidate, game = np.divmod(np.arange(count * games), games)
    seat, rival = game % players, (game // players) % len(field)
    hero = _Candidates(ruleset, np.ascontiguousarray(numbers).view(WEIGHTS)[:, 0])
    who = np.where(np.arange(players) == seat[:, None], 0, 1 + rival[:, None])
    ask = asking(batch, [hero, *field], who)

    def ask_of(rows: np.ndarray) -> np.ndarray:
        hero.of = candidate[rows[batch.seat[rows] == seat[rows]]]
        return ask(rows)

    for _ in play_on(batch, ask_of):
        pass
    share = win_shares(batch.ranks())[np.arange(len(seat)), seat]
    points = batch.scores()[np.arange(len(seat)), seat]
    turns = batch.games["turns"] / players
    mean = lambda values: np.stack([values[candidate == k].mean(0) for k in range(count)])  # noqa: E731
    return Played(mean(share), mean(points.astype(float)), mean(turns))


def beginnings() -> np.ndarray:
    """The weights (styles, numbers of a style) of `greedy` and the styles that come with the project."""
    return np.concatenate([as_numbers(style_weights(name))[None] for name in (GREEDY, *style_names())])


def varied(numbers: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Weights like those of (K, numbers of a style), changed: some by a factor, some by an amount, by much or by little."""
    size = numbers.shape
    strength = random.choice([0.05, 0.15, 0.4, 0.8], (len(numbers), 1))
    some = random.random(size) < random.choice([0.1, 0.3, 1.0], (len(numbers), 1))
    factor = np.exp(strength * random.standard_normal(size))
    amount = strength * random.standard_normal(size) * (0.3 + 0.3 * np.abs(beginnings()).mean(0))
    return np.where(some, numbers * factor + amount, numbers)


class Archive:
    """The best candidate found of each kind: where its points come from, and how long its games take."""

    def __init__(self, ruleset: Ruleset) -> None:
        columns = score_columns(ruleset)
        self._board = [columns.index(name) for name in BOARD_COLUMNS if name in columns]
        self._abilities = columns.index("abilities")
        self.best: dict[tuple[int, ...], tuple[float, np.ndarray]] = {}

    def note(self, numbers: np.ndarray, played: Played, quality: np.ndarray) -> None:
        """Keep those (K,) that are the first or better than the best of their kind."""
        total = np.maximum(played.points[:, TOTAL], 1.0)
        shares = (
            (played.points[:, self._board].sum(1) / total, BOARD_BINS),
            (played.points[:, self._abilities] / total, ABILITY_BINS),
            (played.turns, TURN_BINS),
        )
        kinds = np.stack([np.digitize(values, bins) for values, bins in shares], 1)
        for kind, good, one in zip(map(tuple, kinds.tolist()), quality.tolist(), numbers):
            if kind not in self.best or good > self.best[kind][0]:
                self.best[kind] = good, one

    def drawn(self, count: int, random: np.random.Generator) -> np.ndarray:
        """The weights of some of them, (count, numbers of a style)."""
        kept = list(self.best.values())
        return np.stack([kept[k][1] for k in random.integers(len(kept), size=count)])


@app.command()
def population(
    out: Annotated[Path, typer.Option(help="file to write the styles to")] = Path("population.npz"),
    players: Annotated[str, typer.Option("--players", "-p", help="breed styles for these numbers of players")] = "2 3 4 5",
    generations: Annotated[int, typer.Option(min=1)] = 40,
    candidates: Annotated[int, typer.Option(min=1, help="styles in a generation")] = 96,
    games: Annotated[int, typer.Option(min=2, help="games of each style in a generation")] = 60,
    least: Annotated[float, typer.Option(help="keep styles with at least this share of the wins, in units of chance")] = 0.35,
    seed: Annotated[int, typer.Option(min=0)] = 0,
) -> None:
    """Many styles: for each number of players the best of each kind among `greedy`, `network` and `blocker`."""
    random, found = np.random.default_rng(seed), [beginnings()]
    with one_line_errors(), progress_on(None) as progress:
        check_outputs({"--out": (ARRAYS, out)})
        words = players.split()
        if not words or not all(word.isdecimal() for word in words):
            raise ValueError(f"--players is {players!r}; expected numbers of players, such as '2 3'")
        for ruleset in [Ruleset(players=int(word)) for word in words]:
            count = ruleset.players
            field = [make_agent(spec, ruleset, seed) for spec in ("greedy", "scripted:network", "scripted:blocker")]
            archive = Archive(ruleset)
            progress.begin(f"{count} players", generations)
            for generation in range(generations):
                if generation == 0:
                    first = beginnings()
                    tried = np.concatenate([first, varied(np.tile(first, (candidates // len(first), 1)), random)])
                else:
                    tried = varied(archive.drawn(candidates, random), random)
                played = play(tried, field, ruleset, games, int(random.integers(2**31)))
                archive.note(tried, played, played.share * count)
                progress.at(generation + 1, f"{len(archive.best)} kinds, best {max(g for g, _ in archive.best.values()):.2f}")
            progress.end()
            kept = [one for good, one in archive.best.values() if good >= least]
            if not kept:
                raise ValueError(f"no style wins {least:g} times chance with {count} players; expected a smaller --least")
            found.append(np.stack(kept))
            styles = np.unique(np.concatenate(found), axis=0)
            write_whole(out, written_styles(styles))
    typer.echo(f"{out}: {len(styles)} styles")


@app.command()
def exploiter(
    agent: Annotated[str, typer.Argument(help="spec of the agent in all other seats")],
    players: Annotated[int, typer.Option("--players", "-p", min=2, max=5)] = 3,
    out: Annotated[Path, typer.Option(help="file to write the style to")] = Path("exploiter.npz"),
    generations: Annotated[int, typer.Option(min=1)] = 20,
    candidates: Annotated[int, typer.Option(min=4, help="styles in a generation")] = 24,
    games: Annotated[int, typer.Option(min=2, help="games of each style in a generation")] = 48,
    final_games: Annotated[int, typer.Option(min=2, help="games of the style found, on fresh deals")] = 600,
    seed: Annotated[int, typer.Option(min=0)] = 0,
) -> None:
    """One style that does well among copies of an agent: an evolution strategy over its weights."""
    ruleset = Ruleset(players=players)
    with one_line_errors(), progress_on(None) as progress:
        check_outputs({"--out": (ARRAYS, out)})
        field, random = [make_agent(agent, ruleset, seed)], np.random.default_rng(seed)
        best = evolved(field, ruleset, generations, candidates, games, random,
                       lambda done, share: progress.at(done, f"{share:.0%} of the win")
                       if done else progress.begin("generations", generations))  # fmt: skip
        progress.end()
        best = best.astype(np.float32).astype(float)  # what is measured is what the file holds
        write_whole(out, written_styles(best[None]))
        share = play(best[None], field, ruleset, final_games, int(random.integers(2**31))).share[0]
    typer.echo(f"{out}: one among {players - 1} {agent} wins {share:.1%} of {final_games} new games, chance {1 / players:.0%}")


def evolved(
    field: list[Agent],
    ruleset: Ruleset,
    generations: int,
    candidates: int,
    games: int,
    random: np.random.Generator,
    tell: Callable[[int, float], None] = lambda done, share: None,
) -> np.ndarray:
    """The weights (numbers of a style,) that an evolution strategy finds against a field.

    The best quarter of each generation, judged by all games they have played, beget the next by the mean of two of them,
    varied. `tell` is given the number of generations done and the best share.
    """
    tell(0, 0.0)
    parents = beginnings()
    sums, counts = np.zeros(len(parents)), np.zeros(len(parents))
    keep = max(2, candidates // 4)
    for generation in range(generations):
        pairs = random.integers(len(parents), size=(candidates, 2))
        children = varied(parents[pairs].mean(1), random)
        tried = np.concatenate([parents, children])
        share = play(tried, field, ruleset, games, int(random.integers(2**31))).share
        sums = np.concatenate([sums, np.zeros(len(children))]) + share * games
        counts = np.concatenate([counts, np.zeros(len(children))]) + games
        # A candidate of few games is judged with that many of the average beside them, so that luck alone does not keep it.
        judged = (sums + games * share.mean()) / (counts + games)
        order = np.argsort(-judged)[:keep]
        parents, sums, counts = tried[order], sums[order], counts[order]
        tell(generation + 1, float(judged[order[0]]))
    return parents[0]


if __name__ == "__main__":
    app()
