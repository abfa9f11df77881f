"""The commands `hansa arena` and `hansa record`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from hansa_env.commands import options
from hansa_env.commands.output import one_line_errors, print_game
from hansa_env.commands.progress import Progress

MaxTurns = Annotated[int, typer.Option(help="turns per seat before a game is cut off, 0 = never")]


def arena(
    agents: Annotated[
        list[str] | None, typer.Argument(help="as many as players: that line-up, in every rotation; fewer: mixed tables")
    ] = None,
    hero: Annotated[str | None, typer.Option(help="one agent ...")] = None,
    field: Annotated[str | None, typer.Option(help="... against a table of this one")] = None,
    games: Annotated[int, typer.Option("--games", "-n", help="rounded up to equal numbers per line-up")] = 200,
    players: options.Players = options.DEFAULT.players,
    edition: options.Edition = options.DEFAULT.edition,
    two_players: options.TwoPlayers = None,
    board: options.BoardName = None,
    seed: options.Seed = 0,
    max_turns: MaxTurns = 100,
    results: Annotated[Path | None, typer.Option(help="file to which every game is written, a line of JSON each")] = None,
    records: Annotated[Path | None, typer.Option(help="folder for the record of every game")] = None,
    json_out: Annotated[bool, typer.Option("--json", help="print the result as JSON")] = False,
    progress: Annotated[bool, typer.Option(help="show progress")] = True,
) -> None:
    """Let agents play each other: hansa arena greedy random, hansa arena --hero greedy --field random."""
    with one_line_errors():
        from hansa_agents.arena import play_match
        from hansa_agents.report import print_match

        ruleset = options.ruleset(players, edition, two_players, board)
        specs = _line_up(agents or [], hero, field, ruleset.players)
        turns = options.max_turns(max_turns)
        with Progress(" – ".join(dict.fromkeys(specs)), games, "games", shown=progress and not json_out) as bar:
            match = play_match(
                specs, ruleset, games, seed, max_turns=turns, keep_actions=records is not None,
                on_game_end=lambda _: bar.advance(),
            )  # fmt: skip
        if results is not None:
            results.write_text("".join(json.dumps(result.as_dict()) + "\n" for result in match.results))
        if records is not None:
            records.mkdir(parents=True, exist_ok=True)
            for result in match.results:
                record = result.record(ruleset, turns)
                (records / f"game-{result.number:05}.json").write_text(json.dumps(record) + "\n")
        if json_out:
            print(json.dumps(match.as_dict(), indent=1))
        else:
            print_match(match)


def _line_up(agents: list[str], hero: str | None, field: str | None, players: int) -> list[str]:
    if agents and hero is None and field is None:
        return agents
    if agents or hero is None or field is None:
        raise ValueError("name agents, or else both --hero and --field")
    return [hero, *[field] * (players - 1)]


def record(
    agents: Annotated[list[str], typer.Argument(help="one per seat, or a single one for all")],
    out: Annotated[Path, typer.Option("--out", "-o", help="file to write")] = Path("game.json"),
    players: options.Players = options.DEFAULT.players,
    edition: options.Edition = options.DEFAULT.edition,
    two_players: options.TwoPlayers = None,
    board: options.BoardName = None,
    seed: options.Seed = 0,
    max_turns: MaxTurns = 100,
) -> None:
    """Let agents play one game and write its record."""
    with one_line_errors():
        from hansa_agents.arena import play_game

        ruleset = options.ruleset(players, edition, two_players, board)
        game = play_game(agents, ruleset, seed, options.max_turns(max_turns))
        out.write_text(json.dumps(game.record(), indent=1) + "\n")
    print_game(game, f"written to {out}")
