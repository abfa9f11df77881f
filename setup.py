"""What pyproject.toml cannot say: the README as package registries show it, where relative links lead nowhere.

In the repository the links are relative, so that they work in every clone; here, when a package is built, they get the address
that pyproject.toml has under `project.urls`.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from setuptools import setup

ROOT = Path(__file__).parent
LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^]]*)\]\((?!https?://|#)(?P<target>[^)\s]+)\)")


def with_absolute_links(text: str, repository: str) -> str:
    """Markdown whose links into the repository name it; pictures as the files that they are, pages as they are shown."""

    def absolute(link: re.Match[str]) -> str:
        kind = "raw" if link["image"] else "blob"
        return f"{link['image']}[{link['text']}]({repository}/{kind}/main/{link['target']})"

    return LINK.sub(absolute, text)


if __name__ == "__main__":
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    readme = with_absolute_links((ROOT / "README.md").read_text("utf-8"), project["urls"]["Repository"])
    setup(long_description=readme, long_description_content_type="text/markdown")
