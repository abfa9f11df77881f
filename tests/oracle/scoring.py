"""The final score and the winners (R7.2 to R7.9)."""

from .countries import region_points
from .desk import fully_developed, value
from .missions import mission_points
from .model import connected_groups, controller
from .tokens import tokens_of

SCORING_ABILITIES = ("actions", "privilege", "book", "bank")


def ability_points(player):
    """R7.3; R12.4 for the tile `abilities`."""
    each = 7 if "abilities" in player.favours else 4
    return each * sum(fully_developed(player, ability) for ability in SCORING_ABILITIES)


def marker_points(game, seat):
    """R7.4, R6.1: used or not; R13.8: laid as a token too."""
    player = game.players[seat]
    count = len(player.markers) + len(player.used) + tokens_of(game, seat)
    for at_least, points in ((10, 21), (8, 15), (6, 10), (4, 6), (2, 3), (1, 1)):
        if count >= at_least:
            return points
    return 0


def prestige_space_points(game, seat):
    """R7.5."""
    return sum(points for points, holder in game.prestige_spaces.items() if holder == seat)


def control_points(game, seat):
    """R7.6; R12.4 for the tile `cities`."""
    each = 4 if "cities" in game.players[seat].favours else 2
    return each * sum(controller(game, city) == seat for city in game.board.cities)


def network_points(game, seat):
    """R7.7."""
    offices = game.offices_of(seat)
    sizes = [sum(offices[city] for city in group) for group in connected_groups(game, offices)]
    return max(sizes, default=0) * value(game.players[seat], "keys")


def scores(game):
    """R7.2: for each seat track, abilities, markers, prestige spaces, control, network, total.

    With a board or module of the expansions also regions and mission, before the total.
    """
    table = []
    for seat, player in enumerate(game.players):
        parts = [
            player.prestige,
            ability_points(player),
            marker_points(game, seat),
            prestige_space_points(game, seat),
            control_points(game, seat),
            network_points(game, seat),
        ]
        if with_expansion(game):
            parts += [region_points(game, seat), mission_points(game, seat)]
        table.append([*parts, sum(parts)])
    return table


def with_expansion(game):
    config = game.config
    modules = [config["edition"] == "bigbox", config["missions"], config["favours"], config["promos"]]
    return not game.board.is_base or any(modules)


def winners(game):
    """R7.9: ties are shared; in the editions second and bigbox two tie-breakers come first."""
    ranks = []
    for seat, row in enumerate(scores(game)):
        rank = [row[-1]]
        if game.config["edition"] == "second":
            rank.append(-value(game.players[seat], "actions"))
            rank.append(sum(game.offices_of(seat).values()))
        if game.config["edition"] == "bigbox":  # R13.1
            rank.append(-game.players[seat].removed["actions"])
            rank.append(network_points(game, seat))
        ranks.append(rank)
    best = max(ranks)
    return [seat for seat, rank in enumerate(ranks) if rank == best]
