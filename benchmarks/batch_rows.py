"""`HansaBatch`: decisions per second over batch size and threads, and the limit that memory sets."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator

import numpy as np
from numba.core.runtime import _nrt_python as nrt
from numba.core.runtime import rtsys

from hansa_benchmarks.play import PARTS, Trace
from hansa_benchmarks.rows import Aim, Missing, Row, Scale, attempt
from hansa_benchmarks.timing import CoresGot, no_collection, rates

REFERENCE = "peers/pgx/chess"


def setting_of(parts: int) -> str:
    return " + ".join(PARTS[:parts])


def rows(scale: Scale) -> Iterator[Row]:
    """The curve over batch size, then what follows from it, then threads, greedy play, the limit and memory."""
    measured = curve(scale)
    yield from measured.values()
    yield _flatness(measured, scale)
    yield from _both_cores(scale)
    yield _greedy(scale)
    for size in dict.fromkeys((scale.main, scale.sizes[-1])):
        yield _limit(size, scale)
    yield from _bytes(scale)


def curve(scale: Scale) -> dict[str, Row]:
    """All sizes take turns, so that what else the machine does falls on all of them alike."""
    traces = {size: Trace(size, scale.trace // 8 if size < 64 else scale.trace, scale.warm) for size in scale.sizes}
    found = {}
    for size in scale.sizes:
        for parts in (1, 2, 3):
            row = Row(f"batch/{size}/{parts}", f"HansaBatch: {setting_of(parts)}", f"batch {size:,}")
            if parts == 3:
                row.reference = REFERENCE
                row.aim = Aim(1e6) if size == scale.main else None
            found[row.key] = row
            traces[size].replay(parts)
    with no_collection():
        for _ in range(scale.repeats):
            for size, trace in traces.items():
                for parts in (1, 2, 3):
                    found[f"batch/{size}/{parts}"].samples.append(trace.replay(parts))
    return found


def _flatness(measured: dict[str, Row], scale: Scale) -> Row:
    sizes = [size for size in scale.sizes if size >= scale.flat]
    medians = {size: measured[f"batch/{size}/3"].median for size in sizes}
    slow, fast = min(medians, key=medians.get), max(medians, key=medians.get)
    setting = f"batch {sizes[0]:,} to {sizes[-1]:,}"
    row = Row("batch/flat", "dearest decision over cheapest", setting, "×", aim=Aim(1.25, at_most=True))
    row.samples = [medians[fast] / medians[slow]]
    row.note = f"dearest at {slow:,}, cheapest at {fast:,}"
    return row


def _both_cores(scale: Scale) -> Iterator[Row]:
    """One thread and two take turns; each pair gives one sample of the gain."""
    setting = f"batch {scale.both:,}, threads=2"
    both = Row(f"batch/{scale.both}/3/both", f"HansaBatch: {setting_of(3)}", setting)
    gain = Row("batch/both", "two threads over one", f"batch {scale.both:,}", "×", aim=Aim(1.7))
    one, two = (Trace(scale.both, scale.trace, scale.warm, threads=threads) for threads in (1, 2))
    both.reference = f"batch/{scale.both}/3"
    two.replay()
    one.replay()
    cores: list[float] = []
    with no_collection():
        for _ in range(scale.repeats):
            with CoresGot() as got:
                both.samples.append(two.replay())
            cores.append(got.cores)
            gain.samples.append(both.samples[-1] / one.replay())
    both.note = f"got {np.median(cores):.1f} cores"
    yield both
    yield gain


def replays(trace: Trace, scale: Scale) -> list[float]:
    """Samples of a trace."""
    trace.replay()
    with no_collection():
        return [trace.replay() for _ in range(scale.repeats)]


def _greedy(scale: Scale) -> Row:
    row = Row("batch/greedy", f"HansaBatch: {setting_of(3)}", f"batch {scale.main:,}, whole games played by greedy")

    def measure() -> list[float]:
        from hansa_agents import AgentError

        try:
            trace = Trace(scale.main, scale.trace, scale.warm, agent="greedy")
        except AgentError as error:
            raise Missing(f"no greedy agent: {error}") from error
        row.note = f"{trace.ended / trace.decisions * 1000:.1f} endings per 1,000 decisions"
        return replays(trace, scale)

    return attempt(row, measure)


def _limit(size: int, scale: Scale) -> Row:
    """The speed limit: state read and written, mask and observation written, each as one copy and no more."""
    trace = Trace(size, size * 8, scale.warm)
    pairs = [(a, np.empty_like(a)) for a in (trace.batch.games.view(np.uint8), trace.mask, trace.view)]

    def copy() -> None:
        for source, target in pairs:
            np.copyto(target, source)

    moved = sum(source.nbytes for source, _ in pairs) / size
    setting = f"batch {size:,}, {moved:,.0f} bytes each"
    row = Row(f"batch/copy/{size}", "limit: copy of state, mask and observation", setting, reference=f"batch/{size}/3")
    row.samples = rates(copy, size, scale.repeats, scale.seconds)
    row.note = f"{row.median * moved / 1e9:.1f} GB/s copied"
    return row


def _bytes(scale: Scale) -> Iterator[Row]:
    small, large = Trace(scale.flat, scale.flat * 8, scale.warm), Trace(scale.main, scale.main * 8, scale.warm)
    game = small.batch.games.itemsize
    yield Row("batch/bytes/state", "bytes of a game's state", unit="bytes", aim=Aim(1024, at_most=True), samples=[game])
    yield Row("batch/bytes/mask", "bytes of a mask", unit="bytes", samples=[small.mask.shape[1]])
    yield Row("batch/bytes/observation", "bytes of an observation", unit="bytes", samples=[small.view.shape[1]])
    row = Row("batch/allocated", "memory allocated in step + mask + observation", f"batch {scale.main:,}", "bytes")
    row.samples = [_peak(large)]
    row.note = f"batch {scale.flat:,}: {_peak(small):,.0f} bytes; Python's call objects, no arrays"
    row.aim = Aim(4096, at_most=True)
    yield row
    setting = f"batch {scale.main:,} less batch {scale.flat:,}"
    row = Row("batch/blocks", "compiled code: blocks allocated per step", setting, "blocks")
    row.samples, row.aim = [_blocks(large) - _blocks(small)], Aim(0, at_most=True)
    row.note = f"{_blocks(small):.0f} in either: handles of the arrays passed in"
    yield row


def _peak(trace: Trace) -> float:
    """The largest amount of memory that Python and NumPy hold meanwhile, over what they held before."""
    trace.replay()
    trace.batch.games[:] = trace.start
    worst = 0
    tracemalloc.start()
    try:
        for row in trace.actions:
            tracemalloc.reset_peak()
            before = tracemalloc.get_traced_memory()[0]
            trace.batch.step(row)
            trace.batch.write_mask(trace.mask)
            trace.batch.observe(trace.view)
            worst = max(worst, tracemalloc.get_traced_memory()[1] - before)
    finally:
        tracemalloc.stop()
    return worst


def _blocks(trace: Trace) -> float:
    """Blocks that compiled code allocates in a step."""
    trace.replay()
    nrt.memsys_enable_stats()
    try:
        before = rtsys.get_allocation_stats().alloc
        trace.replay()
        return (rtsys.get_allocation_stats().alloc - before) / len(trace.actions)
    finally:
        nrt.memsys_disable_stats()
