"""The options that name a ruleset."""

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Annotated

import pytest
import typer
from pydantic import ValidationError
from typer.testing import CliRunner

from hansa_env import Game, Ruleset, RulesetError
from hansa_env.commands import options
from hansa_env.commands.cli import app as hansa
from hansa_env.formats.fields import Strictly
from hansa_env.formats.ruleset_fields import ruleset_in, ruleset_model
from hansa_env.formats.schema import WholeConfig
from hansa_env.ruleset_options import OPTIONS, words_of

app = typer.Typer()


@app.command()
@options.with_ruleset
def name(ruleset: Ruleset = options.DEFAULT, wanted: Annotated[str, typer.Option()] = "") -> None:
    assert repr(ruleset) == wanted, f"{ruleset!r} is not {wanted}"


PILE = ("block", "tribute", *["+3"] * 2, *["+4"] * 2, *["upgrade"] * 2, *["exchange"] * 2, *["extra-office"] * 2)


@pytest.mark.parametrize(
    "ruleset",
    [
        Ruleset(2, "first", "neutral", missions=True),
        Ruleset(3, board="base-4-5", favours=True),
        Ruleset(5, "bigbox", board="east", favours="any-board", pile="promos"),
        Ruleset(4, "bigbox", pile=PILE),
        Ruleset(2, board="miniature-2-pile"),
    ],
    ids=str,
)
def test_the_words_of_a_ruleset_name_it(ruleset: Ruleset) -> None:
    words = words_of(ruleset).split(" ")
    done = CliRunner().invoke(app, [*words, "--wanted", repr(ruleset)], catch_exceptions=False)
    assert done.exit_code == 0
    assert Ruleset.from_config(ruleset.config | {"seed": 1}) == ruleset


@pytest.mark.parametrize(
    ("word", "favours"), [("yes", True), ("true", True), ("no", False), ("false", False), ("any-board", "any-board")]
)
def test_words_for_favours(word: str, favours: bool | str) -> None:
    assert options.ruleset_of({"players": 4, "favours": word}) == Ruleset(4, favours=favours)


def test_another_word_for_favours_is_refused_in_the_words_of_the_command() -> None:
    with pytest.raises(RulesetError, match="--favours is 'maybe'; expected yes, no or any-board"):
        options.ruleset_of({"favours": "maybe"})


def test_every_field_of_a_ruleset_is_an_option_with_a_title_and_a_meaning() -> None:
    assert list(OPTIONS) == [field.name for field in fields(Ruleset)]
    help_text = " ".join(CliRunner().invoke(app, ["--help"], env={"COLUMNS": "400"}).output.split())
    for option in OPTIONS.values():
        assert option.title and option.flag in help_text, option.name
        assert option.description and option.description in help_text, option.name
        tip = option.in_form()["tip"]
        assert tip and not re.search(r"--|R\d|any-board|miniature|names", tip), "for who plays, not for who types"
    assert "--favours yes|no|any-board" in help_text and "first|second|fourth|bigbox" in help_text


def test_a_command_says_what_is_wrong_with_a_ruleset_in_one_line() -> None:
    done = CliRunner().invoke(app, ["--players", "9"])
    assert done.exit_code == 2 and "players is 9; expected a whole number from 2 to 5" in done.output


def test_what_is_made_of_the_options_has_every_one() -> None:
    assert set(WholeConfig.model_fields) == set(OPTIONS)
    assert list(ruleset_model("Any").model_fields) == list(OPTIONS)


@pytest.mark.parametrize(
    "ruleset", [Ruleset(2, "first"), Ruleset(5, "bigbox", board="east", favours="any-board", pile="promos")], ids=str
)
def test_a_ruleset_comes_back_from_checked_fields(ruleset: Ruleset) -> None:
    given = {name: getattr(ruleset, name) for name in OPTIONS}
    assert ruleset_in(ruleset_model("Any", Strictly)(**given)) == ruleset


@pytest.mark.parametrize(
    "wrong",
    [{"players": 6}, {"players": "3"}, {"edition": "third"}, {"favours": "no"}, {"pile": "x" * 1000}, {"more": 1}],
    ids=str,
)
def test_checked_fields_refuse_what_no_ruleset_has(wrong: dict) -> None:
    with pytest.raises(ValidationError):
        ruleset_model("Any", Strictly)(**wrong)


