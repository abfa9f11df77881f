"""The command `hansa compile`."""

from __future__ import annotations

import typer

from hansa_env.commands.ending import going_on
from hansa_env.commands.output import one_line_errors
from hansa_env.commands.progress import progress_on
from hansa_env.engine.compile import ENGINE, cache_folder


def compile_ahead() -> None:
    """Compile the rules and the agents now, in two processes, instead of at their first use.

    What is there already is only loaded. All virtual environments of this user share it.
    """
    with one_line_errors():
        from hansa_agents.compiling import SECONDS, CompileError, compile_all
        from hansa_env.play.registry import split_spec

        done: list[int] = []
        with going_on("stopped; what is compiled is kept, and the same command continues"), progress_on() as progress:
            progress.begin("compiled, in seconds of a core", sum(SECONDS.values()))

            def note(name: str) -> None:
                done.append(SECONDS[name])
                progress.at(sum(done), split_spec(name)[0])

            try:
                compile_all(note)
            except CompileError as error:
                raise ValueError(str(error)) from error
            progress.end()
    typer.echo(f"compiled, kept in {cache_folder(ENGINE)}")
