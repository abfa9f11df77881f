"""The engine alone: random play in one compiled call."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from hansa_benchmarks.play import RandomPlay
from hansa_benchmarks.rows import Aim, Row, Scale, attempt
from hansa_benchmarks.timing import CoresGot, rates

REFERENCE = "peers/open_spiel/chess"


def rows(scale: Scale) -> Iterator[Row]:
    """mask + pick + step, parts of it, and on both cores."""
    n, each = scale.main, max(1, scale.warm // 5)
    play = RandomPlay(n, scale.warm)
    many, one = np.full(n, each), np.ones(n, np.int64)

    def measure(counts: np.ndarray, with_mask: bool) -> list[float]:
        return rates(lambda: play.play(counts, with_mask), int(counts.sum()), scale.repeats, scale.seconds)

    setting = f"{n} games, {each} decisions of one, then of the next"
    yield attempt(
        Row("engine/mask", "random play: mask + pick + step", setting, reference=REFERENCE, aim=Aim(3e6)),
        lambda: measure(many, True),
    )
    yield attempt(
        Row("engine/pick", "random play: pick + step", setting, reference=REFERENCE), lambda: measure(many, False)
    )
    yield attempt(
        Row("engine/sweep", "random play: mask + pick + step", f"{n} games, one decision each per call",
            reference=REFERENCE),
        lambda: measure(one, True),
    )  # fmt: skip
    half = n // 2
    with ThreadPoolExecutor(1) as pool:

        def on_both() -> None:
            other = pool.submit(play.play, many, True, half, n)
            play.play(many, True, 0, half)
            other.result()

        row = Row("engine/both", "random play: mask + pick + step", f"{n} games, two threads", reference="engine/mask")
        with CoresGot() as got:
            attempt(row, lambda: rates(on_both, int(many.sum()), scale.repeats, scale.seconds))
        row.note = f"got {got.cores:.1f} cores"
        yield row
