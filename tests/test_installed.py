"""What somebody else's package brings may be broken, and takes nothing else with it."""

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hansa_env import AgentError, Ruleset, installed, make_agent
from hansa_env.commands import cli
from hansa_env.installed import NotLoaded, load, offered
from hansa_env.play import registry

BROKEN = "raise RuntimeError('of its own')\n"
READS = """
def fails():
    raise KeyError('line 7')

def needs():
    import is_not_here

def gives():
    return ['one', 'two']
"""


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "brings_trouble.py").write_text(BROKEN)
    (tmp_path / "reads_files.py").write_text(READS)
    monkeypatch.syspath_prepend(str(tmp_path))


def point(value: str, name: str = "theirs") -> EntryPoint:
    return EntryPoint(name, value, "a.group")


@pytest.mark.parametrize(("value", "said"), [
    ("brings_trouble:it", "brings_trouble:it raised RuntimeError: of its own"),
    ("is_nowhere:it", "No module named 'is_nowhere'"),
    ("reads_files:it", "reads_files:it raised AttributeError"),
])  # fmt: skip
def test_what_cannot_be_loaded_is_said_in_a_line(value: str, said: str, packages: None) -> None:
    with pytest.raises(NotLoaded, match=said):
        load(point(value))


def test_what_is_offered_is_gathered_or_named(packages: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def with_points(*values: str) -> None:
        monkeypatch.setattr(installed, "entries", lambda _: [point(value) for value in values])

    with_points("reads_files:gives", "reads_files:gives")
    assert offered("a.group", "things", ValueError) == ["one", "two", "one", "two"]
    for value, text in (
        ("brings_trouble:it", "cannot be loaded: .*of its own"),
        ("reads_files:fails", "cannot be read: 'line 7'"),
        ("reads_files:needs", "cannot be loaded: No module named 'is_not_here'; is the package that it needs installed"),
    ):
        with_points(value)
        with pytest.raises(ValueError, match=f"the things 'theirs' {text}"):
            offered("a.group", "things", ValueError)


def test_a_broken_agent_is_named(packages: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_installed", lambda: {"theirs": point("brings_trouble:it")})
    with pytest.raises(AgentError, match=r"agent 'theirs' cannot be loaded: .* raised RuntimeError: of its own"):
        make_agent("theirs", Ruleset(3))


def test_a_broken_command_leaves_the_others_alone(packages: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "entries", lambda _: [point("brings_trouble:it")])
    shown, run = (CliRunner().invoke(cli.app, words) for words in (["--help"], ["theirs"]))
    assert shown.exit_code == 0 and "theirs" in shown.output and "not available" in shown.output and "rulesets" in shown.output
    assert run.exit_code == 2 and "error: hansa theirs: brings_trouble:it raised RuntimeError: of its own" in run.output
