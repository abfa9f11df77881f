"""Everything is compiled once, before pytest starts its workers, which would compile the rules again for each agent."""

import os
import signal


def pytest_configure(config) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore Ctrl-C, and what they start
    if hasattr(config, "workerinput"):
        os.environ.setdefault("OMP_NUM_THREADS", "1")  # as many workers as cores are at work already
        return
    from tests.compiled import compile_all, compile_engine

    if getattr(config.option, "numprocesses", None):
        compile_all()
    else:
        compile_engine()
