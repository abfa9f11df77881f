"""The program `hansa` from its first moment on: Ctrl-C ends it in one line while the packages are still being imported too.

It stands outside of the packages, for whatever is imported from one of them imports that whole package first.
"""

from __future__ import annotations

import os
import signal


def main() -> None:
    """Import the commands, and run the one that is asked for."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else it is ignored, as behind `nohup`
        signal.signal(signal.SIGINT, _stop)
    from hansa_env.commands.cli import main as run

    run()


def _stop(*_: object) -> None:
    """Nothing is under way yet that would have to be ended in order."""
    try:
        os.write(2, b"interrupted\n")
    finally:
        os._exit(130)
