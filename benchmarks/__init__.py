"""What hansa_env costs, measured: `hansa bench`, `python -m hansa_benchmarks`.

Peers run as scripts of their own in any interpreter, so that their dependencies need not fit ours:

    python -m venv /tmp/peers && /tmp/peers/bin/pip install -r benchmarks/peers/requirements.txt
    python -m hansa_benchmarks --peers-python /tmp/peers/bin/python
"""
