"""Programs that Ctrl-C stops while they import."""

import subprocess
import sys

_STOPPED = """
import os, signal, sys

class Stops:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Stops())
"""


def check_that_it_ends_in_a_word(program: str, module: str) -> None:
    """See that a program, stopped in the middle of the import of a module, says "interrupted" alone and ends with 130."""
    code = _STOPPED.format(module=module) + program
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")
