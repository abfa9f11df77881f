"""Plays the engine and the oracle side by side: positions, legal lists and scores must agree at every decision.

`python -m tests.compare --decisions 1000000` compares as many as one likes, over every ruleset, and prints the tally.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field

from hansa_env import Game, Ruleset
from hansa_env.ruleset import EDITIONS, VARIANTS
from tests.oracle import OracleGame

BOARDS = ("base-2-3", "base-4-5")
TURNS_PER_SEAT = 100


def all_rulesets() -> list[Ruleset]:
    """Every ruleset there is: players, editions, two-player variants, boards."""
    two = [
        Ruleset(2, edition, variant, board)
        for edition, variant, board in itertools.product(EDITIONS, VARIANTS, BOARDS)
        if (variant, board) != ("pawn", "base-4-5")
    ]
    more = [Ruleset(p, edition, None, board) for p, edition, board in itertools.product((3, 4, 5), EDITIONS, BOARDS)]
    return two + more


@dataclass
class Tally:
    """What has been compared."""

    decisions: int = 0
    games: int = 0
    ended: int = 0
    questions: Counter = field(default_factory=Counter)


def eager(legal: list[str], rng: random.Random) -> str:
    """Fill and claim routes, use markers, take what a claim offers: games that end by their rules, not by the limit."""
    weights = {"claim": 60, "office": 20, "develop": 20, "extra": 30, "prestige": 30, "exchange": 15, "remove": 10,
               "+3": 5, "+4": 5, "place": 4, "income": 3, "displace": 3, "put": 2, "city": 2, "done": 0.3, "pawn": 0.2}  # fmt: skip
    kinds = [text.split()[0] for text in legal]
    return rng.choices(legal, [weights.get(kind, 1) / kinds.count(kind) for kind in kinds])[0]


def uniform(legal: list[str], rng: random.Random) -> str:
    """Uniformly random."""
    return rng.choice(legal)


class Concentrated:
    """Like `eager`, but keeps to few routes, so that many claims are made."""

    def __call__(self, legal: list[str], rng: random.Random) -> str:
        on_routes = [text for text in legal if text.startswith(("place", "put"))]
        if on_routes and not any(text.startswith("claim") for text in legal) and rng.random() < 0.7:
            favourite = min(on_routes, key=lambda text: hash_of(text.split()[-1], rng.random() < 0.1))
            return favourite
        return eager(legal, rng)


def hash_of(text: str, reverse: bool) -> int:
    """A fixed order of routes."""
    number = sum(ord(c) * 31**i for i, c in enumerate(text)) % 1009
    return -number if reverse else number


PLAYERS = {"uniform": uniform, "eager": eager, "concentrated": Concentrated()}


def compare_game(ruleset: Ruleset, seed: int, player: str, tally: Tally, most: int | None = None) -> None:
    """Play one game in both; raises AssertionError with the record so far at the first difference."""
    rng = random.Random(f"{ruleset} {seed} {player}")
    game = Game(ruleset, seed=seed, max_turns=TURNS_PER_SEAT)
    config = {key: getattr(ruleset, key) for key in ("players", "edition", "board", "two_players")}
    oracle = OracleGame(config, game.setup, turn_limit=TURNS_PER_SEAT * ruleset.players)
    choose = PLAYERS[player]
    while True:
        compare_positions(game, oracle)
        if game.over or (most is not None and len(game.decisions) >= most):
            break
        tally.questions[game.asked] += 1
        text = choose(game.legal(), rng)
        game.play(text)
        oracle.play(text)
        tally.decisions += 1
    assert game.scores() == [list(row) for row in oracle.scores()], game.record()
    assert game.winners() == sorted(oracle.winners()), game.record()
    tally.games += 1
    tally.ended += game.reason is not None


def compare_positions(game: Game, oracle: OracleGame) -> None:
    """Position, legal list included, must be the same."""
    ours, theirs = game.position(), oracle.position()
    if ours != theirs:
        different = [key for key in ours.keys() | theirs.keys() if ours.get(key) != theirs.get(key)]
        detail = "\n".join(f"{key}:\n  engine {ours.get(key)}\n  oracle {theirs.get(key)}" for key in different)
        raise AssertionError(f"engine and oracle differ\n{detail}\nlast {game.decisions[-8:]}\nsetup {game.setup}\nall {game.decisions}")
    assert game.over == oracle.over and game.reason == oracle.reason


def compare(decisions: int, first_seed: int = 0, progress=None) -> Tally:
    """Compare at least so many decisions, in turn over all rulesets and players."""
    tally = Tally()
    for seed in itertools.count(first_seed):
        for ruleset in all_rulesets():
            for player in PLAYERS:
                compare_game(ruleset, seed, player, tally, most=1500)
                if progress:
                    progress(tally)
                if tally.decisions >= decisions:
                    return tally
    raise AssertionError("unreachable")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    began = time.monotonic()

    def progress(tally: Tally) -> None:
        spent = time.monotonic() - began
        left = spent / tally.decisions * max(0, args.decisions - tally.decisions)
        rate = tally.decisions / spent
        print(f"\r{tally.decisions:,} decisions, {rate:,.0f}/s, {left:,.0f} s left ", end="", file=sys.stderr)

    tally = compare(args.decisions, args.seed, progress if sys.stderr.isatty() else None)
    print(f"{tally.decisions:,} decisions of {tally.games} games ({tally.ended} ended by the rules) agree")
    print(", ".join(f"{question} {count:,}" for question, count in tally.questions.most_common()))


if __name__ == "__main__":
    main()
