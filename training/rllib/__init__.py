"""The same learning on RLlib, for more machines than one: environment, network and league for its PPO.

Needs the extra `rllib`. `python -m hansa_training.rllib` trains; docs/rllib.md says how it grows.
"""
