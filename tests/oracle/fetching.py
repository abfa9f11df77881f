"""Lift tradesmen of anyone from posts, then put each on a free post (R9.14a, R9.15)."""

from .model import NAMES, owner
from .room import room_for_all
from .turns import finish_action


def begin(game, at_most, others_only):
    game.task = {"may fetch": at_most, "others only": others_only}
    game.ask("fetch", game.turn)


def pieces_to_fetch(game, lane):
    own_too = not game.task["others only"]
    return {piece for piece in game.posts[lane] if own_too or owner(piece) != game.turn}


def legal_fetch(game):
    decisions = ["done"]
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
        finish_action(game)


def legal_victim_to_fetch(game):
    return list(pieces_to_fetch(game, game.task["lane"]))


def play_victim_to_fetch(game, words):
    game.posts[game.task["lane"]].remove(words[0])
    game.fetched.append(words[0])
    game.task["may fetch"] -= 1
    game.ask("fetch", game.turn)


def legal_drop(game):
    """R9.15: the piece lifted first; room must be left for the others."""
    kind = game.fetched[0][1]
    rest = [piece[1] for piece in game.fetched[1:]]
    return [
        "put " + NAMES[kind] + " " + lane
        for lane in game.lanes_for(kind)
        if room_for_all(game, rest, taken=lane)
    ]


def play_drop(game, words):
    game.posts[words[2]].append(game.fetched.pop(0))
    if not game.fetched:
        finish_action(game)
