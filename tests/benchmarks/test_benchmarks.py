"""The benchmarks work; nothing here asserts a time."""

import io
import json
import os
import re
import subprocess
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import hansa_env
from hansa_benchmarks import compare
from hansa_benchmarks.app import app, run
from hansa_benchmarks.compare import judge, lines_of
from hansa_benchmarks.peers.measure import rates
from hansa_benchmarks.processes import peer_rows
from hansa_benchmarks.report import line_of, ratio_of
from hansa_benchmarks.rows import SCALES, Row, in_turns

MACHINE = {"cpu": "a", "cores": 2, "python": "3", "numba": "0", "numpy": "2"}


def bench(*words):
    return CliRunner().invoke(app, list(words))


def result(speeds: dict[str, list[float]], unit: str = "steps/s", **more) -> dict:
    rows = {key: {"what": key, "unit": unit, "samples": samples} for key, samples in speeds.items()}
    return {"form": "full", "partial": False, "machine": MACHINE, "rows": rows} | more


def written(path, *arguments, **options) -> str:
    path.write_text(json.dumps(result(*arguments, **options)))
    return str(path)


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bench")
    done = CliRunner().invoke(app, ["--quick", "--no-peers", "--out", str(folder)], catch_exceptions=False)
    assert done.exit_code == 0
    return done.output, folder


@pytest.mark.slow
def test_the_quick_form_measures_every_row_and_says_so_in_a_line(quick) -> None:
    output, folder = quick
    report = json.loads((folder / "bench.json").read_text())
    assert (report["form"], report["partial"]) == ("quick", False)
    assert MACHINE.keys() | {"commit"} <= report["machine"].keys()
    expected = {
        "engine/mask", "engine/pick", "engine/sweep", "engine/both", "batch/1/1", "batch/64/2", "batch/64/3",
        "batch/64/3/both", "batch/both", "batch/flat", "batch/greedy", "batch/east", "batch/britannia", "batch/modules",
        "batch/copy/64", "batch/bytes/state", "batch/bytes/mask", "batch/bytes/observation", "front ends/aec raw",
        "front ends/aec wrapped", "front ends/gymnasium", "front ends/vector", "front ends/sb3", "agents/bot",
        "learning/rollout", "learning/train", "learning/whole", "start/import", "start/step",
    }  # fmt: skip
    assert expected <= report["rows"].keys()
    for key, row in report["rows"].items():
        assert row["median"] > 0 and min(row["samples"]) > 0, key
        assert len(re.findall(f"  {key}: ", output)) == 1, key
    assert (folder / "bench.png").read_bytes().startswith(b"\x89PNG")


def test_an_interruption_loses_nothing(tmp_path, capsys) -> None:
    def whole(scale):
        yield Row("a/1", "measured whole", [1.0, 2.0])

    def interrupted(scale):
        samples = iter([0.0, 0.0, 5.0, 6.0, 7.0])  # the first two warm up

        def sample() -> float:
            for value in samples:
                return value
            raise KeyboardInterrupt

        yield from in_turns([(Row("b/1", "twice"), sample), (Row("b/2", "once"), sample)], repeats=9)

    measured = {"whole": whole, "interrupted": interrupted, "never": lambda scale: [Row("c/1", "", [1.0])]}
    with pytest.raises(typer.Exit) as stopped:
        run(measured, "quick", tmp_path)
    assert stopped.value.exit_code == 130
    report = json.loads((tmp_path / "bench.json").read_text())
    assert report["partial"]
    assert {key: row["samples"] for key, row in report["rows"].items()} == {"a/1": [1, 2], "b/1": [5, 7], "b/2": [6]}
    assert "PARTIAL" in capsys.readouterr().out


def test_an_error_loses_nothing(tmp_path) -> None:
    def broken(scale):
        yield Row("a/1", "measured whole", [1.0])
        raise ValueError("no such board")

    with pytest.raises(ValueError, match="no such board"):
        run({"broken": broken}, "quick", tmp_path)
    report = json.loads((tmp_path / "bench.json").read_text())
    assert report["partial"] and report["rows"]["a/1"]["samples"] == [1.0]


@pytest.mark.parametrize("columns", ["20", "40", "80"])
def test_narrow_terminals_wrap_words_and_cut_no_number(monkeypatch, columns) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    what = "a batch of many games, " * 5 + "measured"
    rows = {"a": Row("a", "a", [1e9]), "b": Row("b", what, [123456789.0] * 2, reference="a", note="noted")}
    line = line_of(rows["b"], rows)
    assert " ".join(line.split()) == f"123,456,789 decisions/s 0.0% b: {what}; 0.12 × a; noted"
    assert all(len(part) <= 80 for part in line.splitlines())
    old, new = (result({"front ends/vector": [123456789.0]}) for _ in range(2))
    lines = "\n".join(lines_of(judge(old, new, 0.1, False), ("old", "new"), [old, new], 0.1))
    assert lines.count("123,456,789") == 2 and "1.00–1.00" in lines


