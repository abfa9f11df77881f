"""The Stable-Baselines3 front end under its short name (`hansa_env.api.sb3`)."""

from hansa_env.api.sb3 import HansaVecEnv, Potential

__all__ = ["HansaVecEnv", "Potential"]
