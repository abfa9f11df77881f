"""The wheel holds every package and data file; the source distribution holds what its tests need."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from email import message_from_string
from pathlib import Path

import pytest

from hansa_env.extras import EXTRAS
from tests.packages import PACKAGES, PROJECT, ROOT

#: What is imported by another name than it is installed by.
INSTALLED_BY = {"PIL": "pillow", "mlflow": "mlflow-skinny", "pyspiel": "open-spiel"}
#: What the tests and documents read beside the packages.
BESIDE = ("tests", "examples", "notebooks", "docs", ".github/workflows")
#: Whether it is a picture, and where it leads.
LINK = re.compile(r"(!?)\[[^]]*\]\(([^)\s]+)\)")
#: Python runs it at the start: nothing of the extras is found.
WITHOUT_EXTRAS = f"""
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {sorted(module for modules in EXTRAS.values() for module in modules)}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

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
    listed = PROJECT["tool"]["setuptools"]["packages"]
    found = {".".join((name, *path.parent.parts[1:])) for name, folder in PACKAGES.items() for path in files_in(folder)}
    assert found - set(listed) == set(), "add these to tool.setuptools.packages in pyproject.toml"
    assert set(listed) - found == set(), "these packages of pyproject.toml do not exist"
    assert len(listed) == len(set(listed))


def test_what_an_extra_brings_is_what_is_asked_for_where_it_is_missing() -> None:
    listed = PROJECT["project"]["optional-dependencies"]
    named = {extra: {re.split(r"[^\w-]", one)[0] for one in listed[extra]} for extra in listed if extra not in ("docs", "test")}
    known = {extra: {INSTALLED_BY.get(one, one.replace("_", "-")) for one in modules} for extra, modules in EXTRAS.items()}
    assert known == named


@pytest.mark.slow
def test_the_wheel_holds_every_file_of_the_packages_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    wanted = {str(Path(name, *path.parts[1:])) for name, folder in PACKAGES.items() for path in files_in(folder)}
    held = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert wanted - held == set(), "add data files to tool.setuptools.package-data in pyproject.toml"
    assert held - wanted == set()
    assert {"hansa_env/py.typed", "hansa_env/boards/base-4-5.json", "hansa_env/rulebook/rules.md"} <= held


@pytest.mark.slow
def test_the_source_distribution_holds_what_its_tests_and_documents_need(built: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    wanted = {str(path) for folder in (*PACKAGES.values(), *BESIDE) for path in files_in(folder)}
    wanted |= {path.name for pattern in ("*.md", "*.toml") for path in ROOT.glob(pattern)}
    wanted |= {"LICENSE", "Makefile", "Dockerfile", ".ci/run"}
    assert wanted - held == set(), "add these to MANIFEST.in"
    assert not [name for name in held if "__pycache__" in name or name.startswith("runs/")]


@pytest.mark.slow
def test_what_a_registry_shows_has_no_link_that_leads_nowhere(wheel: zipfile.ZipFile) -> None:
    """Every link of the README is absolute there, and those to the repository name what it has."""
    about = message_from_string(wheel.read(next(n for n in wheel.namelist() if n.endswith(".dist-info/METADATA"))).decode())
    name, _, repository = about["Project-URL"].partition(", ")
    text, shown = (ROOT / "README.md").read_text("utf-8"), about.get_payload()
    assert name == "Repository" and about["Description-Content-Type"] == "text/markdown"
    before, after = LINK.findall(text), LINK.findall(shown)
    assert len(after) == len(before) > 10 and LINK.sub("", shown).strip() == LINK.sub("", text).strip()
    for (image, was), (_, now) in zip(before, after):
        if was.startswith(("http://", "https://")):
            assert now == was
            continue
        assert now == f"{repository}/{'raw' if image else 'blob'}/main/{was}"
        assert (ROOT / was.partition("#")[0]).is_file(), was


def test_the_address_of_the_repository_stands_in_one_place() -> None:
    address = PROJECT["project"]["urls"]["Repository"]
    texts = [path for folder in (*PACKAGES.values(), *BESIDE) for path in files_in(folder)]
    texts += [path.relative_to(ROOT) for path in ROOT.glob("*.*")]
    named = [str(path) for path in texts if path.suffix in (".md", ".py", ".toml", ".html", ".ipynb")
             and address in (ROOT / path).read_text("utf-8")]  # fmt: skip
    assert named == ["pyproject.toml"] and "placeholder" in (ROOT / "CONTRIBUTING.md").read_text("utf-8")


@pytest.mark.slow
def test_the_licence_of_everything_that_is_no_code_is_stated(wheel: zipfile.ZipFile) -> None:
    held = {name.rpartition("/")[2] for name in wheel.namelist() if ".dist-info/licenses/" in name}
    assert held == {"LICENSE", "LICENSES.md"}
    stated = re.findall(r"`([\w/*.]+)`", (ROOT / "LICENSES.md").read_text("utf-8"))
    files = [path for folder in PACKAGES.values() for path in files_in(folder)]
    data = [path for path in files if path.suffix != ".py" and path.name != "py.typed"]
    assert [str(path) for path in data if not any(path.match(pattern) for pattern in stated)] == []
    assert [pattern for pattern in stated if "*" in pattern and not any(path.match(pattern) for path in data)] == []


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


@pytest.mark.slow
def test_without_extras_the_command_runs_outside_the_clone(installed: Path, tmp_path: Path) -> None:
    done = hansa(installed, tmp_path, "info", "--players", "3")
    assert done.returncode == 0 and "156 actions" in done.stdout, done.stderr
    assert "ppo plays it by 3-players.safetensors, hash " in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(("extra", "arguments"), [
    ("train", ("train",)), ("train", ("arena", "ppo:runs/ppo", "random")), ("table", ("table", "--port", "0")),
    ("picture", ("crossplay", "greedy", "random", "--games", "1", "--picture", "cross.png")),
], ids=["train", "ppo", "table", "picture"])  # fmt: skip
def test_what_needs_an_extra_names_it_in_one_line(
    installed: Path, tmp_path: Path, extra: str, arguments: tuple[str, ...]
) -> None:
    done = hansa(installed, tmp_path, *arguments)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1 == done.stderr.count(f"pip install 'hansa-env[{extra}]'"), done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_the_front_end_of_stable_baselines3_names_its_extra(installed: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    command = [sys.executable, "-c", "import hansa_env.sb3"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=240)
    assert "pip install 'hansa-env[train]'" in done.stderr.splitlines()[-1]
