"""Which module may import which: layers, as docs/architecture.md shows them."""

from __future__ import annotations

from tests.packages import PACKAGES

#: From below: each layer may import itself and those in the lines above. A name stands for all modules below it, but the
#: package's own, hansa_env, for its `__init__` alone: each of its modules is named.
LAYERS = (
    ("hansa_env.boards", "hansa_env.rulebook", "hansa_env.extras", "hansa_env.installed", "hansa_env.renamed",
     "hansa_env.start", "hansa_env.version"),
    ("hansa_env.ruleset", "hansa_env.ruleset_options"),
    ("hansa_env.engine",),
    ("hansa_env.formats",),
    ("hansa_env.render",),
    ("hansa_env.play",),
    ("hansa_env.api", "hansa_env.pages"),
    # What users import by these names: they say what the layers below have.
    ("hansa_env", "hansa_env.compiled", "hansa_env.hansa_teutonica_v0", "hansa_env.openspiel", "hansa_env.sb3",
     "hansa_env.warmup"),
    ("hansa_env.commands", "hansa_env.__main__"),
    ("hansa_env.table",),
    ("hansa_agents",),
    ("hansa_training",),
    ("hansa_benchmarks",),
)  # fmt: skip


def layer_of(module: str) -> int | None:
    """The number of a module's layer, from below; None if no name stands for the module."""
    numbers = {name: number for number, names in enumerate(LAYERS) for name in names}
    while module not in numbers:
        module = module.rpartition(".")[0]
        if module in ("", "hansa_env"):
            return None
    return numbers[module]


def shown() -> list[str]:
    """A line for each layer, from below, with its names as the tree has them."""
    return [", ".join(PACKAGES.get(name, name.removeprefix("hansa_env.")) for name in names) for names in LAYERS]
