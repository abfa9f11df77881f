"""Pages agree with the code, and links point to something. That the documents build strictly, `make docs` says."""

from __future__ import annotations

import html
import importlib.util
import json
import re
import tomllib
from pathlib import Path

import pytest

from hansa_agents.benchmark.row_file import About
from hansa_agents.benchmark.suite import SUITES
from hansa_agents.ladder import Ladder, kept_file
from hansa_env.engine.questions import QUESTIONS
from hansa_env.formats.schema import POSITIONS, ActionModel, RecordModel, Result, Setup
from hansa_env.version import __version__
from tests.docs.tables import (
    FIGURES,
    PAGES,
    REGION,
    ROOT,
    TABLES,
    made_by,
    pages_with_tables,
    standing,
    with_tables,
)
from tests.packages import PACKAGES
from tests.shares import one_in

MARKDOWN = [path for path in ROOT.glob("*.md")] + sorted(PAGES.rglob("*.md")) + sorted((ROOT / "hansa_env").rglob("*.md"))
LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
NOTATION = (ROOT / "hansa_env" / "rulebook" / "notation.md").read_text("utf-8")


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def anchors(path: Path) -> set[str]:
    """The anchors of a page's headings."""
    titles = re.findall(r"^#+ (.+)$", path.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}


@pytest.mark.parametrize("path", MARKDOWN, ids=named)
def test_links_point_to_something(path: Path) -> None:
    for link in LINK.findall(CODE.sub("", path.read_text("utf-8"))):
        if link.startswith(("http://", "https://")):
            continue
        file, _, anchor = link.partition("#")
        target = path.parent / file if file else path
        assert target.exists(), f"{named(path)}: {link}"
        assert not anchor or anchor in anchors(target), f"{named(path)}: {link}"


#: Tables that take half a minute, since all games of the ladders are read and rated.
OF_LADDERS = {"ladder", "ladder-elsewhere"}


@pytest.mark.parametrize("names", one_in(2, [set(TABLES) - OF_LADDERS, OF_LADDERS]), ids=["quick", "of ladders"])
def test_tables_are_those_of_the_code(names: set[str]) -> None:
    """All pages in one test, so that one process alone reads and rates the games of the ladders."""
    for path in pages_with_tables():
        text = path.read_text("utf-8")
        if "table: plan" in text and not importlib.util.find_spec("sb3_contrib"):  # without the extra 'train'
            continue
        assert text == with_tables(text, names), f"{named(path)} is not what the code says; run: python -m tests.docs.tables"


def columns_of(table: str) -> dict[str, dict[str, str]]:
    """The cells of a table of the pages by the head of their column and by agent; those that say nothing are left out."""
    (text,) = (
        found[0] for page in pages_with_tables() for found in REGION.finditer(page.read_text("utf-8")) if found[2] == table
    )
    (_, *heads), _, *rows = ([cell.strip() for cell in line[1:-1].split("|")] for line in text.splitlines() if line[:1] == "|")
    return {head: {row[0].strip("`"): row[at] for row in rows if row[at]} for at, head in enumerate(heads, 1)}


def test_a_column_is_that_of_the_games_of_a_ladder() -> None:
    """The smallest of the ladders; all of them, and the order of the agents, are in the test above."""
    match = Ladder.read(kept_file(3, "east")).match()
    assert columns_of("ladder-elsewhere")["`east`, 3 players"] == {row.agent: standing(match, row) for row in match.rows}


def test_what_strangers_say_of_themselves_is_no_markup() -> None:
    assert made_by(About(by="Ann", link="https://example.org/a?b=1")) == "Ann, <https://example.org/a?b=1>"
    assert made_by(About(by="<b>[x](javascript:y)", link="javascript:z")) == r"&lt;b&gt;\[x\](javascript:y), javascript:z"
    assert made_by(About(link='https://a/"><script>')) == 'https://a/"&gt;&lt;script&gt;'
    assert made_by(About()) == ""


def test_every_format_is_on_the_page_of_formats() -> None:
    """But for the suites of the benchmark, which come with the project and are no formats of files."""
    folders = [ROOT / folder for folder in PACKAGES.values()]
    sources = [path.read_text("utf-8") for folder in folders for path in folder.rglob("*.py")]
    known = {name for text in sources for name in re.findall(r'"(hansa-[a-z-]+/\d+)"', text)} - set(SUITES)
    page = (PAGES / "formats.md").read_text("utf-8")
    assert known == set(re.findall(r"^\| `(hansa-[a-z-]+/\d+)` \|", page, re.MULTILINE)) and len(known) > 15


