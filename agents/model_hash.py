"""What tells one model from another, whatever file it lies in."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

import numpy as np

from hansa_env.play.agents import attribute_of, name_of
from hansa_env.play.errors import AgentError

LONGEST = 64


def hash_of_arrays(arrays: Mapping[str, np.ndarray]) -> str:
    """The SHA-256 of arrays by name, as hexadecimal digits."""
    found = sha256()
    for name, array in sorted(arrays.items()):
        found.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
        found.update(np.ascontiguousarray(array).tobytes())
    return found.hexdigest()


def model_hash_of(agent: object) -> str | None:
    """The hash of an agent's model, None where it names none. Raises AgentError if it is no text of 1 to 64 characters, or
    cannot be told."""
    found = attribute_of(agent, "model_hash")
    if found is not None and not (isinstance(found, str) and 0 < len(found) <= LONGEST):
        raise AgentError(f"agent {name_of(agent)!r} has model_hash {found!r:.80}; expected text of 1 to {LONGEST} letters")
    return found
