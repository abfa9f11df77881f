"""The report as a page: whole, by itself, and with the figures of the match."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from typer.testing import CliRunner

from hansa_agents.arena import play_match
from hansa_agents.html_report import html_of
from hansa_agents.report import parts
from hansa_agents.results import Match
from hansa_env import Ruleset
from hansa_env.commands.cli import app

VOID = {"meta"}


class Reader(HTMLParser):
    """Tags in order of nesting, what stands in table cells, and every address."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.cells: list[str] = []
        self.circles: list[float] = []
        self.feed(text)
        assert self.open == [], "every tag is closed"

    def handle_starttag(self, tag: str, attributes) -> None:
        given = dict(attributes)
        assert not {"src", "href"} & set(given), "nothing is fetched"
        self.seen.append(tag)
        if tag == "circle":
            self.circles.append(float(given["cx"]))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes) -> None:
        self.handle_starttag(tag, attributes)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("td", "th"):
            self.cells.append(data)


def test_the_page_has_every_cell_of_the_tables_and_needs_nothing_else() -> None:
    match = play_match(["<b>=greedy", "random", "scripted:link"], Ruleset(3), 12, seed=2)
    page = Reader(html_of(match))
    expected: list[str] = []
    for part in parts(match):
        expected += [part.first, *part.columns]
        for name, cells in part.rows:
            expected += [name, *cells]
    assert page.cells == expected and "<b>" in page.cells
    assert "script" not in page.seen and page.seen.count("table") == 5 and page.seen.count("svg") == 2
    order = sorted(range(3), key=lambda i: page.circles[i])
    assert order == sorted(range(3), key=lambda i: match.rows[i].share), "dots lie as the win shares do"


def test_the_command_writes_it_beside_the_table(tmp_path) -> None:
    path = tmp_path / "report.html"
    done = CliRunner().invoke(app, ["arena", "greedy", "random", "--games", "8", "--html", str(path)])
    assert done.exit_code == 0 and "greedy" in done.output
    assert Reader(path.read_text("utf-8")).seen.count("table") == 5


def test_without_games_there_is_no_page() -> None:
    with pytest.raises(ValueError, match="no game has ended"):
        html_of(Match.of(Ruleset(3), 100, []))
