"""The run beside peers: what is measured, by which seconds, and the picture."""

from __future__ import annotations

import json
import sys
from itertools import count
from pathlib import Path

import pytest

from hansa_benchmarks.peers.measure import PEERS, rates
from hansa_benchmarks.peers_chart import bars, called, draw
from hansa_benchmarks.processes import peer_rows
from hansa_benchmarks.rows import SCALES, Row
from tests.docs.tables import PAGES
from tests.docs.tables import PEERS as FIGURES

MEASURED = {"peers/open_spiel/chess": [2e6, 4e6, 3e6], "ours/compiled": [1e7], "peers/catanatron/random": [5e3]}
ROWS = {key: Row(key, "", samples) for key, samples in MEASURED.items()}
ROWS["peers/pgx"] = Row("peers/pgx", "skipped", note="not installed: pgx")


def test_the_fastest_is_on_top_and_what_was_not_measured_has_no_bar() -> None:
    assert bars(ROWS) == [
        ("Hansa Teutonica, compiled loop", 1e7, True), ("OpenSpiel C++, chess", 3e6, False),
        ("Catanatron, Settlers of Catan", 5e3, False),
    ]  # fmt: skip


def test_every_peer_has_a_name() -> None:
    for peer in PEERS:
        assert not called(f"peers/{peer}/connect_four").startswith("peers/")


def test_the_picture_is_drawn_where_there_is_something(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="needs the extra 'train'")
    assert draw(ROWS, tmp_path / "peers.png") and (tmp_path / "peers.png").read_bytes().startswith(b"\x89PNG")
    assert not draw({"peers/pgx": ROWS["peers/pgx"]}, tmp_path / "none.png") and not (tmp_path / "none.png").exists()


def test_seconds_are_those_of_the_clock_that_is_named() -> None:
    ticks = count(step=0.5)
    assert rates(lambda: 7, 2, 0.0, clock=lambda: next(ticks)) == [14.0, 14.0]


def test_peers_are_told_which_seconds_count(tmp_path: Path) -> None:
    script = tmp_path / "told.py"
    script.write_text("import json, sys\nprint(json.dumps({'about': ' '.join(sys.argv[4:]), 'rows': {'go': [1.0]}}))\n")
    quick = SCALES["quick"]
    assert {row.what for row in peer_rows(quick, sys.executable, script, cpu=True)} == {"cpu"}
    assert {row.what for row in peer_rows(quick, sys.executable, script)} == {""}


def test_a_peer_that_cannot_be_run_says_why_without_folders(tmp_path: Path) -> None:
    script = tmp_path / "sleeps.py"
    script.write_text("import time\ntime.sleep(60)\n")
    quick = SCALES["quick"]
    late = {row.note for row in peer_rows(quick, sys.executable, script, timeout=0.05)}
    assert late == {"not run to its end: it took more than 0.05 s"}
    gone = {row.note for row in peer_rows(quick, str(tmp_path / "python"), script)}
    assert gone == {"not run: python: No such file or directory"}


def test_the_figures_of_the_documents_are_of_one_run_with_every_peer() -> None:
    page = (PAGES / "speed.md").read_text("utf-8").split("## Beside peers")[1]
    if not FIGURES.exists():
        assert "No figures have been recorded" in page
        return
    result = json.loads(FIGURES.read_text("utf-8"))
    assert not result["partial"] and FIGURES.with_suffix(".png").exists()
    assert "(figures/peers.png)" in page
    measured = {key.split("/")[1] for key, row in result["rows"].items() if key.startswith("peers/")}
    assert measured == set(PEERS) and {"ours/compiled", "ours/batch", "ours/aec"} <= result["rows"].keys()
