"""What installed packages bring: the entry points of a group, in the order of their names."""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from typing import Any

from hansa_env.extras import what_is_missing


class NotLoaded(Exception):
    """What an entry point names cannot be had; says why."""


def entries(group: str) -> list[EntryPoint]:
    """The entry points of a group."""
    return sorted(entry_points(group=group), key=lambda point: point.name)


def load(point: EntryPoint) -> Any:
    """What an entry point names. Raises NotLoaded, whatever went wrong in somebody else's package."""
    try:
        return point.load()
    except ImportError as error:
        raise NotLoaded(what_is_missing(error)) from error
    except (Exception, SystemExit) as error:
        raise NotLoaded(f"{point.value} raised {type(error).__name__}: {error}") from error


def offered(group: str, what: str, unavailable: type[Exception]) -> list[Any]:
    """All that the functions of a group return; each takes no arguments and returns a sequence.

    Args:
        what: it is, for errors.
        unavailable: raised where a package cannot be imported, or what it offers cannot be had.
    """
    found: list[Any] = []
    for point in entries(group):
        try:
            found += load(point)()
        except (NotLoaded, ImportError) as error:
            why = what_is_missing(error) if isinstance(error, ImportError) else error
            raise unavailable(f"the {what} {point.name!r} cannot be loaded: {why}") from error
        except Exception as error:
            raise unavailable(f"the {what} {point.name!r} cannot be read: {error}") from error
    return found
