"""The learning curve: its file, one JSON object a line, and its picture."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from hansa_env.formats.file_reading import read_at_most
from hansa_env.formats.json_text import parse_json
from hansa_training.errors import RunError
from hansa_training.measure import meetings_of, yardstick_of
from hansa_training.result_file import LARGEST, check_point

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from hansa_training.plan import Plan


def curve_lines(points: list[dict]) -> str:
    """The file's text."""
    return "".join(json.dumps(point) + "\n" for point in points)


def read_curve(path: Path, tell: Callable[[str], None] | None = None) -> list[dict]:
    """The points in a file, none where there is no file; a torn last line is left out, and `tell` is given a line on it.

    Raises:
        RunError: another line is no point, or the file is larger than any curve.
    """
    if not path.exists():
        return []
    try:
        lines = read_at_most(path, LARGEST).splitlines(keepends=True)
    except ValueError as error:
        raise RunError(str(error)) from error
    points = []
    for number, line in enumerate(lines, 1):
        try:
            point = check_point(parse_json(line, "line", nan=True))
        except ValueError as error:
            if line.endswith(b"\n"):
                raise RunError(f"{path}: line {number} is no point of a learning curve ({error})") from error
            if tell:
                tell(f"{path}: the last line is torn and was dropped")
        else:
            points.append(point)
    return points


def picture(points: list[dict], plan: Plan) -> bytes:
    """What was learned, over decisions of self-play, as a PNG: win shares, points by category, lengths and ends of games,
    and how sure the policy and its value are. What no point has, such as an opponent that is new, is left out."""
    from matplotlib.figure import Figure  # half a second that a run needs at its end alone

    figure = Figure(figsize=(12, 8), dpi=110)  # without pyplot, whose backend is the caller's
    (shares, scores), (ends, training) = figure.subplots(2, 2)
    meetings, measured_more = meetings_of(plan), yardstick_of(plan)
    others, yardstick = measured_more.others, measured_more.name
    all_points, points = points, [point for point in points if f"{yardstick} scores" in point]
    decisions = [point["decisions"] for point in points]
    for one in meetings:
        measured = [(point["decisions"], 100 * point[one.name]) for point in all_points if one.name in point]  # they may change
        _draw(shares, measured, f"one among {one.others} {one.name}")
    for players in sorted({one.ruleset.players for one in meetings}):
        shares.axhline(100 / players, color="grey", linestyle=":", label=f"chance, {players} players")
    shares.set_title(f"win share, % ({plan.curve_games} games a point)")
    shares.set_ylim(-3, 103)

    categories = [name for name in points[0][f"{yardstick} scores"] if name != "total"] if points else []
    by_category = {name: [point[f"{yardstick} scores"].get(name, 0.0) for point in points] for name in categories}
    if points:
        scores.stackplot(decisions, *by_category.values(), labels=[name.replace("_", " ") for name in by_category], alpha=0.8)
    scores.set_title(f"own points by category, against {others} {yardstick}")

    kinds = sorted({kind for point in points for kind in point[f"{yardstick} ends"]})
    for kind in kinds:
        shares_of_kind = [100 * point[f"{yardstick} ends"].get(kind, 0.0) for point in points]
        ends.plot(decisions, shares_of_kind, "o-", label=f"ended by {kind}")
    ends.plot(decisions, [point[f"{yardstick} turns"] for point in points], "k--", label="turns a seat")
    ends.set_title(f"how games end against {others} {yardstick}, %, and after how many turns")
    ends.set_ylim(bottom=-3)

    for name, label in (("entropy", "entropy of the policy"), ("explained_variance", "explained variance of the value")):
        figures = [(point["decisions"], point["figures"].get(f"train/{name}")) for point in all_points]
        _draw(training, [(decision, value) for decision, value in figures if value is not None], label)
    training.set_title("learning")
    for axes in (shares, scores, ends, training):
        axes.xaxis.set_major_formatter(lambda value, _: f"{value / 1e6:g} M" if value >= 1e5 else f"{value:,.0f}")
        axes.grid(alpha=0.3)
        if axes.get_legend_handles_labels()[0]:
            axes.legend(loc="best", fontsize="small")
    figure.suptitle(
        f"Self-play, {plan.rulesets or f'{plan.players} players'}, over decisions of the learner's seats "
        f"(after {plan.warm_start:,} of warm start)"
    )
    figure.tight_layout()
    data = io.BytesIO()
    figure.savefig(data, format="png")
    return data.getvalue()


def _draw(axes: Axes, points: list[tuple[int, float]], label: str) -> None:
    """A line through points, if there are any."""
    if points:
        axes.plot(*zip(*points), "o-", label=label)
