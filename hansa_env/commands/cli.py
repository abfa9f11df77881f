"""The command `hansa`: a command of it is imported when it is called, or listed."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from importlib.metadata import EntryPoint
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from hansa_env.commands import options
from hansa_env.commands.ending import end_as_interrupted, ready_streams, told_in_one_place
from hansa_env.commands.output import one_line_errors, run
from hansa_env.installed import NotLoaded, entries, load
from hansa_env.renamed import called_now
from hansa_env.start import go_on, loading
from hansa_env.version import __version__

GROUP = "hansa_env.commands"
OWN = {
    "info": "hansa_env.commands.rulesets:info",
    "rulesets": "hansa_env.commands.rulesets:rulesets",
    "play": "hansa_env.commands.play:play",
    "replay": "hansa_env.commands.replay:replay",
    "analyse": "hansa_env.commands.analyse:analyse",
    "dataset": "hansa_env.commands.dataset:dataset",
    "picture": "hansa_env.commands.picture:picture",
    "view": "hansa_env.commands.view:view",
}
RENAMED = {"bench": "speed"}
ANYTHING = {"allow_extra_args": True, "ignore_unknown_options": True}


def _load(point: EntryPoint) -> Any:
    """What an entry point names: a function is a command, a `Typer` a group of them.

    A function may have an attribute `renamed`: the options that were called otherwise, as `options.refusing` takes them.
    """
    alone = typer.Typer()
    try:
        with loading(f"hansa {point.name}"):
            found = load(point)
    except NotLoaded as error:
        alone.command(point.name, context_settings=ANYTHING)(_unavailable(point.name, error))
    else:
        if isinstance(found, typer.Typer):
            alone.add_typer(found, name=point.name)
        else:
            alone.command(point.name, cls=options.refusing(getattr(found, "renamed", {})), help=_paragraphs(found))(found)
    return typer.main.get_group(alone).commands[point.name]


def _paragraphs(command: Callable[..., object]) -> str | None:
    """What a command's docstring says, a line to each paragraph, which the help breaks as the terminal needs."""
    said = inspect.getdoc(command)
    return said and re.sub(r"(?<!\n)\n(?!\n)", " ", said)


def _unavailable(name: str, error: NotLoaded) -> Callable[[], None]:
    def command() -> None:
        with one_line_errors():
            raise ValueError(f"hansa {name}: {error}")

    command.__doc__ = f"(not available: {error})"
    return command


class _Commands(TyperGroup):
    """Of this package and of installed ones, by name; those that nobody has asked for are entry points still."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        points = [*(EntryPoint(*own, GROUP) for own in OWN.items()), *entries(GROUP)]
        self.commands: dict[str, Any] = {point.name: point for point in points}

    def get_params(self, ctx: Any) -> list[Any]:
        return options.in_one_way(super().get_params(ctx), self.callback)

    def list_commands(self, ctx: Any) -> list[str]:
        return list(self.commands)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        found = self.commands.get(cmd_name)
        if found is None and cmd_name in RENAMED:
            ctx.fail(called_now("command", cmd_name, RENAMED[cmd_name]))
        if isinstance(found, EntryPoint):
            found = self.commands[cmd_name] = _load(found)
        return found

    def make_context(self, *given: Any, **named: Any) -> Any:
        with told_in_one_place():  # the help is printed here
            return super().make_context(*given, **named)

    def invoke(self, ctx: Any) -> Any:
        with told_in_one_place():
            return super().invoke(ctx)


app = typer.Typer(cls=_Commands, no_args_is_help=True, pretty_exceptions_enable=False)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"hansa-env {__version__}")
        raise typer.Exit


@app.callback()
def hansa(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="show the version and exit")
    ] = False,
) -> None:
    """Hansa Teutonica as a reinforcement-learning environment."""


def main() -> None:
    """The program `hansa`."""
    end_as_interrupted(_run)


def _run() -> None:
    go_on()
    ready_streams()
    run(app)


if __name__ == "__main__":
    main()
