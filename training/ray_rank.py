"""One rank of a run as an actor of a Ray cluster: what `torchrun` would do for it; needs the extra `ray`."""

from __future__ import annotations

import io
import os
import socket
import struct
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, redirect_stderr, redirect_stdout, suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any

import ray
import torch
from torch import distributed as dist

import hansa_agents
import hansa_env
import hansa_training
from hansa_agents.ray_cluster import sources_of
from hansa_env.play.errors import AgentFault
from hansa_training.begin import NotBegun, train
from hansa_training.errors import PlanError, RunError, with_kind

#: What a rank tells: that it printed something, that what was asked for is wrong, that it failed.
OUT, ERR, REFUSED, FAILED = "out", "err", "refused", "failed"
#: The system's request for the address of a network interface.
SIOCGIFADDR = 0x8915


class Rank:
    """A process of its own, which is killed when its run is over."""

    def about(self) -> dict[str, str]:
        """Where it is, and what its figures depend on."""
        return {"host": socket.gethostname(), "address": ray.util.get_node_ip_address(), "sources": sources()}

    def open_store(self) -> int:
        """The port at which this rank lets all of them meet."""
        self._store = dist.TCPStore("0.0.0.0", 0, is_master=True, wait_for_workers=False)  # type: ignore[attr-defined]
        return self._store.port

    def train(self, environment: Mapping[str, str], folder: str, asked: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """Call `hansa_training.begin.train`; gives what the first rank prints, and why it ended before the end if it did.

        Args:
            environment: the rank's place in the run, as `torchrun` says it.
            folder: from which paths are named.
            asked: the arguments.
        """
        os.environ.update(environment)
        interface = interface_of(ray.util.get_node_ip_address())
        if interface:  # else gloo takes the address of the machine's name, at which others may not reach it
            os.environ.setdefault("GLOO_SOCKET_IFNAME", interface)
        if not ray.get_runtime_context().runtime_env.get("working_dir"):
            with suppress(OSError):
                os.chdir(folder)
        told: SimpleQueue[tuple[str, str] | None] = SimpleQueue()
        Thread(target=_train, args=(told, asked, environment["RANK"] == "0"), daemon=True).start()
        while (news := told.get()) is not None:
            yield news


class Told(io.TextIOBase):
    """A text file whose content is told as it is written."""

    def __init__(self, told: SimpleQueue[tuple[str, str] | None], kind: str) -> None:
        self._told, self._kind = told, kind

    def write(self, text: str) -> int:
        self._told.put((self._kind, text))
        return len(text)


def _train(told: SimpleQueue[tuple[str, str] | None], asked: Mapping[str, Any], prints: bool) -> None:
    with ExitStack() as stack:
        if prints:
            stack.enter_context(redirect_stdout(Told(told, OUT)))
            stack.enter_context(redirect_stderr(Told(told, ERR)))
        try:
            train(**asked)
        except NotBegun as error:
            told.put((FAILED, with_kind(error)))
        except (PlanError, RunError, AgentFault) as error:
            told.put((REFUSED, str(error)))
        except BaseException as error:
            traceback.print_exc(file=sys.__stderr__)  # goes to the worker's log of Ray
            told.put((FAILED, with_kind(error)))  # type: ignore[arg-type]
        finally:
            told.put(None)


def sources() -> str:
    """Of all that a run is made with; it has to be the same on every machine."""
    return f"{sources_of(hansa_training, hansa_agents, hansa_env)} {torch.__version__}"


def interface_of(address: str) -> str | None:
    """The network interface that has an address, None if that cannot be told."""
    try:
        import fcntl
    except ModuleNotFoundError:  # on Windows
        return None
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _, name in socket.if_nameindex():
            with suppress(OSError):
                answer = fcntl.ioctl(asking, SIOCGIFADDR, struct.pack("256s", name.encode()))
                if socket.inet_ntoa(answer[20:24]) == address:
                    return name
    return None
