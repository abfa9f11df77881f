"""What tells one model from another, whatever file it lies in."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path

import numpy as np

from hansa_env.formats.fields import PRINTABLE
from hansa_env.play.agents import attribute_of, name_of
from hansa_env.play.errors import OUR_PACKAGES, AgentError

#: Characters of a hash; those of users' agents may be any text that people can be shown.
LONGEST = 64


def hash_of_arrays(arrays: Mapping[str, np.ndarray]) -> str:
    """The SHA-256 of arrays by name, as hexadecimal digits."""
    found = sha256()
    for name, array in sorted(arrays.items()):
        found.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
        found.update(np.ascontiguousarray(array).tobytes())
    return found.hexdigest()


def model_hash_of(agent: object, weights: bool = True) -> str | None:
    """The hash of an agent's model; where it names none, that of the file its class stands in and of the weights of PyTorch's
    modules among its attributes, unless it comes with this project: whoever changes a bot, or trains it further, has another,
    whose games are not those of the one before. None where there is neither.

    Args:
        weights: False: those are left out, of an agent that may load or change them while it plays.

    Raises AgentError if its `model_hash` is no text of 1 to 64 characters without control characters, or cannot be told.
    """
    found = attribute_of(agent, "model_hash")
    if found is not None and not (isinstance(found, str) and 0 < len(found) <= LONGEST and re.fullmatch(PRINTABLE, found)):
        expected = f"1 to {LONGEST} letters, digits and signs"
        raise AgentError(f"agent {name_of(agent)!r} has model_hash {found!r:.80}; expected text of {expected}")
    if found is not None or type(agent).__module__.partition(".")[0] in OUR_PACKAGES:
        return found
    both = [one for one in (_hash_of_source(type(agent)), _hash_of_weights(agent) if weights else None) if one is not None]
    return sha256("".join(both).encode()).hexdigest() if len(both) > 1 else next(iter(both), None)


def _hash_of_weights(agent: object) -> str | None:
    torch = sys.modules.get("torch")  # who has not imported it has none of its modules
    if torch is None:
        return None
    modules = {name: one for name, one in getattr(agent, "__dict__", {}).items() if isinstance(one, torch.nn.Module)}
    tensors = {
        f"{name}.{key}": tensor
        for name, module in modules.items()
        for key, tensor in module.state_dict().items()
        if isinstance(tensor, torch.Tensor)
    }
    # By their bytes, since NumPy has no such numbers as bfloat16.
    bytes_of = {name: one.detach().cpu().reshape(-1).contiguous().view(torch.uint8).numpy() for name, one in tensors.items()}
    return hash_of_arrays(bytes_of) if bytes_of else None


def _hash_of_source(kind: type) -> str | None:
    try:
        return _hash_of_file(inspect.getfile(kind))
    except (TypeError, OSError):  # typed at a prompt, or within an archive
        return None


@cache  # as it was loaded, nearly always: a file that changes later changes nothing in this process
def _hash_of_file(file: str) -> str:
    return sha256(Path(file).read_bytes()).hexdigest()
