"""The command `hansa table`."""

from __future__ import annotations

import os
import threading
import webbrowser
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from hansa_env.commands.ending import going_on
from hansa_env.commands.output import one_line_errors, print_line
from hansa_env.play.agents import name_of
from hansa_env.play.registry import make_agent
from hansa_env.ruleset import Ruleset
from hansa_env.start import telling_what_takes_long
from hansa_env.warmup import warmup

HERE = "127.0.0.1"
PORT = 8642


def table(
    host: Annotated[
        str, typer.Option(help="address to listen on; any but a loopback address opens the table to the network")
    ] = HERE,
    port: Annotated[int, typer.Option(min=0, max=65535, help="port to listen on; 0: any free one")] = PORT,
    name: Annotated[
        list[str] | None,
        typer.Option(help="host name by which people reach the table through a proxy with TLS; may be repeated"),
    ] = None,
    games: Annotated[Path | None, typer.Option(help="file to save games in; by default in your data folder")] = None,
    agent: Annotated[
        list[str] | None, typer.Option(help="offer an agent of your own, such as mybot:MyBot; may be repeated")
    ] = None,
    openings: Annotated[
        list[Path] | None,
        typer.Option(
            help="offer openings from a file of `hansa openings`, instead of those that are installed; may be repeated"
        ),
    ] = None,
    prepare: Annotated[
        bool, typer.Option("--prepare/--no-prepare", help="load the strongest agents and draw all boards before anybody asks")
    ] = True,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="open the page in your browser")] = True,
) -> None:
    """Play, watch and analyse games in a browser."""
    console = Console()
    with one_line_errors(), telling_what_takes_long("hansa table: loading the rules, agents and openings ..."):
        from hansa_env.table.guard import checked_name, is_address
        from hansa_env.table.openings import files_offered
        from hansa_env.table.server import application
        from hansa_env.table.serving import address_in_network, address_of, is_loopback, listen, serve

        for spec in agent or ():
            name_of(make_agent(spec, Ruleset(players=3)))  # one that cannot be made is told at once
        proxied = [checked_name(one, host) for one in name or ()]
        file = games or default_file()
        listening = listen(host, port)
        warmup()
        made = application(
            file, agent or (), () if is_address(host) else (host,), prepare, openings or files_offered(), proxied
        )
    link, elsewhere = f"http://{address_of(listening)}/?key={made.key}", address_in_network(listening)
    bound = listening.getsockname()[1]
    if not is_loopback(host):
        console.print(f"[bold red]open to the network:[/bold red] listening at {host} port {bound}, without encryption; "
                      "whoever has the link below is the host", highlight=False, soft_wrap=True)  # fmt: skip
    print_line(f"games are kept in {file}", console)
    print_line(f"the table is open at {link}", console)
    if elsewhere is not None:  # a page that is opened by that address invites by it too
        link = f"http://{elsewhere}/?key={made.key}"
        print_line(f"open it by this link to invite people at other machines: {link}", console)
    for one in proxied:
        print_line(f"through the proxy it is open at https://{one}/?key={made.key}", console)
    console.print("Ctrl+C closes it", highlight=False)
    if browser:
        threading.Timer(0.5, webbrowser.open, [link]).start()
    with going_on("the table is closed"):
        serve(made, listening)


def default_file() -> Path:
    """Where games are kept unless somebody says otherwise."""
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "hansa_env" / "games.sqlite"
