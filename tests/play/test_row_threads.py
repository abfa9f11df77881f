"""Threads that share rows."""

from __future__ import annotations

from threading import Event

import pytest

from hansa_env.play.row_threads import RowThreads


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_where_the_callers_own_part_raises_the_other_parts_have_ended(error: type[BaseException]) -> None:
    begun, go_on = Event(), Event()
    ended = []

    def work(start: int, stop: int) -> None:
        if start == 0:
            begun.wait(60)
            go_on.set()
            raise error
        begun.set()
        go_on.wait(60)
        ended.append(sum(range(2_000_000)))

    with pytest.raises(error):
        RowThreads(2).run(work, 10)
    assert len(ended) == 1


def test_the_parts_make_up_all_rows() -> None:
    seen: list[int] = []

    def work(rows: list[int], start: int, stop: int) -> int:
        seen.extend(rows[start:stop])
        return stop - start

    assert RowThreads(3).run(work, 10, list(range(10))) == 10 and sorted(seen) == list(range(10))
