"""Plays the engine and the oracle side by side: positions, legal lists and scores must agree at every decision.

`python -m tests.compare --decisions 1000000` compares as many as one likes, over 48 rulesets with every board, edition and
module, and prints the tally.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from hansa_env import Game, Ruleset, make_agent
from hansa_env.ruleset import BASE_EDITIONS, PROMOS, VARIANTS
from tests.oracle import OracleGame

BASE_BOARDS = ("base-2-3", "base-4-5")
TURNS_PER_SEAT = 100


#: The Big Box, and promo markers in each kind of game that they meet: neutral traders, the pawn, permanent markers, favours.
MARKERS = (
    Ruleset(4, "bigbox"),
    Ruleset(2, "second", pile=PROMOS),
    Ruleset(2, "first", pile=PROMOS),
    Ruleset(3, "bigbox", board="east", pile=PROMOS),
    Ruleset(5, "fourth", pile=PROMOS),
    Ruleset(3, "bigbox", favours=True, pile=PROMOS),
)


def all_rulesets() -> list[Ruleset]:
    """Every way to play the base game: players, editions, two-player variants, boards; every number of players on other
    boards, in one edition each, since editions differ in markers alone; and MARKERS."""
    two = [
        Ruleset(2, edition, variant, board)
        for edition, variant, board in itertools.product(BASE_EDITIONS, VARIANTS, BASE_BOARDS)
        if (variant, board) != ("pawn", "base-4-5")
    ]
    more = [Ruleset(p, edition, None, board) for p, edition, board in itertools.product((3, 4, 5), BASE_EDITIONS, BASE_BOARDS)]
    east = [Ruleset(p, edition, None, "east") for p, edition in zip((3, 4, 5), BASE_EDITIONS)]
    britannia = [(3, "second", "britannia-2-3"), (4, "fourth", "britannia-4-5"), (5, "first", "britannia-4-5")]
    countries = [Ruleset(players, edition, None, board) for players, edition, board in britannia]
    return two + more + east + countries + list(MARKERS) + with_missions_and_favours()


def with_missions_and_favours() -> list[Ruleset]:
    """Missions and favours for every number of players on every board, alone and together (R11, R12)."""
    both = {"missions": True, "favours": True}
    two = [Ruleset(2, "first", "pawn", **both), Ruleset(2, "fourth", "neutral", "base-4-5", **both)]
    one = [Ruleset(3, "second", None, "base-4-5", missions=True), Ruleset(5, "first", None, "base-2-3", favours=True)]
    east = [Ruleset(p, "fourth", None, "east", favours="any-board") for p in (3, 5)]
    return two + one + [Ruleset(3, "fourth", **both), Ruleset(4, "first", **both), Ruleset(5, "second", **both)] + east


@dataclass
class Tally:
    """What has been compared."""

    decisions: int = 0
    games: int = 0
    ended: int = 0
    questions: Counter = field(default_factory=Counter)


def uniform(game: Game, position: dict, rng: random.Random) -> str:
    """Uniformly random."""
    return rng.choice(position["legal"])


def greedy(game: Game, position: dict, rng: random.Random) -> str:
    """The bot `greedy`, but for one decision in ten, which is random."""
    if rng.random() < 0.1:
        return rng.choice(position["legal"])
    agent = make_agent("greedy", game.ruleset, rng.getrandbits(32))
    seat = np.array([game.seat], np.int8)
    return game.describe(int(agent.act(game.state[None].copy(), game.action_mask()[None], seat)[0]))


#: How much the eager player likes each verb; `done` ends what else would go on and on.
LIKES = {"claim": 80, "office": 20, "develop": 10, "extra": 30, "prestige": 30, "exchange": 15, "remove": 10, "+3": 5,
         "+4": 5, "place": 8, "income": 3, "displace": 2, "move": 0.3, "ride": 0.3, "lift": 0.5, "put": 2, "pawn": 0.5,
         "done": 0.7, "city": 5, "route": 3, "trade-in": 20, "tribute": 20, "block": 10}  # fmt: skip
SAVED = ("exchange", "remove", "+3", "+4", "develop", "tribute", "block")


def eager(game: Game, position: dict, rng: random.Random) -> str:
    """Fills the routes it has most of, claims them, takes what a claim offers, uses markers: games end by their rules. While
    there are favours to buy, it saves markers up, mostly until it can choose with which to pay."""
    by_verb: dict[str, list[str]] = {}
    for text in position["legal"]:
        by_verb.setdefault(text.split()[0], []).append(text)
    verbs = list(by_verb)
    saving = position["asked"] == "act" and bool(position.get("favours", {}).get("display"))
    likes = LIKES | {"favour": 100 if len(position["markers"][position["turn"]]) > 2 else 1}
    verb = rng.choices(verbs, [likes.get(verb, 1) * (0.02 if saving and verb in SAVED else 1) for verb in verbs])[0]
    texts = by_verb[verb]
    if verb in ("place", "put") and rng.random() < 0.8:
        return max(texts, key=lambda text: hold(position, text.split()[-1]) + 0.5 * rng.random())
    return rng.choice(texts)


def hold(position: dict, lane: str) -> float:
    """How near the deciding seat is to holding a route; maritime ones are dear to it, and those with markers for favours."""
    route = lane.removesuffix(":ship")
    posts = position["posts"][route] + position.get("ships", {}).get(route, [])
    own = sum(piece is not None and piece[0] == str(position["seat"]) for piece in posts)
    dear = route in position.get("ships", ()) or ("favours" in position and route in position["route_markers"])
    others = sum(piece is not None for piece in posts) - own
    return (own - others) / len(posts) + 0.4 * dear


PLAYERS = {"uniform": uniform, "eager": eager, "greedy": greedy}


def compare_game(ruleset: Ruleset, seed: int, player: str, tally: Tally, most: int | None = None) -> None:
    """Play one game in both; raises AssertionError with the record so far at the first difference."""
    rng = random.Random(f"{ruleset} {seed} {player}")
    game = Game(ruleset, seed=seed, max_turns=TURNS_PER_SEAT)
    oracle = OracleGame(ruleset.config, game.setup, turn_limit=TURNS_PER_SEAT * ruleset.players)
    choose = PLAYERS[player]
    while True:
        position = compare_positions(game, oracle)
        if game.over or (most is not None and len(game.decisions) >= most):
            break
        tally.questions[game.asked] += 1
        text = choose(game, position, rng)
        if text == "remove" and ruleset.board_data.regions:  # R13.2: played as move-three, which the engine does not have yet
            text = "done"
        game.play(text)
        oracle.play(text)
        tally.decisions += 1
    assert game.scores() == [list(row) for row in oracle.scores()], game.record()
    assert game.winners() == sorted(oracle.winners()), game.record()
    tally.games += 1
    tally.ended += game.reason is not None


def told_by_both(position: dict) -> dict:
    """An engine's position without what the oracle does not write: how the turn and the action came about."""
    untold = {"reason", "turns", "stalled", "acted", "pawn_free", "favour_bought", "action"}
    untold |= {"lift": {"foreign"}, "relocate": {"from"}}.get(position["asked"], set())
    return {name: value for name, value in position.items() if name not in untold}


