"""A run on two machines, as docs/scaling.md starts it; needs the right to make network namespaces."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from tests.docs.tables import PAGES, ROOT
from tests.training.tiny import SHARED, arguments, figures

MACHINES = ("first", "second")
ADDRESSES = {"first": "10.77.0.1", "second": "10.77.0.2"}


@pytest.fixture
def spaces() -> Iterator[dict[str, str]]:
    """The name of each machine's network namespace; a cable, `eth0` on either side, is all that joins them."""
    if not (shutil.which("ip") and shutil.which("unshare")):
        lacking("the commands ip and unshare")
    names = {machine: f"hansa-{os.getpid()}-{machine}" for machine in MACHINES}
    first, second = names.values()
    try:
        for name in names.values():
            done = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True)
            if done.returncode:
                lacking(f"the right to make network namespaces: {done.stderr.strip()}")
        ip("link", "add", "eth0", "netns", first, "type", "veth", "peer", "name", "eth0", "netns", second)
        for machine, name in names.items():
            ip("-n", name, "address", "add", f"{ADDRESSES[machine]}/24", "dev", "eth0")
            ip("-n", name, "link", "set", "lo", "up")
            ip("-n", name, "link", "set", "eth0", "up")
        yield names
    finally:
        for name in names.values():
            subprocess.run(["ip", "netns", "delete", name], capture_output=True)


def lacking(what: str) -> NoReturn:
    """Where the test has to run, a skip would hide that it does not."""
    if os.environ.get("HANSA_EXPECTS_NAMESPACES") == "1":
        pytest.fail(f"needs {what}")
    pytest.skip(f"needs {what}")


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)


def start(machine: str, space: str, folder: Path, command: str) -> subprocess.Popen:
    """Run a command in a folder of a machine's own. Its name is its loopback's there, as Debian has it."""
    home = folder / machine
    home.mkdir()
    others = "".join(f"{address} {name}\n" for name, address in ADDRESSES.items() if name != machine)
    (home / "hosts").write_text(f"127.0.0.1 localhost\n127.0.1.1 {machine}\n{others}")
    begin = f"hostname {machine} && mount --bind hosts /etc/hosts && {command}"
    path = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.Popen(
        ["ip", "netns", "exec", space, "unshare", "--uts", "--mount", "bash", "-c", begin], cwd=home, text=True,
        env={**os.environ, "PATH": programs, "PYTHONPATH": path, "OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip


def command_of_the_page() -> str:
    """What the page says for two machines, with one rank on each and a tiny plan after its own."""
    page = (PAGES / "scaling.md").read_text("utf-8")
    (block,) = re.findall(r"<!-- not run: needs two machines -->\n```console\n(.*?)```", page, re.DOTALL)
    lines = " && ".join(line.removeprefix("$ ") for line in block.splitlines())
    assert lines.count("--nproc-per-node 16 ") == 1 and lines.endswith("--folder runs/many")
    return f"{lines.replace('--nproc-per-node 16 ', '--nproc-per-node 1 ')} {shlex.join(arguments(SHARED))}"


@pytest.mark.slow
def test_two_machines_have_the_figures_of_one_process(spaces, alone: dict[str, bytes], tmp_path: Path) -> None:
    command = command_of_the_page()
    running = [start(machine, space, tmp_path, command) for machine, space in spaces.items()]
    said = [one.communicate()[0] for one in running]
    assert [one.returncode for one in running] == [0, 0], "\n".join(said)
    writers = [machine for machine in MACHINES if (tmp_path / machine / "runs").exists()]
    assert len(writers) == 1, "the first rank alone writes"
    assert figures(tmp_path / writers[0] / "runs" / "many") == alone
    assert sum(one.count("PPO by self-play") for one in said) == 1
