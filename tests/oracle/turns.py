"""The turn, its end with the replacement markers, and the end of the game."""

from .desk import value
from .model import NEUTRAL_TRADER

PRESTIGE_TO_END = 20


def begin_turn(game, seat):
    """R2.1: as many actions as the player's ability shows."""
    game.turn = seat
    game.actions_left = actions_of(game.players[seat])
    game.turn_begins = True
    game.action_taken = False
    game.pawn_moved = False
    game.favour_bought = False
    game.permissions_used = []
    game.ask("act", seat)


def actions_of(player):
    """R2.1; R12.4: one more with the tile `action`."""
    return value(player, "actions") + ("action" in player.favours)


def begin_action(game):
    """The action is deducted before its first question."""
    game.actions_left -= 1
    game.action_taken = True


def finish_action(game):
    """R7.1: the game ends at the end of an action."""
    game.task = None
    if any(player.prestige >= PRESTIGE_TO_END for player in game.players):
        end_game(game, "prestige")
    elif game.marker_missing:
        end_game(game, "markers")
    elif game.completed >= game.board.cities_to_end:
        end_game(game, "cities")
    else:
        game.ask("act", game.turn)


def finish_marker(game):
    """A marker is no action: back to the turn."""
    game.task = None
    game.ask("act", game.turn)


def end_turn(game):
    """R2.4: place the markers of the plate, then the next seat moves."""
    if game.players[game.turn].plate and replacement_routes(game):
        game.ask("marker", game.turn)
        return
    game.turns_done += 1
    if game.turns_done == game.turn_limit:
        close(game, None)
    else:
        begin_turn(game, (game.turn + 1) % len(game.players))


def replacement_routes(game):
    """R6.7: no marker, no tradesman, and an empty printed space at one end.

    R9.12: a green city has no printed space, so never an empty one.
    """
    return [
        route
        for route, (one, other) in game.board.routes.items()
        if game.board.takes_marker(route)
        and route not in game.route_markers
        and not game.pieces_on(route)
        and (None in game.offices[one] or None in game.offices[other])
    ]


def legal_marker(game):
    return ["route " + route for route in replacement_routes(game)]


def play_marker(game, words):
    """R6.7, D11: the marker drawn first; R8.2.4: with a neutral trader."""
    route = words[1]
    game.route_markers[route] = game.players[game.turn].plate.pop(0)
    if game.with_neutrals:
        game.posts[route].append(NEUTRAL_TRADER)
    end_turn(game)


def note_stalled_turn(game, only_done):
    """R7.8: called once at the very beginning of each turn."""
    if not only_done:
        game.stalled_turns = 0
        return
    game.stalled_turns += 1
    if game.stalled_turns == len(game.players):
        end_game(game, "stalled")


def end_game(game, reason):
    """R7.1: remaining actions lapse, plate markers leave the game."""
    for player in game.players:
        game.discarded += player.plate
        player.plate.clear()
    close(game, reason)


def close(game, reason):
    game.actions_left = 0
    game.over = True
    game.reason = reason
    game.task = None
    game.ask("over", None)
