"""A Stable-Baselines3 `VecEnv`: one learner seat per game, masks by `env_method("action_masks")` for MaskablePPO.

Each environment is the stream of one seat: from its decision to its next one, or to the end of the game, with the
rewards it earned meanwhile. Opponents play inside the step.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecEnv

from hansa_env.api.spaces import action_space, observation_space, rendered
from hansa_env.play.agents import Agent
from hansa_env.play.arguments import MAX_TURNS, seeds_from
from hansa_env.play.learner_batch import LearnerBatch
from hansa_env.ruleset import Ruleset

#: The potential (N,) of game records (N,) for seats (N,), finite numbers, see `HansaVecEnv`.
Potential = Callable[[Ruleset, np.ndarray, np.ndarray], np.ndarray]


class HansaVecEnv(VecEnv):
    """N games of one ruleset for Stable-Baselines3.

    Args:
        num_envs: N.
        ruleset: the game that is played.
        opponents, seed, seat, max_turns, reward, mix: see `LearnerBatch`.
        potential: Φ(ruleset, games, seats), which says how well each seat (N,) of game records (N,) stands, as numbers (N,).
            discount · Φ(next) − Φ(now) is added to every reward, with Φ = 0 at the end. Over a game the additions, discounted,
            come to −Φ(first decision) whatever is played, so the best play stays what it was and is only found sooner. The
            records are the batch's own: read them, do not write.
        discount: the gamma of the learner, 0 to 1. With another one the best play does change.
        render_mode: "rgb_array" for pictures, also those of `VecVideoRecorder`: of all games, a third of a second each.

    A finished game is dealt anew in the same step; `infos[i]` then holds "terminal_observation", "episode" {"r": sum of
    rewards without potentials, "l": decisions, "t": seconds}, "seat", "scores" (P, K), "rank" (0 = first), "winners" (P,)
    bool, "cut_off" (it ended by max_turns) and "TimeLimit.truncated", which is always False: a game that is cut off is scored
    and over, and the learner must not add the value of its last position to that. So no `Monitor` or `VecMonitor` is needed:
    a learner's log and `evaluate_policy` take "episode" from here. `VecMonitor` writes its own over it, whose "r" has the
    potentials in it.

    Raises:
        ValueError: an argument is not one of those named, or the potential gives something else than N finite numbers.
    """

    def __init__(
        self,
        num_envs: int,
        ruleset: Ruleset,
        opponents: Any = ("random",),
        seed: int | None = 0,
        seat: str | int = "random",
        max_turns: int | None = MAX_TURNS,
        reward: str = "win",
        potential: Potential | None = None,
        discount: float = 1.0,
        *,
        mix: bool = False,
        render_mode: str | None = None,
    ) -> None:
        self.ruleset = ruleset
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"render_mode is {render_mode!r:.60}; expected None or 'rgb_array'")
        self.render_mode = render_mode
        self.core = LearnerBatch(
            num_envs, ruleset, opponents, seed=seed, seat=seat, max_turns=max_turns, reward=reward, mix=mix
        )
        if potential is not None and not callable(potential):
            raise ValueError(f"potential is {potential!r:.60}; expected a function of ruleset, game records and seats, or None")
        if not isinstance(discount, (int, float, np.floating)) or not 0 <= discount <= 1:
            raise ValueError(f"discount is {discount!r}; expected a number from 0 to 1, the learner's gamma")
        self.potential, self.discount = potential, discount
        self.max_turns, self.reward, self.mix = self.core.max_turns, self.core.reward, self.core.mix
        super().__init__(self.core.num_envs, observation_space(ruleset), action_space(ruleset))
        self._began = time.monotonic()
        self._returns, self._lengths = np.zeros(self.num_envs), np.zeros(self.num_envs, np.int64)
        self._now = self._potential()

    def seed(self, seed: int | None = None) -> list[int | None]:
        """Name the games of the next `reset`: row i plays the one of seed + i, which are returned; None draws a seed.

        Raises ValueError: it is no whole number from 0 to 2**64 - N; the next `reset` is what it was.
        """
        if seed is None:
            return list(super().seed())
        self._seeds = [*seeds_from(seed, self.num_envs)]
        return self._seeds

    def reset(self) -> np.ndarray:
        """(N, D) int8: the observation of each learner's first decision. After `seed(s)` row i plays the game s + i, otherwise
        the game that follows from the one before; the first time, from the one that `HansaBatch` deals of the same seed.
        Opponents made from specs begin anew after `seed(s)`, with s as their seed; otherwise they go on."""
        self.core.reset(None if self._seeds[0] is None else self._seeds, opponents_seed=self._seeds[0])
        with self.core.all_or_reset():
            self._reset_seeds()
            self._reset_options()
            self._returns[:], self._lengths[:] = 0, 0
            self._now = self._potential()
        return self.core.observation.copy()

    def step_async(self, actions: np.ndarray) -> None:
        """Take the learners' actions (N,); `step_wait` plays them and checks them then."""
        self._actions = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict]]:
        """Play the actions of `step_async`, then the opponents' up to each learner's next decision.

        Returns:
            Observations (N, D) int8, of the next game where one ended; rewards (N,) float32; which games ended (N,) bool; and
            for each row a dict, empty unless its game ended. Then it has "terminal_observation" (D,) int8, "episode" (return,
            length, seconds), "seat", "scores" (P, K) int16, "rank" (0 = first), "winners" (P,) bool and "cut_off".

        Raises:
            IllegalAction: an action is not legal; no game has been changed. AgentFault: an opponent failed. ValueError: the
                potential failed. After these two the games have gone on, and what the step brought is lost. ResetNeeded: a
                step or reset has failed half-way, and there was no `reset` since.
        """
        core = self.core
        core.step(self._actions)
        with core.all_or_reset():
            return self._after_step()

    def _after_step(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict]]:
        core = self.core
        rewards = core.rewards.astype(np.float32)
        done = core.ended
        self._returns += rewards
        self._lengths += 1
        if self.potential is not None:
            after = np.where(done, 0, self._potential())
            rewards += (self.discount * after - self._now).astype(np.float32)
            self._now = after
        infos: list[dict] = [{} for _ in range(self.num_envs)]
        if done.any():
            for i in np.flatnonzero(done).tolist():
                infos[i] = self._episode_info(i)
            self._returns[done], self._lengths[done] = 0, 0
            core.reset(where=done)
            if self.potential is not None:
                self._now[done] = self._potential()[done]
        return core.observation.copy(), rewards, done, infos

    @property
    def current_player(self) -> np.ndarray:
        """(N,) int64: the seat that decides next in each game, the learner's."""
        return self.core.seats.astype(np.int64)

    def action_masks(self) -> np.ndarray:
        """The legal actions (N, A) bool of each learner."""
        return self.core.action_mask.copy()

    def _potential(self) -> np.ndarray:
        count = self.core.num_envs
        if self.potential is None:
            return np.zeros(count)
        found = np.array(self.potential(self.ruleset, self.core.batch.games, self.core.seats.copy()), np.float64)
        if found.shape != (count,) or not np.isfinite(found).all():
            what = f"shape {found.shape}" if found.shape != (count,) else f"{found[~np.isfinite(found)][0]}"
            raise ValueError(f"potential gave {what}; expected finite numbers ({count},), one for each game")
        return found

    def _episode_info(self, i: int) -> dict:
        seat = int(self.core.seats[i])
        return {
            "terminal_observation": self.core.observation[i].copy(),
            "TimeLimit.truncated": False,
            "cut_off": bool(self.core.cut_off[i]),
            "episode": {
                "r": float(self._returns[i]),
                "l": int(self._lengths[i]),
                "t": round(time.monotonic() - self._began, 6),
            },
            "seat": seat,
            "scores": self.core.final_scores[i].copy(),
            "rank": int(self.core.final_ranks[i, seat]),
            "winners": self.core.final_ranks[i] == 0,
        }

    @property
    def opponents(self) -> list[Agent]:
        """The agents that play the other seats; `set_opponents` replaces them."""
        return list(self.core.opponents)

    def set_opponents(self, opponents: Any) -> None:
        """Let other agents, or specs, play from now on, such as older copies of what learns; games under way go on with them.
        Those of specs have the seed of the ones before: the constructor's, or that of `seed(s)` once it was reset.

        Raises:
            ValueError, AgentError: as of `LearnerBatch`; nothing has been changed.
        """
        self.core.set_opponents(opponents)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """What `MaskablePPO` calls: "action_masks" gives the mask (A,) bool of each row.

        Raises AttributeError for any other name.
        """
        rows = self._get_indices(indices)
        if method_name != "action_masks":
            raise AttributeError(f"the environments have no method {method_name!r}, only 'action_masks'")
        masks = self.action_masks()
        return [masks[i] for i in rows]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The attribute, once for each row: they share all of them but "current_player" and "action_masks", which gives a row's
        own mask (A,) bool when called. Raises AttributeError where there is none."""
        rows = self._get_indices(indices)
        if attr_name == "action_masks":
            return [partial(self._mask_of, row) for row in rows]
        if attr_name == "current_player":
            return self.current_player[[*rows]].tolist()
        return [getattr(self, attr_name) for _ in rows]

    def _mask_of(self, row: int) -> np.ndarray:
        return self.core.action_mask[row].copy()

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set "opponents", of all rows together, as `set_opponents` does. Raises AttributeError for anything else: rows are
        games of one batch, and its settings are those that it was made with. ValueError: for some rows alone."""
        if attr_name != "opponents":
            raise AttributeError(f"{attr_name!r} cannot be set, only 'opponents'; make the environments anew")
        if indices is not None:
            raise ValueError("opponents are those of all environments; expected no indices")
        self.set_opponents(value)

    def has_attr(self, attr_name: str) -> bool:
        """Whether the rows have the attribute."""
        return hasattr(self, attr_name)

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        """True for each row where it is about SB3's `Monitor`, since the infos have what that one adds; otherwise False."""
        return [wrapper_class is Monitor for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[np.ndarray | None]:
        """Pictures (H, W, 3) uint8 of every game, which `render` tiles; without a render mode (N,) times None."""
        if self.render_mode is None:
            return [None] * self.num_envs
        return [np.asarray(rendered(self.ruleset, game, self.render_mode)) for game in self.core.batch.games]

    def close(self) -> None:
        """Nothing is to be closed."""
