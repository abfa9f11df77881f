"""`hansa play`: games through a pipe and in a terminal, kept whatever happens."""

from __future__ import annotations

import errno
import json
import os
import pty
import re
import select
import subprocess
import sys
import termios
import time
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner, Result

from hansa_agents.arena import play_game
from hansa_env import Game, Ruleset
from hansa_env.commands.cli import app
from hansa_env.commands.kept_game import Kept
from hansa_env.engine.rules.scoring import score_columns
from hansa_env.render.words import name_in_words

THREE = Ruleset(3)


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def play(said: list[str], *words: object) -> Result:
    return CliRunner().invoke(app, ["play", *map(str, words)], input="".join(f"{line}\n" for line in said))


def kept(path: str | Path = "game.json") -> dict:
    return json.loads(Path(path).read_text("utf-8"))


NEW = ["greedy", "-p", 3, "--seed", 3, "-o", "game.json", "--hints", "greedy"]


def test_a_whole_game_through_a_pipe() -> None:
    whole = play_game(["greedy"], THREE, seed=3)
    result = play([text for seat, text in whole.decisions if seat == 0], *NEW)
    assert result.exit_code == 0, result.output
    assert kept()["decisions"] == whole.record()["decisions"] and kept()["result"] == whole.record()["result"]
    assert kept()["agents"] == ["person", "greedy", "greedy"]
    assert "wins" in result.output and f"ended by {whole.reason}" in result.output
    assert "Turn 2, seat 1 (greedy): " in result.output and "hansa replay game.json" in result.output
    assert Game.from_record(kept()).reason == whole.reason


def test_the_help_fits_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    said = play(["help"], *NEW).output
    lines = said[said.index("A decision: its number") : said.index("There is nothing to save yet")].splitlines()
    assert len(lines) > 12 and max(map(len, lines)) <= 60 and re.search(r"\n {16}[a-z ,;]+\n", said)


def test_who_is_not_named_is_the_trained_agent_unless_it_is_weak_there() -> None:
    for players, board, expected in ((4, "base-4-5", "ppo"), (3, "base-2-3", "ppo"), (3, "base-4-5", "greedy")):
        game = f"{players}-{board}.json"
        play(["done"], "-p", players, "--board", board, "--seat", 0, "--seed", 3, "-o", game)
        assert kept(game)["agents"] == ["person", *[expected] * (players - 1)]


def test_nothing_hidden_is_shown() -> None:
    whole = play_game(["greedy"], THREE, seed=3)
    said = [text for seat, text in whole.decisions if seat == 0][:12]
    first = play([*said, "board", "scores"], *NEW).output
    turned = Game(THREE, 3).setup
    turned["pile"] = turned["pile"][::-1]
    Path("other.json").write_text(json.dumps(Game(THREE, setup=turned).record() | {"agents": ["person", "greedy", "greedy"]}))
    other = play([*said, "board", "scores"], "--resume", "other.json", "-o", "other.json", "person", "greedy", "greedy").output
    assert turned["pile"] != Game(THREE, 3).setup["pile"]
    assert first.replace("game.json", "other.json") == other


def test_decisions_by_number_and_words_and_what_is_said_of_unclear_ones() -> None:
    result = play(["stade", "pl tr stade", "700", "stade nowhere", "cl", "1", ""], *NEW)
    assert "'stade' may be 2 decisions:" in result.output and "numbers go from 1 to 67" in result.output
    assert "No decision here has 'nowhere'" in result.output and "No decision here has 'cl'" in result.output
    assert [text for _, text in kept()["decisions"][:2]] == ["place trader stade/hamburg", "place trader arnheim/duisburg"]
    assert result.stdout.rstrip().endswith("The game is kept in game.json; go on with: hansa play --resume game.json")


def test_the_command_that_goes_on_can_be_copied_whatever_the_file_is_called() -> None:
    said = play(["pl tr stade"], "greedy", "-p", 3, "--seed", 3, "-o", "my game.json", "--hints", "greedy")
    assert said.stdout.rstrip().endswith("go on with: hansa play --resume 'my game.json'")
    again = play([], "greedy", "-p", 3, "-o", "my game.json")
    assert "go on with it by --resume 'my game.json', or name another file" in again.output


