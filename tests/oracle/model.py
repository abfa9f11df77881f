"""The state of a game, and simple questions about it."""

from dataclasses import dataclass, field

from .board import SHIP, load_board
from .desk import VALUES

# A piece is written seat and kind, "0t" or "2m"; the neutral trader is "nt".
NEUTRAL = "n"
NEUTRAL_TRADER = "nt"
KINDS = {"trader": "t", "merchant": "m"}
NAMES = {"t": "trader", "m": "merchant"}
EDITIONS = ("first", "second", "fourth", "bigbox")
MARKER_KINDS = ["extra-office", "exchange", "remove-three", "move-three", "upgrade", "+3", "+4"]
PROMO_KINDS = ["trade-in", "tribute", "block"]


def owner(piece):
    """The seat a piece belongs to, or NEUTRAL."""
    return NEUTRAL if piece[0] == NEUTRAL else int(piece[0])


def kinds_in(pile):
    """The kinds that a stock or supply holds."""
    return [kind for kind in ("t", "m") if pile[kind] > 0]


@dataclass
class Player:
    supply: dict
    stock: dict
    removed: dict = field(default_factory=lambda: dict.fromkeys(VALUES, 0))
    prestige: int = 0
    markers: list = field(default_factory=list)
    used: list = field(default_factory=list)
    plate: list = field(default_factory=list)  # first drawn first
    favours: list = field(default_factory=list)  # R12: the tiles owned


def starting_player(seat):
    """R1.3."""
    return Player(supply={"t": 5 + seat, "m": 1}, stock={"t": 6 - seat, "m": 0})


def checked_config(config):
    """The keys of a configuration, with the two-player default of section 8 and modules off."""
    players = config["players"]
    edition = config["edition"]
    board = load_board(config["board"])
    variant = config.get("two_players")
    if players not in (2, 3, 4, 5):
        raise ValueError("players must be 2 to 5")
    if edition not in EDITIONS:
        raise ValueError("unknown edition: " + str(edition))
    if edition == "bigbox" and players == 2:
        raise ValueError("the edition bigbox is for 3 to 5 players (R13.1)")
    if players == 2 and variant is None:
        variant = "pawn" if edition == "first" else "neutral"
    if variant not in (None, "pawn", "neutral"):
        raise ValueError("unknown two-player variant: " + str(variant))
    if not board.is_base and not board.fewest_players <= players <= board.most_players:
        raise ValueError("the board " + board.id + " is not for " + str(players) + " players")
    if variant is not None and players != 2:
        raise ValueError("the two-player variants are for two players")
    if variant == "pawn" and not board.provinces:
        raise ValueError("the pawn needs a board with provinces")
    missions = bool(config.get("missions", False))
    if missions and not board.is_base:
        raise ValueError("missions are for the base boards (R11.1)")
    favours = config.get("favours", False)
    if favours not in (False, True, "any-board"):
        raise ValueError("favours must be False, True or any-board")
    if favours is True and not board.is_base:
        raise ValueError("favours are for the base boards, unless they are any-board (X16)")
    return {
        "players": players,
        "edition": edition,
        "board": board.id,
        "two_players": variant,
        "missions": missions,
        "favours": favours,
        "promos": with_promos(config.get("pile")),
    }


def with_promos(pile):
    """R13.4: the pile is the edition's own, drawn with promos, or a list of names."""
    if pile is None or pile == "promos":
        return pile == "promos"
    return any(kind in PROMO_KINDS for kind in pile)


