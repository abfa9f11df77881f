"""Folders that are filled in steps: each says in a file what it is for, so that nothing else gets mixed in."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from hansa_env.formats.file_reading import read_at_most
from hansa_env.formats.file_writing import write_json
from hansa_env.formats.json_text import parse_json

_LARGEST = 2**20  # bytes of such a file


def claim_folder(
    file: Path, asked: Mapping[str, Any], refusal: type[ValueError], option: str = "--folder", later: Collection[str] = ()
) -> dict[str, Any]:  # fmt: skip
    """Keep in a file what its folder is for, or see that the folder is for the same; the folder is made where there is none.

    Args:
        asked: what JSON can say.
        refusal: what is raised.
        option: of the command, with which another folder is named.
        later: names in `asked` that earlier versions did not keep: a folder without one is taken as it is.

    Returns:
        What the file says of what is asked.

    Raises:
        refusal: the folder is for something else, which is named, or the file cannot be read.
    """
    if file.exists():
        return check_claim(file, asked, refusal, option, later)
    file.parent.mkdir(parents=True, exist_ok=True)
    write_json(file, asked)
    return dict(asked)


def check_claim(
    file: Path, asked: Mapping[str, Any], refusal: type[ValueError], option: str = "--folder", later: Collection[str] = ()
) -> dict[str, Any]:  # fmt: skip
    """The same of a folder that says what it is for; any other is free, and is left as it is."""
    if not file.exists():
        return {}
    try:
        kept = parse_json(read_at_most(file, _LARGEST), file.name)
        if not isinstance(kept, dict):
            raise ValueError("expected an object")
    except (OSError, ValueError) as error:
        raise refusal(f"{file}: does not say what it is for ({error!s:.200}); name another folder ({option})") from error
    for name, now in json.loads(json.dumps(asked)).items():
        if name in later and name not in kept:
            continue
        if (was := kept.get(name)) != now:
            raise refusal(f"{file}: {name} was {was!r:.200}, now {now!r:.200}; name another folder ({option})")
    return {name: kept[name] for name in asked if name in kept}
