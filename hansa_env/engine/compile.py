"""How the engine is compiled, and where Numba keeps the result.

Numba's disk cache looks only at the file a function stands in, so a change in a file that it calls or takes a constant
from would leave stale code behind. The cache folder is therefore named after all sources a kernel can depend on: those
of the engine and of the kernel's own package.
"""

from __future__ import annotations

import hashlib
import os
import sys
from functools import cache
from pathlib import Path

import numba
from numba import njit

ENGINE = Path(__file__).parent


@cache
def source_hash(package: Path) -> str:
    """Hash of the engine's sources, of a package's own, and of the versions they are compiled with."""
    digest = hashlib.sha256(f"{sys.version_info[:2]} {numba.__version__}".encode())
    files = {*ENGINE.glob("*.py"), ENGINE.parent / "ruleset.py", *package.glob("*.py")}
    for path in sorted(files):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder(package: Path) -> Path:
    """`NUMBA_CACHE_DIR` if set, else beside the sources, else (read-only install) in the user's cache folder."""
    if numba.config.CACHE_DIR:
        root = Path(numba.config.CACHE_DIR)
    elif os.access(package, os.W_OK):
        root = package / "__pycache__"
    else:
        root = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "hansa_env"
    return root / f"numba-{source_hash(package)}"


def kernel(function):
    """An entry point called from Python: takes arrays, releases the GIL, is kept on disk."""
    folder = str(cache_folder(Path(function.__code__.co_filename).parent))
    before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, folder
    try:
        return njit(cache=True, nogil=True, error_model="numpy")(function)
    finally:
        numba.config.CACHE_DIR = before


#: A function called from other compiled functions only.
inner = njit(nogil=True, error_model="numpy", no_cfunc_wrapper=True, no_cpython_wrapper=True)
