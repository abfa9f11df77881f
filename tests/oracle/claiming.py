"""Claim a route (R5)."""

from .desk import develop, fully_developed, may_use_colour
from .model import KINDS, NAMES, controller
from .offices import SHAPES, found_extra_office, found_office, is_green, next_space
from .pawn import allowed_routes
from .permanent import KEEPS_ROUTE_IN_HAND, begin_permanent
from .tokens import pay_tributes
from .turns import begin_action, finish_action


def claimable_routes(game):
    """R5: every post held by the active player."""
    own = (str(game.turn) + "t", str(game.turn) + "m")
    return [
        route
        for route in allowed_routes(game)
        if not any(game.free_posts(lane) for lane in game.board.lanes_of(route))
        and all(piece in own for piece in game.pieces_on(route))
    ]


def claims(game):
    return ["claim " + route for route in claimable_routes(game)]


def play_claim(game, words):
    """R5.1, R5.3; then the player is asked for R5.4."""
    route = words[1]
    begin_action(game)
    reward_controllers(game, route)
    game.task = {"route": route, "marker": take_marker(game, route)}
    game.ask("reward", game.turn)


def reward_controllers(game, route):
    """R5.1; R8.2.5: the neutral player never scores."""
    for city in game.board.routes[route]:
        seat = controller(game, city)
        if seat in range(len(game.players)):
            game.players[seat].prestige += 1


def take_marker(game, route):
    """R5.3: take the marker, if one lies there, and draw a replacement."""
    marker = game.route_markers.pop(route, None)
    if marker is not None:
        game.players[game.turn].markers.append(marker)
        draw_replacement(game)
    return marker


def draw_replacement(game):
    """R5.3: onto the plate of the player in turn; an empty pile ends the game (R7.1)."""
    if game.pile:
        game.players[game.turn].plate.append(game.pile.pop(0))
    else:
        game.marker_missing = True


def legal_reward(game):
    """R5.4."""
    decisions = ["done"]
    decisions += ["office " + city for city in office_cities(game)]
    decisions += ["develop " + ability for ability in developable(game)]
    decisions += ["prestige " + str(points) for points in prestige_spaces(game)]
    if may_use_extra_office(game):
        decisions.append("extra")
    return decisions


def kinds_on_route(game):
    return {piece[1] for piece in game.pieces_on(game.task["route"])}


def office_cities(game):
    """R5.5: the leftmost empty space, its shape and its colour."""
    player = game.players[game.turn]
    kinds = kinds_on_route(game)
    cities = []
    for city in game.board.routes[game.task["route"]]:
        space = next_space(game, city)
        if space is None:
            continue
        if SHAPES[space["shape"]] in kinds and may_use_colour(player, space["privilege"]):
            cities.append(city)
    return cities


def developable(game):
    """R5.8."""
    player = game.players[game.turn]
    shown = game.board.abilities(game.task["route"])
    return [ability for ability in shown if not fully_developed(player, ability)]


def prestige_spaces(game):
    """R5.9: Coellen-Warburg, a merchant, an empty space of a colour one may use."""
    if not game.board.is_prestige_route(game.task["route"]) or "m" not in kinds_on_route(game):
        return []
    player = game.players[game.turn]
    return [
        points
        for points, colour in game.board.prestige_spaces.items()
        if game.prestige_spaces[points] is None and may_use_colour(player, colour)
    ]


def may_use_extra_office(game):
    """R6.2: a marker held before this action, and a city that holds an office."""
    held = game.players[game.turn].markers.count("extra-office")
    if game.task["marker"] == "extra-office":
        held -= 1
    return held > 0 and bool(extra_office_cities(game))


def extra_office_cities(game):
    """R6.2: the city must hold at least one office already; R9.7: a green one may be empty."""
    cities = game.board.routes[game.task["route"]]
    return [city for city in cities if game.offices_right_to_left(city) or is_green(game, city)]


def play_reward(game, words):
    player = game.players[game.turn]
    if words[0] == "extra":
        player.markers.remove("extra-office")
        player.used.append("extra-office")
        game.ask("extra", game.turn)
        return
    if words[0] == "office":
        kind = SHAPES[next_space(game, words[1])["shape"]]
        found_office(game, words[1], take_from_route(game, kind))
        finish_claim(game, founded_in=words[1])
        return
    elif words[0] == "develop":
        develop(game, words[1])
    elif words[0] == "prestige":
        take_from_route(game, "m")
        game.prestige_spaces[int(words[1])] = game.turn
    finish_claim(game)


def take_from_route(game, kind):
    """R9.4: any piece of the kind; those of one kind are alike, on ships or not."""
    piece = str(game.turn) + kind
    lanes = [lane for lane in game.board.lanes_of(game.task["route"]) if piece in game.posts[lane]]
    game.posts[lanes[0]].remove(piece)
    return piece


def legal_extra(game):
    return ["city " + city for city in extra_office_cities(game)]


def play_extra(game, words):
    game.task["extra city"] = words[1]
    game.ask("with", game.turn)


def legal_with_for_extra(game):
    return [NAMES[kind] for kind in kinds_on_route(game)]


def play_with_for_extra(game, words):
    """R6.2."""
    piece = take_from_route(game, KINDS[words[0]])
    found_extra_office(game, game.task["extra city"], piece)
    finish_claim(game, founded_in=game.task["extra city"])


def finish_claim(game, founded_in=None):
    """R5.4: the pieces not used go to the stock; then tributes, then the permanent marker."""
    route = game.task["route"]
    rest = game.pieces_on(route)
    game.clear(route)
    if game.board.permanent.get(route) in KEEPS_ROUTE_IN_HAND:
        game.hand = [piece[1] for piece in rest]
    else:
        for piece in rest:
            game.to_own_pile(piece, "stock")
    if founded_in is None:
        use_permanent_marker(game)
    else:
        pay_tributes(game, founded_in, proceed=use_permanent_marker)


def use_permanent_marker(game):
    """R9.14."""
    marker = game.board.permanent.get(game.task["route"])
    if marker:
        begin_permanent(game, marker)
    else:
        finish_action(game)
