"""Two players with the pawn (R8.1)."""

from .countries import is_permitted
from .turns import begin_action, end_turn, finish_action


def allowed_routes(game):
    """R8.1.4: where one may place, displace and claim, as far as the pawn goes."""
    if not game.with_pawn:
        return list(game.board.routes)
    return [route for route, sides in game.board.sides.items() if game.pawn in sides]


def allowed_lanes(game):
    """R8.1.4, R9.4, R10.5: where one may place and displace."""
    routes = [route for route in allowed_routes(game) if is_permitted(game, route)]
    return [lane for route in routes for lane in game.board.lanes_of(route)]


def legal_setup(game):
    """R8.1.2."""
    return ["pawn " + province for province in game.board.provinces]


def play_setup(game, words):
    game.pawn = words[1]
    game.ask("act", game.turn)


def free_moves(game):
    """R8.1.3: one or two provinces, once per turn."""
    if not game.with_pawn or game.pawn_moved:
        return []
    near = game.board.province_neighbours
    reached = set(near[game.pawn])
    for province in near[game.pawn]:
        reached |= near[province]
    reached.discard(game.pawn)
    return ["pawn " + province for province in reached]


def play_free_move(game, words):
    """R8.1.3, D10: before the first action the turn goes on, later the move ends it."""
    game.pawn = words[1]
    game.pawn_moved = True
    if game.action_taken:
        end_turn(game)


def rides(game):
    return ["ride"] if game.with_pawn else []


def play_ride_action(game, words):
    begin_action(game)
    game.ask("ride", game.turn)


def legal_ride(game):
    """R8.1.3: for one action, any other province."""
    return ["pawn " + province for province in game.board.provinces if province != game.pawn]


def play_ride(game, words):
    game.pawn = words[1]
    finish_action(game)
