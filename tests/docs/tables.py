"""Tables of the documents that come from code and kept games: `python -m tests.docs.tables` writes them, a test compares them.

In a page, a table stands between `<!-- table: NAME -->` and `<!-- end of table -->`.
"""

from __future__ import annotations

import html
import json
import math
import re
import sys
from collections.abc import Callable, Collection, Iterable
from functools import cache, partial
from itertools import takewhile
from pathlib import Path

from hansa_agents.benchmark.row_file import About, read_row
from hansa_agents.benchmark.show import leaderboard as board_of
from hansa_agents.ladder import Ladder, kept_file
from hansa_agents.ladder.chart import printed_ladders
from hansa_agents.report import FEW_DEALS
from hansa_agents.results import Match, Row
from hansa_env import Ruleset, observation_blocks, observation_fields
from hansa_env.engine.action_space import fingerprint, num_actions, segments
from hansa_env.engine.questions import QUESTIONS
from hansa_env.engine.view.observation import OBSERVATION_FIELDS, OBSERVATION_VERSION, observation_fingerprint, observation_size
from tests import layers

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs"
FIGURES = PAGES / "figures" / "bench.json"
LEADERBOARD = PAGES / "leaderboard"
PEERS = PAGES / "figures" / "peers.json"
TRIALS = PAGES / "figures" / "trials.json"
EXPLOITS = PAGES / "figures" / "exploit.json"
CARDS = ROOT / "agents" / "networks"
REGION = re.compile(r"(<!-- table: ([\w-]+) -->\n).*?(<!-- end of table -->)", re.DOTALL)
SHOWN = Ruleset(players=3)
#: What brings further fields of the observation.
FURTHER = {
    "`missions`": Ruleset(3, missions=True),
    "`favours`": Ruleset(3, favours=True),
    "promo markers": Ruleset(3, pile="promos"),
    "`bigbox`": Ruleset(3, "bigbox"),
    "`east`": Ruleset(3, board="east"),
    "`britannia-2-3`, `britannia-4-5`": Ruleset(3, board="britannia-2-3"),
}
#: What brings fields that none of them brings alone.
TOGETHER = {"`favours` and promo markers": Ruleset(3, favours=True, pile="promos")}
BASE = (Ruleset(2, two_players="neutral"), Ruleset(2, two_players="pawn"), Ruleset(3), Ruleset(4), Ruleset(5))
EAST = tuple(Ruleset(players, board="east") for players in (3, 4, 5))
BRITANNIA = (Ruleset(3, board="britannia-2-3"), *(Ruleset(players, board="britannia-4-5") for players in (4, 5)))
USUAL = (*BASE, *EAST, *BRITANNIA)


def markdown(head: tuple[str, ...], rows: Iterable[Iterable[object]]) -> str:
    """A table in Markdown, with an empty line before and after."""
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in (head, ["---"] * len(head), *rows)]
    return "\n" + "\n".join(lines) + "\n\n"


def sizes() -> str:
    rows = [
        (str(ruleset), num_actions(ruleset), observation_size(ruleset),
         f"`{fingerprint(ruleset)[:12]}`", f"`{observation_fingerprint(ruleset)[:12]}`")
        for ruleset in USUAL
    ]  # fmt: skip
    of_observation = f"of the observation (version {OBSERVATION_VERSION})"
    return markdown(("ruleset", "actions A", "observation D", "fingerprint of the actions", of_observation), rows)


def imported_layers() -> str:
    """A line for each layer of modules."""
    return "\n```\n" + "\n".join(layers.shown()) + "\n```\n\n"


def questions() -> str:
    rows = []
    for question in QUESTIONS:
        halves = [half.py_func for half in (question.offer, question.play)]
        where = [f"`{half.__module__.rpartition('.')[2]}.{half.__name__}`" for half in halves]
        rows.append((question.number, f"`{question.name}`", f"`{question.action}`" if question.action else "", *where))
    return markdown(("number", "question", "action under way", "what is offered", "what follows"), rows)


