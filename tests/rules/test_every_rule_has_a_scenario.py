"""Every rule and every decision of rules.md has a scenario in this folder, or among those that oracle and engine both play."""

import ast
import re
from pathlib import Path

import hansa_env

FOLDERS = (Path(__file__).parent, Path(__file__).parents[1] / "scenarios")
RULES = (Path(hansa_env.__file__).parent / "rulebook" / "rules.md").read_text(encoding="utf-8")


def written_ids() -> set[str]:
    """The ids that rules.md defines: list items for rules, table rows for decisions."""
    return set(re.findall(r"^- (R\d+(?:\.\d+)+) ", RULES, re.M)) | set(re.findall(r"^\| (D\d+) \|", RULES, re.M))


def covered_ids() -> set[str]:
    """The ids named by `@rule(...)` on the tests of the folders, read from their source."""
    ids = set()
    for path in (path for folder in FOLDERS for path in folder.glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.FunctionDef) and node.name.startswith("test_")):
                continue
            for mark in node.decorator_list:
                if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name) and mark.func.id == "rule":
                    ids |= {argument.value for argument in mark.args if isinstance(argument, ast.Constant)}
    return ids


def test_the_ids_of_the_rules_are_found():
    """The parser sees the text as it is: first and last id of each kind, and as many as there are."""
    ids = written_ids()
    assert {"R1.1", "R5.9", "R7.9", "R8.1.1", "R8.2.5", "R9.1", "R9.16", "R10.18", "D1", "D27"} <= ids
    assert len(ids) >= 90


def test_every_rule_has_a_scenario():
    """No id of rules.md is without a scenario."""
    missing = sorted(written_ids() - covered_ids())
    assert not missing, f"no scenario for {', '.join(missing)}"


def test_no_scenario_names_an_unknown_rule():
    """Scenarios cite ids that rules.md has."""
    unknown = sorted(covered_ids() - written_ids())
    assert not unknown, f"rules.md has no {', '.join(unknown)}"
