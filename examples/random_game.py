"""One game, decision by decision, in words.

Run it: `python examples/random_game.py --players 3 --seed 7`
"""

import argparse
import json
import random

from hansa_env import Game, Ruleset

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--players", type=int, default=3)
parser.add_argument("--seed", type=int, default=7)
parser.add_argument("--max-turns", type=int, default=100, help="turns per seat, after which the board is scored as it stands")
parser.add_argument("--show", type=int, default=12, help="decisions that are printed")
arguments = parser.parse_args()

# The seed names the game: it shuffles the markers, the only thing that chance decides.
game = Game(Ruleset(players=arguments.players), seed=arguments.seed, max_turns=arguments.max_turns)
choices = random.Random(arguments.seed)

# A game is a sequence of questions, each to one seat. What has one answer only is played by itself.
while not game.over:
    legal = game.legal()
    decision = choices.choice(legal)
    if len(game.decisions) < arguments.show:
        print(f"seat {game.seat}, asked {game.asked!r}, picks {decision!r} of {len(legal)} legal decisions")
    game.play(decision)

print(game)
print(f"\n{len(game.decisions)} decisions; ended by {game.reason or 'the turn limit'}; won by seat {game.winners()}")

# A record is JSON. Reading it checks every decision, and raises RecordError for one that the rules do not allow.
again = Game.from_record(json.dumps(game.record()))
print("replayed from its record:", "same scores" if again.scores() == game.scores() else "other scores")