def test_peers_that_are_not_there_are_skipped_with_a_word(tmp_path) -> None:
    def rows(code: str) -> dict[str, Row]:
        (tmp_path / "measure.py").write_text(code)
        return {row.key: row for row in peer_rows(SCALES["quick"], script=tmp_path / "measure.py")}

    assert rows("raise SystemExit('no such game')")["peers/pgx"].note == "failed: no such game"
    assert rows('print(\'{"skipped": "not installed: pgx"}\')')["peers/pgx"].note == "not installed: pgx"
    found = rows('print(\'a word\')\nprint(\'{"about": "1.0", "rows": {"chess": [1.0, 3.0]}}\')')
    assert found["peers/pgx/chess"].samples == [1.0, 3.0] and found["peers/pgx/chess"].what == "1.0"
    for row in peer_rows(SCALES["quick"], str(tmp_path / "no-python")):
        assert row.note.startswith("not run: ") and "no-python" in row.note


def test_a_loss_above_the_bound_fails() -> None:
    old = result({"steady": [100, 101, 99], "faster": [100], "edge": [100], "slower": [100, 100, 400], "gone": [100],
                  "peers/a": [100]})  # fmt: skip
    new = result({"steady": [98, 300, 97], "faster": [250], "edge": [86], "slower": [84, 84.9, 84], "added": [5],
                  "peers/a": [10]})  # fmt: skip
    verdicts = {verdict.key: verdict for verdict in judge(old, new, 0.15, gone_fails=True)}
    assert {key for key, verdict in verdicts.items() if verdict.failed} == {"slower", "gone"}
    assert verdicts["steady"].ratio == pytest.approx(0.98)
    assert verdicts["steady"].spread == pytest.approx((97.5 / 100.5, 199 / 99.5))
    assert (verdicts["gone"].new, verdicts["added"].old, verdicts["added"].ratio) == (None, None, None)
    assert not any(verdict.failed for verdict in judge(old, new, 0.2, gone_fails=False))


def test_of_seconds_fewer_are_faster_and_bytes_are_no_speed() -> None:
    (verdict,) = judge(result({"start": [1.0, 1.0]}, "s"), result({"start": [2.0, 4.0]}, "s"), 0.1, False)
    assert verdict.failed and verdict.ratio == pytest.approx((1 / 2 + 1 / 4) / 2) and (verdict.old, verdict.new) == (1, 3)
    assert judge(result({"state": [10]}, "bytes"), result({"state": [99]}, "bytes"), 0.1, True) == []


def test_results_are_compared_by_file_and_by_folder(tmp_path) -> None:
    old = written(tmp_path / "bench.json", {"a": [100, 110], "old only": [1]})
    new = written(tmp_path / "new.json", {"a": [80, 90]}, partial=True, form="quick", machine=MACHINE | {"cores": 8})
    done = bench("compare", str(tmp_path), new)
    assert done.exit_code == 1 and "SLOWER" in done.output and "0.81" in done.output
    for said in ("new.json is partial", "cores differs, 2 and 8", "--quick differs, False and True", "old only"):
        assert said in done.output
    assert bench("compare", old, new, "--loss", "0.3").exit_code == 0


@pytest.mark.parametrize("text", ["", "[]", '{"rows": {}}', '{"rows": {"a": {}}}'])
def test_compare_refuses_what_is_no_result(tmp_path, text) -> None:
    (tmp_path / "bad.json").write_text(text)
    done = bench("compare", str(tmp_path / "bad.json"), "HEAD")
    assert done.exit_code == 2 and "bad.json: not a result" in done.output


@pytest.fixture
def repository(monkeypatch, tmp_path) -> Path:
    """Of two commits, each with a package that names it; nobody else adds or removes worktrees there."""
    folder = tmp_path / "repository"
    package = folder / "hansa_env" / "__init__.py"
    package.parent.mkdir(parents=True)
    by = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "commit.gpgsign=false"]

    def git(*words: str) -> None:
        subprocess.run(["git", *words], cwd=folder, check=True)

    git("init", "--quiet")
    for name in ("HEAD^", "HEAD"):
        package.write_text(f"NAME = {name!r}\n")
        git("add", ".")
        git(*by, "commit", "--quiet", "--message", name)
    monkeypatch.setattr(compare, "REPOSITORY", folder)
    return folder


@pytest.fixture
def turns(monkeypatch, repository) -> list[tuple[str, str]]:
    """Commits are checked out, but what is measured of them is made up: 100, 101, ... by commit; who was measured is noted."""
    noted: list[tuple[str, str]] = []

    def fake(names: tuple[str, str], homes: dict[int, Path], form: str) -> dict:
        rows = {}
        for place, home in homes.items():
            assert (home / "path" / "hansa_env" / "__init__.py").read_text() == f"NAME = {names[place]!r}\n"
            assert (home / "path" / "hansa_benchmarks").resolve() == Path(compare.__file__).resolve().parent
            if len(noted) == 5:
                raise KeyboardInterrupt
            noted.append((names[place], form))
            rows[place] = result({"engine/mask": [99.0 + len(noted)]})["rows"]
        return rows

    monkeypatch.setattr(compare, "_run", fake)
    return noted


