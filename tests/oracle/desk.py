"""The desk of a player: the five abilities (R1.2)."""

ALL = 1000  # the last bank value: more than anybody's stock

# What each ability shows after 0, 1, 2, ... pieces were removed, and the kind that covers it.
VALUES = {
    "keys": [1, 2, 2, 3, 4],
    "actions": [2, 3, 3, 4, 4, 5],
    "privilege": ["white", "orange", "pink", "black"],
    "book": [2, 3, 4, 5],
    "bank": [3, 5, 7, ALL],
}
COVER = {"keys": "t", "actions": "t", "privilege": "t", "book": "m", "bank": "t"}
COLOURS = VALUES["privilege"]


def value(player, ability):
    return VALUES[ability][player.removed[ability]]


def fully_developed(player, ability):
    """R1.2: nothing covers the track."""
    return player.removed[ability] == len(VALUES[ability]) - 1


def may_use_colour(player, colour):
    """R5.5: white < orange < pink < black."""
    return COLOURS.index(colour) <= player.removed["privilege"]


def undeveloped(player):
    return [ability for ability in VALUES if not fully_developed(player, ability)]


def develop(game, ability):
    """R5.8 and R6.5, by the player in turn; R2.2 for the actions ability, R12.3 after a favour."""
    player = game.players[game.turn]
    before = value(player, "actions")
    player.removed[ability] += 1
    player.supply[COVER[ability]] += 1
    if not game.favour_bought:
        game.actions_left += value(player, "actions") - before
