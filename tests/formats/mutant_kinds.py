"""The kinds of files that are made wrong: positions, records, results and plans, and a list of all, with those of the modules
`mutant_...` beside this one."""

from __future__ import annotations

import json
import random
import tempfile
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from hansa_agents.arena import Faults, Keep, play_game, play_match
from hansa_agents.results_file import ResultsError, read_lines
from hansa_env import Game, Ruleset
from hansa_env.commands.records import read_json, read_record
from hansa_env.formats import PositionError, read_position_data, read_record_data
from hansa_env.formats.errors import shown
from hansa_env.formats.file_reading import LARGEST_RECORD, read_text_at_most
from tests.formats import mutate
from tests.formats.mutants import Kind, TakenWrongly, bytes_changed, json_mutant, same
from tests.formats.samples import KINDS


def all_kinds() -> list[Kind]:
    """Every kind that the installed extras can read."""
    from tests.formats.mutant_datasets import DATASETS
    from tests.formats.mutant_lines import OPENINGS, PUZZLES, ROWS
    from tests.formats.mutant_styles import STYLES

    kinds = [POSITIONS, RECORDS, RESULTS, DATASETS, PUZZLES, OPENINGS, ROWS, STYLES]
    try:
        from tests.formats.mutant_store import GAMES

        kinds.append(GAMES)
    except ImportError:  # without the extra 'table'
        pass
    try:
        from tests.formats.mutant_archives import ARCHIVES
        from tests.formats.mutant_checkpoints import CHECKPOINTS
        from tests.formats.mutant_models import MODELS, SEARCHES
        from tests.formats.mutant_runs import CURVES, RUN_RESULTS
    except ImportError:  # without the extra 'train'
        return kinds
    kinds += [plans(), MODELS, SEARCHES, CHECKPOINTS, RUN_RESULTS, CURVES, ARCHIVES]
    try:
        from tests.formats.mutant_graphs import GRAPHS
    except ImportError:  # without the extra 'onnx'
        return kinds
    return [*kinds, GRAPHS]


def _read_otherwise(twice: bool, written: object, found: object) -> None:
    if twice:
        raise TakenWrongly("a field stands twice")
    if not same(written, found):
        raise TakenWrongly("it was read otherwise than it is written")


# Positions


@cache
def _positions() -> list[str]:
    """Positions of games of all kinds, some decisions apart."""
    choose, found = random.Random(1), []
    for ruleset in KINDS.values():
        game = Game(ruleset, 3)
        while not game.over and len(game.decisions) < 200:
            game.play(choose.choice(game.legal()))
            if len(game.decisions) % 10 == 0:
                position = game.position()
                del position["legal"]
                found.append(json.dumps(position))
    return found


def _read_position(path: Path, twice: bool) -> None:
    text = path.read_text("utf-8", "surrogateescape")
    found = read_position_data(text)[1]
    _read_otherwise(twice, json.loads(text), found.model_dump(mode="json", exclude_unset=True))
    game, choose = Game.from_position(text), random.Random(0)
    for _ in range(5):  # the engine can go on from it
        if not game.over:
            game.play(choose.choice(game.legal()))


POSITIONS = Kind(
    "positions", ".json", (PositionError,), json_mutant(lambda choose: json.loads(choose.choice(_positions()))), _read_position,
    lambda: (_positions()[0].encode(), False),
)  # fmt: skip

# Records


@cache
def _records() -> list[str]:
    """Records of games that were cut off, with and without estimates."""
    found = []
    for seed, ruleset in enumerate(KINDS.values()):
        game = play_game(["random"], ruleset, seed, max_turns=4, estimates=seed % 2 == 0)
        found.append(json.dumps(game.record()))
    return found


def _read_record(path: Path, twice: bool) -> None:
    game = read_record(path)
    data = read_json(path)
    _read_otherwise(twice, data, read_record_data(data)[1].model_dump(mode="json", exclude_unset=True))
    if not same(data["decisions"], game.decisions):
        raise TakenWrongly("the decisions that were played are others")


