"""How progress is shown, on a terminal and elsewhere."""

import io
import re
from itertools import count
from threading import Event

from rich.console import Console

from hansa_env.commands.progress import Progress, progress_on
from hansa_env.commands.progress.bar import Bar
from hansa_env.commands.progress.delayed import Late
from hansa_env.commands.progress.lines import Lines


def test_plain_lines_come_every_ten_seconds_with_rate_and_time_left() -> None:
    now, lines = [100.0], []
    progress = Lines(lines.append, every=10, clock=lambda: now[0])
    progress.begin("self-play", 10_000, 4_000)
    for _ in range(30):
        now[0] += 1
        progress.at(int(4_000 + 100 * (now[0] - 100)), "98% against random")
    now[0] += 1
    progress.end()
    assert lines == [
        "self-play: 4,000 of 10,000 (40%)",
        "self-play: 5,000 of 10,000 (50%), 100/s, 0:50 left; 98% against random",
        "self-play: 6,000 of 10,000 (60%), 100/s, 0:40 left; 98% against random",
        "self-play: 7,000 of 10,000 (70%), 100/s, 0:30 left; 98% against random",
        "self-play: 10,000 of 10,000 (100%) in 0:31; 98% against random",
    ]


def test_what_is_done_aside_counts_for_no_rate_but_for_the_time_left() -> None:
    now, lines = [0.0], []
    progress = Lines(lines.append, every=10, clock=lambda: now[0])

    def measure(seconds: int) -> None:
        with progress.aside("measuring", 4) as step:
            for _ in range(4):
                now[0] += seconds / 4
                step()

    progress.begin("self-play", 10_000)
    measure(80)  # before anything is done: of the pace nothing is known
    for _ in range(10):
        now[0] += 1
        progress.at(int(now[0] - 80) * 100)
    measure(20)
    now[0] += 10
    progress.at(2_000)
    assert lines == [
        "self-play: 0 of 10,000 (0%)",
        *(f"measuring: {n} of 4 (self-play: 0 of 10,000 (0%))" for n in (1, 2, 3, 4)),
        "self-play: 1,000 of 10,000 (10%), 100/s, 1:30 left",
        "measuring: 2 of 4 (self-play: 1,000 of 10,000 (10%))",
        "measuring: 4 of 4 (self-play: 1,000 of 10,000 (10%))",
        "self-play: 2,000 of 10,000 (20%), 100/s, 2:40 left",
    ]


def test_what_is_done_aside_and_takes_long_is_told_ever_more_rarely() -> None:
    now, lines = [0.0], []
    progress = Lines(lines.append, every=5, clock=lambda: now[0])
    progress.begin("self-play", 10)
    with progress.aside("measuring", 4) as step:
        for _ in range(100):
            now[0] += 1
            progress.tell_when_due()
        step()
    told = ["measuring: 0 of 4 (self-play: 0 of 10 (0%))"] * 5  # after 5, 10, 20, 40, 80 seconds
    assert lines == ["self-play: 0 of 10 (0%)", *told, "measuring: 1 of 4 (self-play: 0 of 10 (0%))"]


def test_a_slow_rate_does_not_read_as_none() -> None:
    now, lines = [0.0], []
    progress = Lines(lines.append, clock=lambda: now[0])
    progress.begin("games", 100)
    now[0] = 40
    progress.at(10)
    assert lines[-1] == "games: 10 of 100 (10%), 4 s each, 6:00 left"


def test_a_bar_of_few_slow_games_says_how_long_each_takes() -> None:
    now, shown = [0.0], io.StringIO()
    with Bar(Console(width=120, force_terminal=True, color_system=None, file=shown)) as bar:
        bar._rich.get_time = lambda: now[0]  # type: ignore[method-assign]
        bar.begin("games", 1)
        now[0] = 8.0
        bar.at(0, "31 decisions")
        bar._rich.refresh()
        assert "0/s" not in shown.getvalue() and "31 decisions" in shown.getvalue()
        bar.end()
    assert "8 s each" in shown.getvalue()


