"""All simulators of all papers, by name: every `System` in a paper's module of simulators."""

from __future__ import annotations

import importlib.util
import pkgutil
from collections.abc import Iterator

import sim
from sim.trials.cost_law import law_of
from sim.trials.trial import System, loaded
from theoremeter_papers import Paper, cached, load, papers, said


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
    other = repository_systems().get(system.name)
    if other is not None:
        rule = f"names of systems must be new, or begin with {paper.key}."
        return "" if other == system else f"{rule}, got {system.name}, which is a simulator of this repository"
    if system.name == paper.key or system.name.startswith(f"{paper.key}."):
        return ""
    return f"names of systems must be {paper.key} or begin with {paper.key}., got {system.name[:80]!r}"


def misdirected(system: System) -> Iterator[str]:
    """Which import paths of a system name nothing that can be imported, or a `cost` that is no law."""
    paths = {
        name: getattr(system, name) for name in ("memory", "engine", "endings", "needs", "cost", "typical_seconds")
    }
    for name, path in paths.items():
        if not isinstance(path, str) or not path:
            continue
        try:
            law_of(system) if name == "cost" else loaded(path)
        except Exception as error:  # a module that cannot be imported raises whatever its code does
            told = said(error).partition("\n")[0]
            yield f"system {system.name}: {name} must name what can be imported, got {path[:80]!r}: {told[:200]}"


def shared_name(one: System, other: System) -> str:
    """Which rule two systems of one paper break; "" where they break none."""
    if one.name != other.name or one == other:
        return ""
    return f"names of systems must be unique in a paper, got {one.name[:80]} for {one.path} and for {other.path}"


def _declared(module: str) -> list[System]:
    # by type(): an object at the top of somebody's module may say anything, or raise, when asked for its class
    found = tuple(vars(load(module)).values())
    return [value for value in found if issubclass(type(value), System)]
