"""Recorded games, one per kind of ruleset: what is asked, what was decided, and how the game stands, a line per decision.

A file begins with the ruleset, the seed and the setup. Then comes a line for each decision: its number, the seat, the
question, how many decisions were legal, the digest of the position in JSON (legal list included), and what was decided.
Before every 25th decision and at the end the position stands in full, a line per field; posts, offices and routes on which
nothing stands are left out there. `python -m tests.playthroughs --write` plays and writes all of them anew.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator
from pathlib import Path

from hansa_env import Game, Ruleset
from tests.compare import PLAYERS, TURNS_PER_SEAT
from tests.helpers import RULESETS, ruleset_id

FOLDER = Path(__file__).parent
EVERY = 25  # decisions between positions in full
SEEDS = 12  # games from which the one that asks most is taken
LONGEST = 600  # decisions of a game that is kept
ARROW = " -> "


def file_of(ruleset: Ruleset) -> Path:
    """Where the recorded game of a ruleset is kept."""
    return FOLDER / f"{ruleset_id(ruleset)}.txt"


def digest(position: dict) -> str:
    """16 hexadecimal digits that stand for a position in JSON."""
    text = json.dumps(position, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def in_full(game: Game, position: dict) -> Iterator[str]:
    """A line per field of a position, and the scores as the board stands."""
    for name, value in position.items():
        if name in ("posts", "offices"):
            value = {place: pieces for place, pieces in value.items() if any(pieces)}
        yield f"  {name} {json.dumps(value, separators=(',', ':'))}"
    yield f"  scores {json.dumps(game.scores(), separators=(',', ':'))}"


def lines_of(ruleset: Ruleset, seed: int, decisions: list[str]) -> Iterator[str]:
    """The lines of a game in which these decisions are played. Raises IllegalAction where one is not legal."""
    game = Game(ruleset, seed=seed, max_turns=TURNS_PER_SEAT)
    yield f"{ruleset}, seed {seed}"
    yield json.dumps(game.setup, separators=(",", ":"))
    for number, text in enumerate(decisions):
        position = game.position()
        if number % EVERY == 0:
            yield from in_full(game, position)
        legal = len(position["legal"])
        yield f"{number} seat {game.seat} {game.asked} of {legal} {digest(position)}{ARROW}{text}"
        game.play(text)
    position = game.position()
    yield from in_full(game, position)
    yield f"{len(decisions)} {game.asked}, ended by {game.reason}, {digest(position)}, winners {game.winners()}"


def read(ruleset: Ruleset) -> tuple[int, list[str], list[str]]:
    """The seed, the decisions and all lines of a recorded game."""
    lines = file_of(ruleset).read_text("utf-8").splitlines()
    seed = int(lines[0].rpartition("seed ")[2])
    return seed, [line.partition(ARROW)[2] for line in lines if ARROW in line], lines


def choose_game(ruleset: Ruleset) -> tuple[int, list[str]]:
    """Seed and decisions of a game that ends by the rules, is not long, and asks as many different questions as any."""
    best: tuple[int, int, list[str]] = (0, 0, [])
    for seed in range(SEEDS):
        for player in ("greedy", "eager"):
            rng = random.Random(f"{ruleset} {seed} {player}")
            game, asked = Game(ruleset, seed=seed, max_turns=TURNS_PER_SEAT), set()
            while not game.over and len(game.decisions) < LONGEST:
                asked.add(game.asked)
                game.play(PLAYERS[player](game, game.position(), rng))
            if game.reason is not None and len(asked) > best[0]:
                best = len(asked), seed, [text for _, text in game.decisions]
    assert best[0], f"no game of {ruleset} ended by the rules within {LONGEST} decisions"
    return best[1:]


def write() -> None:
    """Play and write all files anew."""
    for ruleset in RULESETS:
        seed, decisions = choose_game(ruleset)
        text = "\n".join(lines_of(ruleset, seed, decisions)) + "\n"
        file_of(ruleset).write_text(text, "utf-8")
        print(f"{file_of(ruleset).name}: {len(decisions)} decisions, {len(text):,} characters")
