"""Datasets that agents make by playing: in parts that a later call continues, with a card that says what they are."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from filelock import Timeout

from hansa_agents.arena import ONE_PROCESS, Compute, Keep, play_match
from hansa_agents.entrants import entrants
from hansa_agents.line_ups import line_ups, may_take_turns
from hansa_agents.schedule import Schedule
from hansa_env import Agent, HansaBatch, Ruleset
from hansa_env.formats.claim import check_claim, claim_folder
from hansa_env.formats.locks import hold, let_go
from hansa_env.play.arguments import MAX_TURNS
from hansa_env.play.dataset import Dataset, dataset_of
from hansa_env.play.dataset_file import FORMAT as DATASET
from hansa_env.play.result import win_shares
from hansa_env.render.words import number_of
from hansa_env.version import __version__

SETTINGS, CARD = "collection.json", "README.md"


class CollectError(ValueError):
    """What was asked for cannot be collected, or not here."""


@dataclass(frozen=True)
class Collection:
    """Who plays for a dataset.

    Attributes:
        specs: agents; one alone plays every seat, several sit in every line-up.
        about: what that is good for, for the card.
    """

    specs: tuple[str, ...]
    about: str


COLLECTIONS = {
    "mixed": Collection(
        ("random", "greedy", "scripted:network", "scripted:prestige", "scripted:blocker", "scripted:actions", "scripted:link",
         "ppo::sample"),
        "Play of every strength and many styles, at mixed tables: for offline learning that has to tell good from bad.",
    ),
    "expert": Collection(("tree",), "Play of the strongest agent that comes with the project: for imitation."),
    "self-play": Collection(
        ("ppo::sample",),
        "The trained network among itself, drawing from its policy: what self-play sees, with policy and value.",
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Part:
    """A part that was written: its file, how many games on how many deals and decisions it has, seconds it took; whether it was
    there from an earlier call, and only read."""

    path: Path
    games: int
    deals: int
    decisions: int
    seconds: float
    was_there: bool = False


def collect(
    specs: Sequence[str], ruleset: Ruleset, decisions: int, folder: Path, seed: int = 0, *, games: int = 200,
    estimates: bool = True, max_turns: int | None = MAX_TURNS, compute: Compute = ONE_PROCESS,
    on_part: Callable[[Part, Dataset], Any] | None = None,
) -> list[Part]:  # fmt: skip
    """Let agents play until there are so many decisions, and write them as datasets `part-000.npz` and so on.

    The same arguments give the same games. Parts that are there from an earlier call with them are not played again; those
    beyond what is asked for belong to the collection too.

    Args:
        specs: agents; one alone plays every seat, several sit in every line-up (`line_ups`) on every deal; if there are more
            than seats, another choice of them plays each deal, in all rotations.
        ruleset: of all games.
        decisions: at least so many.
        folder: where; made, and taken for this collection, when there is a part to be written.
        seed: of everything.
        games: a part, rounded up to equal numbers a line-up.
        estimates: also ask the agents what they thought before each of their decisions: policies and values.
        max_turns: as in `HansaBatch`.
        compute: where games are played.
        on_part: called with each part and its data.

    Returns:
        Every part, in order.

    Raises:
        CollectError: the folder has another collection, be it of other models by the same names, or a part of one; or somebody
            else is playing for it.
        AgentError, AgentFault, MatchError: as `play_match` does.
    """
    specs = [*specs] * ruleset.players if len(specs) == 1 else [*specs]
    models = _models_of(specs, ruleset)
    settings = {"format": "hansa-collection/3", "version": __version__, "specs": specs, "ruleset": ruleset.config, "seed": seed,
                "games": games, "estimates": estimates, "max_turns": max_turns}  # fmt: skip
    if any(models.values()):
        settings["models"] = models
    check_claim(folder / SETTINGS, settings, CollectError, "--out")
    parts: list[Part] = []
    found, alone = 0, False
    with ExitStack() as held:
        while (path := folder / f"part-{len(parts):03}.npz").exists() or found < decisions:
            began = time.perf_counter()
            own = _seed_of(seed, len(parts))
            if not (alone or path.exists()):
                held.enter_context(_alone_in(folder))
                alone = True
            was_there = path.exists()
            if was_there:
                data = Dataset.load(path)
                if why := _differs(data, ruleset, [*models], _schedule(specs, ruleset, games, own), estimates):
                    raise CollectError(f"{path}: is no part of this collection: {why}; move it, or name another folder (--out)")
            else:
                keep = Keep(actions=True, models=models)
                match = play_match(specs, ruleset, games, own, max_turns=max_turns, compute=compute, keep=keep,
                                   one_table=_one_table(specs, ruleset))  # fmt: skip
                agents = _who_played(specs, ruleset, own) if estimates else {}
                played = {name for result in match.results for name in result.agents}  # of many specs not all do
                asked = {name: agent for name, agent in agents.items() if name in played}
                data = dataset_of([result.record(ruleset, max_turns) for result in match.results], agents=asked)
                claim_folder(folder / SETTINGS, settings, CollectError, "--out")
                data.save(path)
            seconds = time.perf_counter() - began
            parts.append(Part(path, len(data.ended), len(np.unique(data.deals)), len(data.actions), seconds, was_there))
            found += len(data.actions)
            if on_part is not None:
                on_part(parts[-1], data)
    return parts


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """While this is a context nobody else collects into a folder, which is made, and goes where it stays empty.

    Raises CollectError: somebody else does; OSError.
    """
    made = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        lock = hold(folder / SETTINGS)
    except Timeout:
        raise CollectError(f"{folder} is in use by another `hansa collect`; wait for it, or name another one (--out)") from None
    try:
        yield
    finally:
        let_go(lock)
        if made:
            with suppress(OSError):  # there is something in it
                folder.rmdir()


def _who_played(specs: Sequence[str], ruleset: Ruleset, seed: int) -> dict[str, Agent]:
    """The agents of a match by their names, with the seeds that they had there: a mixture draws by its own who plays a seat."""
    made = [(entrant, entrant.make(ruleset)) for entrant in entrants(specs, seed)[0]]
    return {entrant.known(agent).name: agent for entrant, agent in made}


def _models_of(specs: Sequence[str], ruleset: Ruleset) -> dict[str, str | None]:
    """The hashes of the agents' models by their names in games, None where there is none."""
    made = [entrant.known(entrant.make(ruleset)) for entrant in entrants(specs, 0)[0]]
    return {entrant.name: entrant.model for entrant in made}


