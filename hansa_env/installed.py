"""What installed packages bring: the entry points of a group, in the order of their names."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from hansa_env.extras import what_is_missing


def entries(group: str) -> list[EntryPoint]:
    """The entry points of a group."""
    return sorted(entry_points(group=group), key=lambda point: point.name)


def offered(group: str, what: str, unavailable: type[Exception]) -> list[Any]:
    """All that the functions of a group return; each takes no arguments and returns a sequence.

    Args:
        what: it is, for errors.
        unavailable: raised where a package cannot be imported, or what it offers cannot be read.
    """
    found: list[Any] = []
    for point in entries(group):
        try:
            more: Sequence[Any] = point.load()()
        except ImportError as error:
            raise unavailable(f"the {what} {point.name!r} cannot be loaded: {what_is_missing(error)}") from error
        except (ValueError, OSError) as error:
            raise unavailable(f"the {what} {point.name!r} cannot be read: {error}") from error
        found += more
    return found
