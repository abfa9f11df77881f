"""A run as a table and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from hansa_benchmarks.rows import Row

TITLES = {
    "engine": "Engine alone, uniform random play in compiled code, base-4-5, 5 players",
    "batch": "HansaBatch with the caller's buffers, base-4-5, 5 players, autoreset",
    "front ends": "Front ends, 5 players",
    "learning": "End to end, one core",
    "start": "Start",
    "peers": "Peers, same machine, same run",
}
#: Below this part of a core, a run was not alone.
QUIET = 0.9
COLUMNS = ("what", "setting", "median", "unit", "spread", "ratio", "aim", "")


def print_rows(rows: list[Row], machine: dict, console: Console) -> None:
    """Print every group as a table, then what the ratios are to and which aims are missed."""
    versions = ", ".join(f"{name} {machine[name]}" for name in ("python", "numba", "numpy") if machine.get(name))
    console.print(f"{machine['cpu']}, {machine['cores']} cores, load {machine['load_before']} before; {versions}; "
                  f"commit {machine['commit']}", highlight=False, soft_wrap=True)  # fmt: skip
    shares = {group: share for group, share in machine.get("core_share", {}).items() if share < QUIET}
    if shares:
        words = ", ".join(f"{group} {share:.0%}" for group, share in shares.items())
        console.print(f"[yellow]the machine was shared: of one core this run got[/yellow] {words}", highlight=False)
    by_key = {row.key: row for row in rows}
    letters: dict[str, str] = {}
    for group in dict.fromkeys(row.group for row in rows):
        table = Table(title=TITLES[group], title_justify="left", box=SIMPLE_HEAD)
        for column in COLUMNS:
            table.add_column(column, justify="right" if column in ("median", "spread", "ratio") else "left")
        for row in (row for row in rows if row.group == group):
            table.add_row(*_cells(row, by_key, letters))
        console.print(table)
    for key, letter in letters.items():
        row = by_key[key]
        console.print(f"{letter}: × the median of {row.what}, {row.setting}", highlight=False, soft_wrap=True)
    console.print("spread: interquartile range over the median of the samples", highlight=False)
    missed = [row for row in rows if row.met is False]
    words = [f"{sum(row.met is True for row in rows)} aims met, {len(missed)} missed"]
    words += [f"{row.what}, {row.setting}" for row in missed]
    console.print("; ".join(words), highlight=False, soft_wrap=True)


def _cells(row: Row, by_key: dict[str, Row], letters: dict[str, str]) -> tuple[str, ...]:
    if row.skipped is not None:
        return row.what, row.setting, "–", "", "", "", "", f"[dim]skipped: {_plain(row.skipped)}[/dim]"
    quotient, ratio = ratio_of(row, by_key), ""
    if quotient is not None:
        letter = letters.setdefault(row.reference, f"[{len(letters) + 1}]")
        ratio = f"{_number(quotient)} {_plain(letter)}"
    spread = "" if row.spread is None else f"{row.spread:.1%}"
    return row.what, row.setting, _number(row.median), row.unit, spread, ratio, _aim(row), _plain(row.note)


def _plain(text: str) -> str:
    return text.replace("[", r"\[")


def _aim(row: Row) -> str:
    if row.aim is None:
        return ""
    sign = "≤" if row.aim.at_most else "≥"
    word = "[green]met[/green]" if row.met else "[red]missed[/red]"
    return f"{sign} {_number(row.aim.value)} {word}"


def _number(value: float) -> str:
    if value >= 100 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.2f}" if value < 10 else f"{value:.1f}"


def ratio_of(row: Row, by_key: dict[str, Row]) -> float | None:
    """The median over that of the row it refers to; None without both."""
    other = by_key.get(row.reference) if row.reference else None
    if row.median is None or other is None or not other.median:
        return None
    return row.median / other.median


def as_json(rows: list[Row], machine: dict, form: str) -> dict:
    """A run as plain data: {"form", "machine", "rows": {key: ...}}."""
    by_key = {row.key: row for row in rows}
    data = {}
    for row in rows:
        aim = None if row.aim is None else {"value": row.aim.value, "at_most": row.aim.at_most, "met": row.met}
        data[row.key] = {
            "what": row.what, "setting": row.setting, "unit": row.unit, "median": row.median, "spread": row.spread,
            "samples": row.samples, "reference": row.reference, "ratio": ratio_of(row, by_key), "aim": aim,
            "note": row.note, "skipped": row.skipped,
        }  # fmt: skip
    return {"form": form, "machine": machine, "rows": data}


def write_json(rows: list[Row], machine: dict, form: str, path: Path) -> None:
    path.write_text(json.dumps(as_json(rows, machine, form), indent=1, ensure_ascii=False) + "\n")
