"""Random play for the tests, with choices made here and not by the code under test."""

import numpy as np

from hansa_env import Game, HansaBatch, Ruleset
from hansa_env.formats.read_position import played_on
from hansa_env.play.arguments import MAX_TURNS

#: One ruleset of each kind: both two-player variants, 3 to 5 players, all editions and boards, an unusual pairing of board.
RULESETS = (
    Ruleset(2, "first"),
    Ruleset(2, "second"),
    Ruleset(2, "fourth", "pawn"),
    Ruleset(3, "fourth"),
    Ruleset(4, "first"),
    Ruleset(5, "second"),
    Ruleset(5, "fourth", board="base-2-3"),
    Ruleset(3, "fourth", board="east"),
    Ruleset(3, "first", missions=True, favours=True),
    Ruleset(3, "bigbox", board="east", pile="promos"),
    Ruleset(4, "fourth", board="britannia-4-5"),
)


def ruleset_id(ruleset: Ruleset) -> str:
    modules = "-missions" * ruleset.missions + "-favours" * bool(ruleset.favours) + "-promos" * ruleset.promos
    return f"{ruleset.players}-{ruleset.edition}-{ruleset.two_players}-{ruleset.board}{modules}"


#: R2.1: actions in a turn, by pieces removed from the track.
ACTIONS = (2, 3, 3, 4, 4, 5)


def between_actions(position: dict) -> dict:
    """A position at `act` that was composed, with what it says of the turn: the game is on, and an action has been taken where
    fewer are left than the track shows. The pawn's free move is still to be had."""
    seat, favours = position["turn"], position.get("favours")
    fresh = ACTIONS[position["abilities"][seat]["actions"]] + (favours is not None and "action" in favours["owned"][seat])
    told = {"reason": None, "turns": seat, "stalled": 0, "acted": position["actions_left"] < fresh, "action": None}
    told["pawn_free"] = True if position["two_players"] == "pawn" else None
    return position | told | ({"favour_bought": False} if favours is not None else {})


def game_from(position: dict, seed: int = 0) -> Game:
    """The game that goes on from a position that was composed, everything forced played; where that is nothing, as
    `Game.from_position` makes it."""
    ruleset, _, games = played_on(position, seed)
    return Game.from_state(ruleset, games[0])


def choose(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A random legal action per row, −1 where none is."""
    noise = rng.random(masks.shape) * masks
    return np.where(masks.any(1), noise.argmax(1), -1)


def choose_eagerly(batch: HansaBatch, rng: np.random.Generator) -> np.ndarray:
    """Like `choose`, but routes (claims) and cities (offices) are taken eight times out of ten."""
    from hansa_env.engine.action_space import segments

    masks = batch.action_mask.copy()
    for name in ("city", "route"):
        segment = next(s for s in segments(batch.ruleset) if s.name == name)
        part = slice(segment.start, segment.start + len(segment.things))
        prefer = masks[:, part].any(1) & (rng.random(len(masks)) < 0.8)
        masks[prefer, : part.start] = False
        masks[prefer, part.stop :] = False
    return choose(masks, rng)


def some_games(ruleset: Ruleset, count: int = 6, steps: int = 60, seed: int = 4, max_turns: int = MAX_TURNS) -> HansaBatch:
    """Games after so many decisions of `choose_eagerly`."""
    batch, rng = HansaBatch(count, ruleset, seed=seed, max_turns=max_turns), np.random.default_rng(seed)
    for _ in range(steps):
        batch.step(choose_eagerly(batch, rng))
    return batch


def before_a_move() -> Game:
    """A game of three in which the first seat, with pieces on Stade–Hamburg and Hamburg–Lübeck, decides again."""
    game = Game(Ruleset(3), seed=1)
    for text in ("place trader stade/hamburg", "place trader hamburg/lubeck"):
        game.play(text)
    while game.state["seat"] != 0:
        game.play("income 0" if "income 0" in game.legal() else game.legal()[0])
    return game