def test_a_bar_says_which_time_is_spent_and_which_is_left() -> None:
    now, shown = [0.0], io.StringIO()
    console = Console(width=120, force_terminal=True, color_system=None, file=shown, get_time=lambda: now[0])
    with Bar(console) as bar:
        bar.begin("games", 100)
        for second, done in ((0.0, 0), (30.0, 20), (60.0, 40)):
            now[0] = second
            bar.at(done)
            bar._rich.refresh()
        assert "0:00 so far " in shown.getvalue() and "1:00 so far, 1:30 left" in shown.getvalue()
        now[0] = 150.0
        bar.end()
    assert "in 2:30" in shown.getvalue()


def test_a_bar_shows_no_rate_of_nothing() -> None:
    now, shown = [0.0], io.StringIO()
    console = Console(width=120, force_terminal=True, color_system=None, file=shown, get_time=lambda: now[0])
    with Bar(console) as bar:
        bar.begin("compiled", 100)
        for done, rate in ((0, ""), (10, "4 s each"), (100, "2.5/s")):
            now[0] = 40
            bar.at(done)
            assert bar._in_hand.fields["rate"] == rate


def test_the_first_of_many_games_tells_no_time_left() -> None:
    """It was the shortest, and its time has that of starting processes in it."""
    now, lines = [0.0], []
    progress = Lines(lines.append, every=5, clock=lambda: now[0])
    progress.begin("games", 1_000)
    for seconds, done in ((50, 1), (54, 90), (60, 200)):
        now[0] = seconds
        progress.at(done)
        progress.tell_when_due()
    assert lines == [
        "games: 0 of 1,000 (0%)",
        "games: 1 of 1,000 (0%), 0:50 so far",
        "games: 200 of 1,000 (20%), 3.3/s, 4:00 left",
    ]
    progress.begin("games", 1_000)
    for seconds in (160, 165, 175):  # the first after a hundred seconds
        now[0] = seconds
        progress.at(2)
        progress.tell_when_due()
    assert lines[-2:] == ["games: 2 of 1,000 (0%), 1:45 so far", "games: 2 of 1,000 (0%), 58 s each, 15:56:25 left"]


def test_what_stands_still_is_told_of_less_and_less_often() -> None:
    now, lines = [0.0], []
    progress = Lines(lines.append, every=10, clock=lambda: now[0])
    progress.begin("games", 2)
    for _ in range(100):
        now[0] += 1
        progress.at(0)
    now[0] += 10
    progress.at(1)
    assert lines == [
        "games: 0 of 2 (0%)",
        "games: 0 of 2 (0%), 0:10 so far",
        "games: 0 of 2 (0%), 0:30 so far",
        "games: 0 of 2 (0%), 1:10 so far",
        "games: 1 of 2 (50%), 110 s each, 1:50 left",
    ]


def test_lines_come_also_while_a_step_takes_long() -> None:
    lines: list[str] = []
    third, now = Event(), count(0, 100)

    def write(line: str) -> None:
        lines.append(line)
        if len(lines) == 3:
            third.set()

    with Lines(write, clock=lambda: next(now)) as progress:
        progress.begin("final games", 1_200)
        assert third.wait(300), "no lines come"
        progress.end()
        told = len(lines)
        progress.tell_when_due()
    assert lines[1].startswith("final games: 0 of 1,200 (0%), ") and lines[-1].startswith("final games: 1,200 of 1,200")
    assert len(lines) == told, "what is done is not told of again"


def test_nothing_done_yet_is_no_division() -> None:
    now, lines = [0.0], []
    progress = Lines(lines.append, clock=lambda: now[0])
    progress.begin("self-play", 0)
    now[0] = 4_000
    progress.at(0)
    progress.end()
    assert lines == ["self-play: 0 of 0", "self-play: 0 of 0, 1:06:40 so far", "self-play: 0 of 0 in 1:06:40"]


def test_a_terminal_gets_a_bar_and_a_pipe_gets_lines() -> None:
    for terminal in (True, False):
        console = Console(file=io.StringIO(), force_terminal=terminal, width=100)
        with progress_on(console) as progress:
            progress.begin("warm start", 10)
            progress.at(5, "halfway")
            with progress.aside("measuring", 2) as step:
                step()
            progress.tell("a line [in brackets]")
            progress.end()
        text = console.file.getvalue()
        assert "warm start" in text and "100%" in text and "a line [in brackets]" in text
        assert ("━" in text) == terminal and ("\x1b" in text) == terminal


def terminal() -> tuple[Progress, io.StringIO]:
    written = io.StringIO()
    return progress_on(Console(file=written, force_terminal=True, width=120)), written


