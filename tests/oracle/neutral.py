"""Two players with the neutral traders (R8.2)."""

from .claiming import draw_replacement, reward_controllers
from .model import NEUTRAL_TRADER
from .offices import fill_space


def set_up_neutral_traders(game):
    """R8.2.1, D12: one on each route at a special city, one on each tavern route."""
    for route in game.board.routes:
        if game.board.touches_special_city(route) or route in game.board.taverns:
            game.posts[route].append(NEUTRAL_TRADER)


def wholly_neutral(game, route):
    return game.posts[route] == [NEUTRAL_TRADER] * game.board.size[route]


def begin_neutral_claim(game, route):
    """R8.2.3, up to the choice of the city; D8: controllers score."""
    reward_controllers(game, route)
    if route in game.route_markers:
        game.discarded.append(game.route_markers.pop(route))
        draw_replacement(game)
    if cities_with_space(game, route):
        game.task["neutral route"] = route
        game.ask("neutral", game.turn)
    else:
        clear_neutral_route(game, route)


def cities_with_space(game, route):
    return [city for city in game.board.routes[route] if None in game.offices[city]]


def legal_neutral(game):
    return ["city " + city for city in cities_with_space(game, game.task["neutral route"])]


def play_neutral(game, words):
    """R8.2.3: any shape and colour; then the relocation goes on."""
    fill_space(game, words[1], NEUTRAL_TRADER)
    clear_neutral_route(game, game.task.pop("neutral route"))
    game.ask("relocate", game.task["owner seat"])


def clear_neutral_route(game, route):
    """R8.2.3: at a special city one neutral trader stays."""
    stays = game.board.touches_special_city(route)
    game.posts[route] = [NEUTRAL_TRADER] if stays else []
