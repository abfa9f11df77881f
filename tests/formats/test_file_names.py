"""Names of files and folders: after texts, and those that are still free."""

from __future__ import annotations

from pathlib import Path

import pytest

from hansa_agents.benchmark.play import file_of
from hansa_agents.benchmark.suite import read_suite
from hansa_agents.ladder.unfinished import Unfinished
from hansa_env.formats.file_names import file_name_of, in_first_free
from hansa_env.formats.file_writing import write_new

LONG = ["漢" * 150, "é" * 150, "x" * 250, "ppo:runs/" + "ü" * 99 + "a" * 100, "😀x" * 90, "\udcff" + "漢" * 150]


@pytest.mark.parametrize("text", LONG)
def test_a_name_has_room_on_the_disk_whatever_it_is_written_in(text: str, tmp_path: Path) -> None:
    name, other = file_name_of(text), file_name_of(text + "b")
    assert name != other and len(name.encode()) <= 200 and len(file_name_of(text, 100).encode()) <= 100
    write_new(tmp_path / f"{name}.jsonl", b"there is room for the name under which it is begun as well")


def test_names_that_are_documented_or_kept_stay_as_they_are() -> None:
    assert file_name_of("mybot:MyBot") == "mybot_MyBot"
    assert file_name_of("x" * 250) == "x" * 191 + "-89689892"
    files = [file_of(cell) for cell in read_suite().cells()]
    assert files[0] == "base-2_among_greedy.jsonl" and len(set(files)) == len(files)


def test_agents_whose_specs_differ_in_a_sign_alone_do_not_share_a_folder() -> None:
    """As on a ladder, where both may be placed by one command."""
    specs = ["ppo:runs/a", "ppo:runs_a", "ppo:runs:a", "ppo_runs_a", "ppo_runs:a"]
    assert len({file_name_of(spec, apart=True) for spec in specs}) == len(specs)
    assert len({Unfinished.of(Path("3-players.jsonl.gz"), spec).folder for spec in specs}) == len(specs)
    assert Unfinished.of(Path("3-players.jsonl.gz"), "mine").folder == Path("ladder-3-players-mine")


@pytest.mark.parametrize(("stem", "ending"), [("y", ".json"), ("y", ".jsonl.gz"), ("y", ".gz"), ("y", ""), ("v0.2", ".json")])
def test_the_next_free_name_has_its_number_before_what_tells_the_kind(stem: str, ending: str, tmp_path: Path) -> None:
    for number in ("", "-2", "-3"):
        found = in_first_free(tmp_path / f"{stem}{ending}", lambda place: write_new(place, b""))
        assert found == tmp_path / f"{stem}{number}{ending}"