def actions() -> str:
    rows = [
        (f"`{part.name}`", f"{part.start}–{part.stop - 1}" if part.things else "", len(part.things),
         ", ".join(f"“{thing}”" for thing in part.things[:3]) + (" ..." if len(part.things) > 3 else ""))
        for part in segments(SHOWN)
    ]  # fmt: skip
    return markdown(("kind of thing", "indices", "number", "things"), rows)


def observation() -> str:
    rows = [
        (f"`{field.name}`", field.block, f"{field.start}–{field.start + field.size - 1}" if field.size else "",
         " × ".join(map(str, field.shape)), field.high, field.meaning)
        for field in observation_fields(SHOWN)
    ]  # fmt: skip
    return markdown(("field", "block", "entries", "shape", "highest", "meaning"), rows)


def further_fields() -> str:
    """The fields that SHOWN does not have, with what brings them; shapes are those of the first that does."""
    beside = {field.name for field in observation_fields(SHOWN)}
    with_: dict[str, list[str]] = {}
    told: dict[str, tuple] = {}
    for brings, ruleset in (FURTHER | TOGETHER).items():
        known = {*beside, *(told if brings in TOGETHER else ())}
        for field in observation_fields(ruleset):
            if field.name not in known:
                with_.setdefault(field.name, []).append(brings)
                told.setdefault(field.name, (field.block, " × ".join(map(str, field.shape)), field.high, field.meaning))
    rows = [(f"`{name}`", ", ".join(with_[name]), *told[name]) for name in OBSERVATION_FIELDS if name in told]
    return markdown(("field", "with", "block", "shape", "highest", "meaning"), rows)


def blocks() -> str:
    rows = [(f"`{b.name}`", f"{b.start}–{b.start + b.rows * b.columns - 1}", b.rows, b.columns)
            for b in observation_blocks(SHOWN).values()]  # fmt: skip
    return markdown(("block", "entries", "rows", "columns"), rows)


def plan() -> str:
    from hansa_training.plan import CHANGEABLE, Plan
    from hansa_training.plan_texts import expected, option

    rows = [
        (f"`{option(name)}`", "" if field.default is None else f"`{field.default}`", field.description, expected(name),
         "yes" if name in CHANGEABLE else "")
        for name, field in Plan.model_fields.items()
    ]  # fmt: skip
    return markdown(("option", "default", "meaning", "expected", "may change on resume"), rows)


def figures() -> str:
    """The rows of docs/figures/bench.json, a result of `hansa speed`, where there is one."""
    if not FIGURES.exists():
        return "\nNo figures have been recorded for this version yet.\n\n"
    from hansa_benchmarks.report import number

    result = json.loads(FIGURES.read_text("utf-8"))
    machine = result["machine"]
    versions = f"Python {machine['python']}, Numba {machine['numba']}"
    said = f"{machine['cpu']}, {machine['cores']} cores, {versions}, {machine['time'][:10]}"
    rows = [
        (f"`{key}`", row["what"], number(row["median"]), row["unit"], f"{number(row['ratio'])} × `{row['reference']}`"
         if row["ratio"] else "")
        for key, row in result["rows"].items() if row["samples"]
    ]  # fmt: skip
    return f"\n{said}; medians.\n{markdown(('row', 'what', 'median', 'unit', 'compared'), rows)}"


def peers() -> str:
    """The rows of docs/figures/peers.json, a result of `hansa speed peers`."""
    if not PEERS.exists():
        return "\nNo figures have been recorded for this version yet.\n\n"
    from hansa_benchmarks.peers_chart import called
    from hansa_benchmarks.report import number

    result = json.loads(PEERS.read_text("utf-8"))
    machine = result["machine"]
    said = f"{machine['cpu']}, {machine['time'][:10]}, load {machine['load_before']} at the beginning; medians."
    measured = sorted((row["median"], key, row) for key, row in result["rows"].items() if row["samples"])
    rows = [(called(key), row["what"], number(median), row["unit"]) for median, key, row in reversed(measured)]
    left = [f"{key.removeprefix('peers/')}: {row['note']}" for key, row in result["rows"].items() if not row["samples"]]
    return f"\n{' '.join([said, *left])}\n{markdown(('environment', 'how', 'median', 'unit'), rows)}"


