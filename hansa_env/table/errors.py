"""What is refused, and how a browser is told."""

from __future__ import annotations


class Refused(ValueError):
    """A request that cannot be met; nothing has been changed. The text says why, for the person who asked.

    Attributes:
        status: of HTTP.
        more: what the page is told beside the text, so that it can offer what to do.
    """

    def __init__(self, text: str, status: int = 400, **more: str) -> None:
        super().__init__(text)
        self.status, self.more = status, more


class NotAllowed(Refused):
    """Who asks may not do that."""

    def __init__(self, text: str) -> None:
        super().__init__(text, 403)


class NotThere(Refused):
    """There is no such thing."""

    def __init__(self, text: str) -> None:
        super().__init__(text, 404)


class TooLate(Refused):
    """It was asked of a position that the game has left, or while something else has to end first."""

    def __init__(self, text: str, **more: str) -> None:
        super().__init__(text, 409, **more)


class TooLong(Refused):
    """A game has more decisions than can be kept."""


class NotKept(Refused):
    """The file of games cannot be written, as on a full disk."""

    def __init__(self, error: Exception) -> None:
        super().__init__(f"this cannot be kept ({error}); nothing has been changed", 503)


class Unreadable(Refused):
    """What the file has of a game is none. Attributes: detail: what is wrong, for the host."""

    def __init__(self, name: str, error: Exception) -> None:
        super().__init__(f"game {name[:40]!r} cannot be read: the file of games has been damaged or changed", 422)
        self.detail = (str(error) or type(error).__name__).partition("\n")[0][:200]


class Damaged(Refused):
    """The file of games itself is damaged, so that something in it cannot be looked up."""

    def __init__(self, error: Exception) -> None:
        super().__init__(f"the file of games is damaged ({error!s:.100}); games that can still be read are as they were", 500)
