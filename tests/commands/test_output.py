"""What people see: in a pipe, on a terminal, when the reader goes away."""

from __future__ import annotations

import errno
import json
import os
import pty
import subprocess
import sys

import pytest
import typer
from rich.console import Console
from rich.table import Table

from hansa_env import Game, Ruleset
from hansa_env.commands.output import one_line_errors, print_table, table_of
from hansa_env.formats.moves import turns_of
from hansa_env.render.words import decision_in_words, turn_in_words

HANSA = [sys.executable, "-m", "hansa_env"]
ARENA = [*HANSA, "arena", "random", "--players", "3", "--games", "12", "--max-turns", "10"]


def in_a_terminal(command: list[str], columns: int = 80) -> tuple[int, str]:
    """Exit code and output of a command that has a terminal of its own."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(columns), "TERM": "xterm"}
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    output = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        output += part
    os.close(ours)
    return process.wait(), output.decode()


def test_the_arena_shows_lines_in_a_pipe_and_a_bar_on_a_terminal():
    piped = subprocess.run(ARENA, capture_output=True, text=True)
    assert piped.returncode == 0 and "12 games" in piped.stdout
    assert piped.stderr.splitlines()[-1].startswith("games: 12 of 12 (100%) in ") and "\x1b" not in piped.stderr
    code, seen = in_a_terminal(ARENA)
    assert code == 0 and "12 games" in seen
    assert "100%" in seen and "━" in seen


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the system has no full disk to write to")
@pytest.mark.parametrize("command", [["info"], ["replay", "game.json", "--board", "--no-step"]])
def test_a_disk_without_room_for_what_is_printed_is_told_in_one_line(command, tmp_path):
    (tmp_path / "game.json").write_text(json.dumps(Game(Ruleset(3), seed=3).record()))
    with open("/dev/full", "w") as full:
        done = subprocess.run([*HANSA, *command], stdout=full, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    assert done.returncode == 2
    assert set(done.stderr.splitlines()) == {"error: No space left on device; make room there, or name another place"}


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(errno.ENOSPC, "of the system", "x.json"), "x.json: No space left on device; make room there, or name another"),
        (OSError(errno.EROFS, "of the system", "x.json"), "x.json: Read-only file system; name another place"),
        (PermissionError(errno.EACCES, "no bind to 80"), "no bind to 80; see to it that you may use it, or name another place"),
        (FileNotFoundError(errno.ENOENT, "of the system", "x.json"), "x.json: No such file or directory\n"),
        (FileExistsError("x.json exists; name another file"), "x.json exists; name another file\n"),
    ],
)
def test_an_error_of_a_file_names_it_and_what_helps(error, said, capsys):
    with pytest.raises(typer.Exit), one_line_errors():
        raise error
    assert f"error: {said}" in capsys.readouterr().err


def test_a_reader_that_goes_away_is_no_error():
    """Of a command that shows a table and prints lines below it."""
    process = subprocess.Popen([*HANSA, "rulesets"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()  # before anything is written
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 141


@pytest.mark.parametrize("width", [20, 80])
@pytest.mark.parametrize("terminal", [True, False])
def test_numbers_are_never_cut(width, terminal, capsys):
    table = Table()
    table.add_column("name", overflow="fold")
    for i in range(6):
        table.add_column(f"a column\n{i}", no_wrap=True)
    table.add_row("a name of several words", *(str(1_234_567 * 10**i) for i in range(6)))
    print_table(table, Console(width=width, force_terminal=terminal, color_system=None))
    output = capsys.readouterr().out
    assert all(str(1_234_567 * 10**i) in output.split() for i in range(6)) and "…" not in output


@pytest.mark.parametrize("words", ["bots:Robot:3", "[red]x", "y[/b]"])
def test_words_that_look_like_markup_or_pictures_are_shown_as_they_are(words, capsys):
    print_table(table_of((words, f"2{words}"), [(f"3{words}", f"4{words}")], f"5{words}"))
    output = capsys.readouterr().out
    assert all(f"{number}{words}" in output for number in ("", *"2345"))


def test_a_table_that_is_too_wide_for_the_terminal_goes_without_frames_and_loses_nothing(capsys):
    columns = "among the others", "actions", "games", "win share", "95 % interval", "chance", "mean score", "mean rank"
    row = "2 scripted:blocker", "likeliest", "600", "95.8%", "94.2% – 97.3%", "33.3%", "45.7", "1.05"
    table = table_of(columns, [row], "PPO by self-play", left=2)
    print_table(table, Console(width=80, force_terminal=True, color_system=None))
    output = capsys.readouterr().out
    assert "│" not in output and "…" not in output
    assert set(" ".join((*row, *columns)).split()) <= set(output.split())
    assert max(map(len, output.splitlines())) <= 80, "headings stand in several lines"


def test_a_turn_in_words():
    game = Game(Ruleset(3), seed=7)
    for text in ("place trader stade/hamburg", "place trader stade/hamburg", "displace", "route stade/hamburg"):
        game.play(text) if text in game.legal() else None
    moves = game.moves()
    assert [move.text for move in moves] == [text for _, text in game.decisions]
    turns = list(turns_of(moves))
    assert (turns[0].number, turns[0].active, turns[0].last) == (1, 0, 2)
    assert turns[-1].last == len(moves) and all(a.last == b.first for a, b in zip(turns, turns[1:]))
    words = turn_in_words(game.ruleset, moves, turns[0], ["ann", "ben", "cem"])
    assert words == "Turn 1, seat 0 (ann): places a trader on Stade–Hamburg; places a trader on Stade–Hamburg"


@pytest.mark.parametrize(
    ("asked", "text", "words"),
    [
        ("victim", "1m", "the merchant of seat 1"),
        ("victim", "nt", "the trader of the neutral player"),
        ("pair", "pair 2", "swaps the offices 2 and 3"),
        ("reward", "office lubeck", "takes an office in Lübeck"),
        ("relocate", "lift trader emden/stade", "takes up a trader from Emden–Stade"),
        ("act", "+4", "uses the marker +4"),
    ],
)
def test_decisions_in_words(asked, text, words):
    assert decision_in_words(Ruleset(4), asked, text) == words


@pytest.mark.parametrize("ruleset", [Ruleset(2, two_players="neutral"), Ruleset(2, two_players="pawn"), Ruleset(4)], ids=str)
def test_every_decision_has_words(ruleset):
    from hansa_agents.arena import play_game

    for seed in range(4):
        game = play_game(["random"], ruleset, seed)
        for move in game.moves():
            words = decision_in_words(ruleset, move.asked, move.text)
            assert words != move.text and "{" not in words and "/" not in words
