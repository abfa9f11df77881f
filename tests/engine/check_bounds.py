"""Games of every ruleset under Numba's bounds check: `python -m tests.engine.check_bounds --decisions 20000000`.

Random, eager and greedy players, with masks, observations of all seats, scores, ranks, hashes and reshuffled copies. An index
out of bounds raises, in place of reading or writing elsewhere. Prints a table; ends with 1 where something was raised, or where
no game of some board and number of players came to its end, so that scoring was not tried.
"""

from __future__ import annotations

import os

os.environ["NUMBA_BOUNDSCHECK"] = "1"  # read as Numba is imported
os.environ.setdefault("NUMBA_OPT", "1")  # what is checked does not depend on it, and compiling takes a third less

import argparse
import sys
import time
import traceback

import numpy as np
from rich.console import Console
from rich.table import Table

from hansa_env import Ruleset
from tests.engine.checked_play import is_checked
from tests.rulesets import MixedPlay, by_table

GAMES = 32  # side by side: few, so that each is played to its end, which takes hundreds of decisions
LOOKED_AT = 10  # decisions of each game between two looks at everything else


def play(ruleset: Ruleset, decisions: int, seed: int) -> tuple[int, int]:
    """Play at least so many decisions; returns how many, and how many games ended."""
    mixed = MixedPlay(ruleset, seed, GAMES)
    batch, played, ended = mixed.batch, 0, 0
    for number in range(-(-decisions // GAMES)):
        played += int((mixed.step() >= 0).sum())
        ended += int(batch.ended.astype(bool).sum())
        if number % LOOKED_AT == 0:
            for seat in range(ruleset.players):
                batch.observe(seats=seat)
            batch.scores(), batch.ranks(), batch.hashes()
            batch.copy(reshuffle=number).step(np.full(GAMES, -1))
    return played, ended


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--decisions", type=int, default=1_000_000, help="of all rulesets together")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if not is_checked():
        sys.exit("the bounds check is off: a mask that is too short was written to; expected an IndexError")
    tables, began, rulesets, failed, unfinished = by_table(), time.monotonic(), 0, 0, []
    total = sum(map(len, tables.values()))
    shown = Table("table", "rulesets", "decisions", "games ended", "failures", "seconds")
    sums = np.zeros(2, np.int64)
    for name, group in tables.items():
        start, counts, failures = time.monotonic(), np.zeros(2, np.int64), 0
        for ruleset in group:
            try:
                counts += play(ruleset, -(-arguments.decisions // total), arguments.seed * 1000 + rulesets)
            except Exception:
                failures += 1
                print(f"{ruleset}:\n{traceback.format_exc()}", file=sys.stderr)
            rulesets += 1
        sums, failed = sums + counts, failed + failures
        if not counts[1]:
            unfinished.append(name)
        row = (len(group), counts[0], counts[1], failures, round(time.monotonic() - start))
        shown.add_row(name, *(f"{number:,}" for number in row))
        left = (time.monotonic() - began) / rulesets * (total - rulesets)
        print(f"{rulesets} of {total} rulesets, {sums[0]:,} decisions, {left:,.0f} s left", file=sys.stderr, flush=True)
    whole = (rulesets, sums[0], sums[1], failed, round(time.monotonic() - began))
    shown.add_row("all", *(f"{number:,}" for number in whole))
    Console().print(shown)
    if unfinished:
        print(f"no game ended: {'; '.join(unfinished)}; expected more --decisions", file=sys.stderr)
    sys.exit(failed > 0 or bool(unfinished))


if __name__ == "__main__":
    main()
