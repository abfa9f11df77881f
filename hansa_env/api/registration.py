"""Makes the environments known to PettingZoo and Gymnasium; runs when `hansa_env` is imported."""

from __future__ import annotations

import gymnasium
import pettingzoo

AEC_ID = "hansa/hansa_teutonica-v0"
SINGLE_SEAT_ID = "hansa/HansaTeutonica-v0"


def register_environments() -> None:
    """Register by name of module, so that nothing is loaded before it is made; a second time changes nothing."""
    if AEC_ID not in pettingzoo.aec_registry:
        pettingzoo.register("aec", AEC_ID, "hansa_env.hansa_teutonica_v0:env")
    if AEC_ID not in pettingzoo.parallel_registry:
        pettingzoo.register("parallel", AEC_ID, "hansa_env.hansa_teutonica_v0:parallel_env")
    if SINGLE_SEAT_ID not in gymnasium.registry:
        gymnasium.register(
            SINGLE_SEAT_ID,
            entry_point="hansa_env.api.gymnasium:HansaTeutonicaEnv",
            vector_entry_point="hansa_env.api.vector:HansaTeutonicaVectorEnv",
        )