def compare_positions(game: Game, oracle: OracleGame) -> dict:
    """Position, legal list included, must be the same; returns it."""
    ours, theirs = told_by_both(game.position()), oracle.position()
    if ours != theirs:
        different = [key for key in ours.keys() | theirs.keys() if ours.get(key) != theirs.get(key)]
        detail = "\n".join(f"{key}:\n  engine {ours.get(key)}\n  oracle {theirs.get(key)}" for key in different)
        raise AssertionError(f"engine and oracle differ after {game.decisions[-8:]}\n{detail}\nrecord {game.record()}")
    assert game.over == oracle.over and game.reason == oracle.reason
    return ours


#: Uniform play seldom gets anywhere, so it is cut short; eager games mostly end by their rules.
MOST = {"uniform": 300, "eager": 1_500, "greedy": 1_500}


def compare(decisions: int, rulesets: list[Ruleset], first_seed: int = 0, progress=None) -> Tally:
    """Compare at least so many decisions, in turn over the rulesets and players."""
    tally = Tally()
    for seed in itertools.count(first_seed):
        for ruleset in rulesets:
            for player in PLAYERS:
                compare_game(ruleset, seed, player, tally, MOST[player])
                if progress:
                    progress(tally)
                if tally.decisions >= decisions:
                    return tally
    raise AssertionError("unreachable")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    began = time.monotonic()

    def progress(tally: Tally) -> None:
        spent = time.monotonic() - began
        left = spent / tally.decisions * max(0, args.decisions - tally.decisions)
        rate = tally.decisions / spent
        print(f"\r{tally.decisions:,} decisions, {rate:,.0f}/s, {left:,.0f} s left ", end="", file=sys.stderr)

    tally = compare(args.decisions, all_rulesets(), args.seed, progress if sys.stderr.isatty() else None)
    print(f"{tally.decisions:,} decisions of {tally.games} games ({tally.ended} ended by the rules) agree")
    print(", ".join(f"{question} {count:,}" for question, count in tally.questions.most_common()))


if __name__ == "__main__":
    main()
