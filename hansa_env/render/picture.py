"""A scene as pixels and as PNG: the drawing of `render.svg`, rasterised by resvg with a font, both of the extra `picture`.

The same scene gives the same pixels on any machine: fonts of the system are not used.
"""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np

from hansa_env.extras import what_is_missing
from hansa_env.render.scene_parts import Scene
from hansa_env.render.svg import draw

WIDTH = 1200


def check_installed() -> None:
    """Raises ModuleNotFoundError, saying how that is mended, unless the extra `picture` is there."""
    try:
        import font_source_sans_pro  # noqa: F401
        import PIL.Image  # noqa: F401
        import resvg_py  # noqa: F401
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(what_is_missing(error), name=error.name) from None


def png_of(svg: str) -> bytes:
    """An SVG document as PNG, at its own size. Raises ModuleNotFoundError without the extra `picture`."""
    check_installed()
    import font_source_sans_pro as fonts
    import resvg_py

    files = [fonts.SourceSansPro, fonts.SourceSansProBold]
    return resvg_py.svg_to_bytes(svg_string=svg, font_files=files, skip_system_fonts=True)


def check_drawable(path: Path) -> None:
    """Raises ModuleNotFoundError, as `check_installed` does, where a picture of that name needs the extra `picture`."""
    if path.suffix == ".png":
        check_installed()


def picture_of(svg: str, path: Path) -> bytes:
    """An SVG document as what is to stand in a file of that name. Raises ModuleNotFoundError as `png_of` does."""
    return png_of(svg) if path.suffix == ".png" else svg.encode()


def rgb_array(scene: Scene, width: int = WIDTH, theme: str = "light") -> np.ndarray:
    """The scene as an array (H, W, 3) uint8, W the width. Raises ModuleNotFoundError without the extra `picture`."""
    png = png_of(draw(scene, width, theme))
    from PIL import Image

    return np.array(Image.open(io.BytesIO(png)).convert("RGB"))
