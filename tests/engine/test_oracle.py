"""The engine equals the oracle at every decision of every ruleset; 48 rulesets, over 100,000 decisions in all."""

import pytest

from hansa_env import Ruleset
from tests.compare import all_rulesets, compare
from tests.helpers import ruleset_id

DECISIONS_PER_RULESET = 2_200


@pytest.mark.parametrize("ruleset", all_rulesets(), ids=ruleset_id)
def test_engine_equals_oracle(ruleset: Ruleset) -> None:
    tally = compare(DECISIONS_PER_RULESET, [ruleset])
    assert tally.decisions >= DECISIONS_PER_RULESET
    assert tally.ended > 0, "no game came to its end by the rules"
    assert tally.questions["reward"] > 0 and tally.questions["relocate"] > 0
