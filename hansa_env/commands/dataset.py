"""The command `hansa dataset`."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hansa_env.commands.options import records_at
from hansa_env.commands.output import one_line_errors
from hansa_env.commands.progress import Progress, progress_on
from hansa_env.commands.records import read_text
from hansa_env.formats.file_writing import Together, naming
from hansa_env.formats.outputs import ARRAYS, TEXTS, check_outputs
from hansa_env.render.words import number_of
from hansa_env.start import loading

if TYPE_CHECKING:
    from hansa_env.play.dataset import Dataset
    from hansa_env.ruleset import Ruleset


def dataset(
    records: Annotated[list[Path], typer.Argument(help="records (.json), or folders of them")],
    out: Annotated[Path, typer.Option("--out", "-o", help="file to write (.npz)")] = Path("dataset.npz"),
    games: Annotated[
        int, typer.Option(min=1, help="games per file; if there are more, several files are written, numbered from 0")
    ] = 2000,
    ask: Annotated[
        list[str] | None,
        typer.Option(
            help="add policy and value of this agent at each of its decisions; NAME=SPEC where records name it otherwise"
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(min=0, help="of the first agent asked; each further one has one more, as agents of a match have")
    ] = 0,
    minari_id: Annotated[
        str | None, typer.Option("--minari", metavar="ID", help="write a Minari dataset too, such as hansa/mine-v0")
    ] = None,
    texts: Annotated[
        Path | None, typer.Option(help="write every decision in words too, one line of JSON each, into this file")
    ] = None,
) -> None:
    """Turn records into arrays: what every seat saw at every decision, what it chose, and what the game came to."""
    with one_line_errors(), loading("hansa dataset"):
        from hansa_env.play.dataset import asked_agents, dataset_of

        if minari_id is not None:
            from hansa_env.api.minari import check_dataset_id, parts_to_minari

            check_dataset_id(minari_id)
        files = records_at(records)
    with one_line_errors(), progress_on() as progress:
        parts = [files[first : first + games] for first in range(0, len(files), games)]
        places = [_name(out, number, len(parts)) for number in range(len(parts))]
        option = "--out" if len(parts) == 1 else "--out, file {} of it,"
        arrays = {option.format(number): (ARRAYS, place) for number, place in enumerate(places)}
        check_outputs({**arrays, "--texts": (TEXTS, texts)}, files)
        ruleset, played = _read_all(files, progress)
        names = sorted(set().union(*played))
        asked = asked_agents(_by_name(ask or [], names), names, ruleset, seed)
        decisions = 0
        with Together() as together, ExitStack() as open_files:
            lines = None
            if texts is not None:
                lines = open_files.enter_context(together.beside(texts).open("w", encoding="utf-8"))
            progress.begin("games", len(files))
            for number, (part, place) in enumerate(zip(parts, places)):
                here = set().union(*played[number * games : (number + 1) * games])
                agents = {name: agent for name, agent in asked.items() if name in here}
                found = dataset_of(list(_texts(part)), [str(path) for path in part], agents)
                together.beside(place).write_bytes(found.file_bytes())
                if lines is not None and texts is not None:
                    with naming(texts):
                        lines.writelines(f"{json.dumps(line)}\n" for line in found.in_words())
                decisions += len(found.actions)
                progress.at((number + 1) * games)
            progress.end()
        if minari_id is not None:
            parts_to_minari(places, minari_id, algorithm_name=", ".join(names) or None)
    typer.echo(_about(found, decisions, len(files), out, len(parts)))


def _texts(files: Iterable[Path]) -> Iterator[str]:
    return (read_text(path) for path in files)  # all may be more than fits into memory


def _read_all(files: Sequence[Path], progress: Progress) -> tuple[Ruleset, list[frozenset[str]]]:
    """The ruleset of the records and who played in each, known before any is played again. Raises RecordError as `dataset_of`
    does of all of them; OSError."""
    from hansa_env.play.dataset import read_alike

    rulesets, played = [], []
    progress.begin("records read", len(files))
    for ruleset, record in read_alike(_texts(files), [str(path) for path in files]):
        rulesets.append(ruleset)
        played.append(frozenset(record.agents or ()))
        progress.at(len(played))
    progress.end()
    return rulesets[0], played


def _by_name(ask: list[str], names: Collection[str]) -> dict[str, str]:
    """Specs by the names that records have for them. Raises ValueError: a name is none of theirs."""
    from hansa_env.play.dataset import no_player

    found = {}
    for one in ask:
        name, _, spec = (one, "", one) if one in names else one.partition("=")
        if name not in names:
            raise ValueError(f"--ask {one}: {no_player(name, names)}; write NAME=SPEC to ask SPEC about NAME")
        found[name] = spec or name
    return found


def _name(out: Path, number: int, parts: int) -> Path:
    return out if parts == 1 else out.with_name(f"{out.stem}-{number}{out.suffix}")


def _about(found: Dataset, decisions: int, games: int, out: Path, parts: int) -> str:
    where = str(out) if parts == 1 else f"{_name(out, 0, parts)} .. {_name(out, parts - 1, parts).name}"
    return (
        f"{where}: {decisions:,} decisions of {number_of(games, 'game')} ({found.ruleset}): "
        f"observations of {found.observations.shape[1]} int8, masks of {found.action_masks.shape[1]}, actions, seats, scores, "
        "ranks"
    )
