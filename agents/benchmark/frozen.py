"""Whether the agents that a suite names can be had, and are still what they were when it was published.

Of a trained agent the hash of its weights is kept. Of the others, which are code, it is the hash of what they decide in a
short game among themselves, with that of their weights where they have some: a change of the rules, of the code or of a style
shows there.

`python -m hansa_agents.benchmark.frozen SUITE` prints what a suite's digests would be today, for a new version of it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Annotated

import typer

from hansa_agents.arena import play_game
from hansa_agents.benchmark.suite import Cell, Reference, Setting, read_suite
from hansa_agents.line_ups import MatchError
from hansa_agents.model_hash import model_hash_of
from hansa_env import AgentError, Ruleset, make_agent
from hansa_env.commands.output import one_line_errors

#: The short game's turns per seat.
TURNS = 8


def digest_of(reference: Reference, ruleset: Ruleset, seed: int) -> str:
    """What a reference is, today. Raises AgentError where it cannot be made."""
    weights = model_hash_of(make_agent(reference.spec, ruleset, seed))
    if reference.pool == "trained":
        assert weights is not None, f"{reference.spec} is trained, and so has weights"
        return weights
    game = play_game([reference.spec], ruleset, seed, TURNS)
    return sha256(json.dumps([weights, game.decisions]).encode()).hexdigest()


def check_references_there(cells: Sequence[Cell]) -> None:
    """Raises MatchError where a reference of a cell cannot be made here, and says which pools can."""
    failed: dict[str, str] = {}
    for cell in {cell.reference.spec: cell for cell in cells}.values():
        try:
            make_agent(cell.reference.spec, cell.setting.game(), cell.setting.seed)
        except AgentError as error:
            failed.setdefault(cell.reference.pool, f"the reference {cell.reference.spec!r} cannot play here: {error}")
    if failed:
        others = [f"--pool {pool}" for pool in dict.fromkeys(cell.reference.pool for cell in cells) if pool not in failed]
        without = f"; to play without the pool {' and '.join(failed)}: {' '.join(others)}" if others else ""
        raise MatchError(next(iter(failed.values())) + without)


def check_frozen(suite: str, setting: Setting, reference: Reference, unchanged: set[tuple[str, str]]) -> None:
    """Raises MatchError where a reference is not what the suite was published with.

    Those of settings that are unchanged, by their names and specs, are not looked at again; one that is, is put among them.
    """
    key = setting.name, reference.spec
    if key in unchanged:
        return
    found = digest_of(reference, setting.game(), setting.seed)
    if found != reference.digest:
        raise MatchError(
            f"{reference.spec} of {setting.name} is not the one of {suite}: its digest is {found[:12]}…, expected "
            f"{reference.digest[:12]}…. Another version of hansa-env plays other games; install one that has {suite}"
        )
    unchanged.add(key)


def main(suite: Annotated[str, typer.Argument(help="name of a suite")] = "hansa-bench/1") -> None:
    """Print the digests of a suite's references as they are today."""
    with one_line_errors():
        for setting in read_suite(suite).settings:
            for reference in setting.references:
                found = digest_of(reference, setting.game(), setting.seed)
                print(setting.name, reference.spec, found, "" if found == reference.digest else "CHANGED", flush=True)


if __name__ == "__main__":
    typer.run(main)
