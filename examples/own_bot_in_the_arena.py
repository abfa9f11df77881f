"""A bot of one's own meets others in the arena, and a game that it lost is looked at.

Run it: `python examples/own_bot_in_the_arena.py --games 100`
The command finds the class too: `cd examples; hansa arena own_bot_in_the_arena:Claimer random --players 3`
"""

import argparse
import json
from pathlib import Path

import numpy as np

from hansa_agents import uniform_numbers
from hansa_agents.arena import Keep, play_match
from hansa_agents.report import print_match
from hansa_env import Agent, Game, Ruleset
from hansa_env.engine.action_space import segments


class Claimer(Agent):
    """Takes an office where it can, claims a route where it can, and else decides at random.

    The arena asks for many games in one call: `inputs`, `masks` and `seats` have a row for each.
    """

    sees = "games"  # their records; with "observations" it would be given (N, D) int8
    name = "claimer"

    def __init__(self, ruleset: Ruleset, seed: int = 0) -> None:
        self.seed = seed
        self.wanted = np.ones(segments(ruleset)[-1].stop)
        for segment in segments(ruleset):  # an action names a thing: a city, a route, an amount of income, ...
            if segment.name in ("city", "route"):
                self.wanted[segment.start : segment.stop] = {"city": 100.0, "route": 10.0}[segment.name]

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """A legal action per row (N,): of the most wanted, any."""
        numbers = uniform_numbers(inputs, self.seed, masks.shape[1])  # the same whatever else is in the batch
        return ((self.wanted + numbers) * masks).argmax(axis=1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--out", type=Path, default=Path("runs/lost.json"), help="where the record of a lost game goes")
    arguments = parser.parse_args()

    ruleset = Ruleset(players=3)
    # Three agents at three seats: every rotation, each on the same deals. Agents are given by spec or as objects.
    match = play_match([Claimer(ruleset), "random", "greedy"], ruleset, arguments.games, seed=1, keep=Keep(actions=True))
    print_match(match)

    lost = next(game for game in match.results if game.shares[game.agents.index("claimer")] == 0)
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    arguments.out.write_text(json.dumps(lost.record(ruleset, match.max_turns)))
    game = Game.from_record(arguments.out.read_text())  # raises RecordError for a record that does not replay
    print(f"game {lost.number}, seed {lost.seed}, was won by {[lost.agents[seat] for seat in game.winners()]}")
    print(f"scores of {', '.join(lost.agents)}: {[scores[-1] for scores in game.scores()]}")
    print(game.rewound(len(game.decisions) // 2))
    print(f"see it whole with: hansa replay {arguments.out}")


if __name__ == "__main__":
    main()