def trials() -> str:
    """The rows of docs/figures/trials.json: what attacks of the tests came to, where they have been counted."""
    if not TRIALS.exists():
        return "\nNo figures have been recorded for this version yet.\n\n"
    keys = ("what", "tried", "refused", "survived")
    return markdown(keys, [[row[key] for key in keys] for row in json.loads(TRIALS.read_text("utf-8"))])


@cache
def matches() -> dict[str, Match]:
    """The games of the standing ladders of the printed boards, by what heads their columns."""
    return printed_ladders()


@cache
def matches_elsewhere() -> dict[str, Match]:
    """The games of the standing ladders of the other boards, by what heads their columns."""
    tables = [(3, "east"), (4, "east"), (5, "east"), (3, "britannia-2-3"), (4, "britannia-4-5"), (5, "britannia-4-5")]
    return {f"`{board}`, {players} players": Ladder.read(kept_file(players, board)).match() for players, board in tables}


def standings(ladders: dict[str, Match], first: str, cell: Callable[[Match, Row], str]) -> str:
    """A line for each agent of some ladders, the best of the `first` one first, a column for each ladder."""
    rows = []
    for agent in ladders[first].ranked().agents:
        held = {name: [row for row in match.rows if row.agent == agent] for name, match in ladders.items()}
        rows.append([f"`{agent}`"] + [cell(ladders[name], one[0]) if one else "" for name, one in held.items()])
    return markdown(("agent", *ladders), rows)


def standing(match: Match, row: Row) -> str:
    rating, share = match.ratings[row.agent], f"{row.share:.1%} ({row.low:.1%}–{row.high:.1%})"
    deals = f" on {row.deals} deal{'s' * (row.deals > 1)}" if row.deals < FEW_DEALS else ""
    return f"{share}, {rating.points:+.0f} ({rating.low:+.0f}..{rating.high:+.0f}); {row.games}{deals}"


def ladder() -> str:
    return standings(matches(), "3 players", standing)


def ladder_elsewhere() -> str:
    return standings(matches_elsewhere(), "`east`, 3 players", standing)


def leaderboard() -> str:
    """The rows of docs/leaderboard/, as the benchmark makes their cards. Raises ValueError for one with a preview of a cell, of
    which no game may be published, or a second name."""
    cards, by = [], {}
    for path in sorted(LEADERBOARD.glob("*.jsonl.gz")):
        row = read_row(path)
        cards.append(row.card())
        if cards[-1].preview or f"`{row.head.name}`" in by:
            raise ValueError(
                f"{path} has a cell with no more games than a preview, or the name of another row; expected neither"
            )
        by[f"`{row.head.name}`"] = made_by(row.head.about)
    if not cards:
        return "\nThere are no rows yet.\n\n"
    columns, rows = board_of(cards)
    return markdown((*columns, "by"), [(*row, by[row[0]]) for row in rows])


def made_by(about: About) -> str:
    """Who made an agent, and where to read more. Others wrote it: nothing in it is markup but a link that looks like one."""
    link = f"<{about.link}>" if re.fullmatch(r"https?://[\w./~#?=&%+-]+", about.link) else plain(about.link)
    return ", ".join(filter(None, (plain(about.by), link)))


def plain(text: str) -> str:
    """Text with nothing in it that Markdown or HTML takes for its own."""
    return re.sub(r"([\\`*_\[\]~])", r"\\\1", html.escape(text, quote=False))


#: Lines of a card: among whom the agent sits, its share, the interval, chance; and who sits among copies of it.
SHARE = r"\| ([\d.]+)% \| ([\d.]+)%–([\d.]+)% \| ([\d.]+)% \|"
ONE_AMONG = re.compile(rf"^\| (?:\d )?`(\S+)` \| likeliest \| \d+ {SHARE}", re.MULTILINE)
AMONG_IT = re.compile(rf"^\| `(\S+)` \| \d+ {SHARE}", re.MULTILINE)


