"""What stands after the name of an agent with a network: a path and words, as in `ppo:runs/ppo:temperature=0.5`."""

from __future__ import annotations

from dataclasses import dataclass

from hansa_agents.options import checked_number
from hansa_env.play.errors import AgentError
from hansa_env.play.specs import TRUST

#: Draws from the policy as it is; what a temperature begins with.
SAMPLE, TEMPERATURE = "sample", "temperature="
#: The highest temperature; there every legal action is about as likely as any other.
HOTTEST = 100


@dataclass(frozen=True)
class NetworkSpec:
    """The argument of a spec, read.

    Attributes:
        path: what stands first; empty where nothing does.
        temperature: at which actions are drawn (`hansa_training.agent.PPOAgent`); 0 takes the likeliest.
        trust: whether an archive may run the code that is in it.
    """

    path: str
    temperature: float = 0.0
    trust: bool = False


def network_spec(argument: str | None) -> NetworkSpec:
    """What the argument of a spec says: PATH, and after it, in any order, `sample` or `temperature=NUMBER`, and `trust`.

    Raises AgentError, which begins with the argument.
    """
    path, *words = (argument or "").split(":")
    drawing = [word for word in words if word == SAMPLE or word.startswith(TEMPERATURE)]
    wrong = [word for word in words if word not in (*drawing, TRUST)]
    if wrong:
        known = f"'{SAMPLE}', '{TEMPERATURE}NUMBER' or '{TRUST}'"
        raise AgentError(f"{argument}: expected {known} after the path, not {wrong[0]!r:.40}")
    if len(drawing) > 1:
        raise AgentError(f"{argument}: expected '{SAMPLE}' or one '{TEMPERATURE}NUMBER', not {len(drawing)} of them")
    return NetworkSpec(path, _temperature_of(drawing[0], argument) if drawing else 0.0, TRUST in words)


def _temperature_of(word: str, argument: str | None) -> float:
    if word == SAMPLE:
        return 1.0
    text = word.removeprefix(TEMPERATURE)
    try:
        number: object = float(text)
    except ValueError:
        number = text
    return checked_temperature(number, f"{argument}")


def sharpness(temperature: float) -> float:
    """By what a temperature above 0 multiplies logits; float32 holds it."""
    return min(1 / max(temperature, 1e-300), 1e30)


def checked_temperature(temperature: object, agent: str) -> float:
    """A temperature as a float. Raises AgentError, which begins with the agent's name."""
    return checked_number(agent, "temperature", temperature, HOTTEST)
