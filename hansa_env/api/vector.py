"""The vectorised form of `hansa/HansaTeutonica-v0`: N games in one batch, opponents asked for all of them at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from hansa_env.api.spaces import (
    RENDER_MODES,
    action_space,
    checked_render_mode,
    keywords_of,
    masked_space,
    observation_space,
    observed,
    rendered,
)
from hansa_env.play.arguments import (
    MAX_TURNS,
    check_seed_count,
    checked_flag,
    checked_options,
    checked_where,
    seeds_from,
    several,
)
from hansa_env.play.learner_batch import LearnerBatch
from hansa_env.ruleset import Ruleset

#: What all rows share, by the name that a single environment has for it.
_SHARED = {"action_space": "single_action_space", "observation_space": "single_observation_space"} | {
    name: name for name in ("ruleset", "max_turns", "reward", "render_mode", "mask_in_observation")
}


class HansaTeutonicaVectorEnv(VectorEnv):
    """N games, each stepped from one decision of its learner's seat to the next.

    Args:
        num_envs: N.
        autoreset_mode: an `AutoresetMode` or its value. Next step (the default): the step after an end deals the next
            game; that row's action is not used. Same step: at once, `info` then has "final_obs" and
            "final_info". Disabled: by `reset(options={"reset_mask": (N,) bool})`. `gymnasium.make_vec` takes it as an
            argument of its own, not in `vector_kwargs`, which it passes only to its own vector classes.
        others: as for `HansaTeutonicaEnv`.

    Row i of `reset(seed=s)` plays what a single environment plays after `reset(seed=s + i)`, unless an opponent draws
    random numbers from one stream for all rows; so opponents made from specs have the seed 0 in both. Observations (N, D)
    int8, rewards (N,) float64, ends (N,) bool; all arrays are new in each step. `info`: "action_mask" (N, A) int8 and "seat"
    (N,), and when games ended "scores" (N, P, K), "rank" (N,), "winners" (N, P) and "cut_off" (N,), each with the rows it is
    for in "_scores" and so on.

    Raises:
        As `HansaTeutonicaEnv`.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1, "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        ruleset: Ruleset | None = None,
        *,
        opponents: Any = "random",
        mix: bool = False,
        seat: str | int = "random",
        max_turns: int | None = MAX_TURNS,
        reward: str = "win",
        illegal_action: str = "raise",
        mask_in_observation: bool = False,
        render_mode: str | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        if max_episode_steps is not None:
            text = "is for a single environment; expected None, and as a limit max_turns, the turns of a seat"
            raise ValueError(f"max_episode_steps is {max_episode_steps!r:.60}; it {text}")
        ruleset = Ruleset.of(ruleset, options, keywords_of(type(self)))
        self.render_mode = checked_render_mode(render_mode)
        self.core = LearnerBatch(
            num_envs, ruleset, opponents, 0, mix=mix, seat=seat, max_turns=max_turns, reward=reward,
            illegal_action=illegal_action,
        )  # fmt: skip
        self.num_envs = self.core.num_envs  # never a NumPy integer
        self.ruleset, self.max_turns, self.reward = ruleset, max_turns, reward
        self.mask_in_observation = checked_flag("mask_in_observation", mask_in_observation)
        self.autoreset_mode = _autoreset_mode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.single_observation_space = masked_space(ruleset) if mask_in_observation else observation_space(ruleset)
        self.single_action_space = action_space(ruleset)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._dealt = False

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Deal new games.

        Args:
            seed: a number, at most 2**64 - N (row i gets seed + i), one for each row, or None: each row goes on to the game
                that follows; the first time it draws one.
            options: {"reset_mask": (N,) bool} deals those rows anew and leaves the others, of which `info` then says that it
                has nothing new ("_seat" and so on are False there).

        Raises:
            ValueError: the options are no dict or have another key, the mask is not a bool array (N,) or, as Gymnasium has it,
                names no row, or there are not N seeds, or one is invalid; nothing has been changed.
            AgentFault: an opponent failed; all rows have to be reset.
            ResetNeeded: the mask leaves rows out that have not been dealt yet, or a step or reset has failed half-way.
        """
        mask = checked_options(options, "reset_mask").get("reset_mask")
        if mask is not None:
            mask = checked_where(mask, self.num_envs, "options['reset_mask']")
            if not mask.any():
                raise ValueError("options['reset_mask'] has no True in it")
            if not self._dealt and not mask.all():
                raise ResetNeeded("options['reset_mask'] leaves rows out, but none has been dealt yet; call reset() without it")
        seeds: list[int | None]
        if seed is None:
            seeds = [None] * self.num_envs
        elif (one_each := several(seed)) is None:
            numbers = seeds_from(seed, self.num_envs)
            super().reset(seed=numbers[0])  # which takes no NumPy integers
            seeds = [*numbers]
        else:
            seeds = one_each
            check_seed_count(seeds, self.num_envs)
        if not self._dealt:
            drawn = self.np_random.integers(2**63, size=self.num_envs)
            seeds = [int(d) if s is None else s for s, d in zip(seeds, drawn)]
        self.core.reset(None if all(s is None for s in seeds) else seeds, mask)
        self._dealt = True
        return self._observed(), self._info(mask)

    def step(self, actions: np.ndarray) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Play the learners' decisions (N,), and the opponents up to the learners' next ones.

        Raises:
            IllegalAction: an action of a running row is not legal, with illegal_action="raise"; nothing has been changed.
            AgentFault: an opponent failed; what the step brought in any row is lost, and all rows have to be reset.
            ResetNeeded: there was no `reset` yet, or none since a step or reset failed half-way; or autoreset is disabled and a
                row is over.
        """
        core, ended = self.core, self.core.ended
        if not self._dealt:
            raise ResetNeeded("call reset() before step()")
        core.check_whole()
        if self.autoreset_mode == AutoresetMode.DISABLED and ended.any():
            rows = np.flatnonzero(ended).tolist()
            raise ResetNeeded(f"rows {rows} are over; reset them with options={{'reset_mask': ...}}")
        core.step(actions)
        infos: dict[str, Any] = {}
        with core.all_or_reset():
            if self.autoreset_mode == AutoresetMode.NEXT_STEP and ended.any():
                core.reset(where=ended)
            rewards = core.rewards.astype(np.float64)
            terminated, truncated = core.terminated.copy(), core.truncated.copy()
            if self.autoreset_mode == AutoresetMode.SAME_STEP and core.ended.any():
                for i in np.flatnonzero(core.ended).tolist():
                    final = {"final_obs": self._observed(i), "final_info": core.info(i)}
                    infos = self._add_info(infos, final, i)
                core.reset(where=core.ended)
            return self._observed(), rewards, terminated, truncated, infos | self._info()

    @property
    def current_player(self) -> np.ndarray:
        """(N,) int64: the seat that decides next in each game, the learner's, since opponents play inside `step`."""
        return self.core.seats.astype(np.int64)

    def action_masks(self) -> np.ndarray:
        """(N, A) bool: the learners' legal actions."""
        return self.core.action_mask.copy()

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """What each of N single environments would answer, (N,), as of Gymnasium's `SyncVectorEnv`.

        Args:
            name: a method ("action_masks", "render") or an attribute ("current_player", "action_space", "observation_space",
                "ruleset", "max_turns", "reward", "render_mode", "mask_in_observation").
            args, kwargs: none; these methods take none.

        Raises:
            AttributeError: another name, of which one row alone has nothing. TypeError: arguments.
        """
        if name in ("action_masks", "render"):
            found = getattr(self, name)(*args, **kwargs)
            return (None,) * self.num_envs if found is None else tuple(found)
        if name == "current_player":
            return tuple(self.current_player.tolist())
        if name not in _SHARED:
            known = ", ".join(("action_masks", "render", "current_player", *_SHARED))
            raise AttributeError(f"a row has no {name!r}; expected one of {known}")
        return (getattr(self, _SHARED[name]),) * self.num_envs

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """As `call(name)`."""
        return self.call(name)

    def set_attr(self, name: str, values: Any) -> None:
        """Raises AttributeError: rows are games of one batch, whose settings are those of `make_vec`."""
        raise AttributeError(f"{name!r} cannot be set: rows are games of one batch; make the environments anew")

    def render(self) -> tuple[str | np.ndarray, ...] | None:
        """The positions as texts ("ansi") or as arrays (H, W, 3) uint8 ("rgb_array"), else None."""
        if self.render_mode is None:
            return None
        return tuple(rendered(self.core.ruleset, game, self.render_mode) for game in self.core.batch.games)

    def _observed(self, row: int | slice = slice(None)) -> Any:
        return observed(self.core, row, self.mask_in_observation)

    def _info(self, told: np.ndarray | None = None) -> dict[str, Any]:
        """What `info` says of the rows (N,) bool that have been dealt or stepped, None = all. Arrays with a place for every row
        hold what is so now in the others too."""
        core, every = self.core, np.ones(self.num_envs, np.bool_) if told is None else told.copy()
        infos = {
            "action_mask": core.action_mask.astype(np.int8),
            "_action_mask": every,
            "seat": core.seats.astype(np.int64),
            "_seat": every.copy(),
        }
        if core.illegal_action == "substitute":
            infos |= {"substituted": core.substituted.copy(), "_substituted": every.copy()}
        rows = core.finished & every
        if rows.any():
            own_rank = core.final_ranks[np.arange(self.num_envs), core.seats]
            for name, value in (
                ("scores", core.final_scores), ("rank", own_rank), ("winners", core.final_ranks == 0),
                ("cut_off", core.cut_off),
            ):  # fmt: skip
                shape = (-1,) + (1,) * (value.ndim - 1)
                infos[name] = np.where(rows.reshape(shape), value, np.zeros((), value.dtype))
                infos[f"_{name}"] = rows.copy()
        return infos


def _autoreset_mode(given: object) -> AutoresetMode:
    try:
        return AutoresetMode(given)
    except ValueError:
        known = ", ".join(mode.value for mode in AutoresetMode)
        raise ValueError(f"autoreset_mode is {given!r:.60}; expected one of {known}") from None
