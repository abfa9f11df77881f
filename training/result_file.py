"""What a run leaves for others to read, checked: the points of its learning curve, and its result."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, FiniteFloat, model_validator

from hansa_env.formats.explain import checked
from hansa_env.formats.fields import LongSpec, Players, Share, Strictly
from hansa_env.formats.file_reading import read_at_most
from hansa_env.formats.json_text import parse_json
from hansa_training.errors import RunError
from hansa_training.plan_file import with_usual

#: Bytes of a result, or of a curve; those of a run of a thousand points are a tenth of it.
LARGEST = 2**26
#: An agent by spec, perhaps with a ruleset.
_Name = LongSpec
#: Of points, and of ends of games.
_Kind = Annotated[str, Field(min_length=1, max_length=40, pattern="^[a-z_]+$")]
#: What is measured of an opponent beside the share of the win.
_MORE = ("score", "scores", "ends", "turns", "among it")


class _Stand(Strictly):
    """Where a run stood at a point of its curve."""

    decisions: Annotated[int, Field(ge=0, le=2**53)]
    figures: dict[_Name, float]


class _Measured(Strictly):
    """What was measured of an opponent there."""

    share: Share
    score: FiniteFloat
    scores: Annotated[dict[_Kind, FiniteFloat], Field(min_length=2)]
    ends: dict[_Kind, Share]
    turns: FiniteFloat
    among_it: Share = Field(0.0, alias="among it")


class _Point(Strictly):
    """A point, which in its file is one object (`hansa_training.measure.curve_point`)."""

    point: _Stand
    measured: dict[_Name, _Measured]

    @model_validator(mode="before")
    @classmethod
    def _by_opponent(cls, data: object) -> object:
        if not isinstance(data, dict):
            return data
        point, measured = dict(data), {}
        for opponent in [name.removesuffix(" scores") for name in data if name.endswith(" scores")]:
            keys = {"share": opponent} | {what: f"{opponent} {what}" for what in _MORE}
            measured[opponent] = {what: point.pop(key) for what, key in keys.items() if key in point}
        return {"point": point, "measured": measured}


class _Line(Strictly):
    """How one agent did among copies of another; of several rulesets, on which."""

    opponent: _Name
    games: Annotated[int, Field(ge=1, le=2**53)]
    share: Share
    low: Share
    high: Share
    ruleset: _Name = ""
    players: Players = 2


class _Final(_Line):
    actions: Literal["likeliest", "sampled"]
    mean_score: FiniteFloat
    mean_rank: FiniteFloat
    scores: dict[_Kind, FiniteFloat]
    ends: dict[_Kind, Share]
    turns: FiniteFloat


class _Result(Strictly):
    plan: dict[str, Any]
    curve: Annotated[list[_Point], Field(min_length=1)]
    final: Annotated[list[_Final], Field(min_length=1)]
    among_it: list[_Line] = Field(alias="among it")


def read_result(path: Path) -> dict[str, Any]:
    """The result in a file: "plan", which is not checked, "curve", "final" and "among it", as `Job` writes them.

    The plan has the usual values of the options that were not there when an earlier version wrote it.

    Raises:
        RunError: it cannot be read, or is something else.
    """
    try:
        result = parse_json(read_at_most(path, LARGEST), "result", nan=True)
        checked(_Result, result)
    except OSError as error:
        raise RunError(f"{path}: cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise RunError(f"{path}: is not what `hansa train` writes ({error})") from error
    return result | {"plan": with_usual(result["plan"])}


def check_points(points: Any) -> list[dict[str, Any]]:
    """The points of a curve, if they are some. Raises ValueError."""
    if not isinstance(points, list):
        raise ValueError("the points of a curve are no list")
    return [check_point(point) for point in points]


def check_point(point: Any) -> dict[str, Any]:
    """A point of a curve, if it is one. Raises ValueError."""
    checked(_Point, point)
    return point
