"""What is said where something compiles for long: the engine's notice, in words that are also true of agents that search.

It stands outside the engine, where another word would compile everything anew: the folder of compiled code is named after the
engine's sources.
"""

from __future__ import annotations

import sys

from numba.core import event

from hansa_env.engine import compile as engine

SAID = (
    "hansa_env: compiling, once (about half a minute for the rules, up to two minutes for agents that search; `hansa compile` "
    "compiles all ahead and shows how far it is) ..."
)


class Notice(engine.Notice):
    """The engine's, with a line of its own."""

    def _say(self) -> None:
        if not self.said:
            self.said = True
            print(SAID, file=sys.stderr, flush=True)


notice = Notice()
event.unregister("numba:compile", engine.notice)
event.register("numba:compile", notice)
