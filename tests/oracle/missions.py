"""Missions: three cities that each player knows of his own (R11)."""

from .model import controller

# R11.3, as printed.
CARDS = [
    ["osnabruck", "stendal", "paderborn"],
    ["dortmund", "minden", "luneburg"],
    ["minden", "perleberg", "goslar"],
    ["arnheim", "perleberg", "hannover"],
    ["dortmund", "stendal", "kampen"],
    ["arnheim", "osnabruck", "hildesheim"],
    ["arnheim", "perleberg", "bremen"],
    ["minden", "osnabruck", "magdeburg"],
    ["dortmund", "stendal", "munster"],
]


def deal(game, cards):
    """R11.1: one card to each player."""
    cards = [list(card) for card in cards]
    if len(cards) != len(game.players) or any(card not in CARDS for card in cards):
        raise ValueError("each player needs one of the nine mission cards: " + str(cards))
    game.missions = cards


def shown(game):
    """R11.4: the own card of who decides, null for the others; all of them at the end."""
    return [list(card) if game.over or seat == game.seat else None for seat, card in enumerate(game.missions)]


def mission_points(game, seat):
    """R11.2: 1 for each city with an office there, 5 more for control of all three."""
    if not game.config["missions"]:
        return 0
    card = game.missions[seat]
    offices = game.offices_of(seat)
    points = sum(city in offices for city in card)
    if all(controller(game, city) == seat for city in card):
        points += 5
    return points
