"""What stands after the name of an agent with a network: a path and words, as in `ppo:runs/ppo:temperature=0.5`."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from hansa_agents.options import checked_number
from hansa_env.play.errors import AgentError
from hansa_env.play.specs import TRUST

#: Draws from the policy as it is; what a temperature begins with.
SAMPLE, TEMPERATURE = "sample", "temperature="
#: The highest temperature; there every legal action is about as likely as any other.
HOTTEST = 100
#: How a temperature is written: a sign or an exponent would come apart in a mixture's spec.
_PLAIN = re.compile(r"[0-9]+(\.[0-9]+)?")


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


def network_spec(agent: str, argument: str | None) -> NetworkSpec:
    """What the argument of an agent's spec says: PATH, and after it, in any order, `sample` or `temperature=NUMBER`, and
    `trust`. Raises AgentError, which begins with the spec."""
    spec = f"{agent}:{argument}"
    path, *words = (argument or "").split(":")
    if _draws(path) or path == TRUST:
        raise AgentError(f"{spec}: {path!r:.40} is no path; it stands behind a path, or behind two colons without one")
    drawing = [word for word in words if _draws(word)]
    wrong = [word for word in words if word not in (*drawing, TRUST)]
    if wrong:
        known = f"'{SAMPLE}', '{TEMPERATURE}NUMBER' or '{TRUST}'"
        raise AgentError(f"{spec}: expected {known} after the path, not {wrong[0]!r:.40}")
    if len(drawing) > 1:
        raise AgentError(f"{spec}: expected '{SAMPLE}' or one '{TEMPERATURE}NUMBER', not {len(drawing)} of them")
    return NetworkSpec(path, _temperature_of(drawing[0], spec) if drawing else 0.0, TRUST in words)


def weights_named(text: str) -> str:
    """What a network is named by whose weights alone are wanted, without `ppo:` before it.

    Raises AgentError where words say how an agent is to play by them.
    """
    name = text.removeprefix("ppo:")
    for word in name.split(":"):
        if _draws(word):
            raise AgentError(f"{text}: weights alone are not drawn from; leave {word!r:.40} out")
    return name


def _draws(word: str) -> bool:
    return word == SAMPLE or word.startswith(TEMPERATURE)


def _temperature_of(word: str, spec: str) -> float:
    if word == SAMPLE:
        return 1.0
    text = word.removeprefix(TEMPERATURE)
    if not _PLAIN.fullmatch(text):
        raise AgentError(f"{spec}: temperature is {text!r:.40}; expected a number from 0 to {HOTTEST}, such as 0.5")
    return checked_temperature(float(text), spec)


def sharpness(temperature: float) -> float:
    """By what a temperature above 0 multiplies logits; float32 holds it."""
    return min(1 / max(temperature, 1e-300), 1e30)


def policy_at(logits: np.ndarray, masks: np.ndarray, temperature: float) -> np.ndarray:
    """The policy (N, A) float32 of logits (N, A) float32 at a temperature above 0; 0 where masks (N, A) have nothing legal."""
    legal = np.where(masks, logits, -np.inf)
    highest = np.where(masks.any(1), legal.max(1), 0)[:, None]
    weights = np.exp((legal - highest) * np.float32(sharpness(temperature)))
    return np.asarray(weights / np.maximum(weights.sum(1, keepdims=True), 1), np.float32)


def checked_temperature(temperature: object, agent: str) -> float:
    """A temperature as a float. Raises AgentError, which begins with the agent's name."""
    return checked_number(agent, "temperature", temperature, HOTTEST)
