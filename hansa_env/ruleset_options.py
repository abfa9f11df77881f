"""The options of a ruleset, read from the fields of `Ruleset`: commands, plans, the table's page and schemas are made of these.

What an option means is said once, in the docstring of `Ruleset`; its default and choices stand at its field, with what a form
calls it and says to somebody who plays.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, get_args, get_type_hints

from hansa_env.ruleset import Ruleset, RulesetError

#: What `true` and `false` are called on the command line.
YES, NO = "yes", "no"
TRUTH = {YES: True, NO: False, "true": True, "false": False}


@dataclass(frozen=True)
class Option:
    """An option of a ruleset.

    Attributes:
        name: the field of `Ruleset`.
        title: over its field in a form.
        tip: what a form says of it to somebody who plays.
        description: what it means, in a sentence or two.
        default: of the field.
        types: what its value may be.
        choices: every value beside True and False, where `closed`; else those that are no names.
        ticked: what a form's tick box for it means; None where a form lets one choose among the choices.
        blank: what a form calls the choice that leaves it out, "" = there is none.
        letter: its short form on the command line, "" = none.
        expected: what is expected of its text, where choices do not say so; "" where they do.
    """

    name: str
    title: str
    tip: str
    description: str
    default: Any
    types: tuple[type, ...]
    choices: tuple[Any, ...]
    ticked: Any
    blank: str
    letter: str
    expected: str

    @property
    def flag(self) -> str:
        """How the command line has it."""
        return f"--{self.name.replace('_', '-')}"

    @property
    def is_switch(self) -> bool:
        """Whether it is on or off, nothing else."""
        return self.types == (bool,)

    @property
    def words(self) -> tuple[str, ...]:
        """What the command line takes for it, where that is not a number or a list of names."""
        return (YES, NO, *self.choices) if bool in self.types else () if self.expected else self.choices

    def value_of(self, given: Any, called: str | None = None) -> Any:
        """The value for `Ruleset` of what the command line has; the ruleset checks it. Raises RulesetError, which names the
        option as it is `called` elsewhere than there."""
        if bool not in self.types or isinstance(given, bool):
            return given
        if given is not None and given not in TRUTH and given not in self.choices:
            raise RulesetError(f"{called or self.flag} is {given!r}; expected {', '.join(self.words[:-1])} or {self.words[-1]}")
        return self.default if given is None else TRUTH.get(given, given)

    def in_form(self) -> dict[str, Any]:
        """What a form needs to know of it, in plain JSON."""
        names = ("name", "title", "tip", "default", "choices", "ticked", "blank")
        return {name: getattr(self, name) for name in names}

    def text_of(self, value: Any) -> str:
        """A value as the command line has it, with the option."""
        if self.is_switch:
            return self.flag
        return f"{self.flag} {self.word_of(value)}"

    def word_of(self, value: Any, between: str = ",") -> Any:
        """A value as a word: that for True where it may be others too, and a list of names with something between them."""
        if value is True and not self.is_switch:
            return YES
        return between.join(value) if isinstance(value, (tuple, list)) else value


def _descriptions() -> dict[str, str]:
    """What the docstring of `Ruleset` says of its arguments."""
    found: dict[str, str] = {}
    _, _, said = inspect.cleandoc(Ruleset.__doc__ or "").partition("\nArgs:\n")
    for line in said.partition("\n\n")[0].splitlines():
        named = re.match(r" {4}(\w+): (.*)", line)
        if named is not None:
            name, found[named[1]] = named[1], named[2]
        else:
            found[name] += f" {line.strip()}"
    return {name: text.rstrip(".").replace('"', "") for name, text in found.items()}


def _options() -> dict[str, Option]:
    descriptions, hints = _descriptions(), get_type_hints(Ruleset)
    found = {}
    for field in fields(Ruleset):
        hint, told = hints[field.name], field.metadata
        types = tuple(one for one in get_args(hint) or (hint,) if one is not type(None))
        description = descriptions.get(field.name, "")  # without docstrings, python -OO, there is none
        texts = [told.get(name, "") for name in ("blank", "letter", "expected")]
        in_form = told["title"], told["tip"]
        found[field.name] = Option(
            field.name, *in_form, description, field.default, types, told["choices"], told.get("ticked"), *texts
        )
    return found


#: By name, in order.
OPTIONS: Mapping[str, Option] = _options()


def words_apart(ruleset: Ruleset) -> list[str]:
    """What sets a ruleset apart from the game that its number of players has by default: board, edition, the variant for two
    players where it is not the edition's, and modules. A pile that is fixed has no word."""
    default = Ruleset(ruleset.players)
    words = [getattr(ruleset, what) for what in ("board", "edition") if getattr(ruleset, what) != getattr(default, what)]
    if ruleset.two_players and ruleset.two_players != Ruleset(2, ruleset.edition).two_players:
        words.append(ruleset.two_players)
    return [*map(str, words), *ruleset.modules]


def words_of(ruleset: Ruleset) -> str:
    """The command-line options that name a ruleset, those left out that follow from others."""
    given: dict[str, Any] = {"players": ruleset.players}
    words = [OPTIONS["players"].text_of(ruleset.players)]
    for name, option in OPTIONS.items():
        value = getattr(ruleset, name)
        if value not in (None, getattr(Ruleset(**given), name)):
            given[name] = value
            words.append(option.text_of(value))
    return " ".join(words)