def test_every_table_stands_somewhere_and_every_ladder_has_the_agents_of_the_table() -> None:
    assert {found[2] for page in pages_with_tables() for found in REGION.finditer(page.read_text("utf-8"))} == set(TABLES)
    printed, elsewhere = ([set(column) for column in columns_of(table).values()] for table in ("ladder", "ladder-elsewhere"))
    most = set(columns_of("ladder")["3 players"])
    earlier = {"ppo-0.2"}  # stays only where another agent has taken its name
    assert all(agents - earlier <= most for agents in printed) and len(printed) == 4
    assert all(agents == elsewhere[0] <= most for agents in elsewhere) and len(elsewhere) == 6


def test_figures_are_a_whole_result() -> None:
    if not FIGURES.exists():
        assert "No figures have been recorded" in (PAGES / "speed.md").read_text("utf-8")
        return
    result = json.loads(FIGURES.read_text("utf-8"))
    assert result["form"] == "full" and not result["partial"] and result["rows"]


def test_every_page_is_in_the_navigation() -> None:
    settings = tomllib.loads((ROOT / "zensical.toml").read_text("utf-8"))
    named_pages = set(re.findall(r"[\w/]+\.md", str(settings["project"]["nav"])))
    assert named_pages == {str(path.relative_to(PAGES)) for path in PAGES.rglob("*.md")}


@pytest.mark.parametrize("name", ["rules.md", "decisions.md", "security.md", "changelog.md"])
def test_what_is_written_elsewhere_is_included_not_copied_and_linked_where_nothing_is_included(name: str) -> None:
    """GitHub shows a page without what it includes, and knows no `hidden`. The dot is written so that the build does not take
    the link for one to a page."""
    text = html.unescape((PAGES / name).read_text("utf-8"))
    included = re.fullmatch(r'--8<-- "([\w/]+\.md)"\n\n<p hidden>.*<a href="\.\./([\w/]+\.md)">.*</p>\n', text)
    assert included and included[1] == included[2] and (ROOT / included[1]).exists()


def test_the_notation_names_every_field_and_question() -> None:
    models = (POSITIONS["hansa-position/2"], ActionModel, RecordModel, Setup, Result)
    fields = {field.alias or name for model in models for name, field in model.model_fields.items()}
    missing = [name for name in sorted(fields) if f'"{name}"' not in NOTATION and name not in ("players", "edition", "board")]
    assert missing == []
    assert [question.name for question in QUESTIONS if f"`{question.name}`" not in NOTATION] == []
    assert "hansa-position/2" in NOTATION


@pytest.mark.parametrize("path", [
    "hansa_env:Game", "hansa_env:HansaBatch", "hansa_env:Ruleset", "hansa_env:IllegalAction", "hansa_env:hansa_teutonica_v0",
    "hansa_env:observation_high",
    "hansa_env.engine.observation:observation_fields", "hansa_env.engine.state:GAME", "hansa_env.sb3:HansaVecEnv",
    "hansa_agents.arena:play_match", "hansa_training.agent:PPOAgent",
])  # fmt: skip
def test_import_paths_that_were_documented_stay(path: str) -> None:
    module, _, name = path.partition(":")
    if module in ("hansa_env.sb3", "hansa_training.agent"):
        pytest.importorskip("sb3_contrib", reason="needs the extra 'train'")
    exec(f"from {module} import {name}", {})


def test_the_changelog_begins_with_this_version_and_the_citation_names_it() -> None:
    versions = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert versions[0] == __version__
    assert re.findall(r"^version: (\S+)", (ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE) == [__version__]


@pytest.mark.parametrize("question", ["fetch", "spend"])
def test_the_recipe_for_a_question_names_every_file_that_knows_one(question: str) -> None:
    """Both are names of questions and of nothing else."""
    recipe = (PAGES / "extending.md").read_text("utf-8").split("## A question\n")[1].split("\n## ")[0]
    files = [path.relative_to(ROOT / "hansa_env") for path in (ROOT / "hansa_env").rglob("*.py")]
    knowing = [file for file in files if f'"{question}"' in (ROOT / "hansa_env" / file).read_text("utf-8")]
    assert knowing
    assert [str(file) for file in knowing if f"{file}`" not in recipe and f"{file.parent}/`" not in recipe] == []


def test_the_page_of_the_compiled_engine_shows_what_its_example_runs() -> None:
    shown = (PAGES / "compiled.md").read_text("utf-8").split("```python\n")[1].split("```")[0]
    example = (ROOT / "examples" / "compiled_search.py").read_text("utf-8")
    assert "@compiled.kernel" + shown.split("@compiled.kernel")[1].split("\n\n\n")[0] in example
