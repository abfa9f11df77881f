"""Everything is compiled once, before pytest starts its workers, which would compile the rules again for each agent."""

import subprocess
import sys


def pytest_configure(config) -> None:
    if hasattr(config, "workerinput"):
        return
    from tests.compiled import compile_engine

    agents = None
    if getattr(config.option, "numprocesses", None):
        agents = subprocess.Popen([sys.executable, "-m", "tests.compiled"], cwd=config.rootpath)
    compile_engine()
    if agents is not None and agents.wait() != 0:
        raise RuntimeError(f"python -m tests.compiled ended with {agents.returncode}")
