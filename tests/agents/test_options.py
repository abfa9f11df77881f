"""Options in the argument of a spec."""

import pytest

from hansa_agents import make_agent
from hansa_agents.options import options
from hansa_env import Ruleset
from hansa_env.play.errors import AgentError


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
        ("many=x", "many is 'x'; expected a whole number of at least 0"),
        ("many=2.5", "many is '2.5'; expected a whole number"),
        ("doubt=-1", "doubt is '-1'; expected a number of at least 0"),
        ("doubt=nan", "doubt is 'nan'; expected a number"),
        ("many=2000000000", "many is '2000000000'; expected a whole number of at least 0 and less than 1,000,000,000"),
        ("doubt=1e9", "doubt is '1e9'; expected a number of at least 0 and less than 1,000,000,000"),
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
