"""What a peer's script prints: {"version": ..., "rows": {name: [decisions/s, ...]}}, or {"missing": module}."""

import gc
import importlib.metadata
import json
import os
import sys
import time


def pin_to_one_core():
    """One core, where the system can say so; to be called before a library starts threads."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def sample(play, repeats, seconds):
    """Decisions per second of `play`, which returns the decisions it made; one call warms up."""
    play()
    rates = []
    for _ in range(repeats):
        gc.collect()
        gc.disable()
        made, began = 0, time.perf_counter()
        while time.perf_counter() - began < seconds or not made:
            made += play()
        rates.append(made / (time.perf_counter() - began))
        gc.enable()
    return rates


def main(distribution, make):
    """Run a peer: argv is repeats, seconds per sample; `make()` gives {name: play} and does the importing."""
    repeats, seconds = int(sys.argv[1]), float(sys.argv[2])
    try:
        games = make()
    except ImportError as error:
        print(json.dumps({"missing": error.name or str(error)}))
        return
    rows = {name: sample(play, repeats, seconds) for name, play in games.items()}
    print(json.dumps({"version": importlib.metadata.version(distribution), "rows": rows}))
