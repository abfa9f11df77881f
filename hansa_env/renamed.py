"""What is said of an option, a field or an attribute by its old name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, NoReturn


def called_now(kind: str, old: str, new: str) -> str:
    """What an error says of something of a kind whose name has changed: option 'few' is called 'screen_sims' now."""
    return f"{kind} {old!r} is called {new!r} now"


class Renamed:
    """A class whose attributes had other names once: who asks for one by its old name is told the new one."""

    _renamed: ClassVar[Mapping[str, str]] = {}

    if not TYPE_CHECKING:  # it would let any attribute pass

        def __getattr__(self, name: str) -> NoReturn:
            kind, new = type(self).__name__, self._renamed.get(name)
            said = called_now(f"{kind}'s attribute", name, new) if new else f"{kind!r} object has no attribute {name!r}"
            raise AttributeError(said, name=name, obj=self)
