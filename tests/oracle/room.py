"""Is there room on the board for all the pieces in hand? (R9.4, R10.10, R10.12)"""

from itertools import product


def free_by_country(game, taken):
    """Free house posts and ship posts of each country, after one more of the lane `taken` is filled."""
    free = {country: {"houses": 0, "ships": 0} for country in game.board.countries}
    for lane, (country, kind) in game.board.posts_in.items():
        free[country][kind] += game.free_posts(lane) - (lane == taken)
    return free


def fits(free, traders, merchants):
    """Traders need house posts, merchants take what is left."""
    return traders <= free["houses"] and traders + merchants <= free["houses"] + free["ships"]


def room_in_own_countries(game, pieces, taken):
    """R10.12: room for pieces, given by kind and country, each within its country."""
    return all(
        fits(free, pieces.count(("t", country)), pieces.count(("m", country)))
        for country, free in free_by_country(game, taken).items()
    )


def splits(amount, limits, home):
    """All ways to send some of the pieces abroad, within the limits, the rest home."""
    for numbers in product(*(range(limit + 1) for limit in limits.values())):
        if sum(numbers) <= amount:
            yield dict(zip(limits, numbers)) | {home: amount - sum(numbers)}


def room_for_move(game, kinds, taken, foreign):
    """R10.10: room for pieces of these kinds, of which so many may go abroad.

    `foreign`: country to kind to number; empty on boards without countries.
    """
    free = free_by_country(game, taken)
    home = game.board.home
    limits = {kind: {country: foreign[country][kind] for country in foreign} for kind in "tm"}
    for traders in splits(kinds.count("t"), limits["t"], home):
        for merchants in splits(kinds.count("m"), limits["m"], home):
            if all(fits(free[country], traders[country], merchants[country]) for country in free):
                return True
    return False
