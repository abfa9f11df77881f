"""What is written for people runs as written: the Python and the commands of README and documents, the notebooks."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer
from typer.core import TyperGroup
from typer.testing import CliRunner

from hansa_agents.arena import play_match
from hansa_env import Ruleset, agent_names
from hansa_env.commands.cli import app
from tests.docs.tables import PAGES, ROOT
from tests.training.tiny import TINY

WRITTEN = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *sorted(PAGES.rglob("*.md"))]
BLOCK = re.compile(r"(<!-- not run: [^\n]+ -->\n)?```(\w+)\n(.*?)```", re.DOTALL)
#: The first line of a block that is a file of its own.
FILE = re.compile(r"# (\w+\.py)\n")


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def blocks(path: Path, language: str) -> list[str]:
    """The code blocks of a page that are to be run."""
    found = BLOCK.findall(path.read_text("utf-8"))
    return [text for not_run, said, text in found if said == language and not not_run]


WITH_PYTHON = [path for path in WRITTEN if blocks(path, "python")]


@cache
def commands() -> list[tuple[str, str]]:
    """(page, command line) of every `hansa ...` that a page shows in a block, without the file that its output goes to."""
    found = []
    for path in WRITTEN:
        lines = [line for text in blocks(path, "console") for line in re.sub(r"\\\n *", "", text).splitlines()]
        shown = [part.partition(" > ")[0].strip() for line in lines for part in line.removeprefix("$ ").split("&&")]
        found += [(named(path), command) for command in shown if re.match(r"(\w+=\S+ )?hansa ", command)]
    return found


def mentions() -> list[tuple[str, str]]:
    """(page, text) of every `hansa ...` within a sentence, which may leave arguments out."""
    return [(named(path), text) for path in WRITTEN for text in re.findall(r"`(hansa [^`\n]+)`", path.read_text("utf-8"))]


def resolved(words: list[str]) -> tuple[Any, Any, list[str]]:
    """The command that words after `hansa` name, and what is left of them."""
    command, context = typer.main.get_command(app), None
    while words and isinstance(command, TyperGroup):
        group = command.make_context(words[0], [], parent=context, resilient_parsing=True)
        found = command.get_command(group, words[0])
        if found is None:
            break
        command, context, words = found, group, words[1:]
    return command, context, words


def strange_agents(parameters: dict[str, Any]) -> list[str]:
    """Of the agents that a command names, those that are neither a name nor NAME=SPEC, a module or a file.

    What follows an option that takes no value is read as an agent.
    """
    named = parameters.get("agents") or []
    return [one for one in named if one not in agent_names() and not re.search(r"[:=./]|[A-Z]", one)]


def test_there_is_something_to_run() -> None:
    assert {"README.md", "docs/agents.md", "docs/quickstart.md"} <= {named(path) for path in WITH_PYTHON}
    assert len(commands()) > 20


@pytest.mark.parametrize("path", WITH_PYTHON, ids=named)
def test_python_of_a_page_runs(path: Path, tmp_path, monkeypatch, capsys) -> None:
    """Block after block in one namespace, as a reader would paste them, in an empty folder, a warning being an error."""
    monkeypatch.chdir(tmp_path)
    names: dict = {"__name__": "page"}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for number, text in enumerate(blocks(path, "python")):
            exec(compile(text, f"{named(path)} block {number}", "exec"), names)


def test_the_batch_of_the_readme_shows_more_than_zeros(monkeypatch, capsys) -> None:
    (block,) = [text for text in blocks(ROOT / "README.md", "python") if "HansaBatch(" in text]
    names: dict = {}
    exec(compile(block, "README.md, the batch", "exec"), names)
    assert names["games"] >= 100 and np.abs(names["results"][-1]).min() > 0.01
    assert f"{names['games']} games" in capsys.readouterr().out


@pytest.mark.parametrize("path", [path for path in WRITTEN if named(path) in {page for page, _ in commands()}], ids=named)
def test_a_page_says_how_hansa_becomes_a_command_before_it_uses_it(path: Path) -> None:
    text = path.read_text("utf-8")
    used = re.search(r"^\$ (\w+=\S+ )?hansa ", text, re.MULTILINE)
    assert used is None or "source .venv/bin/activate" in text[: used.start()]


@pytest.mark.skipif(not Path(sys.prefix, "bin", "activate").exists(), reason="the tests run in no virtual environment")
def test_hansa_is_a_command_after_the_line_that_is_printed() -> None:
    line = f"source {shlex.quote(sys.prefix)}/bin/activate && command -v hansa"
    done = subprocess.run(["bash", "-c", line], env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True)
    assert done.stdout.strip() == str(Path(sys.prefix, "bin", "hansa")), done.stderr


@pytest.mark.parametrize("path", WRITTEN, ids=named)
def test_where_the_extra_is_installed_pytorch_for_the_cpu_comes_first(path: Path) -> None:
    """Or a version of it by number, in an environment made for one purpose."""
    text = path.read_text("utf-8")
    install = re.search(r"pip install[^\n]*\[[a-z,]*train", text)
    assert install is None or re.search(r"whl/cpu|PyTorch for the CPU|torch==", text[: install.end() + 80])


@pytest.mark.parametrize(("page", "line"), commands())
def test_commands_are_accepted_with_their_options(page: str, line: str) -> None:
    words = shlex.split(line, comments=True)
    command, context, rest = resolved(words[words.index("hansa") + 1 :])
    if rest == ["--version"]:
        return
    assert context is not None, f"{page}: {line} names no command"
    understood = command.make_context(command.name, rest, parent=context)  # raises where it does not understand
    assert not strange_agents(understood.params), f"{page}: {line}"


@pytest.mark.parametrize(("page", "text"), mentions())
def test_commands_that_are_mentioned_exist(page: str, text: str) -> None:
    command, context, rest = resolved(text.split()[1:])
    assert context is not None, f"{page}: {text} names no command"
    options = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
    assert {word for word in rest if word.startswith("-")} <= options
    understood = command.make_context(command.name, list(rest), parent=context, resilient_parsing=True)
    assert not strange_agents(understood.params), f"{page}: {text}"


@pytest.mark.parametrize("page", ["README.md", pytest.param("docs/agents.md", marks=pytest.mark.slow)])
def test_the_bot_of_the_page_meets_greedy(page: str, tmp_path, monkeypatch) -> None:
    """The block is saved under the name it gives itself, and the page's own commands are run, with fewer games."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    files = {FILE.match(text)[1]: text for text in blocks(ROOT / page, "python") if FILE.match(text)}
    assert "mybot.py" in files
    for name, text in files.items():
        Path(name).write_text(text)
        monkeypatch.delitem(sys.modules, name.removesuffix(".py"), raising=False)
    lines = [command for said, command in commands() if said == page and re.search(r"mybot|batchbot|ahead|game\.json", command)]
    lines = [line for line in lines if "ladder" not in line]  # where `search` plays too, for minutes; has tests of its own
    assert any("arena mybot:MyBot greedy" in line for line in lines)
    for bot in ("mybot:MyBot", "batchbot:BatchBot")[: 1 if page == "README.md" else 2]:
        match = play_match([bot, "random", "random"], Ruleset(3), 12, seed=1)
        assert next(row.share for row in match.rows if row.agent == bot) > 0.75, "the pages say that it beats `random` clearly"
    for line in lines:
        words = shlex.split(re.sub(r"--least \d+", "--least 1", re.sub(r"--games \d+", "--games 3", line)), comments=True)[1:]
        result = CliRunner().invoke(app, words)
        assert result.exit_code == 0, (line, result.output)
        assert ("replay" in line or "arena" in line) <= (re.search("MyBot|BatchBot|ahead", result.output) is not None)


