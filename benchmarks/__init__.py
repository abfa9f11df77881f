"""What hansa_env costs, measured: `hansa speed`.

Peers are measured by any interpreter, so that their dependencies need not fit ours:

    python -m venv peers && peers/bin/pip install -r benchmarks/peers/requirements.txt
    hansa speed --peers-python peers/bin/python

Of the libraries, only asv measures commits in interleaved turns, but it reinstalls the package before each turn, so that
Numba compiles everything anew. pytest-benchmark, pyperf and richbench time functions of one installation; none of them
knows rates, peers or batch sizes that take turns.
"""
