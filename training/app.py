"""The main job from the command line: `hansa train`, `python -m hansa_training`."""

from __future__ import annotations

import inspect
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

import typer

from hansa_env.commands.options import refusing
from hansa_env.commands.output import one_line_errors, print_line
from hansa_env.formats.outputs import check_folder
from hansa_env.start import INTERRUPTED, loading
from hansa_training.configs import config_names
from hansa_training.errors import PlanError
from hansa_training.plan import Plan
from hansa_training.plan_file import RENAMED, make_plan
from hansa_training.plan_texts import choices, described, expected, flags, metavar, option

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

FOLDER = Path("runs/ppo")


def train(
    folder: Path, resume: bool, config: Path | None, ray: str | None, workers: int | None, **options: str | bool | None
) -> None:  # fmt: skip
    """Train an agent by self-play with PPO, then measure it.

    Options come from the command line, from the file given by --config, or else are the defaults; they are kept in the
    run's folder as plan.toml. --resume continues a run as if it had never stopped.
    """
    with one_line_errors(), ExitStack() as start:
        start.enter_context(loading("hansa train"))
        check_folder("--folder", folder)
        given = {name: str(value) for name, value in options.items() if value is not None}
        if workers is not None and ray is None:
            raise PlanError(f"--workers is {workers} without --ray; expected the address of a Ray cluster too: --ray local "
                            "starts one on this machine")  # fmt: skip
        if not (resume or config):
            make_plan(options=given)  # an option that is wrong need not wait for PyTorch

        from hansa_training.begin import show_finished
        from hansa_training.begin import train as run
        from hansa_training.ranks import by_torchrun
        from hansa_training.run_folder import PLAN
        from hansa_training.standing import how_to_go_on, stand_of

        if ray is not None:
            from hansa_training.on_ray import train_on_ray

        start.close()
        if resume and show_finished(folder, config, given):
            return
        try:
            if ray is not None:
                train_on_ray(ray, workers, folder, resume, config, given)
            else:
                run(folder, resume, config, given)
        except KeyboardInterrupt:
            if not (folder / PLAN).exists():
                unsure = by_torchrun()  # the folder may be on another machine
                print_line("stopped" if unsure else "stopped: nothing was begun; give the same command again")
                raise typer.Exit(INTERRUPTED) from None
            kept = stand_of(folder) or "no checkpoint yet"
            places = "".join([f" --ray {ray}" * (ray is not None), f" --workers {workers}" * (workers is not None)])
            said = f"stopped, kept: {kept}; go on with: {how_to_go_on(folder)}{places}"
            print_line(said)
            raise typer.Exit(INTERRUPTED) from None


def _parameter(name: str, default: Any, annotation: Any, *option: Any, **settings: Any) -> inspect.Parameter:
    annotated = Annotated[annotation, typer.Option(*option, **settings)]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotated)


def _signature() -> inspect.Signature:
    """The command's parameters: where the run is, and every option of a plan."""
    parameters = [
        _parameter("folder", FOLDER, Path, help="folder to keep the run in"),
        _parameter("resume", False, bool, "--resume", help="go on with the run in the folder"),
        _parameter("config", None, Path | None, help=f"TOML file of the plan's options, or {', '.join(config_names())}"),
        _parameter("ray", None, str | None, "--ray", metavar="ADDRESS",
                   help="let workers of a Ray cluster share the run; auto: the one on this machine, local: a new one"),
        _parameter("workers", None, int | None, "--workers", metavar="WHOLE", min=1, show_default=False,
                   help="workers to use; results do not depend on their number [default: as many as CPUs allow]"),
    ]  # fmt: skip
    for name, field in Plan.model_fields.items():
        default = "" if field.default is None or field.default is False else f" [default: {field.default}]"
        listed = f"; {expected(name)}" if choices(name) and metavar(name) == "TEXT" else ""
        help_text = f"{described(name)}{listed}{default}".replace("[", r"\[")
        if field.annotation is bool:
            flag = f"{option(name)}/--no-{option(name)[2:]}"
            parameters.append(_parameter(name, None, bool | None, flag, help=help_text, show_default=False))
            continue
        text = {"metavar": metavar(name), "help": help_text, "show_default": False}
        parameters.append(_parameter(name, None, str | None, *flags(name), **text))
    return inspect.Signature(parameters)


signature = _signature()
train.__signature__ = signature  # type: ignore[attr-defined]
train.__annotations__ = {name: parameter.annotation for name, parameter in signature.parameters.items()}
train.renamed = {option(old): option(new) for old, new in RENAMED.items()}  # type: ignore[attr-defined]
app.command(cls=refusing(train.renamed))(train)  # type: ignore[attr-defined]
