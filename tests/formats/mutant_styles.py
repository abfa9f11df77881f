"""Files of styles made wrong: in their bytes, in what a header says, in an array or in its values."""

from __future__ import annotations

import io
import random
from functools import cache
from pathlib import Path

import numpy as np

from hansa_agents import AgentError
from hansa_agents.scripted.breed import beginnings
from hansa_agents.scripted.population import MOST_STYLES, read_styles, written_styles
from hansa_agents.scripted.weights import as_numbers
from tests.formats.mutant_datasets import headers_changed
from tests.formats.mutants import Kind, TakenWrongly, bytes_changed


@cache
def _whole() -> bytes:
    return written_styles(beginnings())


def _changed(choose: random.Random) -> tuple[str, bytes]:
    """An array that is missing, of another form or type, or has what no style has."""
    with np.load(io.BytesIO(_whole())) as file:
        names, weights = file["names"], file["weights"]
    swapped, strange = names.copy(), weights.copy()
    other = choose.randrange(1, len(names))
    swapped[[0, other]] = swapped[[other, 0]]
    strange[choose.randrange(len(weights)), choose.randrange(len(names))] = choose.choice([np.nan, np.inf, -np.inf])
    some = {"names": names, "weights": weights}
    ways = {
        "no names": {"weights": weights}, "no weights": {"names": names}, "nothing": {},
        "another array": some | {"more": names}, "names swapped": some | {"names": swapped},
        "a name less": some | {"names": names[1:]}, "names of numbers": some | {"names": weights[0]},
        "names in a row": some | {"names": names[None]}, "names in bytes": some | {"names": names.astype("S")},
        "no number": some | {"weights": strange}, "a weight less": some | {"weights": weights[:, 1:]},
        "one style alone": some | {"weights": weights[0]}, "no style": some | {"weights": weights[:0]},
        "by columns": some | {"weights": np.asfortranarray(weights)},
        "too many": some | {"weights": np.zeros((MOST_STYLES + 1, len(names)), np.float16)},
        "whole numbers": some | {"weights": weights.astype(np.int64)}, "objects": some | {"weights": weights.astype(object)},
        "texts": some | {"weights": weights.astype("U8")},
    }  # fmt: skip
    how, made = choose.choice(list(ways)), io.BytesIO()
    np.savez_compressed(made, **ways[how])
    return how, made.getvalue()


def _make(choose: random.Random) -> tuple[str, bytes, bool]:
    way = choose.random()
    if way < 0.4:
        return *bytes_changed(_whole(), choose), True
    return *(headers_changed(_whole(), choose) if way < 0.6 else _changed(choose)), False


def _read(path: Path, bytes_only: bool) -> None:
    found = read_styles(path.read_bytes(), "mutant")
    if not bytes_only:
        raise TakenWrongly("it has no styles")
    if not np.array_equal(as_numbers(found).reshape(len(found), -1), beginnings().astype(np.float32)):
        raise TakenWrongly("styles were read otherwise than they were written")


STYLES = Kind("styles", ".npz", (AgentError,), _make, _read, lambda: (_whole(), True))