def test_a_pipe_with_a_line_that_means_nothing_does_not_end_well() -> None:
    result = play(["pl tr stade", "place a trader nowhere", "", "nothing", "help"], *NEW)
    assert result.exit_code == 1 and kept()["decisions"] == [[0, "place trader stade/hamburg"]]
    assert result.stderr.splitlines()[-1] == "not understood: line 2, 'place a trader nowhere', and 1 more"
    assert play(["pl tr stade", "help"], "--resume", "game.json").exit_code == 0, "the end of the input is like `quit`"


def test_a_byte_that_is_no_text_costs_its_line_only() -> None:
    result = CliRunner().invoke(app, ["play", *map(str, NEW)], input=b"pl tr sta\xffde\npl tr stade\n")
    assert "> pl tr sta\\udcffde\nThat is no text in UTF-8; say it again." in result.output
    assert result.exit_code == 1 and "not understood: line 1, " in result.stderr
    assert kept()["decisions"] == [[0, "place trader stade/hamburg"]]


def test_undo_takes_back_and_the_file_follows() -> None:
    result = play(["undo", "pl tr stade", "pl tr stade", "undo", "undo", "undo", "done", "quit"], *NEW)
    assert result.output.count("Taken back: place a trader on Stade–Hamburg") == 2
    assert result.output.count("nothing to take back") == 2
    assert kept()["decisions"][0] == [0, "done"]


def test_what_is_taken_back_in_the_middle_of_an_action_is_told_with_its_beginning() -> None:
    game, random = Game(THREE, seed=3), Random(1)
    while game.asked != "displace":
        game.play(random.choice(game.legal()))
    Path("game.json").write_text(json.dumps(game.record() | {"agents": ["person"] * 3}))
    result = play([game.legal()[0], "undo", "quit"], "--resume", "game.json")
    assert "Taken back: displace on Arnheim–Münster" in result.output


def test_a_game_goes_on_where_it_stopped() -> None:
    whole = play_game(["greedy"], THREE, seed=3)
    own = [text for seat, text in whole.decisions if seat == 0]
    assert play([*own[:20], "quit"], *NEW).exit_code == 0
    stopped = len(kept()["decisions"])
    assert 20 <= stopped < len(whole.decisions)
    result = play(own[20:], "--resume", "game.json")
    assert result.exit_code == 0 and kept()["decisions"] == whole.record()["decisions"], result.output
    assert "Turn" in result.output.split("Hansa Teutonica")[0], "what was played last is told"
    again = play(["quit"], "--resume", "game.json", "--until", 10, "--out", "branch.json", "greedy", "person", "greedy")
    assert again.exit_code == 0 and not Path("branch.json").exists(), "nobody has decided anything"
    play(["2", "quit"], "--resume", "game.json", "--until", 10, "--out", "branch.json")
    assert kept("branch.json")["decisions"][:10] == kept()["decisions"][:10] and kept("branch.json") != kept()


def test_a_game_is_played_at_one_place_at_a_time() -> None:
    """Also where nobody has decided anything, and whatever its file is called."""
    game = Game(THREE, 3)
    game.agents = ["person", "greedy", "greedy"]
    Path("game.json").write_text(json.dumps(game.record()))
    Path("link.json").symlink_to("game.json")
    before = Path("game.json").read_bytes()
    with Kept(Path("game.json")) as first:
        for name in ("game.json", "link.json"):
            refused = play(["1"], "--resume", name, "person", "greedy", "greedy")
            assert refused.exit_code == 2 and f"error: {name} is in use" in refused.output
        assert Path("game.json").read_bytes() == before
        branch = play(["1"], "--resume", "game.json", "--until", 0, "--out", "branch.json", "person", "greedy", "greedy")
        assert branch.exit_code == 0 and kept("branch.json")["decisions"]
        first.move(Path("moved.json"), game)
        assert play(["1"], "--resume", "moved.json", "person", "greedy", "greedy").exit_code == 2
        assert play(["1"], "--resume", "game.json", "person", "greedy", "greedy").exit_code == 0
    assert play(["1"], "--resume", "moved.json", "person", "greedy", "greedy").exit_code == 0
    assert sorted(path.name for path in Path().iterdir()) == ["branch.json", "game.json", "link.json", "moved.json"]


