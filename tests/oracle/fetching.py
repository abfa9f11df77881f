"""Lift tradesmen from posts, then put each on a free post (R9.14a, R9.15, R13.3)."""

from .model import NAMES, owner
from .room import room_in_own_countries
from .turns import finish_action, finish_marker

MOVE_TWO = 2
MOVE_THREE = 3


def begin_move_two(game):
    """R9.14a, a permanent marker: up to two, of anyone, also none."""
    game.task = {"may fetch": MOVE_TWO, "others only": False, "finish": finish_action}
    game.ask("fetch", game.turn)


def begin_move_three(game):
    """R13.3, a marker of the desk: one to three, of others."""
    game.task = {"may fetch": MOVE_THREE, "others only": True, "finish": finish_marker}
    game.ask("fetch", game.turn)


def others_on_posts(game):
    return any(owner(piece) != game.turn for pieces in game.posts.values() for piece in pieces)


def pieces_to_fetch(game, lane):
    own_too = not game.task["others only"]
    return {piece for piece in game.posts[lane] if own_too or owner(piece) != game.turn}


def legal_fetch(game):
    may_stop = bool(game.fetched) or not game.task["others only"]
    decisions = ["done"] if may_stop else []
    if game.task["may fetch"] > 0:
        decisions += ["route " + lane for lane in game.board.lanes if pieces_to_fetch(game, lane)]
    return decisions


def play_fetch(game, words):
    if words[0] == "route":
        game.task["lane"] = words[1]
        game.ask("victim", game.turn)
    elif game.fetched:
        game.ask("drop", game.turn)
    else:
        game.task["finish"](game)


def legal_victim_to_fetch(game):
    return list(pieces_to_fetch(game, game.task["lane"]))


def play_victim_to_fetch(game, words):
    lane = game.task["lane"]
    game.posts[lane].remove(words[0])
    game.fetched.append((words[0], game.board.country[game.board.lanes[lane]]))
    game.task["may fetch"] -= 1
    game.ask("fetch", game.turn)


def legal_drop(game):
    """R9.15: the piece lifted first; room must be left for the others; R10.12: in its country."""
    first, own_country = game.fetched[0]
    rest = [(piece[1], country) for piece, country in game.fetched[1:]]
    return [
        "put " + NAMES[first[1]] + " " + lane
        for lane in game.lanes_for(first[1])
        if game.board.country[game.board.lanes[lane]] == own_country and room_in_own_countries(game, rest, taken=lane)
    ]


def play_drop(game, words):
    piece, _ = game.fetched.pop(0)
    game.posts[words[2]].append(piece)
    if not game.fetched:
        game.task["finish"](game)
