"""What every kernel makes of recorded games, as digests: `python -m tests.engine.traces` prints them by game."""

from __future__ import annotations

import hashlib
import json
import warnings

import numpy as np

from hansa_agents import make_agent
from hansa_env import HansaBatch, Ruleset
from hansa_env.engine.kernels import hide_games
from hansa_env.engine.state import GAME
from hansa_env.formats.notation import parse_decision
from tests.helpers import RULESETS
from tests.playthroughs import TURNS_PER_SEAT, read

#: Plain Python is slow: the players' views and the bots' answers are looked at once in so many decisions.
EVERY = 3
#: Modules that count modulo 2**64; an overflow anywhere else is a mistake that compiled code would make in silence.
MODULAR = r"hansa_env\.engine\.(rng|bits|identity|kernels|rules\.(setup|missions|favours))|hansa_agents\.streams"


def trace(ruleset: Ruleset) -> list[str]:
    """A digest per decision of a recorded game: the record's bytes, and what kernels and bots make of it."""
    seed, decisions, _ = read(ruleset)
    batch = HansaBatch(1, ruleset, seeds=[seed], max_turns=TURNS_PER_SEAT)
    bots = [make_agent(name, ruleset, 3) for name in ("random", "greedy")]
    seen = []
    for number, text in enumerate(decisions):
        whole = hashlib.blake2b(batch.games.tobytes(), digest_size=8)
        hidden = np.zeros(1, GAME)
        hide_games(batch.games, batch.tables, hidden)
        views = [batch.observe(seats=seat) for seat in range(ruleset.players)] if number % EVERY == 0 else []
        answers = [bot.act(batch.games, batch.action_mask, batch.seat) for bot in bots] if number % EVERY == 0 else []
        for part in (hidden, batch.action_mask, batch.scores(), batch.ranks(), batch.hashes(), batch.rewards, *views, *answers):
            whole.update(np.ascontiguousarray(part).tobytes())
        seen.append(whole.hexdigest())
        batch.step(np.array([parse_decision(ruleset, batch.games[0], text)]))
    ending = batch.rewards.tobytes() + batch.final_scores.tobytes()
    batch.reset()
    return [*seen, hashlib.blake2b(ending + batch.games.tobytes(), digest_size=8).hexdigest()]


if __name__ == "__main__":
    warnings.simplefilter("error")
    warnings.filterwarnings("ignore", "overflow encountered in scalar", RuntimeWarning, module=MODULAR)
    print(json.dumps([trace(ruleset) for ruleset in RULESETS]))
