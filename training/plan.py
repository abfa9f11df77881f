"""What a run does: read from a TOML file, from options, or both; checked before anything is done."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from hansa_env import Ruleset, make_agent
from hansa_env.boards import board_names
from hansa_env.play.arguments import MAX_TURNS, MOST_TURNS
from hansa_env.ruleset import EDITIONS, VARIANTS
from hansa_training.configs import config_file, config_names
from hansa_training.errors import PlanError
from hansa_training.sizes import NETWORKS

BOARDS = tuple(board_names())
NAMES = tuple(NETWORKS)
#: Texts, with what is expected of them in words.
AgentSpecs = Annotated[str, "agents by spec, with spaces between them"]
MarkerNames = Annotated[str | None, "promos, or names of markers with commas between them"]


class Plan(BaseModel):
    """Every option of a run. Amounts are decisions where nothing else is said; the defaults take minutes on two cores."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    players: int = Field(3, ge=2, le=5, description="seats at the table")
    edition: Literal[EDITIONS] = Field("fourth", description="of the rules")  # type: ignore[valid-type]
    two_players: Literal[VARIANTS] | None = Field(None, description="variant for two players; by default the edition's")  # type: ignore[valid-type]
    board: Literal[BOARDS] | None = Field(None, description="by default the one for that number of players")  # type: ignore[valid-type]
    missions: bool = Field(False, description="whether each player has a hidden mission card; on the boards of the base game")
    favours: bool | Literal["any-board"] = Field(False, description="whether the Emperor's Favour tiles are played with")
    pile: MarkerNames = Field(None, description="face-down markers; by default the edition's")
    max_turns: int = Field(
        MAX_TURNS, ge=1, le=MOST_TURNS, description="turns per seat after which a game is cut off and scored as it stands"
    )
    seed: int = Field(0, ge=0, lt=2**32, description="of everything random")
    network: Literal[NAMES] = Field("board", description="the policy; board has the structure of the game, mlp none")  # type: ignore[valid-type]
    precision: Literal["auto", "float32", "bfloat16"] = Field(
        "auto", description="of the board network while training; auto is bfloat16 where the device computes in it"
    )
    device: Literal["cpu", "cuda", "auto"] = Field(
        "cpu", description="where networks play and learn; auto is a GPU where there is one, else the processor"
    )
    warm_start: int = Field(1_300_000, ge=0, description="decisions labelled by the teacher, 0 = from scratch")
    self_play: int = Field(5_500_000, ge=0, description="decisions of the learner's seats")
    teacher_games: int = Field(512, ge=1, description="games side by side in the warm start")
    teacher_ticks: int = Field(32, ge=1, description="decisions per game and round of the warm start")
    opponents: AgentSpecs = Field("greedy", description="agents that take part in self-play")
    all_learners: float = Field(0.25, ge=0, le=1, description="share of the games in which the learner has every seat")
    two_learners: float = Field(0.25, ge=0, le=1, description="share in which it has two of three seats or more")
    from_snapshots: float = Field(0.0, ge=0, le=1, description="share of frozen copies among the opponents, game by game")
    from_middle: float = Field(0.0, ge=0, le=1, description="share of the games that begin in the middle of an earlier one")
    snapshots: int = Field(6, ge=1, description="frozen copies that are kept, of which one at a time is met")
    snapshot_every: int = Field(20, ge=1, description="rollouts between two of them")
    meet_every: int = Field(5, ge=1, description="rollouts after which the learner meets another of them")
    envs: int = Field(512, ge=1, description="games side by side in self-play")
    rollout: int = Field(64, ge=1, description="decisions per game and rollout")
    epochs: int = Field(2, ge=1, description="passes over each rollout")
    rows: int = Field(2048, ge=2, description="decisions in a minibatch")
    learning_rate: float = Field(1.5e-3, gt=0, le=1, description="of the value at first, and the largest of self-play")
    decay: float = Field(0.4, ge=0, le=1, description="last part of self-play, over which the learning rate shrinks")
    divergence: float = Field(0.02, gt=0, le=1, description="how far a rollout should move the policy, in nats (KL)")
    average: int = Field(30, ge=1, description="about how many rollouts the averaged weights go back; 1 = the last alone")
    discount: float = Field(1.0, gt=0, le=1, description="per decision of the learner")
    trace: float = Field(0.96, ge=0, le=1, description="lambda of generalised advantage estimation")
    clip: float = Field(0.2, gt=0, le=1, description="how far PPO lets a probability move, as a share of it")
    entropy: float = Field(0.02, ge=0, description="weight of the entropy in the loss")
    value_weight: float = Field(5.0, ge=0, description="weight of the value's error in the loss")
    win: float = Field(0.5, ge=0, description="what a win is worth, zero-sum among the seats")
    lead: float = Field(0.5, ge=0, description="what a lead of lead_scale points over the best other seat is worth")
    lead_scale: float = Field(20.0, gt=0, description="points")
    value_rollouts: int = Field(6, ge=0, description="first rollouts, which train the value head alone")
    evaluate_every: int = Field(24, ge=1, description="rollouts between two points of the curve")
    checkpoint_every: int = Field(8, ge=1, description="rollouts, or rounds of the warm start, between two checkpoints")
    rungs: AgentSpecs = Field(
        "random scripted:link greedy scripted:blocker", description="agents that curve and final table measure it against"
    )
    curve_games: int = Field(150, ge=1, description="games per point of the curve and opponent")
    final_games: int = Field(600, ge=1, description="games per opponent at the end")
    shards: int = Field(2, ge=1, le=64, description="parts into which the games are split; figures depend on it")
    threads: int = Field(2, ge=1, le=64, description="threads that share the shards; figures do not depend on it")

    @model_validator(mode="after")
    def _fits_together(self) -> Plan:
        ruleset = self.ruleset
        for name in ("envs", "teacher_games"):
            games = getattr(self, name)
            if games < self.shards:
                raise ValueError(f"{name} is {games}; expected at least one game for each of {self.shards} shards")
        shares = self.all_learners, self.two_learners
        if sum(shares) > 1:
            raise ValueError(f"all_learners and two_learners are {shares[0]} and {shares[1]}; expected at most 1 together")
        for name, specs in (("opponents", self.met), ("rungs", self.measured)):
            for spec in specs:
                try:
                    make_agent(spec, ruleset)
                except ValueError as error:
                    raise ValueError(f"{name}: {error}") from error
        if not self.measured:
            raise ValueError("rungs is empty; expected one agent or more")
        return self

    @property
    def ruleset(self) -> Ruleset:
        return Ruleset.from_config(self.model_dump())

    @property
    def met(self) -> list[str]:
        """The specs of `opponents`."""
        return self.opponents.split()

    @property
    def measured(self) -> list[str]:
        """The specs of `rungs`."""
        return self.rungs.split()

    @property
    def yardstick(self) -> str:
        """The rung against which more is measured than the win share: `greedy`, or the last."""
        return "greedy" if "greedy" in self.measured else self.measured[-1]

    def toml(self) -> str:
        """As a file for `read_toml`."""
        lines = []
        for name in type(self).model_fields:
            value = getattr(self, name)
            lines.append(f"# {described(name)}")
            lines.append(f"# {name} =" if value is None else f"{name} = {json.dumps(value)}")  # TOML, for plain values
        return "\n".join(lines) + "\n"


