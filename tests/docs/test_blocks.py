"""What is written for people runs as written: the README's Python, the notebook."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def readme_examples() -> list[str]:
    return re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)


def test_the_readme_has_examples() -> None:
    assert len(readme_examples()) >= 3


@pytest.mark.parametrize("number", range(len(readme_examples())))
def test_readme_examples_run(number: int, capsys) -> None:
    exec(compile(readme_examples()[number], f"README example {number}", "exec"), {})


def test_the_notebook_runs(capsys) -> None:
    notebook = json.loads((ROOT / "notebooks" / "first_look.ipynb").read_text("utf-8"))
    names: dict = {}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for i, cell in enumerate(cells):
        exec(compile("".join(cell["source"]), f"notebook cell {i}", "exec"), names)
    assert len(cells) >= 5 and "greedy" in capsys.readouterr().out


def test_the_readme_names_every_public_ruleset_option() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    for word in ("fourth", "second", "first", "pawn", "neutral", "base-2-3", "base-4-5", "Andreas Steding", "unofficial"):
        assert word in text, word
