"""How and where a network computes."""

from __future__ import annotations

from typing import NamedTuple

import torch
from stable_baselines3.common.utils import get_device


class Computing(NamedTuple):
    """How a network computes: in float32 or bfloat16, where it knows both, and on which device."""

    dtype: torch.dtype = torch.float32
    device: torch.device = torch.device("cpu")

    @property
    def on_gpu(self) -> bool:
        return self.device.type == "cuda"


#: As agents do that play.
AS_IT_IS = Computing()


def computing_of(precision: str, device: str) -> Computing:
    """How a network computes on this machine: of device "auto", on a GPU where there is one; of precision "auto", in bfloat16
    where the device can."""
    place = get_device(device)
    if place.type == "cuda":  # by number: what is current is so for the thread that asks
        place = torch.device("cuda", torch.cuda.current_device())
    if precision == "auto":
        half = torch.cuda.is_bf16_supported(False) if place.type == "cuda" else torch.cpu._is_avx512_bf16_supported()
        precision = "bfloat16" if half else "float32"
    return Computing(torch.bfloat16 if precision == "bfloat16" else torch.float32, place)
