"""The moving picture of the README: `python -m tests.docs.moving_picture` plays a game and draws it, with the curve of what the
agents expect below the board."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image, ImageDraw

from hansa_env import Game, Ruleset, make_agent
from hansa_env.play.agents import observations_of
from hansa_env.play.estimates import estimate_games
from hansa_env.render.picture import png_of
from tests.docs.figures import FIGURES

FILE = FIGURES / "game.gif"
RULESET, SEED, AGENT = Ruleset(players=3), 5, "ppo"
#: Pixels of a frame, and how high the curve is; milliseconds of a frame; decisions between two.
WIDTH, CURVE, SHOWN, EVERY = 720, 110, 290, 4
COLOURS = ("#c0392b", "#2471a3", "#1e8449")


def played() -> list[tuple[Game, np.ndarray]]:
    """The positions of a game, and the share of the win that each seat expects, which add up to 1."""
    agent, game, found = make_agent(AGENT, RULESET), Game(RULESET, seed=SEED), []
    while not game.over:
        records, masks = np.array([game.state]), game.action_mask()[None]
        estimate = estimate_games(agent, RULESET, records)
        found.append((game.copy(), estimate.seat_values[0]))
        game.play_action(int(agent.act(observations_of(RULESET, records), masks, np.array([game.seat]))[0]))
    return found


def frame(game: Game, curve: list[np.ndarray], total: int) -> Image.Image:
    """The board, and the curve so far."""
    board = Image.open(io.BytesIO(png_of(game.svg(WIDTH)))).convert("RGB")
    picture = Image.new("RGB", (WIDTH, board.height + CURVE), "white")
    picture.paste(board, (0, 0))
    draw = ImageDraw.Draw(picture)
    for seat, colour in enumerate(COLOURS):
        points = [
            (10 + (WIDTH - 20) * i / max(1, total - 1), board.height + CURVE - 8 - (CURVE - 16) * float(share[seat]))
            for i, share in enumerate(curve)
        ]
        draw.line(points if len(points) > 1 else points * 2, fill=colour, width=3)
    return picture


def main() -> None:
    """Write the picture."""
    positions = played()
    shown = [*range(0, len(positions), EVERY), len(positions) - 1]
    curve = [share for _, share in positions]
    frames = [frame(positions[i][0], curve[: i + 1], len(positions)) for i in shown]
    frames = [one.quantize(64, dither=Image.Dither.NONE) for one in frames]
    durations = [SHOWN] * (len(frames) - 1) + [3000]
    frames[0].save(FILE, save_all=True, append_images=frames[1:], duration=durations, loop=0, optimize=True)
    print(f"{FILE}: {len(frames)} frames, {FILE.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
