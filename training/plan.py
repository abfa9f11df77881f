"""What a run does: read from a TOML file, from options, or both; checked before anything is done."""

from __future__ import annotations

import json
import shlex
import tomllib
from collections.abc import Collection, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from hansa_env import Ruleset
from hansa_env.formats.files import read_at_most
from hansa_env.formats.ruleset_fields import ruleset_in, ruleset_model
from hansa_env.play.arguments import MAX_TURNS, MOST_TURNS
from hansa_env.play.errors import AgentError
from hansa_env.play.registry import check_specs_of_file
from hansa_env.renamed import called_now
from hansa_training.configs import config_file, config_names
from hansa_training.errors import PlanError
from hansa_training.rulesets import ruleset_named, those_who_play, why_not
from hansa_training.sizes import NETWORKS

NAMES = tuple(NETWORKS)
#: Texts, with what is expected of them in words.
Watchers = Annotated[str, "wandb, mlflow, or both with a space between them"]
AgentSpecs = Annotated[str, "agents by spec, with spaces between them"]
RulesetNames = Annotated[str, "rulesets by short name, such as 3 4/east 5/missions, with spaces between them"]


#: What a run can be told to keep in memory, or to go on for, at most; a plan may come from anywhere.
LARGEST = 2**20  # bytes of its file
MOST = {
    "warm_start": 10**12, "self_play": 10**12, "teacher_games": 2**16, "teacher_ticks": 2**16, "envs": 2**16, "rollout": 2**16,
    "batch_size": 2**24, "n_epochs": 1000, "snapshots": 1000, "snapshot_every": 10**6, "meet_every": 10**6, "average": 10**6,
    "value_rollouts": 10**6, "evaluate_every": 10**6, "checkpoint_every": 10**6, "curve_games": 10**6, "final_games": 10**6,
    "expert_labels": 2**20,
}  # fmt: skip
#: Options that had a name of their own up to version 0.2, and the field's names that they have now.
RENAMED = {
    "divergence": "target_kl", "trace": "gae_lambda", "value_weight": "vf_coef", "entropy": "ent_coef", "rows": "batch_size",
    "epochs": "n_epochs", "clip": "clip_range", "discount": "gamma", "rungs": "eval_opponents",
}  # fmt: skip
#: Games times decisions that are kept at a time: some gigabytes.
MOST_KEPT = 2**22


#: The options of its ruleset.
_Ruleset: Any = ruleset_model("_Ruleset", players=3)


