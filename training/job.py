"""The main job: a warm start, self-play with MaskablePPO, a learning curve, a final table. It resumes where it stopped."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import CallbackList
from stable_baselines3.common.logger import configure

from hansa_agents.arena import play_match
from hansa_env import Ruleset
from hansa_env.sb3 import HansaVecEnv
from hansa_training.curve import draw_curve
from hansa_training.policy import POLICY_KWARGS, ModelError, brand, load_model
from hansa_training.progress import ProgressCallback, progress_bar, rate_of
from hansa_training.self_play import SelfPlay
from hansa_training.shaping import potential
from hansa_training.warm_start import imitate

OPPONENTS = ("random", "greedy")


class JobError(ValueError):
    """A run cannot be started or resumed; says why."""


@dataclass(frozen=True)
class Plan:
    """What a run does. Amounts are decisions; the defaults take about five minutes on two cores."""

    players: int = 3
    edition: str = "fourth"
    seed: int = 0
    warm_start: int = 400_000  # decisions labelled by the teacher, 0 = from scratch
    self_play: int = 1_200_000  # decisions of the learner seats
    envs: int = 256
    rollout: int = 32  # decisions per environment and rollout
    epochs: int = 3
    rows: int = 1024  # of a minibatch
    learning_rate: float = 3e-4
    discount: float = 0.998
    entropy: float = 0.003
    value_rollouts: int = 4  # first rollouts that train the value head alone
    evaluate_every: int = 24  # rollouts
    curve_games: int = 150  # per point and opponent
    final_games: int = 600  # per opponent
    threads: int = 2

    @property
    def ruleset(self) -> Ruleset:
        return Ruleset(self.players, self.edition)


class Job:
    """One run in one folder: `plan.json`, `model.zip`, `curve.jsonl`, `curve.png`, `result.json`, TensorBoard events."""

    def __init__(self, plan: Plan, folder: Path, console: Console | None = None) -> None:
        self.plan, self.folder = plan, folder
        self.console = console or Console()
        self.model_file, self.curve_file = folder / "model.zip", folder / "curve.jsonl"

    def run(self, resume: bool = False) -> dict:
        """Train and evaluate; returns the final result, which is also in `result.json`."""
        torch.set_num_threads(self.plan.threads)
        began = time.monotonic()
        self._open(resume)
        with progress_bar() as progress:
            if not self.model_file.exists():
                self._warm_start(progress)
            self._self_play(progress)
            result = self._final(progress)
        draw_curve(self.points(), self.folder / "curve.png", self.plan)
        (self.folder / "result.json").write_text(json.dumps(result, indent=1) + "\n")
        self._print(result, time.monotonic() - began)
        return result

    def points(self) -> list[dict]:
        """The learning curve so far."""
        if not self.curve_file.exists():
            return []
        return [json.loads(line) for line in self.curve_file.read_text().splitlines()]

    def _open(self, resume: bool) -> None:
        plan_file = self.folder / "plan.json"
        if plan_file.exists():
            if not resume:
                raise JobError(f"{self.folder} holds a run already; resume it, or name another folder")
            if json.loads(plan_file.read_text()) != asdict(self.plan):
                raise JobError(f"{plan_file} is the plan of another run; resume with the same options")
        elif resume:
            raise JobError(f"{self.folder} holds no run to resume")
        self.folder.mkdir(parents=True, exist_ok=True)
        plan_file.write_text(json.dumps(asdict(self.plan), indent=1) + "\n")

    def _environment(self) -> HansaVecEnv:
        plan = self.plan
        return HansaVecEnv(plan.envs, plan.ruleset, ["greedy"], plan.seed, potential=potential, discount=plan.discount)

    def _new_model(self) -> MaskablePPO:
        plan = self.plan
        model = MaskablePPO(
            "MlpPolicy",
            self._environment(),
            learning_rate=plan.learning_rate,
            n_steps=plan.rollout,
            batch_size=plan.rows,
            n_epochs=plan.epochs,
            gamma=plan.discount,
            ent_coef=plan.entropy,
            target_kl=0.03,
            policy_kwargs=POLICY_KWARGS,
            seed=plan.seed,
            device="cpu",
        )
        brand(model, plan.ruleset)
        return model

    def _warm_start(self, progress: Progress) -> None:
        model = self._new_model()
        task = progress.add_task("warm start", total=max(1, self.plan.warm_start), rate="", note="")

        def report(done: int, share: float) -> None:
            note = f"copies {share:.0%} of the choices"
            progress.update(task, completed=done, rate=rate_of(progress, task), note=note)

        if self.plan.warm_start:
            imitate(model.policy, self.plan.ruleset, self.plan.warm_start, self.plan.seed, report)
        model.save(self.model_file)

    def _self_play(self, progress: Progress) -> None:
        plan = self.plan
        model = load_model(str(self.model_file), plan.ruleset)
        model.set_env(self._environment())
        model.set_logger(configure(str(self.folder / "tensorboard"), ["tensorboard"]))
        if not self.points():
            self._add_point(model, progress)
        task = progress.add_task(
            "self-play", total=plan.self_play, completed=model.num_timesteps, rate="", note=self._note()
        )
        round_size = plan.envs * plan.rollout
        callbacks = CallbackList([SelfPlay(plan.ruleset, seed=plan.seed), ProgressCallback(progress, task)])
        actor = [*model.policy.mlp_extractor.policy_net.parameters(), *model.policy.action_net.parameters()]
        while model.num_timesteps < plan.self_play:
            rollouts = model.num_timesteps // round_size
            value_only = rollouts < plan.value_rollouts
            for parameter in actor:
                parameter.requires_grad_(not value_only)
            until = plan.value_rollouts if value_only else rollouts + plan.evaluate_every
            steps = min(until * round_size, plan.self_play) - model.num_timesteps
            model.learn(steps, callback=callbacks, reset_num_timesteps=False)
            if not value_only:
                self._add_point(model, progress)
                progress.update(task, note=self._note())

    def _add_point(self, model: MaskablePPO, progress: Progress) -> None:
        """Save the model and measure it: a point of the curve, kept only together with its checkpoint."""
        model.save(self.model_file)
        point = {"decisions": model.num_timesteps}
        for opponent in OPPONENTS:
            measured = self._measure(opponent, self.plan.curve_games, seed=1_000_003)
            point[opponent], point[f"{opponent} score"] = measured["share"], measured["mean_score"]
            model.logger.record(f"arena/win share against {opponent}", measured["share"])
            model.logger.record(f"arena/mean score against {opponent}", measured["mean_score"])
        model.logger.dump(model.num_timesteps)
        with self.curve_file.open("a") as file:
            file.write(json.dumps(point) + "\n")

    def _note(self) -> str:
        point = self.points()[-1]
        return ", ".join(f"{point[name]:.0%} against {name}" for name in OPPONENTS)

    def _measure(self, opponent: str, games: int, seed: int) -> dict:
        field = [opponent] * (self.plan.players - 1)
        match = play_match([f"ppo:{self.model_file}", *field], self.plan.ruleset, games, seed=seed, progress=False)
        line = match.rows[0]
        return {"opponent": opponent, "games": match.games, "share": line.share, "low": line.low, "high": line.high,
                "mean_score": line.mean_score, "mean_rank": line.mean_rank}  # fmt: skip

    def _final(self, progress: Progress) -> dict:
        task = progress.add_task("final games", total=len(OPPONENTS), rate="", note="")
        lines = []
        for opponent in OPPONENTS:
            lines.append(self._measure(opponent, self.plan.final_games, seed=2_000_003))
            progress.advance(task)
        return {"plan": asdict(self.plan), "curve": self.points(), "final": lines}

    def _print(self, result: dict, seconds: float) -> None:
        table = Table(title=f"MaskablePPO, {self.plan.players} players, {seconds / 60:.1f} minutes")
        for column in ("against two", "games", "win share", "95 % interval", "chance", "mean score", "mean rank"):
            table.add_column(column, justify="left" if column == "against two" else "right")
        for line in result["final"]:
            interval = f"{line['low']:.1%} – {line['high']:.1%}"
            table.add_row(line["opponent"], str(line["games"]), f"{line['share']:.1%}", interval,
                          f"{1 / self.plan.players:.1%}", f"{line['mean_score']:.1f}", f"{line['mean_rank']:.2f}")  # fmt: skip
        self.console.print(table)
        self.console.print(f"model {self.model_file}, learning curve {self.folder / 'curve.png'}, "
                           f"TensorBoard: tensorboard --logdir {self.folder}", soft_wrap=True)  # fmt: skip


__all__ = ["Job", "JobError", "ModelError", "Plan"]
