"""What is said of an option, a field or an attribute by its old name."""

from __future__ import annotations


def called_now(kind: str, old: str, new: str) -> str:
    """What an error says of something of a kind whose name has changed: option 'few' is called 'screen_sims' now."""
    return f"{kind} {old!r} is called {new!r} now"
