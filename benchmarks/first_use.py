"""What the first use costs with nothing compiled: `python -m hansa_benchmarks.first_use` prints seconds of CPU and clock.

Each line is a process of its own with an empty folder for compiled code, so that a line says what its work needs alone. CPU
seconds depend little on what else the machine does, the clock's depend on it wholly. To compare two commits, run it in a
checkout of each, in turns.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile

GAME = """
from hansa_env import Game, Ruleset
game = Game(Ruleset(3), seed=1)
while not game.over and len(game.decisions) < 100:
    game.play_action(game.legal_actions()[0])
"""
AGENT = """
from hansa_env import HansaBatch, Ruleset, make_agent
batch = HansaBatch(2, Ruleset(3))
make_agent({spec!r}, Ruleset(3)).act(batch.games, batch.action_mask, batch.seat)
"""
#: By name: what is run. An agent's line has the rules in it that its first game needs.
WORK = {
    "import hansa_env": "import hansa_env",
    "first base game": GAME,
    "every kernel of the engine": "import hansa_env; hansa_env.warmup(quiet=True)",
    "greedy": AGENT.format(spec="greedy"),
    "tree": AGENT.format(spec="tree:sims=2"),
    "lookahead": AGENT.format(spec="lookahead:width=1,most=1"),
    "rollout": AGENT.format(spec="rollout"),
}
MEASURED = """
import json, sys, time
began = time.perf_counter()
exec(sys.argv[1])
print(json.dumps([time.process_time(), time.perf_counter() - began]))
"""


def seconds(code: str) -> tuple[float, float]:
    """CPU seconds of a process that runs code with nothing compiled, its start included; and the clock's, without its start."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", MEASURED, code]
        done = subprocess.run(
            command, env={**os.environ, "NUMBA_CACHE_DIR": folder}, capture_output=True, text=True, check=True
        )
        cpu, clock = json.loads(done.stdout.splitlines()[-1])
        return cpu, clock


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", nargs="*", help=f"some of: {', '.join(WORK)}; by default all")
    asked = parser.parse_args().work or list(WORK)
    for name in asked:
        if name not in WORK:
            parser.error(f"work is {name!r}; expected some of: {', '.join(WORK)}")
    for name in asked:
        cpu, clock = seconds(WORK[name])
        print(f"{name:28} {cpu:7.1f} s of CPU {clock:7.1f} s by the clock", flush=True)


if __name__ == "__main__":
    main()
