"""What people say to a game in the terminal, or a program through a pipe."""

from __future__ import annotations

import sys
from io import TextIOWrapper


class Left(Exception):
    """Somebody quits, or the input has ended."""


class Input:
    """Reads lines.

    Attributes:
        not_understood: the lines of a pipe that meant nothing, or several things.
    """

    def __init__(self) -> None:
        self.not_understood: list[str] = []
        self._lines = 0
        if isinstance(sys.stdin, TextIOWrapper):
            sys.stdin.reconfigure(errors="surrogateescape")  # else what comes after a strange byte would be lost with it

    def ask(self) -> str:
        """What somebody says, without blanks around it; "" for what is no text. Raises Left at the end of the input."""
        try:
            said = input("> ").strip()
        except EOFError:
            print()
            raise Left from None
        self._lines += 1
        if not sys.stdin.isatty():
            print(said.encode(errors="backslashreplace").decode())
        if any("\udc80" <= sign <= "\udcff" for sign in said):
            print("That is no text in UTF-8; say it again.")
            self.note(said)
            return ""
        return said

    def note(self, said: str) -> None:
        """Keep what could not be done; at a terminal whoever said it has seen so."""
        if not sys.stdin.isatty():
            self.not_understood.append(f"line {self._lines}, {said.encode(errors='backslashreplace').decode()[:80]!r}")
