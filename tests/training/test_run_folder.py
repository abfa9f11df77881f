"""Checkpoints and the folder of a run, without anything that is trained."""

import errno
import os
from pathlib import Path

import pytest

from hansa_training.checkpoints import Checkpoints
from hansa_training.errors import RunError
from hansa_training.run_folder import RunFolder


def save(ring: Checkpoints, count: int) -> None:
    for value in range(count):
        ring.save({"weights": bytes([value]) * 1000, "state": b"%d" % value}, {"step": value})


def test_the_newest_three_stay_and_numbers_go_on(tmp_path) -> None:
    ring = Checkpoints(tmp_path / "ring")
    assert ring.newest() is None
    save(ring, 5)
    assert ring.numbers() == [3, 4, 5]
    newest = ring.newest()
    assert newest.number == 5 and newest.note == {"step": 4} and newest.files["state"] == b"4"
    assert [path.name for path in sorted(ring.folder.iterdir())] == ["000003", "000004", "000005"]


@pytest.mark.parametrize("name", ["weights", "state", "manifest.json"])
@pytest.mark.parametrize("how", ["shorter", "changed", "missing", "empty"])
def test_a_torn_checkpoint_is_passed_over_with_a_line(name: str, how: str, tmp_path) -> None:
    ring = Checkpoints(tmp_path / "ring")
    save(ring, 3)
    file = ring.folder / "000003" / name
    data = file.read_bytes()
    if how == "missing":
        file.unlink()
    else:
        file.write_bytes({"shorter": data[:-1], "changed": b"\xff" + data[1:], "empty": b""}[how])
    if (name, how) == ("manifest.json", "shorter"):
        file.write_bytes(data[: len(data) // 2])  # it ends in a line feed that is not needed
    lines: list[str] = []
    assert ring.settle(lines.append).number == 2
    assert len(lines) == 1 and "000003 is torn" in lines[0] and name in lines[0] and "\n" not in lines[0]
    assert ring.numbers() == [1, 2] and (ring.folder / "torn-000003").is_dir(), "nothing is thrown away"
    save(ring, 1)
    assert ring.newest().number == 3


def test_none_whole_is_an_error_and_not_a_new_beginning(tmp_path) -> None:
    ring = Checkpoints(tmp_path / "ring")
    save(ring, 2)
    for number in (1, 2):
        (ring.folder / f"{number:06d}" / "state").write_bytes(b"?")
    with pytest.raises(RunError, match=r"none of the 2 checkpoints is whole; the newest: .*000002 is torn: state"):
        ring.newest()


def test_a_manifest_names_no_files_elsewhere(tmp_path) -> None:
    ring = Checkpoints(tmp_path / "ring")
    save(ring, 1)
    manifest = ring.folder / "000001" / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"state"', '"../state"'))
    with pytest.raises(RunError, match=r"names '\.\./state'; expected a plain file name"):
        ring.read(1)


def test_no_more_of_a_checkpoint_is_read_than_it_can_have(tmp_path, monkeypatch) -> None:
    ring = Checkpoints(tmp_path / "ring")
    save(ring, 1)
    monkeypatch.setattr("hansa_training.checkpoints.LARGEST", 999)
    with pytest.raises(RunError, match=r"weights cannot be read .* larger than 999 bytes"):
        ring.read(1)
    (ring.folder / "000001" / "manifest.json").write_text("[" * 100_000)
    with pytest.raises(RunError, match="lists within lists too deep"):
        ring.read(1)


def test_nor_more_of_all_its_files_together(tmp_path, monkeypatch) -> None:
    """However many it has, and whatever they are once they are decompressed."""
    ring = Checkpoints(tmp_path / "ring")
    ring.save({"a": bytes(600), "b": bytes(600), "c": bytes(600)}, {})
    monkeypatch.setattr("hansa_training.checkpoints.LARGEST", 1500)
    with pytest.raises(RunError, match=r"c cannot be read .* larger than 300 bytes"):
        ring.read(1)


def test_one_file_can_be_read_whatever_the_others_are(tmp_path) -> None:
    ring = Checkpoints(tmp_path / "ring")
    save(ring, 2)
    (ring.folder / "000002" / "state").unlink()
    assert ring.newest(only="weights").number == 2 and ring.newest().number == 1
    assert ring.newest(only="weights").files == {"weights": bytes([1]) * 1000}
    assert ring.newest(only="nothing").files == {}
    with pytest.raises(RunError, match=r"weights cannot be read .* larger than 999 bytes"):
        ring.newest(only="weights", most=999)


def test_folders_that_only_look_like_checkpoints_are_left_alone(tmp_path) -> None:
    ring = Checkpoints(tmp_path / "ring")
    save(ring, 1)
    for name in ("²", "1", "00001", "١٢٣٤٥٦", "notes"):
        (ring.folder / name).mkdir()
    assert ring.numbers() == [1] and ring.settle(print).number == 1


@pytest.mark.parametrize("name", ["checkpoints", "milestones", ".lock", "curve.jsonl"])
def test_links_lead_no_run_out_of_its_folder(name: str, tmp_path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "mine.partial").write_text("mine")
    RunFolder.begin(tmp_path / "run", "plan").close()
    (tmp_path / "run" / name).unlink(missing_ok=True)
    (tmp_path / "run" / name).symlink_to(other)
    with pytest.raises(RunError, match=f"{name} is a link"):
        RunFolder.resume(tmp_path / "run")
    assert [path.name for path in other.iterdir()] == ["mine.partial"]


@pytest.mark.parametrize("call", ["fsync", "rename", "mkdir"])
def test_a_disk_that_fills_up_leaves_the_checkpoints_that_were_there(call: str, tmp_path, monkeypatch) -> None:
    ring = Checkpoints(tmp_path / "ring")
    save(ring, 3)

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, call, full)
        with pytest.raises(OSError, match="No space left"):
            save(ring, 1)
    assert [path.name for path in sorted(ring.folder.iterdir())] == ["000001", "000002", "000003"]
    assert ring.newest().note == {"step": 2}


def test_a_folder_is_one_process_at_a_time(tmp_path) -> None:
    path = tmp_path / "run"
    with RunFolder.begin(path, "players = 3\n"):
        for again in (lambda: RunFolder.begin(path, ""), lambda: RunFolder.resume(path)):
            with pytest.raises(RunError, match=rf"is in use by process {os.getpid()} on .* since 20\d\d-.*; wait for it"):
                again()
    with RunFolder.resume(path) as run:
        assert run.plan_file.read_text() == "players = 3\n"


def test_a_lock_is_not_left_behind_by_what_is_refused(tmp_path) -> None:
    path = tmp_path / "run"
    RunFolder.begin(path, "players = 3\n").close()
    with pytest.raises(RunError, match="holds a run of another plan that was stopped before its first checkpoint"):
        RunFolder.begin(path, "players = 4\n")
    assert (path / "plan.toml").read_text() == "players = 3\n"
    RunFolder.resume(path).close()


def test_a_run_that_was_stopped_before_its_first_checkpoint_begins_again(tmp_path) -> None:
    path = tmp_path / "run"
    RunFolder.begin(path, "players = 3\n").close()
    with RunFolder.begin(path, "players = 3\n") as run:
        save(run.checkpoints, 1)
    with pytest.raises(RunError, match=r"holds a run already; go on with it \(--resume\)"):
        RunFolder.begin(path, "players = 3\n")


def test_so_does_one_that_was_killed_while_it_wrote_its_first_checkpoint(tmp_path) -> None:
    RunFolder.begin(tmp_path / "run", "players = 3\n").close()
    (tmp_path / "run" / "checkpoints" / "000001.4711-0123abcd.partial").mkdir(parents=True)
    with RunFolder.begin(tmp_path / "run", "players = 3\n") as run:
        assert run.checkpoints.settle(print) is None
        save(run.checkpoints, 1)
        assert [path.name for path in run.checkpoints.folder.iterdir()] == ["000001"]


def test_what_holds_no_run_is_not_resumed_and_not_made(tmp_path) -> None:
    with pytest.raises(RunError, match=r"holds no run to go on with \(plan\.toml is missing\)"):
        RunFolder.resume(tmp_path / "none")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["plan.json", "model.zip"])
