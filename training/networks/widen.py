"""A wider `board` network that decides as a given one does, so that a run can outgrow its network.

Every layer gains units. What they read is fresh; what the units that were there read of them begins at 0, and with it what
they say of actions and of the value (the zero-initialised expansions of Gesmundo and Maile, 2023).
"""

from __future__ import annotations

from collections.abc import Mapping

from torch import Tensor

from hansa_training.errors import ModelError

#: The biases of places, one row for each: by name, and the layer that is as wide as a row.
_OF_PLACES = {f"features_extractor.{kind}_own": f"features_extractor.{kind}_out.weight" for kind in ("route", "city")}


def widened(weights: Mapping[str, Tensor], fresh: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The weights of a `board` network in one that is wider, or as wide, everywhere.

    Args:
        weights: by name, as `hansa_training.networks.weights_of` has them.
        fresh: of a new network for the same ruleset, which says how wide it is, and what the new units read.

    Raises:
        ModelError: it is narrower somewhere, or of another kind.
    """
    if set(weights) != set(fresh):
        raise ModelError("the networks are of different kinds")
    found = {}
    for name, one in fresh.items():
        was, into = (_by_place(name, of) for of in (weights, fresh))
        if was.dim() != into.dim() or any(before > now for before, now in zip(was.shape, into.shape, strict=True)):
            raise ModelError(f"{name} is {tuple(into.shape)}; expected at least {tuple(was.shape)}, as wide as what is given")
        into = into.clone()
        if was.dim() == 2:
            into[: len(was), was.shape[1] :] = 0
        into[tuple(slice(size) for size in was.shape)] = was
        found[name] = into.view(one.shape)
    return found


def _by_place(name: str, weights: Mapping[str, Tensor]) -> Tensor:
    """Weights of that name; of the biases of places (place, width)."""
    layer = _OF_PLACES.get(name)
    return weights[name].view(-1, len(weights[layer])) if layer else weights[name]
