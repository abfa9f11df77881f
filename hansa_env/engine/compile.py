"""How the engine is compiled, and where Numba keeps the result.

Numba's disk cache looks only at the file a function stands in, so a change in a file that it calls or takes a constant
from would leave stale code behind. The cache folder is therefore named after all sources a kernel can depend on: those
of the engine and of what it takes constants from, of the kernel's own package, and of the packages of the compiled functions
it calls. How Numba compiles is part of the name too, for code with and without its bounds check must not meet.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba import njit
from numba.core import event
from numba.core.caching import CompileResultCacheImpl, FunctionCache, UserProvidedCacheLocator
from numba.misc.appdirs import AppDirs

from hansa_env.engine import code_folders
from hansa_env.engine.inlining import part

ENGINE = Path(__file__).parent
#: What stands outside the engine and goes into compiled code: constants of the boards and of rulesets.
CONSTANTS = ("boards/*.py", "ruleset.py")
PATIENCE = 2.0  # seconds of compiling before that is said
config: Any = numba.config  # its names are made as it is read
#: Where compiled code is kept, if set; else in the user's cache, which all virtual environments share, or, where that cannot be
#: written, beside the sources.
CACHE_VARIABLE = "NUMBA_CACHE_DIR"


@cache
def source_hash(*packages: Path) -> str:
    """Hash of the engine's sources, of packages' own, and of what they are compiled with and how."""
    with_what = sys.version_info[:2], numba.__version__, np.__version__, config.BOUNDSCHECK, config.OPT
    digest = hashlib.sha256(" ".join(map(str, with_what)).encode())
    files = set(ENGINE.rglob("*.py")).union(*(ENGINE.parent.glob(pattern) for pattern in CONSTANTS))
    files.update(*(package.glob("*.py") for package in packages))
    for path in sorted(files):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def packages_of(function: Any) -> list[Path]:
    """The folders of a function's module and of the compiled functions that it can reach, the engine's left out, in order."""
    seen, todo, modules = {function}, [function], set()
    while todo:
        names = todo.pop().__globals__
        if id(names) in modules:
            continue
        modules.add(id(names))
        for value in names.values():
            called = getattr(value, "py_func", None)
            if called is not None and called not in seen:
                seen.add(called)
                todo.append(called)
    files = {one.__code__.co_filename for one in seen if not one.__code__.co_filename.startswith("<")}  # "<string>": made here
    folders = {Path(file).parent for file in files}
    return sorted(one for one in folders if not one.is_relative_to(ENGINE))


def _user_cache() -> Path:
    return Path(AppDirs(appname="hansa_env", appauthor=False).user_cache_dir)


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


@cache
def cache_folder(package: Path, *packages: Path) -> Path | None:
    """The folder for compiled code of these packages and the engine; None, with one warning, where no place can be written, not
    even beside the sources of `package`."""
    name = f"numba-{source_hash(*packages)}"
    if config.CACHE_DIR:
        places = [Path(config.CACHE_DIR)]
    else:
        places = [_user_cache(), package / "__pycache__"]
    for place in places:
        if (place / name).is_dir() and os.access(place / name, os.W_OK):
            return code_folders.hold(place / name)
    for place in places:
        if _writable(place):  # these sources are new: what older ones have left may go
            code_folders.remove_unused(place)
            return code_folders.hold(place / name)
    _warn_once(f"{' and '.join(map(str, places))} cannot be written, so hansa_env compiles its rules anew in each process "
               f"(about half a minute); set {CACHE_VARIABLE} to a folder that can be written")  # fmt: skip
    return None


_warned: list[str] = []


def _warn_once(text: str) -> None:
    """One warning a process, though every package with kernels comes to it."""
    if not _warned:
        warnings.warn(text, RuntimeWarning, stacklevel=2)
    _warned.append(text)


#: Compiled code makes no arrays: without counting references to those that it is given, observing takes a fifth less time
#: and scoring half of it. Nothing compiled may return an array that it was given: its reference would be given back twice.
_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}


def kernel(function):
    """An entry point called from Python: takes arrays, releases the GIL, is kept on disk."""
    return compiled_and_kept(function, **_OPTIONS)


class _InFolder(UserProvidedCacheLocator):
    """Where a function's code lies in a folder of ours: by the name of its package's folder, not by where that is installed, so
    that all virtual environments find it. The folder's own name says which sources it was made of."""

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """The name of the package's folder."""
        return Path(py_file).parent.name


class _Impl(CompileResultCacheImpl):
    _locator_classes = [_InFolder]  # noqa: RUF012


class _Kept(FunctionCache):
    _impl_class = _Impl


def compiled_and_kept(function: Any, *packages: Path, **options: Any) -> Any:
    """A function compiled with options of Numba's, and kept on disk until one of the sources changes that it depends on, those
    in the folders `packages` among them."""
    source = Path(function.__code__.co_filename)
    folder = None
    if source.is_file():  # else it was typed in somewhere
        folder = cache_folder(source.parent, *sorted({*packages_of(function), *packages}))
    compiled = njit(**options)(function)
    if folder is None or compiled is function:  # with NUMBA_DISABLE_JIT nothing is compiled
        return compiled
    before, config.CACHE_DIR = config.CACHE_DIR, str(folder)
    try:
        compiled._cache = _Kept(function)  # as `cache=True` does, with a place of our own
    finally:
        config.CACHE_DIR = before
    return compiled


SAID = (
    "hansa_env: compiling, once (about half a minute for the rules, up to two minutes for agents that search; `hansa compile` "
    "compiles all ahead and shows how far it is) ..."
)


class Notice(event.Listener):
    """One line on stderr, once a process, where code of ours that is not on disk yet takes longer than PATIENCE to compile."""

    def __init__(self) -> None:
        self.said = False
        self._nested = 0  # a kernel's compilation begins those of what it calls
        self._timer: threading.Timer | None = None  # of the compilation under way

    def on_start(self, compilation: Any) -> None:
        """A compilation begins; one at a time, under Numba's lock."""
        if self._is_ours(compilation):
            self._nested += 1
            if self._nested == 1 and not self.said:
                self._timer = threading.Timer(PATIENCE, self._say)
                self._timer.daemon = True
                self._timer.start()

    def on_end(self, compilation: Any) -> None:
        """A compilation ends."""
        if self._is_ours(compilation):
            self._nested -= 1
            if self._nested == 0 and self._timer is not None:
                self._timer.cancel()
                self._timer = None

    @contextmanager
    def silent(self) -> Iterator[None]:
        """Nothing is said meanwhile."""
        said, self.said = self.said, True
        try:
            yield
        finally:
            self.said = said

    def _is_ours(self, compilation: Any) -> bool:
        module = compilation.data["dispatcher"].py_func.__module__  # None of functions that Numba makes
        return module is not None and module.startswith("hansa_")

    def _say(self) -> None:
        if not self.said:
            self.said = True
            print(SAID, file=sys.stderr, flush=True)


notice = Notice()
event.register("numba:compile", notice)


#: A function called from other compiled functions only: optimised within the kernels that reach it.
inner: Any = part(**_OPTIONS)
#: One that becomes part of each of its callers: for what is small beside the call, and has several callers or large branches.
inlined: Any = part(forceinline=True, **_OPTIONS)
#: One that is typed within its callers too, which are optimised sooner than after `inlined`: for what has one caller, or does
#: little but call.
merged: Any = njit(inline="always", **_OPTIONS)
