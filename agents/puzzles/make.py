"""Makes the file of puzzles: `python -m hansa_agents.puzzles.make --seed 27 --count 528 --out puzzles.jsonl.gz`.

Positions come from games of mixed players, none of whom need have seen what was best. Of those that are proven or agreed on,
hard ones are preferred, which `greedy` or the network's likeliest decision gets wrong: of the first games that are played,
easy ones are half of a kind at most. No shallower search has a say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import typer

from hansa_agents.puzzles.agreement import Judge, agreed, judges_of
from hansa_agents.puzzles.continuation import completed
from hansa_agents.puzzles.games import NETWORK, as_read, last_rounds, mixed_games, players_of
from hansa_agents.puzzles.lines import wins_in_lines
from hansa_agents.puzzles.proof import MOST_TRIED, prove
from hansa_agents.puzzles.puzzle_file import (
    AGREED,
    ENDING,
    FIGHT,
    FORMAT,
    KINDS,
    OPENING,
    PROVEN,
    Head,
    Kind,
    PuzzleError,
    PuzzleLine,
    puzzle_of,
    read_puzzles,
    text_of,
    write_puzzles,
)
from hansa_agents.puzzles.settings import SETTINGS
from hansa_env import Agent, Ruleset, make_agent
from hansa_env.commands.output import one_line_errors
from hansa_env.commands.progress import Progress, progress_on
from hansa_env.engine.results import masks_of, scores_of
from hansa_env.engine.rules.scoring import TOTAL
from hansa_env.formats.file_writing import remove_folder_whole, write_whole
from hansa_env.formats.find_question import by_number
from hansa_env.formats.notation import decision_text, legal_texts
from hansa_env.formats.outputs import COMPRESSED, check_outputs
from hansa_env.play.agents import ask_agents
from hansa_env.version import __version__

#: Games that are played at a time, how often at most for the puzzles of a setting, and how often before easy ones may fill it.
GAMES, MOST_TIMES, PICKY_TIMES = 8, 10, 3
#: Rounds that are an opening; at the end of a game, those in which a win is looked for, and that are no fight any more.
OPENING_ROUNDS, LAST_ROUNDS, NO_FIGHT = 2, 3, 2
#: Of a game, how many positions are looked at for a puzzle of each kind, and how many become one.
LOOKS = {OPENING: 3, FIGHT: 4, ENDING: 8}
MOST_OF_GAME = 2
#: The least legal decisions of an opening or fight, and the largest share of them that may be answers of an ending.
LEAST_LEGAL, MOST_RIGHT = 5, 0.5
#: By how many points at most a seat may be behind, as the board stands, for a win to be looked for; how many actions are few.
BEHIND = 10
FEW = 2


class Maker(NamedTuple):
    """What the puzzles of a setting are made with."""

    setting: str
    ruleset: Ruleset
    players: list[Agent]
    judges: list[Judge]
    greedy: Agent
    network: Agent


class Made(NamedTuple):
    """A puzzle, as a line of the file, and whether it is hard."""

    text: str
    hard: bool


def quotas(count: int) -> dict[Kind, int]:
    """How many puzzles of each kind: a third, the rest endings first."""
    return {kind: (count + place) // len(KINDS) for place, kind in enumerate(KINDS)}


def puzzles_of(setting: str, count: int, seed: int, on_made: Callable[[int], object] = lambda made: None) -> list[str]:
    """Puzzles of a setting as lines, at most so many; the same seed gives the same. `on_made` is told how many there are."""
    ruleset = SETTINGS[setting]
    rng = np.random.default_rng([seed, list(SETTINGS).index(setting)])
    greedy, network = make_agent("greedy", ruleset, 0), make_agent(NETWORK, ruleset, 0)
    maker = Maker(setting, ruleset, players_of(ruleset), judges_of(ruleset), greedy, network)
    wanted = quotas(count)
    made: dict[Kind, list[Made]] = {kind: [] for kind in KINDS}
    for time in range(MOST_TIMES):
        fill = time >= PICKY_TIMES
        for games in mixed_games(ruleset, maker.players, GAMES, rng):
            for kind in KINDS:
                if len(_taken(made[kind], wanted[kind], fill)) < wanted[kind]:
                    found = _made(maker, kind, games, _chosen(maker, games, kind, rng))
                    made[kind] += [one for one in found if one not in made[kind]]
            on_made(sum(len(_taken(made[kind], wanted[kind], fill)) for kind in KINDS))
        if all(len(_taken(made[kind], wanted[kind], fill)) == wanted[kind] for kind in KINDS):
            break
    taken = [one.text for kind in KINDS for one in _taken(made[kind], wanted[kind], True)]
    return [completed(puzzle_of(PuzzleLine.model_validate_json(text)), maker.judges[-1]) for text in taken]


def _taken(made: Sequence[Made], wanted: int, fill: bool) -> list[Made]:
    """Those that go into the file: of the easy ones half of what is wanted, or with `fill` as many as there is room for."""
    hard, easy = ([one for one in made if one.hard is which] for which in (True, False))
    hard = hard[:wanted]
    return hard + easy[: wanted - len(hard) if fill else min(wanted // 2, wanted - len(hard))]


def _chosen(maker: Maker, games: np.ndarray, kind: Kind, rng: np.random.Generator) -> list[int]:
    """The numbers of positions of a game that are looked at for a kind, in order."""
    if kind == ENDING:
        return _won_in_lines(maker, games, rng)[: LOOKS[kind]]
    rounds = games["turns"][:-1] // maker.ruleset.players
    if kind == OPENING:
        numbers = np.flatnonzero(rounds < OPENING_ROUNDS)
    else:
        numbers = np.flatnonzero((rounds >= OPENING_ROUNDS) & (rounds < rounds[-1] - NO_FIGHT))
        numbers = np.array([number for number in numbers if _is_fight(maker.ruleset, games[number])], np.int64)
    return rng.permutation(numbers)[: LOOKS[kind]].tolist()


def _won_in_lines(maker: Maker, games: np.ndarray, rng: np.random.Generator) -> list[int]:
    """The positions in the last rounds of a game in which lines win: those first in which `greedy` does not, or few actions are
    left, so that a proof is likely to be short."""
    found = []
    points = scores_of(maker.ruleset, games)[:, :, TOTAL]
    for number in last_rounds(maker.ruleset, games, LAST_ROUNDS):
        if points[number].max() - points[number, games["seat"][number]] > BEHIND:
            continue
        won = wins_in_lines(maker.ruleset, games[number : number + 1], maker.players[:-1], rng)
        if won.any():
            found.append((bool(won[0]), int(games["actions_left"][number]) > FEW, rng.random(), number))
    return [number for *_, number in sorted(found)]


def _is_fight(ruleset: Ruleset, game: np.void) -> bool:
    """Whether a piece may be displaced now, or one is being displaced."""
    return by_number()[int(game["asked"])].verb == "displace" or "displace" in legal_texts(ruleset, game)


def _made(maker: Maker, kind: Kind, games: np.ndarray, numbers: Sequence[int]) -> list[Made]:
    """Puzzles of some positions of a game, one of a turn, and not more than MOST_OF_GAME."""
    found: dict[int, Made] = {}
    for number in numbers:
        turn = int(games["turns"][number])
        if turn in found or len(found) == MOST_OF_GAME:
            continue
        one = _ending(maker, games[number]) if kind == ENDING else _agreed(maker, kind, games[number])
        if one is not None:
            found[turn] = one
    return list(found.values())


def _ending(maker: Maker, game: np.void) -> Made | None:
    position, read = as_read(maker.ruleset, game)
    proof = prove(maker.ruleset, read, MOST_TRIED)
    if proof is None or not 0 < proof.wins.mean() <= MOST_RIGHT:
        return None
    answers = proof.actions[proof.wins]
    texts = sorted(decision_text(maker.ruleset, read[0], action) for action in answers.tolist())
    line = PuzzleLine(
        kind=ENDING, setting=maker.setting, answers=texts, known=PROVEN, tried=proof.tried, searches=[], position=position
    )
    return Made(text_of(line), any(_decision(maker, one, read) not in answers for one in (maker.greedy, maker.network)))


def _agreed(maker: Maker, kind: Kind, game: np.void) -> Made | None:
    position, read = as_read(maker.ruleset, game)
    if masks_of(maker.ruleset, read).sum() < LEAST_LEGAL:
        return None
    found = agreed(maker.judges, maker.ruleset, read)
    if found is None:
        return None
    answer, searches = found
    line = PuzzleLine(
        kind=kind, setting=maker.setting, answers=[decision_text(maker.ruleset, read[0], answer)], known=AGREED, tried=None,
        searches=searches, position=position,
    )  # fmt: skip
    return Made(text_of(line), any(_decision(maker, one, read) != answer for one in (maker.greedy, maker.network)))


def _decision(maker: Maker, agent: Agent, game: np.ndarray) -> int:
    return int(ask_agents([agent], np.zeros(1, np.int64), maker.ruleset, game)[0])


def _shares(count: int, settings: Sequence[str]) -> Iterator[tuple[str, int]]:
    """How many puzzles of each setting."""
    for place, setting in enumerate(settings):
        yield setting, (count + len(settings) - 1 - place) // len(settings)


def _tell(progress: Progress, name: str, before: int, made: int) -> None:
    progress.at(before + made, name)


def make(
    out: Annotated[Path, typer.Option(help="file to write")],
    count: Annotated[int, typer.Option(min=1, help="puzzles in all, evenly over settings and kinds")] = 528,
    seed: Annotated[int, typer.Option(min=0, help="seed of the games; the same seed gives the same file")] = 0,
    setting: Annotated[list[str] | None, typer.Option(help="make puzzles of this setting only; may be repeated")] = None,
) -> None:
    """Make a file of puzzles. What is done is kept beside it, setting by setting, and the same command continues with it."""
    with one_line_errors(), progress_on() as progress:
        settings = list(dict.fromkeys(setting or SETTINGS))
        for name in settings:
            if name not in SETTINGS:
                raise PuzzleError(f"--setting is {name!r:.100}; expected one of {', '.join(SETTINGS)}")
        check_outputs({"--out": (COMPRESSED, out)})
        parts = out.with_name(f"{out.name}.{seed}-{count}.parts")
        parts.mkdir(exist_ok=True)
        lines: list[str] = []
        progress.begin("puzzles", count)
        for name, share in _shares(count, settings):
            part, before = parts / f"{name}-{share}.jsonl", len(lines)
            if not part.exists():
                found = puzzles_of(name, share, seed, partial(_tell, progress, name, before))
                write_whole(part, "".join(f"{text}\n" for text in found).encode())
            lines += part.read_text("utf-8").splitlines()
            progress.tell(f"{name}: {len(lines) - before} puzzles")
        write_puzzles(out, Head(format=FORMAT, version=__version__, seed=seed, puzzles=len(lines)), lines)
        read_puzzles(out)
        remove_folder_whole(parts)
        progress.end()


if __name__ == "__main__":
    typer.run(make)
