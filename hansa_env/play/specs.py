"""What specs of agents say: who is in them, and whether they run code.

A spec may run code: that of a module, or of an archive that it trusts. Who types one says yes to that. A file cannot: specs
that are read from one pass `check_specs_of_file` before anything is made of them.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Iterable, Sequence

from hansa_env.play.errors import AgentError
from hansa_env.play.registry import LONGEST_TYPED, agent_names, factory_of, module_of, split_spec

#: Among what stands after a name, between colons: an archive may run the code that is in it.
TRUST = "trust"
#: The agent that is several, and what stands between their specs in its own.
MIXTURE, AND = "mixture", "+"


def specs_in(spec: str) -> list[str]:
    """The specs of the agents in a mixture; any other spec alone."""
    name, argument = split_spec(spec)
    return (argument or "").split(AND) if name == MIXTURE else [spec]


def mixture_of(specs: Sequence[str]) -> str:
    """The spec of the mixture of agents; of a single one its own."""
    return specs[0] if len(specs) == 1 else f"{MIXTURE}:{AND.join(specs)}"


def check_spec(spec: str) -> None:
    """Raises AgentError where a spec, or one in its mixture, names no agent that there is. It can be told at once, and without
    a ruleset; whether `make_agent` then makes one cannot."""
    for one in dict.fromkeys([spec, *specs_in(spec)]):
        if one:
            factory_of(one)


def runs_code(spec: str) -> bool:
    """Whether a spec runs code that is not installed: that of a module, or of an archive that it trusts; of a mixture, whether
    any in it does."""
    name, argument = split_spec(spec)
    if name == MIXTURE:
        return any(one.startswith(f"{MIXTURE}:") or runs_code(one) for one in specs_in(spec))  # it may not hold another
    return argument is not None and (name not in agent_names() or TRUST in argument.split(":"))


def installed_module(spec: str) -> str | None:
    """The module of the installed agent that a spec names; None where the spec names another, or runs other code."""
    return None if runs_code(spec) else module_of(split_spec(spec)[0])


def as_typed(*words: str) -> str:
    """Words of a file as you would type them in a shell; dots for one that nobody would type, such as control characters."""
    return " ".join(shlex.quote(word) if word.isprintable() and len(word) <= LONGEST_TYPED else "..." for word in words)


def check_specs_of_file(
    specs: Iterable[str], file: object, named: Collection[str], how: str, what: str = "agent",
    asks: Callable[[str], bool] = runs_code,
) -> None:  # fmt: skip
    """Refuse specs that a file, of whatever format, may not ask for by itself.

    Args:
        specs: as the file has them.
        file: which, for the message.
        named: the specs that whoever started this run named; these may run code.
        how: what to type so that such a spec is among them.
        what: what the specs name, for the message.
        asks: whether a spec runs code.

    Raises:
        AgentError: one runs code, and nobody named it.
    """
    for spec in specs:
        if spec not in named and asks(spec):
            raise AgentError(
                f"{file}: {what} {spec!r:.200} runs code that is not installed, and a file cannot allow that; if you trust it, "
                f"name it: {how}"
            )
