"""Information-set Monte Carlo tree search of OpenSpiel plays Hansa Teutonica, among random players. No learning.

Run it: `python examples/openspiel_ismcts.py`; needs `pip install 'hansa-env[openspiel]'`
"""

import argparse
import time

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

from hansa_env import Ruleset
from hansa_env.openspiel import game_string

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--games", type=int, default=6)
parser.add_argument("--simulations", type=int, default=20, help="for a decision")
parser.add_argument("--max-turns", type=int, default=20)
parser.add_argument("--seed", type=int, default=1)
arguments = parser.parse_args()
random = np.random.RandomState(arguments.seed)

name = game_string(Ruleset(players=3), max_turns=arguments.max_turns)
game = pyspiel.load_game(name)
print(f"{name}: {game.num_distinct_actions()} actions, {game.max_chance_outcomes()} deals at the one chance node")


class Lead(mcts.Evaluator):
    """What a position is worth to each player: who leads as the board stands. Playing on at random would say less, later."""

    def evaluate(self, state):
        if state.is_terminal():
            return np.array(state.returns())
        points = state.position.batch.scores()[0, :, -1].astype(float)
        return np.tanh((points - points.mean()) / 10)

    def prior(self, state):
        legal = state.legal_actions()
        return [(action, 1 / len(legal)) for action in legal]


bot = ismcts.ISMCTSBot(game, Lead(), uct_c=0.5, max_simulations=arguments.simulations, random_state=random)
# What the bot cannot see is dealt anew before every simulation: the pile, the faces of markers, others' mission cards.
bot.set_resampler(lambda state, player: state.resample_from_infostate(player, random.uniform))

shares, began, searched = [], time.perf_counter(), 0
for number in range(arguments.games):
    state, seat = game.new_initial_state(), number % game.num_players()
    while not state.is_terminal():
        if state.is_chance_node():
            deals, chances = zip(*state.chance_outcomes())
            state.apply_action(int(random.choice(deals, p=chances)))
        elif state.current_player() == seat:
            state.apply_action(bot.step(state))
            searched += 1
        else:
            state.apply_action(int(random.choice(state.legal_actions())))
    worth = state.returns()[seat]
    shares.append(((game.num_players() - 1) * worth + 1) / game.num_players())
    returns = [round(one, 2) for one in state.returns()]
    print(f"game {number + 1} of {arguments.games}: seat {seat}, returns {returns}", flush=True)
each = (time.perf_counter() - began) / max(searched, 1)
print(f"win share {np.mean(shares):.0%} of {len(shares)} games among two random; {1000 * each:.0f} ms a decision of the search")
