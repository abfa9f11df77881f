"""The observation's fields under their older name (`hansa_env.engine.view.observation`)."""

from hansa_env.engine.view.observation import (
    OBSERVATION_FIELDS,
    ObservationField,
    observation_fields,
    observation_high,
    observation_size,
)

__all__ = ["OBSERVATION_FIELDS", "ObservationField", "observation_fields", "observation_high", "observation_size"]
