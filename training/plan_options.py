"""Every option of a run: its kind, range, default and what it is for. `hansa_training.plan_checks` says what goes together."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from pydantic import ConfigDict, Field

from hansa_agents.search.evaluation import LEAD, LEAD_LIMIT, LEAD_SCALE, WIN
from hansa_env import Ruleset
from hansa_env.engine.state import MOST_TURNS
from hansa_env.extras import EXTRAS
from hansa_env.formats.ruleset_fields import ruleset_in, ruleset_model
from hansa_env.play.arguments import MAX_TURNS
from hansa_training.midgame_starts import NOTED, POSITIONS
from hansa_training.rulesets import ruleset_named, those_who_play
from hansa_training.sizes import NETWORKS

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Part = TypeVar("Part", bound="DataclassInstance")

NAMES = tuple(NETWORKS)
#: Who can watch a run, by the modules that they need; `hansa_training.watch.WRITERS` tells them.
WATCHERS = EXTRAS["watch"]
#: Texts, with what is expected of them in words.
Watchers = Annotated[str, f"{', '.join(WATCHERS)}, or several with spaces between them"]
AgentSpecs = Annotated[str, "agents by spec, with spaces between them"]
RulesetNames = Annotated[str, "rulesets by short name, such as 3 4/east 5/missions, with spaces between them"]


#: The options of its ruleset.
_Ruleset: Any = ruleset_model("_Ruleset", players=3)


class PlanOptions(_Ruleset):
    """Amounts are decisions where nothing else is said; the defaults take minutes on two cores."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    rulesets: RulesetNames = Field("", description="rulesets that one network learns together, instead of the one above")
    max_turns: int = Field(
        MAX_TURNS, ge=1, le=MOST_TURNS, description="turns per seat after which a game is cut off and scored as it stands"
    )
    seed: int = Field(0, ge=0, lt=2**32, description="seed of the first weights, the deals and every draw in training")
    network: Literal[NAMES] = Field(  # type: ignore[valid-type]
        "board",
        description="network; board knows the structure of the game, mlp does not; with --start, that of the weights or wider",
    )
    precision: Literal["auto", "float32", "bfloat16"] = Field(
        "auto", description="precision of the board network in training; auto: bfloat16 where the device computes in it"
    )
    device: Literal["cpu", "cuda", "auto"] = Field(
        "cpu", description="where networks play and learn; auto: a GPU where there is one, else the processor"
    )
    start: str = Field(
        "", description="weights to start from instead of fresh ones, without a warm start: ppo, a model file or a run's folder"
    )
    teacher: AgentSpecs = Field(
        "greedy",
        description="agents for the warm start to copy, and to play the games apart before the first rollout: in each ruleset "
        "the first that plays it",
    )
    warm_start: int = Field(1_300_000, ge=0, le=10**12, description="decisions that the teacher labels; 0: learn from scratch")
    self_play: int = Field(7_000_000, ge=0, le=10**12, description="decisions of the learner in self-play")
    minutes: float = Field(
        0.0,
        ge=0,
        le=10**6,
        description="minutes of self-play, instead of decisions; then no run repeats another; 0: none",
    )
    teacher_games: int = Field(512, ge=1, le=2**16, description="games side by side in the warm start")
    teacher_ticks: int = Field(32, ge=1, le=2**16, description="decisions per game in a round of the warm start")
    opponents: AgentSpecs = Field("greedy", description="agents that the learner meets in self-play")
    rivals: AgentSpecs = Field("", description="agents that it meets in turns with its frozen copies, such as other networks")
    all_learners: float = Field(0.25, ge=0, le=1, description="share of the games in which the learner has all seats")
    two_learners: float = Field(
        0.25, ge=0, le=1, description="share of the games in which it has two seats, where there are three or more"
    )
    mixed: float = Field(
        0.0,
        ge=0,
        le=1,
        description="share of the games in which it holds from one seat to all but one, and each other draws its opponent",
    )
    from_frozen: float = Field(0.0, ge=0, le=1, description="share of frozen copies and rivals among the opponents")
    at_once: int = Field(1, ge=1, description="frozen copies and rivals that it meets at a time")
    from_middle: float = Field(
        0.0,
        ge=0,
        le=1,
        description="share of the games that begin in the middle of an earlier game, once a shard has noted "
        f"{POSITIONS:,} positions; after each rollout it notes one position of each of its games, of at most {NOTED}",
    )
    snapshots: int = Field(6, ge=0, le=1000, description="frozen copies to keep")
    snapshot_every: int = Field(20, ge=1, le=10**6, description="rollouts between two frozen copies")
    meet_every: int = Field(5, ge=1, le=10**6, description="rollouts after which it meets another frozen copy")
    envs: int = Field(512, ge=1, le=2**16, description="games side by side in self-play")
    rollout: int = Field(64, ge=1, le=2**16, description="decisions per game in a rollout")
    n_epochs: int = Field(2, ge=1, le=1000, description="passes over each rollout")
    batch_size: int = Field(2048, ge=2, le=2**24, description="decisions in a minibatch")
    optimizer: Literal["adam", "muon"] = Field(
        "adam",
        description="how gradients change weights; muon: Muon for the matrices between inputs and outputs, Adam elsewhere",
    )
    learning_rate: float = Field(
        1.5e-3, gt=0, le=1, description="learning rate while only the value head learns, then the highest of self-play"
    )
    decay: float = Field(0.4, ge=0, le=1, description="last part of self-play, in which the learning rate shrinks")
    target_kl: float = Field(
        0.02, gt=0, le=1, description="how far an update should move the policy, in nats: the mean of its minibatches (KL)"
    )
    average: int = Field(30, ge=1, le=10**6, description="rollouts over which weights are averaged, about; 1: only the last")
    gamma: float = Field(1.0, gt=0, le=1, description="discount per decision of the learner")
    gae_lambda: float = Field(0.96, ge=0, le=1, description="lambda of generalised advantage estimation")
    clip_range: float = Field(0.2, gt=0, le=1, description="how far PPO lets a probability move, as a share of it")
    ent_coef: float = Field(0.02, ge=0, description="weight of the entropy in the loss")
    vf_coef: float = Field(5.0, ge=0, description="weight of the value's error in the loss")
    policy_coef: float = Field(1.0, ge=0, description="weight of the policy in the loss")
    expert: str = Field("", description="a search that labels positions of the learner with its own network: tree:sims=64")
    expert_share: float = Field(
        0.01,
        gt=0,
        le=1,
        description="share of the learner's decisions that the expert labels, those where the learner is unsure",
    )
    expert_labels: int = Field(16384, ge=64, le=2**20, description="labels to keep; the oldest go first")
    expert_coef: float = Field(8.0, ge=0, description="weight of a label in the loss, where a decision has 1")
    expert_replays: float = Field(4.0, gt=0, le=1000, description="how often each label is learned from, on the average")
    win: float = Field(WIN, ge=0, description="what a win is worth, zero-sum among the seats")
    lead: float = Field(
        LEAD,
        ge=0,
        description="what a lead of lead_scale points over the best other seat is worth, counted up to "
        f"{LEAD_LIMIT:g} × lead_scale points",
    )
    own_points: float = Field(0.0, ge=0, description="what lead_scale points of one's own are worth, whoever is ahead")
    lead_scale: float = Field(LEAD_SCALE, gt=0, description="points in the unit of lead and own_points")
    turn_limit_cost: float = Field(0.0, ge=0, description="what every seat loses where the turn limit ends a game")
    turn_cost: float = Field(0.0, ge=0, description="what each turn costs its seat, so that nobody waits for ever")
    worth: str = Field("", description="your own function for what a game is worth, instead of these: module:function")
    value_rollouts: int = Field(6, ge=0, le=10**6, description="first rollouts, in which only the value head learns")
    evaluate_every: int = Field(48, ge=1, le=10**6, description="rollouts between two points of the curve")
    checkpoint_every: int = Field(
        8, ge=1, le=10**6, description="rollouts, or rounds of the warm start, between two checkpoints"
    )
    keep_every: int = Field(
        1_000_000, ge=0, description="decisions of self-play between two milestones, which are models that are kept; 0: none"
    )
    eval_opponents: AgentSpecs = Field(
        "random scripted:link greedy scripted:blocker",
        description="agents to measure it against, in the curve and in the final table",
    )
    curve_games: int = Field(150, ge=1, le=10**6, description="games per opponent for each point of the curve")
    final_games: int = Field(600, ge=1, le=10**6, description="games per opponent for the final table")
    shards: int = Field(2, ge=1, le=64, description="parts into which the games are split; results depend on it")
    threads: int = Field(2, ge=1, le=64, description="threads that share the shards; results do not depend on it")
    watch: Watchers = Field(
        "", pattern=rf"^(({'|'.join(WATCHERS)})( |$))*$", description="send the figures of TensorBoard to these too"
    )

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

    def part(self, kind: type[Part]) -> Part:
        """A part of the plan: a dataclass whose fields have the names that they have here."""
        return kind(**{one.name: getattr(self, one.name) for one in fields(kind)})

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
    def meets_rivals(self) -> bool:
        """Whether the rivals are met, if there are any: with `from_frozen` 0 only where no opponent plays."""
        if not self.rivals.strip() or self.from_frozen:
            return True
        return any(those_who_play(self.in_turns, one) and not those_who_play(self.met, one) for one in self.rulesets_played)

    @property
    def takes_snapshots(self) -> bool:
        """Whether frozen copies of the learner are among its opponents."""
        return self.from_frozen > 0 and self.snapshots > 0

    @property
    def measured(self) -> list[str]:
        """The specs of `eval_opponents`."""
        return self.eval_opponents.split()
