"""Makes the model of a run one of those that come with the project: `python -m hansa_training.ship RUN`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from hansa_agents import Agent
from hansa_agents.networks import FOLDER, further, stem
from hansa_agents.networks.run_models import MODEL, milestone_file
from hansa_env import Ruleset
from hansa_env.commands.output import one_line_errors
from hansa_env.commands.progress import Progress, progress_on
from hansa_env.formats.file_writing import write_whole
from hansa_env.play.arguments import MAX_TURNS
from hansa_env.ruleset_options import words_of
from hansa_training.agent import load_player, player_of, weights_hash
from hansa_training.errors import RunError
from hansa_training.measure import FINAL_SEED, cells_of, final_games
from hansa_training.model_card import front_matter
from hansa_training.plan import Plan
from hansa_training.plan_file import check_specs, make_plan
from hansa_training.result_file import read_result
from hansa_training.run_folder import RESULT

#: An opponent that a card names in capitals: a network that stayed with whoever measured.
_ELSEWHERE = re.compile("ppo:[A-Z]")


def card(result: dict[str, Any], files: Sequence[bytes], hashes: Sequence[str], took: str, made: str = "") -> str:
    """What an agent of one or more models is, in Markdown.

    Args:
        result: of the run.
        files: of the models.
        hashes: of the models, as `model_hash` of their agents tells them.
        took: how long the run took, on what.
        made: by which commands, where the config of the run does not say.
    """
    plan = Plan(**result["plan"])
    lines = [
        *front_matter(plan, result["final"], result.get("among it", [])),
        f"# A trained agent for {f'{plan.players} players' if is_standard(plan) else plan.ruleset}",
        "",
        f"Spec `ppo`, ruleset `{plan.ruleset.config}`, {_networks(plan, files)} "
        f"It plays the likeliest action; `ppo::sample` draws from its policy. {told_hashes(hashes)}",
        "",
        f"Made by {made or f'`hansa train --config {config_of(plan)} --folder RUN`'} and `python -m hansa_training.ship "
        f"RUN`: {plan.warm_start:,} decisions of imitation, {result['curve'][-1]['decisions']:,} of self-play, {took}.",
        "",
        *measuring(plan, result),
        "| among | actions | games | win share | 95 % interval | chance | mean score |",
        "|---|---|--:|--:|--:|--:|--:|",
    ]
    for line in result["final"]:
        others = f"{plan.players - 1} `{line['opponent']}`"
        lines.append(_row(others, line["actions"], *cells_of(line, plan), f"{line['mean_score']:.1f}"))
    if result.get("among it"):
        lines += ["", "| one among copies of it | games | its win share | 95 % interval | chance |", "|---|--:|--:|--:|--:|"]
    lines += [_row(f"`{line['opponent']}`", *cells_of(line, plan)) for line in result.get("among it", [])]
    met = ", ".join(f"`{spec}`" for spec in [*plan.met, *plan.in_turns])
    itself = "copies of itself" if plan.from_frozen else "itself"
    lines += ["", f"In training it met {met} and {itself}. Seats were rotated; a model file runs no code.", ""]
    return "\n".join(lines)


def _networks(plan: Plan, files: Sequence[bytes]) -> str:
    size = f"{sum(map(len, files)) / 1e6:.1f} MB of weights."
    if len(files) == 1:
        return f"network `{plan.network}`, {size}"
    alone = f"`ppo:1` {'and' if len(files) == 2 else 'to'} `ppo:{len(files)}` are each of them alone"
    return f"{len(files)} networks `{plan.network}`, {size} It draws one of them for each seat of each game; {alone}."


def told_hashes(hashes: Sequence[str]) -> str:
    """The hashes of a card's models in a sentence."""
    if len(hashes) == 1:
        return f"The hash of its weights, by which result files and the benchmark know it, is `{hashes[0]}`."
    told = ", ".join(f"`{one}` of `ppo:{number}`" for number, one in enumerate(hashes, 1))
    return f"The hashes of their weights, by which result files know them: {told}."


