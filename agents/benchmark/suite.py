"""A suite: which games an agent plays, against whom; fixed once it has been published, and versioned."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Annotated, Any, Literal, get_args

from pydantic import Field

from hansa_agents.entrants import Entrant, entrants
from hansa_agents.line_ups import MatchError, line_ups
from hansa_agents.schedule import Schedule
from hansa_env import Ruleset
from hansa_env.formats.fields import Seed, Strictly

SUITES = ("hansa-bench/1",)
#: The kinds of agents that are met, in the order in which they are played.
Pool = Literal["scripted", "trained", "searching"]
POOLS = get_args(Pool)
AMONG, MAJORITY = "among", "majority"
#: What the two agents of a game are called.
HERO, REFERENCE = "agent", "reference"


class Reference(Strictly):
    """An agent that is met: its spec, its pool, and the digest of what it is (`hansa_agents.benchmark.frozen`)."""

    spec: str
    pool: Pool
    digest: str


class Setting(Strictly):
    """A game that is played: its name, ruleset and the seed of its deals."""

    name: str
    ruleset: dict[str, Any]
    seed: Seed
    references: list[Reference]

    def game(self) -> Ruleset:
        """The ruleset."""
        return Ruleset.from_config(self.ruleset)


class Suite(Strictly):
    """What `hansa benchmark` plays.

    Attributes:
        name: with its version.
        max_turns: turns per seat after which a game is cut off and scored as it stands.
        games: of a cell; preview: the same with --quick.
        published: the share of the deals whose decisions a row's file has.
        settings: the games that are played.
    """

    name: str
    max_turns: Annotated[int, Field(ge=1)]
    games: Annotated[int, Field(ge=1)]
    preview: Annotated[int, Field(ge=1)]
    published: Annotated[float, Field(gt=0, le=1)]
    settings: list[Setting]

    def setting(self, name: str) -> Setting:
        """The setting of a name. Raises MatchError where there is none."""
        for one in self.settings:
            if one.name == name:
                return one
        raise MatchError(f"{self.name} has no setting {name!r}; there are {', '.join(one.name for one in self.settings)}")

    def cells(self) -> list[Cell]:
        """Every cell of the suite, setting by setting."""
        return [
            Cell(setting, reference, way)
            for setting in self.settings for reference in setting.references
            for way in ((AMONG, MAJORITY) if setting.game().players > 2 else (AMONG,))
        ]  # fmt: skip


@dataclass(frozen=True)
class Cell:
    """The games of a setting in which an agent meets a reference in one way.

    Attributes:
        way: AMONG: the agent holds one seat and the reference all others; MAJORITY: the other way round. With two players
            these are one.
    """

    setting: Setting
    reference: Reference
    way: str

    @property
    def key(self) -> str:
        """What the cell is called."""
        return f"{self.setting.name}/{self.way}/{self.reference.spec}"

    @property
    def specs(self) -> list[str]:
        """The line-up as the arena takes it, with {agent} in place of the agent's spec; the agent is named first."""
        others = self.setting.game().players - 1
        hero, reference = HERO + "={agent}", f"{REFERENCE}={self.reference.spec}"
        return [hero, *[reference] * others] if self.way == AMONG else [*[hero] * others, reference]

    def specs_with(self, agent: str) -> list[str]:
        """The line-up with an agent's spec."""
        return [f"{HERO}={agent}" if spec.startswith(HERO) else spec for spec in self.specs]

    def schedule(self, games: int) -> Schedule:
        """Which games these are: at least so many, the same number in every rotation."""
        places = entrants(self.specs, self.setting.seed)[1]
        return Schedule.of(line_ups(places, len(places)), games, self.setting.seed)

    def entrants_with(self, agent: str) -> list[Entrant]:
        """The agent and the reference, with the seeds that they play by."""
        return entrants(self.specs_with(agent), self.setting.seed)[0]


def suite_text(name: str) -> bytes:
    """The file of a suite. Raises MatchError for a name that there is not."""
    if name not in SUITES:
        raise MatchError(f"there is no suite {name!r:.100}; this version has {', '.join(SUITES)}")
    return (files("hansa_agents.benchmark") / "suites" / f"{name.replace('/', '-')}.toml").read_bytes()


@cache
def read_suite(name: str = SUITES[-1]) -> Suite:
    """A suite by its name. Raises MatchError for one that there is not."""
    return Suite.model_validate(tomllib.loads(suite_text(name).decode()))


def suite_hash(name: str) -> str:
    """The SHA-256 of what a suite says, whatever its file looks like."""
    return sha256(read_suite(name).model_dump_json().encode()).hexdigest()
