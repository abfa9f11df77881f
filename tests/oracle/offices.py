"""Offices: printed spaces, extra offices, green cities, and the link (R5.5 to R5.7, R9.7 to R9.10)."""

from .model import connected_groups

SHAPES = {"square": "t", "circle": "m"}


def next_space(game, city):
    """R5.5: the leftmost empty printed space of a city, or None."""
    index = game.empty_space(city)
    return None if index is None else game.board.cities[city]["offices"][index]


def is_green(game, city):
    return city in game.board.green_cities


def is_empty_green(game, city):
    """R9.9: a green city without any office is completed by its first one."""
    return is_green(game, city) and not game.offices_right_to_left(city)


def found_office(game, city, piece):
    """R5.5, with its coin; R5.6; R5.7."""
    space = next_space(game, city)
    fill_space(game, city, piece)
    if space["coin"]:
        game.players[game.turn].prestige += space["points"]
    check_link(game)


def fill_space(game, city, piece):
    """Put a piece on the leftmost empty space; R5.6: the last one completes the city."""
    game.offices[city][game.empty_space(city)] = piece
    if None not in game.offices[city]:
        game.completed += 1


def found_extra_office(game, city, piece):
    """R6.2: left of all others there; it completes no city (R5.6) but an empty green one (R9.9)."""
    if is_empty_green(game, city):
        game.completed += 1
    game.extras[city].append(piece)
    check_link(game)


def found_green_office(game, city, piece):
    """R9.8, R9.16: right of all others there; the first one completes the city (R9.9)."""
    if is_empty_green(game, city):
        game.completed += 1
    game.offices[city].append(piece)
    check_link(game)


def check_link(game):
    """R5.7: each player once, 7 / 4 / 2 for the first three."""
    seat = game.turn
    if seat in game.linked:
        return
    one, other = game.board.link_cities
    cities = game.offices_of(seat)
    for group in connected_groups(game, cities):
        if one in group and other in group:
            place = len(game.linked)
            game.linked.append(seat)
            if place < len(game.board.link_points):
                game.players[seat].prestige += game.board.link_points[place]
