"""Folders that say what they are for."""

import json
from pathlib import Path

import pytest

from hansa_env.formats.claim import claim_folder


class Taken(ValueError):
    """What the tests have raised."""


def test_a_folder_is_for_what_it_was_made_for(tmp_path: Path) -> None:
    file, asked = tmp_path / "new" / "folder" / "for.json", {"agent": "ppo", "seats": (1, 2), "seed": 3}
    claim_folder(file, asked, Taken)
    written = file.read_bytes()
    assert json.loads(written) == {"agent": "ppo", "seats": [1, 2], "seed": 3}
    claim_folder(file, asked, Taken)
    assert file.read_bytes() == written
    with pytest.raises(Taken, match=r"for\.json: seed was 3, now 4; name another folder \(--out\)"):
        claim_folder(file, asked | {"seed": 4}, Taken, "--out")
    with pytest.raises(Taken, match=r"for\.json: more was None, now True; name another folder \(--folder\)"):
        claim_folder(file, asked | {"more": True}, Taken)
    assert file.read_bytes() == written


def test_what_earlier_versions_did_not_keep_is_compared_where_it_is_there(tmp_path: Path) -> None:
    file, asked = tmp_path / "for.json", {"agent": "ppo", "model": "abc"}
    file.write_text('{"agent": "ppo"}')
    assert claim_folder(file, asked, Taken, later=["model"]) == {"agent": "ppo"}
    with pytest.raises(Taken, match=r"agent was 'ppo', now 'greedy'"):
        claim_folder(file, asked | {"agent": "greedy"}, Taken, later=["model", "agent"])
    file.unlink()
    assert claim_folder(file, asked, Taken, later=["model"]) == asked
    with pytest.raises(Taken, match=r"model was 'abc', now 'def'; name another folder"):
        claim_folder(file, asked | {"model": "def"}, Taken, later=["model"])


@pytest.mark.parametrize("content", [b"", b"[1]", b'{"a": 1, "a": 2}', b"\xff", b"[" * 9999, b" " * (2**20 + 1)])
def test_what_cannot_be_read_is_told_and_stays(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "for.json").write_bytes(content)
    with pytest.raises(Taken, match=r"^\S*for\.json: does not say what it is for [^\n]*; name another folder"):
        claim_folder(tmp_path / "for.json", {"a": 1}, Taken)
    assert (tmp_path / "for.json").read_bytes() == content