RECORDS = Kind(
    "records", ".json", (ValueError,), json_mutant(lambda choose: json.loads(choose.choice(_records()))), _read_record,
    lambda: (_records()[0].encode(), False),
)  # fmt: skip

# Results


@cache
def _lines() -> list[str]:
    """Lines of results files: of games that ended, were cut off, were forfeited."""
    with tempfile.TemporaryDirectory() as folder:
        found: list[str] = []
        for number, (ruleset, turns) in enumerate([(Ruleset(2), 100), (Ruleset(3), 6), (KINDS["east"], 6)]):
            file = Path(folder) / f"{number}.jsonl"
            specs = ["random", "greedy"] if number else ["tests.agents.faulty:Raises", "greedy"]
            play_match(specs, ruleset, 4, max_turns=turns, faults=Faults("forfeit"), keep=Keep(results=file))
            found += file.read_text().splitlines()
        return found


def _read_results(path: Path, twice: bool) -> None:
    found = [line.model_dump(mode="json", exclude_unset=True) for line in read_lines(path)]
    lines = [line for line in path.read_bytes().split(b"\n") if line]
    if len(found) < len(lines):
        lines = lines[: len(found)]  # the last one was torn off
    _read_otherwise(twice and bool(found), [json.loads(line) for line in lines], found)
    for line in found:
        totals = [row["total"] for row in line["scores"]]
        if line["forfeit"] is None and totals[line["ranks"].index(0)] != max(totals):
            raise TakenWrongly("the first has not the most points")


RESULTS = Kind(
    "results", ".jsonl", (ResultsError,), json_mutant(lambda choose: json.loads(choose.choice(_lines())), b"\n"), _read_results,
    lambda: ("\n".join(_lines()[:4]).encode(), False),
)  # fmt: skip

# Plans


def plans() -> Kind:
    """Plans of runs, which need the extra 'train'."""
    from hansa_training.errors import PlanError
    from hansa_training.plan import Plan
    from hansa_training.plan_file import make_plan
    from hansa_training.plan_texts import toml_of
    from tests.training.tiny import TINY

    text = toml_of(make_plan(options=TINY))
    values = tomllib.loads(text)

    def make(choose: random.Random) -> tuple[str, bytes, None]:
        if choose.random() < 0.3:
            return *bytes_changed(text.encode(), choose), None
        data = dict(values)
        what = []
        for _ in range(choose.choice((1, 1, 1, 2))):
            name = choose.choice([*Plan.model_fields, "atlantis"])
            more = 10**9, 2**16, "gift:Bot", "ppo:x.zip:trust", "ppo:/dev/null", "moon"
            value: Any = choose.choice((*mutate.STRANGE[1:], *more))
            if name in data and choose.random() < 0.3 and type(data[name]) in (int, float):
                value = data[name] * choose.choice((-1, 0, 1000, 10**9)) + choose.choice((-1, 0, 1))
            data[name] = value
            what.append(f"{name} = {shown(value)}")
        lines = [f"{name} = {_toml(value)}" for name, value in data.items()]
        return " and ".join(what), "\n".join(lines).encode("utf-8", "surrogatepass"), None

    def read(path: Path, _: None) -> None:
        plan = make_plan(file=path)
        for name, value in tomllib.loads(read_text_at_most(path, LARGEST_RECORD)).items():
            if not same(value, getattr(plan, name)):
                raise TakenWrongly(f"{name} is {value!r:.40}, but {getattr(plan, name)!r:.40} was taken")
        if max(plan.envs * plan.rollout, plan.teacher_games * plan.teacher_ticks) > 2**22 or "gift" in toml_of(plan):
            raise TakenWrongly("it asks for more memory than there is, or for code")

    return Kind("plans", ".toml", (PlanError,), make, read, lambda: (text.encode(), None))


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(name)} = {_toml(one)}" for name, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 10**4000:
        return "1" * 6000
    return {"NaN": "nan", "Infinity": "inf"}.get(json.dumps(value), json.dumps(value))
