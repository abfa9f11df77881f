"""Faults planted in the rules: one small change of one function, found in its syntax tree."""

from __future__ import annotations

import ast
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import CodeType, ModuleType

from hansa_env.engine.compile import ENGINE

RULES = ENGINE / "rules"
#: The faults that are proven to change nothing that anybody can observe.
EQUIVALENT = Path(__file__).with_name("equivalent_faults.json")
COMPARISONS: dict[type, type] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
}  # fmt: skip
ARITHMETIC: dict[type, type] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.Mult: ast.Add,
}
#: Statements without which a function is still a function.
DROPPED = (ast.Expr, ast.Assign, ast.AugAssign, ast.Return, ast.Break, ast.Continue)


@dataclass(frozen=True)
class Fault:
    """One change.

    Attributes:
        file: under `RULES`.
        function: in which it is, at the top of the file.
        number: which of the changes of that function.
        lines: first and last line of the statement that changes, or of its condition.
        line: the text of the first of them.
        what: in words; no other fault of this line of the function is called so.
    """

    file: str
    function: str
    number: int
    lines: tuple[int, int]
    line: str
    what: str

    def __str__(self) -> str:
        return f"{self.file}:{self.lines[0]} {self.function}: {self.what}"

    def code(self) -> CodeType:
        """The function's code with the change made."""
        tree = ast.parse((RULES / self.file).read_text("utf-8"))
        change = _changes(_function(tree, self.function), _zeros(self.file))[self.number][2]
        change()
        whole = compile(ast.fix_missing_locations(tree), str(RULES / self.file), "exec")
        return next(one for one in whole.co_consts if isinstance(one, CodeType) and one.co_name == self.function)


def faults() -> list[Fault]:
    """Every fault there is, in the order of the files."""
    found = []
    for path in sorted(RULES.glob("*.py")):
        text = path.read_text("utf-8")
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef):
                seen: Counter[tuple[str, str]] = Counter()
                for number, (lines, what, _) in enumerate(_changes(node, _zeros(path.name))):
                    line = text.splitlines()[lines[0] - 1].strip()
                    seen[line, what] += 1
                    once_more = f", place {seen[line, what]}" if seen[line, what] > 1 else ""
                    found.append(Fault(path.name, node.name, number, lines, line, what + once_more))
    return found


def equivalent_faults(every: list[Fault], path: Path = EQUIVALENT) -> dict[Fault, str]:
    """Those of the faults that are listed as changing nothing, each with the proof.

    An entry names the fault by file, function, text of the line, and change, so that it stays with its line wherever that
    moves, and falls out when the line changes.

    Raises:
        ValueError: an entry is not of that form, is there twice, or there is no such fault.
    """
    named = ("file", "function", "line", "what")
    known = {tuple(getattr(fault, name) for name in named): fault for fault in every}
    found: dict[Fault, str] = {}
    for entry in json.loads(path.read_text("utf-8")):
        if set(entry) != {"file", "function", "line", "what", "proof"} or not all(
            isinstance(t, str) and t for t in entry.values()
        ):
            raise ValueError(f"{path.name}: {entry}; expected file, function, line, what and proof, each a text")
        fault = known.get(tuple(entry[name] for name in named))
        where = "{file} {function}, `{line}`: {what}".format_map(entry)
        if fault is None:
            raise ValueError(f"{path.name}: the rules have no such fault (any more): {where}")
        if fault in found:
            raise ValueError(f"{path.name}: listed twice: {where}")
        found[fault] = entry["proof"]
    return found


def _function(tree: ast.Module, name: str) -> ast.FunctionDef:
    return next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name)


def module_of(file: str) -> ModuleType:
    """The module of a file of the rules."""
    return import_module(f"hansa_env.engine.rules.{file.removesuffix('.py')}")


def _zeros(file: str) -> frozenset[str]:
    """The names of a file that stand for 0: to subtract one where it was added changes nothing."""
    return frozenset(name for name, value in vars(module_of(file)).items() if type(value) is int and value == 0)


def _changes(function: ast.FunctionDef, zeros: frozenset[str]) -> list[tuple]:
    """(lines, words, what to call so that the tree is changed), for each change of a function."""
    found = []
    for block, place, statement in _statements(function):
        lines = statement.lineno, _last_line_of_head(statement)
        if isinstance(statement, DROPPED) and not _is_text(statement):
            found.append((lines, f"without `{ast.unparse(statement)}`", _dropping(block, place, statement)))
        for node in _head(statement):
            found += [(lines, what, change) for what, change in _of_node(node, zeros)]
    return found


def _statements(function: ast.FunctionDef) -> Iterator[tuple[list[ast.stmt], int, ast.stmt]]:
    """The statements of a function, each with the block that it stands in and its place there."""
    blocks = [function.body]
    while blocks:
        block = blocks.pop(0)
        for place, statement in enumerate(block):
            yield block, place, statement
            blocks += [part for name in ("body", "orelse") if (part := getattr(statement, name, None))]


def _head(statement: ast.stmt) -> Iterator[ast.AST]:
    """The nodes of a statement but those of the statements in it."""
    todo = [node for node in ast.iter_child_nodes(statement) if not isinstance(node, ast.stmt)]
    while todo:
        node = todo.pop(0)
        yield node
        todo += list(ast.iter_child_nodes(node))


def _last_line_of_head(statement: ast.stmt) -> int:
    body = getattr(statement, "body", None)
    return max(statement.lineno, body[0].lineno - 1) if body else statement.end_lineno or statement.lineno


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _dropping(block: list[ast.stmt], place: int, statement: ast.stmt):
    def change() -> None:
        block[place] = ast.copy_location(ast.Pass(), statement)

    return change


def _setting(node: ast.AST, name: str, value: object):
    return lambda: setattr(node, name, value)


def _of_node(node: ast.AST, zeros: frozenset[str]) -> Iterator[tuple]:
    text = ast.unparse(node) if isinstance(node, ast.expr) else ""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARISONS:
        other = COMPARISONS[type(node.ops[0])]()
        yield f"{other.__class__.__name__} in `{text}`", _setting(node, "ops", [other, *node.ops[1:]])
    elif isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield f"{other.__class__.__name__} in `{text}`", _setting(node, "op", other)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub) and ast.unparse(node.right) in zeros:
        return
    elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        other = ARITHMETIC[type(node.op)]()
        yield f"{other.__class__.__name__} in `{text}`", _setting(node, "op", other)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield f"without not in `{text}`", _setting(node, "op", ast.UAdd())
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield f"{node.value + 1} for {node.value}", _setting(node, "value", node.value + 1)