def test_a_record_stays_as_it_is_when_others_go_on_with_it() -> None:
    """Also while somebody else keeps a game in it."""
    game = Game(THREE, 3)
    game.agents = ["greedy"] * 3
    Path("theirs.json").write_text(json.dumps(game.record()))
    before = Path("theirs.json").read_bytes()
    with Kept(Path("theirs.json")):
        other = play(["1", "quit"], "person", "greedy", "greedy", "--resume", "theirs.json")
    assert other.exit_code == 0 and Path("theirs.json").read_bytes() == before
    (new,) = [path for path in Path().glob("*.json") if path.name != "theirs.json"]
    assert f"go on with: hansa play --resume {new.name}" in other.output
    assert play(["1", "quit"], "person", "greedy", "greedy", "--resume", new.name).exit_code == 0
    assert [text for _, text in kept(new)["decisions"][:2]] == ["place trader arnheim/duisburg"] * 2, "the same seats, by name"
    assert len(list(Path().glob("*.json"))) == 2


def test_a_record_is_written_over_only_by_the_game_that_it_has() -> None:
    """Which is resumed at its end with its seats, by whatever name the file is called."""
    played = Game(THREE, 3)
    played.agents = ["person", "greedy", "greedy"]
    for _ in range(9):
        played.play(played.legal()[0])
    Path("game.json").write_text(json.dumps(played.record()))
    Path("link.json").symlink_to("game.json")
    before = Path("game.json").read_bytes()
    for more in (["--until", 5], ["greedy", "person", "greedy"], ["--until", 5, "person", "greedy", "greedy"]):
        for out in ("game.json", "./game.json", "link.json"):
            refused = play(["1", "quit"], *more, "--resume", "game.json", "--out", out)
            assert refused.exit_code == 2 and f"error: --out is {Path(out)}, the record that is resumed" in refused.output
    assert Path("game.json").read_bytes() == before
    for out in ("game.json", Path.cwd() / "game.json", "link.json"):
        assert play(["undo", "1", "quit"], "--resume", "game.json", "--out", out).exit_code == 0
    assert kept()["decisions"] != played.record()["decisions"] and kept()["decisions"][:5] == played.record()["decisions"][:5]


