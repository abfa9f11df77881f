"""Everything is compiled once, before pytest starts its workers, which would compile the rules again for each agent."""

import signal


def pytest_configure(config) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore Ctrl-C, and what they start
    if hasattr(config, "workerinput"):
        return
    from tests.compiled import compile_all, compile_engine

    if getattr(config.option, "numprocesses", None):
        compile_all()
    else:
        compile_engine()
