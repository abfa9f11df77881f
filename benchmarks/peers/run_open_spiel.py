"""OpenSpiel: chess and backgammon; whole games in C++ by its uniform random bots, and a Python loop over the core."""

import random

import contract


def in_python(game):
    rng = random.Random(0)

    def play():
        state, made = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes())
                state.apply_action(rng.choices(outcomes, chances)[0])
                continue
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
            made += 1
        return made

    return play


def in_cpp(game):
    import pyspiel

    bots = [pyspiel.make_uniform_random_bot(player, player) for player in range(2)]
    seeds = iter(range(1 << 30))

    def play():
        state = game.new_initial_state()
        pyspiel.evaluate_bots(state, bots, next(seeds))
        return sum(entry.player >= 0 for entry in state.full_history())

    return play


def make():
    import pyspiel

    games = {name: pyspiel.load_game(name) for name in ("chess", "backgammon")}
    plays = {f"{name}, Python loop": in_python(game) for name, game in games.items()}
    return plays | {name: in_cpp(game) for name, game in games.items()}


if __name__ == "__main__":
    contract.main("open_spiel", make)