class Plan(_Ruleset):
    """Every option of a run. Amounts are decisions where nothing else is said; the defaults take minutes on two cores."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    rulesets: RulesetNames = Field("", description="rulesets that one network learns together, in place of the one above")
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
    start: str = Field("", description="weights to begin with, instead of fresh ones: ppo, a model file, or a run's folder")
    teacher: AgentSpecs = Field("greedy", description="agents that the warm start copies, of each ruleset the first that can")
    warm_start: int = Field(1_300_000, ge=0, description="decisions labelled by the teacher, 0 = from scratch")
    self_play: int = Field(7_000_000, ge=0, description="decisions of the learner's seats")
    teacher_games: int = Field(512, ge=1, description="games side by side in the warm start")
    teacher_ticks: int = Field(32, ge=1, description="decisions per game and round of the warm start")
    opponents: AgentSpecs = Field("greedy", description="agents that take part in self-play")
    rivals: AgentSpecs = Field("", description="agents that take turns with the frozen copies, such as other networks")
    all_learners: float = Field(0.25, ge=0, le=1, description="share of the games in which the learner has every seat")
    two_learners: float = Field(0.25, ge=0, le=1, description="share in which it has two of three seats or more")
    mixed: float = Field(
        0.0, ge=0, le=1, description="share in which it has any number of seats and every other seat is drawn by itself"
    )
    from_frozen: float = Field(0.0, ge=0, le=1, description="share of frozen copies and rivals among the opponents")
    at_once: int = Field(1, ge=1, description="frozen copies and rivals that are met at a time")
    from_middle: float = Field(0.0, ge=0, le=1, description="share of the games that begin in the middle of an earlier one")
    snapshots: int = Field(6, ge=0, description="frozen copies that are kept")
    snapshot_every: int = Field(20, ge=1, description="rollouts between two of them")
    meet_every: int = Field(5, ge=1, description="rollouts after which the learner meets another of them")
    envs: int = Field(512, ge=1, description="games side by side in self-play")
    rollout: int = Field(64, ge=1, description="decisions per game and rollout")
    n_epochs: int = Field(2, ge=1, description="passes over each rollout")
    batch_size: int = Field(2048, ge=2, description="decisions in a minibatch")
    learning_rate: float = Field(1.5e-3, gt=0, le=1, description="of the value at first, and the largest of self-play")
    decay: float = Field(0.4, ge=0, le=1, description="last part of self-play, over which the learning rate shrinks")
    target_kl: float = Field(0.02, gt=0, le=1, description="how far a rollout should move the policy, in nats (KL)")
    average: int = Field(30, ge=1, description="about how many rollouts the averaged weights go back; 1 = the last alone")
    gamma: float = Field(1.0, gt=0, le=1, description="per decision of the learner")
    gae_lambda: float = Field(0.96, ge=0, le=1, description="lambda of generalised advantage estimation")
    clip_range: float = Field(0.2, gt=0, le=1, description="how far PPO lets a probability move, as a share of it")
    ent_coef: float = Field(0.02, ge=0, description="weight of the entropy in the loss")
    vf_coef: float = Field(5.0, ge=0, description="weight of the value's error in the loss")
    policy_coef: float = Field(1.0, ge=0, description="weight in the loss of what games teach the policy")
    expert: str = Field("", description="a search that labels positions of the learner with its own network: tree:sims=64")
    expert_share: float = Field(
        0.01, gt=0, le=1, description="share of the learner's decisions that it labels, where it is unsure"
    )
    expert_labels: int = Field(16384, ge=64, description="labels that are kept; the oldest go first")
    expert_coef: float = Field(1.0, ge=0, description="weight of the labels in the loss")
    win: float = Field(0.5, ge=0, description="what a win is worth, zero-sum among the seats")
    lead: float = Field(0.5, ge=0, description="what a lead of lead_scale points over the best other seat is worth")
    lead_scale: float = Field(20.0, gt=0, description="points")
    cut_off: float = Field(0.0, ge=0, description="what every seat loses where the turn limit ends a game")
    worth: str = Field("", description="what a game is worth instead, by your own function: module:function")
    value_rollouts: int = Field(6, ge=0, description="first rollouts, which train the value head alone")
    evaluate_every: int = Field(24, ge=1, description="rollouts between two points of the curve")
    checkpoint_every: int = Field(8, ge=1, description="rollouts, or rounds of the warm start, between two checkpoints")
    keep_every: int = Field(
        1_000_000, ge=0, description="decisions of self-play between two models that are kept as milestones, 0 = none"
    )
    eval_opponents: AgentSpecs = Field(
        "random scripted:link greedy scripted:blocker", description="agents that curve and final table measure it against"
    )
    curve_games: int = Field(150, ge=1, description="games per point of the curve and opponent")
    final_games: int = Field(600, ge=1, description="games per opponent at the end")
    shards: int = Field(2, ge=1, le=64, description="parts into which the games are split; figures depend on it")
    threads: int = Field(2, ge=1, le=64, description="threads that share the shards; figures do not depend on it")
    watch: Watchers = Field("", pattern=r"^((wandb|mlflow)( |$))*$", description="who else is told the figures of TensorBoard")

    @model_validator(mode="before")
    @classmethod
    def _needs_no_warm_start(cls, values: Any) -> Any:
        """Weights that are given need none, unless it is asked for."""
        if isinstance(values, Mapping) and values.get("start"):
            return {"warm_start": 0} | dict(values)
        return values

    @model_validator(mode="after")
    def _fits_together(self) -> Plan:
        for name, most in MOST.items():
            if getattr(self, name) > most:
                raise ValueError(f"{name} is {getattr(self, name)}; expected at most {most}")
        for name, kept in (("envs and rollout", self.envs * self.rollout), ("teacher_games and teacher_ticks", self.taught)):
            if kept > MOST_KEPT:
                raise ValueError(f"{name} are {kept} decisions together; expected at most {MOST_KEPT}")
        for name in ("envs", "teacher_games"):
            games = getattr(self, name)
            if games < self.shards:
                raise ValueError(f"{name} is {games}; expected at least one game for each of {self.shards} shards")
        if self.shards % len(self.rulesets_played):
            several = len(self.rulesets_played)
            raise ValueError(f"shards is {self.shards}; expected a multiple of {several}, as many for each of the rulesets")
        if self.rulesets and NETWORKS[self.network]["kind"] != "board":
            raise ValueError(f"network is {self.network}; rulesets that share their weights need one of the kind board")
        shares = self.all_learners, self.two_learners, self.mixed
        if sum(shares) > 1:
            given = ", ".join(map(str, shares))
            raise ValueError(f"all_learners, two_learners and mixed are {given}; expected at most 1 together")
        if self.start and self.warm_start:
            raise ValueError(f"start is {self.start!r} and warm_start {self.warm_start}; expected one of them (warm_start = 0)")
        for name, specs in (
            ("opponents", self.met), ("rivals", self.in_turns), ("eval_opponents", self.measured), ("teacher", self.teachers),
        ):  # fmt: skip
            for spec in specs:
                self._check_agent(name, spec)
        for ruleset in self.rulesets_played:
            if not those_who_play(self.teachers, ruleset):
                raise ValueError(f"teacher is {self.teacher!r}; expected one that plays {ruleset}")
        self._check_expert()
        if not self.measured:
            raise ValueError("eval_opponents is empty; expected one agent or more")
        return self

    def _check_expert(self) -> None:
        """Raises ValueError where the search cannot think with the network that learns."""
        name = self.expert.partition(":")[0]
        if not self.expert:
            return
        if name != "tree" or "seconds" in self.expert:  # what a clock decides cannot be made again
            raise ValueError(f"expert is {self.expert!r}; expected tree with a number of simulations, such as tree:sims=64")
        self._check_agent("expert", self.expert)
        if NETWORKS[self.network]["kind"] != "board":
            raise ValueError(f"network is {self.network}; an expert thinks with one of the kind board")
        if self.worth or (self.win, self.lead, self.lead_scale) != (0.5, 0.5, 20.0):
            raise ValueError("an expert judges games by win = 0.5, lead = 0.5, lead_scale = 20; expected these, and no worth")

    def _check_agent(self, name: str, spec: str) -> None:
        """Raises ValueError where an agent plays none of the rulesets."""
        problems = [why_not(spec, ruleset) for ruleset in self.rulesets_played]
        if all(problems):
            raise ValueError(f"{name}: {problems[-1]}") from problems[-1]

    @property
    def ruleset(self) -> Ruleset:
        return ruleset_in(self)

    @property
    def rulesets_played(self) -> list[Ruleset]:
        """All rulesets of the run: those of `rulesets`, or else the one."""
        return [ruleset_named(name) for name in self.rulesets.split()] or [self.ruleset]

    def ruleset_of(self, shard: int) -> Ruleset:
        """Which of them a shard plays: they take turns."""
        several = self.rulesets_played
        return several[shard % len(several)]

    @property
    def teachers(self) -> list[str]:
        """The specs of `teacher`."""
        return self.teacher.split()

    def teacher_of(self, ruleset: Ruleset) -> str:
        """The first of them that plays a ruleset."""
        return those_who_play(self.teachers, ruleset)[0]

    @property
    def taught(self) -> int:
        """Decisions of a round of the warm start."""
        return self.teacher_games * self.teacher_ticks

    @property
    def met(self) -> list[str]:
        """The specs of `opponents`."""
        return self.opponents.split()

    @property
    def in_turns(self) -> list[str]:
        """The specs of `rivals`."""
        return self.rivals.split()

    @property
    def takes_snapshots(self) -> bool:
        """Whether frozen copies of the learner are among its opponents."""
        return self.from_frozen > 0 and self.snapshots > 0

    @property
    def measured(self) -> list[str]:
        """The specs of `eval_opponents`."""
        return self.eval_opponents.split()

    def toml(self) -> str:
        """As a file for `read_toml`."""
        lines = []
        for name in type(self).model_fields:
            value = getattr(self, name)
            lines.append(f"# {described(name)}")
            lines.append(f"# {name} =" if value is None else f"{name} = {json.dumps(value)}")  # TOML, for plain values
        return "\n".join(lines) + "\n"


#: What may differ between the parts of one run: how long it is, where and how it is kept, not what was learned so far.
CHANGEABLE = (
    "self_play", "opponents", "rivals", "eval_opponents", "final_games", "checkpoint_every", "keep_every", "threads", "device",
    "watch",
)  # fmt: skip


def read_toml(path: Path) -> dict[str, Any]:
    """The options in a file, or in the plan of that name (`hansa_training.configs`), not yet checked. Raises `PlanError`."""
    try:
        return tomllib.loads(read_at_most(config_file(path), LARGEST).decode())
    except OSError as error:
        known = ", ".join(config_names())
        raise PlanError(f"{path}: cannot be read ({error.strerror}); by name there are {known}") from error
    except (ValueError, RecursionError) as error:  # not TOML, not UTF-8, too large
        raise PlanError(f"{path}: is not TOML ({error})") from error


def option(name: str) -> str:
    """The command-line option of a field."""
    return f"--{name.replace('_', '-')}"


def value_of(name: str, text: str) -> Any:
    """The value of an option's text; the text itself where it is none, for `make_plan` to refuse."""
    field = Plan.model_fields.get(name)
    try:
        return text if field is None else TypeAdapter(field.annotation).validate_strings(text)
    except ValidationError:
        return text


