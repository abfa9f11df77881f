"""`python -m hansa_env`."""

from hansa_env.commands.cli import app

app(prog_name="python -m hansa_env")
