"""What players say about the game, held against games of equals: `python -m hansa_agents.maxims ppo::sample --players 4`.

Every seat is held by the same agent, so that who wins does not depend on who plays, only on what was done. A line is about the
seats of which a saying is true: how often they won, beside what chance gives. What goes with winning need not be its cause:
who is ahead also holds more cities.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, NamedTuple

import numpy as np
import typer

from hansa_agents.arena import Keep, play_match
from hansa_agents.game_result import GameResult
from hansa_agents.habits import actions_by_number, batch_of, claims_a_route
from hansa_agents.intervals import interval
from hansa_agents.match_progress import Counter
from hansa_env import Ruleset
from hansa_env.commands.output import one_line_errors, print_table, table_of
from hansa_env.commands.progress import progress_on
from hansa_env.engine.action_space import kind_and_thing
from hansa_env.engine.state import ABILITIES
from hansa_env.play.result import interval_text

ACTIONS = ABILITIES.index("actions")
#: Cities that players say should be held, where the board has them.
HELD = ("gottingen", "stade", "lubeck", "groningen", "halle")
#: Whose routes feed whoever controls it.
FED = "gottingen"


class Saying(NamedTuple):
    """What became of the seats of which a saying is true.

    Attributes:
        words: about which seats. games: in which there was such a seat.
        share: of the win that a seat of them took. low, high: 95 % interval of it.
        chance: what they would have taken if the saying meant nothing.
    """

    words: str
    games: int
    share: float
    low: float
    high: float
    chance: float


class Course(NamedTuple):
    """What happened in games, by game and seat.

    Attributes:
        shares: of the win, (N, P).
        first: (N, steps) int64, the seat that took each step of the track of actions first, −1 = nobody.
        controllers: by city, (N,) int64, the seat in control at the end, −1 = nobody.
        fed: (N, P) int64, claims of a route at FED while another seat controlled it.
        was_fed: (N, P) bool, the seats that controlled it then.
    """

    shares: np.ndarray
    first: np.ndarray
    controllers: dict[str, np.ndarray]
    fed: np.ndarray
    was_fed: np.ndarray


def course_of(results: Sequence[GameResult], ruleset: Ruleset, max_turns: int | None) -> Course:
    """What happened in games that were kept with their actions. Raises `MatchError` as `habits` does."""
    board, players, rows = ruleset.board_data, ruleset.players, np.arange(len(results))
    batch = batch_of(results, ruleset, max_turns)
    steps = int(batch.tables[0]["ability_steps"][ACTIONS])
    first, fed = np.full((len(results), steps), -1), np.zeros((len(results), players), np.int64)
    was_fed = np.zeros((len(results), players), np.bool_)
    kinds, things = kind_and_thing(ruleset).T
    city_ids = [city.id for city in board.cities]
    place = city_ids.index(FED) if FED in city_ids else None
    feeding = np.array([place is not None and FED in route.cities for route in board.routes])
    for actions in actions_by_number(results):
        claims = claims_a_route(batch, actions, kinds)
        seat, before = batch.seat.copy(), batch.games["abilities"][:, :players, ACTIONS].copy()
        if place is not None:
            controller = batch.games["controller"][:, place]
            given = claims & (controller >= 0) & (controller < players) & (controller != seat)
            given[given] = feeding[things[actions[given]]]
            fed[rows[given], seat[given]] += 1
            was_fed[rows[given], controller[given]] = True
        batch.step(actions)
        after = batch.games["abilities"][:, :players, ACTIONS]
        for game, owner in zip(*np.nonzero(after != before)):
            step = before[game, owner]
            if first[game, step] < 0:
                first[game, step] = owner
    controllers = {
        city: batch.games["controller"][:, city_ids.index(city)].astype(np.int64) for city in HELD if city in city_ids
    }
    controllers = {city: np.where(seats < players, seats, -1) for city, seats in controllers.items()}
    return Course(np.array([one.shares for one in results]), first, controllers, fed, was_fed)


def sayings(course: Course) -> list[Saying]:
    """The sayings, each held against the games."""
    count, players = course.shares.shape
    seats = np.arange(players)
    found = [
        _about(f"seat {seat + 1} in turn order", course, np.full(count, seat)[:, None] == seats) for seat in range(players)
    ]
    names = {0: "first to develop an action", course.first.shape[1] - 1: "first with all actions"}
    found += [_about(words, course, course.first[:, [step]] == seats) for step, words in names.items()]
    found += [
        _about(f"in control of {city.capitalize()} at the end", course, seat[:, None] == seats)
        for city, seat in course.controllers.items()
    ]
    # Who was fed cannot have fed at that time: beside those who fed stand those who could have and did not, in the same games.
    fed, others = course.fed > 0, ~course.was_fed & course.fed.any(1, keepdims=True)
    place = FED.capitalize()
    found.append(_about(f"fed at {place}, never fed there", course, fed & others))
    found.append(_about(f"neither fed nor was fed at {place}", course, ~fed & others))
    found.append(_about(f"was fed at {place}", course, course.was_fed))
    return [one for one in found if one is not None]


def _about(words: str, course: Course, chosen: np.ndarray) -> Saying | None:
    """What the chosen seats (N, P) came to; None where there are none."""
    held = chosen.sum(1)
    games = held > 0
    if not games.any():
        return None
    wins, seats = (course.shares * chosen).sum(1)[games], held[games].astype(np.float64)
    low, high = interval(wins, seats)
    return Saying(words, int(games.sum()), float(wins.sum() / seats.sum()), low, high, 1 / course.shares.shape[1])


def measure(
    agent: str, ruleset: Ruleset, games: int, seed: int, on_game_end: Callable[[GameResult], object] | None = None
) -> list[Saying]:  # fmt: skip
    """The sayings, held against games of an agent among itself; those that were cut off do not count."""
    match = play_match([agent] * ruleset.players, ruleset, games, seed, keep=Keep(actions=True), on_game_end=on_game_end)
    ended = [one for one in match.results if not one.truncated]
    return sayings(course_of(ended, ruleset, match.max_turns))


def main(
    agent: Annotated[str, typer.Argument(help="spec of the agent in every seat")] = "ppo::sample",
    players: Annotated[int, typer.Option("--players", "-p", min=2, max=5, help="number of players")] = 3,
    games: Annotated[int, typer.Option(min=10, help="games to play")] = 600,
    seed: Annotated[int, typer.Option(help="seed of the games")] = 1,
) -> None:  # fmt: skip
    """What players say about the game, held against games of equals."""
    with one_line_errors(), progress_on() as progress:
        counter = Counter(progress, f"games of {agent}")
        counter.begin(games, 0)
        found = measure(agent, Ruleset(players), games, seed, counter.add)
        progress.end()
    table = table_of(("seats", "games", "win share", "95 % interval", "chance"), title=f"{players} {agent}, {games} games")
    for one in found:
        table.add_row(one.words, str(one.games), f"{one.share:.1%}", interval_text(one.low, one.high), f"{one.chance:.1%}")
    print_table(table)


if __name__ == "__main__":
    typer.run(main)