#: Fields with agents by spec.
SPECS = ("opponents", "rivals", "eval_opponents", "teacher", "worth")


def named_in(options: Mapping[str, str] | None) -> frozenset[str]:
    """The specs that command-line options name: these may run code."""
    return frozenset(spec for name in SPECS for spec in (options or {}).get(name, "").split())


def make_plan(
    values: Mapping[str, Any] | None = None, file: Path | None = None, options: Mapping[str, str] | None = None,
    named: Collection[str] = (),
) -> Plan:  # fmt: skip
    """A checked plan.

    Args:
        values: what is known already, by name.
        file: a TOML file, whose options go before these.
        options: texts of command-line options by name of the field, which go before both.
        named: specs that may run code although the file has them, since somebody else named them; those of `options` too.

    Raises:
        PlanError: in one line: where it stands, the name, the value, and what was expected.
    """
    given, places = dict(values or {}), dict.fromkeys(values or {}, "plan")
    if file is not None:
        kept = read_toml(file)
        _check_specs(kept, file, options, {*named, *named_in(options)})
        for name, value in kept.items():
            given[name], places[name] = value, str(file)
    for name, text in (options or {}).items():
        given[name], places[name] = value_of(name, text), option(name)
    try:
        return Plan(**given)
    except ValidationError as error:
        raise PlanError(_line(error, places, file)) from error


