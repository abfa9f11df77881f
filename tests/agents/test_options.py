"""Options in the argument of a spec."""

import math
from inspect import signature
from typing import Any

import numpy as np
import pytest

from hansa_agents import make_agent
from hansa_agents.options import GIVEN, LARGEST, MOST_SIMS, checked_number, checked_whole, options
from hansa_agents.search.lookahead import MOST as MOST_TRIED
from hansa_agents.search.lookahead import WIDEST, LookaheadAgent
from hansa_agents.search.rollout import RolloutAgent
from hansa_agents.search.tree import TreeAgent
from hansa_env import Ruleset
from hansa_env.play.errors import AgentError

#: Whoever has options that are numbers, with the most that those may be that have not the usual limit.
AGENTS = {
    "rollout": (RolloutAgent, {}),
    "lookahead": (LookaheadAgent, {"width": WIDEST, "most": MOST_TRIED}),
    "tree": (TreeAgent, {"prior_weight": 1}),
}
NUMBERS = [
    (agent, name, default)
    for agent, (made, _) in AGENTS.items()
    for name, one in signature(made).parameters.items()
    if name not in GIVEN and isinstance(default := one.default, (int, float))
]


def make(ruleset: object, seed: int = 0, many: int = 16, doubt: float = 1.5, style: str = "greedy") -> None:
    """What options are read for."""


def test_options_have_the_types_of_their_defaults() -> None:
    assert options("x", None, make) == {"many": 16, "doubt": 1.5, "style": "greedy"}
    assert options("x", "doubt=2,many=3,style=link", make) == {"many": 3, "doubt": 2.0, "style": "link"}


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        ("much=3", "unknown option 'much=3'; expected NAME=VALUE with many, doubt, style"),
        ("many", "unknown option 'many'"),
        ("many=x", "many is 'x'; expected a whole number"),
        ("many=2.5", "many is '2.5'; expected a whole number"),
        ("doubt=much", "doubt is 'much'; expected a number"),
    ],
)
def test_what_is_wrong_is_said(argument: str, said: str) -> None:
    with pytest.raises(AgentError) as caught:
        options("x", argument, make)
    assert said in str(caught.value) and str(caught.value).startswith(f"x:{argument}: ")


@pytest.mark.parametrize(
    ("spec", "old", "new"),
    [
        ("tree:explore=1", "explore", "c_puct"),
        ("tree:sims=9,trust=1", "trust", "prior_weight"),
        ("tree:caution=0", "caution", "fpu_reduction"),
        ("rollout:few=1", "few", "screen_sims"),
        ("rollout:best=1", "best", "top_k"),
        ("rollout:many", "many", "final_sims"),
    ],
)
def test_an_option_by_its_old_name_is_refused_with_the_new_one(spec: str, old: str, new: str) -> None:
    with pytest.raises(AgentError) as caught:
        make_agent(spec, Ruleset(3))
    assert str(caught.value) == f"{spec}: option {old!r} is called {new!r} now"


@pytest.mark.parametrize(("agent", "name", "default"), NUMBERS)
@pytest.mark.parametrize("value", [math.nan, np.float32("nan"), math.inf, -1, 10**9 + 1, 10**400, True, np.True_, "2", None])
def test_a_number_that_an_option_cannot_be_is_refused_however_the_agent_is_made(
    agent: str, name: str, default: float, value: Any
) -> None:
    made, kind = AGENTS[agent][0], "a whole number" if isinstance(default, int) else "a number"
    with pytest.raises(AgentError) as caught:
        made(Ruleset(3), **{name: value})
    assert str(caught.value).startswith(f"{agent}: {name} is {value!r:.60}; expected {kind} from ")
    if (type(value) in (int, float) and abs(value) < 10**10) or value is math.nan:
        with pytest.raises(AgentError, match=f"{name} is .*; expected {kind}"):
            make_agent(f"{agent}:{name}={value}", Ruleset(3))


@pytest.mark.parametrize(("agent", "name", "default"), [one for one in NUMBERS if isinstance(one[2], int)])
@pytest.mark.parametrize("value", [2.5, 2.0, np.float64(3), 0])
def test_what_is_counted_is_whole_and_at_least_1(agent: str, name: str, default: int, value: float) -> None:
    with pytest.raises(AgentError, match=f"{agent}: {name} is .*; expected a whole number from [12] to "):
        AGENTS[agent][0](Ruleset(3), **{name: value})


@pytest.mark.parametrize(("agent", "name", "default"), NUMBERS)
def test_an_option_goes_up_to_its_limit_and_has_its_default_s_type(agent: str, name: str, default: float) -> None:
    made, limits = AGENTS[agent]
    most = limits.get(name, MOST_SIMS if isinstance(default, int) else LARGEST)
    for given in (most, np.array(most, type(default))[()]):
        one = made(Ruleset(3), **{name: given})
        parts = [getattr(one, part) for part in ("settings", "budget") if hasattr(one, part)]
        kept = next(getattr(part, name) for part in (one, *parts) if hasattr(part, name))
        assert kept == most and type(kept) is type(default)
    with pytest.raises(AgentError, match=f"from [012] to {most:,}"):
        made(Ruleset(3), **{name: most + 1})


def test_numbers_of_numpy_are_numbers() -> None:
    assert checked_whole("x", "sims", np.int8(3)) == 3
    assert checked_number("x", "doubt", np.float32(0.5)) == 0.5 and checked_number("x", "doubt", np.int64(2)) == 2
