"""Catanatron (Settlers of Catan): whole games of four random players."""

import contract


def make():
    from catanatron import Color, Game, RandomPlayer

    colors = (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)
    seeds = iter(range(1 << 30))

    def play():
        game = Game([RandomPlayer(color) for color in colors], seed=next(seeds))
        game.play()
        return len(game.state.actions)

    return {"four players": play}


if __name__ == "__main__":
    contract.main("catanatron", make)