def _check_specs(kept: Mapping[str, Any], file: Path, options: Mapping[str, str] | None, named: Collection[str]) -> None:
    """Raises PlanError where a file names agents that run code, and no option does."""
    for name in SPECS:
        if name in (options or {}) or not isinstance(kept.get(name), str):
            continue
        try:
            how = f"{option(name)} {shlex.quote(kept[name])}"
            check_specs_of_file(kept[name].split(), f"{file}: {name}", named, how)
        except AgentError as error:
            raise PlanError(str(error)) from error


def _line(error: ValidationError, places: Mapping[str, str], file: Path | None) -> str:
    first = error.errors()[0]
    if not first["loc"]:  # options that do not go together
        place = str(file) if file else "plan"
        return f"{place}: {' '.join(str(first['ctx']['error']).split()):.600}"
    name, place = str(first["loc"][0]), places[str(first["loc"][0])]
    if name in RENAMED:
        return f"{place}: {called_now('option', name, RENAMED[name])}"
    if first["type"] == "extra_forbidden":
        close = get_close_matches(name[:100], Plan.model_fields, 1)
        hint = f"did you mean {close[0]}?" if close else f"expected one of {', '.join(Plan.model_fields)}"
        return f"{place}: unknown option {name:.100} = {first['input']!r:.200}; {hint}"
    where = place if place.startswith("--") else f"{place}: {name}"
    return f"{where} = {first['input']!r:.200}; expected {expected(name)}"


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
