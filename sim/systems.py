"""All simulators of this repository's papers, by name: every `System` in a module `systems` of a paper's folder."""

from __future__ import annotations

import functools
import importlib
import pkgutil

import sim
from sim.trial import System


@functools.cache
def systems() -> dict[str, System]:
    """The simulators by name, in the order of papers and definitions. Imports none of them."""
    found: dict[str, System] = {}
    for paper in sorted(info.name for info in pkgutil.iter_modules(sim.__path__) if info.ispkg):
        name = f"sim.{paper}.systems"
        if importlib.util.find_spec(name) is None:
            continue
        for value in vars(importlib.import_module(name)).values():
            if isinstance(value, System) and found.setdefault(value.name, value) is not value:
                raise ValueError(f"names of systems must be unique, got {value.name} again in {name}")
    return found
