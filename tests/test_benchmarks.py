"""The benchmarks work; nothing here asserts a time."""

import json
import sys

import pytest
from typer.testing import CliRunner

from hansa_benchmarks.app import app
from hansa_benchmarks.compare import judge
from hansa_benchmarks.peer_rows import PEERS, rows, run_script
from hansa_benchmarks.report import ratio_of
from hansa_benchmarks.rows import QUICK, Aim, Missing, Row, attempt
from hansa_benchmarks.timing import rates


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bench")
    result = CliRunner().invoke(app, ["--quick", "--no-peers", "--out", str(folder)], catch_exceptions=False)
    assert result.exit_code == 0
    return result.output, folder


def test_the_short_form_measures_every_row_once(quick) -> None:
    output, folder = quick
    report = json.loads((folder / "bench.json").read_text())
    assert report["form"] == "quick"
    assert {"cpu", "cores", "python", "numba", "numpy", "commit"} <= report["machine"].keys()
    rows = report["rows"]
    expected = {
        "engine/mask", "engine/pick", "engine/sweep", "engine/both", "batch/1/1", "batch/8/2", "batch/64/3",
        "batch/flat", "batch/both", "batch/greedy", "batch/copy/64", "batch/bytes/state", "batch/allocated",
        "front ends/aec raw", "front ends/aec wrapped", "front ends/gymnasium", "front ends/vector", "front ends/sb3",
        "learning/rollout", "learning/train", "learning/cartpole/whole", "start/compile", "start/import", "start/step",
    }  # fmt: skip
    assert expected <= rows.keys()
    for key in expected:
        row = rows[key]
        assert row["skipped"] is None and row["median"] > 0 and len(row["samples"]) >= 1, key
    assert rows["batch/bytes/state"]["median"] <= 1024 and rows["batch/bytes/state"]["aim"]["met"]
    assert rows["batch/blocks"]["median"] == 0, "a step allocates for each game"
    assert not any(key.startswith("peers/") for key in rows)
    assert "HansaBatch" in output and "aims met" in output


def test_the_curves_are_drawn(quick) -> None:
    picture = (quick[1] / "bench.png").read_bytes()
    assert picture.startswith(b"\x89PNG") and len(picture) > 10_000


def test_peers_that_are_not_there_are_skipped_with_a_word(tmp_path) -> None:
    script = tmp_path / "peer.py"
    script.write_text("print('{\"missing\": \"chess\"}')")
    assert run_script(script, sys.executable, QUICK) == {"word": "not installed: chess"}
    script.write_text("raise SystemExit('no such game')")
    assert run_script(script, sys.executable, QUICK) == {"word": "failed: no such game"}
    found = list(rows(QUICK, str(tmp_path / "no-python"), {"catanatron": PEERS["catanatron"]}))
    assert len(found) == 1 and found[0].median is None and found[0].skipped.startswith("not run: ")


def test_a_peer_prints_its_rates(tmp_path) -> None:
    script = tmp_path / "peer.py"
    script.write_text("print('a word')\nprint('{\"version\": \"1\", \"rows\": {\"chess\": [1.0, 3.0]}}')")
    assert run_script(script, sys.executable, QUICK)["rows"] == {"chess": [1.0, 3.0]}


def test_a_row_above_fifteen_per_cent_loss_fails() -> None:
    old = {"steady": [100, 101, 99], "faster": [100], "at the edge": [100], "slower": [100, 100, 400], "gone": [100]}
    new = {"steady": [98, 300, 97], "faster": [250], "at the edge": [85], "slower": [84, 84.9, 84], "added": [5]}
    verdicts = {verdict.key: verdict for verdict in judge(old, new, 0.15)}
    assert {key for key, verdict in verdicts.items() if verdict.failed} == {"slower", "gone"}
    assert verdicts["steady"].ratio == pytest.approx(0.98) and verdicts["slower"].ratio == pytest.approx(0.84)
    assert verdicts["gone"].new is None and verdicts["added"].old is None and verdicts["added"].ratio is None
    assert not any(verdict.failed for verdict in judge(old, new | {"gone": [100]}, 0.2))


def test_compare_refuses_a_commit_that_does_not_exist() -> None:
    result = CliRunner().invoke(app, ["compare", "no-such-commit", "HEAD"])
    assert result.exit_code == 2 and "no-such-commit" in result.output


def test_medians_spreads_aims_and_ratios() -> None:
    row = Row("batch/1", "a", aim=Aim(2.0), samples=[1.0, 2.0, 3.0], reference="peers/b")
    assert row.median == 2.0 and row.spread == pytest.approx(0.5) and row.met and row.group == "batch"
    assert Row("batch/2", "b", aim=Aim(2.0, at_most=True), samples=[2.1]).met is False
    assert ratio_of(row, {"peers/b": Row("peers/b", "b", samples=[4.0])}) == 0.5
    assert ratio_of(row, {}) is None and ratio_of(row, {"peers/b": Row("peers/b", "b", skipped="no")}) is None


def test_what_is_missing_is_a_word_and_not_an_error() -> None:
    def missing(error: Exception):
        def measure() -> list[float]:
            raise error

        return measure

    assert attempt(Row("a", "a"), missing(ImportError("x", name="pgx"))).skipped == "not installed: pgx"
    assert attempt(Row("a", "a"), missing(Missing("no greedy agent"))).skipped == "no greedy agent"


def test_warm_up_is_no_sample() -> None:
    calls = []
    assert len(rates(lambda: calls.append(0), 10, repeats=3, seconds=0)) == 3
    assert len(calls) == 5
