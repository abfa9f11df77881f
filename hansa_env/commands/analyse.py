"""The command `hansa analyse`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Column, Table
from rich.text import Text

from hansa_env.commands.ending import Stoppable, end_stopped
from hansa_env.commands.output import one_line_errors, print_table
from hansa_env.commands.progress import Progress, late, progress_on
from hansa_env.commands.records import as_another_exists, read_record, write_record
from hansa_env.formats.moves import answers_of
from hansa_env.formats.outputs import RECORD, check_outputs
from hansa_env.play.agents import Agent
from hansa_env.play.errors import AgentError
from hansa_env.play.game import Game
from hansa_env.play.judge import LUCK_BY, check_judge, judge_game, judge_luck
from hansa_env.play.luck import luck_together
from hansa_env.play.mistakes import Judged, accuracy, judged_actions, worst
from hansa_env.play.people import PERSON, is_person
from hansa_env.play.registry import make_agent
from hansa_env.play.specs import as_typed
from hansa_env.play.whole_action import better_in_words, thought_out
from hansa_env.render.thoughts import percent
from hansa_env.render.words import action_as_order, number_of


def analyse(
    file: Annotated[Path, typer.Argument(help="the record of a game (hansa-record/1)")],
    by: Annotated[str, typer.Option(help="spec of the agent that judges, such as search, tree or rollout")] = "rollout",
    seat: Annotated[int | None, typer.Option(help="judge the decisions of this seat only")] = None,
    reshuffles: Annotated[
        int,
        typer.Option(min=1, max=64, help="judge so many times, each with the hidden markers shuffled anew, and take the mean"),
    ] = 1,
    most: Annotated[int, typer.Option(min=1, help="show so many mistakes")] = 5,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="write the record, with the agent's estimates, to this file")
    ] = None,
) -> None:
    """Find the mistakes of a game: what each action cost, as an agent judges it from what was known then.

    An action is judged where it was taken; what others did later, and what the pile held, is not its fault. What the markers
    of the pile gave or took is told apart from that, as luck. Ctrl-C shows, and writes, what has been judged by then. A file
    that is there stays, and what is written stands beside it.
    """
    with one_line_errors():
        check_judge(by)
        game = read_record(file)
        check_outputs({"--out": (RECORD, out)})
        players = game.ruleset.players
        if seat is not None and not 0 <= seat < players:
            raise ValueError(f"--seat is {seat}; expected 0 to {players - 1}")
        seats = range(players) if seat is None else [seat]
        judges = [make_agent(by, game.ruleset, seed) for seed in range(reshuffles)]
        game.luck = None  # which somebody else may have judged
        done, total = 0, sum(decided in seats for decided, _ in game.decisions)

        def note(judged: int, _: int) -> None:
            nonlocal done
            done = judged
            progress.at(done)

        with Stoppable() as work, progress_on() as progress:
            progress.begin(f"{by} thinks", total)
            judge_game(game, judges, by, list(seats), note)
            progress.end()
            luck_by = _judge_luck(game, by, judges, progress)
        if work.stopped and not done:
            end_stopped("stopped before a decision was judged")
        if out is not None:  # before the agent is asked for whole actions, so that nothing is lost where it fails
            place = write_record(out, game)
        judged = judged_actions(game.moves(), game.estimates)
        _show_seats(game, judged, seats)
        if done == total:
            _show_mistakes(game, file, judged, most, judges[0], by)
        if not work.stopped:
            print(luck_by)
        if out is not None:
            print(f"{place} has the record with the estimates of {by}{as_another_exists(place, out)}")
        if work.stopped:
            missing = f"{done:,} of {number_of(total, 'decision')} were judged" if done < total else "the luck was not judged"
            end_stopped(f"stopped; {missing}; the same command begins anew")


def _judge_luck(game: Game, by: str, judges: list[Agent], progress: Progress) -> str:
    """Note the luck of the markers in a game, as the judge sees it, or where it cannot another agent; says whose view it is."""
    progress.begin("the markers", 1)
    for name in dict.fromkeys((by, *LUCK_BY)):
        try:
            asked = judges if name == by else [make_agent(name, game.ruleset, 0)]
        except AgentError:
            continue  # not installed, or it does not play this game
        if judge_luck(game, asked, name, lambda done, of: progress.at(done // of)):
            progress.end()
            count = number_of(len(game.luck["draws"]) if game.luck else 0, "marker")
            return f"Luck: what {count} of the pile gave or took, compared with all that could have come; by {name}."
    progress.end()
    return f"Nothing is said of the markers' luck: {by} has no opinion on the win of every seat; {' and '.join(LUCK_BY)} do."


def _names(game: Game) -> list[str]:
    """Who sits where; of several of one name, each is told with its seat, as at the table."""
    names = game.names or [f"seat {number}" for number in range(game.ruleset.players)]
    return [name if names.count(name) == 1 else f"{name} ({number})" for number, name in enumerate(names)]


def _show_seats(game: Game, judged: list[Judged], seats: range | list[int]) -> None:
    luck = None if game.luck is None else luck_together(game.ruleset.players, game.luck["draws"])
    table = Table("seat", "player", "actions judged", "accuracy", "lost an action", "luck", box=SIMPLE_HEAD)
    for number in seats:
        own = [one for one in judged if one.seat == number]
        kept = accuracy(own)
        lost = f"{100 * sum(one.loss for one in own) / len(own):.1f} %" if own else "–"
        table.add_row(
            str(number),
            Text(_names(game)[number]),
            str(len(own)),
            "–" if kept is None else percent(kept),
            lost,
            "–" if luck is None else f"{100 * luck[number]:+.1f} %",
        )
    print_table(table)


def _show_mistakes(game: Game, file: Path, judged: list[Judged], most: int, judge: Agent, by: str) -> None:
    mistakes = Table("after", "who", "lost", "played", Column(Text(f"better, by {by}")), box=SIMPLE_HEAD)
    moves, records, told = game.told_moves(), game.positions(), worst(judged, most)
    with late("better actions", len(told)) as progress:
        for done, one in enumerate(told, 1):
            played = action_as_order(game.ruleset, answers_of(moves[one.first : one.last]))
            steps = thought_out(judge, Game.from_state(game.ruleset, records[one.at]), one.best)
            better = better_in_words(game.ruleset, moves, one.first, one.at, steps)
            mistakes.add_row(str(one.at), Text(_names(game)[one.seat]), percent(one.loss), played, better)
            progress.at(done)
    if told:
        print_table(mistakes)
        first = told[0]
        # Those who sat there sit there again, a person also where an agent made the mistake.
        agents = game.agents or [PERSON] * game.ruleset.players
        again = [] if is_person(agents[first.seat]) else [*agents[: first.seat], PERSON, *agents[first.seat + 1 :]]
        until = (str(file), "--until", str(first.at))
        print(
            f"Look at one: {as_typed('hansa', 'replay', *until)}; try it again: "
            f"{as_typed('hansa', 'play', *again, '--resume', *until, '--out', 'NEW.json')}"
        )
    else:
        print("No action lost a hundredth of the win.")