def trained() -> str:
    """A line for each trained agent of today, from its card: the worst figure of either direction."""

    def told(found: re.Match[str]) -> str:
        return f"{found[2]}% ({found[3]}–{found[4]}) `{found[1]}`"

    rows = []
    for card in sorted(CARDS.glob("?-players*.md")):
        text = card.read_text("utf-8")
        alone = [found for found in ONE_AMONG.finditer(text) if found[1] != "random"]
        held = [told(max(AMONG_IT.finditer(text), key=lambda found: float(found[2])))] if AMONG_IT.search(text) else [""]
        worst = min(alone, key=lambda found: float(found[2]))
        greedy = next(found[2] for found in alone if found[1] == "greedy")
        name = card.stem.replace("-players", " players", 1).replace("players-", "players, ")
        rows.append((name, f"{worst[5]}%", told(worst), *held, f"{greedy}%"))
    head = "agent", "chance", "its worst, among copies of one agent", "the most that one takes among copies of it"
    return markdown((*head, "among `greedy`"), rows)


def exploits() -> str:
    """The rows of docs/figures/exploit.json: what one seat came to among copies of an agent, by what it was found."""
    means = ("learning", "breeding", "search")

    def cell(line: dict, by: str) -> str:
        found = line["by"].get(by)
        return "{}% ({}–{})".format(*(math.floor(100 * found[key] + 0.5) for key in ("share", "low", "high"))) if found else ""

    if not EXPLOITS.exists():
        return "\nNo figures have been recorded for this version yet.\n\n"
    lines = json.loads(EXPLOITS.read_text("utf-8"))
    rows = []
    for line in lines:
        spent = line["spent"]
        learned = f"{spent['seeds']} × {spent['decisions'] / 1e6:.1f} M"
        said = f"{learned}, {spent['generations']} generations, {spent['sims']} simulations"
        found = (cell(line, by) for by in means)
        rows.append((line["players"], f"`{line['agent']}`", f"{line['chance']:.0%}", *found, said))
    return markdown(("players", "among copies of", "chance", *means, "spent"), rows)


def plans() -> str:
    """Each plan with the first sentence of its comment."""
    rows = []
    for path in sorted((ROOT / "training" / "configs").glob("*.toml")):
        lines = takewhile(lambda line: line.startswith("#"), path.read_text("utf-8").splitlines())
        comment = " ".join(line.removeprefix("#").strip() for line in lines)
        rows.append((f"`{path.stem}`", re.split(r"(?<=[.:])\s+(?=[A-Z]|hansa )", comment)[0].rstrip(".:")))
    return markdown(("plan", "what it is"), rows)


def scaling(part: str) -> str:
    """A run of many ranks as `python -m hansa_benchmarks.scaling` computes it: what they exchange, or where the time goes."""
    from hansa_benchmarks.scaling import exchange, measured, times

    return markdown(*(exchange if part == "exchange" else times)(measured()))


TABLES: dict[str, Callable[[], str]] = {
    "sizes": sizes, "questions": questions, "actions": actions, "observation": observation, "blocks": blocks,
    "further-fields": further_fields, "plan": plan,
    "figures": figures, "trials": trials, "ladder": ladder, "ladder-elsewhere": ladder_elsewhere,
    "leaderboard": leaderboard, "plans": plans, "peers": peers, "trained": trained, "exploits": exploits,
    "layers": imported_layers, "scaling-exchange": partial(scaling, "exchange"), "scaling-times": partial(scaling, "times"),
}  # fmt: skip


def with_tables(text: str, names: Collection[str] = TABLES) -> str:
    """A page with its tables, or those of some names, as the code has them now. Raises KeyError for an unknown name."""

    def table(found: re.Match[str]) -> str:
        return found[1] + TABLES[found[2]]() + found[3] if found[2] in names or found[2] not in TABLES else found[0]

    return REGION.sub(table, text)


def pages_with_tables() -> list[Path]:
    """The pages that have such tables, the README among them."""
    return [page for page in (ROOT / "README.md", *sorted(PAGES.rglob("*.md"))) if REGION.search(page.read_text("utf-8"))]


def main() -> None:
    for page in pages_with_tables():
        text = page.read_text("utf-8")
        print(f"tables of {page.relative_to(ROOT)} ...", flush=True)
        try:
            now = with_tables(text)
        except ValueError as error:  # a row that somebody adds is none for the leaderboard
            sys.exit(f"{page.relative_to(ROOT)} is not written: {error}")
        if text != now:
            page.write_text(now, "utf-8")
            print(f"written: {page.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
