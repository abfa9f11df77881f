"""The pictures of docs/pictures.md: `python -m tests.pages.pictures` plays a game of four agents, draws a position of it and
photographs the page of `hansa view`."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hansa_agents.arena import play_game
from hansa_env import Game, Ruleset
from hansa_env.pages.story import story_of
from hansa_env.pages.view import view_page
from hansa_env.render.picture import png_of
from tests.browser import a_browser
from tests.docs.figures import write_figure

AGENTS, SEED = ("ppo", "greedy", "ppo", "greedy"), 7
#: The share of the game after which it is shown, and the size of the page.
SHOWN, SIZE = 0.7, {"width": 1400, "height": 1225}


def page_of(game: Game, step: int) -> bytes:
    """The page of a game at a step."""
    with tempfile.TemporaryDirectory() as folder, a_browser() as browser:
        file = Path(folder) / "game.html"
        file.write_text(view_page([story_of(game, "game")]), "utf-8")
        page = browser.new_page(viewport=SIZE)
        page.goto(file.as_uri())
        page.click(f'#list [data-step="{step}"]')
        page.wait_for_timeout(1000)  # the list scrolls
        return page.screenshot()


def main() -> None:
    """Write the pictures."""
    game = play_game([*AGENTS], Ruleset(4), seed=SEED, estimates=True)
    moves = game.moves()
    late = int(SHOWN * len(moves))
    lifted = next(n for n, move in enumerate(moves) if n >= late and move.asked == "put")
    write_figure(png_of(game.rewound(lifted).svg(1200)), "board")
    shares = {number: thought["likeliest"][0][1] for number, thought in game.estimates.items() if number >= late}
    doubtful = min((number for number in shares if moves[number].asked == "act"), key=shares.__getitem__)
    write_figure(page_of(game, doubtful), "view")


if __name__ == "__main__":
    main()