def test_a_run_of_an_earlier_version_is_left_alone(name: str, tmp_path) -> None:
    (tmp_path / name).write_text("{}")
    with pytest.raises(RunError, match=f"holds a run of an earlier version \\({name}\\)"):
        RunFolder.begin(tmp_path, "")
    assert not (tmp_path / "plan.toml").exists()


def test_what_was_half_written_is_deleted_when_a_run_goes_on(tmp_path) -> None:
    RunFolder.begin(tmp_path / "run", "plan").close()
    (tmp_path / "run" / "milestones").mkdir()
    whole = tmp_path / "run" / "milestones" / "00000000064.safetensors"
    whole.touch()
    halves = [place / "a.safetensors.4711-0123abcd.partial" for place in (tmp_path / "run", whole.parent)]
    for half in halves:
        half.touch()
    RunFolder.resume(tmp_path / "run").close()
    assert whole.exists() and not any(half.exists() for half in halves)


def test_checkpoints_without_their_plan_are_not_taken_for_a_new_runs(tmp_path) -> None:
    (tmp_path / "checkpoints" / "000001").mkdir(parents=True)
    with pytest.raises(RunError, match=r"holds the checkpoints of a run whose plan.toml is missing; name another folder"):
        RunFolder.begin(tmp_path, "")


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path, monkeypatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with RunFolder.begin(tmp_path / "run", "") as run:
        run.write("result.json", "old")
        with monkeypatch.context() as patch:
            patch.setattr(os, "replace", full)
            with pytest.raises(OSError, match="No space left"):
                run.write("result.json", "new")
        assert (run.path / "result.json").read_text() == "old"
        assert not list(run.path.glob("*.partial"))
        leftover = Path(run.path / "result.json.partial")
        leftover.write_text("of a process that was killed")
    RunFolder.resume(run.path).close()
    assert not leftover.exists()