@pytest.mark.parametrize("named", [True, False])
def test_a_file_that_comes_while_nobody_has_decided_stays(
    named: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("time.strftime", lambda _: "game.json")
    with Kept(Path("game.json") if named else None) as one:
        Path("game.json").write_text("of somebody else")
        one.keep(Game(THREE, 3))
        one.keep(Game(THREE, 4))
        one.say_where(Game(THREE, 4))
    assert "The game is kept in game-2.json, as game.json exists; " in capsys.readouterr().out
    assert one.path == Path("game-2.json") and kept(one.path)["seed"] == 4
    assert sorted(path.name for path in Path().iterdir()) == ["game-2.json", "game.json"]
    assert Path("game.json").read_text() == "of somebody else"


def test_a_file_that_comes_while_a_game_is_saved_under_its_name_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    sync = os.fsync

    def sync_late(descriptor: int) -> None:
        Path("other.json").write_text("of somebody else")
        sync(descriptor)

    with Kept(Path("game.json")) as one:
        one.keep(Game(THREE, 3))
        monkeypatch.setattr(os, "fsync", sync_late)
        with pytest.raises(FileExistsError, match=r"^other\.json exists; name another file$"):
            one.move(Path("other.json"), Game(THREE, 3))
    assert one.path == Path("game.json") and Path("other.json").read_text() == "of somebody else"


def test_of_several_people_nobody_sees_a_mission_card_unasked() -> None:
    with_cards = Game(Ruleset(3, missions=True), 3)
    cards = [list(card) for card in with_cards.setup["missions"]]
    words = "-p", 3, "--missions", "--seed", 3, "-o"
    several = play(["board", "scores", "done", "board"], "person", "person", "person", *words, "several.json").output
    assert not re.search(r"mission [a-z]", several)
    asked = play(["card", "done", "card"], "person:Anna", "person:Ben", "person", *words, "asked.json").output
    for name, card in (("Anna (seat 0)", cards[0]), ("Ben (seat 1)", cards[1])):
        assert f"Mission of {name}: {', '.join(name_in_words(with_cards.ruleset, city) for city in card)}\n" in asked
    alone = play(["board"], "greedy", *words, "alone.json").output
    assert f"mission {', '.join(cards[0])}" in alone
    assert "This game has no mission cards." in play(["card"], *NEW).output


def test_scores_leave_out_the_points_of_cards_that_are_not_seen() -> None:
    game = Game(Ruleset(3, missions=True), 3)
    column, random = score_columns(game.ruleset).index("mission"), Random(1)
    while not any(row[column] for row in game.scores()):
        game.play(random.choice(game.legal()))
    game.agents = ["person"] * 3
    Path("game.json").write_text(json.dumps(game.record()))
    totals = [row[-1] - row[column] for row in game.scores()]
    lines = play(["scores"], "--resume", "game.json").output.splitlines()
    shown = [line.split() for line in lines if re.match(r" +[012] +person ", line)]
    assert [int(row[-1]) for row in shown] == totals


def test_what_is_saved_by_name_stays_when_the_game_goes_on_elsewhere() -> None:
    game = Game(THREE, 3)
    with Kept() as one:
        one.keep(game)
        first = one.path
        assert first is not None
        one.move(first, game)  # the player asks for the name that the game had by itself
        one.move(Path("other.json"), game)
    assert first.exists() and Path("other.json").exists()


def test_a_game_is_kept_where_the_disk_has_no_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    def without(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr("hansa_env.commands.kept_game.hold", without)
    with Kept(Path("game.json")) as one:
        one.keep(Game(THREE, 3))
    assert kept()["decisions"] == []


def test_a_record_that_is_longer_than_the_turn_limit_goes_on() -> None:
    game = play_game(["random"] * 3, THREE, seed=3, max_turns=None)
    longest = int(game.state["turns"]) // 3
    Path("long.json").write_text(json.dumps(game.rewound(len(game.decisions) - 8).record()))
    for limit in (longest // 2, longest + 5):
        gone_on = play(["quit"], "--resume", "long.json", "--max-turns", limit, "person", "greedy", "greedy")
        assert gone_on.exit_code == 0 and "illegal" not in gone_on.output, gone_on.output


def test_a_record_of_a_game_that_the_turn_limit_cut_off_is_over() -> None:
    game = play_game(["random"] * 3, THREE, seed=3, max_turns=2)
    Path("cut.json").write_text(json.dumps(game.record()))
    shown = play([], "--resume", "cut.json", "--max-turns", 2, "person", "greedy", "greedy")
    assert shown.exit_code == 0 and f"{len(game.decisions)} decisions, cut off" in shown.output, shown.output


def test_a_game_that_is_resumed_keeps_its_turn_limit_unless_another_is_given() -> None:
    game = Game(THREE, 3, max_turns=2)
    game.play("done")
    seats = ["person", "greedy", "greedy"]
    for number, (given, limit) in enumerate((((), 2), (("--max-turns", 5), 5), (("--max-turns", 0), None))):
        Path("begun.json").write_text(json.dumps(game.record()))
        shown = play(["done", "quit"], "--resume", "begun.json", *given, "-o", f"on-{number}.json", *seats)
        assert kept(f"on-{number}.json").get("max_turns") == limit, shown.output
    while not game.over:
        game.play("done")
    Path("cut.json").write_text(json.dumps(game.record()))
    assert "cut off" in play([], "--resume", "cut.json", *seats).output
    for limit in (0, 5):
        assert "cut off" not in play(["quit"], "--resume", "cut.json", "--max-turns", limit, *seats).output


def test_a_record_in_the_turn_after_the_limit_goes_on_without_one() -> None:
    game = Game(THREE, 3)
    while game.state["turns"] < 6:
        game.play("done")
    game.play(game.legal()[-1])
    assert game.state["turns"] == 6
    Path("turn.json").write_text(json.dumps(game.record()))
    for limit in (1, 2, 3):
        shown = play(["quit"], "--resume", "turn.json", "--max-turns", limit, "person", "greedy", "greedy")
        assert shown.exit_code == 0 and "illegal" not in shown.output, shown.output


def test_no_line_ends_the_game() -> None:
    result = play(["save ~nosuchuser/x.json", "save a\0b", "9" * 5000, "done", "done", "quit"], *NEW)
    assert result.exit_code == 1 and result.output.count("Not saved: ") == 2, "one line was not understood"
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert [seat for seat, _ in kept()["decisions"]].count(0) == 2


def test_save_names_the_file_and_nothing_is_overwritten() -> None:
    Path("taken.json").write_text("mine")
    words = [word for word in NEW if word not in ("-o", "game.json")]
    result = play(["done", "save", "save taken.json", "save nowhere/x.json", "save mine.json", "done"], *words)
    assert "Not saved: taken.json exists" in result.output and "Not saved: " in result.output
    assert Path("taken.json").read_text() == "mine"
    assert sorted(path.name for path in Path().iterdir()) == ["mine.json", "taken.json"], "the file named by the time has gone"
    assert [seat for seat, text in kept("mine.json")["decisions"]].count(0) == 2
    refused = play([], *words, "--out", "taken.json")
    assert refused.exit_code == 2 and "taken.json exists; go on with it by --resume taken.json" in refused.output


def test_without_a_name_the_file_is_named_by_the_time_and_only_when_somebody_decided() -> None:
    words = [word for word in NEW if word not in ("-o", "game.json")]
    nothing = play(["hint", "quit"], *words)
    assert nothing.exit_code == 0 and not list(Path().iterdir())
    assert nothing.output.endswith("There is nothing to save yet: a game is kept from a person's first decision on.\n")
    result = play(["done"], *words)
    (file,) = Path().iterdir()
    assert re.fullmatch(r"hansa-\d{8}-\d{6}\.json", file.name) and f"--resume {file.name}" in result.output


def test_a_game_that_cannot_be_kept_goes_on_and_is_saved_elsewhere() -> None:
    words = [word if word != "game.json" else "nowhere/game.json" for word in NEW]
    result = play(["1", "save game.json", "quit"], *words)
    assert result.exit_code == 0 and "Not kept: " in result.output and len(kept()["decisions"]) >= 1


def test_hints_and_what_can_be_asked() -> None:
    result = play(["hint", "hint ppo", "hint nobody", "list groning", "help", "scores", "board"], *NEW)
    hint = re.search(r"greedy:\n +100 %  place a trader on (\S+)  \((\d+)\)", result.output)
    assert hint and f"{hint[2]} {hint[1]}\n" in play([f"list {hint[1]}"], *NEW).output
    assert "ppo:\n" in result.output and re.search(r"expects to win \d+ % of such games", result.output)
    assert "No hint: unknown agent 'nobody'" in result.output and "take back the last decision by a person" in result.output
    assert result.output.count("Completed cities") == 2 and "not finished; as the board stands" in result.output
    assert not Path("game.json").exists()


def test_a_list_of_nothing_says_so() -> None:
    shown = play(["list zzz", "list 900"], *NEW).output
    assert "No decision here has 'zzz'." in shown and "There is no decision 900; the numbers go from 1 to" in shown
    assert shown.count("Choose an action:") == 1, "only as the game begins"


def test_several_people_at_one_keyboard() -> None:
    said = ["pl tr stade", "pl tr stade", "pl tr hamburg lubeck", "undo", "done", "hint"]
    result = play(said, "person:Anna", "person:Ben", "greedy", *NEW[1:])
    assert "Anna (seat 0), Ben (seat 1), greedy (seat 2)" in " ".join(result.output.split())
    assert "Seat 1 (Ben); 2 actions left" in result.output
    assert "Turn 1, seat 0 (Anna): places a trader on Stade–Hamburg; places" in result.output
    assert kept()["agents"] == ["person:Anna", "person:Ben", "greedy"]
    assert [decision for decision in kept()["decisions"] if decision[0] == 1] == [[1, "done"]]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["nobody"], "unknown agent 'nobody'"),
        (["greedy", "greedy", "greedy"], "one for each, or one for all; for 4 players add --players 4"),
        (["person", "greedy"], "2 named for 3 seats; with a person among them, expected one for each; for 2 players add --pl"),
        (["person"] * 6, "6 named for 3 seats; with a person among them, expected one for each\n"),
        (["--resume", "bots.json", "person", "greedy"], "with a person among them, expected one for each\n"),
        (["greedy", "--seat", "3"], "--seat is 3; expected 0 to 2"),
        (["--until", "3"], "--until needs a record to resume"),
        (["--resume", "nowhere.json"], "nowhere.json: No such file"),
        (["--resume", "broken.json"], "broken.json: "),
        (["--resume", "bots.json", "-p", "5", "--board", "east", "person"], "bots.json is a game of 3 players"),
        (["--resume", "bots.json", "-p", "4", "person", "greedy", "greedy"], "board base-2-3, not of 4 players"),
        (["--resume", "bots.json"], "no person sits at this game; name who plays"),
        (["--resume", "bots.json", "--until", "9999", "greedy"], "--until is 9999; the record has"),
        (["--resume", "gone.json"], "unknown agent 'oldbot'"),
        (["--resume", "bots.json", "--seat", "1"], "--seat is 1, but no opponents are named"),
        (["greedy", "--max-turns", "-1"], "--max-turns is -1"),
        (["greedy", "--hints", "nobody"], "unknown agent 'nobody'"),
        (["greedy", "--out", "."], "--out is ., which is a folder; expected a file"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(words: list[str], reason: str) -> None:
    Path("broken.json").write_text("{}")
    game = play_game(["random"], THREE, seed=1, max_turns=1)
    Path("bots.json").write_text(json.dumps(game.record()))
    game.agents = ["person", "oldbot", "greedy"]
    Path("gone.json").write_text(json.dumps(game.record()))
    result = play([], *words, *([] if "--resume" in words else ["-p", 3]))
    assert result.exit_code == 2 and reason in result.output and len(result.output.strip().splitlines()) == 1, result.output


def test_an_agent_that_fails_leaves_the_game_kept() -> None:
    Path("weak.py").write_text(
        "from hansa_env import Agent\n\n\n"
        "class Weak(Agent):\n"
        "    def act(self, inputs, masks, seats):\n"
        "        return masks.argmin(1)\n"
    )
    result = play(["done"], "weak:Weak", *NEW[1:])
    assert result.exit_code == 2 and "agent 'weak:Weak' answered" in result.output
    assert "go on with: hansa play --resume game.json" in result.output and kept()["decisions"] == [[0, "done"]]


class Terminal:
    """A command in a pseudo-terminal."""

    def __init__(self, *words: str, columns: int = 110, lines: int = 40) -> None:
        leader, follower = pty.openpty()
        termios.tcsetwinsize(leader, (lines, columns))
        self.leader, self.shown = leader, ""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "hansa_env", *words], stdin=follower, stdout=follower, stderr=follower,
            start_new_session=True, preexec_fn=_take_terminal,
            env=os.environ | {"TERM": "xterm-256color", "COLUMNS": str(columns), "LINES": str(lines)},
        )  # fmt: skip
        os.close(follower)

    def until(self, text: str, seconds: float = 300) -> str:
        """What is shown up to a text, which it waits for."""
        end = time.monotonic() + seconds
        while text not in self.shown:
            assert time.monotonic() < end, self.shown[-2000:]
            if select.select([self.leader], [], [], 0.2)[0]:
                try:
                    self.shown += os.read(self.leader, 65536).decode("utf-8", "replace")
                except OSError:
                    break
        before, found, self.shown = self.shown.partition(text)
        assert found, before[-2000:]
        return before + found

    def rest(self) -> str:
        """What is shown up to the end."""
        with suppress(OSError):
            while more := os.read(self.leader, 65536):
                self.shown += more.decode("utf-8", "replace")
        return self.shown

    def say(self, text: str) -> None:
        os.write(self.leader, text.encode())

    def close(self) -> int:
        code = self.process.wait(30)
        os.close(self.leader)
        return code


def _take_terminal() -> None:
    import fcntl

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def test_control_c_in_a_terminal_keeps_the_game() -> None:
    terminal = Terminal("play", *map(str, NEW))
    terminal.until("\r\n> ")
    terminal.say("pl tr stade\n")
    terminal.until("1 action left")
    terminal.until("\r\n> ")
    terminal.say("\x03\n")  # a signal that comes before the wait for a line is seen only at the next line
    terminal.until("The game is kept in game.json")
    assert terminal.close() == 130 and kept()["decisions"] == [[0, "place trader stade/hamburg"]]


def seen(shown: str) -> list[str]:
    """The lines of a terminal, without colours and what passes on them."""
    return [re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", line).rstrip("\r") for line in shown.split("\n")]


def test_a_narrow_terminal_has_the_board_in_letters_and_no_line_is_broken() -> None:
    terminal = Terminal("play", *map(str, NEW), columns=80, lines=24)
    shown = terminal.until("\n> ")
    assert "groningen/emden" in shown and max(map(len, seen(shown))) <= 80
    terminal.say("map\n")
    terminal.until("The map takes 90 columns; the terminal has 80.")
    terminal.say("quit\n")
    assert terminal.close() == 0


def rows_of(shown: str, columns: int) -> list[str]:
    """The rows of a terminal that is high enough, after all that was written to it."""
    rows, row, column = [""], 0, 0
    for up, erase, other, sign in re.findall(r"\x1b\[(\d+)A|(\x1b\[J)|(\x1b\[[0-9;?]*[A-Za-z])|(.)", shown, re.DOTALL):
        if up:
            row = max(0, row - int(up))
        elif erase:
            rows[row:] = [rows[row][:column]]
        elif sign == "\r":
            column = 0
        elif sign and not other:
            if sign == "\n" or column == columns:
                row, column = row + 1, 0 if sign != "\n" else column
                rows += [""] * (row + 1 - len(rows))
            if sign != "\n":
                rows[row] = rows[row].ljust(column)[:column] + sign + rows[row][column + 1 :]
                column += 1
    return rows


@pytest.mark.parametrize(("columns", "pressed"), [
    (110, "\n"), (48, "\n"), (48, "what is typed may take more than one row\n"), (48, "\x03\n"), (110, "\x03\n"),
])  # fmt: skip
def test_a_card_goes_from_a_terminal_that_several_people_share(columns: int, pressed: str) -> None:
    terminal = Terminal("play", "person:Annemarie", "person", "person", *map(str, NEW[1:]), "--missions", columns=columns)
    terminal.until("End the turn")
    terminal.until("\n> ")
    terminal.say("card\n")
    shown = terminal.until("Enter hides it. ")
    first = -3 if columns == 48 else -2
    assert rows_of(shown, columns)[first].startswith("Mission of Annemarie (seat 0): ")
    terminal.say(pressed)
    if pressed != "\x03\n":
        shown += terminal.until("> ")
        terminal.say("quit\n")
    shown += terminal.rest()
    assert terminal.close() == (130 if pressed == "\x03\n" else 0)
    left = "\n".join(rows_of(shown, columns))
    assert "Mission of" not in left and "hides" not in left


def test_a_wide_terminal_has_the_map_in_colours_and_asks_in_two_steps() -> None:
    terminal = Terminal("play", *map(str, NEW), columns=120, lines=40)
    shown = terminal.until("\n> ")
    assert "groningen/emden" not in shown and "Completed cities" in shown and "Place a trader on ... (32)" in shown
    assert len(seen(shown)) <= 40 + 20, "the map is only as large as its rows allow"
    terminal.say("pl tr\n")
    assert re.search(r"31 Stade–Hamburg", terminal.until("\n> "))
    terminal.say("31\n")
    shown = terminal.until("1 action left")
    terminal.say("map\n")
    assert "\x1b[48;5;27;38;5;15m0" in terminal.until("seat  prestige"), "a piece in the colour of its seat"
    terminal.say("board\n")
    terminal.until("stade/hamburg")
    terminal.say("quit\n")
    assert terminal.close() == 0


def test_a_record_is_stepped_through_in_a_terminal() -> None:
    game = play_game(["greedy"], THREE, seed=3, estimates=True)
    Path("game.json").write_text(json.dumps(game.record()))
    terminal, last = Terminal("replay", "game.json"), len(game.decisions)
    assert "Completed cities" in terminal.until(f"-- 0 of {last}; h: help -- ")
    terminal.say("\n")
    shown = terminal.until(f"-- 1 of {last}; h: help -- ")
    assert "1 of" in shown and "seat 0 (greedy) places" in shown and "  100 %  " in shown
    assert "groningen/emden" not in shown, "the map stands there"
    terminal.say("m\n")
    assert "groningen/emden" in terminal.until(f"-- 1 of {last}; h: help -- ")
    terminal.say("q\n")
    assert terminal.close() == 0
