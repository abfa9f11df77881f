"""The page's help: every rule of the project's text is in it, and the levels of opponents stand in the order of the ladder."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

from hansa_env import Ruleset
from hansa_env.ruleset import MARKER_KINDS
from hansa_env.table.levels import LEVELS
from hansa_env.table.rules import rules, rules_in, rules_of_markers

ROOT = Path(__file__).parents[2]
PAGE = resources.files("hansa_env.table").joinpath("page")


def test_every_rule_stands_in_its_section() -> None:
    text = resources.files("hansa_env.rulebook").joinpath("rules.md").read_text(encoding="utf-8")
    wanted = re.findall(r"^- (R[\d.]+\d) ", text, re.MULTILINE)
    found = [(section["id"], part["rule"]) for section in rules() for part in section["parts"] if part.get("rule")]
    assert [rule for _, rule in found] == wanted and len(wanted) > 100
    assert all(rule[1:].partition(".")[0] == section.partition(".")[0] for section, rule in found)
    words = {part["rule"]: part["words"] for section in rules() for part in section["parts"] if "rule" in part}
    assert words["R4.4"].startswith("The further tradesmen come") and words["R4.4"].endswith(
        "must be put down, by R4.3, before the next."
    )
    tables = [part["rows"] for section in rules() for part in section["parts"] if "rows" in part]
    assert [row[0] for row in next(rows for rows in tables if rows[0][0] == "tile")[1:3]] == ["`anywhere`", "`action`"]


def test_every_rule_that_the_page_names_is_one() -> None:
    known = {part["rule"] for section in rules() for part in section["parts"] if part.get("rule")}
    named = {
        rule
        for file in PAGE.iterdir()
        if file.name.endswith(".js")
        for rule in re.findall(r'"(R\d+(?:\.\d+)+)"', file.read_text())
    }
    assert len(named) > 20 and named <= known, named - known


def test_every_marker_has_the_rule_that_tells_of_it() -> None:
    """As the list of the rules' sections 6 and 13 has them."""
    found = rules_of_markers()
    assert set(found) == set(MARKER_KINDS)
    assert (found["extra-office"], found["+4"], found["move-three"], found["block"]) == ("R6.2", "R6.6", "R13.3", "R13.7")


def test_what_other_boards_change_has_their_rules() -> None:
    """The prestige table, coins of 2, the eight cities of Britannia, green cities."""
    east, britannia = rules_in(Ruleset(3, board="east")), rules_in(Ruleset(3, board="britannia-2-3"))
    assert rules_in(Ruleset(3)) == {} and rules_in(Ruleset(3, "bigbox")) == {"move-three": ["R13.3"]}
    for rule in ("R5.9", "R7.5"):
        assert (east[rule], britannia[rule]) == (["R9.2", rule], ["R10.2", rule])
    assert "R7.1" not in east and britannia["R7.1"] == ["R10.2", "R7.1"], "the track reaches 8"
    assert (east["city belgard"], east["office belgard"]) == (["R9.7", "R9.9"], ["R9.8"])
    coins = {f"{thing} {city}" for thing in ("city", "office") for city in ("bristol", "ipswich", "plymouth")}
    assert {name for name, found in britannia.items() if found == ["R5.5", "R10.2"]} == coins
    known = {part["rule"] for section in rules() for part in section["parts"] if part.get("rule")}
    assert {rule for found in (east, britannia) for told in found.values() for rule in told} <= known


def test_levels_go_up_as_the_ladder_has_them() -> None:
    page = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    table = page.partition("<!-- table: ladder -->")[2].partition("<!-- end of table -->")[0]
    rated = {name: int(rating) for name, rating in re.findall(r"^\| `(\S+)` \| [^|]*\| [^|]*?\+(\d+) \(", table, re.MULTILINE)}
    *levels, strongest = [level.agent for level in LEVELS]
    ratings = [rated.get(agent, rated.get(f"{agent}-0.2")) for agent in levels]
    assert None not in ratings and ratings == sorted(ratings) and ratings[-1] == max(rated.values())
    assert strongest == "tree" and strongest not in rated
