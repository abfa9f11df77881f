"""Imports go one way (docs/architecture.md): between layers, and between modules without a circle."""

from __future__ import annotations

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
#: Import names by folder.
PACKAGES = {"hansa_env": "hansa_env", "agents": "hansa_agents", "training": "hansa_training", "benchmarks": "hansa_benchmarks"}
#: From below: each layer may import itself and those in the lines above.
LAYERS = (
    {
        "hansa_env.boards",
        "hansa_env.rulebook",
        "hansa_env.extras",
        "hansa_env.installed",
        "hansa_env.renamed",
        "hansa_env.version",
    },
    {"hansa_env.ruleset", "hansa_env.ruleset_options"},
    {"hansa_env.engine"},
    {"hansa_env.formats"},
    {"hansa_env.render"},
    {"hansa_env.play"},
    {"hansa_env.api", "hansa_env.pages"},
    # What users import by these names: they say what the layers below have.
    {"hansa_env.warmup", "hansa_env.compiled", "hansa_env.sb3", "hansa_env.hansa_teutonica_v0", "hansa_env"},
    {"hansa_env.commands", "hansa_env.__main__"},
    {"hansa_env.table"},
    {"hansa_agents"},
    {"hansa_training"},
    {"hansa_benchmarks"},
)


@cache
def imports() -> dict[str, frozenset[str]]:
    """What each module of ours imports of ours, wherever in it: in functions too, and what only type checkers read."""
    paths = {}
    for folder, name in PACKAGES.items():
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


def layer_of(module: str) -> int:
    """The number of a module's layer: that of the longest name in LAYERS that it begins with."""
    named = [(name, number) for number, names in enumerate(LAYERS) for name in names]
    there = [(len(name), number) for name, number in named if module == name or module.startswith(f"{name}.")]
    return max(there)[1]


def circle(modules: dict[str, frozenset[str]]) -> list[str]:
    """Modules each of which imports the next, the last being the first; [] if there are none."""
    try:
        TopologicalSorter(modules).prepare()
    except CycleError as error:
        return error.args[1][::-1]  # each is imported by the one that follows it
    return []


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
