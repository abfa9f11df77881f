"""How the engine is compiled, and where Numba keeps the result.

Numba's disk cache looks only at the file a function stands in, so a change in a file that it calls or takes a
constant from would leave stale code behind. The cache folder is therefore named after the sources of the whole engine.
"""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

import numba
from numba import njit

ENGINE = Path(__file__).parent


def _source_hash() -> str:
    digest = hashlib.sha256(f"{sys.version_info[:2]} {numba.__version__}".encode())
    for path in sorted(ENGINE.rglob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def _cache_folder() -> str:
    """`NUMBA_CACHE_DIR` if set, else beside the engine, else (read-only install) in the user's cache folder."""
    if numba.config.CACHE_DIR:
        root = Path(numba.config.CACHE_DIR)
    elif os.access(ENGINE, os.W_OK):
        root = ENGINE / "__pycache__"
    else:
        root = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "hansa_env"
    return str(root / f"engine-{_source_hash()}")


CACHE_FOLDER = _cache_folder()


def kernel(function):
    """An entry point called from Python: takes arrays, releases the GIL, is kept on disk."""
    before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, CACHE_FOLDER
    try:
        return njit(cache=True, nogil=True, error_model="numpy")(function)
    finally:
        numba.config.CACHE_DIR = before


#: A function called from other compiled functions only.
inner = njit(nogil=True, error_model="numpy", no_cfunc_wrapper=True, no_cpython_wrapper=True)
