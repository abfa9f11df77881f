"""What `hansa info` says of the trained network that plays a ruleset."""

from __future__ import annotations

from hansa_agents.networks import networks_for
from hansa_env import Ruleset
from hansa_env.play.errors import AgentError

#: Digits of a hash that people compare; result files have all of them.
SHOWN = 12


def about(ruleset: Ruleset) -> list[str]:
    """By which networks `ppo` plays a ruleset, a line each; of none, what to do."""
    try:
        found = networks_for(ruleset)
    except AgentError as error:
        return [str(error)]
    carried = ["" if one.ruleset == ruleset else f", made for {one.ruleset} and carried over" for one in found]
    return [f"ppo plays it by {one.name}{how}, hash {one.model_hash[:SHOWN]}" for one, how in zip(found, carried)]
