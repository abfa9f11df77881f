"""The wheel holds every package and data file; the source distribution holds what its tests need."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
#: Import names by folder.
PACKAGES = {"hansa_env": "hansa_env", "agents": "hansa_agents", "training": "hansa_training", "benchmarks": "hansa_benchmarks"}
#: What the tests and documents read beside the packages.
BESIDE = ("tests", "examples", "configs", "notebooks", "docs")
#: Python runs it at the start: nothing of the extra `train` is found.
WITHOUT_EXTRAS = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        extra = "filelock matplotlib safetensors sb3_contrib stable_baselines3 starlette tensorboard torch uvicorn websockets"
        if name.partition(".")[0] in extra.split():
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocked())
"""


def files_in(folder: str) -> list[Path]:
    """Every file of a folder that is written by somebody, relative to the root."""
    return [path.relative_to(ROOT) for path in sorted((ROOT / folder).rglob("*"))
            if path.is_file() and "__pycache__" not in path.parts and path.name != ".DS_Store"]  # fmt: skip


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source distribution of a copy of this tree, and with the wheel that is built from it."""
    copy, out = tmp_path_factory.mktemp("copy") / "tree", tmp_path_factory.mktemp("dist")
    unwanted = (".git", ".venv", ".path", ".*cache", ".hypothesis", "__pycache__", "*.egg-info", "build", "runs", "site")
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*unwanted))
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(copy)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return out


@pytest.fixture(scope="module")
def wheel(built: Path) -> zipfile.ZipFile:
    return zipfile.ZipFile(next(built.glob("*.whl")))


def test_every_folder_of_a_package_is_listed() -> None:
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["packages"]
    found = {".".join((PACKAGES[folder], *path.parent.parts[1:])) for folder in PACKAGES for path in files_in(folder)}
    assert found - set(listed) == set(), "add these to tool.setuptools.packages in pyproject.toml"
    assert set(listed) - found == set(), "these packages of pyproject.toml do not exist"
    assert len(listed) == len(set(listed))


def test_the_wheel_holds_every_file_of_the_packages_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    wanted = {str(Path(PACKAGES[folder], *path.parts[1:])) for folder in PACKAGES for path in files_in(folder)}
    held = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert wanted - held == set(), "add data files to tool.setuptools.package-data in pyproject.toml"
    assert held - wanted == set()
    assert {"hansa_env/py.typed", "hansa_env/boards/base-4-5.json", "hansa_env/rulebook/rules.md"} <= held


def test_the_source_distribution_holds_what_its_tests_and_documents_need(built: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    wanted = {str(path) for folder in (*PACKAGES, *BESIDE) for path in files_in(folder)}
    wanted |= {path.name for pattern in ("*.md", "*.toml") for path in ROOT.glob(pattern)} | {"LICENSE", "Makefile", ".ci/run"}
    assert wanted - held == set(), "add these to MANIFEST.in"
    assert not [name for name in held if "__pycache__" in name or name.startswith("runs/")]


@pytest.fixture(scope="module")
def installed(wheel: zipfile.ZipFile, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked wheel, in a folder where nothing of the extras can be imported."""
    site = tmp_path_factory.mktemp("site")
    wheel.extractall(site)
    (site / "sitecustomize.py").write_text(WITHOUT_EXTRAS)
    return site


def hansa(installed: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess:
    environment = {**os.environ, "PYTHONPATH": str(installed), "COLUMNS": "200"}
    command = [sys.executable, "-m", "hansa_env", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=240)


def test_without_extras_the_command_runs_outside_the_clone(installed: Path, tmp_path: Path) -> None:
    done = hansa(installed, tmp_path, "info", "--players", "3")
    assert done.returncode == 0 and "156 actions" in done.stdout, done.stderr


@pytest.mark.parametrize(("extra", "arguments"), [
    ("train", ("train",)), ("train", ("arena", "ppo:runs/ppo", "random")), ("table", ("table", "--port", "0")),
], ids=["train", "ppo", "table"])  # fmt: skip
def test_what_needs_an_extra_names_it_in_one_line(
    installed: Path, tmp_path: Path, extra: str, arguments: tuple[str, ...]
) -> None:
    done = hansa(installed, tmp_path, *arguments)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1 and f"pip install 'hansa-env[{extra}]'" in done.stderr, done.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_front_end_of_stable_baselines3_names_its_extra(installed: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    command = [sys.executable, "-c", "import hansa_env.sb3"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=240)
    assert "pip install 'hansa-env[train]'" in done.stderr.splitlines()[-1]
