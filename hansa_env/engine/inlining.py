"""Compiled functions that only other compiled functions call. They are parts: optimised and turned into machine code within
the kernels that reach them, and nowhere else.

Numba does both for every function together with all that it calls, again at each level of calls; and it compiles a function
anew for each literal and each width of whole number that it is given. With rules that call each other many levels deep, more
than half of the time to compile went there, into code that nothing runs. What is overridden here are inner classes of Numba.
With another version than the one that was tried, parts are compiled as Numba does: the same games, after a longer wait.
"""

from __future__ import annotations

from typing import Any

import numba
from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher

config: Any = numba.config  # its names are made as it is read
#: The version of Numba that this was tried with.
TRIED = (0, 68)


class _NoMachineCode:
    """Stands where Numba would tell machine code where its Python objects are: parts have neither."""

    def set_env(self, name: str, environment: Any) -> None:
        """There is nothing to tell."""


class _Part(JITCodeLibrary):
    """The code of one part, for whatever links it."""

    codegen: Any = _NoMachineCode()
    _linkable: Any = None

    def finalize(self) -> None:
        """Leave the code as it is: kernels link it, with all that it calls, and optimise the whole."""
        self._raise_if_finalized()
        for library in self._linking_libraries:
            self._reload_init.update(library._reload_init)
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """0: no machine code is made."""
        return 0

    def _get_module_for_linking(self) -> Any:
        """The part and all that it reaches. Callers come before what they call: LLVM leaves out what nothing refers to yet."""
        if self._shared_module is None:
            module = self._own().clone()
            reached, todo = {self}, list(self._linking_libraries)
            for library in todo:
                if library not in reached:
                    reached.add(library)
                    is_part = isinstance(library, _Part)
                    module.link_in(library._own() if is_part else library._get_module_for_linking(), preserve=True)
                    todo += library._linking_libraries if is_part else []
            self._shared_module = module
        return self._shared_module

    def _own(self) -> Any:
        """The part alone, as a function that may come from several modules that are linked, and goes where nothing calls it."""
        if self._linkable is None:
            self._linkable = self._final_module.clone()
            for function in self._linkable.functions:
                if not function.is_declaration and function.linkage.name == "external":
                    function.linkage = "linkonce_odr"
        return self._linkable


class _PartCompiler(Compiler):
    """Numba's own, with a library of ours."""

    def __init__(self, typingctx: Any, targetctx: Any, library: None, *rest: Any) -> None:
        super().__init__(typingctx, targetctx, _Part(targetctx.codegen(), "part"), *rest)


class Part(CPUDispatcher):
    """A part, compiled once for all signed whole numbers: arithmetic on them is done in 64 bits anyway."""

    def __init__(self, function: Any, locals: Any = None, targetoptions: Any = None) -> None:
        super().__init__(function, locals, targetoptions, _PartCompiler)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """What Numba asks for the types of the arguments of a call."""
        return super().get_call_template(tuple(map(_as_wide, args)), {name: _as_wide(kind) for name, kind in kws.items()})

    def add_overload(self, cres: Any) -> None:
        """Keep a result of compiling out of Python's reach."""
        self.overloads[tuple(cres.signature.args)] = cres

    def _compile_for_args(self, *args: Any, **kws: Any) -> None:
        """What a call from Python comes to."""
        raise TypeError(f"{self.py_func.__name__} can only be called from compiled code: from a function with @compiled.kernel")


def _as_wide(kind: Any) -> Any:
    kind = types.unliteral(kind)
    return types.int64 if kind in types.signed_domain else kind


def part(**options: Any) -> Any:
    """A decorator: compiles a function with options of Numba's as a part."""
    if numba.version_info.short != TRIED:
        return numba.njit(**options)
    options.update(nopython=True, no_cfunc_wrapper=True, no_cpython_wrapper=True)
    return lambda function: function if config.DISABLE_JIT else Part(function, targetoptions=dict(options))