#: What is put in place of a notebook's settings, so that it runs in seconds.
SHORTER = {
    "matchups": {"games=3360": "games=168"},
    "quickstart": {"games=60": "games=6"},
    "strategy": {'"ppo", 300': '"ppo", 3'},
    "training": {'Path("../runs/three")': 'Path("run")', 'Path("three"), {}': f"None, {TINY}"},
}


#: Those that take longer than all others together: `strategy` plays at tables of every size, and its measures have their tests.
LONG = {"strategy"}
NOTEBOOKS = [
    pytest.param(path, marks=[pytest.mark.slow] * (path.stem in LONG), id=path.stem)
    for path in sorted((ROOT / "notebooks").glob("*.ipynb"))
]


@pytest.mark.parametrize("path", NOTEBOOKS)
def test_the_notebook_runs(path: Path, tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    plt = pytest.importorskip("matplotlib.pyplot")
    monkeypatch.setattr(plt, "show", lambda: plt.close("all"))
    names: dict = {}
    every = json.loads(path.read_text("utf-8"))["cells"]
    assert len({cell["id"] for cell in every}) == len(every), "the format wants another id for each"
    cells = [cell for cell in every if cell["cell_type"] == "code"]
    sources = ["".join(cell["source"]) for cell in cells]
    for long, short in SHORTER[path.stem].items():
        assert sum(source.count(long) for source in sources) == 1
        sources = [source.replace(long, short) for source in sources]
    for i, source in enumerate(sources):
        exec(compile(source, f"notebook cell {i}", "exec"), names)
    assert len(cells) >= 5 and "greedy" in capsys.readouterr().out


def test_the_readme_names_what_can_be_chosen_and_run() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    for word in ("fourth", "second", "first", "pawn", "neutral", "base-2-3", "base-4-5", "Andreas Steding", "unofficial"):
        assert word in text, word
    for command in ("make test", "make train", "make speed", "make docs", "3.11", "3.12", "3.13"):
        assert command in text, command
    assert len(text.splitlines()) <= 150