class Game:
    """Everything that lies on the table, and the question now asked."""

    def __init__(self, config):
        self.config = checked_config(config)
        self.board = load_board(self.config["board"])
        self.with_pawn = self.config["two_players"] == "pawn"
        self.with_neutrals = self.config["two_players"] == "neutral"
        self.players = [starting_player(seat) for seat in range(self.config["players"])]
        self.posts = {lane: [] for lane in self.board.lanes}  # pieces only, no free posts
        self.offices = {city: [None] * len(data["offices"]) for city, data in self.board.cities.items()}
        self.extras = {city: [] for city in self.board.cities}  # nearest the printed ones first
        self.route_markers = {}
        self.pile = []  # first drawn first
        self.discarded = []  # R8.2.3, R7.1
        self.prestige_spaces = dict.fromkeys(self.board.prestige_spaces)
        self.completed = 0
        self.linked = []
        self.pawn = None
        self.missions = []  # R11: a card for each seat, if they are played with
        self.favours = []  # R12: the tiles on display
        self.tokens = []  # R13.8: route, kind and seat of each, in the order laid

        # The turn.
        self.turn = 0
        self.actions_left = 0
        self.turn_begins = False  # no decision was taken in this turn
        self.action_taken = False
        self.pawn_moved = False
        self.favour_bought = False
        self.permissions_used = []  # R10.5: the cities
        self.turns_done = 0
        self.turn_limit = None
        self.stalled_turns = 0  # in a row (R7.8)
        self.marker_missing = False  # a replacement was due, the pile empty (R7.1)

        # The question.
        self.asked = None
        self.seat = None
        self.over = False
        self.reason = None
        self.hand = []  # kinds waiting to be put down
        self.fetched = []  # pieces of anyone and the countries they come from, in the order lifted
        self.task = None  # what the action or marker in progress has to remember

    def ask(self, question, seat):
        self.asked = question
        self.seat = seat

    def free_posts(self, lane):
        return self.board.size[lane] - len(self.posts[lane])

    def has_post_for(self, kind, lane):
        """R9.4, R9.5: a free post that a piece of this kind may stand on."""
        return self.free_posts(lane) > 0 and (kind == "m" or not lane.endswith(SHIP))

    def lanes_for(self, kind):
        """R9.5: all lanes with a free post for this kind."""
        return [lane for lane in self.board.lanes if self.has_post_for(kind, lane)]

    def pieces_on(self, route):
        """All pieces on a route, ship posts included."""
        return [piece for lane in self.board.lanes_of(route) for piece in self.posts[lane]]

    def clear(self, route):
        for lane in self.board.lanes_of(route):
            self.posts[lane] = []

    def empty_space(self, city):
        """The leftmost empty printed space of a city, or None when it is full."""
        spaces = self.offices[city]
        return spaces.index(None) if None in spaces else None

    def offices_right_to_left(self, city):
        """All offices of a city; an extra office lies left of every printed one (R5.2)."""
        printed = [piece for piece in reversed(self.offices[city]) if piece]
        return printed + self.extras[city]

    def offices_of(self, seat):
        """How many offices, extra ones included, a seat has in each city where it has any."""
        counts = {}
        for city in self.board.cities:
            own = [p for p in self.offices_right_to_left(city) if owner(p) == seat]
            if own:
                counts[city] = len(own)
        return counts

    def to_own_pile(self, piece, pile):
        """Give a piece back to its owner's "stock" or "supply"; neutral ones just leave."""
        if owner(piece) != NEUTRAL:
            getattr(self.players[owner(piece)], pile)[piece[1]] += 1


def controller(game, city):
    """R5.2, R8.2.5: the seat that controls a city, or NEUTRAL, or None."""
    owners = [owner(piece) for piece in game.offices_right_to_left(city)]
    if not owners:
        return None
    most = max(owners.count(one) for one in owners)
    for one in owners:  # rightmost first
        if owners.count(one) == most:
            return one


def connected_groups(game, cities):
    """Split cities into groups of linked cities (R5.7, R7.7)."""
    left = set(cities)
    groups = []
    while left:
        group = {left.pop()}
        reached = list(group)
        while reached:
            for city in game.board.neighbours[reached.pop()] & left:
                left.remove(city)
                group.add(city)
                reached.append(city)
        groups.append(group)
    return groups
