"""PettingZoo Classic: chess and connect four."""

import contract


def make():
    from aec_play import player
    from pettingzoo.classic import chess_v6, connect_four_v3

    return {"chess": player(chess_v6.env()), "connect four": player(connect_four_v3.env())}


if __name__ == "__main__":
    contract.main("pettingzoo", make)
