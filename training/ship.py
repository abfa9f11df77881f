"""Makes the model of a run one of those that come with the project: `python -m hansa_training.ship RUN`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from hansa_agents.networks import FOLDER, SUFFIX, stem
from hansa_env import Ruleset
from hansa_env.formats.files import write_whole
from hansa_env.ruleset_options import words_of
from hansa_training.job import RESULT
from hansa_training.model_card import front_matter
from hansa_training.model_file import MODEL
from hansa_training.plan import Plan


def card(result: dict[str, Any], data: bytes, took: str, made: str = "") -> str:
    """What a model is, in Markdown, from a run's result, how long it took, and by what it was made if not by its config."""
    plan = Plan(**result["plan"])
    lines = [
        *front_matter(plan, result["final"]),
        f"# A trained agent for {f'{plan.players} players' if is_standard(plan) else plan.ruleset}",
        "",
        f"Spec `ppo`, ruleset `{plan.ruleset.config}`, network `{plan.network}`, {len(data) / 1e6:.1f} MB of weights. "
        f"It plays the likeliest action; `ppo::sample` draws from its policy.",
        "",
        f"Made by {made or f'`hansa train --config {config_of(plan)} --folder RUN`'} and `python -m hansa_training.ship "
        f"RUN`: {plan.warm_start:,} decisions of imitation, {result['curve'][-1]['decisions']:,} of self-play, {took}.",
        "",
        "| among | actions | games | win share | 95 % interval | chance | mean score |",
        "|---|---|--:|--:|--:|--:|--:|",
    ]
    for line in result["final"]:
        lines.append(
            f"| {_others(line, plan)} | {line['actions']} | {line['games']} | {line['share']:.1%} | {line['low']:.1%}–"
            f"{line['high']:.1%} | {1 / plan.players:.1%} | {line['mean_score']:.1f} |"
        )
    if result.get("among it"):
        lines += ["", "| one among copies of it | games | its win share | 95 % interval | chance |", "|---|--:|--:|--:|--:|"]
    for line in result.get("among it", []):
        lines.append(
            f"| `{line['opponent']}` | {line['games']} | {line['share']:.1%} | {line['low']:.1%}–"
            f"{line['high']:.1%} | {1 / plan.players:.1%} |"
        )
    met = ", ".join(f"`{spec}`" for spec in [*plan.met, *plan.in_turns])
    itself = "copies of itself" if plan.from_frozen else "itself"
    lines += ["", f"In training it met {met} and {itself}. Seats were rotated; a model file runs no code.", ""]
    return "\n".join(lines)


def _others(line: dict[str, Any], plan: Plan) -> str:
    return f"{plan.players - 1} `{line['opponent']}`"


def is_standard(plan: Plan) -> bool:
    """Whether a plan is for the game that its number of players has by default."""
    return plan.ruleset == Ruleset(plan.players)


def config_of(plan: Plan) -> str:
    """The configuration of a plan, with the options that say for which game."""
    if is_standard(plan):
        return {2: "two", 3: "three", 4: "four", 5: "five"}[plan.players]
    return f"board {words_of(plan.ruleset)}{f' --start {plan.start}' if plan.start else ''}"


def main(
    run: Annotated[Path, typer.Argument(help="folder of a run that is done")],
    took: Annotated[str, typer.Option(help="how long the run took, on what")] = "minutes on two cores",
    made: Annotated[str, typer.Option(help="the commands that made it, if others than its config")] = "",
) -> None:
    """Copy the run's model and write its card."""
    data = (run / MODEL).read_bytes()
    result = json.loads((run / RESULT).read_text("utf-8"))
    plan = Plan(**result["plan"])
    if plan.rulesets:
        raise typer.BadParameter(f"{run} is of several rulesets; expected a run for one")
    place = Path(str(FOLDER)) / stem(plan.ruleset)
    write_whole(place.with_name(place.name + SUFFIX), data)
    write_whole(place.with_name(f"{place.name}.md"), card(result, data, took, made).encode())
    typer.echo(f"{place}.safetensors and its card are written")


if __name__ == "__main__":
    typer.run(main)
