"""Cross-play: agents meet in pairs, each alone against copies of the other, all on the same deals.

Late against early milestones of a run, or runs of other seeds against each other: whoever has only learned to beat his own
past does worse among strangers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np

from hansa_agents.arena import ONE_PROCESS, Compute, Faults, Keep, play_match
from hansa_agents.benchmark.cells import Share
from hansa_agents.entrants import ORACLE, entrants
from hansa_agents.game_result import GameResult
from hansa_agents.line_ups import MatchError
from hansa_agents.networks.run_models import MILESTONES, MODEL, milestones_in
from hansa_agents.ratings import Rating, ratings_of
from hansa_agents.results import Match
from hansa_env import Ruleset
from hansa_env.render.words import number_of


@dataclass(frozen=True)
class CrossPlay:
    """What came of it.

    Attributes:
        ruleset: that was played; names, specs: of the agents.
        shares: by pair of places (row, column), the win share of the row's agent alone among copies of the column's; if it was
            stopped, of the pairs that were played whole, and ratings of who played.
        ratings: of all games together, by name; games: how many there were.
        forfeited: the games that an agent forfeited, each with what it is called: its pair, and its number there.
    """

    ruleset: Ruleset
    names: tuple[str, ...]
    specs: tuple[str, ...]
    shares: dict[tuple[int, int], Share]
    ratings: dict[str, Rating]
    games: int
    forfeited: tuple[tuple[str, GameResult], ...] = ()

    @property
    def matrix(self) -> np.ndarray:
        """(K, K) shares; chance where an agent would meet itself, NaN where a pair was not played whole."""
        found = np.full((len(self.names), len(self.names)), np.nan)
        np.fill_diagonal(found, 1 / self.ruleset.players)
        for (row, column), share in self.shares.items():
            found[row, column] = share.share
        return found

    @property
    def forfeits(self) -> dict[str, int]:
        """By name, how many games each agent forfeited."""
        at_fault = Counter(result.forfeit.agent.removesuffix(ORACLE) for _, result in self.forfeited if result.forfeit)
        return {name: at_fault[name] for name in self.names}

    def as_data(self) -> dict[str, Any]:
        """As JSON data; null where a pair was not played whole."""
        matrix = [[None if np.isnan(share) else share for share in row] for row in self.matrix.tolist()]
        return {
            "format": "hansa-crossplay/1", "ruleset": self.ruleset.config, "chance": 1 / self.ruleset.players,
            "games": self.games, "agents": list(self.names), "matrix": matrix,
            "shares": [{"agent": self.names[row], "among": self.names[column], **share._asdict()}
                       for (row, column), share in self.shares.items()],
            "ratings": {name: one.as_data() for name, one in self.ratings.items()},
            "forfeited": len(self.forfeited), "forfeits": self.forfeits,
        }  # fmt: skip


class CrossPlayInterrupted(KeyboardInterrupt):
    """Ctrl-C; `found` has the pairs that were played whole, None where none was; `pairs` says how many of how many."""

    def __init__(self, found: CrossPlay | None, pairs: tuple[int, int]) -> None:
        super().__init__()
        self.found, self.pairs = found, pairs


def models_and_specs(given: Sequence[str], most: int) -> list[str]:
    """Specs as they are given, and for the folder of a run those of its models. Raises MatchError where it has none."""
    runs = {one: Path(one) for one in given if Path(one).is_dir()}
    names = dict(zip(runs, told_apart(list(runs.values()))))
    return [spec for one in given for spec in (milestones_of(runs[one], most, names[one]) if one in runs else [one])]


def told_apart(folders: Sequence[Path]) -> list[str]:
    """What folders are called: the last parts of their paths, as many as it takes to tell them apart."""
    parts = [folder.resolve().parts[1:] or ("run",) for folder in folders]
    names = []
    for own in parts:
        others = [other for other in parts if other != own]
        count = next((n for n in range(1, len(own)) if all(other[-n:] != own[-n:] for other in others)), len(own))
        names.append(re.sub(r"[:/=]", "-", "-".join(own[-count:])))
    return names


def milestones_of(run: Path, most: int, name: str) -> list[str]:
    """The models of a run's folder as specs NAME=ppo:FILE, the first and the last and evenly many between, at most so many.

    Raises MatchError where there are none.
    """
    files = [*milestones_in(run), *(path for path in [run / MODEL] if path.exists())]
    if not files:
        raise MatchError(f"{run} has no models: expected {MILESTONES}/*.safetensors or {MODEL}, as `hansa train` writes them")
    chosen = [files[place] for place in sorted(set(np.linspace(0, len(files) - 1, min(most, len(files))).round().astype(int)))]
    return [f"{name} {_age(path)}=ppo:{path}" for path in chosen]


def _age(path: Path) -> str:
    """The decisions that a model of a run had taken, in millions."""
    return f"{int(path.stem) / 10**6:.12g}M" if path.stem.isdigit() else "last"


def cross_play(
    specs: Sequence[str], ruleset: Ruleset, games: int, seed: int, folder: Path | None, *,
    compute: Compute = ONE_PROCESS,
    on_pair: Callable[[str, int, int], Any] | None = None, on_game_end: Callable[[GameResult], Any] | None = None,
) -> CrossPlay:  # fmt: skip
    """Let agents meet in pairs.

    Args:
        specs: two or more, also NAME=SPEC.
        games: of each pair, rounded up to equal numbers per rotation.
        seed: of the deals and of the agents.
        folder: for a results file of each pair; games that are there are not played again.
        compute: where games are played.
        on_pair: called ahead of each pair with its text, how many games it has, and how many of them were there.
        on_game_end: called with each game as it ends.

    Raises:
        MatchError: fewer than two agents, or two of one name. Else what `play_match` raises.
        CrossPlayInterrupted: by Ctrl-C.
    """
    made = entrants(specs, seed)[0]
    if len(made) < 2:
        raise MatchError(f"{number_of(len(made), 'agent')}; expected two or more, each its own")
    names, others = tuple(one.name for one in made), ruleset.players - 1
    shares: dict[tuple[int, int], Share] = {}
    every: list[GameResult] = []
    forfeited: list[tuple[str, GameResult]] = []

    def found() -> CrossPlay:
        specs = tuple(one.spec for one in made)
        return CrossPlay(ruleset, names, specs, shares, _ratings(names, every), len(every), tuple(forfeited))

    pairs = [pair for pair in permutations(range(len(names)), 2) if others > 1 or pair[0] < pair[1]]
    for number, (row, column) in enumerate(pairs):
        pair = f"{names[row]} among {names[column]}"
        line_up = [made[row].given, *[made[column].given] * others]
        try:
            match = play_match(
                line_up, ruleset, games, seed, faults=Faults("forfeit"), compute=compute,
                keep=Keep(folder and folder / f"{row}-{column}.jsonl", instead="name another folder (--folder)"),
                on_begin=None if on_pair is None else partial(on_pair, pair),
                on_game_end=on_game_end,
            )  # fmt: skip
        except KeyboardInterrupt:
            raise CrossPlayInterrupted(found() if number else None, (number, len(pairs))) from None
        shares[row, column] = _share(match, 0)
        if others == 1:
            shares[column, row] = _share(match, 1)
        forfeited += [(f"{pair}, game {result.number}", result) for result in match.forfeited]
        every += [replace(result, number=len(every) + place) for place, result in enumerate(match.results)]
    return found()


def _share(match: Match, place: int) -> Share:
    row = match.rows[place]
    return Share(row.share, row.low, row.high)


def _ratings(names: Sequence[str], results: Sequence[GameResult]) -> dict[str, Rating]:
    """Ratings by name; the arena marks the names of agents that see what is hidden."""
    known = list(dict.fromkeys(name for result in results for name in result.agents))
    found = ratings_of(known, results)
    return {name.removesuffix(ORACLE): rating for name, rating in found.items() if name.removesuffix(ORACLE) in names}
