"""Archives by Stable-Baselines3 that hold code, which shows by a file where it runs."""

from __future__ import annotations

import base64
import json
import pickle
import zipfile
from pathlib import Path


class Bomb:
    """Makes a file when it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple:
        return Path.touch, (self.mark,)

    def as_text(self) -> str:
        """As the settings in an archive keep an object."""
        return base64.b64encode(pickle.dumps(self)).decode()


def archive_with_code(path: Path, mark: Path) -> None:
    """Write an archive of nothing else."""
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("data", json.dumps({"policy_class": {":type:": "?", ":serialized:": Bomb(mark).as_text()}}))
