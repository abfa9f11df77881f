"""`python -m hansa_training`."""

from hansa_training.app import app

app(prog_name="python -m hansa_training")