def worktrees() -> list[str]:
    return compare._git("worktree", "list").splitlines()


def test_commits_take_turns_and_leave_nothing_behind(turns) -> None:
    sides, partial = compare.measure_sides(("HEAD^", "HEAD"), 1, "compare", print)
    assert turns == [("HEAD^", "quick"), ("HEAD", "quick"), ("HEAD^", "compare"), ("HEAD", "compare")]
    assert [side["rows"]["engine/mask"]["samples"] for side in sides] == [[102.0], [103.0]] and not partial
    assert len(worktrees()) == 1


def test_an_interrupted_comparison_prints_the_rounds_it_had(turns, tmp_path) -> None:
    done = bench("compare", written(tmp_path / "old.json", {"engine/mask": [100]}), "HEAD", "--rounds", "9")
    assert done.exit_code == 130 and "PARTIAL" in done.output and "1 rows compared" in done.output
    assert "102" in done.output  # the median of 101, ..., 104: the first turn only compiled
    assert len(worktrees()) == 1


#: A stand-in for a commit in a process of its own: it notes itself, and when it begins and ends a sample.
SLOW = f"""
import os, sys, time
from pathlib import Path
Path("process").write_text(str(os.getpid()))
for sample in range(3):
    print("a word", end=" ")
    print("{compare.YOUR_TURN}", flush=True)
    sys.stdin.readline()
    with open("../turns", "a") as turns:
        print(Path.cwd().name, end=" ", file=turns, flush=True)
        time.sleep(0.02)
        print(Path.cwd().name, file=turns)
print('{{"a": 1}}')
"""


def test_one_takes_a_sample_while_the_other_waits(tmp_path) -> None:
    for place in "01":
        module = tmp_path / place / "path" / "hansa_benchmarks"
        module.mkdir(parents=True)
        (module / "__init__.py").touch()
        (module / "compare.py").write_text(SLOW)
    homes = {0: tmp_path / "0", 1: tmp_path / "1"}
    assert compare._run(("old", "new"), homes, "quick") == {0: {"a": 1}, 1: {"a": 1}}
    assert (tmp_path / "turns").read_text().split() == list("110000111100")
    (tmp_path / "1" / "path" / "hansa_benchmarks" / "compare.py").write_text("raise SystemExit('no such kernel')")
    with pytest.raises(compare.CompareError, match="commit new cannot be measured: no such kernel"):
        compare._run(("old", "new"), homes, "quick")
    left = int((homes[0] / "process").read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(left, 0)


def test_samples_that_were_taken_in_turns_are_compared_in_pairs() -> None:
    """The machine was twice as fast for a while, for both."""
    old = result({"a": [100, 100, 200, 200, 200]}) | {"paired": True}
    new = result({"a": [90, 90, 90, 180, 180]}) | {"paired": True}
    (verdict,) = judge(old, new, 0.05, True)
    assert verdict.ratio == pytest.approx(0.9) and verdict.spread == pytest.approx((0.9, 0.9)) and verdict.failed
    (verdict,) = judge(old, new | {"paired": False}, 0.05, True)
    assert verdict.ratio == pytest.approx(0.45)


@pytest.mark.slow
def test_a_commit_is_measured_with_its_own_packages(capsys, monkeypatch, tmp_path) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\n" * 10_000))
    compare.main(str(Path(hansa_env.__file__).resolve().parents[1]), "quick")
    *turns, told = capsys.readouterr().out.splitlines()
    rows = json.loads(told)
    assert set(turns) == {compare.YOUR_TURN} and len(turns) >= sum(len(row["samples"]) for row in rows.values())
    assert {"engine/mask", "batch/64/3", "front ends/gymnasium", "front ends/sb3", "agents/bot"} <= rows.keys()
    assert all(row["samples"] and row["unit"].endswith("/s") for row in rows.values())
    with pytest.raises(SystemExit, match="not from"):
        compare.main(str(tmp_path), "quick")


def test_compare_refuses_a_commit_that_does_not_exist() -> None:
    done = bench("compare", "no-such-commit", "HEAD")
    assert done.exit_code == 2 and "no-such-commit" in done.output


def test_medians_spreads_and_ratios() -> None:
    row = Row("batch/1", "a", [1.0, 2.0, 3.0], reference="peers/b")
    assert row.median == 2.0 and row.spread == pytest.approx(0.5)
    assert ratio_of(row, {"peers/b": Row("peers/b", "b", [4.0])}) == 0.5
    assert ratio_of(row, {}) is None and ratio_of(row, {"peers/b": Row("peers/b", "b")}) is None


def test_warm_up_is_no_sample() -> None:
    calls = []
    assert len(rates(lambda: calls.append(0) or 10, repeats=3, seconds=0, before=lambda: calls.append(1))) == 3
    assert calls == [1, 0] * 4
