"""Which modules decide the results of a simulator: its own and all that it imports, directly or not.

Read from the sources, without running them: an import inside a function counts, and nothing heavy is loaded. Modules of
the simulator's own package and of `sim` are followed. Not counted is what computes no figure: carriers of parameters
and results, checks of arguments, the choice of an engine, whose name is part of a trial's key by itself.
"""

from __future__ import annotations

import ast
import importlib.util
import json
import sys
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path

from sim.store.disk_cache import own_cache
from theoremeter_papers import cached

BORDER = frozenset(
    {
        "sim.trials.trial",
        "sim.trials.readouts",
        "sim.trials.sweep",
        "sim.trials.validation",
        "sim.trials.errors",
        "sim.trials.signature",
        "sim.engine_setting",
        "sim.image_root",
        "sim.images.training.checkpoint_folder",
        "sim.images.training.device",
        "sim.kernels.cache",
        "theoremeter",
        "theoremeter_papers",
    }
)
"""Modules in which no figure is computed."""


@cached
def sources_of(module: str) -> tuple[str, ...]:
    """The module and every module it imports that can change a figure, by name, sorted.

    Raises:
        ModuleNotFoundError: no source for the module itself.
    """
    if _file(module) is None:
        raise ModuleNotFoundError(f"no source for {module}")
    roots = {module.partition(".")[0], "sim"}
    found, waiting = {module}, [module]
    while waiting:
        name = waiting.pop()
        new = {other for other in imports_of(name) if other.partition(".")[0] in roots} - BORDER - found
        found |= new
        waiting += new
    return tuple(sorted(found))


def file_of(module: str) -> Path:
    """The source file of a module. Raises ModuleNotFoundError where there is none."""
    path = _file(module)
    if path is None:
        raise ModuleNotFoundError(f"no source for {module}")
    return path


def has_source(module: str) -> bool:
    """Whether there is a module of this name, in Python."""
    return _file(module) is not None


@cached
def _file(module: str) -> Path | None:
    spec = _spec(module)
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        return None
    return Path(spec.origin)


def _spec(module: str) -> ModuleSpec | None:
    """Where a module is. `importlib.util.find_spec` would import what stands before its last dot.

    All finders are asked, not that of paths alone: modules of papers have one of their own.
    """
    package, _, _ = module.rpartition(".")
    if not package:
        try:
            return importlib.util.find_spec(module)
        except (ModuleNotFoundError, ValueError):
            return None
    above = _spec(package)
    if above is None or above.submodule_search_locations is None:
        return None
    found = (finder.find_spec(module, above.submodule_search_locations) for finder in sys.meta_path)
    return next(filter(None, found), None)


@cached
def imports_of(module: str) -> frozenset[str]:
    """Modules that a module imports; a name that is imported from a package may be a module itself."""
    path = file_of(module)
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    text = path.read_text(encoding="utf-8")
    # Parsing some thirty modules takes a tenth of a second, and every command would do it.
    written = own_cache().get(json.dumps([text, package]), lambda: sorted(_named(text, package)))
    return frozenset(name for name in written if _file(name) is not None)


def _named(text: str, package: str) -> Iterator[str]:
    """Dotted names in the import statements of a source, relative ones resolved."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.rsplit(".", node.level - 1)[0] if node.level else ""
            base = ".".join(part for part in (above, node.module) if part)
            yield from (base, *(f"{base}.{alias.name}" for alias in node.names))
