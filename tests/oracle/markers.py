"""Markers used between actions (R2.3, R6, R13.3)."""

from . import fetching
from .desk import develop, undeveloped
from .model import owner
from .tokens import promo_decisions
from .turns import finish_marker

REMOVE_AT_MOST = 3


def marker_decisions(game):
    """The markers the player in turn may use at `act`."""
    held = game.players[game.turn].markers
    decisions = []
    if not game.favour_bought:  # R12.3: it gave up all actions of the turn
        decisions += [kind for kind in ("+3", "+4") if kind in held]
    if "exchange" in held and exchange_cities(game):
        decisions.append("exchange")
    if "remove-three" in held and not game.board.regions and any(game.posts.values()):
        decisions.append("remove")
    if marker_to_move_three(game) and fetching.others_on_posts(game):
        decisions.append("remove")
    if "upgrade" in held:
        player = game.players[game.turn]
        decisions += ["develop " + ability for ability in undeveloped(player)]
    return decisions + promo_decisions(game)


def use_marker(game, kind):
    """R6.1: turned face down and kept."""
    player = game.players[game.turn]
    player.markers.remove(kind)
    player.used.append(kind)


def play_more_actions(game, words):
    """R6.6."""
    use_marker(game, words[0])
    game.actions_left += int(words[0])


def play_upgrade(game, words):
    """R6.5."""
    use_marker(game, "upgrade")
    develop(game, words[1])


def exchange_pairs(game, city):
    """R6.3, D6: I for printed offices I and I+1 of different owners, 1 = leftmost."""
    spaces = game.offices[city]
    return [
        index + 1
        for index in range(len(spaces) - 1)
        if spaces[index] and spaces[index + 1] and may_exchange(game, spaces[index : index + 2])
    ]


def may_exchange(game, pieces):
    """D6: different owners; R13.1: in the edition bigbox one of them is who exchanges."""
    owners = {owner(piece) for piece in pieces}
    return len(owners) == 2 and (game.config["edition"] != "bigbox" or game.turn in owners)


def exchange_cities(game):
    return [city for city in game.board.cities if exchange_pairs(game, city)]


def play_exchange_marker(game, words):
    use_marker(game, "exchange")
    game.ask("exchange", game.turn)


def legal_exchange(game):
    return ["city " + city for city in exchange_cities(game)]


def play_exchange(game, words):
    game.task = {"city": words[1]}
    game.ask("pair", game.turn)


def legal_pair(game):
    return ["pair " + str(pair) for pair in exchange_pairs(game, game.task["city"])]


def play_pair(game, words):
    """R6.3: the two swap places; no coin is paid again."""
    left = int(words[1]) - 1
    spaces = game.offices[game.task["city"]]
    spaces[left], spaces[left + 1] = spaces[left + 1], spaces[left]
    finish_marker(game)


def marker_to_move_three(game):
    """R13.3; R13.2: on Britannia a remove-three is played as one. The marker held, or None."""
    kinds = ["move-three"] + ["remove-three"] * bool(game.board.regions)
    held = [kind for kind in kinds if kind in game.players[game.turn].markers]
    return held[0] if held else None


def play_remove_marker(game, words):
    """R6.4, or R13.3."""
    kind = marker_to_move_three(game)
    if kind:
        use_marker(game, kind)
        fetching.begin_move_three(game)
        return
    use_marker(game, "remove-three")
    game.task = {"removed": 0}
    game.ask("remove", game.turn)


def legal_remove(game):
    """R6.4: 1 to 3 tradesmen, from any posts."""
    removed = game.task["removed"]
    decisions = ["done"] if removed > 0 else []
    if removed < REMOVE_AT_MOST:
        decisions += ["route " + route for route, pieces in game.posts.items() if pieces]
    return decisions


def play_remove(game, words):
    if words[0] == "done":
        finish_marker(game)
    else:
        game.task["route"] = words[1]
        game.ask("victim", game.turn)


def legal_victim_to_remove(game):
    """R6.4, D7: anyone's."""
    return list(set(game.posts[game.task["route"]]))


def play_victim_to_remove(game, words):
    """R6.4: to its owner's supply."""
    game.posts[game.task["route"]].remove(words[0])
    game.to_own_pile(words[0], "supply")
    game.task["removed"] += 1
    game.ask("remove", game.turn)
