"""Everything is compiled once, before pytest starts its workers, which would compile the rules again for each agent.

With HANSA_COMPILED=1 it has been, by `python -m tests.compiled`.
"""

import os
import signal


def pytest_configure(config) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore Ctrl-C, and what they start
    if hasattr(config, "workerinput"):
        os.environ.setdefault("OMP_NUM_THREADS", "1")  # as many workers as cores are at work already
        return
    if os.environ.get("HANSA_COMPILED") == "1":
        return
    from tests.compiled import compile_all, compile_engine

    if getattr(config.option, "numprocesses", None):
        compile_all()
    else:
        compile_engine()
