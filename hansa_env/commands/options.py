"""Options and arguments that several commands share."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin

import typer
from rich.markup import escape
from typer.core import TyperCommand

from hansa_env.commands.output import naming_options, one_line_errors
from hansa_env.engine.state import MOST_TURNS
from hansa_env.renamed import called_now
from hansa_env.ruleset import Ruleset
from hansa_env.ruleset_options import OPTIONS, TRUTH, Option

DEFAULT = Ruleset()
#: The parameter by which Typer gives a command what was typed.
CONTEXT = "context"


def _declared(option: Option, default: bool = True) -> Any:
    """An option of a ruleset as Typer has it; `default`: whether its help names its default."""
    names = [option.flag, *[f"-{option.letter}"] * bool(option.letter)]
    words = "|".join(map(str, option.words))
    metavar = words if words and not option.is_switch and int not in option.types and option.name != "board" else None
    listed = f". One of {', '.join(option.choices)}" if option.name == "board" else ""
    return typer.Option(*names, metavar=metavar, help=escape(f"{option.description}{listed}"), show_default=default)


Players = Annotated[int, _declared(OPTIONS["players"])]
Edition = Annotated[str, _declared(OPTIONS["edition"])]
BoardName = Annotated[str | None, _declared(OPTIONS["board"])]
MaxTurns = Annotated[int, typer.Option(help="cut a game off after so many turns per seat; 0: never")]
Seed = Annotated[int, typer.Option(help="seed of the games and the agents")]


def refusing(renamed: Mapping[str, str], base: type = TyperCommand) -> Any:
    """The class of a command some of whose options had other names: each old one is refused in an error that names the new.

    An empty name of a file or folder is refused too; it would be taken for the current folder.

    Args:
        renamed: old to new, such as {"--width": "--ci-width"}.
        base: the class that it is like; a `TyperGroup` for a group of commands.
    """

    class Renaming(base):
        def get_params(self, ctx: Any) -> list[Any]:
            return in_one_way(super().get_params(ctx), self.callback)

        def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
            args = _with_plain_switches(self, args)
            for arg in args[: args.index("--")] if "--" in args else args:
                old = arg.partition("=")[0]
                if old in renamed:
                    raise typer.BadParameter(called_now("option", old, renamed[old]), ctx)
            self._refuse_empty(ctx, args)
            return super().parse_args(ctx, args)

        def invoke(self, ctx: Any) -> Any:
            options = {one.name: one.opts[0] for one in self.params if one.param_type_name == "option"}
            with naming_options(options):
                return super().invoke(ctx)

        def _refuse_empty(self, ctx: Any, args: list[str]) -> None:
            parameters = inspect.signature(self.callback, eval_str=True).parameters if self.callback else {}
            paths = {name for name, parameter in parameters.items() if "Path" in str(parameter.annotation)}
            options = {option for one in self.params if one.name in paths for option in one.opts}
            with_value = {option for one in self.params if not getattr(one, "is_flag", False) for option in one.opts}
            reads_files = any(one.name in paths and one.param_type_name == "argument" for one in self.params)
            for before, arg in zip(["", *args], args):
                option = arg[:-1] if arg.endswith("=") else before if not arg else ""
                if option in options:
                    raise typer.BadParameter(f"{option} is empty; expected a name", ctx)
                if reads_files and not arg and option not in with_value:
                    raise typer.BadParameter("a word is empty; expected a name", ctx)

    return Renaming


#: What stands for a value in a help.
_WORDS = {int: "WHOLE", float: "NUMBER", str: "TEXT", Path: "PATH"}


def in_one_way(parameters: list[Any], command: Callable[..., object] | None) -> list[Any]:
    """The parameters of a command whose values a help tells in the same words in all commands; of a switch, which has none,
    nothing."""
    declared = inspect.signature(command, eval_str=True).parameters if command else {}
    for one in parameters:
        if one.param_type_name == "option" and one.metavar is None:
            kinds = _types_in(declared[one.name].annotation) if one.name in declared else set()
            one.metavar = "" if one.is_flag else next((word for kind, word in _WORDS.items() if kind in kinds), None)
    return parameters


def _types_in(annotation: Any) -> set[Any]:
    """The types that an annotation is made of."""
    inner = get_args(annotation)
    parts = inner[:1] if get_origin(annotation) is Annotated else inner
    return {annotation} if not parts else set().union(*map(_types_in, parts))


def _with_plain_switches(command: TyperCommand, args: list[str]) -> list[str]:
    """Arguments in which no switch of a ruleset has a yes or no behind it, which its other options have."""
    switches = {option.flag for option in OPTIONS.values() if option.is_switch}
    refused = {one.opts[0]: one.secondary_opts[:1] for one in command.params if set(one.opts) & switches}
    left = list(args)
    found: list[str] = []
    while left:
        arg = left.pop(0)
        if arg == "--":
            return [*found, arg, *left]
        flag, sign, word = arg.partition("=")
        if flag in refused and not sign:
            word = left.pop(0) if left and left[0] in TRUTH else ""
        if flag not in refused or (sign and word not in TRUTH):
            found.append(arg)
        else:
            found += [flag] if TRUTH.get(word, True) else refused[flag]
    return found


def with_ruleset(command: Callable[..., None]) -> Callable[..., None]:
    """A command whose parameter `ruleset` is named by the options of a ruleset, in its place among the others.

    Where its default is None, it is None if none of these options is given.
    """
    signature = inspect.signature(command, eval_str=True)
    parameters: list[inspect.Parameter] = []
    for parameter in signature.parameters.values():
        parameters += _parameters(parameter.default) if parameter.name == "ruleset" else [parameter]
    optional = signature.parameters["ruleset"].default is None
    if optional:
        parameters.append(inspect.Parameter(CONTEXT, inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context))

    @wraps(command)
    def run(**given: Any) -> None:
        with one_line_errors():
            ruleset: Ruleset | None = ruleset_of({name: given.pop(name) for name in OPTIONS})
        if optional:
            context = given.pop(CONTEXT)
            ruleset = ruleset if names_rules(context) else None
        command(ruleset=ruleset, **given)

    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def is_given(context: typer.Context, name: str) -> bool:
    """Whether an option stands on the command line, by the name of its parameter."""
    return getattr(context.get_parameter_source(name), "name", "") == "COMMANDLINE"


def parameters_given(context: typer.Context) -> list[Any]:
    """The arguments and options that stand on the command line."""
    return [parameter for parameter in context.command.params if is_given(context, str(parameter.name))]


def names_rules(context: typer.Context) -> bool:
    """Whether any option of a ruleset stands on the command line."""
    return any(is_given(context, name) for name in OPTIONS)


def _parameters(ruleset: Ruleset | None) -> list[inspect.Parameter]:
    """The options of a ruleset as parameters of a command, by default with as many players as this one; with None the command
    finds a ruleset of its own."""
    found = []
    for name, option in OPTIONS.items():
        kind: Any = bool if option.is_switch else int if int in option.types else str if option.default else str | None
        default = None if bool in option.types and not option.is_switch else option.default
        if name == "players":
            default = (ruleset or DEFAULT).players
        annotation = Annotated[kind, _declared(option, default=ruleset is not None)]
        found.append(inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=annotation))
    return found


def ruleset_of(given: dict[str, Any]) -> Ruleset:
    """The ruleset that options name, by name of the option as the command line has them. Raises RulesetError."""
    return Ruleset(**{name: OPTIONS[name].value_of(value) for name, value in given.items()})


def max_turns(given: int) -> int | None:
    """The turn limit per seat, 0 = none. Raises ValueError."""
    if not 0 <= given <= MOST_TURNS:
        raise ValueError(f"--max-turns is {given}; expected 0 for no limit, or a whole number up to {MOST_TURNS}")
    return given or None


def for_so_many(players: int) -> str:
    """How to name the players that were meant, to be said where something else than one for each seat was given."""
    return f"; for {players} players add {OPTIONS['players'].flag} {players}" if players in OPTIONS["players"].choices else ""


def records_at(paths: list[Path]) -> list[Path]:
    """Files themselves, and the records (*.json) of folders in the order of their names. Raises ValueError where none is."""
    found = [file for path in paths for file in (sorted(path.glob("*.json")) if path.is_dir() else [path])]
    if not found:
        raise ValueError(f"{', '.join(map(str, paths))}: there are no records (*.json)")
    return found
