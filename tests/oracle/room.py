"""Is there room on the board for all the pieces in hand? (R9.4)"""

from .board import SHIP


def room_for_all(game, kinds, taken):
    """Room for pieces of these kinds together, after one more post of the lane `taken` is filled."""
    houses = ships = 0
    for lane in game.board.lanes:
        free = game.free_posts(lane) - (lane == taken)
        if lane.endswith(SHIP):
            ships += free
        else:
            houses += free
    return kinds.count("t") <= houses and len(kinds) <= houses + ships
