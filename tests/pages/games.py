"""Games for the tests of pages."""

from __future__ import annotations

import numpy as np

from hansa_env import Game, Ruleset


def a_game(ruleset: Ruleset, decisions: int, seed: int = 0, agents: list[str] | None = None) -> Game:
    """A game of so many random decisions, or to its end; claims and offices are preferred, so that something happens."""
    game, rng = Game(ruleset, seed=seed, max_turns=None), np.random.default_rng(seed)
    for _ in range(decisions):
        if game.over:
            break
        legal = game.legal()
        wanted = [text for text in legal if text.startswith(("claim", "office", "displace", "extra", "exchange"))]
        game.play(str(rng.choice(wanted if wanted and rng.random() < 0.7 else legal)))
    game.agents = agents
    return game


def with_estimates(game: Game) -> Game:
    """The game with an estimate, the same for all, at every second decision."""
    again = game.rewound(0)
    for number, (_, text) in enumerate(game.decisions):
        if number % 2 == 0:
            others = [[other, 0.1, 0.25] for other in again.legal() if other != text][:2]
            game.estimated_by = ["ppo"] * game.ruleset.players
            game.estimates[number] = {"likeliest": [[text, 0.6, None], *others], "value": 0.4}
        again.play(text)
    return game