#: What may differ between the parts of one run: how long it is, where and how it is kept, not what was learned so far.
CHANGEABLE = ("self_play", "final_games", "checkpoint_every", "threads", "device")


def read_toml(path: Path) -> dict[str, Any]:
    """The options in a file, or in the plan of that name (`hansa_training.configs`), not yet checked. Raises `PlanError`."""
    try:
        return tomllib.loads(config_file(path).read_text("utf-8"))
    except OSError as error:
        known = ", ".join(config_names())
        raise PlanError(f"{path}: cannot be read ({error.strerror}); by name there are {known}") from error
    except ValueError as error:  # not TOML, not UTF-8
        raise PlanError(f"{path}: is not TOML ({error})") from error


def option(name: str) -> str:
    """The command-line option of a field."""
    return f"--{name.replace('_', '-')}"


def value_of(name: str, text: str) -> Any:
    """The value of an option's text; the text itself where it is none, for `make_plan` to refuse."""
    annotation: Any = Plan.model_fields[name].annotation
    try:
        return TypeAdapter(annotation).validate_strings(text)
    except ValidationError:
        return text


def make_plan(
    values: Mapping[str, Any] | None = None, file: Path | None = None, options: Mapping[str, str] | None = None
) -> Plan:
    """A checked plan.

    Args:
        values: what is known already, by name.
        file: a TOML file, whose options go before these.
        options: texts of command-line options by name of the field, which go before both.

    Raises:
        PlanError: in one line: where it stands, the name, the value, and what was expected.
    """
    given, places = dict(values or {}), dict.fromkeys(values or {}, "plan")
    if file is not None:
        for name, value in read_toml(file).items():
            given[name], places[name] = value, str(file)
    for name, text in (options or {}).items():
        given[name], places[name] = value_of(name, text), option(name)
    try:
        return Plan(**given)
    except ValidationError as error:
        raise PlanError(_line(error, places, file)) from error