def measuring(plan: Plan, result: dict[str, Any]) -> list[str]:
    """By which commands the lines of a card's tables come out again, and who is named in capitals there."""
    lines = [*result["final"], *result.get("among it", [])]
    if not lines:
        return []
    one = next((line for line in lines if line["opponent"] == "greedy"), lines[0])
    opponent, turns = one["opponent"], f" --max-turns {plan.max_turns}" if plan.max_turns != MAX_TURNS else ""
    rest = f"{words_of(plan.ruleset)}{turns} --games {one['games']} --seed {FINAL_SEED}"
    told = f"Measure it again: `hansa arena --hero ppo --field {opponent} {rest}` gives the line of `{opponent}` (likeliest)"
    if result.get("among it"):
        told += f" in the first table, `hansa arena --hero {opponent} --field ppo {rest}` that in the second"
    told += ". Other agents in its place give the other lines."
    if any(_ELSEWHERE.match(line["opponent"]) for line in lines):
        told += " Names in capitals are networks that do not come with the project."
    return [told, ""]


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def plan_of(result: dict[str, Any], path: Path, named: Sequence[str] = ()) -> Plan:
    """The plan in a result, whose agents may run code where they are named. Raises PlanError."""
    check_specs(result["plan"], path, named, "--agent")
    return make_plan(result["plan"])


def is_standard(plan: Plan) -> bool:
    """Whether a plan is for the game that its number of players has by default."""
    return plan.ruleset == Ruleset(plan.players)


def config_of(plan: Plan) -> str:
    """The configuration of a plan, with the options that say for which game."""
    if is_standard(plan):
        return {2: "two", 3: "three", 4: "four", 5: "five"}[plan.players]
    return f"board {words_of(plan.ruleset)}{f' --start {plan.start}' if plan.start else ''}"


class Models:
    """Model files that play as one agent, where `hansa_training.measure` expects a learner."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self.paths = paths

    def agent(self, ruleset: Ruleset | None = None, temperature: float = 0.0) -> Agent:
        """An agent that plays a ruleset by them."""
        assert ruleset is not None, "of which ruleset a model file is, measuring says"
        return player_of(ruleset, [load_player(path, ruleset) for path in self.paths], 0, temperature)


def measured(models: Sequence[Path], plan: Plan, among: str, games: int, progress: Progress) -> dict[str, Any]:
    """The final games of a plan anew, by models and among agents of one's choice, with the turn limit that all games have."""
    asked = {"eval_opponents": among or plan.eval_opponents, "final_games": games, "max_turns": MAX_TURNS}
    return final_games(Models(models), plan.model_copy(update=asked), progress)


def main(
    run: Annotated[Path, typer.Argument(help="folder of a finished run")],
    took: Annotated[str, typer.Option(help="how long the run took, on what")] = "minutes on two cores",
    made: Annotated[str, typer.Option(help="the commands that made it, if its config does not say; Markdown")] = "",
    milestone: Annotated[
        int, typer.Option(min=0, help="take the milestone after so many decisions; 0: the model at the end")
    ] = 0,
    among: Annotated[str, typer.Option(help="measure it again, among these agents (specs with spaces between them)")] = "",
    games: Annotated[int, typer.Option(min=3, help="games per figure, when it is measured again")] = 600,
    blend: Annotated[Path | None, typer.Option(help="take this model of `hansa blend` instead of the run's")] = None,
    beside: Annotated[
        list[Path] | None, typer.Option(help="a further model: the agent draws one of all for each seat of each game")
    ] = None,
    agent: Annotated[
        str, typer.Option(help="agents of the run's plan that may run code (specs with spaces between them)")
    ] = "",
) -> None:
    """Copy the run's model and write its card."""
    with one_line_errors():
        model = blend or (run / milestone_file(milestone) if milestone else run / MODEL)
        models = [model, *(beside or [])]
        files = [path.read_bytes() for path in models]
        result = read_result(run / RESULT)
        plan = plan_of(result, run / RESULT, agent.split())
        if plan.rulesets:
            raise RunError(f"{run} is of several rulesets ({plan.rulesets}); expected a run of one")
        if milestone or among or blend or beside:
            with progress_on() as progress:
                result |= measured(models, plan, among, games, progress)
            result["plan"] |= {"max_turns": MAX_TURNS}  # of the games that were just measured
        if milestone:
            result["curve"] = [{"decisions": milestone}]
        hashes = [weights_hash(load_player(path, plan.ruleset)) for path in models]
        place, name = Path(str(FOLDER)), stem(plan.ruleset)
        for number, data in enumerate(files, 1):
            write_whole(place / further(name, number), data)
        number = len(files) + 1
        while (left := place / further(name, number)).exists():  # of an agent that drew among more
            left.unlink()
            number += 1
        write_whole(place / f"{name}.md", card(result, files, hashes, took, made).encode())
    typer.echo(f"{place / name}.safetensors and its card are written")


if __name__ == "__main__":
    typer.run(main)
