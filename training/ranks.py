"""The processes of a run that is shared among cores or machines: `torchrun ... -m hansa_training` starts them.

Each rank has some of the shards. Whatever they compute together is put together in the order of the shards, so that figures
depend on the number of shards and not on how many ranks, processes or machines there are. GPUs are an exception: there a rank
learns from all its shards at once. What ranks tell each other is data (`hansa_training.state`), nothing is unpickled.
"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch import distributed as dist

from hansa_training.state import pack, unpack

#: Seconds between two looks at what other ranks have said.
PAUSE = 0.02
#: How long ranks wait for one that measures, plays or writes, before they give it up.
PATIENCE = timedelta(hours=2)


class Ranks:
    """This process among those of a run; alone unless `joined`.

    Attributes:
        rank, size: this one's number, and how many there are.
    """

    rank, size = 0, 1

    @property
    def first(self) -> bool:
        """Whether this is the one that writes and reports."""
        return self.rank == 0

    def own(self, parts: int) -> range:
        """Which of the parts of a whole are this rank's."""
        return self._of(self.rank, parts)

    def _of(self, rank: int, parts: int) -> range:
        return range(parts * rank // self.size, parts * (rank + 1) // self.size)

    def first_of_each(self, parts: Sequence[int], count: int) -> list[int]:
        """The first of some parts that each rank has, of those ranks that have any; `count` is of all parts."""
        owned = [[part for part in parts if part in self._of(rank, count)] for rank in range(self.size)]
        return [some[0] for some in owned if some]

    def gather(self, value: Any) -> list[Any]:
        """The values of all ranks, in their order: trees of dicts, lists, arrays and plain values (`state.pack`)."""
        return [value]

    def concatenate(self, values: Sequence[Any]) -> list[Any]:
        """The values that ranks have of their parts, in the order of the parts."""
        return [one for some in self.gather(list(values)) for one in some]

    def from_first(self, value: Any) -> Any:
        """What the first rank has."""
        return value

    def sum_in_order(self, vectors: Sequence[Tensor], parts: Sequence[int], count: int, like: Tensor) -> Tensor:
        """The sum of vectors that ranks have, added in the order of their parts.

        Args:
            vectors: of those of `parts` that are this rank's, in order; they are changed.
            parts: all parts that have a vector, ascending.
            count: of all parts, with and without.
            like: any tensor of a vector's length, type and device.
        """
        return _added(vectors)

    def leave(self) -> None:
        """The run is over."""


class JoinedRanks(Ranks):
    """One of several processes that found each other by `torch.distributed`."""

    def __init__(self) -> None:
        if torch.cuda.is_available():
            torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", "0")) % torch.cuda.device_count())
        store, rank, size = next(dist.rendezvous("env://", timeout=PATIENCE))  # type: ignore[attr-defined]
        own = dist.PrefixStore(agreed(store, rank, size), store)  # type: ignore[attr-defined]
        backend = "cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo"
        dist.init_process_group(backend, timeout=PATIENCE, store=own, rank=rank, world_size=size)
        self.rank, self.size = dist.get_rank(), dist.get_world_size()
        self._through_host: bool | None = None  # known when the first vectors on a GPU are added

    def gather(self, value: Any) -> list[Any]:
        sent = [np.frombuffer(one, np.uint8) for one in pack(value)]
        sizes = torch.tensor([len(one) for one in sent])
        every = [torch.empty_like(sizes) for _ in range(self.size)]
        dist.all_gather(every, sizes)
        packet = torch.zeros(max(int(one.sum()) for one in every), dtype=torch.uint8)
        packet[: sum(map(len, sent))] = torch.from_numpy(np.concatenate(sent))
        packets = [torch.empty_like(packet) for _ in range(self.size)]
        dist.all_gather(packets, packet)
        return [_opened(one, *size.tolist()) for one, size in zip(packets, every)]

    def from_first(self, value: Any) -> Any:
        """Broadcast, so that a rank needs memory for one value however many ranks there are."""
        sent = [np.frombuffer(one, np.uint8) for one in (pack(value) if self.first else ())]
        sizes = torch.tensor([len(one) for one in sent] or [0, 0])
        dist.broadcast(sizes, 0)
        packet = torch.from_numpy(np.concatenate(sent)) if self.first else torch.empty(int(sizes.sum()), dtype=torch.uint8)
        dist.broadcast(packet, 0)
        return _opened(packet, *sizes.tolist())

    def sum_in_order(self, vectors: Sequence[Tensor], parts: Sequence[int], count: int, like: Tensor) -> Tensor:
        """Each rank adds up a slice of all vectors; then all have all slices: as much is sent as around a ring."""
        if like.is_cuda and self._share_a_gpu(like.device):
            return self.sum_in_order([one.cpu() for one in vectors], parts, count, like.cpu()).to(like.device)
        held = [sum(part in self._of(rank, count) for part in parts) for rank in range(self.size)]
        width = -(-len(like) // self.size)
        mine = like.new_zeros(held[self.rank], width * self.size)
        for row, vector in zip(mine, vectors):
            row[: len(like)] = vector
        sent = mine.view(held[self.rank], self.size, width).transpose(0, 1).reshape(-1, width)
        received = like.new_empty(sum(held), width)
        dist.all_to_all_single(received, sent, held, [held[self.rank]] * self.size)
        total = like.new_empty(self.size * width)
        dist.all_gather_into_tensor(total, _added(list(received)))
        return total[: len(like)]

    def _share_a_gpu(self, device: torch.device) -> bool:
        """Whether two ranks are on one GPU, which NCCL refuses; then they send from the host's memory by gloo."""
        if self._through_host is None:
            gpus = self.gather(str(torch.cuda.get_device_properties(device).uuid))
            self._through_host = len(set(gpus)) < self.size
        return self._through_host

    def leave(self) -> None:
        dist.destroy_process_group()


def agreed(store: dist.Store, rank: int, size: int) -> str:  # type: ignore[name-defined]
    """A word that those ranks which live now agree on, and that no rank before them knew.

    `torchrun` keeps its store when it starts ranks again. There a rank that is quicker than another would find where that one
    was before it died, and wait for it to answer. So each says a word of its own, and the first tells it its own in reply.
    """
    own = secrets.token_hex(8)
    if rank:
        store.set(f"asked/{rank}", own)
        word: str = store.get(f"told/{rank}/{own}").decode()
        store.set(f"heard/{rank}/{word}", "")
        return word
    for other in range(1, size):
        while not store.check([f"heard/{other}/{own}"]):  # what it asked may be of one that died
            store.set(f"told/{other}/{store.get(f'asked/{other}').decode()}", own)
            time.sleep(PAUSE)
    return own


#: A run of one process.
ALONE = Ranks()


def _added(vectors: Sequence[Tensor]) -> Tensor:
    total = vectors[0]
    for one in vectors[1:]:
        total = total.add_(one)
    return total


def _opened(packet: Tensor, text: int, arrays: int) -> Any:
    data = packet[: text + arrays].cpu().numpy().tobytes()
    return unpack(data[:text], data[text:])


def join() -> Ranks:
    """This process's place in the run: what `torchrun` says in the environment, else alone."""
    return JoinedRanks() if "RANK" in os.environ and "WORLD_SIZE" in os.environ else Ranks()


def replaces_a_lost_one() -> bool:
    """Whether this process replaces one that was lost. `hansa_training.on_ray` counts that for the run that it began;
    `torchrun` counts whatever failed, also a run that was refused, and leaves out that a machine was lost."""
    return int(os.environ.get("TORCHELASTIC_RESTART_COUNT", "0")) > 0


def by_torchrun() -> bool:
    """Whether `torchrun` has started this process."""
    return "TORCHELASTIC_RUN_ID" in os.environ