def _line(error: ValidationError, places: Mapping[str, str], file: Path | None) -> str:
    first = error.errors()[0]
    if not first["loc"]:  # options that do not go together
        place = str(file) if file else "plan"
        return f"{place}: {first['ctx']['error']}"
    name, place = str(first["loc"][0]), places[str(first["loc"][0])]
    if first["type"] == "extra_forbidden":
        close = get_close_matches(name, Plan.model_fields, 1)
        hint = f"did you mean {close[0]}?" if close else f"expected one of {', '.join(Plan.model_fields)}"
        return f"{place}: unknown option {name} = {first['input']!r}; {hint}"
    where = place if place.startswith("--") else f"{place}: {name}"
    return f"{where} = {first['input']!r}; expected {expected(name)}"


def choices(name: str) -> tuple[str, ...]:
    """The texts that a field takes, where these are few; else none."""
    annotation = Plan.model_fields[name].annotation
    types = [annotation, *get_args(annotation)]  # bool, Literal, Literal | None, or bool | Literal
    truth = ("true", "false") if bool in types else ()
    return truth + tuple(text for one in types for text in get_args(one) if isinstance(text, str))


def metavar(name: str) -> str:
    """What stands for a field's value in the help of its option."""
    annotation: Any = Plan.model_fields[name].annotation
    return "|".join(choices(name)) or {int: "WHOLE", float: "NUMBER"}.get(annotation, "TEXT")


def described(name: str) -> str:
    """What a field means; of a text also what it is to be."""
    field = Plan.model_fields[name]
    return "; ".join([str(field.description), *_words(name)])


def _words(name: str) -> list[str]:
    return [part for part in Plan.model_fields[name].metadata if isinstance(part, str)]


def expected(name: str) -> str:
    """What values a field takes, in words."""
    if choices(name):
        return f"one of {', '.join(choices(name))}"
    field = Plan.model_fields[name]
    if _words(name):
        return _words(name)[0]
    limits: dict[str, Any] = {}
    for part in field.metadata:
        limits |= {key: getattr(part, key) for key in ("ge", "gt", "le", "lt") if hasattr(part, key)}
    words = {"ge": "at least", "gt": "above", "le": "at most", "lt": "below"}
    text = " and ".join(f"{words[key]} {limit}" for key, limit in limits.items())
    return f"a {'whole ' if field.annotation is int else ''}number, {text}"
