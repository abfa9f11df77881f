"""What the file of a row has already: who plays a part of a suite anew keeps the other parts."""

from __future__ import annotations

from pathlib import Path

from hansa_agents.benchmark.play import model_of
from hansa_agents.benchmark.row_file import About, Head, Row, read_row
from hansa_agents.benchmark.suite import Suite, read_suite
from hansa_env.play.errors import AgentError


def with_what_was_kept(row: Row, path: Path) -> Row:
    """A row, with the cells, responses and words of a file that has one of the same agent, where it has none of its own.

    Of a cell that both have, the one with more games is taken. A setting that the agent plays by another model now is left
    out, and so is a file that cannot be read.
    """
    try:
        before = read_row(path)
    except (ValueError, OSError):
        return row
    head, suite = row.head, read_suite(row.head.suite)
    if _played_by(before.head) != _played_by(head):
        return row
    same = {name for name, model in before.head.models.items() if _has_model(head, suite, name, model)}
    cells = {one.cell.key: one for one in before.played if one.cell.setting.name in same}
    for one in row.played:
        there = cells.get(one.cell.key, one)
        cells[one.cell.key] = one if one.games >= there.games else there
    about = {name: getattr(head.about, name) or getattr(before.head.about, name) for name in About.model_fields}
    kept = {
        part: {name: value for name, value in getattr(before.head, part).items() if name in same} | getattr(head, part)
        for part in ("models", "alone", "responses")
    }
    for name, response in before.head.responses.items():  # the strongest of those that were found counts
        if name in same and response.share > kept["responses"][name].share:
            kept["responses"][name] = response
    joined = head.model_copy(update={**kept, "about": About(**about)})
    return Row(joined, tuple(cells[cell.key] for cell in suite.cells() if cell.key in cells))


def _played_by(head: Head) -> tuple[str, ...]:
    return head.name, head.spec, head.suite, head.suite_hash, head.version


def _has_model(head: Head, suite: Suite, setting: str, model: str | None) -> bool:
    """Whether the agent plays a setting by this model now."""
    if setting in head.models:
        return head.models[setting] == model
    try:
        return model_of(head.spec, suite.setting(setting)) == model
    except AgentError:
        return False
