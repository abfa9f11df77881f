"""The engine equals the oracle at every decision: 24,000 of 24 rulesets in `make test`, over 150,000 of 48 in `test-all`."""

import pytest

from hansa_env import Ruleset
from tests.compare import all_rulesets, compare
from tests.helpers import ruleset_id
from tests.shares import one_in

#: Of a ruleset: the first seed of its games, and decisions.
COMPARED = [pytest.param(0, 1_000, id="some"), pytest.param(1, 2_200, id="many", marks=pytest.mark.slow)]
HALF = 2


def test_every_second_has_every_value_of_each_option() -> None:
    for option in ("players", "board", "edition", "two_players", "missions", "favours", "pile"):
        every, some = ({getattr(one, option) for one in all_rulesets()[::step]} for step in (1, HALF))
        assert every == some, option


@pytest.mark.parametrize(("seed", "decisions"), COMPARED)
@pytest.mark.parametrize("ruleset", one_in(HALF, all_rulesets()), ids=ruleset_id)
def test_engine_equals_oracle(ruleset: Ruleset, seed: int, decisions: int) -> None:
    tally = compare(decisions, [ruleset], seed)
    assert tally.decisions >= decisions
    assert tally.ended > 0, "no game came to its end by the rules"
    assert tally.questions["reward"] > 0 and tally.questions["relocate"] > 0
