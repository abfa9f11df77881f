"""What the reference of the documents shows says what it does, with shapes and errors."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

from tests.docs.tables import PAGES, ROOT
from tests.packages import PACKAGES, PROJECT

Named = ast.FunctionDef | ast.ClassDef
#: Properties that their names and the attributes beside them explain.
PLAIN = {"ObservationField.size", "ObservationField.slice", "ObservationBlock.slice", "Segment.stop"}
SHAPE = re.compile(r"\([A-Z0-9]\w*(, ?[\w.]+)*,?\)")


def public(node: Named | ast.Module, within: str = "") -> Iterator[tuple[str, Named]]:
    """Functions and classes in a class or file, and what is in those, with their names."""
    for one in node.body:
        if isinstance(one, Named) and not one.name.startswith("_"):
            yield within + one.name, one
            if isinstance(one, ast.ClassDef):
                yield from public(one, f"{within}{one.name}.")


def in_the_reference() -> Iterator[tuple[str, Named]]:
    """What the pages in `docs/api` name; of a file all that is public."""
    for page in sorted((PAGES / "api").glob("*.md")):
        for name in re.findall(r"^::: ([\w.]+)", page.read_text("utf-8"), re.MULTILINE):
            file, inside = _file_of(name)
            found = list(public(ast.parse(file.read_text("utf-8"))))
            wanted = [one for one in found if not inside or one[0] == inside or one[0].startswith(f"{inside}.")]
            assert wanted, f"{page.name}: there is no {name}"
            yield from wanted


def _file_of(name: str) -> tuple[Path, str]:
    """The file of a module or of what is in it, and the rest of the name."""
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        path = ROOT.joinpath(*parts[:count])
        for file in (path.with_suffix(".py"), path / "__init__.py"):
            if file.exists():
                return file, ".".join(parts[count:])
    raise AssertionError(f"there is no module of {name}")


def _lacks(node: Named) -> str | None:
    """What the docstring does not say, None if nothing is missing."""
    said = ast.get_docstring(node)
    if not said:
        return "a docstring"
    if isinstance(node, ast.ClassDef):
        return None
    arguments = [*node.args.args, *node.args.kwonlyargs]
    annotations = [ast.unparse(one) for one in (node.returns, *(given.annotation for given in arguments)) if one is not None]
    if any("ndarray" in annotation for annotation in annotations) and not SHAPE.search(said):
        return "the shape of an array"
    raised = {error for error in map(_error, ast.walk(node)) if error}
    return next((f"when {error} is raised" for error in sorted(raised) if error not in said and "Raises" not in said), None)


def _error(node: ast.AST) -> str | None:
    """The class of an error that a statement raises anew."""
    if not isinstance(node, ast.Raise) or not isinstance(node.exc, ast.Call):
        return None
    return ast.unparse(node.exc.func).rpartition(".")[2]


def test_docstrings_in_the_reference_say_shapes_and_errors() -> None:
    found = list(in_the_reference())
    assert len(found) > 150
    lacking = {name: lacks for name, node in found if name not in PLAIN and (lacks := _lacks(node))}
    assert not lacking


def _exists(name: str) -> bool:
    """Whether there is a module of that name, or something in one; also one whose extra is not installed."""
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        module = ".".join(parts[:count])
        try:
            found = importlib.import_module(module)
        except ImportError as error:
            if not f"{module}.".startswith(f"{error.name}."):  # what an extra would bring
                return True
            continue
        for part in parts[count:]:
            found = getattr(found, part, None)
        return found is not None
    return False


def test_what_sources_and_pages_refer_to_exists() -> None:
    """As `hansa_env.engine.state`, also with a name in it; or a group of entry points."""
    files = [path for folder in PACKAGES.values() for path in (ROOT / folder).rglob("*.py")] + sorted(PAGES.rglob("*.md"))
    referred = re.compile(rf"`((?:{'|'.join(PACKAGES)})(?:\.[A-Za-z_]\w*)+)")
    found = {(name, path.name) for path in files for name in referred.findall(path.read_text("utf-8"))}
    groups = PROJECT["project"]["entry-points"]
    assert len(found) > 100
    assert [one for one in sorted(found) if one[0] not in groups and not _exists(one[0])] == []
