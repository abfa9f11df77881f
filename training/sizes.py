"""Networks as data, without torch: of which kind they are, and how large."""

from __future__ import annotations

from typing import Any

#: Widths: of the context, of route and city tokens, and of what a token tells the context of itself.
BOARD: dict[str, Any] = {"kind": "board", "global": 128, "route": 32, "city": 16, "route_summary": 8, "city_summary": 4}
#: City tokens are as wide as those of routes, so that one attention takes both.
ATTENTION: dict[str, Any] = BOARD | {"kind": "attention", "city": BOARD["route"], "heads": 2}
MLP: dict[str, Any] = {"kind": "mlp", "widths": [256, 128]}

#: Networks by name, as `hansa train --network` knows them.
NETWORKS: dict[str, dict[str, Any]] = {
    "board": BOARD,
    "board-small": BOARD | {"global": 64, "route": 16, "city": 8},
    "board-large": BOARD | {"global": 256, "route": 64, "city": 32},
    "attention": ATTENTION,
    "mlp": MLP,
}
