"""Makes the environments known to PettingZoo and Gymnasium once these are loaded, and does not load them: that takes long."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType

AEC_ID = "hansa/hansa_teutonica-v0"
SINGLE_SEAT_ID = "hansa/HansaTeutonica-v0"


def register_environments() -> None:
    """Register by name of module, so that nothing is loaded before it is made; a second time changes nothing."""
    waiting: dict[str, Callable[[], None]] = {}
    for library, registration in (("pettingzoo", _register_in_pettingzoo), ("gymnasium", _register_in_gymnasium)):
        if library in sys.modules:
            registration()
        else:
            waiting[library] = registration
    if waiting:
        sys.meta_path.insert(0, _Later(waiting))


def _register_in_pettingzoo() -> None:
    import pettingzoo

    if AEC_ID not in pettingzoo.aec_registry:
        pettingzoo.register("aec", AEC_ID, "hansa_env.hansa_teutonica_v0:env")


def _register_in_gymnasium() -> None:
    import gymnasium

    if SINGLE_SEAT_ID not in gymnasium.registry:
        gymnasium.register(
            SINGLE_SEAT_ID,
            entry_point="hansa_env.api.gymnasium:HansaTeutonicaEnv",
            vector_entry_point="hansa_env.api.vector:HansaTeutonicaVectorEnv",
        )


class _Later(MetaPathFinder):
    """Finds no module itself, but sees to it that after the import of some there is something done.

    Args:
        waiting: what is done, by the names of the modules.
    """

    def __init__(self, waiting: dict[str, Callable[[], None]]) -> None:
        self.waiting = waiting

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """The place of a module that is waited for, as the other finders know it."""
        then = self.waiting.pop(name, None)
        if then is None:
            return None
        try:
            found = find_spec(name)
        finally:
            self.waiting[name] = then  # it may only have been looked for
        if found is not None and found.loader is not None:
            run = found.loader.exec_module

            def run_and_register(module: ModuleType) -> None:
                run(module)
                then()

            found.loader.exec_module = run_and_register  # type: ignore[method-assign]
        return found
