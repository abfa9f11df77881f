"""The legal decisions of a question as a numbered list for people, and which of them somebody means by some words."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from hansa_env.formats.notation import legal_texts
from hansa_env.render.income import order_in
from hansa_env.render.words import name_in_words
from hansa_env.ruleset import Ruleset

_WORD = re.compile(r"[\w+]+")
_ALONE = "Or"
_MARGIN = "  "


class Choice(NamedTuple):
    """A legal decision: its number in the list, from 1; the decision; it as an order, in two parts."""

    number: int
    text: str
    heading: str
    item: str

    @property
    def order(self) -> str:
        """As an order: "place a trader on Stade–Hamburg"."""
        return f"{self.heading} {self.item}".strip()


def choices_of(ruleset: Ruleset, game: np.void) -> list[Choice]:
    """The legal decisions of a game record, those of one kind together.

    Long lists come first, so that short ones stand by the prompt; then what stands for itself, `done` last.
    """
    parts = []
    for text in legal_texts(ruleset, game):
        order, name = order_in(ruleset, game, text), name_in_words(ruleset, text.rpartition(" ")[2])
        parted = " " in text and order.endswith(f" {name}")
        parts.append((text, order.removesuffix(f" {name}") if parted else "", name if parted else order))
    sizes = Counter(heading for _, heading, _ in parts)

    def place(part: tuple[str, str, str]) -> tuple:
        text, heading, _ = part
        return text == "done", heading == "", -sizes[heading], "merchant" in heading, heading

    parts.sort(key=place)
    return [Choice(number, *part) for number, part in enumerate(parts, 1)]


def choices_as_text(choices: Sequence[Choice], width: int) -> str:
    """The list in columns, under a heading for each kind of decision."""
    lines: list[str] = []
    for heading in dict.fromkeys(choice.heading for choice in choices):
        of_it = [choice for choice in choices if choice.heading == heading]
        title = heading or (_ALONE if len(of_it) < len(choices) else "")
        if title:
            lines.append(f"{_MARGIN}{title[0].upper()}{title[1:]}")
        digits = len(str(choices[-1].number))
        cells = [f"{choice.number:>{digits + 2}} {choice.item}" for choice in of_it]
        widest = max(map(len, cells)) + 1
        columns = max(1, (width - len(_MARGIN)) // widest)
        rows = -(-len(cells) // columns)
        for row in range(rows):
            lines.append((_MARGIN + "".join(f"{cell:{widest}}" for cell in cells[row::rows])).rstrip())
    return "\n".join(lines)


def kinds_as_text(choices: Sequence[Choice]) -> str:
    """What may be done, a line for each kind of decision with its numbers; which of them is said next."""
    lines: list[str] = []
    for heading in dict.fromkeys(choice.heading for choice in choices):
        of_it = [choice for choice in choices if choice.heading == heading]
        if heading and len(of_it) > 1:
            numbers = f"{of_it[0].number}-{of_it[-1].number}"
            lines.append(f"{_MARGIN}{numbers:>7}  {heading[0].upper()}{heading[1:]} ... ({len(of_it)})")
        else:
            lines += [f"{_MARGIN}{choice.number:>7}  {choice.order[0].upper()}{choice.order[1:]}" for choice in of_it]
    return "\n".join(lines)


def choices_meant(choices: Sequence[Choice], said: str) -> list[Choice]:
    """Which decisions are meant by a number of the list, a decision of the notation, or the beginnings of some of its words.

    One that has all of the words whole goes before those that have only their beginnings. Accents and case do not count.
    """
    said = said.strip()
    if said.isdecimal():
        return [choice for choice in choices if len(said) < 10 and choice.number == int(said)]
    for choice in choices:
        if choice.text == said.lower():
            return [choice]
    given = words_of(said)
    if not given:
        return []
    found, whole = [], []
    for choice in choices:
        words = words_of(f"{choice.text} {choice.order}")
        if all(any(word.startswith(part) for word in words) for part in given):
            found.append(choice)
            if given <= words:
                whole.append(choice)
    return whole if len(whole) == 1 else found


def words_of(text: str) -> set[str]:
    """The words of a text without accents and capitals."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return set(_WORD.findall("".join(letter for letter in plain if not unicodedata.combining(letter))))
