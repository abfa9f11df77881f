"""OracleGame: the questions of one game, asked and answered one by one."""

from . import scoring
from .favours import lay_out
from .missions import deal
from .model import Game
from .neutral import set_up_neutral_traders
from .position import read_position, write_position
from .questions import QUESTIONS
from .turns import begin_turn, note_stalled_turn


class OracleGame:
    def __init__(self, config, setup, turn_limit=None):
        game = Game(config)
        game.route_markers = dict(setup["markers"])  # R1.5
        game.pile = list(setup["pile"])
        if game.config["missions"]:
            deal(game, setup["missions"])
        if game.config["favours"]:
            lay_out(game, setup["favours"])
        game.turn_limit = turn_limit
        if game.with_neutrals:
            set_up_neutral_traders(game)
        begin_turn(game, 0)
        if game.with_pawn:
            game.ask("pawn", 1)  # R8.1.2
        self._take(game)

    @classmethod
    def from_position(cls, position, pile, missions=None):
        """`pile`: the markers of plates and pile; `missions`: all cards, also the unseen ones."""
        oracle = cls.__new__(cls)
        oracle._take(read_position(position, pile, missions))
        return oracle

    def _take(self, game):
        self._game = game
        self._legal = []
        self._settle()

    def _find_legal(self):
        game = self._game
        if game.over:
            self._legal = []
            return
        legal, _ = QUESTIONS[game.asked]
        self._legal = sorted(legal(game))
        if game.asked == "act" and game.turn_begins:
            note_stalled_turn(game, self._legal == ["done"])
            game.turn_begins = False
            if game.over:
                self._legal = []

    def _apply(self, text):
        _, play = QUESTIONS[self._game.asked]
        play(self._game, text.split(" "))

    def _settle(self):
        """A question with exactly one legal decision is not asked: it is played."""
        self._find_legal()
        while len(self._legal) == 1:
            self._apply(self._legal[0])
            self._find_legal()
        if not self._legal and not self._game.over:
            raise RuntimeError("no legal decision at " + self._game.asked)

    def legal(self):
        return list(self._legal)

    def play(self, text):
        if self.over:
            raise ValueError("the game is over")
        if text not in self._legal:
            raise ValueError("not legal at `" + self.asked + "`: " + repr(text))
        self._apply(text)
        self._settle()

    def position(self):
        return write_position(self._game, self._legal)

    def scores(self):
        return scoring.scores(self._game)

    def winners(self):
        return scoring.winners(self._game)

    @property
    def seat(self):
        return self._game.seat

    @property
    def asked(self):
        return self._game.asked

    @property
    def over(self):
        return self._game.over

    @property
    def reason(self):
        return self._game.reason
