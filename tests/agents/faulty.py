"""Agents that go wrong, as `tests.agents.faulty:Name`."""

from __future__ import annotations

import errno
import os
import signal
import time
from contextlib import suppress
from pathlib import Path

import numpy as np

from hansa_agents import Agent


class Faulty(Agent):
    """Takes the first legal action, until in some games it is to go wrong."""

    sees = "observations"

    def answer(self, actions: np.ndarray) -> object:
        raise NotImplementedError

    def act(self, inputs, masks, seats):
        """Goes wrong at a number of legal actions that comes in some games sooner, in some later, in some never."""
        actions = masks.argmax(1)
        return self.answer(actions) if (masks.sum(1) % 13 == 12).any() else actions


class Raises(Faulty):
    def answer(self, actions):
        raise KeyError("lost\nmy way")


class Lines(Faulty):
    def answer(self, actions):
        raise ValueError("lost\nmy way")


class Exits(Faulty):
    def answer(self, actions):
        raise SystemExit(3)


class Nobody(Faulty):
    def answer(self, actions):
        return np.full(len(actions), -1)


class Illegal(Faulty):
    def answer(self, actions):
        return actions + 100_000


class Fractions(Faulty):
    def answer(self, actions):
        return actions + 0.5


class Ragged(Faulty):
    def answer(self, actions):
        return [[1], [2, 3]]


class Dies(Faulty):
    def answer(self, actions):
        os._exit(7)


class Untold(Exception):
    """Cannot say what happened."""

    def __str__(self) -> str:
        raise LookupError("nor this")


class Outlaw(BaseException):
    """No `Exception`."""


class Unsaid(Faulty):
    def answer(self, actions):
        raise Untold


class Lawless(Faulty):
    def answer(self, actions):
        raise Outlaw("out of bounds")


class Closes(Faulty):
    def answer(self, actions):
        raise GeneratorExit


class Interrupts(Faulty):
    def answer(self, actions):
        raise KeyboardInterrupt


class Veiled:
    def __array__(self, *_, **__):
        raise GeneratorExit("behind the veil")


class Veils(Faulty):
    def answer(self, actions):
        return Veiled()


class Nameless(Faulty):
    """Raises, and cannot say who it is."""

    @property
    def name(self):
        raise Outlaw("nobody")

    def answer(self, actions):
        raise ValueError("lost")


class Leaves(Faulty):
    """Ends its process as if all were well."""

    def answer(self, actions):
        os._exit(0)


class Forks(Faulty):
    """Goes on as two."""

    def answer(self, actions):
        os.fork()
        return actions


class Deaf(Faulty):
    """Goes on for ever, whatever is raised in it, and stops the clock."""

    def answer(self, actions):
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        while True:
            with suppress(BaseException):
                time.sleep(0.001)


class Says(Faulty):
    """Raises where it is asked for the attribute that its argument names."""

    def __init__(self, argument: str) -> None:
        self.veiled = argument

    def __getattribute__(self, name):
        if name not in ("veiled", "__dict__") and name == vars(self).get("veiled"):
            raise Outlaw("not\nsaid")
        return super().__getattribute__(name)

    def answer(self, actions):
        return actions


class Changes(Faulty):
    """Says which model it is the first time alone."""

    asked = 0

    @property
    def model_hash(self):
        type(self).asked += 1
        if type(self).asked > 1:
            raise ValueError("once only")
        return "first"

    def answer(self, actions):
        return actions


class Once(Faulty):
    """Ends its process, and cannot say what it is after that; its argument is a file that tells it so."""

    def __init__(self, argument: str) -> None:
        self.ended = Path(argument)

    @property
    def model_hash(self):
        if self.ended.exists():
            raise ValueError("once only")
        return "first"

    def answer(self, actions):
        self.ended.touch()
        os._exit(7)


class Guesses(Faulty):
    """Plays well, but has nothing that could be called an estimate."""

    def answer(self, actions):
        return actions

    def estimate(self, inputs, masks, seats):
        raise Outlaw("no idea")


class Killed(Faulty):
    """Its process is killed by a signal, once for a file that does not exist before; then, and where it does, it plays."""

    def __init__(self, argument: str) -> None:
        self.file = Path(argument)

    def answer(self, actions):
        with suppress(FileExistsError):
            self.file.touch(exist_ok=False)
            os.kill(os.getpid(), signal.SIGKILL)
        return actions


class Unreadable(Faulty):
    """Cannot be made: its file is not there."""

    def __init__(self) -> None:
        raise FileNotFoundError(errno.ENOENT, "No such file or directory", "weights.bin")


class Oracle(Agent):
    """Sees all, and does nothing with it."""

    sees, sees_hidden = "games", True

    def act(self, inputs, masks, seats):
        return masks.argmax(1)


class Sleeper(Agent):
    """Does not wake up."""

    sees = "observations"

    def act(self, inputs, masks, seats):
        time.sleep(3600)


class Stuck(Faulty):
    """Goes on for ever, whatever is raised in it."""

    def answer(self, actions):
        while True:
            with suppress(Exception):
                time.sleep(0.001)


class Slow(Faulty):
    """Right, but too late."""

    def act(self, inputs, masks, seats):
        time.sleep(0.05)
        return masks.argmax(1)


class SlowOracle(Slow):
    """Sees all, and takes as long."""

    sees_hidden = True


class OneByOne(Faulty):
    """Answers about one game at a time."""

    def act(self, inputs, masks, seats):
        if len(masks) > 1:
            raise ValueError("several games")
        return masks.argmax(1)


class Present(Slow):
    """Slow, and leaves a file named after its process in a folder."""

    def __init__(self, argument: str) -> None:
        self.folder = Path(argument)

    def act(self, inputs, masks, seats):
        (self.folder / str(os.getpid())).touch()
        return super().act(inputs, masks, seats)
