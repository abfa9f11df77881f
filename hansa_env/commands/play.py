"""The command `hansa play`."""

from __future__ import annotations

import secrets
import shlex
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from hansa_env.commands import options
from hansa_env.commands.kept_game import Kept
from hansa_env.commands.output import FAILED, one_line_errors
from hansa_env.commands.records import decisions_until, read_record
from hansa_env.commands.terminal import TerminalTable
from hansa_env.formats.errors import RecordError
from hansa_env.formats.file_writing import is_stream
from hansa_env.formats.outputs import RECORD, check_ending
from hansa_env.play.arguments import MAX_TURNS
from hansa_env.play.errors import AgentError
from hansa_env.play.game import RECORDED, Game
from hansa_env.play.people import PERSON, is_person
from hansa_env.play.registry import make_agent
from hansa_env.play.rivals import plays
from hansa_env.play.session import Session
from hansa_env.play.specs import as_typed, check_specs_of_file
from hansa_env.ruleset import Ruleset
from hansa_env.start import INTERRUPTED

#: Opponents, and who gives hints, where none are named: the first that can play the ruleset.
PREFERRED = ("ppo", "greedy")


@options.with_ruleset
def play(
    context: typer.Context,
    seats: Annotated[
        list[str] | None,
        typer.Argument(
            help="who sits where: specs of agents, person or person:NAME; or your opponents only, one for each seat or one "
            "for all; by default the trained agent"
        ),
    ] = None,
    seat: Annotated[int, typer.Option(help="your seat, if you name opponents only; 0 begins")] = 0,
    ruleset: Ruleset = options.DEFAULT,
    seed: Annotated[int | None, typer.Option(help="seed of the game and the agents; by default a new one")] = None,
    max_turns: options.MaxTurns = MAX_TURNS,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="record to keep the game in; by default named by the time")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(help="go on with this record; in a new file, if you name other seats than it has")
    ] = None,
    until: Annotated[
        int | None,
        typer.Option(help="go on after so many decisions of the record, in a new file; negative: so many before its end"),
    ] = None,
    hints: Annotated[str | None, typer.Option(help="spec of the agent that `hint` asks; by default the trained one")] = None,
) -> None:
    """Play against agents, or with others at one keyboard: hansa play, hansa play person:Anna person:Ben greedy -p 3.

    Every decision is saved at once. Decisions are given by number or by the beginnings of some of their words; `help`
    lists the other commands.
    """
    with one_line_errors(), Kept(out) as kept:
        turns = options.max_turns(max_turns)
        own_seed = secrets.randbits(32) if seed is None else seed
        if resume is not None:
            limit: int | Literal["recorded"] | None = turns if options.is_given(context, "max_turns") else RECORDED
            game = _resumed(resume, until, limit)
            if options.names_rules(context) and ruleset != game.ruleset:
                raise ValueError(
                    f"{resume} is a game of {game.ruleset}, not of {ruleset}; with --resume, leave out the options of the rules"
                )
            if not seats and options.is_given(context, "seat"):
                raise ValueError(
                    f"--seat is {seat}, but no opponents are named, so those who played {resume} keep their seats; name "
                    "opponents, or leave out --seat"
                )
            specs = _seated(seats, seat, game.ruleset) if seats else _seated_before(game, resume)
            in_place = out is None or (out.exists() and out.samefile(resume))
            if in_place and until is None and specs == game.agents:
                kept.go_on_in(out or resume)
                game = _resumed(resume, until, limit)  # as it stands now that nobody else writes it
            elif in_place and out is not None:
                raise ValueError(
                    f"--out is {out}, the record that is resumed; it stays as it is where the game goes on before its end or "
                    "with other seats, so name another file"
                )
        else:
            if until is not None:
                raise ValueError("--until needs a record to resume; name one with --resume")
            specs = _seated(seats, seat, ruleset, is_new=True)
            game = Game(ruleset, own_seed, max_turns=turns)
        if hints is not None:
            make_agent(hints, game.ruleset)
        if out is not None and out.is_dir():
            raise ValueError(f"--out is {out}, which is a folder; expected a file")
        if out is not None and not (kept.goes_on or is_stream(out)):
            check_ending("--out", RECORD, out)
        if out is not None and not kept.goes_on and out.exists():
            raise ValueError(f"{out} exists; go on with it by --resume {shlex.quote(str(out))}, or name another file")
        session = Session(game, specs, own_seed)
        if not session.people():
            raise ValueError(f"nobody plays at this table ({', '.join(specs)}); `hansa record` lets agents play alone")
        table = TerminalTable(session, kept, hints or _preferred(game.ruleset))
        try:
            table.play()
        except KeyboardInterrupt:
            print()
            raise typer.Exit(INTERRUPTED) from None
        finally:
            kept.say_where(table.session.game)
            sys.stdout.flush()
        if table.input.not_understood:
            more = f", and {len(table.input.not_understood) - 1} more" if len(table.input.not_understood) > 1 else ""
            typer.echo(f"not understood: {table.input.not_understood[0]}{more}", err=True)
            raise typer.Exit(FAILED)


def _seated(given: list[str] | None, seat: int, ruleset: Ruleset, is_new: bool = False) -> list[str]:
    """The specs by seat that the words of the command line mean; in a new game there may be other numbers of players. Raises
    ValueError."""
    named = given or [_preferred(ruleset)]
    players = ruleset.players
    if any(map(is_person, named)):
        if len(named) != players:
            how = options.for_so_many(len(named)) if is_new else ""
            raise ValueError(f"{len(named)} named for {players} seats; with a person among them, expected one for each{how}")
        return named
    if not 0 <= seat < players:
        raise ValueError(f"--seat is {seat}; expected 0 to {players - 1}")
    if len(named) not in (1, players - 1):
        how = options.for_so_many(len(named) + 1) if is_new else ""
        raise ValueError(f"{len(named)} opponents for {players - 1} seats; expected one for each, or one for all{how}")
    opponents = named * (players - 1) if len(named) == 1 else list(named)
    return [*opponents[:seat], PERSON, *opponents[seat:]]


def _preferred(ruleset: Ruleset) -> str:
    """The first of the preferred agents that is installed and plays the ruleset well."""
    return next((spec for spec in PREFERRED[:-1] if plays(spec, ruleset)), PREFERRED[-1])


def _resumed(path: Path, until: int | None, max_turns: int | Literal["recorded"] | None) -> Game:
    """The game of a record, or its beginning, by default with its own turn limit, or where it has none that of a new game. A
    record that is longer than another limit than its own goes on without that."""
    game = read_record(path)
    if max_turns == RECORDED:
        max_turns = game.max_turns or MAX_TURNS
    is_other = max_turns != game.max_turns
    if is_other and (max_turns is None or game.turns_begun <= max_turns * game.ruleset.players):
        game = read_record(path, max_turns)
    return game if until is None else game.rewound(decisions_until(game, until))


def _seated_before(game: Game, path: Path) -> list[str]:
    """Who sat at a record's game. Raises RecordError: nobody did who can go on."""
    specs, how = game.agents or [], f"name who plays: hansa play --resume {shlex.quote(str(path))} person greedy ..."
    if not any(map(is_person, specs)):
        raise RecordError(f"{path}: no person sits at this game; {how}")
    agents = [spec for spec in specs if not is_person(spec)]
    check_specs_of_file(agents, path, (), as_typed("hansa", "play", "--resume", str(path), *specs))
    for spec in dict.fromkeys(specs):
        if not is_person(spec):
            try:
                make_agent(spec, game.ruleset)
            except ValueError as error:
                raise AgentError(f"{path}: {error}; {how}") from error
    return specs