@pytest.mark.parametrize("words", [["--out", ""], ["-o", ""], ["--out="], ["-o", "", "--wanted", ""]])
def test_an_empty_name_of_a_file_is_refused(words: list[str]) -> None:
    one = typer.Typer()
    given = []

    @one.command(cls=options.refusing({}))
    def write(out: Annotated[Path | None, typer.Option("--out", "-o")] = None, wanted: str = "") -> None:
        given.append(out)

    refused = CliRunner().invoke(one, words)
    assert refused.exit_code == 2 and f"{words[0].rstrip('=')} is empty; expected a name" in refused.output
    for fine in ([], ["--wanted", ""], ["--out", ".", "--wanted="]):
        assert CliRunner().invoke(one, fine).exit_code == 0
    assert given == [None, None, Path(".")]


def test_an_empty_word_for_a_file_is_refused() -> None:
    one = typer.Typer()
    given = []

    @one.command(cls=options.refusing({}))
    def read(files: Annotated[list[Path], typer.Argument()], wanted: str = "", plain: bool = False) -> None:
        given.append(files)

    for words in ([""], ["a", ""], ["a", "--plain", ""], ["--wanted", "", ""]):
        refused = CliRunner().invoke(one, words)
        assert refused.exit_code == 2 and "is empty; expected a name" in refused.output, words
    assert CliRunner().invoke(one, [".", "--wanted", "", "--plain"]).exit_code == 0 and given == [[Path(".")]]


@pytest.mark.parametrize(
    ("words", "there"),
    [("", True), (" yes", True), ("=yes", True), (" no", False), ("=no", False)],
)
def test_a_switch_takes_the_words_that_other_options_take(words: str, there: bool) -> None:
    done = CliRunner().invoke(hansa, ["info", *f"--missions{words}".split(), "--players", "3"])
    assert done.exit_code == 0 and done.output.splitlines()[0] == str(Ruleset(3, missions=there))


def test_what_follows_a_switch_is_an_argument_unless_it_is_yes_or_no() -> None:
    done = CliRunner().invoke(hansa, ["arena", "--missions", "nobody", "--players", "2"])
    assert done.exit_code == 2 and "unknown agent 'nobody'" in done.output
    assert "Option '--missions' does not take a value" in CliRunner().invoke(hansa, ["info", "--missions=maybe"]).output
    assert "yes|no " not in CliRunner().invoke(hansa, ["info", "--help"]).output


def test_no_refuses_a_switch_that_a_plan_has_on(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text('missions = true\nplayers = 3\nboard = "east"\nstart = "nothing"\n')
    words = ["train", "--config", str(tmp_path / "plan.toml"), "--folder", str(tmp_path / "run"), "--missions"]
    assert "missions" in CliRunner().invoke(hansa, [*words, "yes"]).output
    done = CliRunner().invoke(hansa, [*words, "no"])
    assert done.exit_code == 2 and "nothing" in done.output and "missions" not in done.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["record", "random", "--seed", "-1"], "--seed is -1; expected a whole number"),
        (["record", "random", "--max-turns", "-1"], "--max-turns is -1; expected 0 for no limit"),
        (["arena", "random", "--games", "0"], "--games is 0; expected"),
        (["record", "random", "--players", "7"], "--players is 7; expected a whole number from 2 to 5"),
        (["picture", "FILE", "--theme", "pink"], "--theme is 'pink'; expected one of light, dark"),
        (["picture", "FILE", "--until=-500"], "--until is -500; the record has 0 decisions"),
        (["replay", "FILE", "--until=-500"], "--until is -500; the record has 0 decisions"),
    ],
    ids=lambda words: words if isinstance(words, str) else " ".join(words),
)  # fmt: skip
def test_an_error_begins_with_the_option_that_is_wrong(tmp_path: Path, words: list[str], said: str) -> None:
    """Alone: nothing has been begun when it is refused."""
    (tmp_path / "game.json").write_text(json.dumps(Game(Ruleset(2)).record()))
    done = CliRunner().invoke(hansa, [word.replace("FILE", str(tmp_path / "game.json")) for word in words])
    lines = [line for line in done.output.splitlines() if not line.startswith(("hansa ", "reading"))]
    assert done.exit_code == 2 and len(lines) == 1 and lines[0].startswith(f"error: {said}"), done.output


@pytest.mark.parametrize("command", ["record", "train", "replay", "arena"])
def test_a_help_tells_of_values_in_one_way(command: str) -> None:
    """Whatever Typer calls them; a switch has none."""
    told = CliRunner().invoke(hansa, [command, "--help"]).output.partition("─ Options ─")[2]
    assert "<" not in told.replace("<=", "") and "bool" not in told and "BOOLEAN" not in told, told
    seed = next((line for line in told.splitlines() if "--seed" in line), "--seed WHOLE")
    assert "WHOLE" in seed
    assert command in ("replay",) or "yes|no|any-board" in told