def test_while_a_bar_is_away_the_terminal_is_anothers() -> None:
    """Two that redraw themselves on one terminal overwrite each other's lines."""
    progress, written = terminal()
    with progress:
        progress.begin("first", 1)
        progress.end()
        with progress.away():
            drawn = written.tell()
            progress.begin("meanwhile", 1)  # nobody does so; it would be drawn at once
            assert written.tell() == drawn
            with Bar(Console(file=written, force_terminal=True, width=120)) as other:
                other.begin("inner", 1)
                other.end()
            drawn = written.tell()
        progress.begin("later", 1)
        progress.end()
    after = written.getvalue()[drawn:]
    assert "later" in after and "first" not in after and "meanwhile" not in after
    assert "\x1b[1A" not in after.partition("later")[0], "no line above is overwritten"


def test_bars_of_later_work_are_right_when_something_was_done_aside() -> None:
    progress, written = terminal()
    with progress:
        for what in ("self-play", "final games"):
            progress.begin(what, 8)
            with progress.aside("measuring", 2) as step:
                step()
            progress.at(4, "half of it")
            progress.end()
    assert written.getvalue().rstrip("\n").count("100%") >= 2 and "final games" in written.getvalue()


def test_bars_of_much_work_leave_the_one_in_hand_on_the_screen() -> None:
    progress, written = terminal()
    with progress:
        for number in range(50):
            progress.begin(f"cell {number}", 2)
            progress.end()
    last_picture = written.getvalue().rpartition("\x1b[2K")[2]
    assert re.findall(r"cell \d+", last_picture) == [f"cell {number}" for number in (46, 47, 48, 49)]


def test_a_line_is_printed_as_it_is() -> None:
    progress, written = terminal()
    with progress:
        progress.tell("scripted:link: 3 of 4 [bold]")
    assert "scripted:link: 3 of 4 [bold]" in written.getvalue()


class Heard(Progress):
    """Notes what it is told, and when it has begun."""

    def __init__(self) -> None:
        self.said: list[tuple] = []
        self.begun, self.left = Event(), False

    def begin(self, what: str, total: int, done: int = 0, note: str = "") -> None:
        self.said.append((what, total, done, note))
        self.begun.set()

    def at(self, done: int, note: str | None = None) -> None:
        self.said.append((done, note))

    def end(self) -> None:
        self.said.append(("end",))

    def __exit__(self, *_: object) -> None:
        self.left = True


def test_of_what_is_soon_done_nothing_is_said_but_a_line_that_somebody_should_read() -> None:
    written: list[str] = []
    with Late(Lines(written.append), after=3600) as late:
        late.begin("games", 4)
        late.at(2)
        late.tell("one game was lost")
        late.end()
    assert written == ["one game was lost"]


def test_what_takes_longer_is_told_from_where_it_is() -> None:
    heard = Heard()
    with Late(heard, after=0.05) as late:
        late.begin("games", 4, note="first")
        late.at(1)
        late.at(2, "second")
        assert heard.begun.wait(60)
        from_begin, from_first = [("games", 4, 0, "first"), (1, None)], [("games", 4, 1, "first")]
        assert heard.said in ([*from_begin, (2, "second")], [*from_first, (2, "second")], [("games", 4, 2, "second")])
        heard.said.clear()
        late.at(3)
        late.end()
        late.begin("bytes", 7)
    assert heard.said == [(3, None), ("end",), ("bytes", 7, 0, "")] and heard.left


def test_work_that_begins_late_is_told_at_once() -> None:
    heard = Heard()
    late = Late(heard, after=0)
    with late:
        late._timer.join()
        assert heard.said == []
        late.begin("games", 4)
        assert heard.said == [("games", 4, 0, "")]


def test_on_a_narrow_terminal_a_bar_says_all_that_it_says_on_a_wide_one() -> None:
    note = "100% against random (0% among it), 97% against scripted:link (5% among it), 93% against greedy (8% among it)"
    shown = io.StringIO()
    with Bar(Console(width=80, force_terminal=True, color_system=None, file=shown)) as bar:
        bar.begin("self-play", 7_000_000, 0, note)
        bar.at(3_010_000)
    last = shown.getvalue()[shown.getvalue().rindex("self-play") :]
    words = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|[━╺╸]", " ", last).split()
    assert words[:2] == ["self-play", "43%"] and words[-18:] == note.split()
