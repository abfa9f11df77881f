"""The Stable-Baselines3 front end under its short name (`hansa_env.api.sb3`)."""

from hansa_env.extras import what_is_missing

try:
    from hansa_env.api.sb3 import HansaVecEnv, Potential
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(f"hansa_env.sb3: {what_is_missing(error)}", name=error.name) from None

__all__ = ["HansaVecEnv", "Potential"]
