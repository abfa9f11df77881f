"""The rules for the page's help, section by section, from the project's own text (`hansa_env/rulebook/rules.md`)."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

from hansa_env.ruleset import MARKER_KINDS, Ruleset

_SECTION = re.compile(r"##+ ([\d.]+) (.+)")
_RULE = re.compile(r"- (R[\d.]+\d) (.+)")
#: What a rule rests on; nobody at the table asks.
_SOURCE = re.compile(r"\s*`\[(?:\d+|FAQ)\]`")
#: What a rule is about, where it begins with that.
_ABOUT = re.compile(r"\*\*(.+?)\*\*")
_RULER = re.compile(r"\|[\s|:-]+\|?$")


@cache
def rules() -> list[dict]:
    """Sections as JSON data: `id`, `title`, `parts`, which are {"rule", "words"} or {"rows"}, a table with its head first.

    What stands before the first section and behind the last is for those who work on the project.
    """
    sections: list[dict] = []
    for line in resources.files("hansa_env.rulebook").joinpath("rules.md").read_text(encoding="utf-8").splitlines():
        line = _SOURCE.sub("", line)
        found, text = _SECTION.match(line), line.strip()
        if found:
            sections.append({"id": found[1], "title": found[2].replace("`", ""), "parts": []})
        elif line.startswith("#"):
            if sections:
                break
        elif sections and text:
            _add(sections[-1]["parts"], text)
    return sections


@cache
def rules_of_markers() -> dict[str, str]:
    """The rule of each kind of marker: the one that begins with its name, alone or among others."""
    parts = [part for section in rules() for part in section["parts"] if part.get("rule")]
    found: dict[str, str] = {}
    for part in parts:
        about = _ABOUT.match(part["words"])
        names = about[1].lower().replace("-", " ").split(" / ") if about else []
        found |= {kind: part["rule"] for kind in MARKER_KINDS for name in names if name.startswith(kind.replace("-", " "))}
    return found


def rules_in(ruleset: Ruleset) -> dict[str, list[str]]:
    """Where a game has other rules than the base game on its own boards: the rules that tell of something, most telling first.

    The keys are kinds of markers (R13.2), things of the picture by their first two words, and rules of the base game, for
    whatever else they tell of.
    """
    board = ruleset.board_data
    found = {ruleset.removing_marker: ["R13.3"]} if ruleset.moves_three else {}
    of_board = "R10.2" if board.regions else "R9.2" if any(city.green for city in board.cities) else None
    if of_board is not None:
        found |= {rule: [of_board, rule] for rule in ("R5.9", "R7.5")}
    if board.regions:
        found |= {rule: ["R10.2", rule] for rule in ("R5.6", "R7.1")}
    for city in board.cities:
        if city.green:
            found |= {f"city {city.id}": ["R9.7", "R9.9"], f"office {city.id}": ["R9.8"]}
        if any(office.prestige > 1 for office in city.offices):
            found |= {f"{thing} {city.id}": ["R5.5", of_board or "R5.5"] for thing in ("city", "office")}
    return found


def _add(parts: list[dict], text: str) -> None:
    rule = _RULE.match(text)
    if rule:
        parts.append({"rule": rule[1], "words": rule[2]})
    elif text.startswith("|"):
        if _RULER.match(text):
            return
        cells = [cell.strip() for cell in text.strip("|").split("|")]
        if parts and "rows" in parts[-1]:
            parts[-1]["rows"].append(cells)
        else:
            parts.append({"rows": [cells]})
    elif parts and "words" in parts[-1]:
        parts[-1]["words"] += f" {text}"
    else:
        parts.append({"rule": "", "words": text})
