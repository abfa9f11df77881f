"""The packages of this project, as pyproject.toml has them."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
#: Folders by import name.
PACKAGES: dict[str, str] = PROJECT["tool"]["setuptools"]["package-dir"]
