"""`python -m hansa_benchmarks`."""

from hansa_benchmarks.app import app

app(prog_name="python -m hansa_benchmarks")
