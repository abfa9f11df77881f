"""The average of a policy's weights, against sums written out."""

import numpy as np
import torch

from hansa_training.average import Average


def at(value: float) -> dict[str, torch.Tensor]:
    module = torch.nn.Linear(2, 1)
    torch.nn.init.constant_(module.weight, value)
    torch.nn.init.constant_(module.bias, -value)
    return {name: one.detach() for name, one in module.named_parameters()}


def test_the_first_ones_count_the_same_and_what_was_before_them_not_at_all() -> None:
    average = Average(at(100.0), 4)
    average.restart(at(1.0))
    average.note(at(4.0))
    average.note(at(7.0))
    assert torch.allclose(average.weights["weight"], torch.full((1, 2), 4.0))
    assert torch.allclose(average.weights["bias"], torch.full((1,), -4.0))


def test_later_ones_count_one_part_in_so_many() -> None:
    average, expected = Average(at(0.0), 4), 0.0
    average.restart(at(0.0))
    for number in range(1, 30):
        average.note(at(float(number)))
        expected += (number - expected) / min(number + 1, 4)
    assert np.isclose(float(average.weights["weight"][0, 0]), expected) and 25 < expected < 28


def test_over_one_it_is_the_last_alone_and_it_goes_on_from_its_state() -> None:
    average = Average(at(0.0), 1)
    average.note(at(3.0))
    average.note(at(9.0))
    assert float(average.weights["weight"][0, 0]) == 9.0
    one, other = Average(at(1.0), 5), Average(at(8.0), 5)
    one.note(at(2.0))
    other.set_state({"count": one.count, "weights": {name: w.numpy().copy() for name, w in one.weights.items()}})
    for average in (one, other):
        average.note(at(6.0))
    assert torch.equal(one.weights["weight"], other.weights["weight"])