def _schedule(specs: Sequence[str], ruleset: Ruleset, games: int, seed: int) -> Schedule:
    return Schedule.of(line_ups(entrants(specs, seed)[1], ruleset.players), games, seed, _one_table(specs, ruleset))


def _one_table(specs: Sequence[str], ruleset: Ruleset) -> bool:
    """Whether another choice of agents plays each deal: there are too many for all to play it."""
    return may_take_turns(entrants(specs, 0)[1], ruleset.players)


def _differs(data: Dataset, ruleset: Ruleset, names: Sequence[str], schedule: Schedule, estimates: bool) -> str:
    """In what data are not of games of these agents by a schedule; "" where they may be."""
    if data.ruleset != ruleset:
        return f"it is of {data.ruleset}"
    if len(data.ended) != schedule.games:
        return f"it has {len(data.ended):,} games, and a part {schedule.games:,}"
    if data.agents != tuple(sorted(names)):
        return f"it is of {', '.join(data.agents) or 'nobody'}"[:200]
    numbers = range(schedule.games)
    seats = [[data.agents.index(names[place]) for place in schedule.seats(number)] for number in numbers]
    if not np.array_equal(data.players, seats):
        return "others sit there"
    if bool(len(data.values)) != estimates:
        return "it does not say what agents thought" if estimates else "it also says what agents thought"
    dealt = HansaBatch(schedule.games, ruleset, seeds=schedule.seeds(numbers).tolist())
    if data.deals.tolist() != schedule.seeds(numbers).tolist():
        return "its games were dealt otherwise, as by another seed"
    first = np.searchsorted(data.games, numbers)
    same = len(data.games) and np.array_equal(data.observations[np.minimum(first, len(data.games) - 1)], dealt.observe())
    return "" if same else "its games began otherwise than their deals say"


def _seed_of(seed: int, part: int) -> int:
    return int(np.random.SeedSequence([seed, part]).generate_state(1, np.uint64)[0] >> np.uint64(1))


def card(
    title: str,
    about: str,
    command: str,
    ruleset: Ruleset,
    parts: Sequence[Part],
    shares: dict[str, tuple[int, float]],
    estimates: bool,
    of_project: bool = False,
) -> str:
    """The card of a collection: Markdown whose head registries of datasets read.

    Args:
        estimates: agents were asked what they thought.
        of_project: all agents come with the project, so that its licence holds; of others the card names none.
    """
    thought = ", and what the deciding agent thought (policy, value as its share of the win; none where it has no opinion)"
    in_parts = number_of(len(parts), "part")
    decisions, games, deals = (sum(getattr(part, what) for part in parts) for what in ("decisions", "games", "deals"))
    size = sum(part.path.stat().st_size for part in parts)
    million = 1_000_000 / max(decisions, 1)
    rows = "\n".join(f"| `{name}` | {seats:,} | {share:.1%} |" for name, (seats, share) in sorted(shares.items()))
    licence = "license: mit\n" if of_project else ""
    makers = (
        "programs that come with the project; no game of people is in it. MIT licence, see the project's LICENSES.md."
        if of_project
        else "programs; no game of people is in it. It names no licence: whose the agents are is not known here."
    )
    return f"""---
{licence}pretty_name: "Hansa Teutonica, {title}"
task_categories:
- reinforcement-learning
---
# Hansa Teutonica, {title}

{about}

{decisions:,} decisions of {games:,} games on {number_of(deals, "deal")}
({ruleset}), {size / 1e6:,.1f} MB in {in_parts}; a million decisions take
{size * million / 1e9:.2f} GB. Made by hansa-env {__version__}:

    {command}

| agent | seats | win share |
|---|---|---|
{rows}

## What is in it

`part-*.npz` of the format `{DATASET}`, read by `hansa_env.play.dataset.Dataset.load`: for every decision what its seat
saw (int8), the legal actions, the action{thought if estimates else ""}; for every game
scores, places, who played, the deal, and what each seat saw at its end. `episodes()` gives each game as each seat lived it,
with rewards and terminations; `legal_texts(row)`, `text(row)` the decisions in words.

## What to know

* Made by {makers}
* Rewards are zero-sum shares of the win, paid at a seat's last decision; a game that the turn limit cut off is scored and over.
* Every game is of the ruleset above; a policy learned here has seen no other board.
* Seats of one game, and games of one deal, are no independent samples: split by `deals`, not by games or rows.
"""


def shares_by_agent(parts: Iterator[Dataset]) -> dict[str, tuple[int, float]]:
    """By agent: how many seats it had, and its mean share of the win there."""
    found: dict[str, list[float]] = {}
    for data in parts:
        shares = win_shares(data.ranks)
        for place, name in enumerate(data.agents):
            found.setdefault(name, []).extend(shares[data.players == place].tolist())
    return {name: (len(shares), float(np.mean(shares))) for name, shares in found.items()}
