"""The score-card: its figures, and when there is a headline."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from math import sqrt
from statistics import NormalDist

import numpy as np
import pytest

from hansa_agents.benchmark.card import Share, card_of, games_of_preview, mean_of, mean_of_worst, worst_of
from hansa_agents.benchmark.cells import CellGames
from hansa_agents.benchmark.row_file import published_numbers
from hansa_agents.benchmark.show import COLUMNS, as_data, as_latex, as_markdown, cells_of, leaderboard, print_card
from hansa_agents.benchmark.suite import AMONG, Cell
from hansa_agents.intervals import interval
from tests.agents.benchmark.played import SUITE, cells


def games_of(cell: Cell, count: int, won: float) -> CellGames:
    """Games of which whoever sits alone wins such a share, the first ones."""
    schedule, players = cell.schedule(count), cell.setting.game().players
    alone = np.array([[seat == (0 if cell.way == AMONG else 1) for seat in schedule.seats(number)] for number in range(count)])
    wins = np.arange(count) < round(won * count)
    totals = np.where(alone == wins[:, None], 40, 20)
    ranks = (totals[:, None, :] > totals[:, :, None]).sum(2)
    assert ranks.shape == (count, players)
    return CellGames(cell, ranks, totals, decisions=100 * count, seconds=0.2 * count)


def everything(count: int, won: float = 0.6, held: float = 0.1) -> list[CellGames]:
    return [games_of(cell, count, won if cell.way == AMONG else held) for cell in SUITE.cells()]


def test_a_share_is_that_of_who_sits_alone() -> None:
    by_key = {cell.key: cell for cell in SUITE.cells()}
    among = games_of(by_key["base-4/among/greedy"], 40, 0.75).share
    assert among.share == 0.75 and 0.38 < among.low < 0.58, "seven and a half of ten deals say less than 30 of 40 games"
    held = games_of(by_key["base-4/majority/greedy"], 40, 0.25).share
    assert held.share == 0.25
    pair = games_of(by_key["base-2/among/greedy"], 40, 1.0)
    assert pair.share.share == 1 and pair.share.low < 1 and pair.points == 40


def test_the_time_of_a_decision_is_the_mean_of_all_decisions() -> None:
    """As a majority an agent takes more of them in a game than alone."""
    among, majority = (games_of(cell, 40, 0.5) for cell in cells("base-4/among/greedy", "base-4/majority/greedy"))
    played = [replace(among, decisions=1000, seconds=10.0), replace(majority, decisions=3000, seconds=6.0)]
    shown = dict(zip(COLUMNS, cells_of(card_of("mine", SUITE, played))[0]))
    assert shown["ms"] == "4" and shown["games"] == "80"


def test_ties_share_the_win() -> None:
    cell = next(cell for cell in SUITE.cells() if cell.key == "base-3/among/greedy")
    games = CellGames(cell, np.array([[0, 0, 2]] * 3), np.array([[9, 9, 1]] * 3), 1, 1.0)
    assert games.share.share == pytest.approx((0.5 + 0.5 + 0) / 3), "it sits at each seat once"


def test_the_interval_of_a_mean_follows_from_its_parts() -> None:
    even = mean_of([Share(0.5, 0.4, 0.6), Share(0.7, 0.6, 0.8)])
    assert even.share == pytest.approx(0.6) and even.high - even.share == pytest.approx(sqrt(2) * 0.1 / 2)
    uneven = mean_of([Share(1.0, 0.9, 1.0), Share(1.0, 0.9, 1.0)])
    assert uneven.high == 1 and uneven.low == pytest.approx(1 - sqrt(2) * 0.1 / 2)


def test_the_interval_of_a_mean_holds_the_truth_as_often_as_it_says() -> None:
    """Of 400 draws of cells with known shares; a share near 1 among them, where the usual formula fails."""
    truth, rng, inside = (0.3, 0.6, 0.98), np.random.default_rng(1), 0
    for _ in range(400):
        found = []
        for share in truth:
            wins = (rng.random(120) < share).astype(float)
            found.append(Share(float(wins.mean()), *interval(wins, np.ones(120))))
        mean = mean_of(found)
        inside += mean.low <= sum(truth) / 3 <= mean.high
    assert 0.93 <= inside / 400 <= 0.98


def test_where_cells_share_their_luck_the_mean_is_as_uncertain_as_that_of_a_single_one() -> None:
    """Five cells that came to the same on each of 40 deals say no more than one of them."""
    wins = (np.random.default_rng(2).random(40) < 0.4).astype(float)
    one = Share(float(wins.mean()), *interval(wins, np.ones(40)))
    alike, apart = mean_of([one] * 5, [wins] * 5), mean_of([one] * 5)
    off = 2.0227 * wins.std(ddof=1) / sqrt(40)  # the 0.975 quantile of t with 39 degrees of freedom
    assert (alike.low, alike.high) == pytest.approx((one.share - off, one.share + off), abs=1e-3)
    assert apart.high - apart.low < 0.5 * (alike.high - alike.low)
    fewer = mean_of([one] * 5, [wins] * 4 + [wins[:39]])
    assert fewer.high - fewer.low == pytest.approx(alike.high - alike.low, rel=0.1), "one deal less in one of them"


def test_a_cell_whose_rotations_come_to_the_same_is_as_uncertain_as_its_deals() -> None:
    """Of 60 deals in three rotations each the agent wins all or none."""
    cell = next(cell for cell in SUITE.cells() if cell.key == "base-3/among/greedy")
    lucky = np.repeat(np.random.default_rng(4).random(60) < 0.5, 3)
    won = np.array([[seat == 0 for seat in cell.schedule(180).seats(number)] for number in range(180)]) == lucky[:, None]
    share = CellGames(cell, np.where(won, 0, 1 + lucky[:, None]), np.where(won, 40, 20), 1, 1.0).share
    games, deals = interval(lucky.astype(float), np.ones(180)), interval(lucky[::3].astype(float), np.ones(60))
    assert share.high - share.low > 1.6 * (games[1] - games[0])
    assert share.high - share.low == pytest.approx(deals[1] - deals[0], rel=0.05)


def test_shares_by_deal_are_those_of_its_rotations() -> None:
    cell = SUITE.cells()[0]
    games = games_of(cell, 60, 0.5)
    assert games.by_deal.mean() == pytest.approx(games.share.share)
    assert len(games.by_deal) == 60 / cell.setting.game().players


def test_the_worst_is_the_lowest_or_of_what_others_take_the_highest() -> None:
    shares = [Share(0.5, 0.35, 0.9), Share(0.6, 0.3, 0.7)]
    both_hold = NormalDist().inv_cdf(1 - 0.025 / 2) / 1.96
    assert worst_of(shares) == pytest.approx((0.5, 0.3, 0.6 + both_hold * 0.1), abs=1e-4)
    assert worst_of(shares, most=True) == pytest.approx((0.6, 0.5 - both_hold * 0.15, 0.9), abs=1e-4)
    assert worst_of(shares[:1]) == shares[0] == worst_of(shares[:1], most=True)
    assert worst_of([Share(0.95, 0.76, 0.99)] * 8).high == 1 and worst_of([Share(0.05, 0.01, 0.24)] * 8, most=True).low == 0


@pytest.mark.parametrize("between", [0, 0.01, 0.05])
def test_the_interval_of_a_worst_holds_the_truth_where_references_are_about_equally_hard(between: float) -> None:
    """That of each setting, and of the mean of the settings, which is low by luck in all of them."""
    rng, inside, whole = np.random.default_rng(3), [], []
    for _ in range(50):
        settings = []
        for _ in range(6):
            wins = rng.random((9, 1080)) < np.linspace(0.5, 0.5 + between, 9)[:, None]
            settings.append(worst_of([Share(float(one.mean()), *interval(one.astype(float), np.ones(1080))) for one in wins]))
        headline = mean_of_worst(settings)
        inside += [one.low <= 0.5 <= one.high for one in settings]
        whole.append(headline.low <= 0.5 <= headline.high)
    assert np.mean(inside) >= 0.95 and np.mean(whole) >= 0.95


def test_only_a_whole_row_has_a_headline() -> None:
    whole = card_of("it", SUITE, everything(SUITE.games))
    assert whole.label == "" and whole.mean is not None and whole.mean.share == pytest.approx(0.6)
    assert whole.worst is not None and whole.worst.share == pytest.approx(0.6) and not whole.preview
    assert [one.held.share for one in whole.settings if one.held] == [pytest.approx(0.1)] * 5
    short = everything(SUITE.games)
    short[-1] = games_of(short[-1].cell, SUITE.games - 4, 0.1)
    card = card_of("it", SUITE, short)
    assert card.mean is None and card.label == "partial, missing some of britannia-4" and card.settings[-1].missing == 1
    assert card_of("it", SUITE, [one for one in short if one.cell.setting.name != "base-2"]).missing == (
        "base-2",
        "britannia-4",
    )
    preview = card_of("it", SUITE, everything(SUITE.preview))
    assert preview.label == "preview" and preview.mean is None and preview.settings[0].mean is not None


def test_a_cell_without_a_published_game_is_a_preview_whatever_the_others_are() -> None:
    small, large = cells("base-5/among/greedy", "base-5/majority/greedy")
    for count, previews in ((95, True), (100, True), (105, False)):
        card = card_of("it", SUITE, [games_of(small, count, 0.5), games_of(large, SUITE.games, 0.5)])
        assert card.preview == previews and card.previews == (small.key,) * previews
        assert card.label.startswith("partial, missing ") and card.label.endswith("; 1 of its cells are previews") == previews
    assert card_of("it", SUITE, [games_of(small, 95, 0.5)]).label == "preview"
    for cell in SUITE.cells():
        assert published_numbers(cell, SUITE.published, games_of_preview(cell, SUITE) + 1)


def test_what_was_met_in_training_is_left_out_of_the_unseen() -> None:
    played = [
        games_of(cell, 60, 0.9 if cell.reference.spec == "greedy" else 0.3) for cell in SUITE.cells() if cell.way == AMONG
    ]
    card = card_of("it", SUITE, played, met=["greedy"])
    for one in card.settings:
        assert one.unseen is not None and one.unseen.share == pytest.approx(0.3)
        assert one.mean is not None and one.mean.share > 0.3
        assert [line.met for line in one.lines if line.reference == "greedy"] == [True]


def test_every_form_has_the_same_figures(capsys: pytest.CaptureFixture) -> None:
    response = {"base-3": Share(0.45, 0.4, 0.5)}
    card = card_of("my_bot & co", SUITE, everything(60), alone={"base-3": 12.34}, responses=response)
    print_card(card, details=True)
    printed, page, tex, data = capsys.readouterr().out, as_markdown(card), as_latex(card), as_data(card)
    for text in (printed, page):
        assert "60.0% (36.8%–79.4%)" in text, "twelve of twenty deals won"
        assert "45.0% (40.0%–50.0%)" in text and "12.3" in text
        assert (
            "not a whole row of hansa-bench/1, so without a headline: preview" in text and text.count("scripted:prestige") == 11
        )
    assert r"45.0\% (40.0\%--50.0\%)" in tex and tex.count(r"\\") == 9 and r"my_bot \& co" not in tex.splitlines()[1]
    assert json.loads(json.dumps(data))["settings"][1]["best_response"] == [0.45, 0.4, 0.5]
    assert data["mean"] is None and data["label"] == "preview" and len(data["settings"]) == 6


def test_every_form_says_whose_figures_they_are(capsys: pytest.CaptureFixture) -> None:
    """Of a majority the share is the reference's, and the points are the agent's."""
    among, majority = (games_of(cell, 60, 0.6) for cell in cells("base-3/among/greedy", "base-3/majority/greedy"))
    card = card_of("it", SUITE, [among, majority])
    print_card(card, details=True)
    printed, page, tex = capsys.readouterr().out, as_markdown(card), as_latex(card)
    for text in (printed, page):
        assert "its win share" in text and "agent's points" in text and "the reference against a majority of copies" in text
        rows = [[part for part in re.split(r"[ |]+", line) if part] for line in text.splitlines()]
        assert [row[4] for row in rows if row[:3] == ["base-3", "among", "greedy"]] == ["agent"]
        assert [row[4] for row in rows if row[:3] == ["base-3", "majority", "greedy"]] == ["reference"]
    above = tex.splitlines()[3]
    assert above.count("&") == 5 and "{3}{c}{win share of the agent}" in above and "{2}{c}{of an opponent}" in above
    assert tex.splitlines()[5].startswith("setting & chance & mean & worst & unseen & held & best response & ")


def test_whole_rows_lead_the_board_and_others_are_labelled() -> None:
    some = [games_of(cell, SUITE.games, 0.9) for cell in SUITE.cells() if cell.setting.name == "base-3"]
    cards = [
        card_of("preview", SUITE, everything(60, 0.99)), card_of("weak", SUITE, everything(SUITE.games, 0.2)),
        card_of("strong", SUITE, everything(SUITE.games, 0.8)),
        card_of("partial", SUITE, some),
    ]  # fmt: skip
    columns, rows = leaderboard(cards)
    assert [row[0] for row in rows] == ["`strong`", "`weak`", "`partial`", "`preview`"]
    by_column = [dict(zip(columns, row)) for row in rows]
    assert by_column[0]["mean"].startswith("80.0% ±") and by_column[0]["base-3"] == "80% / 80%"
    assert by_column[2]["mean"] == "" and by_column[2]["base-3"] == "90% / 90%" and by_column[2]["base-2"] == ""
    assert by_column[3]["base-3"] == "(98% / 98%)", "59 of 60 games of every cell"
    assert by_column[3]["what is missing"] == "preview"
