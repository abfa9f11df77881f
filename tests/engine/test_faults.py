"""The list of planted faults that change nothing: each entry is a fault of today, and none hides one that is noticed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.engine.faults import equivalent_faults, faults
from tests.engine.mutants import outcome


@pytest.fixture(scope="module")
def every() -> list:
    return faults()


def test_every_fault_has_a_name_of_its_own(every) -> None:
    assert len({(fault.file, fault.function, fault.line, fault.what) for fault in every}) == len(every) > 2000


def test_every_entry_of_the_list_is_a_fault(every) -> None:
    listed = equivalent_faults(every)
    assert listed and all(len(proof.split()) > 5 for proof in listed.values())


def entry(fault, **changes: object) -> dict:
    named = {name: getattr(fault, name) for name in ("file", "function", "line", "what")}
    return named | {"proof": "because"} | changes


@pytest.mark.parametrize(("changes", "message"), [
    ({"line": "game[\"turns\"] += 2"}, "no such fault"),
    ({"what": "without everything"}, "no such fault"),
    ({"function": "end_of_turn"}, "no such fault"),
    ({"file": "turns.py"}, "no such fault"),
    ({"proof": ""}, "expected file, function, line, what and proof"),
    ({"lines": 3}, "expected file, function, line, what and proof"),
])  # fmt: skip
def test_an_entry_that_names_no_fault_or_no_proof_is_refused(every, tmp_path: Path, changes: dict, message: str) -> None:
    file = tmp_path / "list.json"
    file.write_text(json.dumps([entry(every[0]), entry(every[7], **changes)]), "utf-8")
    with pytest.raises(ValueError, match=message):
        equivalent_faults(every, file)


def test_an_entry_is_listed_once(every, tmp_path: Path) -> None:
    file = tmp_path / "list.json"
    file.write_text(json.dumps([entry(every[0]), entry(every[0])]), "utf-8")
    with pytest.raises(ValueError, match="listed twice"):
        equivalent_faults(every, file)


def test_the_second_share_is_of_those_that_change_anything(every) -> None:
    noticed, harmless, survived, not_drawn = every[:4]
    by = {noticed: "tests/rules/test_end.py::test_x", harmless: None, survived: None, not_drawn: None}
    share, lines = outcome([noticed, harmless, survived], {harmless, not_drawn}, by)
    assert share == 0.5
    assert lines[:2] == [
        "of 3 planted 1 were noticed (33.3%)", "of 2 that change anything 1 were noticed (50.0%)",
    ]  # fmt: skip
    assert lines[2:] == ["     1 by tests/rules", f"  survived: {survived}"]


@pytest.mark.parametrize("drawn", [True, False])
def test_one_that_is_noticed_cannot_be_listed(every, drawn: bool) -> None:
    """Also where the draw has left it out."""
    one, other = every[:2]
    by: dict = {one: "tests/rules/test_end.py::test_x", other: None}
    _, lines = outcome([one, other] if drawn else [other], {one}, by)
    assert lines[-1] == f"  listed as changing nothing, and noticed by tests/rules/test_end.py::test_x: {one}"
