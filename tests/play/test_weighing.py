"""What an agent said of one decision alone is put among what it said of all."""

from __future__ import annotations

import pytest

from hansa_env.play.weighing import with_value

THOUGHT = {"likeliest": [["move", 0.5, 0.3], ["income 0", 0.2, 0.4], ["done", 0.1, 0.2]], "value": 0.3}


@pytest.mark.parametrize(
    ("text", "share", "most", "found"),
    [
        ("upgrade keys", 0.3, None, ["move", "upgrade keys", "income 0", "done"]),
        ("upgrade keys", 0.2, None, ["move", "income 0", "upgrade keys", "done"]),
        ("upgrade keys", 0.0, None, ["move", "income 0", "done", "upgrade keys"]),
        ("upgrade keys", 0.3, 2, ["move", "upgrade keys"]),
        ("income 0", 0.9, None, ["move", "income 0", "done"]),
    ],
)
def test_decisions_stay_in_order_of_their_shares(text: str, share: float, most: int | None, found: list[str]) -> None:
    """A decision that is named already keeps its own."""
    after = with_value(THOUGHT, text, 0.7, most, share)
    assert [name for name, *_ in after["likeliest"]] == found and after["value"] == 0.3
    assert [text, 0.2 if text == "income 0" else share, 0.7] in after["likeliest"]
