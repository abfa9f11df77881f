"""The options that name a ruleset."""

from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from hansa_env import Ruleset, RulesetError
from hansa_env.commands import options

app = typer.Typer()


@app.command()
def name(
    players: options.Players = 4, edition: options.Edition = "fourth", two_players: options.TwoPlayers = None,
    board: options.BoardName = None, missions: options.Missions = False, favours: options.Favours = None,
    pile: options.Pile = None, wanted: Annotated[str, typer.Option()] = "",
) -> None:  # fmt: skip
    ruleset = options.ruleset(players, edition, two_players, board, missions, favours, pile)
    assert repr(ruleset) == wanted, f"{ruleset!r} is not {wanted}"


PILE = ("block", "tribute", *["+3"] * 2, *["+4"] * 2, *["upgrade"] * 2, *["exchange"] * 2, *["extra-office"] * 2)


@pytest.mark.parametrize(
    "ruleset",
    [
        Ruleset(2, "first", "neutral", missions=True),
        Ruleset(3, board="base-4-5", favours=True),
        Ruleset(5, "bigbox", board="east", favours="any-board", pile="promos"),
        Ruleset(4, "bigbox", pile=PILE),
    ],
    ids=str,
)
def test_the_words_of_a_ruleset_name_it(ruleset: Ruleset) -> None:
    words = options.words_of(ruleset).split(" ")
    done = CliRunner().invoke(app, [*words, "--wanted", repr(ruleset)], catch_exceptions=False)
    assert done.exit_code == 0
    assert Ruleset.from_config(ruleset.config | {"seed": 1}) == ruleset


@pytest.mark.parametrize(
    ("word", "favours"), [("yes", True), ("true", True), ("no", False), ("false", False), ("any-board", "any-board")]
)
def test_words_for_favours(word: str, favours: bool | str) -> None:
    assert options.ruleset(4, "fourth", None, None, favours=word) == Ruleset(4, favours=favours)


def test_another_word_for_favours_is_refused_in_the_words_of_the_command() -> None:
    with pytest.raises(RulesetError, match="--favours is 'maybe'; expected yes, no or any-board"):
        options.ruleset(4, "fourth", None, None, favours="maybe")
