"""Imports go one way (docs/architecture.md): between layers, and between modules without a circle."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.layers import LAYERS, layer_of, shown
from tests.packages import PACKAGES, ROOT


@cache
def imports() -> dict[str, frozenset[str]]:
    """What each module of ours imports of ours, wherever in it: in functions too, and what only type checkers read."""
    paths = {}
    for name, folder in PACKAGES.items():
        for path in (ROOT / folder).rglob("*.py"):
            parts = path.relative_to(ROOT / folder).with_suffix("").parts
            paths[".".join((name, *(parts[:-1] if parts[-1] == "__init__" else parts)))] = path
    return {module: frozenset(imported(path, paths) - {module}) for module, path in paths.items()}


def imported(path: Path, known: dict[str, Path]) -> set[str]:
    """The modules that a source file names."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path} imports relative to itself; write the module's whole name"
            whole = {name.name: f"{node.module}.{name.name}" for name in node.names}
            found |= {whole[name] if whole[name] in known else str(node.module) for name in whole}
    return found & known.keys()


def circle(modules: dict[str, frozenset[str]]) -> list[str]:
    """Modules each of which imports the next, the last being the first; [] if there are none."""
    try:
        TopologicalSorter(modules).prepare()
    except CycleError as error:
        return error.args[1][::-1]  # each is imported by the one that follows it
    return []


def in_no_layer(modules: Iterable[str]) -> list[str]:
    return sorted(module for module in modules if layer_of(module) is None)


def test_every_module_has_a_layer_and_every_name_a_module() -> None:
    assert in_no_layer(imports()) == [], "name them in LAYERS"
    assert [name for names in LAYERS for name in names if name not in imports()] == []
    assert in_no_layer(["hansa_env", "hansa_env.new", "hansa_env.play.new", "hansa_agents.new"]) == ["hansa_env.new"]


def test_the_tree_of_the_documents_names_every_part() -> None:
    tree = (ROOT / "docs" / "architecture.md").read_text("utf-8").split("```\n")[1]
    parts = {part for line in shown() for part in line.split(", ")} - {"hansa_env", "__main__"}
    assert sorted(part for part in parts if not re.search(rf"\b{part}(/|\.py)[\s,]", tree)) == []


def test_no_module_imports_from_a_layer_above_its_own() -> None:
    pairs = [(one, other) for one, others in imports().items() for other in others]
    assert sorted(f"{one} imports {other}" for one, other in pairs if layer_of(other) > layer_of(one)) == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert circle(imports()) == [], "put what both need into one that imports neither"


@pytest.mark.parametrize(("added", "expected"), [
    ({}, []),
    ({"low": {"high"}}, ["high", "low"]),
    ({"low": {"top"}, "high": {"low"}}, ["high", "low", "top"]),
])  # fmt: skip
def test_a_circle_is_found(added: dict[str, set[str]], expected: list[str]) -> None:
    """However long; two ways down to one module are none."""
    straight: dict[str, set[str]] = {"top": {"high"}, "beside": {"low"}, "high": {"low"}, "low": set()}
    found = circle({name: frozenset(straight[name] | added.get(name, set())) for name in straight})
    assert sorted(set(found)) == expected
    assert all(after in straight[one] | added.get(one, set()) for one, after in zip(found, found[1:]))
