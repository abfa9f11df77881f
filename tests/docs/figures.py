"""Where the pictures of the documents are, and how those that programs make are written."""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image

FIGURES = Path(__file__).parents[2] / "docs" / "figures"
COLOURS = 128


def write_figure(png: bytes, name: str) -> None:
    """Write a picture, with few colours so that it is small."""
    picture = Image.open(io.BytesIO(png)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    file = FIGURES / f"{name}.png"
    picture.save(file, optimize=True)
    print(f"{file}: {picture.width} x {picture.height}, {file.stat().st_size / 1e3:.0f} kB")
