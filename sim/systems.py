"""All simulators of all papers, by name: every `System` in a paper's module of simulators."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil

import sim
from sim.trial import System
from theoremeter_papers import Paper, cached, papers


@cached
def repository_systems() -> dict[str, System]:
    """The simulators of this repository by name, in the order of papers and definitions. Imports none of them."""
    found: dict[str, System] = {}
    for paper in sorted(info.name for info in pkgutil.iter_modules(sim.__path__) if info.ispkg):
        name = f"sim.{paper}.systems"
        if importlib.util.find_spec(name) is None:
            continue
        for system in _declared(name):
            if found.setdefault(system.name, system) is not system:
                raise ValueError(f"names of systems must be unique, got {system.name} again in {name}")
    return found


def systems() -> dict[str, System]:
    """The simulators of all papers that can be read; those from outside may import whatever they compute with."""
    found = dict(repository_systems())
    for paper in papers():
        if paper.is_outside and not paper.broken:
            try:
                declared = systems_of(paper)
            except Exception:  # the catalogue says why, at the paper's row
                continue
            found |= {system.name: system for system in declared if not misnamed(paper, system)}
    return found


def systems_of(paper: Paper) -> list[System]:
    """The systems that a paper's module of simulators declares."""
    return _declared(paper.simulators)


def misnamed(paper: Paper, system: System) -> str:
    """Which rule the name of a system breaks that a paper from outside uses; "" where it breaks none.

    Seeds and stored trials go by the name, so a simulator of one paper must not take that of another's.
    """
    if repository_systems().get(system.name) == system:
        return ""
    if system.name == paper.key or system.name.startswith(f"{paper.key}."):
        return ""
    return f"names of systems must be {paper.key} or begin with {paper.key}., got {system.name[:80]!r}"


def _declared(module: str) -> list[System]:
    return [value for value in vars(importlib.import_module(module)).values() if isinstance(value, System)]
